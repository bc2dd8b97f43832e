#include "plugins/policy_laws.hpp"

#include <algorithm>
#include <set>

namespace mcmini {

namespace {

constexpr std::uint32_t kThreads = 3;

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
  std::vector<std::string> history;

  bool has(ThreadId thread) const { return std::ranges::count(present, thread) > 0; }
};

std::vector<Step> stepsFrom(const Watched& watched) {
  std::vector<Step> steps{{Step::Kind::GrantOne}, {Step::Kind::GrantAll}};
  for (std::uint32_t i = 0; i < kThreads; ++i)
    steps.push_back({watched.has(ThreadId{i}) ? Step::Kind::Leave : Step::Kind::Enqueue, ThreadId{i}});
  return steps;
}

class PolicyWalk {
 public:
  PolicyWalk(const WakeupPolicy& policy, const std::string& name, Asked& asked)
      : policy_(policy), name_(name), asked_(asked) {}

  LawReport report;

  void from(const Watched& before, int length) {
    if (length == 0) return;
    for (const Step& step : stepsFrom(before)) {
      Watched after = before;
      bool used = take(after, step);
      ++report.states;
      judge(before, step, after, used);
      from(after, length - 1);
    }
  }

 private:
  template <class Function>
  void note(const char* method, Function function) const {
    asked_ = {name_.c_str(), method, tableOf(policy_), slotOf(function)};
  }

  /// Returns whether the step used a grant.
  bool take(Watched& watched, const Step& step) const {
    std::string who = ShortNames{}.thread(step.thread);
    switch (step.kind) {
      case Step::Kind::Enqueue:
        watched.history.push_back(who + " begins to wait");
        watched.present.push_back(step.thread);
        note("enqueue", &WakeupPolicy::enqueue);
        policy_.enqueue(watched.queue, step.thread);
        return false;
      case Step::Kind::GrantOne:
        watched.history.emplace_back("a signal");
        note("grantOne", &WakeupPolicy::grantOne);
        policy_.grantOne(watched.queue);
        return false;
      case Step::Kind::GrantAll:
        watched.history.emplace_back("a broadcast");
        note("grantAll", &WakeupPolicy::grantAll);
        policy_.grantAll(watched.queue);
        return false;
      case Step::Kind::Leave:
        watched.history.push_back(who + " leaves");
        std::erase(watched.present, step.thread);
        note("leave", &WakeupPolicy::leave);
        return policy_.leave(watched.queue, step.thread);
    }
    return false;
  }

  std::vector<ThreadId> mayLeave(const WaitQueue& queue) const {
    note("mayLeave", &WakeupPolicy::mayLeave);
    std::vector<ThreadId> threads;
    for (std::uint32_t i = 0; i < kThreads; ++i)
      if (policy_.mayLeave(queue, ThreadId{i})) threads.push_back(ThreadId{i});
    return threads;
  }

  /// How many can leave one after the other until nobody may: all numbers that come about, whoever goes
  /// first.
  std::set<std::size_t> leavers(const WaitQueue& queue) const {
    std::set<std::size_t> numbers;
    for (ThreadId thread : mayLeave(queue)) {
      WaitQueue rest = queue;
      note("leave", &WakeupPolicy::leave);
      policy_.leave(rest, thread);
      if (policy_.mayLeave(rest, thread)) return {0, 1};  // it would go on for ever
      for (std::size_t more : leavers(rest)) numbers.insert(more + 1);
    }
    return numbers.empty() ? std::set<std::size_t>{0} : numbers;
  }

  void judge(const Watched& before, const Step& step, const Watched& after, bool used) {
    auto may = mayLeave(after.queue);
    auto couldLeave = mayLeave(before.queue);
    if (!std::ranges::all_of(may, [&](ThreadId thread) { return after.has(thread); }))
      return broken(after, "lets a thread go that does not wait", "mayLeave", &WakeupPolicy::mayLeave);
    std::set<std::size_t> then = leavers(after.queue);
    if (then.size() != 1)
      return broken(after, "lets more or fewer go, as the one or the other goes first", "leave",
                    &WakeupPolicy::leave);
    if (after.present.empty() && after.queue != WaitQueue{})
      return broken(after, "leaves something in a queue that all have left", "leave", &WakeupPolicy::leave);
    std::size_t now = *leavers(before.queue).begin();
    switch (step.kind) {
      case Step::Kind::Enqueue:
        if (may != couldLeave || *then.begin() != now)
          broken(after, "gives who comes later a share in what was granted before", "enqueue",
                 &WakeupPolicy::enqueue);
        break;
      case Step::Kind::GrantOne:
        if (*then.begin() != std::min(before.present.size(), now + 1))
          broken(after, "does not let exactly one more thread go at a signal", "grantOne",
                 &WakeupPolicy::grantOne);
        else if (!policy_.overtakes() && !isInOrder(before, may))
          broken(after, "lets a thread overtake another, though it says that none does", "overtakes",
                 &WakeupPolicy::overtakes);
        break;
      case Step::Kind::GrantAll:
        if (may.size() != after.present.size())
          broken(after, "does not let all go at a broadcast", "grantAll", &WakeupPolicy::grantAll);
        break;
      case Step::Kind::Leave:
        judgeLeaving(couldLeave, step, after, used, now - *then.begin());
        break;
    }
    if (!used && !std::ranges::includes(may, couldLeave))
      broken(after, "takes back what it has granted", "mayLeave", &WakeupPolicy::mayLeave);
  }

  void judgeLeaving(const std::vector<ThreadId>& couldLeave, const Step& step, const Watched& after,
                    bool used, std::size_t gone) {
    bool allowed = std::ranges::count(couldLeave, step.thread) > 0;
    if (used != allowed)
      broken(after, "says of a thread that leaves that it used a grant, or that it did not, and it is not so",
             "leave", &WakeupPolicy::leave);
    else if (gone != (allowed ? 1U : 0U))
      broken(after, "loses or keeps a grant when a thread leaves", "leave", &WakeupPolicy::leave);
  }

  /// The first of those who could not leave before can now.
  static bool isInOrder(const Watched& before, const std::vector<ThreadId>& may) {
    bool ends = false;
    for (ThreadId thread : before.present) {
      bool goes = std::ranges::count(may, thread) > 0;
      if (goes && ends) return false;
      ends |= !goes;
    }
    return true;
  }

  template <class Function>
  void broken(const Watched& after, const std::string& what, const char* method, Function function) {
    std::string law = name_ + " " + what;
    if (std::ranges::count(report.broken, law, &BrokenLaw::law) > 0) return;
    std::string free;
    for (ThreadId thread : mayLeave(after.queue))
      free += (free.empty() ? "" : ", ") + ShortNames{}.thread(thread);
    report.broken.push_back({law,
                             after.history,
                             {free.empty() ? "nobody may leave" : "these may leave: " + free},
                             {methodOf(policy_, name_, method, function)}});
  }

  const WakeupPolicy& policy_;
  const std::string& name_;
  Asked& asked_;
};

}  // namespace

LawReport checkPolicy(const WakeupPolicy& policy, const std::string& name, Asked& asked, int length) {
  LawReport report;
  for (int shorter = 1; shorter <= length; ++shorter) {  // so that what is shown is the shortest
    PolicyWalk walk(policy, name, asked);
    walk.from({}, shorter);
    report = std::move(walk.report);
    if (!report.broken.empty()) break;
  }
  return report;
}

}  // namespace mcmini
