// The laws of two operations.

#include <algorithm>

#include "plugins/law_walk.hpp"

namespace mcmini {

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
    broken(place, one.call.name + " cannot decide whether it depends on " + other.call.name,
           {"asked twice, dependentWith says " + yesOrNo(first) + " and then " + yesOrNo(!first)},
           {method(one, "dependentWith", &Transition::dependentWith)});
  };
  if (!shareObject(a.t(), b.t())) return;
  ask(a, b);
  ask(b, a);
}

std::vector<std::string> LawWalk::tellBoth(const Move& a, const Move& b, const TwoOrders& orders) const {
  auto onlyAfter = [&](const Move& second, const Move& first) {
    return words(second) + (second.enabled ? " is a mistake here" : " has to wait here") +
           ", but not after " + words(first);
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
  auto isGuilty = [](const std::optional<Order>& asFirst, const std::optional<Order>& asSecond) {
    bool now = asFirst.has_value();
    bool later = asSecond && asSecond->second;
    return now != later || (now && asFirst->first != *asSecond->second);
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

}  // namespace mcmini
