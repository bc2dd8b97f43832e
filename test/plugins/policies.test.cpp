#include <catch2/catch.hpp>

#include <set>

#include "plugins/policy_laws.hpp"
#include "test/support/built_in.hpp"
#include "test/support/none.hpp"

// What every wakeup policy keeps, whoever it prefers: over all short histories of one queue.

using namespace mcmini;
using namespace mcmini::test;

namespace {

const std::vector<std::string> kPolicies = {"arbitrary", "fifo", "lifo", "spurious"};
constexpr std::uint32_t kThreads = 3;
constexpr int kLength = 7;

/// What happens at a queue. A thread that may not leave and does so has run out of time, or was woken for no
/// reason.
struct Step {
  enum class Kind : std::uint8_t { Enqueue, GrantOne, GrantAll, Leave } kind;
  ThreadId thread{0};
};

/// A queue and, besides, what anybody knows who has watched it.
struct Watched {
  WaitQueue queue;
  std::vector<ThreadId> present;  ///< In the order they came.
  std::string history;

  bool has(ThreadId thread) const { return std::ranges::count(present, thread) > 0; }
};

std::vector<Step> stepsFrom(const Watched& watched) {
  std::vector<Step> steps{{Step::Kind::GrantOne}, {Step::Kind::GrantAll}};
  for (std::uint32_t i = 1; i <= kThreads; ++i)
    steps.push_back({watched.has(ThreadId{i}) ? Step::Kind::Leave : Step::Kind::Enqueue, ThreadId{i}});
  return steps;
}

/// Returns whether the step used a grant.
bool take(const WakeupPolicy& policy, Watched& watched, const Step& step) {
  std::string who = std::to_string(index(step.thread));
  switch (step.kind) {
    case Step::Kind::Enqueue:
      policy.enqueue(watched.queue, step.thread);
      watched.present.push_back(step.thread);
      watched.history += " enqueue" + who;
      return false;
    case Step::Kind::GrantOne:
      policy.grantOne(watched.queue);
      watched.history += " one";
      return false;
    case Step::Kind::GrantAll:
      policy.grantAll(watched.queue);
      watched.history += " all";
      return false;
    case Step::Kind::Leave:
      std::erase(watched.present, step.thread);
      watched.history += " leave" + who;
      return policy.leave(watched.queue, step.thread);
  }
  return false;
}

std::vector<ThreadId> mayLeave(const WakeupPolicy& policy, const WaitQueue& queue) {
  std::vector<ThreadId> threads;
  for (std::uint32_t i = 0; i <= kThreads; ++i)
    if (policy.mayLeave(queue, ThreadId{i})) threads.push_back(ThreadId{i});
  return threads;
}

}  // namespace

