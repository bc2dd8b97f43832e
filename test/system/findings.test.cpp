#include <catch2/catch.hpp>

#include "test/support/expected.hpp"
#include "test/support/none.hpp"
#include "test/support/stored.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

/// The first line of the report that begins with the title.
std::string headline(const Outcome& outcome, const std::string& title) {
  std::size_t at = outcome.out.find(title);
  return at == std::string::npos ? outcome.everything()
                                 : outcome.out.substr(at, outcome.out.find('\n', at) - at);
}

/// Only one thread does anything.
void expectCrash(const std::string& kind, const std::string& signal, const std::string& place) {
  for (const std::string& variant : variants("crashes")) {
    INFO(variant << " " << kind);
    Outcome outcome = check({program("crashes", variant), kind});
    compare(outcome, {"crash", 1});
    CHECK_THAT(headline(outcome, "CRASH"), Contains("crash#1 crashed with " + signal));
    CHECK_THAT(headline(outcome, "CRASH"), Contains(" at " + place));
  }
}

TEST_CASE("a crash is reported with its signal and the line of the program", "[findings]") {
  expectCrash("write_to_null", "SIGSEGV", marked("crashes.c", "write_to_null"));
  expectCrash("call_abort", "SIGABRT", marked("crashes.c", "call_abort"));
  expectCrash("divide", "SIGFPE", marked("crashes.c", "divide"));
  expectCrash("trap", "SIGTRAP", marked("crashes.c", "trap"));
}

TEST_CASE("crashes are told apart where processes must not read each other's memory", "[findings]") {
  Outcome outcome = expect({"no_readv"}, {"crash", 2});
  CHECK_THAT(outcome.out, Contains("measure#1 crashed with SIGSEGV") && Contains("at no_readv.c:") &&
                              Contains("measure_twice#1 crashed"));
}

TEST_CASE("a crash within the C library is reported at the line of the program that called it",
          "[findings]") {
  expectCrash("free_twice", "SIGABRT", marked("crashes.c", "free_twice"));
  expectCrash("free_global", "SIGABRT", marked("crashes.c", "free_global"));
  expectCrash("strlen_of_null", "SIGSEGV", marked("crashes.c", "strlen_of_null"));
  expectCrash("copy_to_null", "SIGSEGV", marked("crashes.c", "copy_to_null"));
}

TEST_CASE("a call through a null pointer is reported at the line of the call", "[findings]") {
  expectCrash("call_null", "SIGSEGV", marked("crashes.c", "call_null"));
}

TEST_CASE("what the C library said about a crash is shown", "[findings]") {
  CHECK_THAT(check({program("crashes"), "free_twice"}).out, Contains("| free(): double free"));
  CHECK_THAT(check({program("crashes"), "free_global"}).out, Contains("| free(): invalid pointer"));
}

TEST_CASE("a stack that overflows is a crash in the function that recurs, in a thread and in main",
          "[findings]") {
  for (const std::string& variant : variants("crashes")) {
    for (const std::vector<std::string>& where : {std::vector<std::string>{}, {"in main"}}) {
      std::vector<std::string> words = {program("crashes", variant), "overflow_stack"};
      words.insert(words.end(), where.begin(), where.end());
      Outcome outcome = check(words);
      INFO(variant << "\n" << outcome.everything());
      compare(outcome, {"crash", 1});
      CHECK_THAT(headline(outcome, "CRASH"), Contains(where.empty() ? "crash#1 crashed" : "main crashed"));
      CHECK_THAT(outcome.out, Contains("in overflow at " + marked("crashes.c", "overflow")));
    }
  }
}

TEST_CASE("a signal that no handler sees is reported without a line", "[findings]") {
  Outcome outcome = expect({"crashes", "kill_oneself"}, {"crash", 1});
  CHECK_THAT(headline(outcome, "CRASH"), Contains("crash#1 was ended by SIGKILL"));
}

