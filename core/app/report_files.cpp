#include "core/app/report_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "core/report/junit.hpp"
#include "core/report/sarif.hpp"

namespace mcmini {

namespace fs = std::filesystem;

namespace {

bool isProgram(const fs::path& file) {
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return false;
  std::array<char, 4> start{};
  std::ifstream(file, std::ios::binary).read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) == "\177ELF";
}

/// Files that the check needs, and programs, whose names stand on the same command line.
void refuseToOverwrite(const std::string& option, const fs::path& file, const Options& options) {
  std::vector<fs::path> needed = options.suppressions;
  if (options.input) needed.push_back(*options.input);
  std::error_code unknown;
  bool isNeeded =
      std::ranges::any_of(needed, [&](const fs::path& one) { return fs::equivalent(one, file, unknown); });
  if (isNeeded || isProgram(file))
    throw UsageError(fmt::format("{} would overwrite {}, which is {}. Nothing was checked.", option,
                                 file.string(), isNeeded ? "read, too" : "a program or a library"));
}

}  // namespace

ReportFiles::ReportFiles(const Options& options) {
  for (const auto& [option, path] : {std::pair("--json", options.json), std::pair("--junit", options.junit),
                                     std::pair("--sarif", options.sarif)})
    if (path) refuseToOverwrite(option, *path, options);
  open("--json", options.json, [](const JsonReport& report) { return textOf(report); });
  open("--junit", options.junit, junitOf);
  open("--sarif", options.sarif, [](const JsonReport& report) { return textOf(sarifOf(report)); });
}

void ReportFiles::open(const std::string& option, const std::optional<std::filesystem::path>& path,
                       std::function<std::string(const JsonReport&)> text) {
  if (!path) return;
  std::string name = path->string();
  std::error_code unknown;
  auto same = std::ranges::find_if(files_, [&](const File& file) {
    return file.path == name || (file.path != "-" && fs::equivalent(file.path, name, unknown));
  });
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
