#include "core/app/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/app/errors.hpp"

namespace mcmini {

namespace {

constexpr int kPatienceMs =
    50;  // a pipe from echo or cat has something by then; an idle one must not hang us
constexpr int kAnnounceMs = 1000;
constexpr off_t kMostKept = 1 << 20;

bool readable(int timeoutMs) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, timeoutMs) > 0;
}

void copyToEnd(int into, const std::function<void(const std::string&)>& note) {
  std::array<char, 65536> buffer{};
  for (bool told = false;;) {
    if (!told && !readable(kAnnounceMs)) {
      told = true;
      note("reading standard input to its end, so that every run gets the same (--stdin FILE to use a file)");
    }
    ssize_t size = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) throw UsageError("interrupted while reading standard input.");
    if (size <= 0) return;
    if (write(into, buffer.data(), static_cast<std::size_t>(size)) != size)
      throw UsageError(
          "standard input is too large to keep in memory. Put it into a file and use --stdin FILE.");
  }
}

}  // namespace

int openInput(const std::optional<std::filesystem::path>& file,
              const std::function<void(const std::string&)>& note) {
  if (file) {
    int descriptor = open(file->c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw UsageError("--stdin " + file->string() + ": " + std::strerror(errno) + ".");
    return descriptor;
  }
  struct stat info {};
  if (fstat(STDIN_FILENO, &info) != 0 || S_ISCHR(info.st_mode))
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (S_ISREG(info.st_mode)) return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  int copy = memfd_create("mcmini-input", MFD_CLOEXEC);
  if (readable(kPatienceMs))
    copyToEnd(copy, note);
  else
    note(
        "standard input is a pipe with nothing in it; the program gets an empty one (--stdin FILE to give it "
        "more)");
  return copy;
}

int inputOf(const std::string& text) {
  int copy = memfd_create("mcmini-input", MFD_CLOEXEC);
  if (write(copy, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw UsageError("there is no memory for the standard input.");
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
