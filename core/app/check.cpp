#include "core/app/check.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "core/app/input.hpp"
#include "core/app/installation.hpp"
#include "core/app/plugins.hpp"
#include "core/app/report_files.hpp"
#include "core/app/target_halves.hpp"
#include "core/app/terminal.hpp"
#include "core/plugin/plugin_guard.hpp"
#include "core/report/finding_text.hpp"
#include "core/report/observers.hpp"
#include "core/report/progress.hpp"
#include "core/report/text_reporter.hpp"
#include "core/target/control.hpp"
#include "core/target/elf_file.hpp"
#include "core/target/fork_target.hpp"
#include "core/target/program.hpp"

namespace mcmini {

namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t stopSignal = 0;

/// The first Ctrl-C asks for a partial report; a second one does not wait for it.
void listenForSignals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) {
    stopSignal = signal;
    std::signal(signal, SIG_DFL);
  };
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

std::uint32_t countProcessors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<std::uint32_t>(CPU_COUNT(&set)) : 1;
}

/// A hand-over costs a sixth on one core of what it costs across two. As batch processes they do not
/// interrupt each other either: who wakes another is about to sleep anyway.
void stayOnOneCore() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(std::max(0, sched_getcpu())), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) spdlog::info("cannot stay on one core");
}

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

std::string environmentVariable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// How to load the plugin that an operation belongs to.
std::string remedy(std::string_view operation, const Installation& installation) {
  std::string ready(operation.substr(0, operation.find('.')));
  return std::filesystem::exists(installation.plugins / (ready + ".so")) ? ready : "PATH";
}

std::string unknownOperation(const UnknownOperation& unknown, const std::string& program,
                             const PluginSet& plugins, const Installation& installation,
                             const Symbolizer& symbolizer) {
  std::string place = placeOf({}, unknown.op.site, symbolizer);
  std::string loaded;
  for (const auto& plugin : plugins.loaded()) loaded += (loaded.empty() ? "" : ", ") + plugin.name;
  return fmt::format(
      "{} announces the operation '{}'{}, which no loaded plugin models.\n"
      "        Add it with --plugin {}; loaded are: {}",
      program, unknown.op.name, place.empty() ? "" : " (" + place + ")",
      remedy(unknown.op.name, installation), loaded);
}

