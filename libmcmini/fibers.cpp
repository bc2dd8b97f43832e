#include "libmcmini/fibers.h"

#include <asm/prctl.h>
#include <dlfcn.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "libmcmini/ending.h"
#include "libmcmini/gate.h"
#include "libmcmini/imports.h"
#include "libmcmini/large.h"

// Both keep on the stack what a function has to leave as it was, and the stack's pointer in *%rdi.
#define MCMINI_KEEP  \
  "pushq %rbp\n"     \
  "pushq %rbx\n"     \
  "pushq %r12\n"     \
  "pushq %r13\n"     \
  "pushq %r14\n"     \
  "pushq %r15\n"     \
  "subq $8, %rsp\n"  \
  "stmxcsr (%rsp)\n" \
  "fnstcw 4(%rsp)\n" \
  "movq %rsp, (%rdi)\n"

// Then goes on with the stack in %rsi.
asm(".text\n"
    ".type mcmini_switch, @function\n"
    "mcmini_switch:\n" MCMINI_KEEP
    "movq %rsi, %rsp\n"
    "ldmxcsr (%rsp)\n"
    "fldcw 4(%rsp)\n"
    "addq $8, %rsp\n"
    "popq %r15\n"
    "popq %r14\n"
    "popq %r13\n"
    "popq %r12\n"
    "popq %rbx\n"
    "popq %rbp\n"
    "ret\n"
    ".size mcmini_switch, . - mcmini_switch\n");

// Then ends this thread of the system, and no other.
asm(".text\n"
    ".type mcmini_park, @function\n"
    "mcmini_park:\n" MCMINI_KEEP
    "movl $60, %eax\n"
    "xorl %edi, %edi\n"
    "syscall\n"
    ".size mcmini_park, . - mcmini_park\n");

