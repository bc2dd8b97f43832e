#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mcmini::experiments {

/// 1,234,567
std::string withCommas(std::uint64_t number);

/// Three digits that mean something: 0.0123, 1.23, 123, 12,345.
std::string shortly(double number);

/// The rows as a table of Markdown, with columns wide enough that it can be read as it is. The first row is
/// the head, and the first column is aligned to the left.
std::string inColumns(const std::vector<std::vector<std::string>>& rows);

}  // namespace mcmini::experiments
