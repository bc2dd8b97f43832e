#pragma once

#include <CLI/CLI.hpp>

#include "core/app/options.hpp"

namespace mcmini {

/// Adds all options, in the groups and in the order in which the help shows them. To add one takes one line
/// here: its help, its key in configuration files, its place in the man page and its completion follow.
void addOptions(CLI::App& app, Options& options);

}  // namespace mcmini
