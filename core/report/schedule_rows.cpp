#include "core/report/schedule_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/report/folding.hpp"
#include "core/search/switches.hpp"

namespace mcmini {

namespace {

constexpr std::size_t kCompared = 1000;  // texts

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Texts that differ in one number, which counts up: "lock(fork[0..2])". Empty if they are not like that.
std::string counting(const std::vector<std::string>& texts) {
  const std::string& a = texts.front();
  const std::string& b = texts[1];
  std::size_t begin = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  while (begin > 0 && isDigit(a[begin - 1])) --begin;
  auto numberIn = [begin](const std::string& text) {
    std::size_t end = begin;
    while (end < text.size() && end - begin < 9 && isDigit(text[end])) ++end;
    return text.substr(begin, end - begin);
  };
  std::string first = numberIn(a);
  if (first.empty()) return "";
  std::string before = a.substr(0, begin);
  std::string after = a.substr(begin + first.size());
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i] != before + std::to_string(std::stoul(first) + i) + after) return "";
  return before + first + ".." + numberIn(texts.back()) + after;
}

/// One text for calls of the same line, of which these are the first ones.
std::string together(const std::vector<std::string>& calls, std::size_t times) {
  if (std::ranges::all_of(calls, [&](const std::string& call) { return call == calls.front(); }))
    return fmt::format("{}, {} times", calls.front(), times);
  std::string counted = calls.size() == times ? counting(calls) : "";
  return !counted.empty() ? counted : fmt::format("{} and {} more like it", calls.front(), times - 1);
}

class Rows {
 public:
  explicit Rows(const FindingFacts& facts)
      : facts_(facts),
        finding_(facts.finding()),
        events_(facts.shownEvents()),
        pieces_(folded(finding_, events_)),
        switches_(switchesOf(finding_.events, finding_.initial, finding_.pending)) {
    std::vector<std::size_t> shown;
    for (const Piece& piece : pieces_) shown.push_back(events_[piece.last]);
    effects_ = effectsOf(finding_, shown, facts.names());
  }

  std::vector<ScheduleRow> make() {
    std::vector<ScheduleRow> rows;
    for (std::size_t i = 0; i < pieces_.size(); ++i) rows.push_back(rowOf(pieces_[i], effects_[i]));
    for (const StepFact& fact : facts_.waitingSteps()) rows.push_back(waiting(fact));
    return rows;
  }

 private:
  ScheduleRow rowOf(const Piece& piece, const Effect& effect) const {
    std::size_t last = events_[piece.last];
    StepFact fact = facts_.step(last);
    ScheduleRow row;
    row.first = events_[piece.first] + 1;
    row.last = last + 1;
    row.thread = fact.thread;
    row.name = fact.name;
    row.call = fact.call;
    row.place = placeText(fact.place);
    row.isFault = fact.isFault || (last + 1 == finding_.events.size() && failsAtEnd());
    for (std::size_t i = piece.first; i <= piece.last; ++i)
      row.noReturn = row.noReturn || finding_.noReturn == events_[i];
    row.preempts = switches_.preempted[events_[piece.first]];
    switch (piece.kind) {
      case Piece::Kind::Steps:
        describe(row, fact, effect);
        break;
      case Piece::Kind::Alike:
        row.call = together(callsOf(piece), piece.times);
        break;
      case Piece::Kind::Again:
        leaveOut(row,
                 fmt::format("{} {} more times", isTheSame(piece) ? "the same" : "likewise", piece.times));
        break;
      case Piece::Kind::Gap:
        leaveOut(row, fmt::format("... {} steps ...", piece.last - piece.first + 1));
        if (!isOfOneThread(piece)) row.name = "";
        break;
    }
    return row;
  }

  static void leaveOut(ScheduleRow& row, std::string words) {
    row.call = std::move(words);
    row.isCall = false;
    row.place = "";
  }

  static void describe(ScheduleRow& row, const StepFact& fact, const Effect& effect) {
    auto add = [](std::string& note, const std::string& words) {
      note += (note.empty() ? "" : "; ") + words;
    };
    bool isSentence = fact.result.find(' ') != std::string::npos;
    if (!fact.result.empty() && !isSentence) row.call += " = " + fact.result;
    for (std::string* note : {&row.note, &row.briefNote}) {
      if (isSentence) add(*note, fact.result);
      if (effect.wokeNobody) add(*note, "nobody waits");
      for (const Change& change : effect.changes)
        if (note == &row.note || !change.isEvident) add(*note, change.name + ": " + change.now);
    }
  }

  std::vector<std::string> callsOf(const Piece& piece) const {
    std::vector<std::string> calls;
    for (std::size_t i = piece.last + 1 - piece.times; i <= piece.last && calls.size() < kCompared; ++i)
      calls.push_back(finding_.events[events_[i]].transition->describe(facts_.names()));
    return calls;
  }

  /// Are the rounds about the same objects as the one before them?
  bool isTheSame(const Piece& again) const {
    std::size_t period = (again.last - again.first + 1) / again.times;
    auto objectAt = [&](std::size_t i) { return finding_.events[events_[i]].transition->visible().object; };
    for (std::size_t i = again.first; i <= again.last; ++i)
      if (objectAt(i) != objectAt(i - period)) return false;
    return true;
  }

  bool isOfOneThread(const Piece& piece) const {
    auto threadAt = [&](std::size_t i) { return finding_.events[events_[i]].transition->thread(); };
    for (std::size_t i = piece.first; i < piece.last; ++i)
      if (threadAt(i) != threadAt(piece.last)) return false;
    return true;
  }

  /// Does the thread of the last event come to harm after it?
  bool failsAtEnd() const {
    switch (finding_.kind) {
      case Finding::Kind::Assertion:
      case Finding::Kind::Crash:
      case Finding::Kind::Stuck:
      case Finding::Kind::Exit:
        return true;
      default:
        return false;
    }
  }

  ScheduleRow waiting(const StepFact& fact) const {
    ScheduleRow row;
    row.thread = fact.thread;
    row.name = fact.name;
    row.call = fact.call;
    row.place = placeText(fact.place);
    row.isFault = fact.isFault;
    bool spins = std::ranges::any_of(finding_.spinning,
                                     [&](const TransitionPtr& t) { return t->thread() == fact.thread; });
    if (spins || fact.isFault)
      row.note = spins ? "again and again" : "waits";
    else
      row.call = "waits in " + row.call;
    return row;
  }

  const FindingFacts& facts_;
  const Finding& finding_;
  const std::vector<std::size_t> events_;
  const std::vector<Piece> pieces_;
  const Switches switches_;
  std::vector<Effect> effects_;
};

}  // namespace

std::vector<ScheduleRow> rowsOf(const FindingFacts& facts) {
  return Rows(facts).make();
}

}  // namespace mcmini
