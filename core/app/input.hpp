#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace mcmini {

/// What happens while standard input is read, which may take long.
struct WhileReading {
  std::function<void(const std::string&)> note;  ///< Tells the user something.
  std::function<bool()> interrupted;             ///< If so, Interrupted is thrown.
  std::function<bool()> timeIsUp;                ///< If so, what was read so far is all.
};

/// The standard input that every run of the program reads from its beginning: a file as it is, a pipe read to
/// its end first. A terminal counts as empty. Returns a seekable descriptor. Throws TargetError if a pipe has
/// more than can be kept.
int openInput(const std::optional<std::filesystem::path>& file, const WhileReading& meanwhile);

/// Is there something in standard input now? openInput has left nothing in a pipe, unless it was empty then.
bool inputCameLate();

/// The same for a text.
int inputOf(const std::string& text);

/// What it takes to have the same input again.
struct KeptInput {
  std::string file;  ///< Its path, if it is a file that has one.
  std::string text;  ///< Else what is in it.
};
KeptInput keptInput(int descriptor);

}  // namespace mcmini
