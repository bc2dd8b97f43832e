#include "plugins/two_orders.hpp"

namespace mcmini {

namespace {

Order inOrder(const Questions& ask, const ModelState& state, const Transition& a, const Transition& b) {
  Order order{state, 0, std::nullopt};
  order.first = ask.apply(a, order.after);
  if (ask.possible(b, order.after)) order.second = ask.apply(b, order.after);
  return order;
}

std::string words(const Transition& t) {
  return ShortNames{}.thread(t.thread()) + "." + t.describe(ShortNames{});
}

}  // namespace

TwoOrders::TwoOrders(const Questions& ask, const ModelState& state, const Transition& a,
                     const Transition& b) {
  if (ask.possible(a, state)) ab = inOrder(ask, state, a, b);
  if (ask.possible(b, state)) ba = inOrder(ask, state, b, a);
}

bool TwoOrders::matters() const {
  if (!bothPossible()) return (ab && ab->second) || (ba && ba->second);
  return ab->first != ba->second || ba->first != ab->second || ab->after != ba->after;
}

void comparePromises(const ModelState& state, const Transition& a, const Transition& b,
                     std::set<std::string>& broken) {
  Asked asked;
  Questions ask(asked);
  TwoOrders orders(ask, state, a, b);
  if (!dependent(a, b)) {
    if (orders.matters()) broken.insert("the order of " + words(a) + " and " + words(b) + " matters");
  } else if (orders.bothPossible() && !coenabled(a, b)) {
    broken.insert(words(a) + " and " + words(b) + " are enabled together");
  }
}

}  // namespace mcmini
