#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// An operation has to be the same operation whatever other threads did before it. Were the address of a mutex
// to depend on the schedule, two mutexes would be taken for one (too many runs), one for two (too few), or a
// program that repeats itself for one that does not (exit code 4).

namespace mcmini {
namespace {

void expectTraces(const std::vector<std::string>& command, std::uint64_t traces,
                  const std::string& warning = "") {
  Outcome outcome = expect(command, {.traces = traces}, {"--max-traces", "1000"});
  CHECK(outcome.err == (warning.empty() ? "" : "mcmini: warning: " + warning + "\n"));
}

// Three sections of the common lock, 3! orders; nothing else is shared.
TEST_CASE("mutexes that threads allocate in turn are told apart", "[identity]") {
  expectTraces({"heap_mutexes", "private"}, 6);
}

TEST_CASE("a freed mutex does not turn up as another thread's", "[identity]") {
  expectTraces({"heap_mutexes", "reused"}, 1);
}

// Two producers in either order, then two consumers in either order: 2 * 2. What a consumer does with the
// mutex it got is not shared with anybody.
TEST_CASE("mutexes handed on to other threads keep their identity", "[identity]") {
  expectTraces({"heap_mutexes", "handed_on"}, 4);
}

// Each parent and its child have two orders for their mutex, and the two families have nothing in common: 2
// * 2.
TEST_CASE("a mutex on the heap shared by a family is not that of another family", "[identity]") {
  expectTraces({"heap_mutexes", "shared"}, 4);
}

TEST_CASE("a mutex on a thread's stack shared by a family is not that of another family", "[identity]") {
  expectTraces({"local_mutexes", "stack"}, 4);
}

TEST_CASE("a thread-local mutex shared by a family is not that of another family", "[identity]") {
  expectTraces({"local_mutexes", "thread_local"}, 4);
}

// Six sections, where each inner node comes before its two children: 6! / (3 * 3), as always for a forest: n!
// divided by the sizes of all subtrees.
TEST_CASE("threads created by threads at the same time are told apart", "[identity]") {
  expectTraces({"thread_tree"}, 80);
}

// Forks are taken in ascending order, so this is philosophers with one reversed: 2^3 - 2.
TEST_CASE("a std::vector of mutexes is searched like an array", "[identity]") {
  expectTraces({"vector_of_mutexes"}, 6);
}

TEST_CASE("who deletes a shared object makes no difference", "[identity]") {
  expectTraces({"shared_pointers"}, 6);
}

TEST_CASE("who deletes a shared object makes no difference to what is allocated later", "[identity]") {
  expectTraces({"shared_pointers", "then"}, 6);
}

// The first and the third thread meet at the common lock. In one order it is the second thread that frees the
// object, in the other one it is not, and nothing shows who is the last: its own mutex is another one then.
// One of the orders can be planned, and both are tried when nothing is.
TEST_CASE("letting go of a shared object under no lock is told apart from nondeterminism", "[identity]") {
  Outcome outcome = expect({"last_reference"}, {.traces = 1 + 2, .complete = "no"});
  CHECK_THAT(outcome.out, Catch::Contains("out of sight"));
}

TEST_CASE("a string that grows under a lock does not disturb the identity of mutexes", "[identity]") {
  expectTraces({"strings"}, 6);
}

TEST_CASE("printing through iostreams makes no difference", "[identity]") {
  expectTraces({"streams"}, 1);
}

TEST_CASE("printing through stdio makes no difference", "[identity]") {
  expectTraces({"printing"}, 1);
  expectTraces({"printing", "shared"}, 6);
}

// The end of a thread is under control like all before it.
TEST_CASE("locks taken at the end of a thread are operations like others", "[identity]") {
  expectTraces({"late_locks", "thread_local"}, 2);
  expectTraces({"late_locks", "key"}, 2);
}

TEST_CASE("a lock taken by the destructor of a global object is an operation like others", "[identity]") {
  expectTraces({"late_locks", "global"}, 2,
               "main can end the process while thread#1 is still running. Should it wait for it?");
}

}  // namespace
}  // namespace mcmini
