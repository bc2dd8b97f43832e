#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/target/fork_target.hpp"

namespace mcmini {

void ForkTarget::askForAllocations(const std::vector<std::uint64_t>& addresses) {
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

Rehearsal ForkTarget::rehearse(std::span<const Step> plan, bool finishes) {
  Rehearsal rehearsal;
  (void)!ftruncate(capture_, 0);
  channel_->capture = 1;
  channel_->onOperation = wire::Channel::kSnapshots;
  for (std::uint32_t i = 0; i < channel_->watchedCount; ++i) channel_->watched[i].begin = 0;
  for (wire::WatchedAccess& watched : channel_->accesses.watched) watched.found = 0;
  auto remember = [&] {
    if (rehearsal.stop.kind == Stop::Kind::Waiting &&
        channel_->boxes[channel_->running].state == wire::Mailbox::kWaiting)
      rehearsal.pending[ThreadId{channel_->running}] = stackOf();
  };
  rehearsal.stop = launch({}, 0);
  remember();
  for (const Step& step : plan) {
    if (rehearsal.stop.kind != Stop::Kind::Waiting) break;
    rehearsal.taken.push_back(std::exchange(rehearsal.pending[step.thread], {}));
    rehearsal.stop = resume({&step, 1}, 0);
    remember();
  }
  if (finishes && rehearsal.stop.kind == Stop::Kind::Waiting) rehearsal.stop = finish();
  channel_->capture = options_.captureAll ? 1 : 0;
  channel_->onOperation = 0;
  rehearsal.output = captured();
  rehearsal.allocations = allocations();
  findAccesses(rehearsal);
  for (std::uint32_t i = 0; i <= channel_->highest; ++i)
    if (const char* title = channel_->boxes[i].title; *title != 0)
      rehearsal.threadNames[ThreadId{i}] = std::string(title, strnlen(title, wire::kTitleSize));
  return rehearsal;
}

}  // namespace mcmini
