// The laws of one operation and of one state.

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

}  // namespace

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
                  {"asked twice in the same state, enabled says " + yesOrNo(enabled) + " and then " +
                   yesOrNo(!enabled)},
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
  if (!checkCopies(place, once)) return;
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
    early.transition = asIn(place.state, early.transition);
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

bool LawWalk::checkCopies(const Place& place, const ModelState& state) {
  bool right = true;
  state.forEachObject([&](ObjectId id, const ObjectState& object) {
    auto copy = object.clone();
    if (copy->kind() == object.kind() && copy->equals(object) && object.equals(*copy) &&
        copy->describe(ShortNames{}) == object.describe(ShortNames{}))
      return;
    hopeless_ = true;
    broken(place, "a copy of a state is not equal to its original",
           {ShortNames{}.object(id) + ": " + object.describe(ShortNames{}) +
            "; its copy: " + copy->describe(ShortNames{})},
           {equalityOf(object)});
    right = false;
  });
  return right;
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
