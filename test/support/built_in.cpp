#include "test/support/built_in.hpp"

namespace mcmini::test {

BuiltIn::BuiltIn(const std::string& policy, std::uint32_t spuriousWakeups, const std::string& more) {
  plugins_.loadDirectory(MCMINI_BINARY_DIR "/lib/mcmini/transitions");
  plugins_.loadDirectory(MCMINI_BINARY_DIR "/lib/mcmini/policies");
  if (!more.empty()) plugins_.loadDirectory(MCMINI_BINARY_DIR "/lib/mcmini/" + more);
  model_.catalog = plugins_.catalog();
  model_.policies.setDefault(plugins_.catalog().policy(policy));
  if (spuriousWakeups > 0) model_.policies.setSpuriousWakeups(spuriousWakeups);
}

ModelState BuiltIn::state(std::uint32_t threads) const {
  ModelState state(model_.policies);
  for (std::uint32_t i = 1; i < threads; ++i) state.spawn(kMainThread, 0);
  return state;
}

TransitionPtr BuiltIn::make(const ModelState& state, std::uint32_t thread, const std::string& name,
                            std::uint64_t object, std::array<std::uint64_t, 3> args) const {
  const Catalog::Operation* known = plugins_.catalog().find(nameId(name));
  if (known == nullptr) throw std::runtime_error("no operation " + name);
  VisibleOp op{nameId(name), known->name, ThreadId{thread}, object, args, 0};
  return known->make(op, state);
}

}  // namespace mcmini::test
