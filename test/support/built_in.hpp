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

}  // namespace mcmini::test
