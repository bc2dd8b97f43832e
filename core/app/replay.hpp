#pragma once

#include <functional>

#include "core/app/errors.hpp"
#include "core/app/options.hpp"
#include "core/app/session.hpp"
#include "core/report/saved_as.hpp"
#include "core/report/saved_bug.hpp"

namespace mcmini {

/// `mcmini replay`: lists what is saved; `mcmini replay FILE|N`: runs into a saved bug again; `mcmini replay
/// --schedule 0,0,1 PROGRAM`: runs threads in an order that the user gives.
ExitCode replay(const Options& options);

/// Runs into a saved bug again, and then does something with it. If it does not show, says so as replay does.
using UseOfBug = std::function<ExitCode(Session&, const Finding&)>;
ExitCode reproduce(const Options& options, const std::string& named, const UseOfBug& use);

/// The bug that the user means by a file, or by a number of the output directory; throws UsageError.
SavedAs findSaved(const Options& options, const std::string& named);

/// What it takes to run the program as it was run when the bug was found. Goes to the directory where that
/// was, if it is still there.
Options optionsOf(const SavedBug& bug, Options options);

}  // namespace mcmini
