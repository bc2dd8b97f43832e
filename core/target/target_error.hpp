#pragma once

#include <stdexcept>
#include <string>

namespace mcmini {

/// The target cannot be checked, and the text says why and what to do.
struct TargetError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The system refuses something that mcmini needs: a sentence with the reason, and with the limit to raise if
/// it is one.
std::string cannot(const std::string& what, int error);

}  // namespace mcmini
