#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/model/ids.hpp"

namespace mcmini {

/// An operation as a thread of the target announced it, before it is carried out.
struct VisibleOp {
  NameId op{};
  std::string_view name;  ///< The dotted name behind `op`; lives as long as the target.
  ThreadId thread{};
  std::uint64_t object = 0;  ///< Usually an address; its wrapper and its transition agree on the meaning.
  std::array<std::uint64_t, 3> args{};
  CodeAddress site = 0;  ///< Where the program called it.
  std::string_view call =
      {};  ///< The function that it called, if `name` does not say; lives as long as `name`.
  /// Which of several ways it goes, from 0, if it has several (Transition::choices). The search decides: no
  /// thread announces it, so it is no part of what is compared.
  std::uint32_t alternative = 0;

  /// Of an operation on a value in memory: how often, as far as could be seen, the program had written to it
  /// without such an operation, and what it held then. 0: not known, and 0 at first.
  std::uint32_t epoch = 0;
  std::uint64_t initial = 0;

  friend bool operator==(const VisibleOp& a, const VisibleOp& b) {
    return a.op == b.op && a.thread == b.thread && a.object == b.object && a.args == b.args &&
           a.site == b.site;
  }
};

}  // namespace mcmini
