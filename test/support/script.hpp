#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/visible_op.hpp"

namespace mcmini {

/// One instruction of a scripted thread. Jumps are relative, so that pieces of scripts can be put together.
struct Instruction {
  enum class Kind : std::uint8_t {
    Operation,
    Skip,
    SkipUnlessResult,
    SkipUnlessLaunch,
    SkipUnlessValue,
    Store,
    Return,
    Crash,
    Fail,
    Hang
  };
  /// May the thread take it without asking the checker?
  enum class Ahead : std::uint8_t { Never, Always, IfFree };

  Kind kind = Kind::Operation;
  std::string_view name;  ///< Of an operation; a literal.
  std::uint64_t object = 0;
  std::uint64_t argument = 0;
  std::array<std::uint64_t, 2> further{};  ///< The arguments after the first one.
  Ahead ahead = Ahead::Never;
  std::uint64_t lock = 0;     ///< What it takes or releases; 0: the object.
  bool takes = false;         ///< When it returns 0, the lock is not free any more ...
  bool takesAnyway = false;   ///< ... or whatever it returns.
  bool releases = false;      ///< The lock is free afterwards.
  bool creates = false;       ///< `argument` is the thread to start, by its place in the program.
  bool ofChild = false;       ///< `object` says which of the threads that this one created, from 0.
  bool addsLast = false;      ///< The last result is added to the argument.
  bool ends = false;          ///< The process ends, with status `argument`.
  std::size_t callBegan = 0;  ///< How many instructions before this one, in the call that both belong to.
  std::size_t skip = 0;       ///< How many instructions a skip leaves out.
  Result result = 0;          ///< SkipUnlessResult: the last result that is not skipped for.
  std::uint64_t launch = 0;   ///< SkipUnlessLaunch: the first launch that is not skipped for ...
  std::uint64_t lastLaunch = std::numeric_limits<std::uint64_t>::max();  ///< ... and the last one.
  std::string text;                                                      ///< Of a failed assertion.
};

/// What a thread does: a value. Its next operation is a function of the results that it got so far.
class Script {
 public:
  Script() = default;
  Script(Instruction instruction) : code_{std::move(instruction)} {}  // NOLINT: pieces are scripts
  Script(std::initializer_list<Script> pieces) {
    for (const Script& piece : pieces) *this += piece;
  }

  Script& operator+=(const Script& piece) {
    code_.insert(code_.end(), piece.code_.begin(), piece.code_.end());
    return *this;
  }
  const std::vector<Instruction>& code() const { return code_; }

 private:
  std::vector<Instruction> code_;
};

/// `then` if the last operation returned `result`.
Script when(Result result, const Script& then, const Script& otherwise = {});
Script unless(Result result, const Script& then);

/// `then` in the launches from `first` to `last`, counted from 1; otherwise something else: the program does
/// not repeat itself.
Script inLaunches(std::uint64_t first, std::uint64_t last, const Script& then, const Script& otherwise = {});

/// Shared memory without operations of its own, all 0 at first: what keeps threads apart there is up to the
/// program. `then` if it holds `value`.
Script store(std::uint64_t variable, Result value);
Script whenHolds(std::uint64_t variable, Result value, const Script& then, const Script& otherwise = {});

/// The thread goes to its end.
Script leave();

/// The thread dies by SIGSEGV, fails an assertion, or never comes back.
Script crash();
Script fail(std::string text);
Script hang();

/// A program without a process. The first thread is the main one; the others are started by create(place).
struct Program {
  std::vector<Script> threads;
  int status = 0;      ///< With which the process ends when no thread is left.
  bool tells = false;  ///< Does it tell of what it does to the memory that has no operations?

  std::string text() const;
};

/// What the threads of a run have stored, and when they did, or looked.
struct Memory {
  struct Use {
    std::uint64_t variable;
    bool isWrite;
    CodeAddress site;
  };
  std::map<std::uint64_t, Result> values;
  std::vector<Use> uses;
};

/// A thread in the middle of its script: a value. A created thread begins with thread.start, and each one
/// that comes to the end of its script ends with thread.exit.
class ScriptedThread {
 public:
  ScriptedThread(const Program& program, std::size_t place, ThreadId id, std::uint64_t launch,
                 Memory& memory);

  /// Does it wait to take an operation?
  bool waits() const { return phase_ != Phase::Ended && trouble_ == nullptr; }
  const VisibleOp& pending() const { return pending_; }
  /// Of the pending operation.
  const Instruction& instruction() const;

  /// Takes the pending operation and runs on to the next one, or into trouble.
  void take(Result result, Memory& memory);

  /// What kept it from coming to another operation; null if nothing did.
  const Instruction* trouble() const { return trouble_; }

  /// Where it is.
  CodeAddress site() const;

 private:
  enum class Phase : std::uint8_t { Starting, Running, Exiting, Ended };

  void settle(Memory& memory);
  std::size_t step(const Instruction& instruction, Memory& memory) const;
  void announce(const Instruction& instruction, std::uint64_t object);
  bool skips(const Instruction& instruction, Memory& memory) const;

  const std::vector<Instruction>* code_;
  std::size_t at_ = 0;
  std::uint64_t place_;
  std::uint64_t launch_;
  Phase phase_;
  Result last_ = 0;
  std::vector<std::uint64_t> children_;
  const Instruction* trouble_ = nullptr;
  VisibleOp pending_;
};

}  // namespace mcmini
