#include "libmcmini/heap.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libmcmini/block.h"
#include "libmcmini/budget.h"
#include "libmcmini/large.h"
#include "libmcmini/raw_syscall.h"
#include "libmcmini/wire.h"

extern "C" void* __tls_get_addr(void*);

namespace mcmini {
namespace {

constexpr size_t kPage = 4 * kKiB;
constexpr int kCannotBeChecked = 4;

void complain(const char* sentence) {
  rawSyscall(SYS_write, STDERR_FILENO, reinterpret_cast<long>(sentence), static_cast<long>(strlen(sentence)));
}

[[noreturn]] void die(const char* sentence) {
  complain(sentence);
  abort();
}

// ---- Who calls ----

struct Text {
  uintptr_t start;
  size_t size;
  bool contains(uintptr_t address) const { return address - start < size; }
};

Text libcText, loaderText;

thread_local uint32_t runtimeDepth __attribute__((tls_model("initial-exec")));

int rememberText(dl_phdr_info* module, size_t, void*) {
  for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const Text text{module->dlpi_addr + segment.p_vaddr, segment.p_memsz};
    if (text.contains(reinterpret_cast<uintptr_t>(&gnu_get_libc_version))) libcText = text;
    if (text.contains(reinterpret_cast<uintptr_t>(&__tls_get_addr))) loaderText = text;
  }
  return 0;
}

// ---- Slots ----

// A slot has a near part, for what most threads touch: their stack, and the beginning of their heap, which
// share a page table with each other and its directory with the near parts of other threads. What does not
// fit goes to the far part: stacks of unusual size, and the rest of the heap.
//
// Each fork goes through that page table from where the near part, or the table, begins to where the part
// ends. So the stack has only its upper end there.
constexpr size_t kSlots = wire::kMaxThreads;
constexpr size_t kNearSize = 16 * kMiB;
constexpr size_t kFarSize = 4 * kGiB, kSmallestFar = 64 * kMiB;
constexpr long kWantedNear = 0x200000000000, kWantedFar = 0x210000000000;
constexpr size_t kSignalStack = 32 * kKiB, kSmallestStack = 16 * kKiB;
constexpr size_t kNearUser = 256 * kKiB, kNearOther = 64 * kKiB, kNearHeap = kNearUser + 2 * kNearOther;
constexpr size_t kPageTable = 2 * kMiB, kUpperEnd = 64 * kKiB;
constexpr size_t kNearStack = kNearSize - kPageTable + kUpperEnd;
static_assert(kNearStack + kSignalStack + kNearHeap <= kNearSize);
constexpr size_t kFirstChunk = 256 * kKiB, kLastChunk = 64 * kMiB;

// Where an arena's fresh memory comes from: near the stack, where little is dirtied, then far from it.
struct Region {
  char* next;
  char* end;
  char* far;
  char* farUsable;
  char* farEnd;
  size_t chunk;
};

struct Slot {
  Region regions[kArenas];
  Block* freed[kRuntime][kClasses];
};
static_assert(sizeof(Slot) < kPage);

struct {
  char* near;
  char* far;
  size_t farSize;
  size_t farStack;
  uint32_t unnamed;  // slots given to threads that have no number

