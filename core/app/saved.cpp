#include <fmt/format.h>

#include <algorithm>

#include "core/app/replay.hpp"
#include "core/report/bug_store.hpp"

namespace mcmini {

namespace fs = std::filesystem;

namespace {

std::string listOf(const std::vector<SavedAs>& all) {
  std::vector<std::string> numbers;
  for (const SavedAs& saved : all) numbers.push_back(std::to_string(saved.number));
  return fmt::format("{}", fmt::join(numbers, ", "));
}

/// As the user called it, if that is still the same file.
std::string programOf(const SavedBug& bug) {
  std::error_code unknown;
  return fs::equivalent(bug.called, bug.program, unknown) ? bug.called : bug.program;
}

}  // namespace

SavedAs findSaved(const Options& options, const std::string& named) {
  bool isNumber = !named.empty() && named.size() < 10 &&
                  std::ranges::all_of(named, [](char c) { return c >= '0' && c <= '9'; });
  BugStore store(options.outputDirectory);
  if (isNumber) {
    auto number = static_cast<std::uint32_t>(std::stoul(named));
    if (auto saved = store.find(number)) return *saved;
    std::vector<SavedAs> all = store.all();
    throw UsageError(fmt::format(
        "there is no bug {} in {}; {}.", number, store.directory().string(),
        all.empty() ? "there is none at all. mcmini PROGRAM saves those that it finds, -o DIR says where"
                    : "there are " + listOf(all)));
  }
  std::error_code unknown;
  if (fs::path inStore = store.directory() / named;
      !fs::exists(named, unknown) && fs::is_regular_file(inStore, unknown))
    return findSaved(options, inStore);
  if (!fs::is_regular_file(named, unknown))
    throw UsageError(fmt::format("{}: {}. Name a bug by its file or number: mcmini replay lists them.", named,
                                 fs::exists(named, unknown) ? "this is no file" : "there is no such file"));
  for (const SavedAs& saved : store.all())
    if (fs::equivalent(saved.file, named, unknown)) return {saved.number, named};
  return {0, named};
}

Options optionsOf(const SavedBug& bug, Options options) {
  std::error_code ignored;
  if (!bug.directory.empty()) fs::current_path(bug.directory, ignored);
  const SavedOptions& saved = bug.options;
  options.program = programOf(bug);
  options.arguments = bug.arguments;
  options.policies = saved.policies;
  options.spuriousWakeups = saved.spuriousWakeups;
  options.plugins.assign(saved.plugins.begin(), saved.plugins.end());
  options.pluginPaths.assign(saved.pluginPaths.begin(), saved.pluginPaths.end());
  options.input = saved.input.empty() ? "/dev/null" : saved.input;
  if (!saved.inputText.empty()) options.inputText = saved.inputText;
  options.maxMemory = saved.maxMemory;
  options.stepTimeout = std::chrono::milliseconds(saved.stepTimeoutMs);
  options.limits.threadDepth = static_cast<std::uint32_t>(saved.threadDepth.value_or(Limits().threadDepth));
  options.limits.runDepth = static_cast<std::uint32_t>(saved.runDepth);
  options.limits.repeats = static_cast<std::uint32_t>(saved.repeats);
  options.limits.leaks = saved.leaks;
  options.promoted = saved.promoted;
  return options;
}

}  // namespace mcmini
