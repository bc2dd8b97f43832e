#include "test/support/trace.hpp"

#include <algorithm>
#include <stdexcept>

namespace mcmini {

char16_t Labels::number(const std::string& label) {
  auto [at, isNew] = numbers_.try_emplace(label, static_cast<char16_t>(labels_.size()));
  if (isNew) labels_.push_back(label);
  return at->second;
}

std::string Labels::text(const Trace& trace) const {
  std::string text;
  for (char16_t number : trace) text += (text.empty() ? "" : "; ") + labels_.at(number);
  return text;
}

void TraceBuilder::push(const TransitionPtr& event) {
  if (entries_.size() >= kMaxEvents) throw std::length_error("a run with too many events for a test");
  Entry entry{event, labels_->number(label(*event)), {}};
  for (std::size_t i = 0; i < entries_.size(); ++i) entry.before[i] = dependent(*entries_[i].event, *event);
  entries_.push_back(std::move(entry));
}

void TraceBuilder::pop() {
  entries_.pop_back();
}
void TraceBuilder::clear() {
  entries_.clear();
}

Trace TraceBuilder::trace() const {
  Trace trace;
  std::bitset<kMaxEvents> done;
  std::vector<std::size_t> rest(entries_.size());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = i;
  while (!rest.empty()) {
    auto first = rest.end();
    for (auto i = rest.begin(); i != rest.end(); ++i)
      if ((first == rest.end() || entries_[*i].label < entries_[*first].label) &&
          (entries_[*i].before & ~done).none())
        first = i;
    trace.push_back(entries_[*first].label);
    done.set(*first);
    rest.erase(first);
  }
  return trace;
}

std::string TraceBuilder::nameOf(ThreadId thread) const {
  auto known = names_.find(thread);
  return known == names_.end() ? "main" : known->second;
}

std::string TraceBuilder::label(const Transition& event) {
  const VisibleOp& op = event.visible();
  std::string who = nameOf(op.thread);
  std::string what = std::to_string(op.object);
  if (!event.objects().empty() && isThread(event.objects()[0])) {
    ThreadId subject = threadOf(event.objects()[0]);
    if (event.op() == nameId("thread.create")) {
      auto ordinal = std::ranges::count_if(entries_, [&](const Entry& earlier) {
        return earlier.event->thread() == op.thread && earlier.event->op() == event.op();
      });
      names_[subject] = (who == "main" ? "" : who + ".") + std::to_string(ordinal + 1);
    }
    what = nameOf(subject);
  } else if (op.object >= 'a' && op.object <= 'z') {
    what = std::string(1, static_cast<char>(op.object));
  }
  return who + " " + std::string(op.name) + "(" + what + ", " + std::to_string(op.args[0]) + ")" +
         (event.choices() > 1 ? " = " + std::to_string(op.alternative) : "");
}

}  // namespace mcmini
