#include <catch2/catch.hpp>

#include <regex>

#include "test/support/checker.hpp"
#include "test/support/stored.hpp"

namespace mcmini {
namespace {

using Catch::Contains;
using Words = std::vector<std::string>;

/// A directory in which a bug of a program was saved, to be walked through with gdb.
class Walk {
 public:
  explicit Walk(const Words& call, Settings settings = {}, std::string number = "1")
      : number_(std::move(number)) {
    settings.directory = directory_.path();
    settings.writes = true;
    settings.repeats = false;
    Outcome outcome = check(call, settings);
    INFO(outcome.everything());
    REQUIRE(outcome.exitCode == 1);
  }

  /// What gdb prints for these commands.
  std::string operator()(const Words& commands, Settings settings = {}) const {
    Words call = {"gdb", number_, "--", "-nx", "--batch"};
    for (const std::string& command : commands) {
      call.emplace_back("-ex");
      call.push_back(command);
    }
    settings.directory = directory_.path();
    settings.repeats = false;
    Outcome outcome = check(call, settings);
    errors_ = outcome.err;
    REQUIRE_THAT(errors_, !Contains("gdb is not installed"));
    return outcome.out;
  }

  const std::string& errors() const { return errors_; }
  const ScratchDirectory& directory() const { return directory_; }

