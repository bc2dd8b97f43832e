#include "core/search/data_races.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/search/memory_clocks.hpp"

namespace mcmini {

namespace {

using Kind = Access::Kind;

constexpr std::uint64_t kWord = 8;
constexpr std::size_t kCells = 12;                        // of a word: more are kept only if they are needed
constexpr std::size_t kMostWords = std::size_t{4} << 20;  // that are kept: each takes some hundred bytes

bool isWrite(Kind kind) {
  return kind == Kind::Write || kind == Kind::AtomicWrite || kind == Kind::Free;
}
bool isAtomic(Kind kind) {
  return kind == Kind::AtomicRead || kind == Kind::AtomicWrite;
}

bool conflict(Kind a, Kind b) {
  return (isWrite(a) || isWrite(b)) && !(isAtomic(a) && isAtomic(b));
}

/// Does whatever conflicts with `before` conflict with `now`, too?
bool outdoes(Kind now, Kind before) {
  if (now == Kind::Write || now == Kind::Free || now == before) return true;
  return before == Kind::AtomicRead;
}

/// An access to a word that later ones are compared with.
struct Cell {
  std::size_t record = 0;
  Moment moment;
  Kind kind{};
  std::uint8_t mask = 0;  // the bytes
};

class Detector {
 public:
  Detector(const std::vector<Event>& events, const AccessLog& log, const RaceRules& rules)
      : clocks_(events, log.accesses), log_(log.accesses), rules_(rules) {}

  Races run() {
    for (std::size_t i = 0; i < log_.size(); ++i)
      if (clocks_.pieceOf(i)) consider(i);
    Races races;
    for (auto& [places, race] : found_) races.found.push_back(std::move(race));
    std::ranges::sort(races.found, {},
                      [&](const Race& race) { return std::tuple(race.second.access.segment, race.places); });
    races.bytes = merged(std::move(bytes_));
    races.isPartial = isPartial_;
    races.anyMeant = anyMeant_;
    return races;
  }

 private:
  void consider(std::size_t record) {
    const Access& access = log_[record];
    MemoryRange range{access.address, access.address + access.size};
    switch (access.kind) {
      case Kind::Begin:
        forget(range);
        return;
      case Kind::Acquire:
      case Kind::Release:
        return;
      case Kind::Benign:
        meant_.push_back(range);
        return;
      case Kind::Free:
        compareWithAll(record, range);
        freed_[range.begin] = {range.end, cellOf(record, 0xff)};
        return;
      default:
        if (words_.size() + (range.end - range.begin) / kWord > kMostWords) {
          isPartial_ = true;
          return;
        }
        for (std::uint64_t at = range.begin; at < range.end; at = (at / kWord + 1) * kWord) {
          std::uint64_t size = std::min(range.end, (at / kWord + 1) * kWord) - at;
          visit(words_[at / kWord], cellOf(record, maskOf(at, size)));
        }
        if (!freed_.empty()) compareWithFreed(record, range);
    }
  }

  static std::uint8_t maskOf(std::uint64_t at, std::uint64_t size) {
    return static_cast<std::uint8_t>(((1U << size) - 1) << (at % kWord));
  }

  /// An atomic access is of its event, which others may know though they do not know what comes after it.
  Cell cellOf(std::size_t record, std::uint8_t mask) const {
    const Access& access = log_[record];
    Moment moment = clocks_.piece(*clocks_.pieceOf(record)).moment;
    if (isAtomic(access.kind) && moment.events > 0) --moment.events;
    return {record, moment, access.kind, mask};
  }

  bool isOrdered(const Cell& before, const Cell& now) const {
    return before.moment.thread == now.moment.thread ||
           clocks_.ordered(before.moment, *clocks_.pieceOf(now.record));
  }

  void compare(const Cell& before, const Cell& now) {
    if (conflict(before.kind, now.kind) && !isOrdered(before, now)) note(before.record, now.record);
  }

  void visit(std::vector<Cell>& cells, const Cell& now) {
    for (const Cell& before : cells)
      if ((before.mask & now.mask) != 0) compare(before, now);
    bool many = cells.size() >= kCells;
    for (Cell& before : cells) {
      bool isSame = before.kind == now.kind && before.moment.thread == now.moment.thread &&
                    log_[before.record].site == log_[now.record].site;
      if (isSame || (many && outdoes(now.kind, before.kind) && isOrdered(before, now)))
        before.mask = static_cast<std::uint8_t>(before.mask & ~now.mask);
    }
    drop(cells, 0);
    cells.push_back(now);
  }

  /// What is left without these bytes.
  static void drop(std::vector<Cell>& cells, std::uint8_t mask) {
    for (Cell& cell : cells) cell.mask = static_cast<std::uint8_t>(cell.mask & ~mask);
    std::erase_if(cells, [](const Cell& cell) { return cell.mask == 0; });
  }

