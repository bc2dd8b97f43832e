#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

#include "test/support/busy_processor.hpp"
#include "test/support/expected.hpp"
#include "test/support/none.hpp"

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using Catch::StartsWith;
using Words = std::vector<std::string>;

/// A directory in which programs are checked, and what is found there is replayed.
class Place {
 public:
  Outcome operator()(const Words& words, Settings settings = {}) const {
    settings.directory = directory_.path();
    settings.writes = true;
    return check(words, settings);
  }

  std::vector<fs::path> saved(const std::string& where = ".mcmini") const {
    std::vector<fs::path> files;
    if (!fs::exists(directory_ / where)) return files;
    for (const auto& entry : fs::directory_iterator(directory_ / where)) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
  }

  const ScratchDirectory& directory() const { return directory_; }

 private:
  ScratchDirectory directory_;
};

/// Saves all that is found, and runs into each of it so many times again, with the same report.
void expectReplays(const Words& command, int times) {
  Place place;
  Outcome found = place(command);
  INFO(found.everything());
  CHECK(found.exitCode == 1);
  std::size_t bugs = place.saved().size();
  CHECK(bugs == found.count("bugs"));
  for (std::size_t number = 1; number <= bugs; ++number)
    for (int i = 0; i < times; ++i) {
      Outcome again = place({"replay", std::to_string(number)});
      INFO("time " << i + 1 << " of bug " << number << "\n" << again.everything());
      CHECK(again.exitCode == 1);
      CHECK_THAT(found.out, Contains(again.out));
      CHECK(again.err == kNone);
    }
}

const std::vector<Words> kBuggy = {
    {program("ab_ba")},
    {program("ab_ba_std")},
    {program("philosophers_all_left"), "4"},
    {program("lost_update")},
    {program("use_after_teardown")},
    {program("crashes"), "free_twice"},
    {program("crashes"), "overflow_stack", "in main"},
    {program("throws")},
    {program("missed_job")},
    {program("ends"), "handler"},
    {program("unlock_of_another")},
    {"--check", "leak", program("leaks"), "both"},
    {program("polling"), "never"},
    {program("polling"), "each_other"},
    {program("several_bugs")},
    {program("locals"), "threads"},
    {program("locals_std")},
    {program("always_crashes"), "first"},
    {program("always_crashes"), "main"},
    {program("leftovers"), "self_deadlock"},
    {"--policy", "spurious", program("if_instead_of_while")},
    {"--policy", "spurious", program("cond_ways"), "lost"},
    {"--policy", "fifo", program("card_pile")},
    {"--step-timeout", "300ms", program("busy_wait")},
    {"--step-timeout", "300ms", "--on-unsupported", "ignore", program("memory_waits"), "with_lock"},
};

TEST_CASE("every bug that is found can be replayed, with the same report", "[replay]") {
  for (const Words& command : kBuggy) expectReplays(command, 2);
}

// What is in the environment lies below the stack of main.
TEST_CASE("a bug about local variables is replayed wherever the stack is", "[replay]") {
  Place place;
  Outcome found = place({program("locals_std"), "accounts"});
  Settings elsewhere;
  elsewhere.environment["MORE"] = std::string(5000, 'x');
  Outcome again = place({"replay", "1"}, elsewhere);
  INFO(again.everything());
  CHECK(again.exitCode == 1);
  CHECK_THAT(again.out, Contains("alice.lock"));
  CHECK_THAT(found.out, Contains(again.out));
}

TEST_CASE("every bug that is found can be replayed many times", "[.campaign][campaign]") {
  for (const Words& command : kBuggy) expectReplays(command, 50);
  // Takes five seconds each time.
  expectReplays(
      {"--step-timeout", "300ms", "--on-unsupported", "ignore", program("memory_waits"), "each_other"}, 5);
}

