#include "core/target/debuggee.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/target/program_start.hpp"
#include "core/target/target_error.hpp"

namespace mcmini {

namespace {

/// Stays open when this process becomes another one.
int inherited(int descriptor) {
  return inheritedAs(F_DUPFD, descriptor);
}

int inheritedPlan(const wire::Settings& settings, const DebuggedRun& run) {
  const std::vector<DebuggedStep>& steps = run.steps;
  if (steps.size() >= wire::kMaxSteps) throw std::length_error("a plan with too many steps");
  Channel channel;
  channel->settings = settings;
  channel->onOperation = wire::Channel::kDebugger;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const DebuggedStep& step = steps[i];
    wire::Step& planned = channel->steps[i];
    planned.plan = {index(step.step.thread), step.step.last, step.step.involuntary, step.step.result};
    planned.taken.name = static_cast<std::uint64_t>(step.operation);
    planned.taken.flags = step.comesToNone ? wire::Op::kComesToNone : 0;
  }
  channel->debugger.comesToNone = run.comesToNone ? 1 : 0;
  channel->planned = static_cast<std::uint32_t>(steps.size());
  for (const MemoryRange& range : run.promoted)
    channel->accesses.promoted[channel->accesses.promotedCount++] = {range.begin, range.end};
  return inherited(channel.descriptor());
}

/// Texts one after the other, each with a zero at its end.
class Texts {
 public:
  void add(const std::string& text) { bytes_ += text + '\0'; }
  void add(std::size_t number) { add(std::to_string(number)); }
  void add(const std::vector<std::string>& texts) {
    add(texts.size());
    for (const std::string& text : texts) add(text);
  }

  int inheritedFile() const {
    int file = memfd_create("mcmini-start", MFD_CLOEXEC);
    if (file < 0 || write(file, bytes_.data(), bytes_.size()) != static_cast<ssize_t>(bytes_.size()))
      throw TargetError(cannot("write to memory", errno));
    int kept = inherited(file);
    close(file);
    return kept;
  }

  /// What was written to such a file; its position stays where it is, since others have it, too.
  static Texts of(int file) {
    Texts texts;
    std::vector<char> buffer(65536);
    for (ssize_t size = 0;
         (size = pread(file, buffer.data(), buffer.size(), static_cast<off_t>(texts.bytes_.size()))) > 0;)
      texts.bytes_.append(buffer.data(), static_cast<std::size_t>(size));
    return texts;
  }
  std::string next() {
    std::string text = bytes_.c_str() + at_;
    at_ = std::min(bytes_.size(), at_ + text.size() + 1);
    return text;
  }
  int nextNumber() { return std::atoi(next().c_str()); }
  std::vector<std::string> nextList() {
    std::vector<std::string> list(static_cast<std::size_t>(nextNumber()));
    for (std::string& text : list) text = next();
    return list;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

/// The program's output is hidden; returns where it would have gone.
int hide(int descriptor) {
  int kept = inherited(descriptor);
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(null, descriptor);
  close(null);
  return kept;
}

}  // namespace

int prepareDebuggee(const ForkTargetOptions& options, const wire::Settings& settings,
                    const DebuggedRun& run) {
  int preload = openPreload(options);
  wire::Settings own = settings;
  own.preloadFd = preload;
  own.captureFd = -1;
  int channel = inheritedPlan(own, run);
  int input = options.standardInput >= 0 ? options.standardInput : open("/dev/null", O_RDONLY | O_CLOEXEC);
  ProgramStart start = startOf(options, channel, preload, settings.boundNow != 0);
  Texts texts;
  texts.add(static_cast<std::size_t>(channel));
  texts.add(static_cast<std::size_t>(inherited(input)));
  texts.add(std::filesystem::current_path().string());
  texts.add(start.program);
  texts.add(start.arguments);
  texts.add(start.environment);
  return texts.inheritedFile();
}

void becomeDebuggee(const DebuggeeStart& start) {
  Texts texts = Texts::of(start.prepared);
  int channel = texts.nextNumber();
  int input = texts.nextNumber();
  wire::Debugger debugger{};
  if (pread(channel, &debugger, sizeof debugger, offsetof(wire::Channel, debugger)) !=
      static_cast<ssize_t>(sizeof debugger))
    return;
  debugger.stopAt = start.stopAt;
  debugger.output = debugger.error = -1;
  if (start.quiet) {
    debugger.output = hide(STDOUT_FILENO);
    debugger.error = hide(STDERR_FILENO);
  }
  if (pwrite(channel, &debugger, sizeof debugger, offsetof(wire::Channel, debugger)) !=
      static_cast<ssize_t>(sizeof debugger))
    return;
  dup2(input, STDIN_FILENO);
  close(input);
  close(start.prepared);
  if (chdir(texts.next().c_str()) != 0) return;
  ProgramStart program{texts.next(), texts.nextList(), texts.nextList()};
  become(program);
}

}  // namespace mcmini
