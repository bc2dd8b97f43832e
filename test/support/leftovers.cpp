#include "test/support/leftovers.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace mcmini {

namespace fs = std::filesystem;

namespace {

constexpr int kNap = 5'000;  // microseconds
constexpr int kASecond = 1'000'000 / kNap;
constexpr int kAWhile = 10 * kASecond;

bool noChildIsLeft() {
  pid_t reaped = 0;
  while ((reaped = waitpid(-1, nullptr, WNOHANG)) > 0) continue;
  return reaped < 0;
}

/// Where it waits in the kernel, and for what it waits.
std::string whatItDoes(pid_t process) {
  std::string folder = "/proc/" + std::to_string(process);
  std::string text =
      "  waits in " + contentsOf(folder + "/wchan") + ", call " + contentsOf(folder + "/syscall");
  std::istringstream status(contentsOf(folder + "/status"));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("State") || line.starts_with("PPid") || line.find("Pnd") != std::string::npos ||
        line.starts_with("SigBlk"))
      text += "  " + line + "\n";
  return text;
}

/// Does one of those that come from it wait for the processor? On a busy machine it may have to for long,
/// even to end.
bool isBusy(pid_t process) {
  return std::ranges::any_of(childrenOf(process), [](pid_t child) {
    return contentsOf("/proc/" + std::to_string(child) + "/status").find("State:\tR") != std::string::npos ||
           isBusy(child);
  });
}

}  // namespace

std::string contentsOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();  // unlike an iterator, it takes no offence at a process that ends meanwhile
  return text.str();
}

std::vector<pid_t> childrenOf(pid_t process) {
  std::string id = std::to_string(process);
  std::istringstream list(contentsOf("/proc/" + id + "/task/" + id + "/children"));
  return {std::istream_iterator<pid_t>(list), {}};
}

void adoptOrphans() {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) throw std::runtime_error("cannot adopt orphans");
}

std::string processesLeft() {
  for (int naps = 0; !noChildIsLeft() && naps < (isBusy(getpid()) ? kAWhile : kASecond); ++naps) usleep(kNap);
  std::string left;
  while (!noChildIsLeft())
    for (pid_t child : childrenOf(getpid())) {
      std::string command = contentsOf("/proc/" + std::to_string(child) + "/cmdline");
      std::ranges::replace(command, '\0', ' ');
      left += std::to_string(child) + " " + command + "\n" + whatItDoes(child);
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  return left;
}

std::set<fs::path> filesIn(const fs::path& directory) {
  std::set<fs::path> found;
  fs::recursive_directory_iterator entry(directory, fs::directory_options::skip_permission_denied);
  for (; entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->path().filename() == kSaved)
      entry.disable_recursion_pending();
    else
      found.insert(entry->path());
  }
  return found;
}

std::set<fs::path> sharedMemory() {
  std::set<fs::path> found;
  for (const auto& entry : fs::directory_iterator("/dev/shm"))
    if (entry.path().string().find("mcmini") != std::string::npos) found.insert(entry.path());
  return found;
}

}  // namespace mcmini
