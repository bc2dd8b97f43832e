#include <catch2/catch.hpp>

#include "test/support/expected.hpp"
#include "test/support/none.hpp"

// Programs that do what programs should not. That nothing is left behind is checked for each of them.

namespace mcmini {
namespace {

using Catch::Contains;
using namespace std::chrono_literals;

const std::vector<std::string> kShort = {"--step-timeout", "300ms"};
const std::vector<std::string> kLong = {"--step-timeout", "50s"};  // new sessions are slow on a busy machine

Outcome odd(const std::string& what, std::vector<std::string> options = {}, const Settings& settings = {}) {
  options.push_back(program("odd"));
  options.push_back(what);
  return check(options, settings);
}

TEST_CASE("a program that ends at once has one run", "[odd]") {
  compare(odd("end_at_once"), {});
}

TEST_CASE("a program that creates no thread has one run", "[odd]") {
  compare(odd("lock_only"), {});
}

TEST_CASE("a program that prints a megabyte is kept quiet in every run", "[odd]") {
  Outcome outcome = odd("print_megabyte");
  compare(outcome, {.traces = 2});
  CHECK(outcome.out.size() < 1000);
}

TEST_CASE("of what a failing run prints the end is shown", "[odd]") {
  CHECK_THAT(odd("print_and_fail").out, Contains("characters ...") && Contains("| the very end"));
}

TEST_CASE("a crash before main is a crash", "[odd]") {
  Outcome outcome = expect({"crash_before_main"}, {"crash", 1});
  CHECK_THAT(outcome.out, Contains("SIGSEGV") && !Contains("Schedule") &&
                              Contains(marked("crash_before_main.c", "set_up")));
}

TEST_CASE("a program that closes all its files can be checked", "[odd]") {
  compare(odd("close_all"), {.traces = 2});
}

TEST_CASE("every run reads the same input", "[odd]") {
  std::string text = "three\nlines\nof input\n";
  Settings settings;
  settings.input = text;
  settings.inputKind = Settings::Input::File;
  compare(check({program("odd"), "read_input", text}, settings), {.traces = 2});
  settings.inputKind = Settings::Input::Pipe;
  compare(check({program("odd"), "read_input", text}, settings), {.traces = 2});
  ScratchDirectory directory;
  std::string file = directory.write("input", text).string();
  compare(check({"--stdin", file, program("odd"), "read_input", text}), {.traces = 2});
}

TEST_CASE("a program that reads when there is nothing gets nothing", "[odd]") {
  Settings settings;
  compare(check({program("odd"), "read_input", ""}, settings), {.traces = 2});
  settings.inputKind = Settings::Input::Pipe;
  compare(check({program("odd"), "read_input", ""}, settings), {.traces = 2});
}

TEST_CASE("an open pipe with nothing in it does not make mcmini wait", "[odd]") {
  Settings settings;
  settings.inputKind = Settings::Input::OpenPipe;
  Outcome outcome = check({program("odd"), "read_input", ""}, settings);
  compare(outcome, {.traces = 2});
  CHECK(outcome.elapsed < 5s);
  CHECK_THAT(outcome.err, Contains("--stdin FILE"));
}

TEST_CASE("a process that the program forks is not checked, which is told", "[odd]") {
  for (const char* way :
       {"fork_and_wait", "interrupt_child", "fork_for_ever", "daemonize", "vfork_and_exec"}) {
    Outcome outcome = odd(way, kLong);
    INFO(way);
    compare(outcome, {.traces = 2});
    CHECK_THAT(outcome.err, Contains("warning") && Contains("odd forks") && Contains("not checked"));
  }
}

TEST_CASE("a process sees numbers that fit together, and so does one that it forks", "[odd]") {
  expect({"processes", "numbers"}, {});
}

TEST_CASE("what a program does as a daemon is not checked, which is told", "[odd]") {
  Outcome outcome = expect({"processes", "daemon"}, {.complete = "no"});
  CHECK_THAT(outcome.err, Contains("warning") && Contains("processes forks") && Contains("not checked"));
}

TEST_CASE("a program may become another one with any number of arguments", "[odd]") {
  expect({"processes", "many_arguments"}, {});
}

TEST_CASE("what others could do before a program becomes another one is not tried, which is told", "[odd]") {
  Outcome outcome = expect({"processes", "beside"}, {.complete = "no"});
  CHECK_THAT(outcome.out, Contains("the process ended out of sight"));
  outcome = expect({"processes", "in_vain"}, {});
  CHECK_THAT(outcome.err, !Contains("exec"));
}

TEST_CASE("vfork is told to be fork", "[odd]") {
  CHECK_THAT(odd("vfork_and_exec", kLong).err, Contains("vfork"));
}

TEST_CASE("programs that the program starts are left alone", "[odd]") {
  compare(odd("call_system"), {.traces = 2});
  compare(odd("spawn"), {.traces = 2});
}

TEST_CASE("a program that becomes another one is told not to be checked from there", "[odd]") {
  Outcome outcome = odd("become_true");
  compare(outcome, {});
  CHECK_THAT(outcome.err, Contains("warning") && Contains("exec") && Contains("not checked"));
}

TEST_CASE("a program that blocks or ignores signals can be checked", "[odd]") {
  compare(odd("block_signals"), {.traces = 2});
  compare(odd("ignore_alarm"), {.traces = 2});
}

TEST_CASE("a program that is ended by an alarm of its own has crashed", "[odd]") {
  Outcome outcome = odd("end_by_alarm");
  compare(outcome, {"crash", 1});
  CHECK_THAT(outcome.out, Contains("SIGALRM"));
}

TEST_CASE("a signal that ends the program is a crash, whichever it is", "[odd]") {
  Outcome outcome = odd("end_by_signal");
  compare(outcome, {"crash", 1});
  CHECK_THAT(outcome.out, Contains("signal 63"));
}

TEST_CASE("a program that aborts has crashed", "[odd]") {
  Outcome outcome = odd("call_abort");
  compare(outcome, {"crash", 1});
  CHECK_THAT(outcome.out, Contains("SIGABRT"));
}

TEST_CASE("a program that spins or waits in the kernel is stuck, at a line", "[odd]") {
  for (const char* way : {"spin", "read_empty_pipe", "block_and_spin"}) {
    Outcome outcome = odd(way, kShort);
    compare(outcome, {"stuck", 1, 1, "no"});
    CHECK_THAT(outcome.out, Contains("it is at " + marked("odd.c", way)));
    CHECK(outcome.elapsed < 5s);
  }
}

TEST_CASE("threads can tell each other things with all signals blocked", "[odd]") {
  for (const char* way : {"block_and_look", "block_and_read", "handle_and_look"}) {
    INFO(way);
    compare(odd(way), {});
  }
}

TEST_CASE("a program that blocks or handles the signal of the checker is told so", "[odd]") {
  compare(odd("compare_signals"), {});
}

TEST_CASE("a program that allocates without end is refused memory, which is told", "[odd]") {
  for (const char* way : {"allocate", "map"}) {
    INFO(way);
    Outcome outcome = odd(way, {"--max-memory", "64M"});
    compare(outcome, {.traces = 2});
    CHECK_THAT(outcome.err, Contains("warning") && Contains("--max-memory"));
  }
}

TEST_CASE("memory that a program gives back does not count", "[odd]") {
  compare(odd("map_and_unmap", {"--max-memory", "64M"}), {.traces = 2});
}

TEST_CASE("a program that overwrites what it shares with mcmini cannot be checked", "[odd]") {
  Outcome outcome = odd("overwrite_what_is_shared");
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 4);
  CHECK_THAT(outcome.err, Contains("writes to memory that is not its own"));
}

TEST_CASE("a program that does not repeat itself cannot be checked", "[odd]") {
  for (const char* way : {"lock_by_clock", "lock_by_chance", "lock_by_tid"}) {
    Outcome outcome = odd(way);
    INFO(way << "\n" << outcome.everything());
    CHECK(outcome.exitCode == 4);
    CHECK(outcome.out == kNone);
    CHECK_THAT(outcome.err, Contains("does not repeat itself") && Contains("pthread_mutex_lock(lock[") &&
                                Contains("random numbers"));
  }
}

TEST_CASE("a program's own operator delete is used", "[odd]") {
  for (const std::string what : {"both", "arrays"}) expect({"own_delete", what}, {.traces = 2});
  expect({"only_delete"}, {});
}

TEST_CASE("a program may have a malloc of its own", "[odd]") {
  expect({"own_malloc"}, {.traces = 2});
}

TEST_CASE("a program that kills its parent ends mcmini in a sentence", "[odd]") {
  Outcome outcome = odd("kill_parent");
  CHECK(outcome.exitCode == 4);
  CHECK_THAT(outcome.err, Contains("odd") && Contains("SIGKILL"));
}

}  // namespace
}  // namespace mcmini
