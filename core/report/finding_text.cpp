#include "core/report/finding_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "core/report/columns.hpp"
#include "core/report/plural.hpp"
#include "core/report/race_facts.hpp"
#include "core/report/schedule_table.hpp"
#include "core/report/shell_word.hpp"
#include "core/search/switches.hpp"

namespace mcmini {

namespace {

constexpr std::size_t kOutputShown = 4000;  // characters: the first and the last half
constexpr std::size_t kTitle = 10;          // columns of it
constexpr std::size_t kFarRight = 100;      // what is at the right end is no further than that

std::string place(const Location& location, const char* before, const char* after = "") {
  std::string place = placeText(location);
  return place.empty() ? "" : before + place + after;
}

const char* whatIsWrong(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::Deadlock:
      return "blocked for good";
    case Finding::Kind::Race:
      return "after this step the access";
    case Finding::Kind::Livelock:
      return "goes on like this for ever";
    case Finding::Kind::Assertion:
      return "after this step the assertion fails";
    case Finding::Kind::Crash:
      return "after this step it crashes";
    case Finding::Kind::Exit:
      return "here the program ends";
    case Finding::Kind::Misuse:
      return "the mistake";
    case Finding::Kind::Stuck:
      return "the last step before it is stuck";
  }
  return "";
}

class Writer {
 public:
  Writer(const Finding& finding, const Symbolizer& symbolizer, const FindingTextSettings& settings)
      : finding_(finding),
        symbolizer_(symbolizer),
        facts_(finding, symbolizer),
        settings_(settings),
        style_(settings.style) {}

  std::string write() {
    headline();
    if (finding_.kind == Finding::Kind::Deadlock || finding_.kind == Finding::Kind::Livelock) {
      heldUp();
      cycle();
    }
    if (finding_.kind == Finding::Kind::Crash || finding_.kind == Finding::Kind::Stuck ||
        finding_.kind == Finding::Kind::Assertion)
      stack(facts_.stack());
    race();
    for (const Holder& holder : facts_.holdersOfMisused())
      line(clean("  " + holder.name + "  holds " + holder.holding.name +
                 place(holder.holding.taken, " (", ")")));
    if (std::vector<ScheduleRow> rows = rowsOf(facts_); !rows.empty()) {
      line("");
      for (const std::string& row : tableOf(rows, whatIsWrong(finding_.kind), style_)) line(row);
    }
    output();
    goOn();
    return text_;
  }

 private:
  void line(const std::string& words) { text_ += words + '\n'; }
  std::string clean(const std::string& text) const { return printable(text, style_.ascii); }

  /// Words behind a label, which stands at the beginning of the first line only.
  void labelled(const std::string& label, Paint paint, const std::string& words, std::size_t indent) {
    std::size_t room = style_.width > indent + 20 ? style_.width - indent : 20;
    std::string before = painted(style_, paint, label) +
                         std::string(indent > columnsOf(label) ? indent - columnsOf(label) : 1, ' ');
    for (const std::string& part : wrapped(words, room)) {
      line(withoutTrailingSpaces(before + part));
      before = std::string(indent, ' ');
    }
  }

  void headline() {
    std::string sentence = clean(facts_.sentence());
    std::string dot = style_.ascii ? ", " : " \u00b7 ";
    std::string numbers = fmt::format("{}", fmt::join(inNumbers(), dot));
    std::size_t right = std::min(style_.width, kFarRight);
    std::size_t used = kTitle + columnsOf(sentence) + 3 + columnsOf(numbers);
    if (used > style_.width) {
      labelled(facts_.title(), Paint::Bad, sentence, kTitle);
      numbersBelow(dot);
      return;
    }
    std::size_t gap = 3 + (right > used ? right - used : 0);
    line(painted(style_, Paint::Bad, padded(facts_.title(), kTitle - 1)) + " " +
         painted(style_, Paint::Strong, sentence) + std::string(gap, ' ') +
         painted(style_, Paint::Faint, numbers));
  }

