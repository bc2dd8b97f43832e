#include "core/target/step_clock.hpp"

#include <time.h>

#include <fstream>
#include <string>

namespace mcmini {

namespace {

std::chrono::nanoseconds processorTime(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (process <= 0 || clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
    return std::chrono::nanoseconds{0};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

void StepClock::tick(std::chrono::milliseconds passed, std::uint32_t steps, pid_t process) {
  if (waited_.count() == 0 || steps != steps_ || process != process_) {
    slow_ = slowSteps();
    steps_ = steps;
    process_ = process;
    waited_ = std::chrono::milliseconds{0};
    before_ = processorTime(process);
  }
  waited_ += passed;
}

std::chrono::nanoseconds StepClock::worked() const {
  return processorTime(process_) - before_;
}

std::map<std::uint32_t, std::chrono::nanoseconds> StepClock::slowSteps() const {
  auto steps = slow_;
  if (waited_.count() > 0) steps[steps_] = worked();
  return steps;
}

bool isAsleep(pid_t process, std::uint32_t thread) {
  std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/stat");
  std::string text;
  std::getline(file, text);
  auto name = text.rfind(") ");
  return name != std::string::npos && text.substr(name + 2, 1) != "R";
}

}  // namespace mcmini
