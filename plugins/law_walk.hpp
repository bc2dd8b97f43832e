#pragma once

#include <deque>
#include <map>
#include <set>

#include "plugins/laws.hpp"
#include "plugins/two_orders.hpp"

namespace mcmini {

/// What has come to light in all walks so far.
struct LawFindings {
  struct Pair {
    bool saidDependent = false;
    bool met = false;  ///< Both were possible.
    bool mattered = false;
  };

  std::vector<BrokenLaw> broken;
  std::map<std::pair<std::string, std::string>, Pair> pairs;  ///< By the names of two operations.
  std::set<std::string> possible;                             ///< Operations that were, somewhere.
  std::size_t states = 0;
  bool cut = false;  ///< There were more.

  /// Unless it is known already.
  void add(BrokenLaw law);
  bool knows(const std::string& law) const;
};

/// A program without a program: threads that make calls in every order. Goes through the states breadth
/// first, so that the way to each is the shortest.
class LawWalk {
 public:
  struct Setting {
    const Catalog& catalog;
    std::string plugin;  ///< Only what concerns its operations is looked at.
    Catalog::Calls calls;
    Policies policies;
    std::uint32_t threads;
  };

  LawWalk(Setting setting, const LawLimits& limits, Asked& asked, LawFindings& findings);
  void run();

 private:
  struct Move {
    Catalog::Call call;
    TransitionPtr transition;
    bool enabled = false;
    bool possible = false;  ///< Enabled, and no misuse.
    bool isOurs = false;
    bool isEarly = false;  ///< Announced a step earlier.
    const Transition& t() const { return *transition; }
  };
  struct Place;
  /// Another way to a place.
  struct Detour {
    const Place* from;
    Move move;
    ModelState state;
  };
  struct Place {
    ModelState state;
    std::vector<Catalog::Calls> owed;  ///< By thread: what it has to call next; empty: anything.
    const Place* from = nullptr;
    std::string step;
    ThreadId mover{};
    std::vector<Move> moves = {};
    std::vector<Detour> detours = {};
  };

  // One place.
  void visit(Place& place);
  /// Whether they are possible has not been asked yet.
  std::vector<Move> movesAt(const ModelState& state, const std::vector<Catalog::Calls>& owed) const;
  Move make(const Catalog::Call& call, ThreadId thread, const ModelState& state) const;
  void take(const Place& place, const Move& move);
  Catalog::Calls sequelsOf(const Catalog::Call& call, Result result) const;

  // What one operation and one state have to keep.
  void checkAlone(const Place& place, Move& move);
  void checkRepeats(const Place& place, const Move& move);
  void checkTouched(const Place& place, const Move& move, const ModelState& after);
  void checkEarly(const Place& place);
  void checkRemembers(const Place& place, const Move& early);
  bool checkCopies(const Place& place, const ModelState& state);
  void checkEqual(const Place& known, const Detour& detour);
  std::string difference(const Place& known, const ModelState& state) const;

  // What two operations have to keep.
  void checkPair(const Place& place, const Move& a, const Move& b);
  void checkSteady(const Place& place, const Move& a, const Move& b);
  void refuteIndependence(const Place& place, const Move& a, const Move& b, const TwoOrders& orders);
  void refuteApartness(const Place& place, const Move& a, const Move& b, const TwoOrders& orders);
  void checkTogether(const Place& place, const Move& a, const Move& b);
  void checkBlockedBy(const Place& place, const Move& waits, const Move& moves);

  // Words.
  std::vector<std::string> wayTo(const Place& place) const;
  std::string words(const Move& move) const;
  std::string result(const Move& move, Result result) const;
  std::string contents(const ModelState& state) const;
  std::string tell(const Move& a, const Move& b, const Order& order) const;
  std::vector<std::string> tellBoth(const Move& a, const Move& b, const TwoOrders& orders) const;
  void broken(const Place& place, std::string law, std::vector<std::string> evidence,
              std::vector<Method> lookAt);
  template <class Function>
  static Method method(const Move& move, const char* name, Function function) {
    return methodOf(move.t(), move.call.name, name, function);
  }
  static std::string yesOrNo(bool answer) { return answer ? "yes" : "no"; }
  static std::string writesUnlisted(const std::string& operation) {
    return operation + " changes an object that it does not list";
  }
  void guarded(const Place& place, const std::function<void()>& body);

  Setting setting_;
  const LawLimits& limits_;
  Questions ask_;
  Asked& asked_;
  LawFindings& findings_;
  std::deque<Place> places_;
  bool hopeless_ = false;  // nothing that follows can be believed
};

}  // namespace mcmini
