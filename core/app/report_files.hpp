#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/app/errors.hpp"
#include "core/app/options.hpp"
#include "core/report/json_report.hpp"

namespace mcmini {

/// The reports for machines that the user wants: --json, --junit and --sarif. The files are there, and empty,
/// as long as the check runs: what another check left in them must not be taken for its result.
class ReportFiles {
 public:
  /// Throws UsageError if one of them cannot be written.
  explicit ReportFiles(const Options& options);

  bool wanted() const { return !files_.empty(); }

  /// Throws UsageError if they cannot be written.
  void write(const JsonReport& report) const;

 private:
  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdout) std::fclose(file);
    }
  };
  struct File {
    std::string option;
    std::string path;
    std::function<std::string(const JsonReport&)> text;
    std::unique_ptr<std::FILE, Close> file;
  };

  void open(const std::string& option, const std::optional<std::filesystem::path>& path,
            std::function<std::string(const JsonReport&)> text);

  std::vector<File> files_;
};

}  // namespace mcmini