  size_t nearOffset(const void* address) const {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(near);
  }
  size_t farOffset(const void* address) const {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(far);
  }
} space;

// By thread: one more than the number of pages that the near stack has, if the near part is open.
MCMINI_LARGE uint32_t opened[kSlots];

thread_local Slot* ownSlot __attribute__((tls_model("initial-exec")));

long map(long wanted, size_t size, int rights, int how) {
  constexpr long kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  constexpr long kNoFile = -1;
  return rawSyscall(SYS_mmap, wanted, static_cast<long>(size), rights, kFlags | how, kNoFile);
}

bool makeUsable(const char* start, size_t size) {
  const long at = map(reinterpret_cast<long>(start), size, PROT_READ | PROT_WRITE, MAP_FIXED);
  if (at < 0) return false;
  rawSyscall(SYS_madvise, at, static_cast<long>(size), MADV_NOHUGEPAGE);
  return true;
}

// Where the kernel puts nothing by itself, nothing need be reserved, which would cost each fork something for
// each gap. Nor does the program put anything there: mmap takes care of that.
char* findRoom(long wanted, size_t size) {
  long base = map(wanted, size, PROT_NONE, MAP_FIXED_NOREPLACE);
  if (base == wanted)
    rawSyscall(SYS_munmap, base, static_cast<long>(size));
  else if (base < 0)
    base = map(0, size, PROT_NONE, 0);
  return base < 0 ? nullptr : reinterpret_cast<char*>(base);
}

void reserve() {
  space.near = findRoom(kWantedNear, kSlots * kNearSize);
  for (size_t size = kFarSize; space.far == nullptr && size >= kSmallestFar; size /= 2) {
    space.far = findRoom(kWantedFar, kSlots * size);
    space.farSize = size;
  }
  space.farStack = space.farSize / 4 < 256 * kMiB ? space.farSize / 4 : 256 * kMiB;
  dl_iterate_phdr(rememberText, nullptr);
  if (space.near != nullptr && space.far != nullptr) return;
  complain("mcmini: cannot reserve 80 GiB of address space for the program; raise its limit (ulimit -v)\n");
  rawSyscall(SYS_exit_group, kCannotBeChecked);
}

char* nearOf(uint32_t thread) {
  if (space.near == nullptr) reserve();
  if (thread >= kSlots) die("mcmini: the program has more threads than there are slots for\n");
  return space.near + thread * kNearSize;
}

bool openSlot(uint32_t thread, size_t stackSize) {
  const char* top = nearOf(thread) + kNearStack;
  const auto mark = static_cast<uint32_t>(stackSize / kPage + 1);
  if (opened[thread] >= mark) return true;
  const char* usable =
      opened[thread] == 0 ? top + kSignalStack + kNearHeap : top - (opened[thread] - 1) * kPage;
  const char* lowest = top - stackSize;
  if (!makeUsable(lowest, static_cast<size_t>(usable - lowest))) return false;
  opened[thread] = mark;
  return true;
}

Slot* slotOfNewcomer() {
  const bool first = space.near == nullptr || rawSyscall(SYS_gettid) == rawSyscall(SYS_getpid);
  useSlot(first ? 0 : kSlots - __atomic_add_fetch(&space.unnamed, 1, __ATOMIC_RELAXED));
  return ownSlot;
}

void layOut(Slot* slot) {
  char* near = reinterpret_cast<char*>(slot);
  char* far = space.far + space.nearOffset(slot) / kNearSize * space.farSize + space.farStack;
  const size_t share = ((space.farSize - space.farStack) / 8) & ~(kPage - 1);
  const auto cut = [&](size_t nearSize, size_t farSize) -> Region {
    near += nearSize;
    far += farSize;
    return {near - nearSize, near, far - farSize, far - farSize, far, kFirstChunk};
  };
  slot->regions[kUser] = cut(kNearUser, 6 * share);
  slot->regions[kLibc] = cut(kNearOther, share);
  slot->regions[kRuntime] = cut(kNearOther, share);
  slot->regions[kUser].next += roundUp(sizeof(Slot), kAlignment);
}

// ---- Allocating ----

bool growFar(Region& region, const char* needed) {
  size_t size = roundUp(static_cast<size_t>(needed - region.farUsable), kPage);
  const auto rest = static_cast<size_t>(region.farEnd - region.farUsable);
  if (size < region.chunk) size = region.chunk < rest ? region.chunk : rest;
  if (!makeUsable(region.farUsable, size)) return false;
  region.farUsable += size;
  if (region.chunk < kLastChunk) region.chunk *= 2;
  return true;
}

Block* carve(Slot* slot, Arena arena, size_t capacity) {
  Region& region = slot->regions[arena];
  if (region.end == nullptr) layOut(slot);
  const bool large = capacity >= kLarge;
  const size_t total = capacity + (large ? kPage : sizeof(Block));
  char*& next = total <= static_cast<size_t>(region.end - region.next) ? region.next : region.far;
  if (&next == &region.far) {
    if (large) next = reinterpret_cast<char*>(roundUp(reinterpret_cast<uintptr_t>(next), kPage));
    if (total > static_cast<size_t>(region.farEnd - next)) return nullptr;
    if (next + total > region.farUsable && !growFar(region, next + total)) return nullptr;
  }
  auto* block = reinterpret_cast<Block*>(next);
  next += total;
  return block;
}

Block* reuse(Block*& freed) {
  Block* block = freed;
  if (block == nullptr) return nullptr;
  if (block->state != Block::kFreed) die("malloc(): freed memory was written to\n");
  freed = block->next();
  return block;
}

Allocation outOfMemory() {
  errno = ENOMEM;
  return {nullptr, 0};
}

Block* blockOf(void* memory, const char* invalid, const char* freed) {
  const size_t near = space.nearOffset(memory);
  const size_t far = space.farOffset(memory);
  const bool inNear =
      near < kSlots * kNearSize && near % kNearSize >= kNearStack + kSignalStack + sizeof(Slot);
  const bool inFar = far < kSlots * space.farSize && far % space.farSize >= space.farStack;
  if ((!inNear && !inFar) || reinterpret_cast<uintptr_t>(memory) % kAlignment != 0) die(invalid);
  Block* block = static_cast<Block*>(memory) - 1;
  if (block->state == Block::kInside)
    block = reinterpret_cast<Block*>(static_cast<char*>(memory) - block->size) - 1;
  if (block->state == Block::kLive) return block;
  die(block->state == Block::kFreed ? freed : invalid);
}

// Gives the pages back, so that they read zero again. The kernel refuses that if the program locked them.
void emptyPages(char* start, size_t size) {
  if (rawSyscall(SYS_madvise, reinterpret_cast<long>(start), static_cast<long>(size), MADV_DONTNEED) != 0)
    memset(start, 0, size);
}

}  // namespace

