#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "test/support/checker.hpp"
#include "test/support/none.hpp"

// mcmini plugin check: what is wrong is found, and said so that its author knows where to look.

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

Outcome checkPlugin(const std::string& plugin) {
  return check({"plugin", "check", plugin});
}

std::string wrongPlugin(const std::string& name) {
  return MCMINI_BINARY_DIR "/test/wrong_plugins/" + name + ".so";
}

/// A plugin of test/system/wrong_plugins, and what is said of it.
struct Wrong {
  std::string name;
  std::vector<std::string> sentences;
};

void expectBroken(const Wrong& wrong) {
  Outcome outcome = checkPlugin(wrongPlugin(wrong.name));
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 1);
  CHECK(outcome.err == kNone);
  CHECK_THAT(outcome.out, Contains("BROKEN  " + wrong.sentences.front()));
  for (const std::string& sentence : wrong.sentences) CHECK_THAT(outcome.out, Contains(sentence));
}

TEST_CASE("a wrong answer about two operations is refuted by a state", "[plugin_check]") {
  expectBroken({"order_matters",
                {"gate.open and gate.shut are said to be independent, but their order matters.",
                 "T1 gate.open(a), then T2 gate.shut(a): T1 gets 0, T2 gets 0; a: shut",
                 "T2 gate.shut(a), then T1 gate.open(a): T2 gets 0, T1 gets 0; a: open",
                 "Look at WrongOpen::dependentWith, order_matters.cpp:8.",
                 "Look at WrongShut::dependentWith, order_matters.cpp:12.", ": 1 law is broken."}});
  expectBroken({"enables",
                {"gate.open and gate.pass are said to be independent, but their order matters.",
                 "T2 gate.pass(a) has to wait here, but not after T1 gate.open(a)",
                 "Look at WrongPass::dependentWith, enables.cpp:12.", ": 1 law is broken."}});
  expectBroken({"never_together",
                {"gate.pass says that it is never enabled together with gate.open, but here both are.",
                 "After T1 gate.open(a):", "T2 gate.pass(a) and T1 gate.open(a) are enabled; a: open",
                 "Look at Wrong::coenabledWith, never_together.cpp:8.", ": 1 law is broken."}});
  expectBroken({"one_side_only",
                {"gate.shut says that it is never enabled together with gate.shut, but here both are.",
                 "Look at WrongShut::coenabledWith, one_side_only.cpp:8.", ": 1 law is broken."}});
}

TEST_CASE("an operation that does not repeat itself is found", "[plugin_check]") {
  expectBroken({"cannot_decide",
                {"gate.pass cannot decide whether it depends on gate.open.",
                 "asked twice, dependentWith says no and then yes",
                 "Look at Wrong::dependentWith, cannot_decide.cpp:9."}});
  expectBroken({"moody",
                {"gate.pass cannot decide whether it is enabled.", "Look at Wrong::ready, moody.cpp:9.",
                 ": 1 law is broken."}});
  expectBroken({"never_the_same",
                {"gate.pass does not repeat itself.", "After T1 gate.open(a):", "the same once more: T1 gets",
                 "Look at Wrong::act, never_the_same.cpp:9.", ": 1 law is broken."}});
  expectBroken({"changes_when_asked",
                {"gate.pass cannot decide whether it is enabled.",
                 "After T1 gate.open(a):", "Look at Wrong::ready, changes_when_asked.cpp:"}});
  expectBroken({"counts_questions",
                {"gate.pass changes the state when it is only asked.", "after enabled there is",
                 "Look at Wrong::ready, counts_questions.cpp:", ": 1 law is broken."}});
  expectBroken({"remembers",
                {"gate.pass remembers what is no longer true.", "After T1 gate.open(a):",
                 "T2 gate.pass(a) (called a step earlier) does something else than if it is called now",
                 "Look at Wrong::ready, remembers.cpp:7.", ": 1 law is broken."}});
}

TEST_CASE("a state that cannot be copied or compared is found", "[plugin_check]") {
  expectBroken({"copy_differs",
                {"a copy of a state is not equal to its original.", "a: 1 knocks; its copy: 0 knocks",
                 "members of Door, near copy_differs.cpp:11.", ": 1 law is broken."}});
  expectBroken({"never_equal",
                {"a copy of a state is not equal to its original.", "a: open; its copy: open",
                 "members of Door, near never_equal.cpp:12.", ": 1 law is broken."}});
  expectBroken({"shared_with_copy",
                {"a copy of a state shares something with its original.",
                 "T1 gate.knock(a) was done to a copy, and the original has become a: 2 knocks",
                 ": 1 law is broken."}});
  expectBroken({"equal_but_different",
                {"two states are equal that are not the same.", "but T1 gate.enter(a) is possible in one",
                 "Look at operator== and the members of Door, near equal_but_different.cpp:10.",
                 ": 1 law is broken."}});
}

TEST_CASE("an operation that uses an object without listing it is found", "[plugin_check]") {
  expectBroken({"writes_unlisted",
                {"gate.both changes an object that it does not list.", "T1 gate.both(a) changes b: b: open",
                 "Look at Wrong::apply, writes_unlisted.cpp:9.", ": 1 law is broken."}});
  expectBroken({"reads_unlisted",
                {"gate.look uses an object that it does not list: its order with gate.open matters.",
                 "T2 gate.open(b), then T1 gate.look(a): T2 gets 0, T1 gets 1",
                 "Look at Wrong::apply, reads_unlisted.cpp:9."}});
}

