#include "core/app/check.hpp"

#include <fmt/format.h>

#include "core/app/bug_saver.hpp"
#include "core/app/session.hpp"
#include "core/app/terminal.hpp"
#include "core/report/text_reporter.hpp"
#include "core/target/elf_file.hpp"

namespace mcmini {

namespace {

std::unique_ptr<Strategy> makeStrategy(Options::Search search) {
  switch (search) {
    case Options::Search::Dpor:
      return makeDpor();
    case Options::Search::Naive:
      return makeNaive();
    case Options::Search::Optimal:
      break;
  }
  return makeOptimal();
}

void warnAbout(const wire::Notes& notes, const std::string& program, TextReporter& reporter) {
  if (notes.forked != 0)
    reporter.warn(program + " forks; the new process runs on its own and is not checked.");
  if (notes.execed != 0)
    reporter.warn(program +
                  " replaces itself by exec; what it becomes is not checked, and threads end there.");
  if (notes.asyncCancel != 0)
    reporter.warn(
        program +
        " allows threads to be cancelled anywhere; they are cancelled at cancellation points only.");
  if (notes.outOfMemory != 0)
    reporter.warn(program +
                  " wanted more memory than --max-memory allows; it was refused, as a full machine would.");
}

ExitCode exitCodeFor(const Summary& summary) {
  if (summary.cut == Cut::Interrupted) return ExitCode::Interrupted;
  if (summary.bugs > 0) return ExitCode::Bug;
  return summary.cut == Cut::None && !summary.strayed ? ExitCode::NoBug : ExitCode::StoppedEarly;
}

void mindUncontrolled(const Control& control, const std::string& program, Options::OnUnsupported what,
                      TextReporter& reporter) {
  if (control.uncontrolled.empty() || what == Options::OnUnsupported::Ignore) return;
  std::string words =
      fmt::format("{} calls {}, which {} not modelled", program, fmt::join(control.uncontrolled, ", "),
                  control.uncontrolled.size() == 1 ? "is" : "are");
  if (what == Options::OnUnsupported::Error) throw TargetError(words + " (--on-unsupported error).");
  reporter.warn(words + "; what they do runs uncontrolled.");
}

}  // namespace

ExitCode check(const Options& options) {
  Session session(options);
  ForkTarget& target = session.target();
  const std::string& program = session.program();
  BugSaver saver(options, session);
  TextSettings settings;
  settings.quiet = options.quiet;
  settings.style = styleFor(options);
  settings.output = options.output;
  settings.outputOfRun = [&] { return target.output(); };
  settings.save = [&](const Finding& finding) { return saver.save(finding); };
  TextReporter reporter(stdout, stderr, session.symbolizer(), settings);
  mindUncontrolled(session.control(), program, options.onUnsupported, reporter);
  std::unique_ptr<Strategy> strategy = makeStrategy(options.search);
  Explorer explorer(target, session.catalog(), *strategy, session.limits(), reporter);
  const Summary& summary = explorer.summary();
  try {
    session.explore(explorer);
  } catch (const Nondeterminism& difference) {
    warnAbout(target.notes(), program, reporter);
    throw TargetError(reporter.explain(difference, explorer.lastRun().state()));
  }
  warnAbout(target.notes(), program, reporter);
  reporter.conclude(summary, session.limits());
  ExitCode code = exitCodeFor(summary);
  fmt::print("{}\n", resultLine(summary, session.elapsed().count(), static_cast<int>(code)));
  return code;
}

ExitCode doctor(const Options& options) {
  listenForSignals();
  Installation installation = Installation::ofThisExecutable();
  ForkTargetOptions launch = launchOptions(options, installation);
  ForkTarget target(launch);
  Control control = controlOver(target.templateProcess(), launch.preload);
  ElfFile elf(launch.program);
  auto list = [](const auto& names) {
    return names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", "));
  };
  std::vector<std::string> libraries;
  for (const auto& module : control.modules) libraries.push_back(module.filename().string());
  if (!libraries.empty()) libraries.erase(libraries.begin());
  bool debugInfo = elf.hasSection(".debug_info") || elf.hasSection(".gnu_debuglink");
  fmt::print("{}: a 64-bit, dynamically linked program{}; it can be checked\n", launch.program.string(),
             elf.header().e_type == ET_DYN ? " (position independent)" : "");
  fmt::print("debug information   {}\n",
             debugInfo ? "yes" : "no: compile with -g to see names and lines in reports");
  fmt::print("its own libraries   {}\n", list(libraries));
  fmt::print("controlled calls    {}\n", list(control.controlled));
  fmt::print("uncontrolled calls  {}\n", list(control.uncontrolled));
  fmt::print("not watched         plain memory and atomic variables\n");
  return ExitCode::NoBug;
}

}  // namespace mcmini
