#pragma once

// The shared memory between the checker and its target. Both sides are built from one source tree; the size
// of the Channel is checked when the target says hello, so that an old libmcmini.so is told apart.

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libmcmini/raw_syscall.h"

namespace mcmini::wire {

constexpr uint32_t kMaxThreads = 1024;    // in all runs together, ended ones included
constexpr uint32_t kMaxSteps = 1U << 20;  // in one run
constexpr uint32_t kNameSize = 32;
constexpr uint32_t kTitleSize = 16;  // of a thread, as Linux has it
constexpr uint32_t kMaxNames = 160;  // of operations and calls
constexpr uint32_t kTextSize = 1024;
constexpr uint32_t kStackBytes = 64 * 1024;
constexpr uint32_t kWatchedStackBytes = 16 * 1024;
constexpr uint32_t kMaxWatched = 64;
constexpr uint32_t kMaxAccesses = 1U << 22;  // recorded in one run
constexpr uint32_t kMaxPromoted = 64;
constexpr uint32_t kRegisters = 17;  // x86-64, in DWARF's order; 16 is the program counter

// Where the target finds the channel, and what its own LD_PRELOAD and GLIBC_TUNABLES were.
constexpr const char* kChannelVariable = "MCMINI_CHANNEL";
constexpr const char* kPreloadVariable = "MCMINI_LD_PRELOAD";
constexpr const char* kTunablesVariable = "MCMINI_GLIBC_TUNABLES";

// A sleeping place for one waiter. Ringing before the wait is not lost.
struct Bell {
  static constexpr uint32_t kQuiet = 0, kRung = 1, kAwaited = 2;
  uint32_t word;

