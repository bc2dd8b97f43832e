#include "test/support/promises.hpp"

namespace mcmini {

namespace {

struct NumberedNames : Names {
  std::string thread(ThreadId thread) const override { return "T" + std::to_string(index(thread)); }
  std::string object(ObjectId object) const override { return "o" + std::to_string(addressOf(object)); }
};

std::string words(const Transition& t) {
  return NumberedNames{}.thread(t.thread()) + "." + t.describe(NumberedNames{});
}

std::string decides(const Transition& a, const Transition& b) {
  return words(a) + " decides whether " + words(b) + " is possible";
}

}  // namespace

bool isPossible(const Transition& transition, const ModelState& state) {
  return transition.enabled(state) && !transition.misuse(state, NumberedNames{});
}

void comparePromises(const ModelState& state, const Transition& a, const Transition& b,
                     std::set<std::string>& broken) {
  bool canA = isPossible(a, state);
  bool canB = isPossible(b, state);
  if (!canA && !canB) return;
  if (dependent(a, b)) {
    if (canA && canB && !coenabled(a, b))
      broken.insert(words(a) + " and " + words(b) + " are enabled together");
    return;
  }
  if (!canA) return comparePromises(state, b, a, broken);
  ModelState ab = state;
  ModelState ba = state;
  Result first = a.apply(ab);
  if (isPossible(b, ab) != canB) broken.insert(decides(a, b));
  if (!canB) return;
  Result second = b.apply(ba);
  if (!isPossible(a, ba)) broken.insert(decides(b, a));
  bool same = b.apply(ab) == second && a.apply(ba) == first && ab == ba;
  if (!same) broken.insert("the order of " + words(a) + " and " + words(b) + " matters");
}

}  // namespace mcmini