  void numbersBelow(const std::string& dot) {
    std::string words;
    for (const std::string& item : inNumbers()) {
      if (!words.empty() && kTitle + columnsOf(words + dot + item) > style_.width) {
        line(std::string(kTitle, ' ') + painted(style_, Paint::Faint, words));
        words.clear();
      }
      words += (words.empty() ? "" : dot) + item;
    }
    line(std::string(kTitle, ' ') + painted(style_, Paint::Faint, words));
  }

  /// "run 5", "12 steps", "2 context switches (1 preemption)".
  std::vector<std::string> inNumbers() const {
    Switches switches = switchesOf(finding_.events, finding_.initial, finding_.pending);
    std::string words =
        finding_.switchesWhenFound > switches.all
            ? fmt::format("shown with {} of originally {} switches", switches.all, finding_.switchesWhenFound)
            : fmt::format("{} context switch{}", switches.all, switches.all == 1 ? "" : "es");
    if (switches.preemptions > 0) words += fmt::format(" ({})", plural(switches.preemptions, "preemption"));
    return {fmt::format("run {}", finding_.trace), plural(finding_.events.size(), "step"), words};
  }

  static std::string holds(const HeldUp& one) {
    std::string list;
    for (const Holding& holding : one.holds)
      list += (list.empty() ? "holds " : ", ") + holding.name + place(holding.taken, " (", ")");
    return list;
  }

  std::string wants(const HeldUp& one) const {
    std::string by;
    for (ThreadId other : one.waitsFor)
      by += (by.empty() ? "" : ", ") + (other == one.thread ? "itself" : facts_.names().thread(other));
    std::string where = place(one.place, " (", ")");
    if (one.isToTake) return "wants " + one.wanted + where + ", held by " + by;
    std::string words = "waits in " + one.call + where;
    if (!one.wanted.empty()) return words + " for " + one.wanted + ", held by " + by;
    bool isSaid = by.empty() || one.call.find("(" + by + ")") != std::string::npos;
    return isSaid ? words : words + ", for " + by;
  }

  /// Each thread that does not get on: what it has, and what it wants, on one line if all of them fit.
  void heldUp() {
    struct Entry {
      std::string name, holds, wants;
    };
    std::vector<Entry> entries;
    for (const HeldUp& one : facts_.repeating()) {
      std::string what = one.call.empty() ? "goes round in a loop" : "repeats " + one.call;
      entries.push_back({clean(one.name), clean(holds(one)), clean(what + place(one.place, " (", ")"))});
    }
    for (const HeldUp& one : facts_.waiting())
      entries.push_back({clean(one.name), clean(holds(one)), clean(wants(one))});
    if (finding_.kind == Finding::Kind::Deadlock)
      std::rotate(entries.begin(), entries.begin() + std::ssize(facts_.repeating()), entries.end());
    std::size_t name = 0;
    std::size_t holds = 0;
    std::size_t wants = 0;
    for (const Entry& entry : entries) {
      name = std::max(name, columnsOf(entry.name));
      if (entry.holds.empty()) continue;
      holds = std::max(holds, columnsOf(entry.holds));
      wants = std::max(wants, columnsOf(entry.wants));
    }
    bool onOneLine = 2 + name + 2 + holds + 3 + wants <= style_.width;
    for (const Entry& entry : entries) {
      std::string words = entry.wants;
      if (!entry.holds.empty() && onOneLine) words = padded(entry.holds, holds + 3) + entry.wants;
      std::string label = "  " + entry.name;
      if (!entry.holds.empty() && !onOneLine) {
        labelled(label, Paint::Strong, entry.holds, name + 4);
        label = "";
      }
      labelled(label, Paint::Strong, words, name + 4);
    }
  }

  void cycle() {
    std::vector<ThreadId> threads = facts_.cycle();
    if (threads.empty()) return;
    threads.push_back(threads.front());
    std::string words;
    for (ThreadId thread : threads) words += (words.empty() ? "" : " -> ") + facts_.names().thread(thread);
    labelled("  Cycle", Paint::Strong, clean(words), kTitle);
  }

  /// One place is in the headline already.
  void stack(const std::vector<Location>& frames) {
    if (frames.size() < 2) return;
    for (const Location& frame : frames) {
      std::string where = frame.line > 0 ? " at " + shortPlace(frame)
                                         : " (" + frame.module.substr(frame.module.rfind('/') + 1) + ")";
      line("    in " + clean((frame.function.empty() ? "?" : frame.function) + where));
    }
  }