  template <class Visit>
  void forWordsIn(const MemoryRange& range, Visit visit) {
    std::uint64_t first = range.begin / kWord;
    std::uint64_t last = (range.end + kWord - 1) / kWord;
    if (last - first < words_.size()) {
      for (std::uint64_t word = first; word < last; ++word)
        if (auto at = words_.find(word); at != words_.end()) visit(word, at->second);
    } else {
      for (auto& [word, cells] : words_)
        if (word >= first && word < last) visit(word, cells);
    }
  }

  void compareWithAll(std::size_t record, const MemoryRange& range) {
    Cell now = cellOf(record, 0xff);
    forWordsIn(range, [&](std::uint64_t, const std::vector<Cell>& cells) {
      for (const Cell& before : cells) compare(before, now);
    });
  }

  void compareWithFreed(std::size_t record, const MemoryRange& range) {
    auto freed = freed_.upper_bound(range.begin);
    if (freed != freed_.begin()) --freed;
    for (; freed != freed_.end() && freed->first < range.end; ++freed)
      if (freed->second.end > range.begin) compare(freed->second.cell, cellOf(record, 0xff));
  }

  void forget(const MemoryRange& range) {
    forWordsIn(range, [&](std::uint64_t word, std::vector<Cell>& cells) {
      std::uint64_t begin = std::max(range.begin, word * kWord);
      std::uint64_t end = std::min(range.end, (word + 1) * kWord);
      drop(cells, maskOf(begin, end - begin));
    });
    std::erase_if(
        freed_, [&](const auto& freed) { return freed.first < range.end && freed.second.end > range.begin; });
    std::erase_if(meant_,
                  [&](const MemoryRange& one) { return one.begin < range.end && one.end > range.begin; });
  }

  RacyAccess describe(std::size_t record) const {
    const MemoryClocks::Piece& piece = clocks_.piece(*clocks_.pieceOf(record));
    return {log_[record], ThreadId{piece.moment.thread}, piece.event};
  }

  void note(std::size_t before, std::size_t now) {
    const Access& a = log_[before];
    const Access& b = log_[now];
    MemoryRange bytes{std::max(a.address, b.address), std::min(a.address + a.size, b.address + b.size)};
    if (bytes.begin >= bytes.end) return;  // within a word, but not the same bytes
    auto holds = [&](const MemoryRange& range) {
      return range.begin <= bytes.begin && bytes.end <= range.end;
    };
    if (std::ranges::any_of(meant_, holds)) {
      anyMeant_ = true;
      return;
    }
    bool isNew = known_.emplace(a.site, b.site, a.kind, b.kind).second;
    if (!isNew && !bytes_.empty() && holds(bytes_.back())) return;
    Race race{describe(before), describe(now), bytes, {rules_.place(a.site), rules_.place(b.site)}};
    if (race.places.second < race.places.first) std::swap(race.places.first, race.places.second);
    if (rules_.isMeant(race)) {
      anyMeant_ = true;
      return;
    }
    bytes_.push_back(bytes);
    if (!isNew) return;
    auto [known, isFirst] = found_.try_emplace(race.places, race);
    if (!isFirst && weight(race) > weight(known->second)) known->second = race;
  }

  /// Of the accesses of the same two lines, those that write say most.
  static int weight(const Race& race) {
    return (isWrite(race.first.access.kind) ? 1 : 0) + (isWrite(race.second.access.kind) ? 1 : 0);
  }

  struct Freed {
    std::uint64_t end;
    Cell cell;
  };

  const MemoryClocks clocks_;
  const std::vector<Access>& log_;
  const RaceRules& rules_;
  std::unordered_map<std::uint64_t, std::vector<Cell>> words_;
  std::map<std::uint64_t, Freed> freed_;  // by where it begins
  std::vector<MemoryRange> meant_;
  std::set<std::tuple<CodeAddress, CodeAddress, Kind, Kind>> known_;
  std::map<std::pair<std::string, std::string>, Race> found_;
  std::vector<MemoryRange> bytes_;
  bool isPartial_ = false;
  bool anyMeant_ = false;
};

}  // namespace

Races dataRaces(const std::vector<Event>& events, const AccessLog& log, const RaceRules& rules) {
  if (log.accesses.empty()) return {};
  return Detector(events, log, rules).run();
}

std::vector<MemoryRange> merged(std::vector<MemoryRange> ranges) {
  std::ranges::sort(ranges, {}, [](const MemoryRange& range) { return std::pair(range.begin, range.end); });
  std::vector<MemoryRange> result;
  for (const MemoryRange& range : ranges)
    if (!result.empty() && range.begin <= result.back().end)
      result.back().end = std::max(result.back().end, range.end);
    else
      result.push_back(range);
  return result;
}

}  // namespace mcmini
