#include "core/app/bug_saver.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>

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

/// With the thread, after a step: what it had when the run was found is part of the verdict if it was all.
std::uint32_t patienceOf(const Event& event, const Step& step) {
  return event.patience >= kWholePatience ? event.patience : step.patience;
}

/// Writes the run of a finding down, step by step.
class ScheduleWriter {
 public:
  ScheduleWriter(const Finding& finding, const Symbolizer& symbolizer, const ModuleMap& modules)
      : finding_(finding),
        symbolizer_(symbolizer),
        modules_(modules),
        names_(symbolizer, finding.state, finding.rehearsal) {}

  void write(SavedBug& bug) {
    std::vector<Step> steps = stepsOf(finding_.events, finding_.events.size(), finding_.spinning, true);
    ModelState state = finding_.initial;
    std::size_t performed = 0;
    for (const Event& event : finding_.events) {
      const Transition& t = *event.transition;
      bug.schedule.push_back(describe(event, performed));
      if (event.doomed) continue;
      bug.schedule.back().patience = patienceOf(event, steps[performed++]);
      t.apply(state);
      threads_.update(state, t.thread());
    }
    for (std::uint32_t i = 0; i < threads_.size(); ++i)
      bug.threads.push_back(
          {threads_.path(i), names_.thread(*threads_.thread(i)), index(*threads_.thread(i))});
  }

 private:
  SavedStep describe(const Event& event, std::size_t performed) {
    const Transition& t = *event.transition;
    CodeAddress site = t.visible().site;
    SavedStep step;
    step.thread = threads_.number(t.thread());
    step.operation = t.visible().name;
    step.call = t.describe(names_);
    step.object = namedObject(t, names_);
    step.place = place(event, performed);
    step.site = site == 0 ? "" : modules_.name(site);
    step.result = event.result;
    step.choice = t.visible().alternative;
    step.last = event.last;
    step.doomed = event.doomed;
    step.patience = event.patience;
    return step;
  }

  /// Looked up once for each way to call the operation: a run may be long.
  const std::string& place(const Event& event, std::size_t performed) {
    const Rehearsal& rehearsal = finding_.rehearsal;
    Stack stack;
    if (auto waits = rehearsal.pending.find(event.transition->thread());
        event.doomed && waits != rehearsal.pending.end())
      stack = waits->second;
    else if (!event.doomed && performed < rehearsal.taken.size())
      stack = rehearsal.taken[performed];
    CodeAddress site = event.transition->visible().site;
    auto [known, isNew] = places_.try_emplace({site, stack});
    if (isNew) known->second = placeOf(stack, site, symbolizer_);
    return known->second;
  }

  const Finding& finding_;
  const Symbolizer& symbolizer_;
  const ModuleMap& modules_;
  TargetNames names_;
  CreationOrder threads_;
  std::map<std::pair<CodeAddress, Stack>, std::string> places_;
};

}  // namespace

std::optional<SavedAs> BugSaver::save(const Finding& finding) {
  try {
    return BugStore(options_.outputDirectory).save(describe(finding));
  } catch (const SavedBugError& error) {
    warn(error.what(), " Choose another directory with -o DIR.");
  } catch (const std::exception& error) {
    warn(error.what(), "");
  }
  return std::nullopt;
}

void BugSaver::warn(const char* why, const char* remedy) {
  if (!options_.quiet && !std::exchange(warned_, true))
    fmt::print(stderr, "mcmini: warning: bugs cannot be saved ({}), so that they cannot be replayed.{}\n",
               why, remedy);
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
  ScheduleWriter(finding, session_.symbolizer(), *modules_).write(bug);
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
  for (const MemoryRange& range : session_.target().promoted())
    saved.promoted.push_back(
        fmt::format("{} {}", modules_->nameOfData(range.begin), range.end - range.begin));
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
