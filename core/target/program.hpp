#pragma once

#include <filesystem>
#include <string>

namespace mcmini {

/// Finds the file that a user means by a program's name: a path, a file in this directory, or one in
/// `searchPath`, which is written like PATH.
std::filesystem::path findProgram(const std::string& name, const std::string& searchPath);

/// Makes sure that the thread calls of a program can be intercepted. Throws TargetError, which tells what it
/// is instead: missing, a directory, not executable, a script, static, of another architecture, ...
void requireCheckable(const std::filesystem::path& program);

/// If the program was linked to gcc's runtime library for -fsanitize=thread: the library of `directory` to
/// load in its place, which does nothing. Otherwise nothing. Throws TargetError if there is none for its
/// version.
std::filesystem::path standInForSanitizer(const std::filesystem::path& program,
                                          const std::filesystem::path& directory);

}  // namespace mcmini
