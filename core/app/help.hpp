#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace mcmini {

/// What `mcmini --help` prints: two screens of 80 columns at most.
std::string helpText(const CLI::App& app);

/// What `mcmini help WORDS...` prints: a topic, or the list of them; for the installation also the man page
/// (--man) and the completion of bash (--completion). Throws UsageError if there is no such topic.
std::string helpOn(const std::vector<std::string>& words, const CLI::App& app);

/// "-q, --quiet" or "--max-depth N".
std::string namesOf(const CLI::Option& option);

/// The words that may follow `mcmini` instead of a program.
std::vector<std::string> commandNames();

}  // namespace mcmini
