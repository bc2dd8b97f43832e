#include "core/app/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/app/errors.hpp"
#include "core/search/target.hpp"
#include "core/target/target_error.hpp"

namespace mcmini {

namespace {

constexpr int kPatienceMs =
    50;  // a pipe from echo or cat has something by then; an idle one must not hang us
constexpr int kAnnounceMs = 1000;
constexpr int kSliceMs = 100;  // how often one who waits looks around
constexpr off_t kMostKept = 1 << 20;
constexpr ssize_t kMostCopied = 256 << 20;  // in memory, as long as the check lasts

bool readable(int timeoutMs) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, timeoutMs) > 0;
}

void copyToEnd(int into, const WhileReading& meanwhile) {
  std::array<char, 65536> buffer{};
  ssize_t copied = 0;
  bool told = false;
  for (int waited = 0; !meanwhile.timeIsUp();) {
    if (meanwhile.interrupted()) throw Interrupted{};
    if (!readable(kSliceMs)) {
      waited += kSliceMs;
      if (waited < kAnnounceMs || std::exchange(told, true)) continue;
      meanwhile.note(
          "reading standard input to its end, so that every run gets the same (--stdin FILE to use a file)");
      continue;
    }
    ssize_t size = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    copied += size;
    if (copied > kMostCopied)
      throw TargetError(
          "standard input has more than 256 MiB, or no end. Every run gets all of it, so it is read first. "
          "If the program does not need it: </dev/null. If it does, put it into a file: --stdin FILE.");
    if (write(into, buffer.data(), static_cast<std::size_t>(size)) != size)
      throw TargetError("there is no memory for the standard input (" + std::string(std::strerror(errno)) +
                        "). Put it into a file and use --stdin FILE.");
  }
}

}  // namespace

int openInput(const std::optional<std::filesystem::path>& file, const WhileReading& meanwhile) {
  if (file) {
    int descriptor = open(file->c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw UsageError("--stdin " + file->string() + ": " + std::strerror(errno) + ".");
    struct stat info {};
    if (fstat(descriptor, &info) == 0 && S_ISDIR(info.st_mode))
      throw UsageError("--stdin " + file->string() + ": this is a directory.");
    return descriptor;
  }
  struct stat info {};
  if (fstat(STDIN_FILENO, &info) != 0 || S_ISCHR(info.st_mode))
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (S_ISREG(info.st_mode)) return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  int copy = memfd_create("mcmini-input", MFD_CLOEXEC);
  if (copy < 0) throw TargetError(cannot("keep standard input", errno));
  if (readable(kPatienceMs))
    copyToEnd(copy, meanwhile);
  else
    meanwhile.note(
        "standard input is a pipe with nothing in it; the program gets an empty one (--stdin FILE to give it "
        "more)");
  return copy;
}

bool inputCameLate() {
  struct stat info {};
  int size = 0;
  bool isPipe = fstat(STDIN_FILENO, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode));
  return isPipe && ioctl(STDIN_FILENO, FIONREAD, &size) == 0 && size > 0;
}

int inputOf(const std::string& text) {
  int copy = memfd_create("mcmini-input", MFD_CLOEXEC);
  if (copy < 0 || write(copy, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw TargetError(cannot("keep standard input", errno));
  return copy;
}

KeptInput keptInput(int descriptor) {
  std::error_code error;
  auto file = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error);
  if (!error && std::filesystem::exists(file, error)) return {file.string(), ""};
  struct stat info {};
  KeptInput kept;
  if (fstat(descriptor, &info) != 0 || info.st_size > kMostKept) return kept;
  kept.text.resize(static_cast<std::size_t>(info.st_size));
  if (pread(descriptor, kept.text.data(), kept.text.size(), 0) != info.st_size) kept.text.clear();
  return kept;
}

}  // namespace mcmini