TEST_CASE("what an operation tells for reports is checked, too", "[plugin_check]") {
  expectBroken({"blames_another",
                {"gate.pass waits for other threads than it says.",
                 "T1 gate.pass(a) waits for T1, as it says, but may go on after T2 gate.open(a)",
                 "Look at Wrong::blockedBy, blames_another.cpp:7.", ": 1 law is broken."}});
  expectBroken({"silent",
                {"gate.pass does not describe itself.", "Look at Wrong::describe, silent.cpp:7.",
                 ": 1 law is broken."}});
}

TEST_CASE("a plugin that breaks down does not take the check along", "[plugin_check]") {
  expectBroken({"throws",
                {"gate.pass throws an exception in apply.", "it says: vector::_M_range_check",
                 "Look at Wrong::act, throws.cpp:7.", ": 1 law is broken."}});
  expectBroken({"crashes",
                {"gate.pass crashes (SIGSEGV) in apply.\n        Look at Wrong::act, crashes.cpp:7.",
                 "crashes: the check ended there."}});
  expectBroken({"exits",
                {"gate.pass ends the process (status 0) in apply.\n        Look at Wrong::act, exits.cpp:7.",
                 "exits: the check ended there."}});
  expectBroken(
      {"endless",
       {"gate.pass does not come back within 5 s in enabled.\n        Look at Wrong::ready, endless.cpp:7.",
        "endless: the check ended there."}});
}

TEST_CASE("every wrong plugin has its sentence", "[plugin_check]") {
  std::ifstream file(__FILE__);
  std::string tests(std::istreambuf_iterator<char>(file), {});
  for (const auto& entry : fs::directory_iterator(MCMINI_SOURCE_DIR "/test/system/wrong_plugins"))
    if (entry.path().extension() == ".cpp")
      CHECK_THAT(tests, Contains("\"" + entry.path().stem().string() + "\""));
}

TEST_CASE("the built-in and the ready plugins pass", "[plugin_check]") {
  for (const char* name : {"annotate",
                           "memory",
                           "mutex",
                           "cond",
                           "semaphore",
                           "rwlock",
                           "barrier",
                           "spin",
                           "once",
                           "thread",
                           "futex",
                           "time",
                           "process",
                           "two_writers",
                           "readers_first",
                           "writers_first",
                           "binary_semaphore",
                           "event",
                           "latch",
                           "channel"}) {
    Outcome outcome = checkPlugin(name);
    INFO(outcome.everything());
    CHECK(outcome.exitCode == 0);
    CHECK_THAT(outcome.out, Contains(std::string(name) + ": ") && Contains(": all laws hold.\n"));
  }
}

TEST_CASE("the wakeup policies pass", "[plugin_check]") {
  for (const char* name : {"arbitrary", "fifo", "lifo", "spurious"}) {
    Outcome outcome = checkPlugin(name);
    INFO(outcome.everything());
    CHECK(outcome.exitCode == 0);
    CHECK(outcome.out == std::string(name) + ": a wakeup policy, 3 threads, 19,530 steps: all laws hold.\n");
  }
}

TEST_CASE("a wrong policy is found", "[plugin_check]") {
  expectBroken({"generous",
                {"generous does not let exactly one more thread go at a signal.",
                 "After T1 begins to wait, T2 begins to wait, a signal:", "these may leave: T1, T2",
                 "Look at Generous::grantOne, generous.cpp:9.", ": 1 law is broken."}});
  expectBroken({"overtakes",
                {"overtakes lets a thread overtake another, though it says that none does.",
                 "After T1 begins to wait, T2 begins to wait, a signal:", "these may leave: T2",
                 "Look at Overtakes::overtakes, overtakes.cpp:", ": 1 law is broken."}});
}

TEST_CASE("what was looked at is said, and what would be faster", "[plugin_check]") {
  Outcome events = checkPlugin("event");
  CHECK(events.out == "event: 3 operations, 2 and 3 threads, 168 states: all laws hold.\n");
  Outcome spin = checkPlugin("spin");
  CHECK_THAT(spin.out,
             Contains("Tip     dependentWith may say no for two threads' spin.init: their order never "
                      "mattered here.\n"));
  CHECK(check({"plugin", "check", "-q", "spin"}).out.starts_with("spin: 5 operations"));
}

TEST_CASE("a plugin that cannot be checked is told why", "[plugin_check]") {
  ScratchDirectory directory;
  auto expectRefusal = [](const std::vector<std::string>& words, const std::string& sentence) {
    Outcome outcome = check(words);
    INFO(outcome.everything());
    CHECK(outcome.exitCode == 2);
    CHECK_THAT(outcome.err, Contains(sentence));
  };
  expectRefusal({"plugin", "check"}, "which plugin? Usage: mcmini plugin check FILE.so");
  expectRefusal({"plugin", "check", "mutx"}, "there is no plugin 'mutx'; did you mean 'mutex'?");
  expectRefusal({"plugin", "check", "zzzzzzzz"}, "there is no plugin 'zzzzzzzz', and no such file");
  expectRefusal({"plugin", "check", "./gone.so"}, "./gone.so: there is no such plugin file");
  expectRefusal({"plugin", "check", "gate.cpp"}, "mcmini plugin build gate.cpp");
  expectRefusal({"plugin", "check", "/bin/true"}, "not a plugin");
}

}  // namespace
}  // namespace mcmini
