#include "core/app/bug_saver.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/app/input.hpp"
#include "core/report/bug_store.hpp"
#include "core/report/creation_order.hpp"
#include "core/report/finding_facts.hpp"
#include "core/target/elf_file.hpp"

namespace mcmini {

namespace fs = std::filesystem;

namespace {

/// A file by its absolute path; what is no file is a name.
std::string absoluteIfFile(const fs::path& file) {
  std::error_code unknown;
  return fs::exists(file, unknown) ? fs::absolute(file).lexically_normal().string() : file.string();
}

/// The steps of a run, and the threads that it creates.
void addSchedule(SavedBug& bug, const Finding& finding, const FindingFacts& facts, const ModuleMap& modules) {
  std::vector<Step> steps = stepsOf(finding.events, finding.events.size());
  auto step = steps.begin();
  CreationOrder threads;
  ModelState state = finding.initial;
  for (std::size_t i = 0; i < finding.events.size(); ++i) {
    const Event& event = finding.events[i];
    const Transition& t = *event.transition;
    StepFact fact = facts.step(i);
    bug.schedule.push_back({threads.number(t.thread()), std::string(t.visible().name), fact.call,
                            namedObject(t, facts.names()), placeText(fact.place),
                            modules.name(t.visible().site), event.result, event.last, event.doomed,
                            event.doomed ? event.patience : step++->patience});
    if (event.doomed) continue;
    t.apply(state);
    threads.update(state, t.thread());
  }
  for (std::uint32_t i = 0; i < threads.size(); ++i)
    bug.threads.push_back({threads.path(i), facts.names().thread(*threads.thread(i))});
}

}  // namespace

std::optional<SavedAs> BugSaver::save(const Finding& finding) {
  try {
    return BugStore(options_.outputDirectory).save(describe(finding));
  } catch (const SavedBugError& error) {
    if (!options_.quiet && !std::exchange(warned_, true))
      fmt::print(
          stderr,
          "mcmini: warning: bugs cannot be saved ({}), so that they cannot be replayed. Choose another "
          "directory with -o DIR.\n",
          error.what());
    return std::nullopt;
  }
}

SavedBug BugSaver::describe(const Finding& finding) {
  if (!modules_) modules_.emplace(session_.target().templateProcess());
  FindingFacts facts(finding, session_.symbolizer());
  SavedBug bug;
  bug.program = fs::absolute(session_.program()).lexically_normal().string();
  bug.called = session_.program();
  bug.directory = fs::current_path().string();
  bug.buildId = ElfFile(session_.program()).buildId();
  bug.arguments = options_.arguments;
  bug.options = savedOptions();
  bug.kind = word(finding.kind);
  bug.sentence = facts.sentence();
  bug.key = finding.key([&](CodeAddress place) { return modules_->name(place); });
  bug.run = finding.trace;
  bug.noReturn = finding.noReturn;
  bug.switchesWhenFound = finding.switchesWhenFound;
  addSchedule(bug, finding, facts, *modules_);
  return bug;
}

SavedOptions BugSaver::savedOptions() const {
  SavedOptions saved;
  for (const auto& [kind, name] : options_.policies)
    saved.policies.emplace_back(kind, name.find('/') == std::string::npos ? name : absoluteIfFile(name));
  saved.spuriousWakeups = options_.spuriousWakeups;
  for (const fs::path& plugin : options_.plugins) saved.plugins.push_back(absoluteIfFile(plugin));
  for (const fs::path& path : options_.pluginPaths) saved.pluginPaths.push_back(absoluteIfFile(path));
  KeptInput input = keptInput(session_.standardInput());
  saved.input = input.file;
  saved.inputText = input.text;
  saved.maxMemory = options_.maxMemory;
  saved.stepTimeoutMs = static_cast<std::uint64_t>(options_.stepTimeout.count());
  const Limits& limits = options_.limits;
  if (limits.threadDepth != std::numeric_limits<std::uint32_t>::max()) saved.threadDepth = limits.threadDepth;
  saved.runDepth = limits.runDepth;
  saved.repeats = limits.repeats;
  saved.leaks = limits.leaks;
  return saved;
}

std::string namedObject(const Transition& transition, const Names& names) {
  for (ObjectId object : transition.objects()) {
    if (isThread(object)) continue;
    std::string name = names.object(object);
    if (!name.starts_with("0x")) return name;
  }
  return "";
}

}  // namespace mcmini
