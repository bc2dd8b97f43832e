#pragma once

#include <string>

namespace mcmini {

/// A word as a shell takes it: quoted if need be, and on one line.
std::string shellWord(const std::string& word);

}  // namespace mcmini