StackSpace prepareSlot(uint32_t thread, size_t stackSize) {
  char* signalStack = nearOf(thread) + kNearStack;
  const size_t size = stackSize < kSmallestStack ? kSmallestStack : roundUp(stackSize, kPage);
  if (size < stackSize || size > space.farStack - kPage) return {};
  const bool near = size <= kNearStack - kPage;
  if (!openSlot(thread, near ? size : 0)) return {};
  char* top = near ? signalStack : space.far + thread * space.farSize + space.farStack;
  if (!near && !makeUsable(top - size, size)) return {};
  return {top - size, size, signalStack, kSignalStack};
}

void useSlot(uint32_t thread) {
  char* near = nearOf(thread);
  if (opened[thread] == 0 && !openSlot(thread, 0))
    die("mcmini: the kernel has no memory for a thread of the program\n");
  ownSlot = reinterpret_cast<Slot*>(near + kNearStack + kSignalStack);
}

bool slotOf(const void* address, uint32_t* thread) {
  const bool near = space.nearOffset(address) < kSlots * kNearSize;
  if (!near && space.farOffset(address) >= kSlots * space.farSize) return false;
  *thread = static_cast<uint32_t>(near ? space.nearOffset(address) / kNearSize
                                       : space.farOffset(address) / space.farSize);
  return true;
}

bool stackOwner(const void* address, uint32_t* thread) {
  if (!slotOf(address, thread)) return false;
  const size_t near = space.nearOffset(address);
  return near < kSlots * kNearSize ? near % kNearSize < kNearStack
                                   : space.farOffset(address) % space.farSize < space.farStack;
}

bool meetsSlots(const void* address, size_t size) {
  const auto begin = reinterpret_cast<uintptr_t>(address);
  const auto meets = [&](const char* room, size_t length) {
    const auto start = reinterpret_cast<uintptr_t>(room);
    return room != nullptr && begin < start + length && (begin >= start || size > start - begin);
  };
  return meets(space.near, kSlots * kNearSize) || meets(space.far, kSlots * space.farSize);
}

