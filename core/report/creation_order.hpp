#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/model_state.hpp"

namespace mcmini {

/// The threads of a run, numbered in the order in which it creates them. Their ids are no good for that: they
/// depend on the runs before.
class CreationOrder {
 public:
  CreationOrder() : threads_{{kMainThread, "main"}} {}

  /// Call it after each step, with the state then and the thread that took it.
  void update(const ModelState& state, ThreadId mover);

  std::size_t size() const { return threads_.size(); }
  /// Nothing if there is none of that number yet.
  std::optional<ThreadId> thread(std::uint32_t number) const;
  std::uint32_t number(ThreadId thread) const;

  /// "main/2" for the second thread that main creates.
  const std::string& path(std::uint32_t number) const { return threads_[number].path; }

 private:
  struct Thread {
    ThreadId id;
    std::string path;
  };
  std::vector<Thread> threads_;
};

}  // namespace mcmini
