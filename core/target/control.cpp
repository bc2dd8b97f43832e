#include "core/target/control.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "core/target/elf_file.hpp"

namespace mcmini {

namespace {

namespace fs = std::filesystem;

/// Beginnings of names: every function of these families concerns threads.
constexpr std::array kFamilies = {"pthread_", "sem_", "thrd_", "mtx_", "cnd_", "tss_"};

/// Other calls that give way to other threads.
constexpr std::array kYielding = {"call_once", "clock_nanosleep", "nanosleep", "sched_yield",
                                  "sleep",     "syscall",         "usleep"};

/// Of the families, what neither waits nor orders anything.
constexpr std::array kHarmless = {"pthread_attr_",
                                  "pthread_mutexattr_",
                                  "pthread_condattr_",
                                  "pthread_rwlockattr_",
                                  "pthread_barrierattr_",
                                  "pthread_self",
                                  "pthread_equal",
                                  "pthread_key_",
                                  "pthread_getspecific",
                                  "pthread_sigmask",
                                  "pthread_setspecific",
                                  "pthread_setname_np",
                                  "pthread_getname_np",
                                  "pthread_exit",
                                  "pthread_getattr_np",
                                  "pthread_getaffinity_np",
                                  "pthread_setaffinity_np",
                                  "pthread_getschedparam",
                                  "pthread_setschedparam",
                                  "pthread_setschedprio",
                                  "pthread_getconcurrency",
                                  "pthread_setconcurrency",
                                  "pthread_getcpuclockid",
                                  "pthread_atfork",
                                  "pthread_mutex_getprioceiling",
                                  "pthread_mutex_setprioceiling",
                                  "pthread_getattr_default_np",
                                  "pthread_setattr_default_np",
                                  "pthread_once_",
                                  "thrd_current",
                                  "thrd_equal",
                                  "tss_"};

/// Others that wait for something outside of the thread.
constexpr std::array kWaiting = {"alarm",           "ualarm",       "setitimer",
                                 "accept",          "accept4",      "aio_suspend",
                                 "connect",         "epoll_pwait",  "epoll_pwait2",
                                 "epoll_wait",      "eventfd_read", "flock",
                                 "getaddrinfo_a",   "io_getevents", "lockf",
                                 "lockf64",         "mq_receive",   "mq_send",
                                 "mq_timedreceive", "mq_timedsend", "msgrcv",
                                 "msgsnd",          "pause",        "poll",
                                 "ppoll",           "pselect",      "recv",
                                 "recvfrom",        "recvmmsg",     "recvmsg",
                                 "select",          "semop",        "semtimedop",
                                 "sigsuspend",      "sigtimedwait", "sigwait",
                                 "sigwaitinfo",     "timer_create", "wait",
                                 "wait3",           "wait4",        "waitid",
                                 "waitpid",         "pthread_kill", "pthread_sigqueue",
                                 "flockfile",       "ftrylockfile", "funlockfile"};

/// Beginnings of names, of libraries that make locks and teams of threads of their own: OpenMP as gcc and as
/// clang translate it, GLib. They ask the kernel only where a thread finds a lock taken.
constexpr std::array kOtherLocks = {"GOMP_",         "__kmpc_",        "omp_set_lock", "omp_set_nest_lock",
                                    "omp_test_lock", "omp_test_nest_", "g_mutex_",     "g_cond_"};

/// Libraries whose own waiting is no business of the user's.
constexpr std::array kRuntime = {"libc.so",   "libc-",     "ld-linux",       "libm.so",      "libm-",
                                 "libstdc++", "libgcc_s",  "libpthread",     "libmcmini.so", "libdl.so",
                                 "librt.so",  "libatomic", "libmcmini_stub", "libtsan.so"};

template <class List>
bool startsWithAny(const std::string& name, const List& beginnings) {
  return std::ranges::any_of(beginnings, [&](const char* beginning) { return name.starts_with(beginning); });
}

bool anyStartsWith(const std::vector<std::string>& names, std::string_view beginning) {
  return std::ranges::any_of(names, [&](const std::string& name) { return name.starts_with(beginning); });
}

bool tellsOfMemory(const std::set<std::string>& imported) {
  return std::ranges::any_of(imported, [](const std::string& name) { return name.starts_with("__tsan_"); });
}

bool isOneOf(const std::string& function, const auto& names) {
  return std::ranges::find(names, function) != names.end();
}

bool synchronizes(const std::string& function) {
  if (isOneOf(function, kWaiting) || isOneOf(function, kYielding)) return true;
  return startsWithAny(function, kFamilies) && !startsWithAny(function, kHarmless);
}

std::vector<fs::path> modulesOf(pid_t process) {
  std::vector<fs::path> modules;
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string range;
    std::string rights;
    std::string ignored;
    std::string path;
    words >> range >> rights >> ignored >> ignored >> ignored;
    std::getline(words >> std::ws, path);
    bool code = rights.find('x') != std::string::npos && path.starts_with('/');
    if (code && !startsWithAny(fs::path(path).filename().string(), kRuntime) &&
        std::ranges::find(modules, fs::path(path)) == modules.end())
      modules.emplace_back(path);
  }
  return modules;
}

}  // namespace

Control controlOver(pid_t process, const fs::path& preload) {
  Control control;
  control.modules = modulesOf(process);
  std::set<std::string> offered = ElfFile(preload).exportedFunctions();
  for (const fs::path& module : control.modules) {
    if (!fs::is_regular_file(module)) continue;
    ElfFile elf(module);
    std::set<std::string> imported = elf.importedFunctions();
    control.sanitized |= anyStartsWith(elf.needed(), "libtsan.so");
    if (!tellsOfMemory(imported)) control.unwatched.push_back(module);
    for (const std::string& function : imported) {
      if (startsWithAny(function, kOtherLocks)) {
        control.hasOtherLocks = true;
        control.uncontrolled.insert(function);
      }
      if (!synchronizes(function)) continue;
      bool modelled = offered.contains(function) && !isOneOf(function, kWaiting);
      (modelled ? control.controlled : control.uncontrolled).insert(function);
    }
  }
  return control;
}

}  // namespace mcmini