namespace mcmini {

// What lies at the top of the stack of a fiber that does not run.
struct Kept {
  uint32_t sse;
  uint16_t x87Control;
};

extern "C" void mcmini_switch(Kept** keepHere, Kept* stack);
extern "C" void mcmini_park(Kept** keepHere);

bool useFibers;

namespace {

struct SignalStack {
  void* memory;
  size_t size;
};

struct Fiber {
  Kept* stack;  // its pointer, while others run
  uint16_t x87Flags;
  pthread_t descriptor;
  SignalStack signals;  // a spare one, or the one that its handler stands on
};

MCMINI_BY_THREAD Fiber fibers[wire::kMaxThreads];
SignalStack signalsNow;  // where the next handler will stand
bool signalsChanged;     // which the kernel has not been told yet
uint32_t alive = 1;
bool adopting;

constexpr int kFirstTid = 0x20000000;       // larger than any that the kernel gives
constexpr unsigned long kMayWriteBase = 2;  // in AT_HWCAP2: programs may set the base of %fs
bool mayWriteBase;

// One thread of the system cannot answer for several: it has one mask of signals, one name, one list of
// robust mutexes. And what the program loads later may call anything.
constexpr const char* kAboutTheSystem[] = {
    // signals
    "sigaction", "__sigaction", "signal", "bsd_signal", "sysv_signal", "__sysv_signal", "sigset", "sighold",
    "sigrelse", "sigignore", "sigblock", "sigsetmask", "siggetmask", "sigprocmask", "pthread_sigmask",
    "pthread_attr_setsigmask_np", "sigaltstack", "sigwait", "sigwaitinfo", "sigtimedwait", "sigsuspend",
    "sigpause", "siginterrupt", "signalfd", "sigqueue", "pthread_sigqueue", "pthread_kill", "tgkill",
    "timer_create",
    // the thread itself
    "gettid", "prctl", "clone", "unshare", "setns", "capset", "setpriority", "nice", "pthread_setname_np",
    "pthread_getname_np", "pthread_getattr_np", "pthread_setaffinity_np", "pthread_getaffinity_np",
    "pthread_setschedparam", "pthread_getschedparam", "pthread_setschedprio", "sched_setaffinity",
    "sched_setscheduler", "sched_setparam", "setfsuid", "setfsgid",
    // futexes with an owner
    "pthread_mutexattr_setrobust", "pthread_mutexattr_setrobust_np", "pthread_mutexattr_setprotocol",
    // locks of the system that have an owner
    "flockfile", "ftrylockfile",
    // told to each thread
    "setuid", "setgid", "seteuid", "setegid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups",
    "initgroups",
    // anything
    "dlopen", "dlmopen"};

// Where a descriptor has the number of its thread, as glibc tells debuggers.
struct FieldForDebuggers {
  uint32_t bits;
  uint32_t count;
  uint32_t offset;
};
uint32_t tidOffset;

int* tidOf(pthread_t descriptor) {
  return reinterpret_cast<int*>(descriptor + tidOffset);
}

bool findTid() {
  auto* field = static_cast<const FieldForDebuggers*>(dlsym(RTLD_DEFAULT, "_thread_db_pthread_tid"));
  if (field == nullptr || field->bits != 32 || field->count != 1) return false;
  tidOffset = field->offset;
  return *tidOf(pthread_self()) == rawSyscall(SYS_gettid);
}

// Where the thread-local memory begins. Nothing of it may be used until the stack is that of the same fiber.
void useDescriptor(pthread_t descriptor) {
  if (mayWriteBase)
    asm volatile("wrfsbase %0" : : "r"(descriptor) : "memory");
  else
    rawSyscall(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(descriptor));
}

// A processor that keeps return addresses in a second stack would have to be told of each switch.
bool hasShadowStack() {
  constexpr long kStatus = 0x5005;
  uint64_t features = 0;
  return rawSyscall(SYS_arch_prctl, kStatus, reinterpret_cast<long>(&features)) == 0 && features != 0;
}

// Exceptions of the x87 that have occurred; those of SSE are kept with its control register.
uint16_t flagsOfX87() {
  constexpr uint16_t kFlags = 0x80ff;
  uint16_t status;
  asm volatile("fnstsw %0" : "=a"(status));
  return status & kFlags;
}

void setFlagsOfX87(uint16_t flags) {
  struct {
    uint32_t control, status, rest[5];
  } environment;
  asm volatile("fnstenv %0" : "=m"(environment));
  environment.status ^= flagsOfX87() ^ flags;
  asm volatile("fldenv %0" : : "m"(environment));
}

// Whoever left may have left a handler behind.
void arrive() {
  if (flagsOfX87() != fibers[self].x87Flags) setFlagsOfX87(fibers[self].x87Flags);
  if (!signalsChanged) return;
  signalsChanged = false;
  useSignalStack(signalsNow.memory, signalsNow.size);
}

void swapSignalStacks() {
  SignalStack other = fibers[self].signals;
  fibers[self].signals = signalsNow;
  signalsNow = other;
}

}  // namespace

void chooseFibers() {
  const char* call = findImported(kAboutTheSystem, sizeof kAboutTheSystem / sizeof *kAboutTheSystem);
  if (call != nullptr) strncpy(channel->notes.aboutTheSystem, call, wire::kNameSize - 1);
  mayWriteBase = (getauxval(AT_HWCAP2) & kMayWriteBase) != 0;
  useFibers = channel->settings.fibers != 0 && call == nullptr && !hasShadowStack() && findTid();
  channel->fibers = useFibers ? 1 : 0;
  fibers[0].descriptor = pthread_self();
  stack_t installed = {};
  sigaltstack(nullptr, &installed);
  signalsNow = {installed.ss_sp, installed.ss_size};
}

int ownTid() {
  return useFibers ? *tidOf(pthread_self()) : static_cast<int>(rawSyscall(SYS_gettid));
}

void park(uint32_t thread) {
  fibers[thread].x87Flags = flagsOfX87();
  mcmini_park(&fibers[thread].stack);
  arrive();
}

void adoptFiber(uint32_t thread, pthread_t handle) {
  int* tid = tidOf(handle);
  adopting = true;
  for (int now; (now = __atomic_load_n(tid, __ATOMIC_ACQUIRE)) != 0;)
    rawSyscall(SYS_futex, reinterpret_cast<long>(tid), FUTEX_WAIT, now);
  adopting = false;
  *tid = kFirstTid + static_cast<int>(thread);
  fibers[thread].descriptor = handle;
}

bool isAdopting() {
  return adopting;
}

void beginFiber(uint32_t thread) {
  ++alive;
  Fiber& fiber = fibers[thread];
  asm volatile("stmxcsr %0" : "=m"(fiber.stack->sse));
  asm volatile("fnstcw %0" : "=m"(fiber.stack->x87Control));
  fiber.x87Flags = flagsOfX87();
}

void switchTo(uint32_t thread) {
  Fiber& mine = fibers[self];
  const Fiber& next = fibers[thread];
  mine.x87Flags = flagsOfX87();
  useDescriptor(next.descriptor);
  mcmini_switch(&mine.stack, next.stack);
  arrive();
}

bool endFiber() {
  return --alive != 0;
}

void endDescriptor() {
  if (alive > 1) *tidOf(pthread_self()) = 0;
}

void giveSignalStack(uint32_t thread, void* stack, size_t size) {
  fibers[thread].signals = {stack, size};
}

void leaveSignalStack() {
  if (!useFibers) return;
  swapSignalStacks();
  signalsChanged = true;
}

// The kernel knows by itself on which stack it has put the handler.
void returnToSignalStack() {
  if (!useFibers) return;
  swapSignalStacks();
  signalsChanged = false;
}

}  // namespace mcmini
