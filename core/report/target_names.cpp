#include "core/report/target_names.hpp"

#include <fmt/format.h>

namespace mcmini {

namespace {

/// A thread is called after its start routine, unless that belongs to the runtime of a language.
std::string nameOfRoutine(const Symbolizer& symbolizer, CodeAddress entry) {
  std::string name = symbolizer.function(entry);
  bool anonymous = name.empty() || name.find("execute_native_thread_routine") != std::string::npos;
  return anonymous ? "thread" : name;
}

}  // namespace

TargetNames::TargetNames(const Symbolizer& symbolizer, const ModelState& state) : symbolizer_(symbolizer) {
  std::map<std::string, int> count;
  for (std::uint32_t i = 0; i < state.threadCount(); ++i) {
    const ThreadState& thread = state.thread(ThreadId{i});
    if (i == 0 || !thread.created) {
      threads_.emplace_back(i == 0 ? "main" : "");
      continue;
    }
    std::string routine = nameOfRoutine(symbolizer, thread.entry);
    threads_.push_back(fmt::format("{}#{}", routine, ++count[routine]));
  }
}

std::string TargetNames::thread(ThreadId thread) const {
  bool known = index(thread) < threads_.size() && !threads_[index(thread)].empty();
  return known ? threads_[index(thread)] : fmt::format("thread {}", index(thread));
}

std::string TargetNames::object(ObjectId object) const {
  if (isThread(object)) return thread(threadOf(object));
  std::string name = symbolizer_.variable(addressOf(object));
  return name.empty() ? fmt::format("{:#x}", addressOf(object)) : name;
}

}  // namespace mcmini