  void race() {
    std::vector<AccessFact> accesses = accessesOf(facts_, symbolizer_);
    std::size_t name = 0;
    for (const AccessFact& access : accesses) name = std::max(name, columnsOf(access.name));
    for (const AccessFact& access : accesses) {
      std::string words =
          fmt::format("{} {} ({})", access.verb, access.variable, plural(access.size, "byte"));
      words += place(access.place, " at ");
      if (!access.place.function.empty() && access.place.line > 0) words += " in " + access.place.function;
      std::string locks;
      for (const Holding& one : access.holds)
        locks += (locks.empty() ? ", holds " : ", ") + one.name + place(one.taken, " (", ")");
      words += locks.empty() ? ", holds no lock" : locks;
      labelled("  " + access.name, Paint::Strong, clean(words), name + 4);
      stack(access.stack);
    }
    if (!accesses.empty()) labelled("  Why", Paint::Strong, clean(whyUnordered(accesses)), kTitle);
  }

  void output() {
    std::string printed = settings_.output ? withoutAssertion() : "";
    if (printed.empty()) return;
    line("");
    line(painted(style_, Paint::Strong, "  Output of the program in this run"));
    text_ += quoted(printed, style_);
  }

  /// What the C library says of a failed assertion is in the headline.
  std::string withoutAssertion() const {
    const Stop& stop = finding_.rehearsal.stop;
    if (stop.kind != Stop::Kind::Asserted) return facts_.output();
    std::string said = "Assertion `" + stop.text.substr(0, stop.text.rfind(" at ")) + "' failed.";
    std::string rest;
    std::istringstream lines(facts_.output());
    for (std::string words; std::getline(lines, words);)
      if (words.find(said) == std::string::npos) rest += words + '\n';
    return rest;
  }

  void goOn() {
    std::vector<std::string> tips = facts_.tips();
    const std::optional<SavedAs>& saved = settings_.saved;
    if (!tips.empty() || saved) line("");
    for (const std::string& tip : tips) labelled("  Tip", Paint::Strong, clean(tip), kTitle);
    if (!saved) return;
    labelled("  Saved", Paint::Strong, clean(saved->file.string()), kTitle);
    // A number is looked up in the usual directory.
    bool isUsual = saved->file.parent_path() == ".mcmini";
    std::string which = isUsual ? std::to_string(saved->number) : shellWord(saved->file.string());
    line("  " + cell("Replay", 8) + "mcmini replay " + which + (isUsual ? "    " : "\n  ") +
         cell("Debug", isUsual ? 7 : 8) + "mcmini gdb " + which);
  }

  std::string cell(const std::string& label, std::size_t columns) const {
    return painted(style_, Paint::Strong, label) + std::string(columns - columnsOf(label), ' ');
  }

  const Finding& finding_;
  const Symbolizer& symbolizer_;
  FindingFacts facts_;
  const FindingTextSettings& settings_;
  const Style& style_;
  std::string text_;
};

/// Tabs as spaces: what stands before the line shifts them.
std::string withoutTabs(const std::string& text) {
  std::string result;
  for (char c : text)
    if (c == '\t')
      result.append(8 - columnsOf(result) % 8, ' ');
    else
      result += c;
  return result;
}

}  // namespace

std::string textOf(const Finding& finding, const Symbolizer& symbolizer,
                   const FindingTextSettings& settings) {
  return Writer(finding, symbolizer, settings).write();
}

std::string quoted(const std::string& output, const Style& style) {
  std::string printed = output;
  if (printed.size() > kOutputShown)
    printed = printed.substr(0, kOutputShown / 2) + "\n... " + std::to_string(printed.size() - kOutputShown) +
              " characters ...\n" + printed.substr(printed.size() - kOutputShown / 2);
  std::string text;
  std::istringstream lines(printed);
  for (std::string words; std::getline(lines, words);)
    text += withoutTrailingSpaces("    " + painted(style, Paint::Faint, "|") + " " +
                                  printable(withoutTabs(words), style.ascii)) +
            '\n';
  return text;
}

}  // namespace mcmini
