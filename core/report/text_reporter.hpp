#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/report/conclusion.hpp"
#include "core/report/saved_as.hpp"
#include "core/report/style.hpp"
#include "core/report/symbolizer.hpp"
#include "core/search/explorer.hpp"

namespace mcmini {

/// Which runs' output of the program is shown.
enum class OutputShown : std::uint8_t { Failing, All, None };

/// What a person wants to be told, and how.
struct TextSettings {
  bool quiet = false;
  Style style;  ///< Of what goes to `out`.
  OutputShown output = OutputShown::Failing;
  /// Saves a finding before it is printed, even if nothing is. Nothing: it is not saved.
  std::function<std::optional<SavedAs>(const Finding&)> save = [](const Finding&) { return std::nullopt; };
  /// What the program printed in the run that has just ended; needed if all of it is shown.
  std::function<std::string()> outputOfRun = [] { return std::string(); };
};

/// Tells a person what was found: each bug as soon as it is known, the sum at the end.
class TextReporter : public Observer {
 public:
  TextReporter(std::FILE* out, std::FILE* err, const Symbolizer& symbolizer, TextSettings settings)
      : out_(out), err_(err), symbolizer_(symbolizer), settings_(std::move(settings)) {}

  void onFinding(const Finding& finding) override;
  void onRunEnd(const Execution& run, Ending ending, const Summary& soFar) override;
  void onThreadsLeft(const Execution& run, const std::vector<TransitionPtr>& waiting) override;
  void onThreadsRunning(const Execution& run, const std::vector<ThreadId>& threads) override;

  /// Says what was covered, and what was not, and returns it.
  std::string conclude(const Summary& summary, const Limits& limits, const Circumstances& circumstances);

  /// A sentence for stderr, said once.
  void warn(const std::string& sentence);

  /// The sentences that were said, or would have been.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// Why a program that does not repeat itself cannot be checked.
  std::string explain(const Nondeterminism& difference, const ModelState& state) const;

 private:
  std::FILE* out_;
  std::FILE* err_;
  const Symbolizer& symbolizer_;
  TextSettings settings_;
  std::uint64_t lastShown_ = 0;  // the run of the last finding
  std::set<std::string> said_;
  std::vector<std::string> warnings_;
};

/// The last line of stdout, for scripts.
std::string resultLine(const Summary& summary, double seconds, int exitCode);

}  // namespace mcmini
