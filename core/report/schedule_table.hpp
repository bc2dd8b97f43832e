#pragma once

#include <string>
#include <vector>

#include "core/report/schedule_rows.hpp"
#include "core/report/style.hpp"

namespace mcmini {

/// The schedule as lines: a column for each thread if they fit, else a line for each step with the name of
/// its thread. `whatIsWrong` explains the mark of a fault.
std::vector<std::string> tableOf(std::vector<ScheduleRow> rows, const std::string& whatIsWrong,
                                 const Style& style);

/// A call without the part of the function's name that says to which library it belongs: "lock(m)" for
/// "pthread_mutex_lock(m)".
std::string shortCall(const std::string& call);

}  // namespace mcmini
