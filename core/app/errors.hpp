#pragma once

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

namespace mcmini {

/// What the process returns; part of the contract with scripts.
enum class ExitCode : int {
  NoBug = 0,
  Bug = 1,
  Usage = 2,
  StoppedEarly = 3,
  CannotCheck = 4,
  Departed = 5,
  OwnBug = 70,
  Interrupted = 130,
};

/// A mistake in how mcmini was called; the text says what to do instead.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A plugin does not do what it should; the text names its file.
struct PluginFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A sentence about a plugin's file, which says who is to blame and where to look.
std::string faultOf(const std::string& plugin, const std::string& what);

/// What is to be said of an exception that nobody has caught, and returned for it.
struct Failure {
  ExitCode code;
  std::string words;
};
Failure failureOf(const std::exception_ptr& thrown);

/// Returns what the body does; if it throws, says why on stderr and returns the exit code for that.
int reportingErrors(const std::function<int()>& body);

}  // namespace mcmini
