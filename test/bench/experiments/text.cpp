#include "test/bench/experiments/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace mcmini::experiments {

std::string withCommas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string shortly(double number) {
  if (number >= 100) return withCommas(static_cast<std::uint64_t>(std::llround(number)));
  int decimals = number >= 10 ? 1 : number >= 0.1 ? 2 : 3;
  std::string text(32, '\0');
  text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.*f", decimals, number)));
  return text;
}

std::string inColumns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 3);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      std::string cell = i < rows[r].size() ? rows[r][i] : "";
      std::string gap(widths[i] - cell.size(), ' ');
      text += "| " + (i == 0 ? cell + gap : gap + cell) + " ";
    }
    text += "|\n";
    if (r > 0) continue;
    for (std::size_t i = 0; i < widths.size(); ++i)
      text += "|" + std::string(widths[i] + 1, '-') + (i == 0 ? "-" : ":");
    text += "|\n";
  }
  return text;
}

}  // namespace mcmini::experiments