TEST_CASE("a saved bug has the next number, and the same one is kept once", "[replay]") {
  Place place;
  place({program("ab_ba")});
  place({"-q", program("lost_update")});
  place({program("ab_ba")});
  auto files = place.saved();
  REQUIRE(files.size() == 2);
  CHECK_THAT(files[0].filename().string(), StartsWith("001-deadlock-"));
  CHECK_THAT(files[1].filename().string(), StartsWith("002-assertion-"));
  Outcome list = place({"replay"});
  CHECK(list.exitCode == 0);
  CHECK_THAT(list.out,
             Contains("   1  deadlock ") && Contains("   2  assertion ") && Contains("lost_update]"));
}

TEST_CASE("bugs are saved where the user wants them", "[replay]") {
  Place place;
  place({"-o", "here/and there", program("ab_ba")});
  CHECK(place.saved() == kNone);
  REQUIRE(place.saved("here/and there").size() == 1);
  CHECK(place({"replay", "--output-dir", "here/and there", "1"}).exitCode == 1);
  std::string file = place.saved("here/and there").front();
  CHECK(check({"replay", file}).exitCode == 1);  // in another directory
}

TEST_CASE("that bugs cannot be saved is a warning", "[replay]") {
  Outcome outcome = check({"-o", "/proc/nowhere", program("ab_ba")});
  compare(outcome, deadlockIn(3));
  CHECK_THAT(outcome.err, Contains("warning: bugs cannot be saved (/proc/nowhere") && Contains("-o DIR"));
  CHECK(check({"-q", "-o", "/proc/nowhere", program("ab_ba")}).err == kNone);
}

TEST_CASE("checkers at work at the same time do not get into each other's way", "[replay]") {
  Place place;
  std::string commands;
  for (const char* name : {"ab_ba", "lost_update", "use_after_teardown", "missed_job"})
    commands += MCMINI_BINARY_DIR "/bin/mcmini -q " + program(name) + " &\n";
  shell(place.directory().path(), commands + "wait");
  std::set<std::string> numbers;
  for (const fs::path& file : place.saved()) numbers.insert(file.filename().string().substr(0, 4));
  CHECK(numbers == std::set<std::string>{"001-", "002-", "003-", "004-"});
  for (int number = 1; number <= 4; ++number) CHECK(place({"replay", std::to_string(number)}).exitCode == 1);
}

constexpr const char* kShop = R"(
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sold;
static void* sell(void* unused) {
  pthread_mutex_lock(&lock);
  int before = sold;
  pthread_mutex_unlock(&lock);
#ifdef CHANGED
  sched_yield();
#endif
  pthread_mutex_lock(&lock);
#ifdef FIXED
  before = sold;
#endif
  sold = before + 1;
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t seller[2];
  for (int i = 0; i < 2; ++i) pthread_create(&seller[i], NULL, sell, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(seller[i], NULL);
  printf("sold %d\n", sold);
  fflush(stdout);
  assert(sold == 2);
  return 0;
}
)";

/// A shop in the directory of the place.
void build(const Place& place, const std::string& flags) {
  std::string source = place.directory().write("shop.c", kShop).string();
  REQUIRE(compile(std::string(MCMINI_TEST_CC) + " -g -pthread " + flags + " -o " +
                  (place.directory() / "shop").string() + " " + source));
}

TEST_CASE("a bug that was fixed does not show under its schedule", "[replay]") {
  Place place;
  build(place, "");
  Outcome found = place({"./shop"});
  compare(found, {"assertion", 1, found.count("traces")});
  Outcome before = place({"replay", "1"});
  CHECK(before.exitCode == 1);
  CHECK_THAT(before.out, Contains("sold == 2") && Contains("| sold 1"));
  build(place, "-DFIXED");
  Outcome fixed = place({"replay", "1"});
  INFO(fixed.everything());
  CHECK(fixed.exitCode == 0);
  CHECK_THAT(fixed.out, Contains("The bug did not show") && Contains("| sold 2"));
  CHECK_THAT(fixed.err, Contains("has been built anew"));
}

