#pragma once

#include <sched.h>

#include <stop_token>
#include <thread>
#include <vector>

namespace mcmini {

/// While it lives, this thread and the processes that it starts share one processor with so many others that
/// always have something to do.
class BusyProcessor {
 public:
  explicit BusyProcessor(int others) {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; i < others; ++i)
      others_.emplace_back([](const std::stop_token& end) {
        while (!end.stop_requested()) continue;
      });
  }
  ~BusyProcessor() { sched_setaffinity(0, sizeof before_, &before_); }
  BusyProcessor(const BusyProcessor&) = delete;
  BusyProcessor& operator=(const BusyProcessor&) = delete;

 private:
  cpu_set_t before_{};
  std::vector<std::jthread> others_;
};

}  // namespace mcmini
