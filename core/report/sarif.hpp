#pragma once

#include "core/report/json_report.hpp"

namespace mcmini {

/// A report as SARIF 2.1.0, which editors and code hosts show. A finding has a thread flow for each thread of
/// its schedule; the order of execution tells how they interleave.
JsonReport sarifOf(const JsonReport& report);

}  // namespace mcmini
