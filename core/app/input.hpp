#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace mcmini {

/// The standard input that every run of the program reads from its beginning: a file as it is, a pipe read to
/// its end first. A terminal counts as empty. Returns a seekable descriptor; `note` is called with what the
/// user should know.
int openInput(const std::optional<std::filesystem::path>& file,
              const std::function<void(const std::string&)>& note);

}  // namespace mcmini
