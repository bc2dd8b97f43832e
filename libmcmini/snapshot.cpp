#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include "libmcmini/gate.h"
#include "libmcmini/heap.h"
#include "libmcmini/raw_syscall.h"

namespace mcmini {

namespace {

#ifdef __x86_64__
// DWARF's numbering of the registers.
constexpr int kDwarfOrder[wire::kRegisters] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                               REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                               REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
constexpr uint64_t kRedZone = 128;
constexpr uint64_t kPage = 4096;

// Returns where the stack begins that is in use.
uint64_t registersOf(const ucontext_t& context, uint64_t (&into)[wire::kRegisters]) {
  for (uint32_t i = 0; i < wire::kRegisters; ++i)
    into[i] = static_cast<uint64_t>(context.uc_mcontext.gregs[kDwarfOrder[i]]);
  return into[7] - kRedZone;
}
#else
#error "libmcmini knows the registers of x86-64 only"
#endif

}  // namespace

namespace {

// Containers may forbid process_vm_readv. A pipe takes what is there, too.
ssize_t copyByPipe(void* to, const void* from, size_t size) {
  constexpr size_t kAtOnce = kPage;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return 0;
  size_t copied = 0;
  while (copied < size) {
    const size_t rest = size - copied;
    const ssize_t written =
        write(ends[1], static_cast<const char*>(from) + copied, rest < kAtOnce ? rest : kAtOnce);
    if (written <= 0 ||
        read(ends[0], static_cast<char*>(to) + copied, static_cast<size_t>(written)) != written)
      break;
    copied += static_cast<size_t>(written);
  }
  close(ends[0]);
  close(ends[1]);
  if (copied > 0) return static_cast<ssize_t>(copied);
  errno = EFAULT;
  return -1;
}

ssize_t copyByKernel(void* to, void* from, size_t size) {
  iovec local{to, size};
  iovec remote{from, size};
  const ssize_t copied =
      process_vm_readv(static_cast<pid_t>(rawSyscall(SYS_getpid)), &local, 1, &remote, 1, 0);
  return copied >= 0 || errno == EFAULT ? copied : copyByPipe(to, from, size);
}

// After a stack overflow the stack pointer leads nowhere, so the kernel does the copying: it stops where a
// memcpy would crash.
uint32_t copyWhatIsThere(void* to, uint64_t from, size_t size) {
  for (uint64_t skip = 0; skip < size; skip += kPage) {
    const ssize_t copied = copyByKernel(to, reinterpret_cast<void*>(from + skip), size - skip);
    if (copied > 0) {
      channel->snapshot.stackAddress = from + skip;
      return static_cast<uint32_t>(copied);
    }
    if (errno != EFAULT) return 0;
    skip -= (from + skip) % kPage;
  }
  return 0;
}

uint64_t stackSizeFrom(uint64_t from, uint64_t most) {
  auto top = reinterpret_cast<uint64_t>(stackTop);
  uint64_t size = top > from ? top - from : 0;
  return size < most ? size : most;
}

template <class Into>
__attribute__((noinline)) void copyStackTo(Into& into) {
  ucontext_t here;
  getcontext(&here);
  into.stackAddress = registersOf(here, into.registers);
  into.stackSize = static_cast<uint32_t>(stackSizeFrom(into.stackAddress, wire::kWatchedStackBytes));
  memcpy(into.stack, reinterpret_cast<const void*>(into.stackAddress), into.stackSize);
}

void noteAllocation(const void* memory, size_t size) {
  auto begin = reinterpret_cast<uint64_t>(memory);
  for (uint32_t i = 0; i < channel->watchedCount; ++i) {
    wire::Watched& watched = channel->watched[i];
    if (watched.address < begin || watched.address >= begin + size) continue;
    copyStackTo(watched);
    watched.begin = begin;
  }
}

}  // namespace

const char* mainStackTop;

bool isInMainStack(const void* address) {
  constexpr size_t kUsualStack = size_t{8} << 20;
  auto* byte = static_cast<const char*>(address);
  return byte < mainStackTop && byte >= mainStackTop - kUsualStack;
}

void copyStack(wire::WatchedAccess& into) {
  copyStackTo(into);
}

void watchAllocations() {
  onAllocation = channel->watchedCount > 0 ? noteAllocation : nullptr;
}

void snapshot(const void* signalContext) {
  wire::Snapshot& into = channel->snapshot;
  into.valid = 0;
  ucontext_t here;
  if (signalContext == nullptr) getcontext(&here);
  uint64_t from = registersOf(
      signalContext == nullptr ? here : *static_cast<const ucontext_t*>(signalContext), into.registers);
  uint64_t size = stackSizeFrom(from, wire::kStackBytes);
  into.stackAddress = from;
  if (signalContext != nullptr) {
    into.stackSize = copyWhatIsThere(into.stack, from, size);
  } else {
    memcpy(into.stack, reinterpret_cast<const void*>(from), size);
    into.stackSize = static_cast<uint32_t>(size);
  }
  __atomic_store_n(&into.valid, 1, __ATOMIC_RELEASE);
}

}  // namespace mcmini
