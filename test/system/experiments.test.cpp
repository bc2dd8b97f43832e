#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "test/support/expected.hpp"

// The programs of the papers, and test/bench/experiments, which prints what they take.

namespace mcmini {
namespace {

using Catch::Contains;

const std::string kExperiments = MCMINI_BINARY_DIR "/bin/experiments";

void expectEach(const std::string& name, const std::vector<std::pair<std::string, Expected>>& sizes) {
  for (const auto& [size, expected] : sizes) expect({name, size}, expected);
}

// In a circle of n, each lock goes first to one of its two, but not always to the one on the same side.
TEST_CASE("a circle of n threads and one beside it have two to the n less one behaviours", "[experiments]") {
  for (unsigned n : {2U, 3U, 5U}) expect({"circular_wait", std::to_string(n)}, deadlockIn((1U << n) - 1));
}

// As ab_ba, whatever the others do.
TEST_CASE("a deadlock is found though other threads go on working", "[experiments]") {
  expectEach("partial_deadlock", {{"0", deadlockIn(3)}, {"2", deadlockIn(3)}, {"16", deadlockIn(3)}});
}

TEST_CASE("a deadlock is found though other threads work for ever", "[experiments]") {
  const Expected bounded{"deadlock", 1, 3, "bounded"};
  for (const char* bound : {"--max-thread-depth", "--max-depth"}) {
    Outcome outcome = check({bound, "60", program("partial_deadlock"), "1", "forever"});
    compare(outcome, bounded);
    CHECK_THAT(outcome.out, Contains("file_letters#1 -> answer_letters#1 -> file_letters#1"));
    CHECK_THAT(outcome.out, Contains("waits in pthread_join") || Contains("work_on#1"));
  }
}

// Who comes when matters to nobody; on a condition variable the order of n arrivals and that in which n - 1
// wake up do: n! (n - 1)!. The second round begins with any who has left, so that it is more than the square.
TEST_CASE("a barrier has one behaviour, one built on a condition variable n! (n - 1)!", "[experiments]") {
  expect({"barrier", "5", "3"}, {});
  expect({"barrier_on_cond", "2", "1"}, {.traces = 2});
  expect({"barrier_on_cond", "3", "1"}, {.traces = 12});
  expect({"barrier_on_cond", "2", "2"}, {.traces = 6});
  expect({"barrier_on_cond", "3", "2"}, {.traces = 360});
}

TEST_CASE("each classic bug of a barrier is found", "[experiments]") {
  expectEach("barrier_signal", {{"2", {.traces = 2}}, {"3", deadlockIn(12)}});
  expectEach("barrier_wrong_reset", {{"2", deadlockIn(2)}, {"3", deadlockIn(12)}});
  expectEach("barrier_reuse", {{"2", {"assertion", 1, 6}}});
  expect({"barrier_no_loop", "3"}, {.traces = 12});
  expect({"barrier_no_loop", "3"}, {"assertion", 1, 27}, {"--policy", "spurious"});
}

// Main comes before, between or after n runners; those who sleep wake up in any order, among those who come
// late.
TEST_CASE("a broadcast wakes those who sleep, and who comes late waits for ever or not at all",
          "[experiments]") {
  expectEach("cond_broadcast", {{"1", {.traces = 2}}, {"2", {.traces = 10}}, {"3", {.traces = 96}}});
  expectEach("cond_broadcast_missed", {{"1", deadlockIn(2)}, {"2", {"deadlock", 2, 10}}});
}

TEST_CASE("producers and consumers, right and wrong", "[experiments]") {
  expect({"producer_consumer_semaphore", "2", "1"}, {.traces = 4});
  expect({"producer_consumer_semaphore", "3", "1"}, {.traces = 36});
  expect({"producer_consumer_lock_first", "1", "1"}, deadlockIn(2));
  expect({"producer_consumer_lock_first", "3", "1"}, {"deadlock", 2, 117});
  expectEach("producer_consumer_one_cond", {{"1", {.traces = 2}}, {"2", deadlockIn(80)}});
  expectEach("producer_consumer_if", {{"1", {.traces = 2}}, {"2", {"assertion", 1, 52}}});
  expectEach("signal_when_empty", {{"1", {.traces = 2}}, {"2", deadlockIn(26)}});
  expectEach("bounded_queue", {{"1", {.traces = 2}}, {"3", {.traces = 24}}});
}

// In n! orders they sit down, and in each of those there are the 2^n - 1 orders of the forks. To get up makes
// room for nobody who needs it.
TEST_CASE("philosophers who all sit down can deadlock", "[experiments]") {
  expectEach("philosophers_all_seated",
             {{"2", deadlockIn(6)}, {"3", deadlockIn(42)}, {"4", deadlockIn(360)}});
}

// As rwlock of r readers and w writers, each of whom enters twice: the orders of 6 entries of three threads,
// 6! / (2! 2! 2!).
TEST_CASE("readers and writers with every preference", "[experiments]") {
  expect({"readers_writers_rwlock", "1", "2", "readers", "2"}, {.traces = 90});
  for (const auto& [who, traces] :
       {std::pair("none", 60U), std::pair("readers", 54U), std::pair("writers", 54U), std::pair("fifo", 60U)})
    expect({"readers_writers", "1", "2", who}, {.traces = traces});
}

TEST_CASE("the barber, the smokers, the bank and the driver", "[experiments]") {
  expectEach("sleeping_barber", {{"1", {}}, {"2", {.traces = 34}}});
  expectEach("cigarette_smokers", {{"3", {}}, {"9", {}}});
  expectEach("cigarette_smokers_greedy", {{"2", deadlockIn(2)}});
  expectEach("bank_account", {{"1", {.traces = 2}}, {"3", {.traces = 18}}});
  expectEach("bank_account_piecemeal", {{"1", {"assertion", 1, 3}}, {"2", {"assertion", 1, 13}}});
  expect({"bluetooth", "1"}, {"assertion", 1, 17});
}

TEST_CASE("a pool of threads, and one that is ended too early", "[experiments]") {
  expect({"thread_pool", "1", "0"}, {.traces = 2});
  expect({"thread_pool", "2", "0"}, {.traces = 10});
  expect({"thread_pool", "1", "1"}, {.traces = 6});
  expect({"thread_pool", "2", "1"}, {.traces = 96});
  expectEach("pool_ended", {{"1", {"assertion", 1, 3}}, {"2", {"assertion", 1, 9}}});
}

// The request finds that the driver stops: 1. Or it counts itself in before the stopper counts itself out,
// and out before that or after it: 2. Or it counts itself in too late: then it reads `stopped` after it is
// written, which fails, or before, and its post comes before or after the stopper's wait: 1 + 2.
TEST_CASE("the driver with plain flags has two races, and an assertion fails by them", "[experiments]") {
  expect({"memory/bluetooth_flags", "1"}, {"race", 3, 6});
}

ShellOutcome experiments(const ScratchDirectory& directory, const std::string& arguments) {
  return shell(directory.path(), kExperiments + " " + arguments);
}

TEST_CASE("what is wrong in a call of the experiments is told, with exit code 2", "[experiments]") {
  ScratchDirectory directory;
  for (const auto& [arguments, sentence] :
       {std::pair("", "experiments: say what to run: --all, --table NAME, --growth or --figure FILE\n"),
        std::pair("--al", "experiments: unknown option '--al'; 'experiments --help' lists all\n"),
        std::pair("--table", "experiments: --table needs the name of a table after it\n"),
        std::pair("--table 2", "experiments: there is no table '2'; there are: philosophers, semaphores, "),
        std::pair("--figure /nowhere/f.svg", "experiments: cannot write the figure to /nowhere/f.svg\n")}) {
    ShellOutcome outcome = experiments(directory, arguments);
    CHECK(outcome.exitCode == 2);
    CHECK_THAT(outcome.out, Contains(sentence));
  }
}

TEST_CASE("experiments without mcmini beside them say where it should be", "[experiments]") {
  ScratchDirectory directory;
  std::filesystem::create_directory(directory / "bin");
  std::filesystem::copy(kExperiments, directory / "bin/experiments");
  ShellOutcome outcome = shell(directory.path(), "bin/experiments --all");
  CHECK(outcome.exitCode == 2);
  CHECK_THAT(outcome.out, Contains("experiments: there is no " + (directory / "bin/mcmini").string() +
                                   "; build it: cmake --build --preset release\n"));
}

TEST_CASE("the experiments print a table, and the same for machines", "[experiments]") {
  ScratchDirectory directory;
  CHECK_THAT(experiments(directory, "--list").out, Contains("spurious-wakeups  "));
  ShellOutcome text = experiments(directory, "--table spurious-wakeups 2> progress");
  CHECK(text.exitCode == 0);
  CHECK_THAT(text.out, Contains("| if_instead_of_while 3, first bug |       45,040 | "));
  ShellOutcome machine =
      experiments(directory, "--table spurious-wakeups --table policies --json 2> progress");
  nlohmann::json report = nlohmann::json::parse(machine.out);
  REQUIRE(report["tables"].size() == 2);
  const nlohmann::json& row = report["tables"][0]["rows"][2];
  CHECK(row["published"]["traces"] == 45'040);
  CHECK(row["published"]["seconds"].is_null());
  CHECK(row["here"]["traces"] == 9);
  CHECK(report["machine"]["cores"] > 0);
}

TEST_CASE("the experiments draw the time over the number of philosophers", "[experiments]") {
  ScratchDirectory directory;
  CHECK(experiments(directory, "--figure time.svg").exitCode == 0);
  std::ifstream in(directory / "time.svg");
  std::string svg(std::istreambuf_iterator<char>(in), {});
  CHECK_THAT(svg, Catch::StartsWith("<svg ") && Catch::EndsWith("</svg>\n"));
  CHECK_THAT(svg, Contains("McMini, as published") && Contains(">here<"));
}

}  // namespace
}  // namespace mcmini
