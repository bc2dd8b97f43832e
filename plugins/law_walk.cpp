#include "plugins/law_walk.hpp"

#include <algorithm>

namespace mcmini {

namespace {

constexpr std::uint32_t kMostThreads = 4;
constexpr std::size_t kMostDetours = 3;  // to one place that are looked at

}  // namespace

void LawFindings::add(BrokenLaw law) {
  if (!knows(law.law)) broken.push_back(std::move(law));
}

bool LawFindings::knows(const std::string& law) const {
  return std::ranges::find(broken, law, &BrokenLaw::law) != broken.end();
}

LawWalk::LawWalk(Setting setting, const LawLimits& limits, Asked& asked, LawFindings& findings)
    : setting_(std::move(setting)), limits_(limits), ask_(asked), asked_(asked), findings_(findings) {}

void LawWalk::run() {
  ModelState start(setting_.policies);
  for (std::uint32_t i = 1; i < setting_.threads; ++i) start.spawn(kMainThread, 0);
  places_.push_back({std::move(start), std::vector<Catalog::Calls>(setting_.threads), nullptr, "", {}});
  for (std::size_t at = 0; at < places_.size() && !hopeless_; ++at) {
    if (limits_.onState) limits_.onState();
    Place& place = places_[at];
    guarded(place, [&] { visit(place); });
    ++findings_.states;
  }
  for (const Place& place : places_)
    for (const Detour& detour : place.detours) guarded(place, [&] { checkEqual(place, detour); });
}

void LawWalk::visit(Place& place) {
  checkCopies(place, place.state);
  place.moves = movesAt(place.state, place.owed);
  for (Move& move : place.moves) guarded(place, [&] { checkAlone(place, move); });
  for (const Move& a : place.moves)
    for (const Move& b : place.moves)
      if (a.t().thread() < b.t().thread() && (a.isOurs || b.isOurs))
        guarded(place, [&] { checkPair(place, a, b); });
  guarded(place, [&] { checkEarly(place); });
  for (const Move& move : place.moves)
    if (move.possible) guarded(place, [&] { take(place, move); });
}

LawWalk::Move LawWalk::make(const Catalog::Call& call, ThreadId thread, const ModelState& state) const {
  const Catalog::Operation* known = setting_.catalog.find(nameId(call.name));
  if (known == nullptr) throw std::runtime_error("there is no operation '" + call.name + "' to try");
  ask_.noteConstructor(known->name.c_str());
  Move move{call, nullptr};
  VisibleOp op{nameId(call.name), known->name, thread, call.object, call.args};
  move.transition = asIn(state, known->make(op, state));
  move.isOurs = known->plugin == setting_.plugin;
  return move;
}

std::vector<LawWalk::Move> LawWalk::movesAt(const ModelState& state,
                                            const std::vector<Catalog::Calls>& owed) const {
  std::vector<Move> moves;
  for (std::uint32_t i = 0; i < state.threadCount(); ++i) {
    if (!state.alive(ThreadId{i})) continue;
    bool free = i >= owed.size() || owed[i].empty();
    for (const Catalog::Call& call : free ? setting_.calls : owed[i])
      moves.push_back(make(call, ThreadId{i}, state));
  }
  return moves;
}

Catalog::Calls LawWalk::sequelsOf(const Catalog::Call& call, Result result) const {
  Catalog::Calls next;
  for (const Catalog::Sequel& sequel : setting_.catalog.sequels()) {
    if (sequel.first != call.name || (result & sequel.mark) != sequel.mark) continue;
    if (sequel.onArgument)
      next.push_back({sequel.second, call.args[0], {}});
    else
      next.push_back({sequel.second, call.object, call.args});
  }
  return next;
}

void LawWalk::take(const Place& place, const Move& move) {
  findings_.possible.insert(move.call.name);
  ModelState next = place.state;
  Result result = ask_.apply(move.t(), next);
  if (next.threadCount() > kMostThreads) return;
  auto owed = place.owed;
  owed.resize(next.threadCount());
  owed[index(move.t().thread())] = sequelsOf(move.call, result);
  for (Place& known : places_) {
    if (known.owed != owed || known.state != next) continue;
    if (known.detours.size() < kMostDetours) known.detours.push_back({&place, move, next});
    return;
  }
  if (places_.size() == limits_.states)
    findings_.cut = true;
  else
    places_.push_back({std::move(next), std::move(owed), &place, words(move), move.t().thread()});
}

void LawWalk::guarded(const Place& place, const std::function<void()>& body) {
  if (hopeless_) return;
  try {
    body();
  } catch (const std::exception& error) {
    std::vector<Method> lookAt;
    if (asked_.table != nullptr) lookAt.push_back(asked_.asMethod());
    broken(place, std::string(asked_.operation) + " throws an exception in " + asked_.method,
           {std::string("it says: ") + error.what()}, lookAt);
  }
}

std::vector<std::string> LawWalk::wayTo(const Place& place) const {
  std::vector<std::string> way;
  for (const Place* at = &place; at->from != nullptr; at = at->from) way.push_back(at->step);
  std::ranges::reverse(way);
  return way;
}

std::string LawWalk::words(const Move& move) const {
  return ShortNames{}.thread(move.t().thread()) + " " + ask_.describe(move.t()) +
         (move.isEarly ? " (called a step earlier)" : "");
}

std::string LawWalk::result(const Move& move, Result result) const {
  std::string meaning = ask_.describeResult(move.t(), result);
  return ShortNames{}.thread(move.t().thread()) + " gets " + std::to_string(result) +
         (meaning.empty() ? "" : " (" + meaning + ")");
}

std::string LawWalk::contents(const ModelState& state) const {
  std::string text;
  state.forEachObject([&](ObjectId id, const ObjectState& object) {
    text += (text.empty() ? "" : ", ") + ShortNames{}.object(id) + ": " + object.describe(ShortNames{});
  });
  return text.empty() ? "nothing has happened to any object" : text;
}

std::string LawWalk::tell(const Move& a, const Move& b, const Order& order) const {
  std::string begin = words(a) + ", then " + words(b) + ": ";
  if (!order.second) {
    bool waits = !ask_.enabled(b.t(), order.after);
    return begin + ShortNames{}.thread(b.t().thread()) + (waits ? " has to wait; " : " makes a mistake; ") +
           contents(order.after);
  }
  return begin + result(a, order.first) + ", " + result(b, *order.second) + "; " + contents(order.after);
}

void LawWalk::broken(const Place& place, std::string law, std::vector<std::string> evidence,
                     std::vector<Method> lookAt) {
  findings_.add({std::move(law), wayTo(place), std::move(evidence), std::move(lookAt)});
}

}  // namespace mcmini
