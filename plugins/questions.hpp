#pragma once

// What the search asks of an operation, asked with a note of what is being asked: if there is no answer, the
// note tells who has to give it.

#include "plugins/method.hpp"

namespace mcmini {

/// Points to what lives as long as the plugin.
struct Asked {
  const char* operation = "";
  const char* method = "";
  const std::uint64_t* table = nullptr;
  std::size_t slot = 0;

  Method asMethod() const { return {operation, method, table, slot}; }
};

/// Short names for a model that no program belongs to: T1, T2, and objects a, b.
struct ShortNames : Names {
  std::string thread(ThreadId thread) const override { return "T" + std::to_string(index(thread) + 1); }
  std::string object(ObjectId object) const override {
    if (isThread(object)) return thread(threadOf(object));
    std::uint64_t address = addressOf(object);
    bool isLetter = address % 8 == 0 && address > 0 && address <= 8UL * 26;
    return isLetter ? std::string(1, static_cast<char>('a' + address / 8 - 1))
                    : "object " + std::to_string(address);
  }
};

class Questions {
 public:
  explicit Questions(Asked& asked) : asked_(&asked) {}

  bool enabled(const Transition& t, const ModelState& state) const {
    note(t, "enabled", &Transition::enabled);
    return t.enabled(state);
  }
  Result apply(const Transition& t, ModelState& state) const {
    note(t, "apply", &Transition::apply);
    return t.apply(state);
  }
  bool isMisuse(const Transition& t, const ModelState& state) const {
    note(t, "misuse", &Transition::misuse);
    return t.misuse(state, ShortNames{}).has_value();
  }
  bool dependentWith(const Transition& t, const Transition& other) const {
    note(t, "dependentWith", &Transition::dependentWith);
    return t.dependentWith(other);
  }
  bool coenabledWith(const Transition& t, const Transition& other) const {
    note(t, "coenabledWith", &Transition::coenabledWith);
    return t.coenabledWith(other);
  }
  std::vector<ThreadId> blockedBy(const Transition& t, const ModelState& state) const {
    note(t, "blockedBy", &Transition::blockedBy);
    return t.blockedBy(state);
  }
  std::string describe(const Transition& t) const {
    note(t, "describe", &Transition::describe);
    return t.describe(ShortNames{});
  }
  std::string describeResult(const Transition& t, Result result) const {
    note(t, "describeResult", &Transition::describeResult);
    return t.describeResult(result);
  }

  /// Could the thread do it now without breaking a rule?
  bool possible(const Transition& t, const ModelState& state) const {
    return state.alive(t.thread()) && enabled(t, state) && !isMisuse(t, state);
  }
  /// As the search asks it.
  bool dependent(const Transition& a, const Transition& b) const {
    return a.thread() == b.thread() || (shareObject(a, b) && (dependentWith(a, b) || dependentWith(b, a)));
  }

  void noteConstructor(const char* operation) const { *asked_ = {operation, "its constructor", nullptr, 0}; }

 private:
  template <class Function>
  void note(const Transition& t, const char* method, Function function) const {
    *asked_ = {t.visible().name.data(), method, tableOf(t), slotOf(function)};
  }

  Asked* asked_;
};

}  // namespace mcmini