TEST_CASE("a program that was built anew and does the same has the same bug", "[replay]") {
  Place place;
  build(place, "");
  place({"./shop"});
  build(place, "-O2 -DOTHER");
  Outcome again = place({"replay", "1"});
  CHECK(again.exitCode == 1);
  CHECK_THAT(again.err, Contains("has been built anew"));
  place({"./shop"});
  CHECK(place.saved().size() == 2);  // it may have come to the bug in another way
}

TEST_CASE("where a program that was changed leaves the schedule is told", "[replay]") {
  Place place;
  build(place, "");
  place({"./shop"});
  build(place, "-DCHANGED");
  Outcome changed = place({"replay", "1"});
  INFO(changed.everything());
  CHECK(changed.exitCode == 5);
  CHECK_THAT(changed.out, Contains("does something else") &&
                              Contains("  pthread_mutex_lock(lock) at shop.c:15") &&
                              Contains("  sched_yield() at shop.c:13"));
}

// Which child gets which id depends on the runs before; they are saved as children of their parents.
TEST_CASE("threads that others create are known by their parents", "[replay]") {
  Place place;
  std::string source = place.directory().write("tree.c", R"(
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
struct Pair { pthread_mutex_t *one, *other; };
static void* child(void* argument) {
  struct Pair* pair = argument;
  pthread_mutex_lock(pair->one);
  pthread_mutex_lock(pair->other);
  pthread_mutex_unlock(pair->other);
  pthread_mutex_unlock(pair->one);
  return NULL;
}
static void* parent(void* argument) {
  pthread_t thread;
  pthread_mutex_lock(&turn);
  pthread_mutex_unlock(&turn);
  pthread_create(&thread, NULL, child, argument);
  pthread_join(thread, NULL);
  return NULL;
}
int main(void) {
  struct Pair pairs[] = {{&first, &second}, {&second, &first}};
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, parent, &pairs[i]);
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  return 0;
}
)");
  REQUIRE(compile(std::string(MCMINI_TEST_CC) + " -g -pthread -o " + (place.directory() / "tree").string() +
                  " " + source));
  for (const char* search : {"optimal", "naive"}) {
    fs::remove_all(place.directory() / ".mcmini");
    Outcome found = place({"--first", "--search", search, "./tree"});
    Outcome again = place({"replay", "1"});
    INFO(found.everything() << again.everything());
    CHECK(again.exitCode == 1);
    CHECK_THAT(again.out, Contains("DEADLOCK") && Contains("child#1") && Contains("child#2"));
    CHECK_THAT(found.out, Contains(again.out));
  }
}

TEST_CASE("what was read from the standard input is read again", "[replay]") {
  Place place;
  std::string source = place.directory().write("reader.c", R"(
#include <stdio.h>
int main(void) { return getchar() == 'x' ? 3 : 0; }
)");
  REQUIRE(
      compile(std::string(MCMINI_TEST_CC) + " -o " + (place.directory() / "reader").string() + " " + source));
  Settings settings;
  settings.inputKind = Settings::Input::Pipe;
  settings.input = "xyz";
  CHECK(place({"./reader"}, settings).exitCode == 1);
  CHECK(place({"replay", "1"}).exitCode == 1);
}

