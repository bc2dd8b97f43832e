#include "core/target/stack_watch.hpp"

#include <algorithm>

namespace mcmini {

void StackWatch::onOperation(const wire::Op& op, const StackCopy& copy, const Stack& stack) {
  remember(ThreadId{op.thread}, copy, stack);
  if (asked_.contains(op.object)) look(op.object, stack);
  for (std::uint64_t argument : op.args)
    if (asked_.contains(argument)) look(argument, stack);
}

void StackWatch::onAccess(std::uint64_t address, ThreadId mover, const StackCopy& copy) {
  remember(mover, copy, options_.unwind(copy));
  look(address, {});
}

void StackWatch::remember(ThreadId thread, const StackCopy& copy, const Stack& stack) {
  Image& image = images_[thread];
  image.bytes.assign(copy.bytes.begin(), copy.bytes.end());
  image.copy = {copy.registers, copy.address, image.bytes};
  image.stack = stack;
}

void StackWatch::look(std::uint64_t address, const Stack& by) {
  auto owner = std::ranges::find_if(images_, [&](const auto& one) { return one.second.holds(address); });
  if (owner == images_.end()) return;
  const Image& image = owner->second;
  auto [found, isNew] = found_.try_emplace(address);
  Local& local = found->second;
  if (isNew) local.order = found_.size();
  local.thread = owner->first;
  if (local.stack.empty()) local.stack = by;
  if (!seen_.insert({address, image.stack}).second) return;
  std::string name = options_.variable(image.copy, address);
  if (!name.empty() && std::ranges::count(local.names, name) == 0) local.names.push_back(name);
}

}  // namespace mcmini
