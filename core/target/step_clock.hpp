#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>

namespace mcmini {

/// How long the thread that moves has been on its way to its next operation. Looked at from time to time.
class StepClock {
 public:
  /// Time has passed; so many steps have been taken by now. Exactly one thread of the process moves.
  void tick(std::chrono::milliseconds passed, std::uint32_t steps, pid_t process);

  /// How many had been taken when it was last looked at.
  std::uint32_t steps() const { return steps_; }

  /// Since the step was first seen.
  std::chrono::milliseconds waited() const { return waited_; }

  /// What it used of a processor meanwhile, as of now.
  std::chrono::nanoseconds worked() const;

  /// What was used of a processor after each step that took long, by the number of steps taken.
  std::map<std::uint32_t, std::chrono::nanoseconds> slowSteps() const;

 private:
  std::map<std::uint32_t, std::chrono::nanoseconds> slow_;  // before the one that was seen last
  std::uint32_t steps_ = 0;
  pid_t process_ = 0;
  std::chrono::milliseconds waited_{0};
  std::chrono::nanoseconds before_{0};
};

/// Does the thread wait for something in the kernel, rather than for a processor?
bool isAsleep(pid_t process, std::uint32_t thread);

}  // namespace mcmini
