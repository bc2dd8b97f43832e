#include "core/app/suppressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "core/app/errors.hpp"

namespace mcmini {

namespace {

bool fits(std::string_view pattern, std::string_view text) {
  std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  for (std::size_t skip = star; skip <= text.size(); ++skip)
    if (fits(pattern.substr(star + 1), text.substr(skip))) return true;
  return false;
}

std::string trimmed(const std::string& text) {
  std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// Where the number of the line begins in "counter.c:12"; npos if there is none: "work", "Pool::work".
std::size_t lineIn(const std::string& pattern) {
  std::size_t colon = pattern.rfind(':');
  bool isScope = colon != std::string::npos && colon > 0 && pattern[colon - 1] == ':';
  return colon == std::string::npos || isScope ? std::string::npos : colon + 1;
}

/// A file is named by its path, or by the end of it.
bool isFile(std::string_view pattern, const std::string& file) {
  if (fits(pattern, file)) return true;
  for (std::size_t slash = file.find('/'); slash != std::string::npos; slash = file.find('/', slash + 1))
    if (fits(pattern, std::string_view(file).substr(slash + 1))) return true;
  return false;
}

}  // namespace

bool Suppressions::add(const std::string& pattern) {
  std::size_t line = lineIn(pattern);
  bool isLine = line != std::string::npos;
  if (pattern.empty() || pattern.find_first_of(" \t") != std::string::npos) return false;
  if (isLine && (line == 1 || line == pattern.size() ||
                 pattern.find_first_not_of("0123456789*", line) != std::string::npos))
    return false;
  patterns_.push_back({pattern, isLine});
  return true;
}

void Suppressions::read(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::error_code unknown;
  if (!in || std::filesystem::is_directory(file, unknown))
    throw UsageError(
        fmt::format("--suppress: {} cannot be read. It has a pattern in each line.", file.string()));
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    std::string pattern = trimmed(line.substr(0, line.find('#')));
    if (!pattern.empty() && !add(pattern))
      throw UsageError(fmt::format(
          "{}:{}: '{}' is no pattern for races. There are: FILE:LINE, the name of a function, and that of a "
          "variable, each with * for anything.",
          file.string(), number, pattern));
  }
}

bool Suppressions::match(const Location& place) const {
  return std::ranges::any_of(patterns_, [&](const Pattern& pattern) {
    if (!pattern.isLine) return fits(pattern.text, place.function);
    std::size_t line = lineIn(pattern.text);
    return place.line > 0 && fits(pattern.text.substr(line), std::to_string(place.line)) &&
           isFile(pattern.text.substr(0, line - 1), place.file);
  });
}

bool Suppressions::match(const std::string& name) const {
  return std::ranges::any_of(
      patterns_, [&](const Pattern& pattern) { return !pattern.isLine && fits(pattern.text, name); });
}

bool Suppressions::match(const Race& race, const Symbolizer& symbolizer) const {
  if (empty()) return false;
  for (const RacyAccess* one : {&race.first, &race.second})
    for (const Location& frame : symbolizer.frames(one->access.site - 1))
      if (match(frame)) return true;
  std::string variable = symbolizer.variable(race.bytes.begin);
  return !variable.empty() && match(variable);
}

}  // namespace mcmini
