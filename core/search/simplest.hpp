#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/search/finding.hpp"
#include "core/search/switches.hpp"

namespace mcmini {

/// Whose turn it is at each step.
using Order = Moves;

Order orderOf(const std::vector<Event>& events);

Switches switchesOf(const Finding& found);

/// Can the steps of its run be told to the threads again, one after the other? Not where a thread was
/// interrupted, got stuck or came to harm on the way, nor where threads wait that might go on by chance.
bool canBeFollowed(const Finding& found);

/// The events of a run, as indices, in that order of the same trace which has few switches: the fewest,
/// unless the run is long. `last`: only what happens before the last event, which stays the last one.
std::vector<std::size_t> withFewSwitches(const std::vector<Event>& events, bool last);

/// Lets threads move in this order; the bug that was found, if it shows again. A thread whose turn it is
/// though it cannot move is passed over; when the order is at its end, threads move as they come.
using Follow = std::function<std::optional<Finding>(const Order&)>;

/// The same bug, with a run that has no more switches than the one that was found, and usually fewer. How
/// often runs are repeated for that depends on nothing but the finding: what comes out is the same each time.
Finding simplest(const Finding& found, const Follow& follow);

}  // namespace mcmini
