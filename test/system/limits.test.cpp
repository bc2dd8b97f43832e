#include <catch2/catch.hpp>

#include "test/support/expected.hpp"
#include "test/support/none.hpp"

// What a limit leaves out is said: complete=yes is claimed only if nothing was left out.

namespace mcmini {
namespace {

using Catch::Contains;
using namespace std::chrono_literals;

// A thread of the counter does: start, lock, unlock, end. Main: three creates, three joins, end.
TEST_CASE("with a bound for each thread the shortened program is searched completely", "[limits]") {
  expect({"counter", "3"}, {.complete = "bounded"}, {"--max-thread-depth", "1"});  // one thread starts
  expect({"counter", "3"}, {.traces = 2, .complete = "bounded"},
         {"--max-thread-depth", "2"});  // one of two gets the lock
  expect({"counter", "3"}, {.traces = 6, .complete = "bounded"},
         {"--max-thread-depth", "3"});  // all three do, in 3! orders
  expect({"counter", "3"}, {.traces = 6, .complete = "bounded"},
         {"--max-thread-depth", "6"});  // main does not get to its end
  expect({"counter", "3"}, {.traces = 6}, {"--max-thread-depth", "8"});
}

TEST_CASE("a bound that is just wide enough leaves nothing out", "[limits]") {
  expect({"counter", "3"}, {.traces = 6}, {"--max-thread-depth", "7"});
}

TEST_CASE("waiting for a thread that was cut is no deadlock, a cycle among others is one", "[limits]") {
  expect({"ab_ba"}, {.complete = "bounded"}, {"--max-thread-depth", "2"});  // each has its first lock
  expect({"ab_ba"}, {"deadlock", 1, 3, "bounded"},
         {"--max-thread-depth", "3"});  // one has both, or each waits
}

// Save and spend do 6 operations each, main 5.
TEST_CASE("a bound for the whole run is told when it was met", "[limits]") {
  expect({"ab_ba"}, {"deadlock", 1, 3}, {"--max-depth", "17"});
  Outcome cut = expect({"ab_ba"}, {"deadlock", 1, 3, "bounded"}, {"--max-depth", "16"});
  CHECK_THAT(cut.out, Contains("--max-depth"));
  CHECK_THAT(cut.out, Contains("Orders that only matter to what comes later were not tried"));
  expect({"ab_ba"}, {.complete = "bounded"}, {"--max-depth", "5"});  // the deadlock takes 6
}

TEST_CASE("a number of runs that is not enough makes the search incomplete", "[limits]") {
  expect({"philosophers", "4"}, {.complete = "no"}, {"--max-traces", "1"});
  expect({"philosophers", "4"}, {.traces = 13, .complete = "no"}, {"--max-traces", "13"});
  expect({"philosophers", "4"}, {.traces = 14}, {"--max-traces", "14"});
}

TEST_CASE("a bug outweighs that the search was incomplete", "[limits]") {
  expect({"always_crashes"}, {"crash", 2, 2, "no"}, {"--max-traces", "2"});
}

TEST_CASE("with --first the search stops at the first bug", "[limits]") {
  expect({"always_crashes"}, {"crash", 1, 1, "no"}, {"--first"});
  expect({"philosophers_all_left", "5"}, {"deadlock", 1, 16, "no"}, {"--first"});  // of 31
}

TEST_CASE("with --first a search without bugs is complete", "[limits]") {
  expect({"philosophers", "3"}, {.traces = 6}, {"--first"});
}

TEST_CASE("a time limit is kept, and told", "[limits]") {
  Outcome outcome = check({"--time", "1s", program("counter"), "10"}, dependingOnTime());
  CHECK(outcome.exitCode == 3);
  CHECK(outcome["complete"] == "no");
  CHECK(outcome.count("traces") > 0);
  CHECK(outcome.elapsed >= 1s);
  CHECK(outcome.elapsed < 4s);
  CHECK_THAT(outcome.out, Contains("--time"));
  expect({"counter", "3"}, {.traces = 6}, {"--time", "50s"});
}

TEST_CASE("a time limit that is over before the first run is kept, too", "[limits]") {
  Outcome outcome = check({"--time", "1ms", program("counter"), "10"}, dependingOnTime());
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 3);
  CHECK(outcome["traces"] == "0");
  CHECK_THAT(outcome.out, Contains("No bug in 0 runs, stopped by --time") && !Contains("%"));
}

TEST_CASE("a time limit is kept even if a run does not end", "[limits]") {
  Outcome outcome =
      check({"--time", "300ms", "--max-depth", "1000000", program("background")}, dependingOnTime());
  CHECK(outcome["complete"] != "yes");
  CHECK(outcome.elapsed < 5s);
}

TEST_CASE("a time limit ends a wait for a stuck thread", "[limits]") {
  Outcome outcome =
      check({"--time", "300ms", "--step-timeout", "30s", program("busy_wait")}, dependingOnTime());
  CHECK(outcome.exitCode == 3);
  CHECK(outcome["complete"] == "no");
  CHECK(outcome.elapsed < 5s);
}

TEST_CASE("a hundred and more threads that share nothing are one run", "[limits]") {
  expect({"independent", "128"}, {}, {"--search", "optimal"});
  expect({"independent", "200"}, {}, {"--search", "optimal"});
  expect({"independent", "1000"}, {}, {"--search", "optimal"});
}

TEST_CASE("a program whose threads wait by calls that nobody models is not searched completely", "[limits]") {
  for (const char* way : {"streams", "semaphores"}) {
    Outcome outcome = expect({"unmodelled_locks", way}, {.complete = "no"});
    CHECK(outcome.exitCode == 3);
    CHECK_THAT(outcome.out, Contains("Not complete: threads wait by calls that are not modelled"));
  }
  expect({"unmodelled_locks", "streams"}, {}, {"--on-unsupported", "ignore"});
  expect({"unmodelled_locks", "alone"}, {});
}

// Their locks are atomic variables, which nobody sees.
TEST_CASE("a program with locks of OpenMP or GLib is not searched completely", "[limits]") {
  ScratchDirectory directory;
  std::string library = directory.write("glib.c", R"(
void g_mutex_lock(int* lock) { while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)) {} }
void g_mutex_unlock(int* lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }
)");
  std::string glib = directory.write("with_glib.c", R"(
#include <pthread.h>
void g_mutex_lock(int*);
void g_mutex_unlock(int*);
static int a, b;
static void both(int* one, int* other) {
  g_mutex_lock(one); g_mutex_lock(other); g_mutex_unlock(other); g_mutex_unlock(one);
}
static void* there(void* unused) { both(&a, &b); return unused; }
int main(int argc, char** argv) {
  pthread_t thread;
  if (argc > 1) return both(&a, &b), argv[1] == NULL;
  pthread_create(&thread, NULL, there, NULL);
  both(&b, &a);
  return pthread_join(thread, NULL);
}
)");
  std::string openmp = directory.write("with_openmp.c", R"(
#include <omp.h>
int main(void) {
  omp_lock_t a, b;
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel num_threads(2)
  {
    int first = omp_get_thread_num() == 0;
    omp_set_lock(first ? &a : &b);
    omp_set_lock(first ? &b : &a);
    omp_unset_lock(first ? &b : &a);
    omp_unset_lock(first ? &a : &b);
  }
  return 0;
}
)");
  std::string d = directory.path().string();
  std::string cc = std::string(MCMINI_TEST_CC) + " -g -pthread -o " + d;
  REQUIRE(compile(cc + "/libglib.so -shared -fPIC " + library));
  REQUIRE(compile(cc + "/with_glib " + glib + " -L" + d + " -lglib -Wl,-rpath," + d));
  REQUIRE(compile(cc + "/with_openmp -fopenmp " + openmp));
  for (const char* name : {"with_glib", "with_openmp"}) {
    Outcome outcome = check({"--step-timeout", "1s", d + "/" + name});
    CHECK(outcome.exitCode == 3);
    CHECK(outcome["complete"] == "no");
    CHECK_THAT(outcome.out, Contains("Not complete: threads wait by calls that are not modelled"));
    CHECK_THAT(outcome.err, Contains(name == std::string("with_glib") ? "g_mutex_lock" : "omp_set_lock"));
  }
  CHECK(check({"--on-unsupported", "ignore", d + "/with_glib"})["complete"] == "yes");
  CHECK(check({d + "/with_glib", "alone"})["complete"] == "yes");
}

