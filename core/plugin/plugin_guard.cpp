#include "core/plugin/plugin_guard.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <vector>

namespace mcmini {

namespace {

/// The code of a plugin. What a handler of signals looks at is there before, and never moves.
struct Code {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::array<char, 4096> file{};
  bool trusted = false;
};

#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;  // crashes and exceptions are the sanitizer's business
#else
constexpr bool kSanitized = false;
#endif

constexpr std::size_t kMostPlugins = 256;
std::array<Code, kMostPlugins> plugins;
std::size_t pluginCount = 0;
Code beingLoaded;
bool isLoading = false;
bool isWatching = false;
std::vector<std::filesystem::path> trusted;
const Code* lastThrower = nullptr;
int exitCodeOfFault = 1;

using Frames = std::array<void*, 64>;

std::span<void* const> framesHere(Frames& frames) {
  return std::span(frames).first(
      static_cast<std::size_t>(backtrace(frames.data(), static_cast<int>(frames.size()))));
}

const Code* codeAt(const void* address) {
  auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const Code& code : std::span(plugins).first(pluginCount))
    if (at >= code.begin && at < code.end) return &code;
  return nullptr;
}

/// The plugin whose code was called last, and the frame that called it. Plugins call one another: a lock asks
/// its wakeup policy.
struct Culprit {
  const Code* code = nullptr;
  const void* caller = nullptr;
};
Culprit culpritOf(std::span<void* const> frames) {
  Culprit culprit;
  for (void* frame : frames) {
    const Code* code = codeAt(frame);
    if (culprit.code == nullptr) culprit.code = code;
    if (culprit.code != nullptr && code != culprit.code) {
      culprit.caller = frame;
      break;
    }
  }
  if (culprit.code == nullptr && isLoading) culprit.code = &beingLoaded;
  return culprit;
}

void say(const char* text) {
  (void)!write(STDERR_FILENO, text, strlen(text));
}

[[noreturn]] void blame(const Code& code, const char* what, const char* more) {
  say("mcmini: the plugin ");
  say(code.file.data());
  say(what);
  say(more);
  say(". The fault is the plugin's; mcmini plugin check ");
  say(code.file.data());
  say(" may tell more.\n");
  _exit(exitCodeOfFault);
}

void onCrash(int signal) {
  Frames frames;
  Culprit culprit = culpritOf(framesHere(frames));
  if (culprit.code != nullptr) blame(*culprit.code, " crashed: SIG", sigabbrev_np(signal));
  say("mcmini: this is a bug of mcmini: SIG");
  say(sigabbrev_np(signal));
  say("\n");
  _exit(exitCodeOfFault);
}

/// A plugin that ends the process ends it for everybody.
void onExit() {
  if (!isWatching) return;
  Frames frames;
  Culprit culprit = culpritOf(framesHere(frames));
  if (culprit.code != nullptr) blame(*culprit.code, " ended the process", "");
}

constexpr int kOnce = static_cast<int>(SA_RESETHAND);
constexpr int kLookAfter = SIGVTALRM;
constexpr long kInterval = 500'000'000;  // nanoseconds of the checker's own work
constexpr int kMostTimes = 10;

/// A plugin that is asked again and again is seen at other places, too.
void lookAfter(int) {
  static Culprit last;
  static int times = 0;
  Frames frames;
  Culprit culprit = culpritOf(framesHere(frames));
  bool same = culprit.code != nullptr && culprit.code == last.code && culprit.caller == last.caller;
  times = same && !culprit.code->trusted ? times + 1 : 0;
  last = culprit;
  if (times >= kMostTimes)
    blame(*culprit.code, " does not come back", ": it has been asked something 5 seconds ago");
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

void startClock() {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = kLookAfter;
  timer_t timer{};
  if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0) return;
  itimerspec often{{0, kInterval}, {0, kInterval}};
  timer_settime(timer, 0, &often, nullptr);
}

void fill(Code& code, const std::filesystem::path& file) {
  strncpy(code.file.data(), file.c_str(), code.file.size() - 1);
  std::error_code unknown;
  code.trusted = std::ranges::any_of(trusted, [&](const std::filesystem::path& directory) {
    return directory == file.parent_path() ||
           std::filesystem::equivalent(directory, file.parent_path(), unknown);
  });
}

}  // namespace

void PluginGuard::watch(int exitCode) {
  exitCodeOfFault = exitCode;
  isWatching = true;
  Frames frames;
  framesHere(frames);  // loads what a handler must not load
  handle(kLookAfter, lookAfter, SA_RESTART);
  startClock();
  std::atexit(onExit);
  if (kSanitized) return;
  static std::array<char, std::size_t{64} * 1024> stack;
  stack_t alternate{};
  alternate.ss_sp = stack.data();
  alternate.ss_size = stack.size();
  sigaltstack(&alternate, nullptr);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) handle(signal, onCrash, SA_ONSTACK | kOnce);
}

void PluginGuard::leave() {
  isWatching = false;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(signal, SIG_DFL);
}

PluginGuard::Loading::Loading(const std::filesystem::path& file) {
  fill(beingLoaded, file);
  isLoading = true;
}

PluginGuard::Loading::~Loading() {
  isLoading = false;
}

void PluginGuard::loaded(const std::filesystem::path& file, const void* inside) {
  Dl_info info{};
  if (pluginCount == kMostPlugins || dladdr(inside, &info) == 0) return;
  Code& code = plugins[pluginCount];
  fill(code, file);
  code.begin = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  auto findEnd = [](dl_phdr_info* module, std::size_t, void* into) {
    auto& range = *static_cast<Code*>(into);
    if (module->dlpi_addr != range.begin) return 0;
    for (const auto& segment : std::span(module->dlpi_phdr, module->dlpi_phnum))
      if (segment.p_type == PT_LOAD) range.end = range.begin + segment.p_vaddr + segment.p_memsz;
    return 1;
  };
  if (dl_iterate_phdr(findEnd, &code) == 1) ++pluginCount;
}

void PluginGuard::trust(const std::filesystem::path& directory) {
  trusted.push_back(directory);
}

std::string PluginGuard::thrower() {
  return lastThrower == nullptr ? "" : std::string(lastThrower->file.data());
}

}  // namespace mcmini

#ifndef __SANITIZE_ADDRESS__
/// Stands in front of the C++ library's __cxa_throw: where an exception comes from is known only there.
/// Compilers have their own idea of how it is declared.
extern "C" [[noreturn]] void mcminiThrow(void* thrown, void* type,
                                         void (*destroy)(void*)) __asm__("__cxa_throw");

extern "C" void mcminiThrow(void* thrown, void* type, void (*destroy)(void*)) {
  static const auto real = reinterpret_cast<decltype(&mcminiThrow)>(dlsym(RTLD_NEXT, "__cxa_throw"));
  mcmini::Frames frames;
  mcmini::lastThrower = mcmini::culpritOf(mcmini::framesHere(frames)).code;
  real(thrown, type, destroy);
  __builtin_unreachable();
}
#endif
