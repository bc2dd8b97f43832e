#include "core/app/check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "core/app/bug_saver.hpp"
#include "core/app/input.hpp"
#include "core/app/report_files.hpp"
#include "core/app/session.hpp"
#include "core/app/terminal.hpp"
#include "core/report/conclusion.hpp"
#include "core/report/observers.hpp"
#include "core/report/progress.hpp"
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
  return makeCautious();
}

constexpr const char* kUnseenOfSanitized =
    "what memcpy and its like do: compile with mcmini-cc instead of -fsanitize=thread";

void warnAbout(const wire::Notes& notes, const std::string& program, TextReporter& reporter) {
  if (notes.forked != 0)
    reporter.warn(program + " forks; the new process runs on its own and is not checked.");
  if (notes.vforked != 0)
    reporter.warn(program +
                  " calls vfork, which is done as fork: what the new process writes, it alone sees.");
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
  return summary.cut == Cut::None && !summary.isPartial() ? ExitCode::NoBug : ExitCode::StoppedEarly;
}

bool hasSeveralThreads(const Execution& run) {
  return std::ranges::any_of(run.events(),
                             [](const Event& event) { return event.transition->thread() != kMainThread; });
}

void mindUncontrolled(const Control& control, const std::string& program, Options::OnUnsupported what,
                      TextReporter& reporter) {
  if (control.uncontrolled.empty() || what == Options::OnUnsupported::Ignore) return;
  bool one = control.uncontrolled.size() == 1;
  std::string words = fmt::format("{} calls {}, which {} not modelled", program,
                                  fmt::join(control.uncontrolled, ", "), one ? "is" : "are");
  if (what == Options::OnUnsupported::Error) throw TargetError(words + " (--on-unsupported error).");
  reporter.warn(words + (one ? "; what it does runs uncontrolled." : "; what they do runs uncontrolled."));
}

Progress::Kind kindOfProgress(const Options& options) {
  if (options.quiet) return Progress::Kind::None;
  bool others = options.verbose || options.output == OutputShown::All;  // write whenever they like
  return takesControls(STDERR_FILENO) && !others ? Progress::Kind::Terminal : Progress::Kind::Log;
}

bool waitsForConditions(const Control& control) {
  return std::ranges::any_of(control.controlled, [](const std::string& call) {
    return call.starts_with("pthread_cond_") || call.starts_with("cnd_");
  });
}

/// What machines are told, as far as it is known.
struct MachineReport {
  const ReportFiles& files;
  CheckedProgram checked;
  bool textOnStdout = true;
  JsonReport findings = JsonReport::array();
};

/// The report for machines, and the line for scripts. Returns the exit code.
ExitCode finish(const MachineReport& machines, const Summary& summary, double seconds,
                const std::string& conclusion, const std::vector<std::string>& warnings) {
  ExitCode code = exitCodeFor(summary);
  CheckEnd end{summary, seconds, static_cast<int>(code), conclusion, warnings};
  machines.files.write(jsonReport(machines.checked, machines.findings, end));
  if (machines.textOnStdout) fmt::print("{}\n", resultLine(summary, seconds, end.exitCode));
  return code;
}

