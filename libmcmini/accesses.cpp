#include "libmcmini/accesses.h"

#include <string.h>

#include "libmcmini/gate.h"
#include "libmcmini/heap.h"
#include "libmcmini/large.h"
#include "libmcmini/real.h"

namespace mcmini {

using wire::Access;

bool recordsAccesses;

namespace {

constexpr uint64_t kWord = 8;
constexpr uint64_t kWords = 16384;
constexpr uint64_t kSites = 256;

// The bytes of a word that were accessed in a segment.
struct Seen {
  uint64_t word;
  uint32_t segment;
  uint8_t reads;
  uint8_t writes;
  uint16_t piece;
};

struct SiteRecord {
  uint64_t site;
  uint32_t record;
};

MCMINI_LARGE Seen seen[kWords];
MCMINI_LARGE SiteRecord latest[kSites];
uint16_t pieces;         // of the run so far: what does not belong to the same is recorded again
uint32_t firstToExtend;  // records before it stay as they are: an object has begun or ended since
bool isInstrumented;
bool hasThreads;

volatile bool isWriting;
volatile bool isSliceDue;

void newObject(const void* memory, size_t size) {
  recordWhole(Access::kBegin, addressIn(memory), size, nullptr);
}

void freed(const void* memory, size_t size, const void* site) {
  recordWhole(Access::kFree, addressIn(memory), size, site);
}

void startIfWanted() {
  bool wanted = channel != nullptr && isInstrumented && hasThreads;
  recordsAccesses = wanted;
  onNewObject = wanted ? newObject : nullptr;
  onFree = wanted ? freed : nullptr;
}

// While one lives, signals do not come in between.
class Writing {
 public:
  Writing() { isWriting = true; }
  ~Writing() {
    isWriting = false;
    if (!isSliceDue) return;
    isSliceDue = false;
    channel->interrupt = 0;
    announce({.name = "time.slice"});
  }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
};

bool overlap(uint64_t a, uint64_t sizeOfA, uint64_t b, uint64_t sizeOfB) {
  return a < b + sizeOfB && b < a + sizeOfA;
}

__attribute__((noinline)) void showStack(const Access& access) {
  for (uint32_t i = 0; i < channel->accesses.watchedCount; ++i) {
    wire::WatchedAccess& watched = channel->accesses.watched[i];
    const Access& wanted = watched.wanted;
    if (watched.found != 0 || wanted.segment != access.segment || wanted.kind != access.kind ||
        wanted.site != access.site || !overlap(wanted.address, wanted.size, access.address, access.size))
      continue;
    uint32_t owner = 0;
    auto* memory = reinterpret_cast<const char*>(wanted.address);
    if (stackOwner(memory, &owner)) watched.ownerOfStack = owner + 1;
    if (isInMainStack(memory)) watched.ownerOfStack = 1;
    copyStack(watched);
    watched.found = 1;
  }
}

void append(const Access& access) {
  wire::Accesses& log = channel->accesses;
  if (log.watchedCount != 0) showStack(access);
  if (log.count == wire::kMaxAccesses) {
    log.full = 1;
    return;
  }
  log.log[log.count++] = access;
}

Access accessOf(Access::Kind kind, uint64_t address, size_t size, const void* site) {
  constexpr size_t kMost = UINT32_MAX;
  return {address, asObject(site), static_cast<uint32_t>(size < kMost ? size : kMost),
          channel->cursor & 0xffffff, static_cast<uint8_t>(kind)};
}

// What goes through an array makes one record.
void appendOrExtend(const Access& access) {
  SiteRecord& last = latest[(access.site ^ (access.site >> 8)) % kSites];
  wire::Accesses& log = channel->accesses;
  if (last.site == access.site && last.record >= firstToExtend && last.record < log.count) {
    Access& before = log.log[last.record];
    bool isNext = before.address + before.size == access.address;
    if (before.segment == access.segment && before.kind == access.kind && isNext) {
      if (log.watchedCount != 0) showStack(access);
      before.size += access.size;
      return;
    }
    if (memcmp(&before, &access, sizeof access) == 0) return;
  }
  last = {access.site, log.count};
  append(access);
}

// Bytes within one word.
void recordPart(uint64_t address, uint64_t size, bool isWrite, const void* site) {
  uint64_t word = address / kWord;
  auto mask = static_cast<uint8_t>(((1U << size) - 1) << (address % kWord));
  Seen& before = seen[word % kWords];
  uint32_t segment = channel->cursor;
  bool isKnown = before.word == word && before.segment == segment && before.piece == pieces;
  uint8_t covered = isKnown ? before.writes : 0;
  if (isKnown && !isWrite) covered |= before.reads;
  if ((mask & ~covered) == 0) return;
  Writing scope;
  if (!isKnown) before = {word, segment, 0, 0, pieces};
  (isWrite ? before.writes : before.reads) |= mask;
  appendOrExtend(accessOf(isWrite ? Access::kWrite : Access::kRead, address, size, site));
}

bool isPromoted(uint64_t address, size_t size) {
  const wire::Accesses& accesses = channel->accesses;
  for (uint32_t i = 0; i < accesses.promotedCount; ++i) {
    const wire::Range& range = accesses.promoted[i];
    if (overlap(address, size, range.begin, range.end - range.begin)) return true;
  }
  return false;
}

// An access that is an operation, in the parts that one operation may have.
void announceAccess(uint64_t address, size_t size, bool isWrite, OpName call, const void* site) {
  constexpr size_t kMost = size_t{128} * 1024;
  for (size_t done = 0; done < size; done += kMost) {
    size_t part = size - done < kMost ? size - done : kMost;
    if (!isPromoted(address + done, part)) continue;
    announce({.name = isWrite ? OpName("memory.write") : OpName("memory.read"),
              .call = call,
              .object = address + done,
              .args = {part},
              .site = site,
              .doesNotWait = true});
  }
}

bool isRecorded() {
  return controlled() && channel->onOperation != wire::Channel::kDebugger;
}

// What was accessed there before was another object.
void forget(uint64_t address, size_t size) {
  uint64_t first = address / kWord;
  uint64_t count = (address + size + kWord - 1) / kWord - first;
  for (uint64_t i = 0; i < (count < kWords ? count : kWords); ++i) {
    Seen& entry = seen[(first + i) % kWords];
    if (entry.word >= first && entry.word < first + count) entry = {};
  }
  firstToExtend = channel->accesses.count;
}

// What comes from here on is not what came before.
void forgetAll() {
  ++pieces;
  firstToExtend = channel->accesses.count;
}

}  // namespace

void expectAccesses() {
  isInstrumented = true;
  startIfWanted();
}

void beginRecording() {
  hasThreads = true;
  startIfWanted();
}

void endRecording() {
  hasThreads = false;
  startIfWanted();
}

bool deferSlice() {
  if (!isWriting) return false;
  isSliceDue = true;
  return true;
}

void recordAccess(uint64_t address, size_t size, bool isWrite, const void* site) {
  if (channel->accesses.promotedCount != 0 && controlled() && isPromoted(address, size))
    announceAccess(address, size, isWrite, "", site);
  if (size == 0 || !isRecorded()) return;
  constexpr uint64_t kManyWords = 4;
  if (size > kManyWords * kWord) {
    Writing scope;
    return appendOrExtend(accessOf(isWrite ? Access::kWrite : Access::kRead, address, size, site));
  }
  while (size > 0) {
    uint64_t room = kWord - address % kWord;
    uint64_t part = size < room ? size : room;
    recordPart(address, part, isWrite, site);
    address += part;
    size -= part;
  }
}

// A thread that has seen it before learns nothing new.
void recordInitialized(uint64_t guard) {
  constexpr uint64_t kGuards = 64;
  struct Known {
    uint64_t guard;
    uint32_t thread;
  };
  static Known known[kGuards];
  Known& one = known[(guard / kWord + self) % kGuards];
  if (one.guard == guard && one.thread == self) return;
  one = {guard, self};
  recordWhole(Access::kAcquire, guard, 1, nullptr);
}

void recordWhole(Access::Kind kind, uint64_t address, size_t size, const void* site) {
  bool isFree = kind == Access::kFree;
  if (isFree && channel->accesses.promotedCount != 0 && controlled() && isPromoted(address, size))
    announceAccess(address, size, true, "free", site);
  if (size == 0 || !isRecorded()) return;
  Writing scope;
  bool isOrder = kind == Access::kAcquire || kind == Access::kRelease;
  if (kind == Access::kBegin || isFree) forget(address, size);
  if (isOrder) forgetAll();
  append(accessOf(kind, address, size, site));
}

}  // namespace mcmini

using namespace mcmini;

// A race there is meant to be, and not reported.
MCMINI_EXPORT void mcmini_benign(const volatile void* memory, size_t size) {
  if (channel != nullptr) recordWhole(Access::kBenign, addressIn(memory), size, nullptr);
}