RuntimeAllocations::RuntimeAllocations() {
  ++runtimeDepth;
}

RuntimeAllocations::~RuntimeAllocations() {
  --runtimeDepth;
}

Arena arenaFor(const void* caller) {
  const auto address = reinterpret_cast<uintptr_t>(caller);
  if (space.near == nullptr) reserve();
  if (runtimeDepth != 0 || loaderText.contains(address)) return kRuntime;
  return libcText.contains(address) ? kLibc : kUser;
}

Allocation allocate(size_t size, Arena arena) {
  Slot* slot = ownSlot != nullptr ? ownSlot : slotOfNewcomer();
  if (size > kLargest) {
    if (size <= PTRDIFF_MAX) noteShortage();
    return outOfMemory();
  }
  const uint16_t sizeClass = classOf(size);
  const size_t capacity = capacityOf(sizeClass);
  const bool large = capacity >= kLarge;
  const size_t usable = large ? roundUp(size, kPage) : capacity;
  const bool counted = arena != kRuntime;
  if (counted && !charge(usable)) return outOfMemory();
  Block* reused = counted ? reuse(slot->freed[arena][sizeClass]) : nullptr;
  Block* block = reused != nullptr ? reused : carve(slot, arena, capacity);
  if (block == nullptr) {
    if (counted) discharge(usable);
    noteShortage();
    return outOfMemory();
  }
  *block = {Block::kLive, sizeClass, arena, usable};
  return {block->memory(), reused == nullptr ? 0 : large ? kPage - sizeof(Block) : usable};
}

Allocation allocateAligned(size_t alignment, size_t size, Arena arena) {
  if (alignment <= kAlignment || size > PTRDIFF_MAX) return allocate(size, arena);
  const Allocation allocation = allocate(size + alignment - kAlignment, arena);
  const size_t excess = reinterpret_cast<uintptr_t>(allocation.memory) & (alignment - 1);
  if (excess == 0) return allocation;
  char* aligned = static_cast<char*>(allocation.memory) + alignment - excess;
  *(reinterpret_cast<Block*>(aligned) - 1) = {Block::kInside, 0, arena, alignment - excess};
  return {aligned, allocation.dirty};
}

void release(void* memory) {
  Block* block = blockOf(memory, "free(): invalid pointer\n", "free(): double free detected\n");
  if (block->arena == kRuntime) return;
  discharge(block->size);
  Slot* slot = ownSlot != nullptr ? ownSlot : slotOfNewcomer();
  Block*& freed = slot->freed[block->arena][block->sizeClass];
  block->state = Block::kFreed;
  block->next() = freed;
  freed = block;
  const size_t capacity = capacityOf(block->sizeClass);
  if (capacity >= kLarge) emptyPages(reinterpret_cast<char*>(block) + kPage, capacity);
}

bool resizeInPlace(void* memory, size_t size) {
  Block* block = blockOf(memory, "realloc(): invalid pointer\n", "realloc(): memory was freed\n");
  const size_t capacity = capacityOf(block->sizeClass);
  const auto inside = static_cast<size_t>(static_cast<char*>(memory) - block->memory());
  if (size > capacity - inside || inside + size + kAlignment < capacity / 2) return false;
  if (capacity < kLarge) return true;
  const size_t usable = roundUp(inside + size, kPage);
  const bool counted = block->arena != kRuntime;
  if (usable > block->size && counted && !charge(usable - block->size)) return false;
  if (usable < block->size && counted) discharge(block->size - usable);
  block->size = usable;
  return true;
}

size_t usableSize(void* memory) {
  Block* block =
      blockOf(memory, "malloc_usable_size(): invalid pointer\n", "malloc_usable_size(): memory was freed\n");
  return static_cast<size_t>(block->memory() + block->size - static_cast<char*>(memory));
}

}  // namespace mcmini
