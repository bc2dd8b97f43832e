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

/// The same for a text.
int inputOf(const std::string& text);

/// What it takes to have the same input again.
struct KeptInput {
  std::string file;  ///< Its path, if it is a file that has one.
  std::string text;  ///< Else what is in it.
};
KeptInput keptInput(int descriptor);

}  // namespace mcmini
