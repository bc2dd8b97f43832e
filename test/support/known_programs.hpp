#pragma once

#include "test/support/script.hpp"

namespace mcmini {

/// Programs whose numbers of traces are known from the literature and from other checkers. Their main thread
/// starts the others in order.

/// n philosophers: 2^n - 2 traces if one of them is left-handed, 2^n - 1 with one deadlock if none is.
Program philosophers(std::uint64_t n, bool oneLeftHanded);

/// n threads that each add one to a variable under a lock: n! traces.
Program counter(std::uint64_t n);

/// One writer and n readers of a variable: 2^n traces.
Program readers(std::uint64_t n);

/// Writer j of n makes cell j larger than cell j - 1, while one thread looks for the last cell that is zero.
Program lastZero(std::uint64_t n);

/// n threads put four messages each into a hash table (Flanagan and Godefroid 2005).
Program indexer(std::uint64_t n);

/// n threads give a block to an inode each (the same paper).
Program filesystem(std::uint64_t n);

/// Two threads that take two locks in opposite orders: 3 traces, one of them a deadlock.
Program abBa();

}  // namespace mcmini
