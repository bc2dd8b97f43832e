#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "core/search/loops.hpp"

namespace mcmini {

/// The loops that threads were found in, and what was learnt of each when it was tried.
class KnownLoops {
 public:
  /// One that polls may do so for a while, later for ever, at the same place: it is another loop when its
  /// thread has achieved something in between.
  struct Loop {
    ThreadId thread;
    CodeAddress site;
    std::uint64_t object;
    Loops::Kind kind;
    std::size_t achieved;
    auto operator<=>(const Loop&) const = default;  // NOLINT(modernize-use-nullptr): sees a 0 in it
  };
  static Loop loopOf(const Transition& next, Loops::Kind kind, std::size_t achieved);

  /// Does its thread leave it by itself?
  enum class Outlook : std::uint8_t { Soon, Late, Never };

  struct Expectation {
    Outlook outlook;
    bool isTried;  ///< Rather than taken from another loop at the same place.
  };

  bool empty() const { return outlooks_.empty(); }

  /// Nothing if the loop has to be tried.
  std::optional<Expectation> expected(const Loop& loop) const;

  /// Is there one that begins with this operation of this thread, and is not left soon?
  bool holdUp(const Transition& next) const;

  void note(const Loop& loop, Outlook outlook) { outlooks_[loop] = outlook; }

  /// All that begin with this operation of this thread are left soon.
  void followAll(const Transition& next);

 private:
  std::map<Loop, Outlook> outlooks_;
};

}  // namespace mcmini
