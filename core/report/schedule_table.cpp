#include "core/report/schedule_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/report/columns.hpp"

namespace mcmini {

namespace {

constexpr std::size_t kMostColumns = 12;  // threads
constexpr std::size_t kUsualCall = 48;    // columns; what is longer does not move the rest for all
constexpr const char* kBetween = "  ";
constexpr const char* kBar = "| ";
constexpr const char* kPlaceHeading = "line";
constexpr const char* kNoteHeading = "after it";

/// The file in which all steps are; empty if there are several, or none.
std::string commonFile(const std::vector<ScheduleRow>& rows) {
  std::string file;
  for (const ScheduleRow& row : rows) {
    std::size_t colon = row.place.rfind(':');
    if (row.place.empty()) continue;
    if (colon == std::string::npos) return "";
    if (!file.empty() && file != row.place.substr(0, colon)) return "";
    file = row.place.substr(0, colon);
  }
  return file;
}

std::string numberOf(const ScheduleRow& row) {
  if (row.first == 0) return "";
  return row.first == row.last ? std::to_string(row.first) : fmt::format("{}-{}", row.first, row.last);
}

std::string marksOf(const ScheduleRow& row) {
  return std::string(row.preempts ? "~" : "") + (row.noReturn ? "*" : "") + (row.isFault ? "!" : "");
}

/// A piece of a line, padded after it is painted.
std::string cell(const Style& style, const std::string& text, std::size_t columns,
                 std::optional<Paint> paint = std::nullopt) {
  std::string shown = paint ? painted(style, *paint, text) : text;
  std::size_t own = columnsOf(text);
  return shown + std::string(columns > own ? columns - own : 0, ' ');
}

class Table {
 public:
  Table(const std::vector<ScheduleRow>& rows, const Style& style) : rows_(rows), style_(style) {
    for (const ScheduleRow& row : rows) {
      numberWidth_ = std::max(numberWidth_, columnsOf(numberOf(row)));
      marksWidth_ = std::max(marksWidth_, marksOf(row).size());
    }
  }
  virtual ~Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

 protected:
  std::size_t marginWidth() const { return 2 + numberWidth_ + (marksWidth_ == 0 ? 0 : 1 + marksWidth_) + 2; }

  /// Step and marks, before each line.
  std::string margin(const ScheduleRow& row) const {
    std::string marks = marksOf(row);
    std::string text = "  " + painted(style_, Paint::Faint, paddedLeft(numberOf(row), numberWidth_));
    if (marksWidth_ > 0)
      text += " " + cell(style_, marks, marksWidth_, row.isFault ? Paint::Bad : Paint::Warning);
    return text + "  ";
  }
  std::string heading() const { return padded("  " + paddedLeft("#", numberWidth_), marginWidth()); }

  static std::optional<Paint> paintOf(const ScheduleRow& row) {
    if (row.isFault) return Paint::Bad;
    return row.isCall ? std::nullopt : std::optional(Paint::Faint);
  }

  const std::vector<ScheduleRow>& rows_;
  const Style& style_;

 private:
  std::size_t numberWidth_ = 1;
  std::size_t marksWidth_ = 0;
};

/// A column for each thread.
class Columns : public Table {
 public:
  enum class Notes : std::uint8_t { All, Brief };

  Columns(const std::vector<ScheduleRow>& rows, const Style& style, bool shortCalls, Notes notes)
      : Table(rows, style), shortCalls_(shortCalls), notes_(notes) {
    for (const ScheduleRow& row : rows)
      if (!row.name.empty()) columns_[row.thread].width = columnsOf(row.name);
    for (const ScheduleRow& row : rows) {
      if (row.first != 0) noteWidth_ = std::max(noteWidth_, columnsOf(noteOf(row)));
      if (!row.isCall) continue;
      Column& column = columns_[row.thread];
      column.name = row.name;
      column.call = std::max(column.call, columnsOf(callOf(row)));
      column.place = std::max(column.place, columnsOf(row.place));
    }
    for (auto& [thread, column] : columns_)
      column.width = std::max(column.width, column.call + (column.place == 0 ? 0 : 1 + column.place));
    if (noteWidth_ > 0) noteWidth_ = std::max(noteWidth_, columnsOf(kNoteHeading));
  }

