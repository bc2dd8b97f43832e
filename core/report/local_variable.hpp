#pragma once

#include <cstdint>
#include <string>

#include "core/report/debug_session.hpp"

namespace mcmini {

/// The variable or parameter at the address, in a function that is at a place of the unit; `frame` is the
/// function's. "" if none is known to be there.
std::string localVariable(const DwarfVariables& variables, const CompiledUnit& place, const Frame& frame,
                          std::uint64_t address);

}  // namespace mcmini