  void ring() {
    if (__atomic_exchange_n(&word, kRung, __ATOMIC_ACQ_REL) == kAwaited)
      rawSyscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAKE, 1);
  }
  // Returns false if it was not rung within the time-out (null: for ever), or a signal came.
  bool await(const timespec* timeout) {
    uint32_t quiet = kQuiet;
    if (__atomic_compare_exchange_n(&word, &quiet, kAwaited, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      rawSyscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT, kAwaited,
                 reinterpret_cast<long>(timeout));
    uint32_t rung = kRung;
    if (__atomic_compare_exchange_n(&word, &rung, kQuiet, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return true;
    uint32_t awaited = kAwaited;
    if (__atomic_compare_exchange_n(&word, &awaited, kQuiet, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return false;
    __atomic_store_n(&word, kQuiet, __ATOMIC_RELEASE);
    return true;
  }
};

struct Op {
  static constexpr uint32_t kDoesNotWait = 1;  // as things are: it is enabled, and returns 0
  static constexpr uint32_t kComesToNone = 2;  // in a debugger's plan: then its thread has to be interrupted
  uint64_t name;                               // of the operation, as an id of Names
  uint64_t call;  // of the function that the program called, the same; 0: the one that the name stands for
  uint64_t object;
  uint64_t args[3];
  uint64_t site;
  uint64_t initial;  // of a value in memory, and of what epoch; as in VisibleOp
  uint32_t epoch;
  uint32_t flags;
  uint32_t thread;
  uint32_t unused;
};

// Texts, told once for all runs. Only the thread that moves writes here.
struct Names {
  struct Entry {
    uint64_t id;  // FNV-1a of the text
    char text[kNameSize];
  };
  uint32_t count;
  Entry entries[kMaxNames];
};

struct Mailbox {
  enum State : uint32_t { kAbsent, kFilling, kWaiting, kRunning, kEnded, kStopped };
  Bell bell;
  State state;
  uint32_t tid;
  uint32_t inFileCall;     // the thread may wait there for what another one writes
  char title[kTitleSize];  // by which the program calls the thread; empty if it has not said
  Op op;
};

struct Planned {
  uint32_t thread;
  uint16_t last;         // if the thread crashes after it, it stops there and lets the others go on
  uint16_t involuntary;  // the thread takes it because it is interrupted
  int64_t result;
};

// What is to be done, and what was done.
struct Step {
  Planned plan;
  Op taken;
};

struct Snapshot {
  uint64_t registers[kRegisters];
  uint64_t stackAddress;
  uint32_t stackSize;
  uint32_t valid;
  uint8_t stack[kStackBytes];
};

// Where a block of memory was allocated that the checker asks about.
struct Watched {
  uint64_t address;  // somewhere in the block
  uint64_t begin;    // of the block that was allocated there last; 0 if none was
  uint64_t registers[kRegisters];
  uint64_t stackAddress;
  uint32_t stackSize;
  uint32_t unused;
  uint8_t stack[kWatchedStackBytes];
};

// An access to memory that is no operation. It belongs to the step after which it is made: segment n is what
// the thread of the n-th step does after it, segment 0 what main does before the first one.
struct Access {
  enum Kind : uint8_t {
    kRead,
    kWrite,
    kAtomicRead,   // of the step itself, rather than after it
    kAtomicWrite,  // the same
    kFree,         // the block is given back
    kBegin,        // from here on it is another object, whatever was there before
    kBenign,       // races there are meant to be
    kAcquire,      // no access: what was released at that place comes before all that follows here
    kRelease,      // no access: all that came before is released there
  };
  uint64_t address;
  uint64_t site;
  uint32_t size;
  uint32_t segment : 24;
  uint32_t kind : 8;
};
static_assert(kMaxSteps < 1U << 24);

// The stack of an access that the checker asks about.
struct WatchedAccess {
  Access wanted;
  uint32_t found;
  uint32_t ownerOfStack;  // one more than the thread in whose stack the memory lies; 0: in none
  uint64_t registers[kRegisters];
  uint64_t stackAddress;
  uint32_t stackSize;
  uint32_t unused;
  uint8_t stack[kWatchedStackBytes];
};

struct Range {
  uint64_t begin;
  uint64_t end;
};

// What the program does to memory, if it was compiled to tell; else nothing of it is touched.
struct Accesses {
  uint32_t count;
  uint32_t full;           // there were more than can be recorded
  uint32_t watchedCount;   // of which the stacks are wanted
  uint32_t promotedCount;  // ranges, sorted, in which accesses are operations
  Range promoted[kMaxPromoted];
  WatchedAccess watched[2];
  Access log[kMaxAccesses];
};

// How a run came to an end that the thread itself could tell about.
struct Ending {
  enum Kind : uint32_t { kNone, kSignal, kAssertion, kDiverged, kDisagrees, kLimit };
  Kind kind;
  uint32_t thread;
  int32_t signal;
  uint32_t unused;
  uint64_t address;
  char text[kTextSize];
};

struct Settings {
  uint64_t memoryLimit;  // bytes of heap and anonymous maps in one run; 0: none
  int32_t checkerPid;
  int32_t captureFd;    // open in the template: where output goes when captured
  int32_t preloadFd;    // open in the template, for the loader only
  uint32_t processors;  // how many the program is told that there are
  uint32_t boundNow;    // LD_BIND_NOW is the checker's, not the user's
  uint32_t queues;      // threads queue up for what they take
  uint32_t cancels;     // the program calls pthread_cancel
  uint32_t fibers;      // its threads may be fibers
};

// A run under a debugger: the program itself is the run. It keeps to itself what it writes into the channel,
// so that each start finds the same plan, with the operations that are expected.
struct Debugger {
  uint32_t stopAt;  // the first step after which it looks
  int32_t output;   // where the program's output goes from there on; -1: where it always goes
  int32_t error;
  uint32_t comesToNone;  // main reaches no operation at all, and has to be interrupted
};

// Written by the target for the checker to warn about.
struct Notes {
  uint32_t forked, vforked, execed, outOfMemory, threadsBeforeMain, asyncCancel;
  uint32_t waitsUnmodelled;        // threads do, for each other
  char aboutTheSystem[kNameSize];  // a function that the program calls, and that needs threads of the system
};

// The template ends when it gets kQuitSignal, and takes everything that it started with it. A thread that
// gets kProbeSignal takes a snapshot of its stack, and lets others run if it is told to.
constexpr int kQuitSignal = 63;
constexpr int kProbeSignal = 64;

// Of one run.
struct Signals {
  uint64_t sent;     // by number: to others, or at a later time
  uint32_t handled;  // the program has a handler for one of those, which runs when nobody has chosen it to
};

struct Channel {
  uint32_t size;  // sizeof(Channel), as each side sees it
  uint32_t helloSize;
  Settings settings;
  Notes notes;
  Signals signals;
  Debugger debugger;

  Bell checker;     // rung when the target has come to a halt or its process has ended
  Bell fork;        // rung when the template shall start run number `run`
  uint32_t fibers;  // the program's threads are
  uint32_t run;
  uint32_t capture;  // this run's output is wanted
  static constexpr uint32_t kSnapshots = 1, kDebugger = 2;
  uint32_t onOperation;  // at each one: take a snapshot of the stack, or let a debugger look
  static constexpr uint32_t kWanted = 1, kCannotBe = 2;
  uint32_t interrupt;  // the thread that gets kProbeSignal shall let others run
  static constexpr uint32_t kAnywhere = ~0U;
  uint32_t interruptedAt;  // if it is still there: as many steps have been taken

  int32_t pid;      // of the current run's process
  uint32_t halted;  // nobody runs; it is the checker's turn
  uint32_t ended;   // number of the last run whose process was reaped
  int32_t status;   // as waitpid says

  uint32_t running;   // the thread that moves
  uint32_t cursor;    // steps taken
  uint32_t planned;   // steps in the plan
  uint32_t highest;   // mailbox in use
  uint32_t runAhead;  // operations that may be taken after the plan without asking
  uint32_t watchedCount;

  // What a short run touches lies close together: each page costs it a fault.
  Names names;
  Mailbox boxes[kMaxThreads];
  Step steps[kMaxSteps];
  Ending ending;
  Snapshot snapshot;
  Watched watched[kMaxWatched];
  Accesses accesses;

  // Where a thread waits for its turn. Fibers wait in one place.
  Bell& bellOf(uint32_t thread) { return boxes[fibers != 0 ? 0 : thread].bell; }
};

constexpr uint64_t hashName(const char* name) {
  uint64_t hash = 0xcbf29ce484222325U;
  for (; *name != 0; ++name) hash = (hash ^ static_cast<unsigned char>(*name)) * 0x100000001b3U;
  return hash;
}

}  // namespace mcmini::wire