TEST_CASE("every policy keeps the laws of policies", "[policies][laws]") {
  for (const std::string& name : kPolicies) {
    BuiltIn plugins(name);
    Asked asked;
    LawReport report = checkPolicy(*plugins.model().policies.of("cond"), name, asked, kLength);
    std::vector<std::string> laws;
    for (const BrokenLaw& broken : report.broken) laws.push_back(broken.law);
    CHECK(laws == kNone);
    CHECK(report.states == 97'655);
  }
}

namespace {

/// Signals as they were given: each lets one of those go who waited then. Which one used which is left open,
/// so there are several ways in which it may have come to this.
struct Signals {
  using Way = std::multiset<std::set<ThreadId>>;
  std::set<Way> ways{{}};

  void leave(ThreadId thread, bool used) {
    std::set<Way> next;
    for (const Way& way : ways)
      for (const auto& signal : way)
        if (used && signal.contains(thread)) {
          Way rest = way;
          rest.erase(rest.find(signal));
          next.insert(without(rest, thread));
        }
    if (used) ways = next;
  }
  static Way without(const Way& way, ThreadId thread) {
    Way rest;
    for (std::set<ThreadId> signal : way)
      if (signal.erase(thread); !signal.empty()) rest.insert(signal);
    return rest;
  }
  bool mayLeave(ThreadId thread) const {
    return std::ranges::any_of(ways, [&](const Way& way) {
      return std::ranges::any_of(way, [&](const auto& signal) { return signal.contains(thread); });
    });
  }
  void one(const Watched& watched) {
    std::set<ThreadId> present(watched.present.begin(), watched.present.end());
    std::set<Way> next;
    for (Way way : ways) {
      // Whose own signal is certain, such as after a broadcast, does not wait any more.
      std::set<ThreadId> waiting = present;
      for (const auto& signal : way)
        if (signal.size() == 1) waiting.erase(*signal.begin());
      if (way.size() < present.size()) way.insert(waiting);
      next.insert(way);
    }
    ways = next;
  }
  void all(const Watched& watched) {
    Way way;
    for (ThreadId thread : watched.present) way.insert({thread});
    ways = {way};
  }
};

void follow(const WakeupPolicy& policy, const Watched& watched, const Signals& signals, int length,
            std::size_t& steps, std::string& wrong) {
  for (std::uint32_t i = 1; i <= kThreads; ++i)
    if (policy.mayLeave(watched.queue, ThreadId{i}) != signals.mayLeave(ThreadId{i}) && wrong.empty())
      wrong = watched.history + ": " + std::to_string(i);
  ++steps;
  if (length == 0 || !wrong.empty()) return;
  for (const Step& step : stepsFrom(watched)) {
    Watched after = watched;
    Signals given = signals;
    bool used = take(policy, after, step);
    if (step.kind == Step::Kind::Leave) given.leave(step.thread, used);
    if (step.kind == Step::Kind::GrantOne) given.one(watched);
    if (step.kind == Step::Kind::GrantAll) given.all(watched);
    follow(policy, after, given, length - 1, steps, wrong);
  }
}

}  // namespace

TEST_CASE("arbitrary lets exactly those go for whom a signal came while they waited", "[policies]") {
  for (const std::string name : {"arbitrary", "spurious"}) {
    BuiltIn plugins(name);
    std::size_t steps = 0;
    std::string wrong;
    follow(*plugins.model().policies.of("cond"), {}, {}, kLength, steps, wrong);
    INFO(name << ", " << steps << " histories");
    CHECK(wrong == kNone);
    CHECK(steps > 10'000);
  }
}

namespace {

/// Whom signals wake, one after the other, if threads 1 to 3 have come in the order 2, 1, 3.
std::vector<std::uint32_t> wokenBy(const std::string& name) {
  BuiltIn plugins(name);
  const WakeupPolicy& policy = *plugins.model().policies.of("cond");
  WaitQueue queue;
  for (std::uint32_t i : {2U, 1U, 3U}) policy.enqueue(queue, ThreadId{i});
  std::vector<std::uint32_t> order;
  for (int i = 0; i < 3; ++i) {
    policy.grantOne(queue);
    auto chosen = mayLeave(policy, queue);
    if (chosen.size() != 1) return {};
    order.push_back(index(chosen.front()));
    policy.leave(queue, chosen.front());
  }
  return order;
}

}  // namespace

TEST_CASE("fifo wakes in the order in which threads came, lifo in the reverse", "[policies]") {
  CHECK(wokenBy("fifo") == std::vector<std::uint32_t>{2, 1, 3});
  CHECK(wokenBy("lifo") == std::vector<std::uint32_t>{3, 1, 2});
}

TEST_CASE("arbitrary and spurious leave it open who is woken", "[policies]") {
  CHECK(wokenBy("arbitrary").empty());
  CHECK(wokenBy("spurious").empty());
}

TEST_CASE("fifo says that it never lets one overtake", "[policies]") {
  BuiltIn plugins("fifo");
  CHECK_FALSE(plugins.model().policies.of("cond")->overtakes());
}

TEST_CASE("only spurious lets threads go for no reason by itself", "[policies]") {
  for (const std::string& name : kPolicies) {
    BuiltIn plugins(name);
    CHECK(plugins.model().policies.of("cond")->spuriousWakeups() == (name == "spurious" ? 1 : 0));
  }
}