TEST_CASE("more threads than mcmini can take are refused in a sentence", "[limits]") {
  Outcome outcome = check({program("independent"), "1100"});
  CHECK(outcome.exitCode == 4);
  CHECK_THAT(outcome.err,
             Contains("independent") && Contains("threads in all runs together") && Contains("1024"));
  CHECK(outcome.out == kNone);
}

// Creates, starts, ends, joins and the end of the process: 5 more for one thread, 9 for two.
TEST_CASE("a run may have a hundred thousand operations", "[limits]") {
  Outcome one = expect({"long_run", "1", "50000"}, {}, {"--max-depth", "200000"});
  CHECK(one["transitions"] == "100005");
  Outcome two = expect({"long_run", "2", "25000"}, {}, {"--max-depth", "200000"});
  CHECK(two["transitions"] == "100009");
}

TEST_CASE("a thread that works for ever in the background does not keep main from its end", "[limits]") {
  Outcome outcome = expect({"background"}, {.complete = "bounded"}, {"--max-depth", "100000"});
  CHECK_THAT(outcome.out, Contains("Bounded: the loop at background.c:"));
}

TEST_CASE("a thread that works for ever meets a bound even if the user gave none", "[limits]") {
  expect({"background"}, {.complete = "bounded"});
}

// In the background: start, lock, unlock, lock, unlock and again lock. The section of main comes before,
// between or after the others; if the thread was cut in its third section, main waits, for which nobody is to
// blame.
TEST_CASE("a background thread's operations within the bound are searched completely", "[limits]") {
  expect({"background", "shared"}, {.traces = 3, .complete = "bounded"}, {"--max-thread-depth", "5"});
  expect({"background", "shared"}, {.traces = 4, .complete = "bounded"}, {"--max-thread-depth", "6"});
}

}  // namespace
}  // namespace mcmini
