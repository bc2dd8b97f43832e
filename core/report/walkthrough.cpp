#include "core/report/walkthrough.hpp"

#include <map>
#include <optional>

#include "core/report/finding_facts.hpp"
#include "core/report/target_names.hpp"

namespace mcmini {

namespace {

/// A look-up in the debug information is done once.
class KnownNames : public Names {
 public:
  explicit KnownNames(const TargetNames& names) : names_(names) {}
  std::string thread(ThreadId thread) const override { return names_.thread(thread); }
  std::string object(ObjectId object) const override {
    auto [known, isNew] = objects_.try_emplace(object);
    if (isNew) known->second = names_.object(object);
    return known->second;
  }

 private:
  const TargetNames& names_;
  mutable std::map<ObjectId, std::string> objects_;
};

class Walk {
 public:
  Walk(const Finding& finding, const Symbolizer& symbolizer)
      : finding_(finding),
        symbolizer_(symbolizer),
        targetNames_(symbolizer, finding.state, finding.rehearsal),
        names_(targetNames_),
        state_(finding.initial) {
    for (const Event& event : finding.events)
      if (!event.doomed) performed_.push_back(&event);
  }

  Walkthrough write() {
    for (std::uint32_t i = 0; i < finding_.state.threadCount(); ++i)
      walk_.threads.push_back(names_.thread(ThreadId{i}));
    findWhatIsNext();
    position(0);
    for (std::size_t i = 0; i < performed_.size(); ++i) {
      const Event& event = *performed_[i];
      const Transition& t = *event.transition;
      walk_.steps.push_back({index(t.thread()), t.describe(names_), placeOfStep(i),
                             t.describeResult(event.result), event.last});
      ModelState before = state_;
      t.apply(state_);
      lost_.resize(walk_.threads.size());
      lost_[index(t.thread())] = event.last;
      before_ = std::move(before);
      position(i + 1);
    }
    return std::move(walk_);
  }

 private:
  std::string placeOfStep(std::size_t i) const {
    const auto& stacks = finding_.rehearsal.taken;
    return placeOf(i < stacks.size() ? stacks[i] : Stack{}, performed_[i]->transition->visible().site,
                   symbolizer_);
  }

  std::string placeOfPending(const Transition& t) const {
    auto stack = finding_.rehearsal.pending.find(t.thread());
    return placeOf(stack == finding_.rehearsal.pending.end() ? Stack{} : stack->second, t.visible().site,
                   symbolizer_);
  }

  /// By thread, the steps that it takes.
  void findWhatIsNext() {
    ahead_.resize(walk_.threads.size());
    for (std::size_t i = performed_.size(); i-- > 0;)
      ahead_[index(performed_[i]->transition->thread())].push_back(i);
  }

  void position(std::size_t at) {
    Walkthrough::Changes changes;
    next_.resize(walk_.threads.size());
    for (std::uint32_t i = 0; i < walk_.threads.size(); ++i) {
      if (!state_.thread(ThreadId{i}).created) continue;
      auto& ahead = ahead_[i];
      if (!ahead.empty() && ahead.back() < at) ahead.pop_back();
      Walkthrough::Next next = nextOf(ThreadId{i});
      if (next_[i] == next) continue;
      changes.next.push_back(next);
      next_[i] = std::move(next);
    }
    objectsOf(changes);
    walk_.positions.push_back(std::move(changes));
  }

  Walkthrough::Next nextOf(ThreadId thread) {
    Walkthrough::Next next;
    next.thread = index(thread);
    const auto& ahead = ahead_[next.thread];
    const Transition* t = ahead.empty() ? pendingOf(thread) : performed_[ahead.back()]->transition.get();
    bool lost = next.thread < lost_.size() && lost_[next.thread];
    next.ended = !state_.alive(thread);
    if (next.ended || lost || t == nullptr) return next;
    next.can = canMove(*t, state_);
    next.call = next.can ? t->describe(names_) : t->describeWait(names_);
    next.place = placeOfNext(*t, ahead);
    if (!next.can)
      for (ThreadId other : t->blockedBy(state_)) next.waitsFor.push_back(names_.thread(other));
    return next;
  }

  std::string placeOfNext(const Transition& t, const std::vector<std::size_t>& ahead) {
    auto [known, isNew] = places_.try_emplace(&t);
    if (isNew) known->second = ahead.empty() ? placeOfPending(t) : placeOfStep(ahead.back());
    return known->second;
  }

  /// At the end; an offence is not carried out, so its thread stands before it.
  const Transition* pendingOf(ThreadId thread) const {
    for (const TransitionPtr& t : finding_.pending)
      if (t->thread() == thread) return t.get();
    const Transition* last = finding_.events.empty() ? nullptr : finding_.events.back().transition.get();
    bool isOffence = last != nullptr && finding_.events.back().doomed && last->thread() == thread;
    return isOffence ? last : nullptr;
  }

  /// What changed is another copy, since the state before is still there.
  void objectsOf(Walkthrough::Changes& changes) {
    state_.forEachObject([&](ObjectId object, const ObjectState& state) {
      if (before_ && before_->find(object) == &state) return;
      changes.objects.push_back({names_.object(object), state.describe(names_)});
    });
    if (!before_) return;
    before_->forEachObject([&](ObjectId object, const ObjectState&) {
      if (state_.find(object) == nullptr) changes.objects.push_back({names_.object(object), ""});
    });
  }

  const Finding& finding_;
  const Symbolizer& symbolizer_;
  TargetNames targetNames_;
  KnownNames names_;
  ModelState state_;
  std::optional<ModelState> before_;
  std::vector<const Event*> performed_;
  std::vector<std::vector<std::size_t>> ahead_;         // by thread, the last one first
  std::vector<std::optional<Walkthrough::Next>> next_;  // by thread, as told
  std::vector<bool> lost_;                              // by thread
  std::map<const Transition*, std::string> places_;
  Walkthrough walk_;
};

}  // namespace

Walkthrough walkthroughOf(const Finding& finding, const Symbolizer& symbolizer) {
  return Walk(finding, symbolizer).write();
}

}  // namespace mcmini
