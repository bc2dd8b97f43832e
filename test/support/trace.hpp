#pragma once

#include <bitset>
#include <map>
#include <string>
#include <vector>

#include "core/model/transition.hpp"

namespace mcmini {

/// A Mazurkiewicz trace: that of all equivalent runs which is first in the order of its labels. Equal exactly
/// for equivalent runs.
using Trace = std::u16string;

/// Numbers for what events look like from outside: equal in two explorations of one program.
class Labels {
 public:
  char16_t number(const std::string& label);
  std::string text(const Trace& trace) const;

 private:
  std::map<std::string, char16_t> numbers_;
  std::vector<std::string> labels_;
};

/// The events of a run, for their canonical order.
class TraceBuilder {
 public:
  static constexpr std::size_t kMaxEvents = 256;

  explicit TraceBuilder(Labels& labels) : labels_(&labels) {}

  void push(const TransitionPtr& event);
  void pop();
  void clear();
  Trace trace() const;

 private:
  std::string label(const Transition& event);
  std::string nameOf(ThreadId thread) const;

  struct Entry {
    TransitionPtr event;
    char16_t label;
    std::bitset<kMaxEvents> before;  ///< Earlier events that it depends on.
  };

  Labels* labels_;
  std::vector<Entry> entries_;
  std::map<ThreadId, std::string> names_;  // by creation path, since ids depend on the exploration
};

}  // namespace mcmini
