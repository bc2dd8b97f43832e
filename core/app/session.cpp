#include "core/app/session.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <iterator>
#include <sstream>

#include "core/app/environment.hpp"
#include "core/app/errors.hpp"
#include "core/app/input.hpp"
#include "core/app/plugins.hpp"
#include "core/app/target_halves.hpp"
#include "core/plugin/plugin_guard.hpp"
#include "core/report/finding_text.hpp"
#include "core/report/module_map.hpp"
#include "core/target/program.hpp"

namespace mcmini {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t stopSignal = 0;
volatile std::time_t firstAsked = 0;

std::uint32_t countProcessors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<std::uint32_t>(CPU_COUNT(&set)) : 1;
}

/// A hand-over costs a sixth on one core of what it costs across two. As batch processes they do not
/// interrupt each other either: who wakes another is about to sleep anyway.
void shareOneCoreWith(pid_t process) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(std::max(0, sched_getcpu())), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0 || sched_setaffinity(process, sizeof set, &set) != 0)
    spdlog::info("cannot stay on one core");
}

/// Plugins that are no part of the installation may have another half, which the program starts with.
bool loadsOthers(const Options& options) {
  return !options.plugins.empty() || !options.pluginPaths.empty() ||
         std::ranges::any_of(options.policies,
                             [](const auto& policy) { return policy.second.find('/') != std::string::npos; });
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

StackImage imageOf(const StackCopy& copy) {
  StackImage image{copy.registers, copy.address, {}};
  const auto* bytes = reinterpret_cast<const std::byte*>(copy.bytes.data());
  image.bytes.assign(bytes, bytes + copy.bytes.size());
  return image;
}

/// The calls that a thread was in, from a copy of its stack.
Stack unwound(const StackCopy& copy, const Symbolizer* symbolizer) {
  return symbolizer != nullptr ? symbolizer->unwind(imageOf(copy)) : Stack{copy.registers.back()};
}

}  // namespace

void listenForSignals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) {
    std::time_t now = std::time(nullptr);
    // Who signals to the whole group, too, as timeout does, has not asked twice.
    if (stopSignal == 0) {
      stopSignal = signal;
      firstAsked = now;
    } else if (now > firstAsked + 1) {
      std::signal(signal, SIG_DFL);
      std::raise(signal);
    }
  };
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  for (int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

ForkTargetOptions launchOptions(const Options& options, const Installation& installation) {
  ForkTargetOptions launch;
  launch.program = findProgram(options.program, environmentVariable("PATH"));
  requireCheckable(launch.program);
  launch.arguments = options.arguments;
  launch.preload = installation.library;
  launch.userPreload = environmentVariable("LD_PRELOAD");
  if (fs::path standIn = standInForSanitizer(launch.program, installation.stub); !standIn.empty())
    launch.alsoPreload.push_back(standIn);
  launch.processors = countProcessors();
  launch.memoryLimit = options.maxMemory;
  launch.stepTimeout = options.stepTimeout;
  launch.fibers = options.fibers;
  launch.interrupted = [] { return stopSignal != 0; };
  return launch;
}

Session::Session(const Options& options) {
  listenForSignals();
  installation_ = Installation::ofThisExecutable();
  PluginGuard::trust(installation_.transitions);
  limits_ = options.limits;
  limits_.timeIsUp = [this, time = options.time] {
    Clock::time_point now = Clock::now();
    if (look_) look_(now);
    return time && now >= begin_ + *time;
  };
  bool others = loadsOthers(options);
  if (!others) start(options);  // plugins are loaded meanwhile
  loadPlugins(plugins_, options, installation_);
  for (const auto& file : options.suppressions) suppressions_.read(file);
  limits_.policies = choosePolicies(plugins_, options);
  if (others) start(options);

  target_->awaitStart();
  hasStarted_ = true;
  if (options.pin) shareOneCoreWith(target_->templateProcess());
  symbolizer_ = std::make_unique<Symbolizer>(target_->templateProcess());
  control_ = controlOver(target_->templateProcess(), launch_.preload);
  requireTargetHalves(plugins_, installation_, control_);
  target_->setQueues(limits_.policies.anyEnqueues());
  target_->setCancels(control_.controlled.contains("pthread_cancel"));
  judgeRaces();
  promote(options.promoted);
}

/// Starts the program's first process.
void Session::start(const Options& options) {
  launch_ = launchOptions(options, installation_);
  std::ranges::copy(targetHalves(plugins_, installation_), std::back_inserter(launch_.alsoPreload));
  launch_.captureAll = options.output == OutputShown::All && !options.quiet;
  program_ = launch_.program.string();
  auto note = [&](const std::string& words) {
    if (!options.quiet) fmt::print(stderr, "mcmini: note: {}\n", words);
  };
  WhileReading meanwhile{note, launch_.interrupted, limits_.timeIsUp};
  launch_.standardInput =
      options.inputText ? inputOf(*options.inputText) : openInput(options.input, meanwhile);
  launch_.interrupted = [this] { return stopSignal != 0 || (hasStarted_ && limits_.timeIsUp()); };
  launch_.unwind = [this](const StackCopy& copy) { return unwound(copy, symbolizer_.get()); };
  launch_.variable = [this](const StackCopy& copy, std::uint64_t address) {
    return symbolizer_ ? symbolizer_->local(imageOf(copy), address) : "";
  };
  target_ = std::make_unique<ForkTarget>(launch_);
}

/// Lines tell races apart; without debug information, addresses do.
void Session::judgeRaces() {
  limits_.races.isMeant = [this](const Race& race) { return suppressions_.match(race, *symbolizer_); };
  limits_.races.line = [this](const Stack& stack) {
    Location place = stack.empty() ? Location{} : symbolizer_->userCode(stack);
    return place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : "";
  };
  limits_.races.place = [this, modules = ModuleMap(target_->templateProcess())](CodeAddress site) {
    auto [known, isNew] = places_.try_emplace(site);
    if (!isNew) return known->second;
    CodeAddress pc = site - 1;
    Location place = symbolizer_->userCode({&pc, 1});
    known->second = place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : modules.name(site);
    return known->second;
  };
}

/// "counter+0x4010 4": as many bytes from there.
void Session::promote(const std::vector<std::string>& ranges) {
  if (ranges.empty()) return;
  ModuleMap modules(target_->templateProcess());
  std::vector<MemoryRange> known;
  for (const std::string& text : ranges) {
    std::istringstream words(text);
    std::string name;
    std::uint64_t size = 0;
    words >> name >> size;
    if (auto begin = modules.address(name)) known.push_back({*begin, *begin + size});
  }
  target_->promote(merged(std::move(known)));
}

void Session::explore(Explorer& explorer) const {
  try {
    explorer.run();
  } catch (const UnknownOperation& unknown) {
    throw UsageError(unknownOperation(unknown, program_, plugins_, installation_, *symbolizer_));
  } catch (const ModelFault& fault) {
    throw PluginFault(faultOf(fileOf(plugins_, fault.op), std::string("is wrong: ") + fault.what()));
  }
}

}  // namespace mcmini
