#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/target/fork_target.hpp"

namespace mcmini {

/// Finds out, while a run is rehearsed, what the objects are that lie in threads' stacks: where a thread
/// announces an operation on one, the thread that has it in its stack is within the function of the variable.
class StackWatch {
 public:
  /// `asked`: the addresses that matter. The options outlive it.
  StackWatch(const ForkTargetOptions& options, std::set<std::uint64_t> asked)
      : options_(options), asked_(std::move(asked)) {}

  /// A thread with this stack has announced an operation.
  void onOperation(const wire::Op& op, const StackCopy& copy, const Stack& stack);
  /// A thread that moves has made an access to memory, with this stack.
  void onAccess(std::uint64_t address, ThreadId mover, const StackCopy& copy);

  const std::map<std::uint64_t, Local>& found() const { return found_; }

 private:
  /// A thread's stack as it was seen last.
  struct Image {
    StackCopy copy;  // of `bytes`
    std::vector<std::uint8_t> bytes;
    Stack stack;
    bool holds(std::uint64_t address) const {
      return address >= copy.address && address - copy.address < bytes.size();
    }
  };

  void remember(ThreadId thread, const StackCopy& copy, const Stack& stack);
  void look(std::uint64_t address, const Stack& by);

  const ForkTargetOptions& options_;
  std::set<std::uint64_t> asked_;
  std::map<ThreadId, Image> images_;
  std::set<std::pair<std::uint64_t, Stack>> seen_;  // looked up: a run may be long
  std::map<std::uint64_t, Local> found_;
};

}  // namespace mcmini
