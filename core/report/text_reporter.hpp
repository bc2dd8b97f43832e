#pragma once

#include <cstdio>
#include <set>
#include <string>

#include "core/report/symbolizer.hpp"
#include "core/search/explorer.hpp"

namespace mcmini {

/// Tells a person what was found: each bug as soon as it is known, the sum at the end.
class TextReporter : public Observer {
 public:
  TextReporter(std::FILE* out, std::FILE* err, const Symbolizer& symbolizer, bool quiet)
      : out_(out), err_(err), symbolizer_(symbolizer), quiet_(quiet) {}

  void onFinding(const Finding& finding) override;
  void onThreadsLeft(const Execution& run, const std::vector<TransitionPtr>& waiting) override;
  void onThreadsRunning(const Execution& run, const std::vector<ThreadId>& threads) override;

  /// A line that says what was covered, and what was not.
  void conclude(const Summary& summary, const Limits& limits);

  /// A sentence for stderr, said once.
  void warn(const std::string& sentence);

  /// Why a program that does not repeat itself cannot be checked.
  std::string explain(const Nondeterminism& difference, const ModelState& state) const;

 private:
  std::FILE* out_;
  std::FILE* err_;
  const Symbolizer& symbolizer_;
  bool quiet_;
  std::set<std::string> said_;
};

/// The last line of stdout, for scripts.
std::string resultLine(const Summary& summary, double seconds, int exitCode);

}  // namespace mcmini
