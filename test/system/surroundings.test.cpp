#include <signal.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "test/support/expected.hpp"

// Where mcmini is started from, and what becomes of it from outside.

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using namespace std::chrono_literals;

constexpr int kInterrupted = 130;
constexpr auto kPatience = 5s;

// 10! behaviours: it does not end by itself.
std::vector<std::string> endless() {
  return {program("counter"), "10"};
}

void expectPartialReport(const Outcome& outcome) {
  INFO(outcome.everything());
  CHECK(outcome.exitCode == kInterrupted);
  CHECK(outcome["verdict"] == "ok");
  CHECK(outcome["complete"] == "no");
  CHECK_THAT(outcome.out, Contains("interrupted"));
}

TEST_CASE("Ctrl-C gives a partial report", "[surroundings]") {
  Settings settings = dependingOnTime();
  settings.limit = kPatience;
  settings.kicks = {{SIGINT, 1s}};
  Outcome outcome = check(endless(), settings);
  expectPartialReport(outcome);
  CHECK(outcome.count("traces") > 0);
}

TEST_CASE("a request to end gives a partial report", "[surroundings]") {
  for (int signal : {SIGTERM, SIGHUP}) {
    Settings settings = dependingOnTime();
    settings.limit = kPatience;
    settings.kicks = {{signal, 100ms}};
    expectPartialReport(check(endless(), settings));
  }
}

TEST_CASE("Ctrl-C while a thread is stuck does not wait for it", "[surroundings]") {
  Settings settings = dependingOnTime();
  settings.kicks = {{SIGINT, 300ms}};
  Outcome outcome = check({"--step-timeout", "50s", program("busy_wait")}, settings);
  expectPartialReport(outcome);
}

TEST_CASE("Ctrl-C is heard at any moment", "[surroundings]") {
  for (int i = 0; i < 30; ++i) {
    Settings settings = dependingOnTime();
    settings.limit = kPatience;
    settings.kicks = {{SIGINT, std::chrono::milliseconds(50 + i)}};
    REQUIRE(check(endless(), settings).exitCode == kInterrupted);
  }
}

TEST_CASE("a request that comes twice at once, as timeout sends it, gives a partial report",
          "[surroundings]") {
  for (int signal : {SIGINT, SIGTERM}) {
    Settings settings = dependingOnTime();
    settings.limit = kPatience;
    settings.kicks = {{signal, 200ms}, {signal, 200ms}};
    expectPartialReport(check(endless(), settings));
  }
}

TEST_CASE("bugs found before Ctrl-C are in the partial report", "[surroundings]") {
  Settings settings = dependingOnTime();
  settings.limit = kPatience;
  settings.kicks = {{SIGINT, 500ms}};
  Outcome outcome = check({program("always_crashes"), "many"}, settings);
  CHECK(outcome.exitCode == kInterrupted);
  CHECK(outcome["verdict"] == "crash");
  CHECK(outcome["complete"] == "no");
}

// That no process is left a second later is checked by check(). Fixed moments from right after the start on,
// so that a failure can be repeated.
TEST_CASE("kill -9 at any moment leaves nothing behind", "[surroundings]") {
  for (int i = 0; i < 20; ++i) {
    Settings settings = dependingOnTime();
    settings.kicks = {{SIGKILL, std::chrono::milliseconds(i * i), true}};
    INFO("after " << i * i << " ms");
    CHECK(check(endless(), settings).exitCode == -SIGKILL);
  }
}

TEST_CASE("kill -9 leaves nothing of what the program started", "[surroundings]") {
  for (const char* way : {"fork_for_ever", "daemonize"}) {
    Settings settings = dependingOnTime();
    settings.kicks = {{SIGKILL, 500ms}};
    INFO(way);
    CHECK(check({program("odd"), way, "spin"}, settings).exitCode == -SIGKILL);
  }
}

