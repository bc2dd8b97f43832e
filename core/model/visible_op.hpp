#pragma once

#include <array>
#include <cstdint>
#include <optional>
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

  /// What its thread, when it announced it, saw that it would return, if it saw that. Others may change it.
  std::optional<Result> foreseen = {};

  friend bool operator==(const VisibleOp& a, const VisibleOp& b) {
    return a.op == b.op && a.thread == b.thread && a.object == b.object && a.args == b.args &&
           a.site == b.site;
  }
};

}  // namespace mcmini