  bool fits() const {
    std::size_t width = marginWidth();
    for (const auto& [thread, column] : columns_) width += column.width + columnsOf(kBetween);
    width = noteWidth_ == 0 ? width - columnsOf(kBetween) : width + columnsOf(kBar) + noteWidth_;
    return columns_.size() <= kMostColumns && width <= style_.width;
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> lines{header()};
    Cells atFault;
    Cells besides;
    for (const ScheduleRow& row : rows_) {
      if (row.first == 0)
        (row.isFault ? atFault : besides)[row.thread] = &row;
      else
        lines.push_back(line(row, {{row.thread, &row}}, noteOf(row)));
    }
    // What all threads do at the end, as far as it is alike, is one line.
    for (const Cells& atEnd : {atFault, besides})
      if (!atEnd.empty()) lines.push_back(line(marginOf(atEnd), atEnd, ""));
    return lines;
  }

 private:
  using Cells = std::map<ThreadId, const ScheduleRow*>;
  struct Column {
    std::string name;
    std::size_t call = 0;
    std::size_t place = 0;
    std::size_t width = 0;
  };

  std::string callOf(const ScheduleRow& row) const { return shortCalls_ ? shortCall(row.call) : row.call; }
  const std::string& noteOf(const ScheduleRow& row) const {
    return notes_ == Notes::All ? row.note : row.briefNote;
  }

  static ScheduleRow marginOf(const Cells& atEnd) {
    ScheduleRow margin;
    margin.isFault = atEnd.begin()->second->isFault;
    return margin;
  }

  std::string header() const {
    std::string text = painted(style_, Paint::Faint, heading());
    for (const auto& [thread, column] : columns_)
      text += cell(style_, column.name, column.width, Paint::Strong) + kBetween;
    if (noteWidth_ > 0) text += painted(style_, Paint::Faint, std::string(kBar) + kNoteHeading);
    return withoutTrailingSpaces(text);
  }

  std::string line(const ScheduleRow& marks, const Cells& cells, const std::string& note) const {
    std::string text = margin(marks);
    if (!marks.isCall && marks.name.empty())
      return withoutTrailingSpaces(text + painted(style_, Paint::Faint, marks.call));
    for (const auto& [thread, column] : columns_) {
      auto at = cells.find(thread);
      text += (at == cells.end() ? std::string(column.width, ' ') : content(*at->second, column)) + kBetween;
    }
    if (!note.empty()) text += painted(style_, Paint::Faint, kBar) + note;
    return withoutTrailingSpaces(text);
  }

  std::string content(const ScheduleRow& row, const Column& column) const {
    if (!row.isCall) return cell(style_, row.call, column.width, Paint::Faint);
    std::string text =
        cell(style_, callOf(row), column.place == 0 ? column.width : column.call, paintOf(row));
    if (column.place == 0) return text;
    return text + " " + cell(style_, row.place, column.width - column.call - 1, Paint::Faint);
  }

  bool shortCalls_;
  Notes notes_;
  std::map<ThreadId, Column> columns_;
  std::size_t noteWidth_ = 0;
};

/// A line for each step.
class Lines : public Table {
 public:
  Lines(const std::vector<ScheduleRow>& rows, const Style& style) : Table(rows, style) {
    for (const ScheduleRow& row : rows) {
      name_ = std::max(name_, columnsOf(row.name));
      place_ = std::max(place_, columnsOf(row.place));
      if (row.isCall && columnsOf(row.call) <= kUsualCall) call_ = std::max(call_, columnsOf(row.call));
    }
    if (place_ > 0) place_ = std::max(place_, columnsOf(kPlaceHeading));
    for (const ScheduleRow& row : rows) {
      bool& saysIt = row.first == 0 ? saysWhoWaits_ : saysAll_;
      saysIt = saysIt && fitsBehind(row, row.note);
    }
    for (const ScheduleRow& row : rows)
      anyNote_ = anyNote_ || (row.first != 0 && !noteOf(row).empty() && fitsBehind(row, noteOf(row)));
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> lines{header()};
    for (const ScheduleRow& row : rows_) add(lines, row);
    for (std::string& line : lines) line = withoutTrailingSpaces(std::move(line));
    return lines;
  }

 private:
  std::size_t indent() const { return marginWidth() + name_ + 2 + (place_ == 0 ? 0 : place_ + 2); }

  std::string header() const {
    std::string text = heading() + padded("thread", name_) + "  ";
    if (place_ > 0) text += padded(kPlaceHeading, place_) + "  ";
    text += padded("call", call_);
    if (anyNote_) text += std::string("  ") + kBar + kNoteHeading;
    return painted(style_, Paint::Faint, withoutTrailingSpaces(text));
  }

  /// Is there room for the note behind the call, in line with other notes?
  bool fitsBehind(const ScheduleRow& row, const std::string& note) const {
    return indent() + std::max(call_, columnsOf(row.call)) + 4 + columnsOf(note) <= style_.width;
  }

