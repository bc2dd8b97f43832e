#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/report/creation_order.hpp"
#include "core/search/strategy.hpp"

namespace mcmini {

/// One run, along a schedule that comes from outside.
class Follower : public Strategy {
 public:
  struct Turn {
    std::uint32_t thread = 0;  ///< By the order of creation.
    std::optional<std::uint32_t> patience;
    std::uint32_t alternative = 0;
  };
  /// Is that what the thread is to do at this step, from 0?
  using Fits = std::function<bool(std::size_t step, const Execution& run, const Transition& next)>;

  /// Where the program does not do what the schedule says.
  struct Departure {
    enum class Why : std::uint8_t { NoSuchThread, Gone, Waits, Different, NoSuchChoice };
    std::size_t step;
    Why why;
    ThreadId thread;  ///< Unless there is no such thread.
  };

  Follower(std::vector<Turn> schedule, Fits fits) : schedule_(std::move(schedule)), fits_(std::move(fits)) {}

  std::optional<Branch> next() override;
  std::optional<ThreadId> choose(const Execution& run) override;
  std::optional<std::uint32_t> patience() const override { return patience_; }
  std::uint32_t alternative() const override { return alternative_; }
  void learn(const Execution&) override {}
  void forget() override;

  const std::optional<Departure>& departure() const { return departure_; }
  const CreationOrder& threads() const { return threads_; }

 private:
  std::optional<ThreadId> depart(std::size_t step, Departure::Why why, ThreadId thread = {});

  std::vector<Turn> schedule_;
  Fits fits_;
  CreationOrder threads_;
  std::optional<std::uint32_t> patience_;
  std::uint32_t alternative_ = 0;
  std::optional<Departure> departure_;
  bool started_ = false;
};

}  // namespace mcmini
