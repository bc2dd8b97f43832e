#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/model/object_state.hpp"
#include "core/model/wakeup_policy.hpp"

namespace mcmini {

/// Gives each creation path its ThreadId, the same one in every run of an exploration.
class ThreadRegistry {
 public:
  ThreadId childOf(ThreadId creator, std::uint32_t ordinal) {
    auto next = static_cast<std::uint32_t>(ids_.size() + 1);
    return ids_.try_emplace({creator, ordinal}, ThreadId{next}).first->second;
  }

 private:
  std::map<std::pair<ThreadId, std::uint32_t>, ThreadId> ids_;
};

/// What the model knows about one thread.
struct ThreadState {
  bool created = false;
  bool ended = false;
  bool cancelRequested = false;
  std::uint32_t children = 0;  ///< How many threads it has created.
  CodeAddress entry = 0;       ///< Its start routine; 0 for the main thread.
  bool operator==(const ThreadState&) const = default;
};

/// The model's view of the whole program between two operations: a value that is copied freely. Objects are
/// shared between copies until one of them edits its own.
class ModelState {
 public:
  explicit ModelState(Policies policies = {})
      : registry_(std::make_shared<ThreadRegistry>()),
        policies_(std::make_shared<Policies>(std::move(policies))) {
    slot(kMainThread).created = true;
  }

  /// The policy of a kind of wait queue, for as long as any state of this exploration lives. Null if none was
  /// set.
  const WakeupPolicy* policy(std::string_view kind) const { return policies_->of(kind); }
  std::uint32_t spuriousWakeups(const WakeupPolicy& policy) const {
    return policies_->spuriousWakeups(policy);
  }

  /// The state of an object; a default-constructed T if nothing has touched it, or if what is there now is
  /// of another kind, because the program reused its memory.
  template <class T>
  const T& get(ObjectId object) const {
    static const T untouched{};
    auto at = position(object);
    if (at == objects_.end() || at->first != object || at->second->kind() != nameId(T::kKind))
      return untouched;
    return static_cast<const T&>(*at->second);
  }

  /// The same, to be changed by a transition's apply.
  template <class T>
  T& edit(ObjectId object) {
    auto at = objects_.begin() + (position(object) - objects_.cbegin());
    if (at == objects_.end() || at->first != object)
      at = objects_.insert(at, {object, std::make_shared<T>()});
    else if (at->second->kind() != nameId(T::kKind))
      at->second = std::make_shared<T>();
    else if (at->second.use_count() > 1)
      at->second = at->second->clone();
    return static_cast<T&>(*at->second);
  }

  /// The thread that `creator` would create next.
  ThreadId nextChildOf(ThreadId creator) const {
    return registry_->childOf(creator, thread(creator).children);
  }

  /// Brings that thread to life; `entry` is its start routine. From now on it has a pending operation.
  ThreadId spawn(ThreadId creator, CodeAddress entry) {
    ThreadId child = nextChildOf(creator);
    ++slot(creator).children;
    slot(child) =
        ThreadState{.created = true, .ended = false, .cancelRequested = false, .children = 0, .entry = entry};
    return child;
  }

  /// That thread could not be created after all. It keeps its number, and its routine.
  void unspawn(ThreadId child) { slot(child).created = false; }

  /// From here on nobody but the thread moves, until it has left as many sections as it has entered.
  void enterSection(ThreadId thread) {
    alone_ = thread;
    ++sections_;
  }
  void leaveSection() {
    if (sections_ > 0 && --sections_ == 0) alone_.reset();
  }
  /// The thread that is in a section.
  std::optional<ThreadId> alone() const { return alone_; }
  bool mayMove(ThreadId thread) const { return !alone_ || *alone_ == thread; }

  /// The thread has taken its last operation.
  void end(ThreadId thread) {
    slot(thread).ended = true;
    if (alone_ == thread) {
      alone_.reset();
      sections_ = 0;
    }
    for (auto& [id, state] : objects_) {
      if (!state->mayOutliveHolder() || std::ranges::count(state->holders(), thread) == 0) continue;
      state = state->clone();
      state->holderEnded();
    }
  }

  /// The thread shall end at the next operation that allows it.
  void requestCancel(ThreadId thread) { slot(thread).cancelRequested = true; }

  /// The objects that a thread holds, in the order of their ids.
  std::vector<ObjectId> heldBy(ThreadId thread) const {
    std::vector<ObjectId> held;
    for (const auto& [id, state] : objects_)
      if (std::ranges::count(state->holders(), thread) > 0) held.push_back(id);
    return held;
  }

  /// What is known of an object, whatever its kind; null if nothing has touched it.
  const ObjectState* find(ObjectId object) const {
    auto at = position(object);
    return at == objects_.end() || at->first != object ? nullptr : at->second.get();
  }

  const ThreadState& thread(ThreadId thread) const {
    static const ThreadState unknown{};
    return index(thread) < threads_.size() ? threads_[index(thread)] : unknown;
  }
  bool alive(ThreadId thread) const {
    const ThreadState& t = this->thread(thread);
    return t.created && !t.ended;
  }

  /// One more than the largest thread index that exists.
  std::uint32_t threadCount() const { return static_cast<std::uint32_t>(threads_.size()); }

  /// Calls visit(ObjectId, const ObjectState&) for each object touched so far, in the order of their ids.
  template <class Visitor>
  void forEachObject(Visitor visit) const {
    for (const auto& [id, state] : objects_) visit(id, std::as_const(*state));
  }

  friend bool operator==(const ModelState& a, const ModelState& b) {
    auto same = [](const Entry& x, const Entry& y) {
      return x.first == y.first && (x.second == y.second || x.second->equals(*y.second));
    };
    return a.threads_ == b.threads_ && a.alone_ == b.alone_ && a.sections_ == b.sections_ &&
           std::equal(a.objects_.begin(), a.objects_.end(), b.objects_.begin(), b.objects_.end(), same);
  }

 private:
  using Entry = std::pair<ObjectId, std::shared_ptr<ObjectState>>;  // shared between copies of the state

  std::vector<Entry>::const_iterator position(ObjectId object) const {
    return std::lower_bound(objects_.begin(), objects_.end(), object,
                            [](const Entry& entry, ObjectId id) { return entry.first < id; });
  }
  ThreadState& slot(ThreadId thread) {
    if (index(thread) >= threads_.size()) threads_.resize(index(thread) + 1);
    return threads_[index(thread)];
  }

  std::vector<Entry> objects_;  // sorted by id
  std::vector<ThreadState> threads_;
  std::optional<ThreadId> alone_;
  std::uint32_t sections_ = 0;                // how many it is in, each within the one before
  std::shared_ptr<ThreadRegistry> registry_;  // shared: ids mean the same in every state of an exploration
  std::shared_ptr<const Policies> policies_;  // shared: the same throughout an exploration
};

}  // namespace mcmini