TEST_CASE("what cannot be replayed is told, and why", "[replay]") {
  Place place;
  CHECK_THAT(place({"replay"}).out, Contains("No bug is saved in .mcmini"));
  auto complaint = [&](const Words& words, int code) {
    Outcome outcome = place(words);
    INFO(outcome.everything());
    CHECK(outcome.exitCode == code);
    CHECK(outcome.out == kNone);
    return outcome.err;
  };
  CHECK_THAT(complaint({"replay", "1"}, 2), Contains("there is no bug 1 in .mcmini; there is none at all"));
  build(place, "");
  place({"./shop"});
  CHECK_THAT(complaint({"replay", "7"}, 2), Contains("there is no bug 7 in .mcmini; there are 1"));
  CHECK_THAT(complaint({"replay", "nothing.yaml"}, 2), Contains("nothing.yaml: there is no such file"));
  CHECK_THAT(complaint({"replay", ".mcmini"}, 2), Contains(".mcmini: this is no file"));
  fs::create_directory(place.directory() / ".mcmini/009-x.yaml");
  CHECK(place({"replay"}).exitCode == 0);
  CHECK_THAT(complaint({"replay", "9"}, 2), Contains("there is no bug 9"));
  CHECK_THAT(complaint({"replay", "1", "2"}, 2), Contains("one bug at a time"));
  place.directory().write("wrong.yaml", "mcmini: 1\nprogram: [\n");
  CHECK_THAT(complaint({"replay", "wrong.yaml"}, 2), Contains("wrong.yaml:3: this is not YAML"));
  CHECK_THAT(complaint({"replay", "shop.c"}, 2), Contains("shop.c"));
  CHECK_THAT(complaint({"replay", "--schedule", "0,x", "./shop"}, 2),
             Contains("--schedule takes the numbers"));
  fs::remove(place.directory() / "shop");
  CHECK_THAT(complaint({"replay", "1"}, 4), Contains("there is no such program"));
}

TEST_CASE("a crash that comes only once is one of a program that does not repeat itself", "[replay]") {
  Place place;
  std::string directory = place.directory().path().string();
  CHECK(place({"--step-timeout", "500ms", program("crash_once"), directory})["verdict"] == "crash");
  place.directory().write("once", "");
  Settings once;
  once.repeats = false;
  Outcome outcome = place({"replay", "1"}, once);
  CHECK(outcome.exitCode == 4);
  CHECK_THAT(outcome.err,
             Contains("the program does not repeat itself: the end of the run was not the same"));
}

TEST_CASE("a thread that works has the time to let others run on a busy machine", "[replay]") {
  Place place;
  place({"--step-timeout", "150ms", program("busy_wait")}, dependingOnTime());
  BusyProcessor busy(9);
  Outcome outcome = place({"replay", "1"}, dependingOnTime());
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 1);
  CHECK_THAT(outcome.out, Contains("it is at") && Contains("run 1 · 6 steps"));
}

TEST_CASE("threads can be run in an order that the user gives", "[replay]") {
  Place place;
  Outcome deadlock = place({"replay", "--schedule", "0,0,1,1,2,2", program("ab_ba")});
  CHECK(deadlock.exitCode == 1);
  CHECK_THAT(deadlock.out, Contains("DEADLOCK"));
  Outcome halfway = place({"replay", "--schedule", "0,0,1,1", program("ab_ba")});
  INFO(halfway.everything());
  CHECK(halfway.exitCode == 0);
  CHECK_THAT(halfway.out, Contains("     4  save#1        pthread_mutex_lock(checking)") &&
                              Contains("What comes next") && Contains("thread 2  spend#1  starts"));
  Outcome stopped = place({"replay", "--schedule", "0,0,0", program("ab_ba")});
  INFO(stopped.everything());
  CHECK(stopped.exitCode == 5);
  CHECK_THAT(stopped.out, Contains("Step 3 is the turn of thread 0, which cannot move") &&
                              Contains("Who could have moved instead") && !Contains("(waits)"));
  Outcome nobody = place({"replay", "--schedule", "0,5", program("ab_ba")});
  CHECK(nobody.exitCode == 5);
  CHECK_THAT(nobody.out, Contains("there is no such thread yet"));
  CHECK(place.saved() == kNone);
}

TEST_CASE("a run is shown as it was found if the user wants that", "[replay]") {
  Outcome plain = check({"--no-simplify", program("several_bugs")});
  Outcome simple = check({program("several_bugs")});
  compare(plain, {"deadlock", 3, 27});
  compare(simple, {"deadlock", 3, 27});
  CHECK(plain.out != simple.out);
}

}  // namespace
}  // namespace mcmini
