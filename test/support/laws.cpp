#include "test/support/laws.hpp"

#include <algorithm>
#include <set>

#include "test/support/promises.hpp"

namespace mcmini::test {

namespace {

class Walk {
 public:
  Walk(const BuiltIn& plugins, const std::vector<Call>& calls, std::uint32_t threads)
      : plugins_(plugins), calls_(calls), threads_(threads) {}

  std::set<std::string> broken;

  void from(const ModelState& start, std::uint32_t depth) {
    std::vector<ModelState> level{start};
    std::vector<ModelState> seen{start};
    for (std::uint32_t i = 0; i <= depth; ++i) {
      std::vector<ModelState> nextLevel;
      for (const ModelState& state : level) {
        compareAll(state);
        for (const TransitionPtr& t : takeable(state)) {
          ModelState next = state;
          t->apply(next);
          if (std::ranges::find(seen, next) != seen.end()) continue;
          seen.push_back(next);
          nextLevel.push_back(next);
        }
      }
      level = std::move(nextLevel);
    }
  }

 private:
  std::vector<TransitionPtr> all(const ModelState& state) const {
    std::vector<TransitionPtr> list;
    for (std::uint32_t thread = 0; thread < threads_; ++thread)
      for (const Call& call : calls_)
        list.push_back(plugins_.make(state, thread, call.name, call.object, call.args));
    return list;
  }

  std::vector<TransitionPtr> takeable(const ModelState& state) const {
    auto list = all(state);
    std::erase_if(list, [&](const TransitionPtr& t) { return !isPossible(*t, state); });
    return list;
  }

  void compareAll(const ModelState& state) {
    auto list = all(state);
    for (const TransitionPtr& a : list)
      for (const TransitionPtr& b : list)
        if (a->thread() < b->thread()) comparePromises(state, *a, *b, broken);
  }

  const BuiltIn& plugins_;
  const std::vector<Call>& calls_;
  std::uint32_t threads_;
};

}  // namespace

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

std::vector<std::string> brokenLaws(const BuiltIn& plugins, const std::vector<Call>& calls,
                                    std::uint32_t threads, std::uint32_t depth) {
  Walk walk(plugins, calls, threads);
  walk.from(plugins.state(threads), depth);
  return {walk.broken.begin(), walk.broken.end()};
}

}  // namespace mcmini::test