TEST_CASE("what the user preloads is kept, and nothing of mcmini's is passed on", "[surroundings]") {
  ScratchDirectory directory;
  std::string source = directory.write("mine.c", "int odd_preloaded(void) { return 42; }\n").string();
  std::string library = (directory / "mine.so").string();
  REQUIRE(compile(std::string(MCMINI_TEST_CC) + " -shared -fPIC -o " + library + " " + source));
  Settings settings;
  settings.environment["LD_PRELOAD"] = library;
  Outcome outcome = check({program("odd"), "show_surroundings"}, settings);
  INFO(outcome.everything());
  CHECK_THAT(outcome.out, Contains("| preloaded: 42\n"));
  CHECK_THAT(outcome.out, Contains("| own preload: [" + library + "]\n"));
  CHECK_THAT(outcome.out, Contains("| child's preload: [" + library + "]\n"));
  CHECK_THAT(outcome.out, Contains("| of mcmini: []\n"));
}

TEST_CASE("without a preload of the user there is none", "[surroundings]") {
  Outcome outcome = check({program("odd"), "show_surroundings"});
  CHECK_THAT(outcome.out, Contains("| own preload: []\n") && Contains("| child's preload: []\n"));
}

TEST_CASE("arguments go to the program as they are", "[surroundings]") {
  Outcome outcome =
      check({"--first", program("odd"), "show_surroundings", "--first", "--", "-x y", "", "a'b\"c"});
  for (const char* line : {"2: [--first]", "3: [--]", "4: [-x y]", "5: []", "6: [a'b\"c]"})
    CHECK_THAT(outcome.out, Contains(std::string("| argument ") + line + "\n"));
  Outcome dashes = check({"--", program("odd"), "show_surroundings", "--search"});
  CHECK_THAT(dashes.out, Contains("| argument 2: [--search]\n"));
}

TEST_CASE("a path with spaces is a path", "[surroundings]") {
  ScratchDirectory directory;
  fs::create_directory(directory / "my programs");
  fs::path copy = directory / "my programs/count er";
  fs::copy_file(program("counter"), copy);
  compare(check({copy.string(), "3"}), {.traces = 6});
}

TEST_CASE("a path with a line's end is a word of one line, as a shell takes it", "[surroundings]") {
  ScratchDirectory directory;
  fs::copy_file(program("ab_ba"), directory / "a\nb");
  Settings settings;
  settings.directory = directory.path();
  settings.writes = true;
  Outcome outcome = check({"-o", "c'd\ne", "a\nb"}, settings);
  CHECK_THAT(outcome.out, Contains("mcmini replay $'c\\'d\\ne/001"));
  Outcome list = check({"replay", "-o", "c'd\ne"}, settings);
  CHECK_THAT(list.out, Contains("[$'./a\\nb']"));
}

TEST_CASE("a program is found in PATH and in the current directory", "[surroundings]") {
  Settings settings;
  settings.environment["PATH"] = fs::path(program("counter")).parent_path().string() + ":/usr/bin";
  compare(check({"counter", "3"}, settings), {.traces = 6});
  ScratchDirectory directory;
  fs::copy_file(program("counter"), directory / "count");
  Settings here;
  here.directory = directory.path();
  compare(check({"count", "3"}, here), {.traces = 6});
}

// Not even root can write there.
TEST_CASE("a directory that cannot be written to is good enough to work in", "[surroundings]") {
  Settings settings;
  settings.directory = "/proc";
  compare(check({program("ab_ba")}, settings), deadlockIn(3));
}

TEST_CASE("a report that cannot be written does not change the exit code", "[surroundings]") {
  for (auto output : {Settings::Output::Closed, Settings::Output::Full, Settings::Output::BrokenPipe}) {
    Settings settings;
    settings.output = output;
    CHECK(check({program("ab_ba")}, settings).exitCode == 1);
    CHECK(check({program("counter"), "3"}, settings).exitCode == 0);
  }
}

TEST_CASE("a report that cannot be written is told, unless its reader has gone", "[surroundings]") {
  auto said = [](Settings::Output output) {
    Settings settings;
    settings.output = output;
    return check({"-q", program("ab_ba")}, settings).err;
  };
  CHECK_THAT(said(Settings::Output::Full),
             Contains("the report cannot be written") && Contains("No space left"));
  CHECK_THAT(said(Settings::Output::Closed), Contains("the report cannot be written") && Contains("closed"));
  CHECK_THAT(said(Settings::Output::BrokenPipe), !Contains("report"));
}

