#pragma once

#include <string>

namespace mcmini {

/// Without what differs from run to run and from machine to machine: addresses, times, directories.
std::string masked(const std::string& text);

/// Compares the masked text with the file test/system/expected/NAME.txt. With MCMINI_UPDATE=1 in the
/// environment the file is written instead.
void stored(const std::string& name, const std::string& text);

}  // namespace mcmini
