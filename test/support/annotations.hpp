#pragma once

#include "core/model/catalog.hpp"
#include "test/support/script.hpp"

namespace mcmini {

/// The models of the operations below.
void addAnnotations(Catalog& catalog);

/// Returns each of 0 to count - 1.
Script choose(std::uint64_t count);

/// The run is of no interest.
Script assumeFalse();

/// Nobody else moves in between.
Script atomicBegin();
Script atomicEnd();

}  // namespace mcmini