/// Of the plugin that models an operation.
std::string fileOf(const PluginSet& plugins, NameId operation) {
  const Catalog::Operation* known = plugins.catalog().find(operation);
  auto plugin =
      std::ranges::find(plugins.loaded(), known == nullptr ? "" : known->plugin, &PluginSet::Loaded::name);
  return plugin == plugins.loaded().end() ? "of nobody" : plugin->file.string();
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

ForkTargetOptions launchOptions(const Options& options, const Installation& installation) {
  ForkTargetOptions launch;
  launch.program = findProgram(options.program, environmentVariable("PATH"));
  requireCheckable(launch.program);
  launch.arguments = options.arguments;
  launch.preload = installation.library;
  launch.userPreload = environmentVariable("LD_PRELOAD");
  launch.processors = countProcessors();
  launch.memoryLimit = options.maxMemory;
  launch.stepTimeout = options.stepTimeout;
  launch.interrupted = [] { return stopSignal != 0; };
  return launch;
}

std::size_t columnsOf(int descriptor) {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : kUsual;
}

Progress::Kind kindOfProgress(const Options& options) {
  if (options.quiet) return Progress::Kind::None;
  bool others = options.verbose || options.output == OutputShown::All;  // write whenever they like
  bool inPlace = isatty(STDERR_FILENO) != 0 && !others && environmentVariable("TERM") != "dumb";
  return inPlace ? Progress::Kind::Terminal : Progress::Kind::Log;
}

bool waitsForConditions(const Control& control) {
  return std::ranges::any_of(control.controlled, [](const std::string& call) {
    return call.starts_with("pthread_cond_") || call.starts_with("cnd_");
  });
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

/// What machines are told, as far as it is known.
struct MachineReport {
  const ReportFiles& files;
  CheckedProgram checked;
  JsonReport findings = JsonReport::array();
};

ExitCode explore(const Options& options, MachineReport& machines) {
  auto begin = Clock::now();
  Installation installation = Installation::ofThisExecutable();
  PluginGuard::trust(installation.transitions);
  PluginSet plugins;
  loadPlugins(plugins, options, installation);
  Limits limits = options.limits;
  limits.policies = choosePolicies(plugins, options);
  Progress progress(stderr, kindOfProgress(options), begin, columnsOf(STDERR_FILENO));
  std::function<Progress::Figures()> figures = nullptr;
  limits.timeIsUp = [&] {
    Clock::time_point now = Clock::now();
    if (figures) progress.tick(now, figures);
    return options.time && now >= begin + *options.time;
  };

  ForkTargetOptions launch = launchOptions(options, installation);
  launch.queues = limits.policies.anyEnqueues();
  launch.alsoPreload = targetHalves(plugins, installation);
  launch.captureAll = options.output == OutputShown::All && !options.quiet;
  std::string program = machines.checked.program = launch.program.string();
  launch.standardInput = openInput(options.input, [&](const std::string& words) {
    if (!options.quiet) fmt::print(stderr, "mcmini: note: {}\n", words);
  });
  launch.interrupted = [&] { return stopSignal != 0 || limits.timeIsUp(); };
  std::unique_ptr<Symbolizer> symbolizer;
  launch.unwind = [&](const StackCopy& copy) {
    StackImage image{copy.registers, copy.address, {}};
    const auto* bytes = reinterpret_cast<const std::byte*>(copy.bytes.data());
    image.bytes.assign(bytes, bytes + copy.bytes.size());
    return symbolizer ? symbolizer->unwind(image) : Stack{copy.registers.back()};
  };
  if (options.pin) stayOnOneCore();

  ForkTarget target(launch);
  symbolizer = std::make_unique<Symbolizer>(target.templateProcess());
  TextSettings settings;
  settings.quiet = options.quiet;
  settings.style = styleFor(options);
  settings.output = options.output;
  settings.outputOfRun = [&] { return target.output(); };
  bool textOnStdout = options.json != "-";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "we"), std::fclose);
  TextReporter reporter(textOnStdout ? stdout : nowhere.get(), stderr, *symbolizer, settings);
  Control control = controlOver(target.templateProcess(), launch.preload);
  requireTargetHalves(plugins, installation, control);
  target.setCancels(control.controlled.contains("pthread_cancel"));
  mindUncontrolled(control, program, options.onUnsupported, reporter);
  std::unique_ptr<Strategy> strategy = makeStrategy(options.search);
  Observers observers({&progress, &reporter});
  JsonCollector collector(*symbolizer, machines.findings);
  if (machines.files.wanted()) observers.add(collector);
  Explorer explorer(target, plugins.catalog(), *strategy, limits, observers);
  const Summary& summary = explorer.summary();
  figures = [&] { return Progress::Figures{summary.traces, summary.bugs, strategy->done()}; };
  try {
    explorer.run();
  } catch (const UnknownOperation& unknown) {
    throw UsageError(unknownOperation(unknown, program, plugins, installation, *symbolizer));
  } catch (const ModelFault& fault) {
    throw PluginFault(faultOf(fileOf(plugins, fault.op), std::string("is wrong: ") + fault.what()));
  } catch (const Nondeterminism& difference) {
    progress.clear();
    warnAbout(target.notes(), program, reporter);
    throw TargetError(reporter.explain(difference, explorer.lastRun().state()));
  }
  progress.clear();
  warnAbout(target.notes(), program, reporter);
  ExitCode code = exitCodeFor(summary);
  double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::string conclusion = reporter.conclude(
      summary, limits, {seconds, options.search == Options::Search::Optimal, waitsForConditions(control)});
  CheckEnd end{summary, seconds, static_cast<int>(code), conclusion, reporter.warnings()};
  machines.files.write(jsonReport(machines.checked, machines.findings, end));
  if (textOnStdout) fmt::print("{}\n", resultLine(summary, seconds, static_cast<int>(code)));
  return code;
}

}  // namespace

ExitCode check(const Options& options) {
  listenForSignals();
  ReportFiles files(options);
  MachineReport machines{files, {MCMINI_VERSION, options.program, options.arguments}};
  try {
    return explore(options, machines);
  } catch (...) {
    Failure failure = failureOf(std::current_exception());
    files.write(
        jsonReport(machines.checked, machines.findings, static_cast<int>(failure.code), failure.words));
    throw;
  }
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
