#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace mcmini {

/// The man page, in roff: the options, and the topics of the help.
std::string manPage(const CLI::App& app);

}  // namespace mcmini
