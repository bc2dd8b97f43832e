#include "core/app/report_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/report/junit.hpp"
#include "core/report/sarif.hpp"

namespace mcmini {

ReportFiles::ReportFiles(const Options& options) {
  open("--json", options.json, [](const JsonReport& report) { return textOf(report); });
  open("--junit", options.junit, junitOf);
  open("--sarif", options.sarif, [](const JsonReport& report) { return textOf(sarifOf(report)); });
}

void ReportFiles::open(const std::string& option, const std::optional<std::filesystem::path>& path,
                       std::function<std::string(const JsonReport&)> text) {
  if (!path) return;
  std::string name = path->string();
  auto same = std::ranges::find(files_, name, &File::path);
  if (same != files_.end())
    throw UsageError(fmt::format("{} and {} would both write {}.", same->option, option, name));
  std::FILE* file = option == "--json" && name == "-" ? stdout : std::fopen(name.c_str(), "we");
  if (file == nullptr)
    throw UsageError(fmt::format("{} {}: {}. Nothing was checked.", option, name, std::strerror(errno)));
  files_.push_back({option, name, std::move(text), {}});
  files_.back().file.reset(file);
}

void ReportFiles::write(const JsonReport& report) const {
  for (const File& file : files_) {
    std::string text = file.text(report);
    bool written = std::fwrite(text.data(), 1, text.size(), file.file.get()) == text.size();
    if (!written || std::fflush(file.file.get()) != 0)
      throw UsageError(
          fmt::format("{} {} cannot be written: {}.", file.option, file.path, std::strerror(errno)));
  }
}

}  // namespace mcmini
