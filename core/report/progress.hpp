#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "core/search/explorer.hpp"

namespace mcmini {

/// Tells how a search gets on that takes longer than a second: on a terminal a line that is written anew in
/// its place, and that is gone before anything else is printed; elsewhere a line from time to time.
class Progress : public Observer {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Kind : std::uint8_t { None, Terminal, Log };

  struct Figures {
    std::uint64_t runs = 0;
    std::uint64_t bugs = 0;
    double done = 0;  ///< See Strategy::done.

    /// Before the first run is over there is nothing to guess from.
    bool tellTotal() const { return runs > 0 && done > 0; }
    double total() const { return static_cast<double>(runs) / done; }
  };

  Progress(std::FILE* out, Kind kind, Clock::time_point begin, std::size_t width = 80);
  ~Progress() override { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Asked for figures when it is time to print them. To be called often.
  void tick(Clock::time_point now, const std::function<Figures()>& figures);

  /// Takes the line away.
  void clear();

  // Somebody is about to print.
  void onFinding(const Finding&) override { clear(); }
  void onThreadsLeft(const Execution&, const std::vector<TransitionPtr>&) override { clear(); }
  void onThreadsRunning(const Execution&, const std::vector<ThreadId>&) override { clear(); }

 private:
  struct Estimate {
    double seconds;
    double total;  ///< Runs.
  };

  std::string line(const Figures& figures, double seconds) const;
  std::string quality(double seconds, double total) const;

  std::FILE* out_;
  Kind kind_;
  Clock::time_point begin_;
  Clock::time_point next_;
  std::size_t width_;
  bool shown_ = false;
  std::vector<Estimate> estimates_;
};

}  // namespace mcmini
