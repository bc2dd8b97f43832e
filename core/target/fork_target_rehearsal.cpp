#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/target/fork_target.hpp"
#include "core/target/stack_watch.hpp"

namespace mcmini {

void ForkTarget::askForObjects(const std::vector<std::uint64_t>& addresses) {
  asked_ = {addresses.begin(), addresses.end()};
  channel_->watchedCount =
      static_cast<std::uint32_t>(std::min<std::size_t>(addresses.size(), wire::kMaxWatched));
  for (std::uint32_t i = 0; i < channel_->watchedCount; ++i) channel_->watched[i].address = addresses[i];
}

std::map<std::uint64_t, Allocated> ForkTarget::allocations() const {
  std::map<std::uint64_t, Allocated> found;
  for (std::uint32_t i = 0; i < channel_->watchedCount; ++i) {
    const wire::Watched& watched = channel_->watched[i];
    if (watched.begin == 0) continue;
    StackCopy copy;
    std::memcpy(copy.registers.data(), watched.registers, sizeof watched.registers);
    copy.address = watched.stackAddress;
    copy.bytes = {watched.stack, watched.stackSize};
    found[watched.address] = {watched.begin, options_.unwind(copy)};
  }
  return found;
}

/// What the thread that moves waits to do, and from where.
void ForkTarget::noteOperation(Rehearsal& rehearsal, StackWatch& watch) const {
  const wire::Mailbox& box = channel_->boxes[channel_->running];
  if (rehearsal.stop.kind != Stop::Kind::Waiting || box.state != wire::Mailbox::kWaiting) return;
  Stack& stack = rehearsal.pending[ThreadId{channel_->running}];
  stack = stackOf();
  if (auto copy = snapshot()) watch.onOperation(box.op, *copy, stack);
}

Rehearsal ForkTarget::rehearse(std::span<const Step> plan, bool finishes) {
  Rehearsal rehearsal;
  (void)!ftruncate(capture_, 0);
  channel_->capture = 1;
  channel_->onOperation = wire::Channel::kSnapshots;
  for (std::uint32_t i = 0; i < channel_->watchedCount; ++i) channel_->watched[i].begin = 0;
  for (wire::WatchedAccess& watched : channel_->accesses.watched) watched.found = 0;
  StackWatch watch(options_, asked_);
  auto remember = [&](ThreadId mover) {
    noteAccesses(mover, watch);
    noteOperation(rehearsal, watch);
  };
  rehearsal.stop = launch({}, 0);
  remember(kMainThread);
  for (const Step& step : plan) {
    if (rehearsal.stop.kind != Stop::Kind::Waiting) break;
    rehearsal.taken.push_back(std::exchange(rehearsal.pending[step.thread], {}));
    rehearsal.stop = resume({&step, 1}, 0);
    remember(step.thread);
  }
  if (finishes && rehearsal.stop.kind == Stop::Kind::Waiting) rehearsal.stop = finish();
  channel_->capture = options_.captureAll ? 1 : 0;
  channel_->onOperation = 0;
  rehearsal.output = captured();
  rehearsal.allocations = allocations();
  rehearsal.locals = watch.found();
  findAccesses(rehearsal);
  for (std::uint32_t i = 0; i <= channel_->highest; ++i)
    if (const char* title = channel_->boxes[i].title; *title != 0)
      rehearsal.threadNames[ThreadId{i}] = std::string(title, strnlen(title, wire::kTitleSize));
  return rehearsal;
}

}  // namespace mcmini
