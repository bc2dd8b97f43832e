#include <algorithm>
#include <cstring>

#include "core/target/fork_target.hpp"
#include "core/target/stack_watch.hpp"

namespace mcmini {

AccessLog ForkTarget::accesses() const {
  const wire::Accesses& recorded = channel_->accesses;
  AccessLog log;
  log.isFull = recorded.full != 0;
  log.accesses.reserve(recorded.count);
  for (std::uint32_t i = 0; i < recorded.count; ++i) {
    const wire::Access& access = recorded.log[i];
    log.accesses.push_back({.address = access.address,
                            .site = access.site,
                            .size = access.size,
                            .segment = access.segment,
                            .kind = static_cast<Access::Kind>(access.kind)});
  }
  return log;
}

void ForkTarget::askForAccesses(const std::vector<Access>& accesses) {
  wire::Accesses& recorded = channel_->accesses;
  recorded.watchedCount =
      static_cast<std::uint32_t>(std::min<std::size_t>(accesses.size(), std::size(recorded.watched)));
  for (std::uint32_t i = 0; i < recorded.watchedCount; ++i) {
    const Access& access = accesses[i];
    wire::Access& wanted = recorded.watched[i].wanted;
    wanted.address = access.address;
    wanted.site = access.site;
    wanted.size = access.size;
    wanted.segment = access.segment & 0xffffff;
    wanted.kind = static_cast<std::uint8_t>(access.kind);
  }
}

namespace {

StackCopy stackAt(const wire::WatchedAccess& access) {
  StackCopy copy;
  std::memcpy(copy.registers.data(), access.registers, sizeof access.registers);
  copy.address = access.stackAddress;
  copy.bytes = {access.stack, access.stackSize};
  return copy;
}

}  // namespace

/// Those asked about that have just been made.
void ForkTarget::noteAccesses(ThreadId mover, StackWatch& watch) const {
  const wire::Accesses& recorded = channel_->accesses;
  for (std::uint32_t i = 0; i < recorded.watchedCount; ++i) {
    const wire::WatchedAccess& access = recorded.watched[i];
    if (access.found != 0 && !watch.found().contains(access.wanted.address))
      watch.onAccess(access.wanted.address, mover, stackAt(access));
  }
}

void ForkTarget::findAccesses(Rehearsal& rehearsal) const {
  const wire::Accesses& recorded = channel_->accesses;
  for (std::uint32_t i = 0; i < recorded.watchedCount; ++i) {
    const wire::WatchedAccess& watched = recorded.watched[i];
    Stack& stack = rehearsal.accesses.emplace_back();
    if (watched.found == 0) continue;
    stack = options_.unwind(stackAt(watched));
    if (watched.ownerOfStack != 0)
      rehearsal.locals[watched.wanted.address].thread = ThreadId{watched.ownerOfStack - 1};
  }
}

bool ForkTarget::promote(const std::vector<MemoryRange>& ranges) {
  if (ranges.size() > wire::kMaxPromoted) return false;
  wire::Accesses& recorded = channel_->accesses;
  for (std::size_t i = 0; i < ranges.size(); ++i) recorded.promoted[i] = {ranges[i].begin, ranges[i].end};
  recorded.promotedCount = static_cast<std::uint32_t>(ranges.size());
  return true;
}

std::vector<MemoryRange> ForkTarget::promoted() const {
  std::vector<MemoryRange> ranges;
  for (std::uint32_t i = 0; i < channel_->accesses.promotedCount; ++i)
    ranges.push_back({channel_->accesses.promoted[i].begin, channel_->accesses.promoted[i].end});
  return ranges;
}

}  // namespace mcmini
