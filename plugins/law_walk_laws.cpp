// The laws, each held against one place of a walk.

#include <algorithm>

#include "plugins/law_walk.hpp"

namespace mcmini {

namespace {

/// All that a state shows of its objects.
std::string looks(const ModelState& state) {
  std::string text;
  state.forEachObject([&](ObjectId id, const ObjectState& object) {
    text += std::to_string(addressOf(id)) + object.describe(ShortNames{});
    for (ThreadId holder : object.holders()) text += "," + std::to_string(index(holder));
    text += "\n";
  });
  return text;
}

/// The objects of a state as they are now, to see later whether something has changed them.
class Snapshot {
 public:
  explicit Snapshot(const ModelState& state) : state_(state), looks_(looks(state)) {
    state.forEachObject([&](ObjectId, const ObjectState& object) { copies_.push_back(object.clone()); });
  }
  bool isStillTrue() const {
    bool same = looks(state_) == looks_;
    std::size_t next = 0;
    state_.forEachObject(
        [&](ObjectId, const ObjectState& object) { same = same && object.equals(*copies_[next++]); });
    return same;
  }

 private:
  const ModelState& state_;
  std::string looks_;
  std::vector<std::unique_ptr<ObjectState>> copies_;
};

std::vector<ObjectId> changed(const ModelState& before, const ModelState& after) {
  std::vector<ObjectId> ids;
  after.forEachObject([&](ObjectId id, const ObjectState& object) {
    const ObjectState* old = before.find(id);
    if (old == nullptr || (old != &object && !old->equals(object))) ids.push_back(id);
  });
  before.forEachObject([&](ObjectId id, const ObjectState&) {
    if (after.find(id) == nullptr) ids.push_back(id);
  });
  return ids;
}

bool contains(std::span<const ObjectId> ids, ObjectId id) {
  return std::ranges::find(ids, id) != ids.end();
}

Method equalityOf(const ObjectState& object) {
  return methodOf(object, "the state of an object", "operator==", &ObjectState::equals);
}

std::string writesUnlisted(const std::string& operation) {
  return operation + " changes an object that it does not list";
}

const char* yesOrNo(bool answer) {
  return answer ? "yes" : "no";
}

}  // namespace

template <class Function>
Method LawWalk::method(const Move& move, const char* name, Function function) const {
  return methodOf(move.t(), move.call.name, name, function);
}

/// What one operation says and does, whatever others do.
void LawWalk::checkAlone(const Place& place, Move& move) {
  const Transition& t = move.t();
  if (!move.isOurs) {
    move.enabled = ask_.enabled(t, place.state);
    move.possible = ask_.possible(t, place.state);
    return;
  }
  if (ask_.describe(t).empty())
    broken(place, move.call.name + " does not describe itself", {"describe returns nothing"},
           {method(move, "describe", &Transition::describe)});
  Snapshot before(place.state);
  bool enabled = ask_.enabled(t, place.state);
  if (enabled != ask_.enabled(t, place.state)) {
    hopeless_ = true;
    return broken(place, move.call.name + " cannot decide whether it is enabled",
                  {std::string("asked twice in the same state, enabled says ") + yesOrNo(enabled) +
                   " and then " + yesOrNo(!enabled)},
                  {method(move, "enabled", &Transition::enabled)});
  }
  if (!before.isStillTrue()) {
    hopeless_ = true;
    return broken(place, move.call.name + " changes the state when it is only asked",
                  {"after enabled there is " + contents(place.state)},
                  {method(move, "enabled", &Transition::enabled)});
  }
  move.enabled = enabled;
  move.possible = enabled && !ask_.isMisuse(t, place.state);
  if (move.possible)
    checkRepeats(place, move);
  else if (!enabled)
    for (ThreadId thread : ask_.blockedBy(t, place.state))
      if (!place.state.thread(thread).created)
        broken(place, move.call.name + " waits for a thread that does not exist", {words(move)},
               {method(move, "blockedBy", &Transition::blockedBy)});
}

void LawWalk::checkRepeats(const Place& place, const Move& move) {
  Snapshot before(place.state);
  ModelState once = place.state;
  Result first = ask_.apply(move.t(), once);
  if (!before.isStillTrue()) {
    hopeless_ = true;
    return broken(place, "a copy of a state shares something with its original",
                  {words(move) + " was done to a copy, and the original has become " + contents(place.state),
                   "members that are pointers are not copied with what they point to"},
                  {method(move, "apply", &Transition::apply)});
  }
  std::string result = this->result(move, first);
  ModelState twice = place.state;
  Result second = ask_.apply(move.t(), twice);
  if (first != second || once != twice) {
    hopeless_ = true;
    return broken(place, move.call.name + " does not repeat itself",
                  {words(move) + ": " + result + "; " + contents(once),
                   "the same once more: " + this->result(move, second) + "; " + contents(twice)},
                  {method(move, "apply", &Transition::apply)});
  }
  checkTouched(place, move, once);
}

/// Objects that nobody names are nobody's business.
void LawWalk::checkTouched(const Place& place, const Move& move, const ModelState& after) {
  for (ObjectId id : changed(place.state, after)) {
    bool isNamed = std::ranges::any_of(place.moves,
                                       [&](const Move& other) { return contains(other.t().objects(), id); });
    if (contains(move.t().objects(), id) || !isNamed) continue;
    broken(place, writesUnlisted(move.call.name),
           {words(move) + " changes " + ShortNames{}.object(id) + ": " + contents(after)},
           {method(move, "apply", &Transition::apply)});
  }
}

/// An operation waits for its turn while others move: what it was told when it was made must not become
/// wrong.
void LawWalk::checkEarly(const Place& place) {
  if (place.from == nullptr) return;
  for (Move early : place.from->moves) {
    ThreadId thread = early.t().thread();
    if (thread == place.mover || !place.state.alive(thread)) continue;
    early.isEarly = true;
    early.enabled = ask_.enabled(early.t(), place.state);
    early.possible = ask_.possible(early.t(), place.state);
    if (early.isOurs) checkRemembers(place, early);
    for (const Move& other : place.moves)
      if (other.t().thread() != thread && (early.isOurs || other.isOurs))
        guarded(place, [&] { checkPair(place, early, other); });
  }
}

void LawWalk::checkRemembers(const Place& place, const Move& early) {
  Move fresh = make(early.call, early.t().thread(), place.state);
  fresh.possible = ask_.possible(fresh.t(), place.state);
  ModelState a = place.state;
  ModelState b = place.state;
  if (early.possible == fresh.possible &&
      (!early.possible || (ask_.apply(early.t(), a) == ask_.apply(fresh.t(), b) && a == b)))
    return;
  broken(place, early.call.name + " remembers what is no longer true",
         {words(early) + " does something else than if it is called now"},
         {method(early, "enabled", &Transition::enabled), method(early, "apply", &Transition::apply)});
}

void LawWalk::checkPair(const Place& place, const Move& a, const Move& b) {
  checkSteady(place, a, b);
  checkBlockedBy(place, a, b);
  checkBlockedBy(place, b, a);
  bool dependent = ask_.dependent(a.t(), b.t());
  if (dependent && a.enabled && b.enabled) checkTogether(place, a, b);
  if (!a.possible && !b.possible) return;
  auto names = std::minmax(a.call.name, b.call.name);
  LawFindings::Pair& pair = findings_.pairs[{names.first, names.second}];
  if (dependent && pair.mattered) return;
  TwoOrders orders(ask_, place.state, a.t(), b.t());
  pair.saidDependent |= dependent;
  pair.met |= dependent && orders.bothPossible() && !a.t().endsProcess() && !b.t().endsProcess();
  pair.mattered |= orders.matters();
  if (dependent || !orders.matters()) return;
  if (shareObject(a.t(), b.t()))
    refuteIndependence(place, a, b, orders);
  else
    refuteApartness(place, a, b, orders);
}

/// The search does not ask in any certain order, nor how often.
void LawWalk::checkSteady(const Place& place, const Move& a, const Move& b) {
  auto ask = [&](const Move& one, const Move& other) {
    bool first = ask_.dependentWith(one.t(), other.t());
    if (first == ask_.dependentWith(one.t(), other.t())) return;
    broken(
        place, one.call.name + " cannot decide whether it depends on " + other.call.name,
        {std::string("asked twice, dependentWith says ") + yesOrNo(first) + " and then " + yesOrNo(!first)},
        {method(one, "dependentWith", &Transition::dependentWith)});
  };
  if (!shareObject(a.t(), b.t())) return;
  ask(a, b);
  ask(b, a);
}

std::vector<std::string> LawWalk::tellBoth(const Move& a, const Move& b, const TwoOrders& orders) const {
  auto onlyAfter = [&](const Move& second, const Move& first) {
    return words(second) + " has to wait here, but not after " + words(first);
  };
  if (!orders.ba) return {onlyAfter(b, a)};
  if (!orders.ab) return {onlyAfter(a, b)};
  std::vector<std::string> lines = {tell(a, b, *orders.ab), tell(b, a, *orders.ba)};
  if (orders.ab->second && orders.ba->second && orders.ab->after != orders.ba->after &&
      contents(orders.ab->after) == contents(orders.ba->after))
    lines.push_back("the two states differ in something that describe does not tell");
  return lines;
}

void LawWalk::refuteIndependence(const Place& place, const Move& a, const Move& b, const TwoOrders& orders) {
  std::vector<Method> lookAt;
  for (const Move* move : {&a, &b}) {
    Method answer = method(*move, "dependentWith", &Transition::dependentWith);
    bool isSame = !lookAt.empty() && lookAt.front().address() == answer.address();
    if (move->isOurs && !isSame) lookAt.push_back(answer);
  }
  auto names = std::minmax(a.call.name, b.call.name);
  broken(place, names.first + " and " + names.second + " are said to be independent, but their order matters",
         tellBoth(a, b, orders), lookAt);
}

/// They have no object in common, so that nobody asks them. One of them uses an object that it does not list:
/// the one to which the order matters.
void LawWalk::refuteApartness(const Place& place, const Move& a, const Move& b, const TwoOrders& orders) {
  auto isGuilty = [&](const std::optional<Order>& first, const std::optional<Order>& second) {
    std::optional<Result> before = first ? std::optional(first->first) : std::nullopt;
    return before != (second ? second->second : std::nullopt);
  };
  if (findings_.knows(writesUnlisted(a.call.name)) || findings_.knows(writesUnlisted(b.call.name))) return;
  const Move& guilty = isGuilty(orders.ab, orders.ba) ? a : b;
  const Move& other = &guilty == &a ? b : a;
  broken(place,
         guilty.call.name + " uses an object that it does not list: its order with " + other.call.name +
             " matters",
         tellBoth(a, b, orders), {method(guilty, "apply", &Transition::apply)});
}

void LawWalk::checkTogether(const Place& place, const Move& a, const Move& b) {
  auto ask = [&](const Move& one, const Move& other) {
    if (ask_.coenabledWith(one.t(), other.t())) return;
    broken(place,
           one.call.name + " says that it is never enabled together with " + other.call.name +
               ", but here both are",
           {words(one) + " and " + words(other) + " are enabled; " + contents(place.state)},
           {method(one, "coenabledWith", &Transition::coenabledWith)});
  };
  ask(a, b);
  ask(b, a);
}

/// Who goes on without having got what it wanted, because it is canceled say, has not waited for anybody.
void LawWalk::checkBlockedBy(const Place& place, const Move& waits, const Move& moves) {
  if (!waits.isOurs || !moves.possible || ask_.enabled(waits.t(), place.state)) return;
  std::vector<ThreadId> named = ask_.blockedBy(waits.t(), place.state);
  if (named.empty() || std::ranges::count(named, moves.t().thread()) > 0) return;
  ModelState after = place.state;
  ask_.apply(moves.t(), after);
  if (!ask_.possible(waits.t(), after) || waits.t().failed(ask_.apply(waits.t(), after))) return;
  std::string threads;
  for (ThreadId thread : named) threads += (threads.empty() ? "" : ", ") + ShortNames{}.thread(thread);
  broken(place, waits.call.name + " waits for other threads than it says",
         {words(waits) + " waits for " + threads + ", as it says, but may go on after " + words(moves)},
         {method(waits, "blockedBy", &Transition::blockedBy)});
}

void LawWalk::checkCopies(const Place& place) {
  place.state.forEachObject([&](ObjectId id, const ObjectState& object) {
    auto copy = object.clone();
    if (copy->kind() == object.kind() && copy->equals(object) && object.equals(*copy) &&
        copy->describe(ShortNames{}) == object.describe(ShortNames{}))
      return;
    hopeless_ = true;
    broken(place, "a copy of a state is not equal to its original",
           {ShortNames{}.object(id) + ": " + object.describe(ShortNames{}) +
            "; its copy: " + copy->describe(ShortNames{})},
           {equalityOf(object)});
  });
}

/// What somebody could notice who knows the one state and comes to the other; empty if nothing.
std::string LawWalk::difference(const Place& known, const ModelState& state) const {
  if (looks(state) != looks(known.state)) return "they do not look the same";
  auto moves = movesAt(state, known.owed);
  auto theirs = movesAt(known.state, known.owed);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    bool possible = ask_.possible(moves[i].t(), state);
    if (possible != ask_.possible(theirs[i].t(), known.state))
      return words(moves[i]) + " is possible in one of them only";
    if (!possible) continue;
    ModelState here = state;
    ModelState there = known.state;
    if (ask_.apply(moves[i].t(), here) != ask_.apply(theirs[i].t(), there) || here != there)
      return words(moves[i]) + " does something else in one than in the other";
  }
  return "";
}

/// A state that was met before, on another way: nobody can tell the difference.
void LawWalk::checkEqual(const Place& known, const Detour& detour) {
  const auto& [from, move, state] = detour;
  std::string seen = difference(known, state);
  if (seen.empty()) return;
  hopeless_ = true;
  std::string other;
  for (const std::string& step : wayTo(known)) other += (other.empty() ? "after " : ", ") + step;
  std::vector<Method> lookAt;
  state.forEachObject([&](ObjectId id, const ObjectState& object) {
    if (lookAt.empty() && contains(detour.move.t().objects(), id)) lookAt.push_back(equalityOf(object));
  });
  broken(*from, "two states are equal that are not the same",
         {words(move) + " leads to " + contents(state),
          "equal to the state " + (other.empty() ? "in the beginning" : other) + ": " + contents(known.state),
          "but " + seen},
         lookAt);
}

}  // namespace mcmini
