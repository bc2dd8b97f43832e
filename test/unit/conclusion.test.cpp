#include "core/report/conclusion.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "core/report/progress.hpp"
#include "test/support/none.hpp"

namespace mcmini {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using namespace std::chrono_literals;

struct AnyOrder : WakeupPolicy {
  bool orderMatters() const override { return false; }
  std::string describe() const override { return "any"; }
};
struct InOrder : WakeupPolicy {
  std::string describe() const override { return "one after the other"; }
};

Limits under(std::shared_ptr<const WakeupPolicy> policy) {
  Limits limits;
  limits.policies.setDefault(std::move(policy));
  return limits;
}

std::string of(const Summary& summary, const Circumstances& circumstances = {}, const Limits& limits = {}) {
  return conclusion(summary, limits, circumstances, "prog.c:3");
}

Summary stopped(Cut cut, double done, std::uint32_t deepest = 0) {
  Summary summary;
  summary.traces = 912;
  summary.cut = cut;
  summary.done = done;
  summary.deepestThread = deepest;
  return summary;
}

TEST_CASE("a search that is over says what it covers", "[conclusion]") {
  Summary summary;
  summary.traces = 1;
  CHECK(of(summary) == "No bug in 1 run. Complete: every order of thread operations was considered.");
  summary.bugs = 2;
  summary.threadDepthMet = true;
  Limits limits;
  limits.threadDepth = 8;
  CHECK(of(summary, {}, limits) == "2 bugs in 1 run. Complete for at most 8 operations per thread.");
  summary.threadDepthMet = false;
  summary.cutLoop = 1;
  CHECK(of(summary) ==
        "2 bugs in 1 run. Bounded: the loop at prog.c:3 was followed for 2 rounds only (--max-repeats).");
}

TEST_CASE("a bug in a run that was stopped is one of the first run", "[conclusion]") {
  Summary summary = stopped(Cut::Time, 0);
  summary.traces = 0;
  summary.bugs = 1;
  CHECK_THAT(of(summary, {.seconds = 3}),
             StartsWith("1 bug in the first run, stopped by --time after 3.0 s."));
}

TEST_CASE("a search that was stopped says how far it got and what to try next", "[conclusion]") {
  CHECK(of(stopped(Cut::Time, 0.123, 9), {.seconds = 60}) ==
        "No bug in 912 runs, stopped by --time after 60 s at about 12% (rough).\n"
        "Next: --time 13m or --max-thread-depth 6.");
  CHECK(of(stopped(Cut::Interrupted, 0.5, 9), {.seconds = 3.21}) ==
        "No bug in 912 runs, interrupted after 3.2 s at about 50% (rough).\nNext: --max-thread-depth 6.");
  CHECK(of(stopped(Cut::Traces, 0.5), {.seconds = 3}) ==
        "No bug in 912 runs, stopped by --max-traces after 3.0 s at about 50% (rough).\nNext: --max-traces "
        "2800.");
}

TEST_CASE("advice is given where it applies only", "[conclusion]") {
  CHECK_THAT(of(stopped(Cut::Time, 0, 1)), !Contains("Next") && !Contains("%"));
  CHECK_THAT(of(stopped(Cut::Time, 0.001, 20), {.seconds = 60}),
             Contains("at less than 1%") && Contains("Next: --max-thread-depth 10."));
  CHECK_THAT(of(stopped(Cut::FirstBug, 0.5, 20)), !Contains("Next") && !Contains("%"));
  CHECK_THAT(of(stopped(Cut::Stuck, 0.5, 20)), !Contains("Next"));
  CHECK_THAT(of(stopped(Cut::Time, 0, 0), {.optimal = false}), Contains("Next: --search optimal."));
}

TEST_CASE("a policy with an order is advised where there is a choice", "[conclusion]") {
  Summary summary = stopped(Cut::Interrupted, 0, 0);
  Circumstances waits{.waitsForConditions = true};
  CHECK_THAT(of(summary, waits, under(std::make_shared<AnyOrder>())), Contains("Next: --policy cond=fifo."));
  CHECK_THAT(of(summary, waits, under(std::make_shared<InOrder>())), !Contains("Next"));
  CHECK_THAT(of(summary, {}, under(std::make_shared<AnyOrder>())), !Contains("Next"));
  Limits limits = under(std::make_shared<AnyOrder>());
  limits.policies.setSpuriousWakeups(2);
  CHECK_THAT(of(summary, waits, limits), Contains("Next: --spurious-wakeups 1."));
}

TEST_CASE("the lines of a conclusion fit 80 columns", "[conclusion]") {
  for (Cut cut : {Cut::None, Cut::Time, Cut::Traces, Cut::Interrupted, Cut::FirstBug, Cut::Stuck}) {
    Summary summary = stopped(cut, 0.5, 30);
    for (bool Summary::*what :
         {&Summary::strayed, &Summary::uncontrolled, &Summary::endedUnseen, &Summary::stuckSeen,
          &Summary::runDepthMet, &Summary::interrupted, &Summary::racesLeft, &Summary::racesMeant,
          &Summary::accessesLost, &Summary::inputLate}) {
      summary.*what = true;
      std::istringstream lines(
          of(summary, {.seconds = 100, .waitsForConditions = true}, under(std::make_shared<AnyOrder>())));
      for (std::string line; std::getline(lines, line);) {
        INFO(line);
        CHECK(line.size() <= 80);
      }
      summary.*what = false;
    }
  }
}

/// What a Progress prints when time passes as it is told.
class Screen {
 public:
  explicit Screen(Progress::Kind kind, std::size_t width = 80)
      : file_(open_memstream(&text_, &size_)),
        progress_(std::make_unique<Progress>(file_, kind, begin_, width)) {}
  ~Screen() {
    progress_.reset();
    std::fclose(file_);
    free(text_);
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// What has been printed since the last time.
  std::string at(std::chrono::milliseconds time, const Progress::Figures& figures) {
    progress_->tick(begin_ + time, [&] { return figures; });
    return news();
  }
  std::string afterClear() {
    progress_->clear();
    return news();
  }
  std::string news() {
    std::fflush(file_);
    std::string all(text_, size_);
    std::string found = all.substr(seen_);
    seen_ = all.size();
    return found;
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
  Progress::Clock::time_point begin_;
  std::unique_ptr<Progress> progress_;
  std::size_t seen_ = 0;
};

TEST_CASE("progress on a terminal is one line, after a second", "[progress]") {
  Screen screen(Progress::Kind::Terminal);
  CHECK(screen.at(999ms, {100, 0, 0.1}) == kNone);
  CHECK(screen.at(2000ms, {12480, 0, 0.1}) ==
        "\r12,480 runs, 6,240/s, no bug, 0:02; 10% of 130,000, 18 s left (a guess)\x1b[K");
  CHECK(screen.at(2100ms, {12481, 0, 0.1}) == kNone);
  CHECK_THAT(screen.at(2300ms, {12490, 1, 0.1}), Contains("1 bug, 0:02"));
  CHECK(screen.afterClear() == "\r\x1b[K");
  CHECK(screen.afterClear() == kNone);
}

TEST_CASE("progress guesses at nothing before the first run is over", "[progress]") {
  Screen screen(Progress::Kind::Terminal);
  CHECK(screen.at(1000ms, {0, 0, 1}) == "\r0 runs, 0.0/s, no bug, 0:01\x1b[K");
}

TEST_CASE("progress in a log is a line every ten seconds", "[progress]") {
  Screen screen(Progress::Kind::Log);
  CHECK(screen.at(9s, {100, 0, 0.1}) == kNone);
  CHECK(screen.at(10s, {50, 2, 0}) == "mcmini: 50 runs, 5.0/s, 2 bugs, 0:10\n");
  CHECK(screen.at(19s, {100, 0, 0.1}) == kNone);
  CHECK_THAT(screen.at(3700s, {100, 0, 0.001}), Contains("1:01:40; <1% of 100,000, 43 days"));
  CHECK(screen.afterClear() == kNone);
}

TEST_CASE("without progress nothing is printed", "[progress]") {
  Screen screen(Progress::Kind::None);
  CHECK(screen.at(100s, {100, 0, 0.1}) == kNone);
}

TEST_CASE("a line of progress is never wider than the terminal", "[progress]") {
  Screen screen(Progress::Kind::Terminal, 20);
  CHECK(screen.at(2s, {12480, 0, 0.1}) == "\r12,480 runs, 6,240/\x1b[K");
}

TEST_CASE("large figures fit the line", "[progress]") {
  Screen screen(Progress::Kind::Log, 80);
  CHECK(screen.at(3723s, {12'345'678, 12, 0.004}) ==
        "mcmini: 12,345,678 runs, 3,316/s, 12 bugs, 1:02:03; <1% of 3,100 million, 11 days left (a guess)\n");
}

TEST_CASE("how good an estimate is depends on how steady it was", "[progress]") {
  Screen screen(Progress::Kind::Terminal);
  screen.at(2s, {100, 0, 0.1});
  CHECK_THAT(screen.at(4s, {200, 0, 0.2}), Contains("(steady)"));
  CHECK_THAT(screen.at(8s, {400, 0, 0.3}), Contains("(rough)"));
  CHECK_THAT(screen.at(16s, {800, 0, 0.1}), Contains("(a guess)"));
}

}  // namespace
}  // namespace mcmini
