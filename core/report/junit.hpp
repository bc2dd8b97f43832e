#pragma once

#include <string>

#include "core/report/json_report.hpp"

namespace mcmini {

/// A report as the JUnit XML that build servers read: one test case. Bugs are its failure; what cannot be
/// checked is an error, and a search that was stopped without a bug is a test that was skipped.
std::string junitOf(const JsonReport& report);

}  // namespace mcmini