ExitCode explore(const Options& options, MachineReport& machines) {
  Session session(options);
  machines.checked.program = session.program();
  ForkTarget& target = session.target();
  const std::string& program = session.program();
  BugSaver saver(options, session);
  TextSettings settings;
  settings.quiet = options.quiet;
  settings.style = styleFor(options);
  settings.output = options.output;
  settings.outputOfRun = [&] { return target.output(); };
  settings.save = [&](const Finding& finding) { return saver.save(finding); };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "we"), std::fclose);
  TextReporter reporter(machines.textOnStdout ? stdout : nowhere.get(), stderr, session.symbolizer(),
                        settings);
  mindUncontrolled(session.control(), program, options.onUnsupported, reporter);
  if (session.control().sanitized)
    reporter.warn(fmt::format("{}: not watched is {}.", program, kUnseenOfSanitized));
  std::unique_ptr<Strategy> strategy = makeStrategy(options.search);
  Progress progress(stderr, kindOfProgress(options), session.begin(), columnsOf(STDERR_FILENO));
  Observers observers({&progress, &reporter});
  JsonCollector collector(session.symbolizer(), machines.findings);
  if (machines.files.wanted()) observers.add(collector);
  Explorer explorer(target, session.catalog(), *strategy, session.limits(), observers);
  auto figures = [&] {
    const Summary& soFar = explorer.summary();
    return Progress::Figures{soFar.traces, soFar.bugs, strategy->done()};
  };
  Session::Watch watch(session, [&](Progress::Clock::time_point now) { progress.tick(now, figures); });
  try {
    session.explore(explorer);
  } catch (const Nondeterminism& difference) {
    progress.clear();
    warnAbout(target.notes(), program, reporter);
    throw TargetError(reporter.explain(difference, explorer.lastRun().state()));
  }
  progress.clear();
  warnAbout(target.notes(), program, reporter);
  Summary summary = explorer.summary();
  bool minds = options.onUnsupported != Options::OnUnsupported::Ignore;
  bool otherLocks = session.control().hasOtherLocks && hasSeveralThreads(explorer.lastRun());
  summary.uncontrolled = minds && (target.notes().waitsUnmodelled != 0 || otherLocks);
  summary.signalled = minds && summary.signalled;
  summary.inputLate = !options.input && inputCameLate();
  double seconds = session.elapsed().count();
  bool isOptimal = options.search == Options::Search::Optimal;
  std::string conclusion = reporter.conclude(
      summary, session.limits(),
      {seconds, isOptimal, waitsForConditions(session.control()), session.control().watchesMemory()});
  return finish(machines, summary, seconds, conclusion, reporter.warnings());
}

/// For one who interrupts before there is a run.
ExitCode concludeWithoutRuns(const Options& options, const MachineReport& machines, double seconds) {
  Summary summary;
  summary.cut = Cut::Interrupted;
  std::string text = conclusion(summary, options.limits, {.seconds = seconds}, "");
  if (machines.textOnStdout && !options.quiet) fmt::print("{}\n", text);
  return finish(machines, summary, seconds, text, {});
}

}  // namespace

ExitCode check(const Options& options) {
  listenForSignals();
  ReportFiles files(options);
  MachineReport machines{files, {MCMINI_VERSION, options.program, options.arguments}, options.json != "-"};
  auto begin = std::chrono::steady_clock::now();
  try {
    return explore(options, machines);
  } catch (const Interrupted&) {
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    return concludeWithoutRuns(options, machines, elapsed.count());
  } catch (...) {
    Failure failure = failureOf(std::current_exception());
    files.write(
        jsonReport(machines.checked, machines.findings, static_cast<int>(failure.code), failure.words));
    throw;
  }
}

namespace {

void tellOfMemory(const Control& control) {
  constexpr const char* kHow = "compile with mcmini-cc or mcmini-c++ to have them watched";
  if (!control.watchesMemory()) {
    fmt::print("not watched         plain memory and atomic variables: {}\n", kHow);
    return;
  }
  fmt::print("watched             plain memory and atomic variables\n");
  if (control.sanitized) fmt::print("not watched         {}\n", kUnseenOfSanitized);
  for (const auto& module : control.unwatched)
    fmt::print("not watched         those of {}: {}\n", module.filename().string(), kHow);
}

std::string kindOfThreads(const ForkTarget& target) {
  if (target.usesFibers()) return "run as fibers";
  std::string_view call = target.notes().aboutTheSystem;
  return fmt::format("run as threads of the system, which is slower{}",
                     call.empty() ? "" : fmt::format(": it is linked with {}", call));
}

}  // namespace

ExitCode doctor(const Options& options) {
  listenForSignals();
  Installation installation = Installation::ofThisExecutable();
  ForkTargetOptions launch = launchOptions(options, installation);
  ForkTarget target(launch);
  target.awaitStart();
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
  fmt::print("its threads         {}\n", kindOfThreads(target));
  tellOfMemory(control);
  return ExitCode::NoBug;
}

}  // namespace mcmini
