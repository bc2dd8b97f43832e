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

std::string numbered(const std::string& name, std::map<std::string, int>& count) {
  return fmt::format("{}#{}", name, ++count[name]);
}

}  // namespace

TargetNames::TargetNames(const Symbolizer& symbolizer, const ModelState& state,
                         const std::map<ThreadId, std::string>& given)
    : symbolizer_(symbolizer) {
  std::map<std::string, int> givenTo;
  for (const auto& [thread, name] : given) ++givenTo[name];
  std::map<std::string, int> count;
  for (std::uint32_t i = 0; i < state.threadCount(); ++i) {
    const ThreadState& thread = state.thread(ThreadId{i});
    auto own = given.find(ThreadId{i});
    if (own != given.end() && givenTo[own->second] == 1)
      threads_.push_back(own->second);
    else if (own != given.end())
      threads_.push_back(numbered(own->second, count));
    else if (i == 0 || !thread.created)
      threads_.emplace_back(i == 0 ? "main" : "");
    else
      threads_.push_back(numbered(nameOfRoutine(symbolizer, thread.entry), count));
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