  const std::string& noteOf(const ScheduleRow& row) const {
    return (row.first == 0 ? saysWhoWaits_ : saysAll_) ? row.note : row.briefNote;
  }

  /// What does not fit behind the rest goes to lines of its own.
  void add(std::vector<std::string>& lines, const ScheduleRow& row) const {
    std::string line = margin(row) + cell(style_, row.name, name_, Paint::Strong) + "  ";
    if (place_ > 0) line += cell(style_, row.place, place_, Paint::Faint) + "  ";
    std::size_t room = style_.width > indent() + 20 ? style_.width - indent() : 20;
    for (const std::string& part : wrapped(row.call, room)) {
      lines.push_back(line + cell(style_, part, call_, paintOf(row)));
      line = std::string(indent() + 2, ' ');
    }
    const std::string& note = noteOf(row);
    if (fitsBehind(row, note))
      addBehind(lines.back(), note);
    else if (indent() + columnsOf(row.call) + 4 + columnsOf(note) <= style_.width)
      addBehind(lines.back() = withoutTrailingSpaces(lines.back()), note);
    else
      for (const std::string& part : wrapped(note, room - 2))
        addBehind(lines.emplace_back(std::string(indent() - 2, ' ')), part);
  }

  void addBehind(std::string& line, const std::string& note) const {
    if (!note.empty()) line += "  " + painted(style_, Paint::Faint, kBar) + note;
  }

  std::size_t name_ = columnsOf("thread");
  std::size_t place_ = 0;
  std::size_t call_ = columnsOf("call");
  bool saysAll_ = true;       // there is room for what goes without saying, too
  bool saysWhoWaits_ = true;  // the same at the end, where marks say it
  bool anyNote_ = false;
};

std::vector<std::string> laidOut(const std::vector<ScheduleRow>& rows, const Style& style) {
  using Notes = Columns::Notes;
  for (auto [shortCalls, notes] :
       {std::pair(false, Notes::All), std::pair(true, Notes::All), std::pair(true, Notes::Brief)}) {
    Columns columns(rows, style, shortCalls, notes);
    if (columns.fits()) return columns.lines();
  }
  return Lines(rows, style).lines();
}

/// Says what the marks mean that occur.
std::vector<std::string> legend(const std::vector<ScheduleRow>& rows, const std::string& whatIsWrong,
                                const Style& style) {
  auto any = [&](auto member) { return std::ranges::any_of(rows, member); };
  std::vector<std::string> items;
  if (any(&ScheduleRow::preempts)) items.emplace_back("~ preemption: the thread before could have gone on");
  if (any(&ScheduleRow::noReturn))
    items.emplace_back("* point of no return: until here a run could still end well");
  if (any(&ScheduleRow::isFault)) items.push_back("! " + whatIsWrong);
  std::vector<std::string> lines;
  std::string line;
  for (const std::string& item : items) {
    if (!line.empty() && 2 + columnsOf(line) + 3 + columnsOf(item) > style.width) {
      lines.push_back(painted(style, Paint::Faint, "  " + line));
      line.clear();
    }
    line += (line.empty() ? "" : "   ") + item;
  }
  if (!line.empty()) lines.push_back(painted(style, Paint::Faint, "  " + line));
  return lines;
}

}  // namespace

std::vector<std::string> tableOf(std::vector<ScheduleRow> rows, const std::string& whatIsWrong,
                                 const Style& style) {
  std::string file = commonFile(rows);
  for (ScheduleRow& row : rows) {
    if (!file.empty() && !row.place.empty()) row.place = row.place.substr(file.size());
    for (std::string* text : {&row.name, &row.call, &row.place, &row.note, &row.briefNote})
      *text = printable(*text, style.ascii);
  }
  std::vector<std::string> lines{painted(style, Paint::Strong, "  Schedule") +
                                 (file.empty() ? "" : ", lines of " + printable(file, style.ascii))};
  for (std::string& line : laidOut(rows, style)) lines.push_back(std::move(line));
  for (std::string& line : legend(rows, whatIsWrong, style)) lines.push_back(std::move(line));
  return lines;
}

std::string shortCall(const std::string& call) {
  auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::size_t end = call.find('(');
  if (end == std::string::npos) return call;
  std::size_t begin = end;
  while (begin > 0 && isPart(call[begin - 1])) --begin;
  // Not at the first letter, as in _exit, nor before an ending such as in tryjoin_np.
  std::size_t cut = end - begin > 3 ? call.rfind('_', end - 4) : std::string::npos;
  if (cut == std::string::npos || cut <= begin) return call;
  return call.substr(0, begin) + call.substr(cut + 1);
}

}  // namespace mcmini
