#include "core/app/plugin_check.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/app/plugins.hpp"
#include "core/plugin/plugin_guard.hpp"
#include "core/report/symbolizer.hpp"
#include "plugins/laws.hpp"
#include "plugins/policy_laws.hpp"

namespace mcmini {

namespace {

constexpr unsigned kPatienceSeconds = 5;  // for all that is asked in one state

/// Shared with the process that asks the plugin.
struct Inquiry {
  Asked asked;
  bool done = false;
};

Inquiry& sharedInquiry() {
  void* memory = mmap(nullptr, sizeof(Inquiry), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
  return *new (memory) Inquiry;
}

/// The type that a method belongs to.
std::string typeOf(const std::string& function) {
  return function.substr(0, function.rfind("::"));
}

/// "operator== of Door, near door.cpp:12".
std::string placeOfEquality(const Method& method, const Symbolizer& symbolizer) {
  Location code = symbolizer.frames(method.table[slotOf(&ObjectState::describe)]).back();
  return fmt::format("operator== and the members of {}{}", typeOf(code.function),
                     code.line == 0 ? "" : ", near " + shortPlace(code));
}

/// "Pass::act, gate.cpp:31"; without debug information "apply of gate.pass".
std::string placeOf(Method method, const Symbolizer& symbolizer) {
  if (method.name == "operator==") return placeOfEquality(method, symbolizer);
  if (symbolizer.function(method.address()).starts_with("mcmini::OperationOn::"))
    method = behindOperationOn(method);
  Location code = symbolizer.frames(method.address()).back();
  if (code.function.starts_with("mcmini::"))
    return fmt::format("{} of {}, which has none of its own", method.name, method.owner);
  if (code.line == 0) return fmt::format("{} of {}", method.name, method.owner);
  return fmt::format("{}, {}", code.function, shortPlace(code));
}

void print(const BrokenLaw& broken, const Symbolizer& symbolizer) {
  fmt::print("BROKEN  {}.\n", broken.law);
  fmt::print("        {}{}:\n", broken.way.empty() ? "In the beginning" : "After ",
             fmt::join(broken.way, ", "));
  for (const std::string& line : broken.evidence) fmt::print("          {}\n", line);
  for (const Method& method : broken.lookAt) fmt::print("        Look at {}.\n", placeOf(method, symbolizer));
  fmt::print("\n");
}

std::string grouped(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string counted(std::size_t number, const std::string& what) {
  return fmt::format("{} {}{}", grouped(number), what, number == 1 ? "" : "s");
}

void printTips(const std::vector<std::string>& tips, bool all) {
  constexpr std::size_t kFew = 5;
  std::size_t shown = all || tips.size() == kFew + 1 ? tips.size() : std::min(tips.size(), kFew);
  for (std::size_t i = 0; i < shown; ++i) fmt::print("Tip     {}.\n", tips[i]);
  if (shown < tips.size()) fmt::print("        {} more of these with -v.\n", tips.size() - shown);
}

/// Prints what was found; `looked` says what was looked at. True if all is well.
bool report(const LawReport& laws, const std::string& looked, const Options& options) {
  Symbolizer symbolizer(getpid());
  if (!options.quiet)
    for (const BrokenLaw& broken : laws.broken) print(broken, symbolizer);
  if (!options.quiet && laws.broken.empty()) printTips(laws.tips, options.verbose);
  std::string verdict = laws.broken.empty() ? "all laws hold"
                                            : counted(laws.broken.size(), "law") +
                                                  (laws.broken.size() == 1 ? " is broken" : " are broken");
  fmt::print("{}: {}.\n", looked, verdict);
  return laws.broken.empty();
}

bool checkOperations(const Catalog& catalog, const std::string& plugin, Asked& asked,
                     const Options& options) {
  LawLimits limits;
  limits.onState = [] { alarm(kPatienceSeconds); };
  LawReport laws = checkLaws(catalog, plugin, asked, limits);
  if (laws.operations == 0) return true;
  alarm(0);
  return report(laws,
                fmt::format("{}: {}, 2 and 3 threads, {}{}", plugin, counted(laws.operations, "operation"),
                            laws.complete ? "" : "the first ", counted(laws.states, "state")),
                options);
}

bool checkPolicies(const Catalog& catalog, const std::string& plugin, Asked& asked, const Options& options) {
  bool hold = true;
  for (const auto& [name, entry] : catalog.policies()) {
    if (entry.plugin != plugin) continue;
    alarm(kPatienceSeconds);
    LawReport laws = checkPolicy(*entry.policy, name, asked);
    alarm(0);
    hold &= report(
        laws, fmt::format("{}: a wakeup policy, 3 threads, {}", name, counted(laws.states, "step")), options);
  }
  return hold;
}

[[noreturn]] void ask(const Catalog& catalog, const std::string& plugin, Inquiry& inquiry,
                      const Options& options) noexcept {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  PluginGuard::leave();
  rlimit none{};
  setrlimit(RLIMIT_CORE, &none);
  bool hold = checkOperations(catalog, plugin, inquiry.asked, options);
  hold &= checkPolicies(catalog, plugin, inquiry.asked, options);
  std::fflush(stdout);
  inquiry.done = true;
  _exit(static_cast<int>(hold ? ExitCode::NoBug : ExitCode::Bug));
}

bool definesAnything(const Catalog& catalog, const std::string& plugin) {
  bool found = false;
  catalog.forEach([&](const Catalog::Operation& operation) { found |= operation.plugin == plugin; });
  for (const auto& [name, entry] : catalog.policies()) found |= entry.plugin == plugin;
  return found;
}

/// What became of the process that asked, if it did not come to its end.
std::string misfortune(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("ends the process (status {})", WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGALRM) return fmt::format("does not come back within {} s", kPatienceSeconds);
  return fmt::format("crashes (SIG{})", sigabbrev_np(WTERMSIG(status)));
}

void tellMisfortune(const std::string& plugin, int status, const Asked& asked) {
  fmt::print("BROKEN  {} {} in {}.\n", asked.operation, misfortune(status), asked.method);
  if (asked.table != nullptr)
    fmt::print("        Look at {}.\n", placeOf(asked.asMethod(), Symbolizer(getpid())));
  fmt::print("\n{}: the check ended there.\n", plugin);
}

}  // namespace

ExitCode checkPlugin(const Options& options) {
  if (options.arguments.size() != 1)
    throw UsageError("which plugin? Usage: mcmini plugin check FILE.so, or the name of a ready one");
  const std::string& named = options.arguments.front();
  if (named.ends_with(".cpp") || named.ends_with(".cc"))
    throw UsageError(named + " is a source. Build it first: mcmini plugin build " + named);
  Installation installation = Installation::ofThisExecutable();
  PluginSet plugins;
  loadPlugins(plugins, options, installation);
  PluginSet::Loaded plugin = findPlugin(plugins, named, installation);
  if (!definesAnything(plugins.catalog(), plugin.name))
    throw UsageError(plugin.file.string() +
                     " defines no operation and no policy: there is nothing to check.");

  Inquiry& inquiry = sharedInquiry();
  std::fflush(stdout);
  pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (child == 0) ask(plugins.catalog(), plugin.name, inquiry, options);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (inquiry.done) return static_cast<ExitCode>(WEXITSTATUS(status));
  tellMisfortune(plugin.name, status, inquiry.asked);
  return ExitCode::Bug;
}

}  // namespace mcmini
