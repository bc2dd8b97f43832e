#pragma once

namespace mcmini {

// A fork copies the page tables of a mapping that has a page of its own, and leaves those of the others to be
// faulted in again by each run. This makes each mapping of code one of the former. What only the start of the
// process needed of a library is not worth copying.
void keepCodeMapped();

}  // namespace mcmini
