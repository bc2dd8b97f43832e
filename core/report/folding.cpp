#include "core/report/folding.hpp"

#include <algorithm>

namespace mcmini {

namespace {

constexpr std::size_t kLongestLoop = 8;  // operations of a round
constexpr std::size_t kRounds = 3;       // so many are folded
constexpr std::size_t kRunShown =
    24;  // pieces of one thread without a break, or the first third and the last two
constexpr std::size_t kShown =
    90;  // pieces of a schedule, or a third of them from the beginning and two from the end

class Folder {
 public:
  Folder(const Finding& finding, const std::vector<std::size_t>& events)
      : finding_(finding), events_(events) {}

  std::vector<Piece> fold() {
    std::vector<Piece> all;
    for (std::size_t i = 0; i < events_.size();) {
      std::size_t end = i + 1;
      while (end < events_.size() && threadAt(end) == threadAt(i)) ++end;
      std::vector<Piece> run = shortened(foldRun(i, end), kRunShown);
      all.insert(all.end(), run.begin(), run.end());
      i = end;
    }
    return shortened(std::move(all), kShown);
  }

 private:
  const Transition& at(std::size_t i) const { return *finding_.events[events_[i]].transition; }
  ThreadId threadAt(std::size_t i) const { return at(i).thread(); }

  bool alike(std::size_t i, std::size_t j) const {
    const VisibleOp& a = at(i).visible();
    const VisibleOp& b = at(j).visible();
    return a.op == b.op && a.site == b.site && a.call == b.call &&
           at(i).failed(finding_.events[events_[i]].result) ==
               at(j).failed(finding_.events[events_[j]].result);
  }

  /// An event of which there is nothing to say: it belongs to no line of the program.
  bool isSilent(std::size_t i) const { return at(i).visible().site == 0; }

  std::size_t roundsOf(std::size_t begin, std::size_t end, std::size_t period) const {
    std::size_t i = begin + period;
    while (i < end && alike(i, i - period)) ++i;
    return (i - begin) / period;
  }

  std::vector<Piece> foldRun(std::size_t begin, std::size_t end) const {
    std::vector<Piece> pieces;
    std::size_t first = begin;  // of those without mention
    for (std::size_t i = begin; i < end;) {
      if (isSilent(i) && i + 1 < end && !isSilent(i + 1)) {
        ++i;
        continue;
      }
      auto [period, rounds] = loopAt(i, std::min(end, events_.size() - 1));
      if (period == 1 && rounds > 1) {
        pieces.push_back({Piece::Kind::Alike, first, i + rounds - 1, rounds});
      } else {
        for (std::size_t j = i; j < i + period; ++j) {
          pieces.push_back({Piece::Kind::Steps, first, j, 1});
          first = j + 1;
        }
        if (rounds > 1)
          pieces.push_back({Piece::Kind::Again, i + period, i + rounds * period - 1, rounds - 1});
      }
      i += period * rounds;
      first = i;
    }
    return pieces;
  }

  struct Loop {
    std::size_t period;
    std::size_t rounds;
  };

  /// The shortest loop that begins there; a step that is in none is one round.
  Loop loopAt(std::size_t i, std::size_t end) const {
    for (std::size_t period = 1; period <= kLongestLoop && i + kRounds * period <= end; ++period)
      if (std::size_t rounds = roundsOf(i, end, period); rounds >= kRounds) return {period, rounds};
    return {1, 1};
  }

  static std::vector<Piece> shortened(std::vector<Piece> pieces, std::size_t most) {
    if (pieces.size() <= most) return pieces;
    std::size_t third = most / 3;
    std::vector<Piece> some(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(third));
    std::size_t from = pieces.size() - 2 * third;
    some.push_back({Piece::Kind::Gap, pieces[third].first, pieces[from - 1].last, 1});
    some.insert(some.end(), pieces.begin() + static_cast<std::ptrdiff_t>(from), pieces.end());
    return some;
  }

  const Finding& finding_;
  const std::vector<std::size_t>& events_;
};

}  // namespace

std::vector<Piece> folded(const Finding& finding, const std::vector<std::size_t>& events) {
  return Folder(finding, events).fold();
}

}  // namespace mcmini
