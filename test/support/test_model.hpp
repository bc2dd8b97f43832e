#pragma once

#include "test/support/model.hpp"
#include "test/support/script.hpp"

namespace mcmini {

/// The models of all operations below.
Catalog testCatalog();

/// The same as a model; nothing in it asks for a policy.
const Model& testModel();

/// Letters for objects, numbers for threads.
struct PlainNames : Names {
  std::string thread(ThreadId thread) const override;
  std::string object(ObjectId object) const override;
};

/// A mutex. trylock returns 0 if it took it, else EBUSY; to unlock what another thread has is a misuse.
Script lock(std::uint64_t mutex);
Script trylock(std::uint64_t mutex);
Script unlock(std::uint64_t mutex);

/// A variable, 0 at first; a read returns its value. `writeSum` writes the last result plus something; to use
/// a variable that is 0 is a misuse.
Script read(std::uint64_t variable);
Script write(std::uint64_t variable, std::uint64_t value);
Script writeSum(std::uint64_t variable, std::uint64_t plus);
Script use(std::uint64_t variable);

/// A semaphore, 0 at first. timedwait returns 0 if it took a token, else ETIMEDOUT.
Script wait(std::uint64_t semaphore);
Script timedwait(std::uint64_t semaphore);
Script post(std::uint64_t semaphore);

/// Starts the thread at this place of the program; waits for the n-th thread that the caller started, from 0.
Script create(std::size_t place);
Script join(std::uint64_t nth);

/// Ends the process.
Script exitWith(int status);
Script runHandlers();

/// An operation that no catalog knows.
Script unheardOf();

/// A program whose main thread does `before`, starts all workers in order, and does `after`.
Program parallel(const std::vector<Script>& workers, const Script& before = {}, const Script& after = {});

}  // namespace mcmini
