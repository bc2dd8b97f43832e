#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "core/report/finding_facts.hpp"
#include "core/report/symbolizer.hpp"
#include "core/search/explorer.hpp"

namespace mcmini {

/// What machines are told of a check. Its shape is in core/report/mcmini-report.schema.json; whatever is
/// added there is optional for its readers, whatever changes has another number.
using JsonReport = nlohmann::ordered_json;

inline constexpr int kReportSchema = 1;

/// Adds what is found to a list, which becomes a report's "findings".
class JsonCollector : public Observer {
 public:
  JsonCollector(const Symbolizer& symbolizer, JsonReport& findings)
      : symbolizer_(symbolizer), findings_(findings) {}

  void onFinding(const Finding& finding) override;

 private:
  const Symbolizer& symbolizer_;
  JsonReport& findings_;
};

/// What was checked.
struct CheckedProgram {
  std::string version;  ///< Of mcmini.
  std::string program;
  std::vector<std::string> arguments;
};

/// How the check ended.
struct CheckEnd {
  const Summary& summary;
  double seconds;
  int exitCode;
  std::string conclusion;
  std::vector<std::string> warnings;
};

/// The report of a check that came to its end, or was stopped.
JsonReport jsonReport(const CheckedProgram& checked, const JsonReport& findings, const CheckEnd& end);

/// The report of one that could not be done.
JsonReport jsonReport(const CheckedProgram& checked, const JsonReport& findings, int exitCode,
                      const std::string& error);

/// As it is written to a file. Bytes that are no UTF-8, which programs may print, are replaced.
std::string textOf(const JsonReport& report);

}  // namespace mcmini
