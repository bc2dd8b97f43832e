#include "core/report/bug_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace mcmini {

namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t kMostNumber = 999'999'999;

/// The number that a file's name begins with; nothing if it is none of ours.
std::optional<std::uint32_t> numberOf(const fs::path& file) {
  std::string name = file.filename().string();
  std::uint32_t number = 0;
  auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  bool ours = error == std::errc{} && *end == '-' && file.extension() == ".yaml" && number <= kMostNumber;
  return ours ? std::optional(number) : std::nullopt;
}

/// A directory that nobody else saves into as long as this object is there.
class Locked {
 public:
  explicit Locked(const fs::path& directory)
      : descriptor_(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw SavedBugError(directory.string() + ": " + std::strerror(errno));
    while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) continue;
  }
  ~Locked() { close(descriptor_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  int descriptor_;
};

void writeNew(const fs::path& file, const std::string& text) {
  int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) throw SavedBugError(file.string() + ": " + std::strerror(errno));
  bool written = write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  int why = errno;
  written = close(descriptor) == 0 && written;
  if (written) return;
  unlink(file.c_str());
  throw SavedBugError(file.string() + ": " + std::strerror(why));
}

}  // namespace

SavedAs BugStore::save(const SavedBug& bug) const {
  std::error_code error;
  fs::create_directories(directory_, error);
  if (error) throw SavedBugError(directory_.string() + ": " + error.message());
  Locked lock(directory_);
  std::string name = fmt::format("-{}-{}.yaml", bug.kind, bug.hash());
  std::uint32_t next = 1;
  for (const SavedAs& saved : all()) {
    if (saved.file.filename().string().ends_with(name)) return saved;
    next = saved.number + 1;
  }
  fs::path file = directory_ / fmt::format("{:03}{}", next, name);
  writeNew(file, asYaml(bug));
  return {next, file};
}

std::vector<SavedAs> BugStore::all() const {
  std::vector<SavedAs> found;
  std::error_code error;
  std::error_code unknown;
  for (fs::directory_iterator entry(directory_, error), end; !error && entry != end; entry.increment(error))
    if (auto number = numberOf(entry->path()); number && entry->is_regular_file(unknown))
      found.push_back({*number, entry->path()});
  if (error && error != std::errc::no_such_file_or_directory)
    throw SavedBugError(fmt::format("{} cannot be read: {}.", directory_.string(), error.message()));
  std::ranges::sort(found, {}, [](const SavedAs& saved) { return std::pair(saved.number, saved.file); });
  return found;
}

std::optional<SavedAs> BugStore::find(std::uint32_t number) const {
  for (const SavedAs& saved : all())
    if (saved.number == number) return saved;
  return std::nullopt;
}

}  // namespace mcmini