TEST_CASE("an exception that nobody catches is reported at the line that throws it, and with its text",
          "[findings]") {
  for (const std::string& variant : variants("throws"))
    for (const std::string where : {"thread#1", "main"}) {
      std::vector<std::string> words = {program("throws", variant)};
      if (where == "main") words.emplace_back("main");
      Outcome outcome = check(words);
      INFO(variant << "\n" << outcome.everything());
      compare(outcome, {"crash", 1});
      CHECK_THAT(headline(outcome, "CRASH"), Contains(where + " crashed with SIGABRT"));
      CHECK_THAT(headline(outcome, "CRASH"), Contains(" at " + marked("throws.cpp", "parse")));
      CHECK_THAT(outcome.out, Contains("std::invalid_argument"));
      CHECK_THAT(outcome.out, Contains("no such number"));
    }
}

TEST_CASE("every way to end with a status other than zero is found, with the line", "[findings]") {
  for (const auto& [how, step] :
       {std::pair("return", "returns from main: 3"), std::pair("exit", "exit(3)"),
        std::pair("_exit", "_exit(3)"), std::pair("quick_exit", "quick_exit(3)"),
        std::pair("handler", "_exit(3)"), std::pair("exit_group", "_exit(3)"), std::pair("err", "exit(3)"),
        std::pair("errx", "exit(3)"), std::pair("error", "exit(3)"), std::pair("error_at_line", "exit(3)")}) {
    Outcome outcome = expect({"ends", how}, {"exit", 1});
    INFO(how << "\n" << outcome.everything());
    CHECK_THAT(headline(outcome, "EXIT"), Contains("status 3"));
    CHECK_THAT(outcome.out, Contains(step));
  }
}

// Either of the two is the first to end it.
TEST_CASE("a thread that ends the process does so before or after any step of others", "[findings]") {
  for (const char* how : {"exit", "_exit", "quick_exit", "exit_group", "err", "errx"}) {
    Outcome outcome = expect({"ends", how, "both"}, {"assertion", 1, 2});
    INFO(how << "\n" << outcome.everything());
    CHECK_THAT(headline(outcome, "ASSERTION"), Contains("reached"));
  }
}

// Main comes first, or the other one; where that is main, the other one comes to its end before main's or
// not.
TEST_CASE("who comes first to the end of the process runs the handlers", "[findings]") {
  for (const char* how : {"return", "exit", "quick_exit"}) {
    INFO(how);
    for (const char* search : {"optimal", "dpor", "naive"})
      for (const std::string& variant : variants("ends")) {
        Outcome outcome = check({"--search", search, program("ends", variant), how, "main"});
        CHECK(outcome["verdict"] == (how == std::string("return") ? "ok" : "assertion"));
        CHECK(outcome["complete"] == "yes");
      }
  }
}

// The thread is at its lock before main takes its own, or after it.
TEST_CASE("threads may use what main had on its stack until the process ends", "[findings]") {
  for (const char* locks : {"1", "2", "8", "100"}) {
    Outcome outcome = expect({"ended_main", locks}, {.traces = 2});
    CHECK_THAT(outcome.err, Contains("warning"));
  }
}

TEST_CASE("main may end by pthread_exit before the other threads", "[findings]") {
  expect({"ends", "pthread_exit"}, {});
}

TEST_CASE("a deadlock is told by who holds what, who waits for whom, and the cycle", "[findings]") {
  Outcome outcome = check({program("ab_ba")});
  CHECK_THAT(outcome.out, Contains("save#1   holds checking (ab_ba.c:12)   "
                                   "wants savings (ab_ba.c:13), held by spend#1"));
  CHECK_THAT(outcome.out, Contains("spend#1  holds savings (ab_ba.c:22)    "
                                   "wants checking (ab_ba.c:23), held by save#1"));
  CHECK_THAT(outcome.out, Contains("Cycle   save#1 -> spend#1 -> save#1"));
}

TEST_CASE("a thread that locks a mutex twice waits for itself", "[findings]") {
  Outcome outcome = expect({"leftovers", "self_deadlock"}, deadlockIn(1));
  CHECK_THAT(outcome.out, Contains("Cycle   take_twice#1 -> take_twice#1"));
}

