#pragma once

#include <string>
#include <vector>

namespace mcmini {

/// What somebody may have meant who wrote something wrong; empty if nothing comes close.
std::string nearest(const std::string& wrong, const std::vector<std::string>& known);

}  // namespace mcmini
