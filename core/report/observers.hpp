#pragma once

#include <utility>
#include <vector>

#include "core/search/explorer.hpp"

namespace mcmini {

/// Tells several what an exploration comes across, in this order.
class Observers : public Observer {
 public:
  explicit Observers(std::vector<Observer*> all) : all_(std::move(all)) {}

  void add(Observer& one) { all_.push_back(&one); }

  void onFinding(const Finding& finding) override {
    for (Observer* one : all_) one->onFinding(finding);
  }
  void onThreadsLeft(const Execution& run, const std::vector<TransitionPtr>& waiting) override {
    for (Observer* one : all_) one->onThreadsLeft(run, waiting);
  }
  void onThreadsRunning(const Execution& run, const std::vector<ThreadId>& threads) override {
    for (Observer* one : all_) one->onThreadsRunning(run, threads);
  }
  void onRunEnd(const Execution& run, Ending ending, const Summary& soFar) override {
    for (Observer* one : all_) one->onRunEnd(run, ending, soFar);
  }

 private:
  std::vector<Observer*> all_;
};

}  // namespace mcmini
