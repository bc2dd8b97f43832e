#include "core/app/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mcmini {

namespace {

std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, substituted}));
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(const std::string& wrong, const std::vector<std::string>& known) {
  std::string found;
  std::size_t best = std::max<std::size_t>(2, wrong.size() / 3) + 1;
  for (const std::string& name : known)
    if (std::size_t d = distance(name, wrong); d < best) {
      best = d;
      found = name;
    }
  return found;
}

}  // namespace mcmini