TEST_CASE("a thread that takes a lock to its end is told", "[findings]") {
  expectMisuse("leftovers", "forgotten", "keep#1 ends while it holds lock");
}

TEST_CASE("threads that wait when the process ends are a warning and no bug", "[findings]") {
  Outcome outcome = expect({"leftovers", "left_waiting"}, {});
  CHECK_THAT(outcome.err, Contains("warning") && Contains("take#1") && Contains("pthread_mutex_lock(lock)"));
}

TEST_CASE("a bug of a detached thread is found even if main returns at once", "[findings]") {
  Outcome outcome = expect({"leftovers", "late_assertion"}, {"assertion", 1});
  CHECK_THAT(headline(outcome, "ASSERTION"), Contains("the thread was to be gone by now"));
}

TEST_CASE("a failed assertion is told with its text, thread and line", "[findings]") {
  Outcome outcome = check({program("lost_update")});
  CHECK_THAT(headline(outcome, "ASSERTION"), Contains("buy#1: balance >= 0") && Contains("lost_update.c:17"));
}

TEST_CASE("a thread that spins is stuck, and its line is told", "[findings]") {
  Outcome outcome = expect({"busy_wait"}, {"stuck", 1, 2, "no"}, {"--step-timeout", "300ms"});
  CHECK_THAT(headline(outcome, "STUCK"), Contains("await#1") && Contains("busy_wait.c:12"));
}

TEST_CASE("unlocking another thread's mutex is misuse", "[findings]") {
  Outcome outcome = expect({"unlock_of_another"}, {"misuse", 1});
  CHECK_THAT(headline(outcome, "MISUSE"),
             Contains("open_door#1 unlocks door, which main") && Contains(":10"));
}

TEST_CASE("the output of the program is shown for the failing run only", "[findings]") {
  Outcome failing = check({program("missed_job")});
  CHECK_THAT(failing.out, Contains("| 0 of 1 jobs done"));
  CHECK_THAT(failing.out, !Contains("| 1 of 1"));
  Outcome correct = check({program("printing")});
  CHECK_THAT(correct.everything(), !Contains("thread 1 begins"));
}

// Three pairs of threads with three behaviours each: 3 * 3 * 3.
TEST_CASE("bugs that have nothing to do with one another are all found, each once", "[findings]") {
  Outcome outcome = expect({"several_bugs"}, {"deadlock", 3, 27});
  CHECK_THAT(outcome.out, Contains("apples == 1") && Contains("pears == 1") && Contains("Cycle   forth#1"));
}

// The others take two locks in opposite order.
void expectCrashAndDeadlock(const std::string& whoCrashes) {
  Outcome outcome = expect({"always_crashes", whoCrashes}, {"crash", 2, 3});
  CHECK_THAT(outcome.out, Contains(marked("always_crashes.c", "crash")));
  CHECK_THAT(outcome.out, Contains("Cycle   "));
}

TEST_CASE("a thread that crashes in every run does not hide the deadlock of others", "[findings]") {
  expectCrashAndDeadlock("first");
}

TEST_CASE("nor does one that is created after them", "[findings]") {
  expectCrashAndDeadlock("last");
}

TEST_CASE("nor does main when it has created them", "[findings]") {
  expectCrashAndDeadlock("main");
}

TEST_CASE("a thread that crashes within printf does not keep others from printing", "[findings]") {
  Outcome outcome = expect({"crash_in_printf"}, {"crash", 1, 2});
  CHECK_THAT(headline(outcome, "CRASH"), Contains("print_nonsense#1"));
}

TEST_CASE("a report without a finding is two lines", "[findings][stored]") {
  stored("ok", check({program("counter"), "3"}).out);
}

TEST_CASE("a quiet report is the RESULT line and nothing else", "[findings][stored]") {
  stored("quiet", check({"-q", program("ab_ba")}).out);
  CHECK(check({"-q", program("leftovers"), "left_waiting"}).err == kNone);
}

}  // namespace
}  // namespace mcmini
