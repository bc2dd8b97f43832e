#pragma once

#include "plugins/laws.hpp"

namespace mcmini {

/// Goes through all short histories of one queue with three threads, and holds what a wakeup policy does
/// against what every policy has to keep. The report's states are the steps of those histories. `asked`
/// refers to the name.
LawReport checkPolicy(const WakeupPolicy& policy, const std::string& name, Asked& asked, int length = 6);

}  // namespace mcmini
