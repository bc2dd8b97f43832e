#include <catch2/catch.hpp>

#include "test/support/expected.hpp"
#include "test/support/none.hpp"

// <mcmini/annotate.h>, in C and C++.

namespace mcmini {
namespace {

using Catch::Contains;

TEST_CASE("annotated accesses to the same bytes are tried in every order", "[annotate]") {
  // Each thread reads, then writes: of the 6 orders of R W R' W' those are alike that only swap the reads.
  expect({"annotations", "lost_update"}, {"assertion", 1, 4});
  expect({"annotations_std"}, {"assertion", 1, 4 * 3});
  expect({"annotations", "readers"}, {});
  expect({"annotations", "reader_writer"}, {.traces = 2});
  expect({"annotations", "apart"}, {});
  expect({"annotations", "large"}, {.traces = 2});
}

/// Sections are put into every order with all that others do, which is more than necessary.
void expectNoBug(const std::vector<std::string>& command) {
  for (const std::string& variant : variants(command[0])) {
    std::vector<std::string> arguments = command;
    arguments[0] = program(command[0], variant);
    Outcome outcome = check(arguments);
    INFO(outcome.everything());
    CHECK(outcome["verdict"] == "ok");
    CHECK(outcome["complete"] == "yes");
    CHECK(outcome["blocked"] == "0");
  }
}

TEST_CASE("a section is done as a whole", "[annotate]") {
  expectNoBug({"annotations", "atomic_update"});
  expectNoBug({"annotations", "nested"});
  expectNoBug({"annotations_std", "atomic"});
}

TEST_CASE("an annotated assertion is told with its text and line", "[annotate]") {
  Outcome outcome = check({program("annotations"), "lost_update"});
  CHECK_THAT(outcome.out, Contains("ASSERTION") && Contains("x == 2") && Contains("annotations.c:") &&
                              Contains("MC_READ(x)") && Contains("MC_WRITE(x)"));
}

TEST_CASE("every value that can be chosen is", "[annotate]") {
  expect({"annotations", "choose"}, {.traces = 3});
  expect({"annotations", "choose_twice"}, {.traces = 3 * 3 * 2});
  expect({"annotations", "choose_number", "1"}, {});
  expect({"annotations", "choose_number", "100"}, {.traces = 100});
  Outcome all = check({"--output", "all", program("annotations"), "choose_and_print"});
  compare(all, {"assertion", 1, 6});
  for (const char* line : {"| 00\n", "| 01\n", "| 02\n", "| 10\n", "| 11\n", "| 12\n"})
    CHECK_THAT(all.out, Contains(line));
  CHECK_THAT(all.out, Contains("mc_choose(3)") && Contains("2"));
}

TEST_CASE("the other searches find the same with annotations", "[annotate]") {
  expectOfOthers({"annotations", "lost_update"}, {"assertion", 1, 4});
  expectOfOthers({"annotations", "choose_twice"}, {.traces = 18});
  expectOfOthers({"annotations", "choose_and_print"}, {"assertion", 1, 6});
}

TEST_CASE("runs in which an assumption does not hold are no bugs, and told of", "[annotate]") {
  expect({"annotations", "assume"}, {.traces = 10});
  Outcome some = check({program("annotations"), "assume"});
  CHECK_THAT(some.out, Contains("8 runs end at an assumption that does not hold (mc_assume)."));
  expect({"annotations", "assume_nothing"}, {});
  Outcome all = check({program("annotations"), "assume_nothing"});
  CHECK_THAT(all.out, Contains("Every run ends at an assumption that does not hold"));
  // The other thread gets the lock first, and fails; or it waits for a thread that gave up.
  expect({"annotations", "assume_locked"}, {"assertion", 1, 2});
}

TEST_CASE("who is kept from choosing by a section that gives up chooses all values before it", "[annotate]") {
  expect({"annotations", "give_up_in_section"}, {"assertion", 1, 23});
  expectOfOthers({"annotations", "give_up_in_section"}, {"assertion", 1, 23});
}

TEST_CASE("misuse of annotations has a sentence", "[annotate]") {
  Outcome open = check({program("annotations"), "open_section"});
  CHECK(open["verdict"] == "misuse");
  CHECK_THAT(open.out, Contains("leave_section_open#1 ends in an atomic section, without mc_atomic_end()"));
  expectMisuse("annotations", "end_only", "main calls mc_atomic_end() without mc_atomic_begin()");
  Outcome waits = check({program("annotations"), "lock_in_section"});
  CHECK(waits["verdict"] == "misuse");
  CHECK(waits["bugs"] == "1");
  CHECK_THAT(waits.out, Contains("lock_in_section#1 has to wait in pthread_mutex_lock(mutex)"));
  expect({"annotations", "choose_number", "0"}, {"misuse", 1, 1});
  Outcome none = check({program("annotations"), "choose_number", "0"});
  CHECK_THAT(none.out, Contains("main calls mc_choose(0): there is nothing to choose from"));
  Outcome many = check({program("annotations"), "choose_number", "70000"});
  CHECK_THAT(many.out, Contains("mc_choose(70000): more than 65536 values cannot be tried"));
}

TEST_CASE("loops that look and yield wait for others", "[annotate]") {
  expect({"annotations", "poll"}, {.traces = 3});
  Outcome forever = check({program("annotations"), "poll_for_ever"});
  CHECK(forever["verdict"] == "livelock");
  Outcome choosing = check({program("annotations"), "poll_and_choose"});
  CHECK(choosing["verdict"] == "ok");
}

TEST_CASE("a bug behind a choice is replayed with the same choice", "[annotate]") {
  ScratchDirectory directory;
  Settings settings;
  settings.directory = directory.path();
  settings.writes = true;
  compare(check({program("annotations"), "choose_and_print"}, settings), {"assertion", 1, 6});
  Outcome again = check({"replay", "1"}, settings);
  INFO(again.everything());
  CHECK(again.exitCode == 1);
  CHECK_THAT(again.out, Contains("first + second != 3") && Contains("| 12\n"));
  CHECK(again.err == kNone);
}

TEST_CASE("a schedule may say what is chosen", "[annotate]") {
  auto replay = [](const std::string& schedule) {
    return check({"replay", "--schedule", schedule, program("annotations"), "choose_and_print"});
  };
  CHECK(replay("0=1,0=2").exitCode == 1);
  Outcome fine = replay("0=1,0");
  INFO(fine.everything());
  CHECK(fine.exitCode == 0);
  CHECK_THAT(fine.out, Contains("mc_choose(2) = 1") && Contains("mc_choose(3) = 0"));
  Outcome wrong = replay("0=1,0=3");
  CHECK(wrong.exitCode == 5);
  CHECK_THAT(wrong.out, Contains("which has fewer choices"));
  Outcome nonsense = replay("0=");
  CHECK(nonsense.exitCode == 2);
  CHECK_THAT(nonsense.err, Contains("2=1 where thread 2 chooses 1"));
}

// Weak symbols would be null in some of these.
TEST_CASE("annotations work whatever the program is linked by, and do nothing without mcmini", "[annotate]") {
  ScratchDirectory directory;
  for (const std::string compiler : {"gcc", "clang"})
    for (const std::string position : {"-fPIE -pie", "-fno-pie -no-pie"})
      for (const std::string linker : {"bfd", "lld"}) {
        if (shell(directory.path(), "command -v " + compiler + " && command -v ld." + linker).exitCode != 0)
          continue;
        INFO(compiler << " " << position << " " << linker);
        std::string file = (directory / "annotated").string();
        REQUIRE(compile(compiler +
                        " -std=c99 -D_DEFAULT_SOURCE -Wall -Wextra -Wpedantic -Werror -O2 -g -pthread " +
                        position + " -fuse-ld=" + linker + " -I " MCMINI_BINARY_DIR "/include -o " + file +
                        " " MCMINI_SOURCE_DIR "/test/system/programs/annotations.c"));
        CHECK(shell(directory.path(), "./annotated all").out == "1 0\n");
        compare(check({file, "choose_and_print"}), {"assertion", 1, 6});
      }
}

TEST_CASE("what is installed has the annotations", "[annotate]") {
  ScratchDirectory directory;
  std::string prefix = installInto(directory).string();
  std::string file = (directory / "annotated").string();
  REQUIRE(compile("g++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -g -pthread -I " + prefix +
                  "/include -o " + file + " " MCMINI_SOURCE_DIR "/test/system/programs/annotations_std.cpp"));
  Settings settings;
  settings.prefix = prefix;
  compare(check({file}, settings), {"assertion", 1, 12});
}

TEST_CASE("the indexer has the counts of other optimal checkers", "[counts]") {
  expect({"indexer", "11"}, {});
  expect({"indexer", "12"}, {.traces = 8});
  compare(check({program("indexer"), "13"}), {.traces = 64});
  compare(check({program("indexer"), "14"}), {.traces = 512});
}

TEST_CASE("the filesystem has the counts of other optimal checkers", "[counts]") {
  expect({"filesystem", "13"}, {});
  expect({"filesystem", "14"}, {.traces = 2});
  compare(check({program("filesystem"), "16"}), {.traces = 8});
  compare(check({program("filesystem"), "18"}), {.traces = 32});
  compare(check({program("filesystem"), "20"}), {.traces = 128});
}

// Who enters first leaves first, or the other one comes in between and waits with the lock: 2 * 2.
TEST_CASE("operations of two classes on a database deadlock", "[counts]") {
  expect({"database"}, {"deadlock", 1, 4});
}

// Each of two threads fails or not, and one of them is first: 2 * 2 * 2, but when the first one fails, what
// the second one would have chosen is not asked.
TEST_CASE("a failure that is chosen shows a lock that is never given back", "[counts]") {
  expect({"forgotten_unlock"}, {"misuse", 1, 6});
}

// Each of two workers sees the end, or looks for jobs before or after they are thrown away: 3 * 3.
TEST_CASE("a pool that is ended while workers run fails an assertion", "[counts]") {
  expect({"pool_ended"}, {"assertion", 1, 9});
}

}  // namespace
}  // namespace mcmini
