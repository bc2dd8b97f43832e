#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace mcmini {

/// By thread: how many of its events come before. Threads that it is too short for have none there.
using VectorClock = std::vector<std::uint32_t>;

inline void join(VectorClock& into, const VectorClock& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace mcmini
