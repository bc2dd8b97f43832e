#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace mcmini {

/// A script by which bash completes the options, their values, commands and topics.
std::string completion(const CLI::App& app);

}  // namespace mcmini
