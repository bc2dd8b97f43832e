#pragma once

#include <filesystem>
#include <stdexcept>

#include "test/bench/experiments/experiment.hpp"

namespace mcmini::experiments {

/// A wrong call, or something that is not where it should be. The text tells what to do.
struct Mistake : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs mcmini of the build tree that this program belongs to.
class Checker {
 public:
  /// Throws Mistake if there is no mcmini beside this program.
  Checker();

  /// Throws Mistake if the program has not been built, or if mcmini cannot check it.
  Measured check(const Row& row) const;
  Measured check(const std::string& program, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& options) const;

  bool isBuilt(const std::string& program) const;

 private:
  std::filesystem::path root_;  // of the build tree
};

}  // namespace mcmini::experiments