 private:
  ScratchDirectory directory_;
  std::string number_;
  mutable std::string errors_;
};

/// Without the numbers of frames, which depend on how libmcmini was compiled, and those of processes.
std::string maskedFrames(const std::string& text) {
  std::string result = std::regex_replace(text, std::regex("(^|\n)#[0-9]+ +(0x[0-9a-f]+ in )?"), "$1#? ");
  return std::regex_replace(result, std::regex("LWP [0-9]+"), "LWP ?");
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST_CASE("gdb goes through the schedule of a bug in C, forward and back", "[gdb]") {
  Walk walk({program("ab_ba")});
  stored("gdb_deadlock",
         maskedFrames(
             walk({"mcmini forward", "mcmini forward 3", "mcmini where", "mcmini threads", "mcmini pending",
                   "mcmini objects", "mcmini back", "mcmini goto 1", "mcmini goto 6", "mcmini pending",
                   "mcmini objects", "mcmini forward", "continue", "thread apply all bt"})));
}

TEST_CASE("gdb goes through the schedule of a bug in C++, forward and back", "[gdb]") {
  Walk walk({program("ab_ba_std")});
  stored("gdb_deadlock_std",
         maskedFrames(walk({"mcmini forward 4", "bt", "print from.balance", "mcmini back 2", "mcmini goto 5",
                            "mcmini threads", "mcmini forward", "print amount", "mcmini where 1"})));
}

TEST_CASE("gdb shows the values that variables have at each step", "[gdb]") {
  Walk walk({program("lost_update")});
  std::string out = walk(
      {"mcmini goto 5", "print balance", "mcmini goto 9", "print balance", "mcmini back 4", "print balance"});
  CHECK_THAT(out, Contains("$1 = 100") && Contains("$2 = 30") && Contains("$3 = 100"));
}

TEST_CASE("an assertion fails under gdb as it did in the run, at the user's line", "[gdb]") {
  Walk walk({program("lost_update")});
  std::string out =
      walk({"mcmini goto 9", "mcmini forward", "mcmini forward", "mcmini pending", "mcmini back"});
  CHECK_THAT(out, Contains("received signal SIGABRT"));
  CHECK_THAT(out, Contains("17\t  assert(balance >= 0);\nmcmini: ASSERTION"));
  CHECK_THAT(out, Contains("mcmini: the program ends here: ASSERTION"));
  CHECK_THAT(out, Contains("buy#1             stopped by SIGABRT"));
  CHECK(count(out, "mcmini: step 9 of 10: pay_rent#1: ends") == 2);
}

TEST_CASE("a crash happens under gdb as it did in the run", "[gdb]") {
  Walk walk({program("crashes"), "write_to_null"});
  std::string out = walk({"continue", "continue", "mcmini back", "run"});
  CHECK_THAT(out, Contains("received signal SIGSEGV"));
  CHECK_THAT(out, Contains("/" + marked("crashes.c", "write_to_null")));
  CHECK_THAT(out, Contains("Program terminated with signal SIGSEGV"));
  CHECK_THAT(out, Contains("mcmini: step 1 of 2: main: pthread_create(crash#1)"));
  CHECK(count(out, "mcmini: step 0 of 2: nothing has happened yet") == 2);
}

TEST_CASE("a program ends under gdb with the status that it had, and says nothing when it is run again",
          "[gdb]") {
  Walk walk({program("missed_job")});
  std::string out = walk({"continue", "mcmini forward", "mcmini back", "mcmini back 12"});
  CHECK_THAT(out, Contains("mcmini: the program has ended with status 1."));
  CHECK(count(out, "0 of 1 jobs done") == 1);
  CHECK_THAT(out, Contains("mcmini: step 0 of 13: nothing") && Contains("mcmini: step 12 of 13: "));
}

TEST_CASE("gdb stops before a misuse, which pending shows", "[gdb]") {
  std::string out = Walk({program("unlock_of_another")})({"continue", "mcmini pending", "mcmini forward"});
  CHECK_THAT(out, Contains("pthread_mutex_unlock(door) at unlock_of_another.c:10: the mistake"));
  CHECK_THAT(out, Contains("mcmini: the schedule ends here: MISUSE"));
}

TEST_CASE("gdb shows where a thread waits for memory to change", "[gdb]") {
  Walk walk({"--step-timeout", "300ms", program("busy_wait")}, dependingOnTime());
  std::string out = walk({"mcmini goto 5", "continue", "mcmini back"});
  INFO(out);
  CHECK_THAT(out, Contains("12\t  while (!ready) continue;\nmcmini: STUCK"));
  CHECK(count(out, "mcmini: step 5 of 6: prepare#1: starts") == 2);
}

TEST_CASE("a run in which another thread crashes before can be walked through", "[gdb]") {
  Walk walk({program("always_crashes")}, {}, "2");
  std::string out = walk({"mcmini goto 6", "mcmini pending", "mcmini back 2", "mcmini forward 4"});
  CHECK_THAT(out, Contains("mcmini: step 6 of 8: forth#1: pthread_mutex_lock(a)"));
  CHECK_THAT(out, Contains("  crash#1        crashes\n"));
  CHECK_THAT(out, Contains("mcmini: step 4 of 8: crash#1: starts"));
  CHECK_THAT(out, Contains("mcmini: step 8 of 8: back#1: pthread_mutex_lock(b)"));
}

TEST_CASE("a thread that the user selects is shown in the program's own code", "[gdb]") {
  std::string out =
      Walk({program("ab_ba")})({"continue", "thread 2", "print $_thread", "info locals", "thread 1"});
  CHECK_THAT(out, Contains("13\t  pthread_mutex_lock(&savings);\n$1 = 2\n"));
  CHECK_THAT(out, Contains("35\t  pthread_join(saver, NULL);\n"));
}

TEST_CASE("breakpoints, watchpoints and next of gdb work between the steps, and do not disturb the way back",
          "[gdb]") {
  Walk walk({program("lost_update")});
  std::string out =
      walk({"break buy", "watch balance", "mcmini forward 5", "mcmini where", "mcmini forward", "continue",
            "mcmini pending", "mcmini back", "delete", "mcmini goto 4", "next", "next"});
  CHECK_THAT(out, Contains("hit Breakpoint 1, buy"));
  CHECK_THAT(out, Contains("mcmini: within step 3: buy#1 is on its way to its next operation"));
  CHECK_THAT(out, Contains("mcmini: step 3 of 10: buy#1: starts"));
  CHECK_THAT(out, Contains("Old value = 100\nNew value = 30"));
  CHECK_THAT(out, Contains("pay_rent#1        is on its way"));
  CHECK_THAT(out, Contains("mcmini: step 6 of 10: pay_rent#1: starts"));
  CHECK(count(out, "hit Breakpoint 1") == 1);
  CHECK_THAT(out, Contains("\n15\t  pthread_mutex_lock(&lock);\n16\t  balance -= 80;\n"));
}

TEST_CASE("under gdb a program has the arguments, input, directory and environment that it had", "[gdb]") {
  Settings settings;
  settings.inputKind = Settings::Input::Pipe;
  settings.input = "input of the program\n";
  settings.environment = {{"SHELL", "/no/such/shell"}, {"COLUMNS", "77"}};
  Walk walk({program("sees_surroundings"), "two  words; $HOME 'x'"}, settings);
  Settings later;
  later.environment = settings.environment;
  std::string out = walk({"mcmini goto 1", "run"}, later);
  CHECK(count(out, "called with <two  words; $HOME 'x'>, given <input>, in " +
                       walk.directory().path().string() +
                       "\npreloaded nothing, shell /no/such/shell\nwide 77\n") == 2);
}

TEST_CASE("a program without debug information can be walked through with gdb, which says what is missing",
          "[gdb]") {
  ScratchDirectory scratch;
  std::string bare = (scratch / "bare").string();
  REQUIRE(shell(scratch.path(), "objcopy --strip-debug " + program("ab_ba") + " " + bare).exitCode == 0);
  std::string out = Walk({bare})({"mcmini goto 4", "mcmini back", "mcmini objects"});
  CHECK_THAT(out, Contains("in save ()") && Contains("in main ()"));
  CHECK(count(out, "compile it with -g") == 1);
}

TEST_CASE("commands that make no sense are answered by a sentence", "[gdb]") {
  Walk walk({program("ab_ba")});
  walk({"mcmini goto 7", "mcmini goto", "mcmini back x", "mcmini jump", "mcmini where"});
  CHECK_THAT(walk.errors(), Contains("There are the steps 0 to 6."));
  CHECK_THAT(walk.errors(), Contains("Which step? mcmini goto STEP"));
  CHECK_THAT(walk.errors(), Contains("A number of steps is expected, not 'x'."));
  CHECK_THAT(walk.errors(), Contains("mcmini jump"));
}

TEST_CASE("without gdb, without its Python or where debuggers are not allowed, mcmini gdb says so", "[gdb]") {
  Walk walk({program("ab_ba")});
  Settings settings;
  settings.directory = walk.directory().path();
  settings.environment = {{"PATH", "/no/such/directory"}};
  Outcome outcome = check({"gdb", "1"}, settings);
  CHECK(outcome.exitCode == 2);
  CHECK_THAT(outcome.err, Contains("gdb is not installed"));

  ScratchDirectory fake;
  fake.write("gdb", "#!/bin/sh\necho 'Scripting in the \"Python\" language is not supported' >&2\nexit 1\n");
  REQUIRE(shell(fake.path(), "chmod +x gdb").exitCode == 0);
  settings.environment = {{"PATH", fake.path().string()}};
  outcome = check({"gdb", "1"}, settings);
  CHECK(outcome.exitCode == 2);
  CHECK_THAT(outcome.err, Contains("has no Python"));

  ShellOutcome forbidden =
      shell(walk.directory().path(), program("no_debuggers") + " " MCMINI_BINARY_DIR "/bin/mcmini gdb 1");
  CHECK(forbidden.exitCode == 4);
  CHECK_THAT(forbidden.out, Contains("debuggers are not allowed here"));
}

TEST_CASE("mcmini gdb without a bug, or with one that does not exist, says what there is", "[gdb]") {
  CHECK_THAT(check({"gdb"}).err, Contains("which bug?"));
  CHECK(check({"gdb", "3"}).exitCode == 2);
}

}  // namespace
}  // namespace mcmini
