#pragma once

#include <filesystem>

#include "test/bench/experiments/checker.hpp"

namespace mcmini::experiments {

/// Writes an SVG: the time that a complete search takes, over the number of philosophers; published and ours.
/// Throws Mistake if the file cannot be written.
void drawPhilosophers(const Checker& checker, const std::filesystem::path& file);

}  // namespace mcmini::experiments
