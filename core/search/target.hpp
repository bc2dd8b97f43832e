#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/model/visible_op.hpp"

namespace mcmini {

/// How long a thread may work after a step before it is interrupted, so that others may run. It may be at
/// work, or wait for memory that another one changes.
constexpr std::uint32_t kShortPatience = 1;  // it is known not to get on
constexpr std::uint32_t kUsualPatience = 4;
constexpr std::uint32_t kLongPatience = 20;            // it is known to get on
constexpr std::uint32_t kWholePatience = 0xffff'fffe;  // for as long as a step may take
constexpr std::uint32_t kEndlessPatience =
    0xffff'ffff;  // nobody else can run: it is stuck when its time is up

/// One step of a schedule: which thread takes its pending operation, and what that returns to it.
struct Step {
  ThreadId thread{};
  Result result = 0;
  bool last = false;         ///< If the thread crashes after it, it stops instead, and the others go on.
  bool involuntary = false;  ///< The thread takes it because it is interrupted.
  std::uint32_t patience = kUsualPatience;
  bool operator==(const Step&) const = default;
};

/// Code addresses of the calls that a thread is in, innermost first.
using Stack = std::vector<CodeAddress>;

/// Why the target came to a halt.
struct Stop {
  enum class Kind : std::uint8_t {
    Waiting,   ///< Every thread waits at an operation or has ended: choose the next step.
    Exited,    ///< The process ended by itself, with `status`.
    Crashed,   ///< A signal ended it: `signal`.
    Asserted,  ///< An assertion failed: `text`.
    Stuck,     ///< The running thread did not reach another operation in time.
    Diverged,  ///< It did not follow the plan: the program does not repeat itself.
    Refused,   ///< The thread library refused what the model had granted: `text`.
  };
  Kind kind = Kind::Waiting;
  ThreadId thread{};  ///< The thread that was running.
  int status = 0;
  bool becameAnother = false;  ///< It exited as another program, which it had replaced itself by.
  int signal = 0;
  bool signalled = false;  ///< Handlers of signals run, or may yet, when nobody has chosen it.
  /// How long threads worked after steps that took long, as patience is counted, by the number of the step
  /// (from 1).
  std::map<std::size_t, std::uint32_t> work = {};
  std::string text;
  Stack stack;  ///< Of that thread; empty if unknown.
};

/// Memory that the program allocated.
struct Allocated {
  std::uint64_t begin = 0;
  Stack stack;  ///< Of the call.
};

/// What lies in the stack of a thread.
struct Local {
  ThreadId thread{};
  std::vector<std::string> names;  ///< Of the variable: "alice.lock"; several if it was one after the other.
  Stack stack;                     ///< Of the first operation on it; empty if there was none.
  std::size_t order = 0;           ///< Among all of them, as they came up.
};

/// A run done once more for a report: where each operation was called from, and what the program printed.
struct Rehearsal {
  Stop stop;
  std::vector<Stack> taken;           ///< By step.
  std::map<ThreadId, Stack> pending;  ///< Of the threads that still wait.
  std::string output;
  std::map<ThreadId, std::string> threadNames;     ///< Of those that the program has named.
  std::map<std::uint64_t, Allocated> allocations;  ///< By address, of those asked for that were allocated.
  std::vector<Stack> accesses;                     ///< Of those asked for; empty if one was not made.
  std::map<std::uint64_t, Local> locals;           ///< By address, of those asked for.
};

/// An access to memory that is no operation, made after a step, by its thread.
struct Access {
  enum class Kind : std::uint8_t {
    Read,
    Write,
    AtomicRead,   ///< Of the step itself, rather than after it.
    AtomicWrite,  ///< The same.
    Free,         ///< The memory is given back.
    Begin,        ///< From here on it is another object, whatever was there before.
    Benign,       ///< Races there are meant to be.
    Acquire,      ///< No access: what was released at that place comes before all that follows here.
    Release,      ///< No access: all that came before is released there.
  };
  std::uint64_t address = 0;
  CodeAddress site = 0;
  std::uint32_t size = 0;
  std::uint32_t segment = 0;  ///< How many steps had been taken.
  Kind kind{};
  bool operator==(const Access&) const = default;
};

/// The accesses of a run, in their order.
struct AccessLog {
  std::vector<Access> accesses;
  bool isFull = false;  ///< There were more.
};

/// Bytes of memory, from `begin` to before `end`.
struct MemoryRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool operator==(const MemoryRange&) const = default;
};

/// Thrown by a target when the user wants to stop.
struct Interrupted {};

/// The program under test, as the search sees it: something that can be started over and over, and moved
/// from operation to operation. Exactly one thread moves at a time.
class Target {
 public:
  virtual ~Target() = default;

  /// Starts a new run, gives up the one before, and takes all steps of the plan; then the thread that moved
  /// last may run ahead as in resume.
  virtual Stop launch(std::span<const Step> plan, std::uint32_t runAhead) = 0;

  /// Lets threads take their pending operations one after the other, each to run on to its next one. The last
  /// of them may then take up to `runAhead` further operations without asking, as long as they do not wait
  /// and it knows what they return; they show up in taken().
  virtual Stop resume(std::span<const Step> steps, std::uint32_t runAhead) = 0;

  /// No thread is left: waits for the process to end by itself.
  virtual Stop finish() = 0;

  /// How many operations have been taken in this run, and the i-th of them.
  virtual std::size_t taken() const = 0;
  virtual VisibleOp takenOp(std::size_t i) const = 0;

  /// What the i-th returned, if the target took it without asking.
  virtual Result takenResult(std::size_t /*i*/) const { return 0; }

  /// The operation that a living thread waits to take.
  virtual VisibleOp pending(ThreadId thread) const = 0;

  /// Before a rehearsal: it shall find out where the memory at these addresses was allocated, and what lies
  /// there in the stacks of threads. The first ones matter most.
  virtual void askForObjects(const std::vector<std::uint64_t>& /*addresses*/) {}

  /// The accesses of the current run, if the program tells of them.
  virtual AccessLog accesses() const { return {}; }

  /// Before a rehearsal: it shall find out from where these accesses are made.
  virtual void askForAccesses(const std::vector<Access>& /*accesses*/) {}

  /// In the runs to come, accesses to these ranges are operations. False if they are too many.
  virtual bool promote(const std::vector<MemoryRange>& ranges) { return ranges.empty(); }

  /// Takes all steps of a plan once more, slowly, for a report. `finishes`: and then waits for the end of the
  /// process.
  virtual Rehearsal rehearse(std::span<const Step> plan, bool finishes) = 0;
};

}  // namespace mcmini
