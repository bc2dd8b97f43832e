#pragma once

#include <ostream>

namespace mcmini {

/// What a text or a list that should be empty is compared with: if it is not, the failed check shows what it
/// holds.
struct None {};

constexpr None kNone;

template <class Container>
bool operator==(const Container& container, None /*none*/) {
  return container.empty();
}

inline std::ostream& operator<<(std::ostream& out, None /*none*/) {
  return out << "none";
}

}  // namespace mcmini
