#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/report/symbolizer.hpp"
#include "core/search/data_races.hpp"

namespace mcmini {

/// Races that the user does not want to hear of, by patterns: the line of one of the accesses (counter.c:12,
/// counter.c:*), its function, or the variable. A * stands for anything. One pattern a line; what follows a #
/// is a comment.
class Suppressions {
 public:
  /// Adds the patterns of a file; throws UsageError that names the file, and the line that is wrong.
  void read(const std::filesystem::path& file);

  /// Adds one; false if it is none.
  bool add(const std::string& pattern);

  bool empty() const { return patterns_.empty(); }

  /// Does a pattern fit one of the lines, functions and variables of a race?
  bool match(const Race& race, const Symbolizer& symbolizer) const;

  /// Does a pattern fit this place or name?
  bool match(const Location& place) const;
  bool match(const std::string& name) const;

 private:
  struct Pattern {
    std::string text;
    bool isLine;  // of a file
  };
  std::vector<Pattern> patterns_;
};

}  // namespace mcmini
