#pragma once

#include <string>
#include <vector>

#include "core/plugin/plugin_set.hpp"
#include "test/support/model.hpp"

namespace mcmini::test {

/// The built-in plugins, as the checker loads them, with one wakeup policy for all queues; `more` is
/// a folder of others.
class BuiltIn {
 public:
  explicit BuiltIn(const std::string& policy = "arbitrary", std::uint32_t spuriousWakeups = 0,
                   const std::string& more = "");

  /// `threads` threads exist; nothing has happened yet.
  ModelState state(std::uint32_t threads) const;

  /// The operation as a thread announces it in a state.
  TransitionPtr make(const ModelState& state, std::uint32_t thread, const std::string& name,
                     std::uint64_t object, std::array<std::uint64_t, 3> args = {}) const;

  /// Lives as long as this object does.
  const Model& model() const { return model_; }

 private:
  PluginSet plugins_;
  Model model_;
};

/// An operation that any thread may try at any time.
struct Call {
  std::string name;
  std::uint64_t object = 0;
  std::array<std::uint64_t, 3> args{};
};

/// Goes through all states that `threads` threads can reach in at most `depth` operations, and returns what
/// contradicts the answers of the transitions, a sentence each: operations said to be independent whose order
/// matters, operations said never to be enabled together that are. An operation that would be a misuse is not
/// taken.
std::vector<std::string> brokenLaws(const BuiltIn& plugins, const std::vector<Call>& calls,
                                    std::uint32_t threads, std::uint32_t depth);

}  // namespace mcmini::test
