#include "core/report/creation_order.hpp"

#include <algorithm>

namespace mcmini {

void CreationOrder::update(const ModelState& state, ThreadId mover) {
  for (std::uint32_t i = 0; i < state.threadCount(); ++i) {
    ThreadId thread{i};
    if (!state.thread(thread).created || std::ranges::count(threads_, thread, &Thread::id) > 0) continue;
    std::string parent = path(number(mover));
    threads_.push_back({thread, parent + "/" + std::to_string(state.thread(mover).children)});
  }
}

std::optional<ThreadId> CreationOrder::thread(std::uint32_t number) const {
  return number < threads_.size() ? std::optional(threads_[number].id) : std::nullopt;
}

std::uint32_t CreationOrder::number(ThreadId thread) const {
  return static_cast<std::uint32_t>(std::ranges::find(threads_, thread, &Thread::id) - threads_.begin());
}

}  // namespace mcmini
