#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace mcmini {

/// What `mcmini --help` prints: two screens of 80 columns at most.
std::string helpText(const CLI::App& app);

}  // namespace mcmini