TEST_CASE("a long report that cannot be written does not end the check", "[surroundings]") {
  Settings settings;
  settings.output = Settings::Output::Full;
  Outcome outcome = check({"--output", "all", program("counter"), "5"}, settings);
  CHECK(outcome.exitCode == 0);
}

/// What mcmini says under a limit of the shell's.
std::string limited(const std::string& limit) {
  ScratchDirectory directory;
  std::string mcmini = (fs::path(MCMINI_BINARY_DIR) / "bin/mcmini").string();
  // a file could not be written to under some of them
  std::string none = "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ";  // of what this process has inherited
  std::string command =
      "(" + none + "ulimit " + limit + "; " + mcmini + " -q " + program("ab_ba") + " || echo code $?)";
  return shell(directory.path(), command + " 2>&1 | cat").out;
}

TEST_CASE("a few open files are enough", "[surroundings]") {
  for (const char* limit : {"-n 32", "-n 256", "-n 505"})
    CHECK_THAT(limited(limit), Contains("verdict=deadlock bugs=1 traces=3 ") && Contains("code 1\n"));
}

TEST_CASE("a limit of the system that is too low is named", "[surroundings]") {
  for (const char* limit : {"-n 4", "-n 5", "-n 8", "-v 50000", "-f 0"}) {
    std::string option = std::string(limit).substr(0, 2);
    CHECK_THAT(limited(limit),
               Contains("mcmini: cannot ") && Contains("(ulimit " + option + ")") && Contains("code 4\n"));
  }
}

// The pipe has something in it before mcmini looks.
TEST_CASE("standard input without an end is not waited for longer than the user likes", "[surroundings]") {
  ScratchDirectory directory;
  std::string slow = "(while echo y; do sleep 0.02; done) | ";
  std::string mcmini = (fs::path(MCMINI_BINARY_DIR) / "bin/mcmini").string() + " ";
  ShellOutcome timed =
      shell(directory.path(), slow + "(sleep 0.3; " + mcmini + "-q --time 500ms " + program("counter") + ")");
  CHECK_THAT(timed.out, Contains("traces=0 ") && Contains("complete=no"));
  ShellOutcome stopped =
      shell(directory.path(), slow + "(exec 3<&0; sleep 0.3; " + mcmini + program("counter") +
                                  " <&3 & sleep 1; kill -TERM $!; wait $! || echo code $?)");
  INFO(stopped.out);
  CHECK_THAT(stopped.out, Contains("No bug in 0 runs, interrupted after ") && Contains(" traces=0 ") &&
                              Contains(" complete=no ") && Contains(" exit=130\n") && Contains("code 130"));
}

// The program itself writes into the pipe.
TEST_CASE("standard input that comes during the check is told to come too late", "[surroundings]") {
  ScratchDirectory directory;
  directory.write("line", "late\n");
  std::string mcmini = (fs::path(MCMINI_BINARY_DIR) / "bin/mcmini").string();
  ShellOutcome outcome = shell(
      directory.path(), "mkfifo pipe; exec 3<>pipe; " + mcmini + " /bin/cp line pipe <&3 || echo code $?");
  INFO(outcome.out);
  CHECK_THAT(outcome.out,
             Contains("standard input came too late") && Contains("complete=no") && Contains("code 3"));
}

TEST_CASE("standard input that is too much is told with the remedy", "[surroundings]") {
  ScratchDirectory directory;
  std::string mcmini = (fs::path(MCMINI_BINARY_DIR) / "bin/mcmini").string();
  ShellOutcome outcome = shell(directory.path(), "yes | " + mcmini + " -q " + program("counter"));
  INFO(outcome.out);
  CHECK(outcome.exitCode == 4);
  CHECK_THAT(outcome.out,
             Contains("more than 256 MiB") && Contains("</dev/null") && Contains("--stdin FILE"));
}

}  // namespace
}  // namespace mcmini
