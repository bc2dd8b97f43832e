#include "core/report/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/report/conclusion.hpp"
#include "core/report/plural.hpp"

namespace mcmini {

namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 1s;  // what is over by then needs no progress
constexpr auto kOnTerminal = 200ms;
constexpr auto kInLog = 10s;

/// "1:02", "1:02:03".
std::string clockText(double seconds) {
  auto all = static_cast<std::uint64_t>(seconds);
  if (all < 3600) return fmt::format("{}:{:02}", all / 60, all % 60);
  return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
}

std::string rateText(double perSecond) {
  return perSecond < 10 ? fmt::format("{:.1f}/s", perSecond)
                        : withCommas(static_cast<std::uint64_t>(perSecond)) + "/s";
}

/// Of two digits: "130,000", "3.7 million".
std::string estimateText(double number) {
  constexpr double kMillion = 1e6;
  if (number < kMillion) return withCommas(roundedUp(number));
  if (number < 10 * kMillion) return fmt::format("{:.1f} million", number / kMillion);
  if (number < kMillion * kMillion) return withCommas(roundedUp(number / kMillion)) + " million";
  return "very many";
}

}  // namespace

Progress::Progress(std::FILE* out, Kind kind, Clock::time_point begin, std::size_t width)
    : out_(out),
      kind_(kind),
      begin_(begin),
      next_(begin + (kind == Kind::Log ? Clock::duration(kInLog) : Clock::duration(kPatience))),
      width_(width) {}

void Progress::tick(Clock::time_point now, const std::function<Figures()>& figures) {
  if (kind_ == Kind::None || now < next_) return;
  next_ = now + (kind_ == Kind::Log ? Clock::duration(kInLog) : Clock::duration(kOnTerminal));
  double seconds = std::chrono::duration<double>(now - begin_).count();
  Figures current = figures();
  std::string text = line(current, seconds);
  if (current.tellTotal()) estimates_.push_back({seconds, current.total()});
  if (kind_ == Kind::Terminal) {
    text.resize(std::min(text.size(), width_ - 1));  // one that is broken cannot be taken away
    fmt::print(out_, "\r{}\x1b[K", text);
    shown_ = true;
  } else {
    fmt::print(out_, "mcmini: {}\n", text);
  }
  std::fflush(out_);
}

std::string Progress::line(const Figures& figures, double seconds) const {
  std::string text =
      fmt::format("{} {}, {}, {}, {}", withCommas(figures.runs), figures.runs == 1 ? "run" : "runs",
                  rateText(static_cast<double>(figures.runs) / seconds),
                  figures.bugs == 0 ? "no bug" : plural(figures.bugs, "bug"), clockText(seconds));
  if (!figures.tellTotal()) return text;
  auto percent = static_cast<int>(figures.done * 100);
  std::string share = percent < 1 ? "<1%" : fmt::format("{}%", std::min(percent, 99));
  return fmt::format("{}; {} of {}, {} left ({})", text, share, estimateText(figures.total()),
                     timeText(seconds / figures.done - seconds), quality(seconds, figures.total()));
}

/// An estimate is as good as it has been steady: compared with that of half the time.
std::string Progress::quality(double seconds, double total) const {
  constexpr double kSteady = 1.2;
  constexpr double kRough = 2;
  auto before = std::ranges::lower_bound(estimates_, seconds / 2, {}, &Estimate::seconds);
  if (before == estimates_.end()) return "a guess";
  double factor = std::max(total / before->total, before->total / total);
  return factor < kSteady ? "steady" : factor < kRough ? "rough" : "a guess";
}

void Progress::clear() {
  if (!shown_) return;
  shown_ = false;
  fmt::print(out_, "\r\x1b[K");
  std::fflush(out_);
}

}  // namespace mcmini
