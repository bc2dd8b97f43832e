#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

#include "test/support/expected.hpp"
#include "test/support/none.hpp"
#include "test/support/stored.hpp"

// A policy of the user's own, built as its author would, serves every kind of queue.

namespace mcmini {
namespace {

using Catch::Contains;

/// The plugin that policies/README.md shows.
std::string shownSource() {
  std::ifstream in(MCMINI_SOURCE_DIR "/policies/README.md");
  std::string text(std::istreambuf_iterator<char>(in), {});
  std::size_t from = text.find("```cpp\n") + 7;
  return text.substr(from, text.find("```", from) - from);
}

/// Lets nobody go.
const std::string kNever =
    "#include \"plugins/plugin.hpp\"\n"
    "struct Never : mcmini::WakeupPolicy {\n"
    "  void grantOne(mcmini::WaitQueue&) const override {}\n"
    "  std::string describe() const override { return \"nobody is ever woken\"; }\n"
    "};\n"
    "MCMINI_PLUGIN(\"never\", catalog) { catalog.addPolicy<Never>(\"never\"); }\n";

/// Builds NAME.so in the directory and returns settings to run mcmini there.
Settings with(const ScratchDirectory& directory, const std::string& name, const std::string& source) {
  buildPlugin(directory, name, directory.write(name + ".cpp", source));
  Settings settings;
  settings.directory = directory.path();
  return settings;
}

void expectUnder(const std::string& policy, std::vector<std::string> command, const Expected& expected,
                 const Settings& settings) {
  command.front() = program(command.front());
  command.insert(command.begin(), {"--policy", policy});
  INFO(policy);
  compare(check(command, settings), expected);
}

TEST_CASE("the policy that policies/README.md shows can be built and wakes in its own order", "[policies]") {
  ScratchDirectory directory;
  Settings settings = with(directory, "eldest", shownSource());
  expectUnder("./eldest.so", {"roll_call"}, {.traces = 4'896}, settings);
  expectUnder("cond=./eldest.so", {"roll_call"}, {.traces = 24}, settings);
  expectUnder("arbitrary", {"roll_call"}, {"assertion", 1, 96}, settings);
  expectUnder("fifo", {"roll_call"}, {"assertion", 1, 140}, settings);
  expectUnder("lifo", {"roll_call"}, {"assertion", 1, 1'960}, settings);
  expectUnder("spurious", {"roll_call"}, {"assertion", 1, 2'040}, settings);
  expectUnder("mutex=./eldest.so", {"roll_call"}, {"assertion", 1, 9'792}, settings);
}

TEST_CASE("a policy of one's own finds no bugs where there are none", "[policies]") {
  ScratchDirectory directory;
  Settings settings = with(directory, "eldest", shownSource());
  expectUnder("mutex=./eldest.so", {"counter", "3"}, {.traces = 30}, settings);
  expectUnder("sem=./eldest.so", {"philosophers_semaphore", "3"}, {.traces = 438}, settings);
  expectUnder("rwlock=./eldest.so", {"rwlock_ways", "writers"}, {.traces = 6}, settings);
  expectUnder("cond=./eldest.so", {"producer_consumer", "2"}, {.traces = 56}, settings);
  expectUnder("./eldest.so", {"if_instead_of_while", "2"}, {.traces = 158}, settings);
}

// Each of these programs waits at queues of one kind only, apart from joins.
TEST_CASE("locks, semaphores and condition variables ask a policy of one's own", "[policies]") {
  ScratchDirectory directory;
  Settings settings = with(directory, "never", kNever);
  expectUnder("mutex=./never.so", {"counter", "2"}, deadlockIn(2), settings);
  expectUnder("sem=./never.so", {"semaphore_ways", "mutex"}, deadlockIn(6), settings);
  expectUnder("rwlock=./never.so", {"rwlock_ways", "writers"}, deadlockIn(2), settings);
  expectUnder("cond=./never.so", {"cond_ways", "handover"}, deadlockIn(2), settings);
  expectUnder("sem=./never.so", {"counter", "2"}, {.traces = 2}, settings);
}

TEST_CASE("a file may be named for several kinds of queues, and as a plugin besides", "[policies]") {
  ScratchDirectory directory;
  Settings settings = with(directory, "eldest", shownSource());
  std::string file = (directory / "eldest.so").string();
  expectUnder("mutex=./eldest.so,sem=" + file, {"counter", "2"}, {.traces = 4}, settings);
  Outcome outcome =
      check({"--plugin", file, "--policy", "eldest", "--policy", "cond=./eldest.so", program("counter"), "2"},
            settings);
  compare(outcome, {.traces = 4});
}

void expectRefusal(const std::vector<std::string>& words, const std::vector<std::string>& sentences,
                   const Settings& settings = {}) {
  Outcome outcome = check(words, settings);
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 2);
  CHECK(outcome.out == kNone);
  for (const std::string& sentence : sentences) CHECK_THAT(outcome.err, Contains(sentence));
}

TEST_CASE("a policy that is not known is refused with those that are", "[policies]") {
  const std::string known = "there are arbitrary, fifo, lifo, spurious, or the path of a policy plugin (";
  expectRefusal({"--policy", "fife", program("counter")}, {"'fife'", known + "./fife.so)"});
  expectRefusal({"--policy", "cond=fifo,sem=lilo", program("counter")}, {"'lilo'", known});
  expectRefusal({"--policy", "mine.so", program("counter")}, {"'mine.so'", known + "./mine.so)"});
  expectRefusal({"--policy", "queue=fifo", program("counter")}, {"'queue' is no kind of wait queue"});
  expectRefusal({"--policy", "./nowhere.so", program("counter")}, {"./nowhere.so: there is no such plugin"});
}

TEST_CASE("a plugin without a policy is no policy", "[policies]") {
  ScratchDirectory directory;
  Settings settings =
      with(directory, "none",
           "#include \"plugins/plugin.hpp\"\nMCMINI_PLUGIN(\"none\", catalog) { (void)catalog; }\n");
  expectRefusal({"--policy", "./none.so", program("counter")}, {"./none.so", "defines no wakeup policy"},
                settings);
}

TEST_CASE("a plugin with another one's name is refused", "[policies]") {
  ScratchDirectory directory;
  Settings settings =
      with(directory, "fifo2",
           "#include \"plugins/plugin.hpp\"\nMCMINI_PLUGIN(\"fifo\", catalog) { (void)catalog; }\n");
  expectRefusal({"--policy", "./fifo2.so", program("counter")},
                {"./fifo2.so: there is already a plugin named 'fifo'", "policies/fifo.so"}, settings);
}

TEST_CASE("the list of plugins has names, files and a line for each", "[plugins]") {
  Outcome outcome = check({"plugin", "list"});
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 0);
  CHECK(outcome.err == kNone);
  std::string out = masked(outcome.out);
  CHECK_THAT(out, Contains("  arbitrary  any waiting thread may be woken (default)\n"
                           "             arbitrary.so\n"
                           "  fifo       who has waited longest is woken first\n"
                           "             fifo.so\n"));
  CHECK_THAT(out, Contains("spin.destroy, spin.init, spin.lock, spin.trylock, spin.unlock\n"));
  for (const char* folder : {"policies", "transitions"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(MCMINI_BINARY_DIR "/lib/mcmini/") + folder))
      CHECK_THAT(outcome.out, Contains(" " + entry.path().string() + "\n"));
}

TEST_CASE("the list of plugins includes those that the user names", "[plugins]") {
  ScratchDirectory directory;
  Settings settings = with(directory, "never", kNever);
  for (const auto& words : {std::vector<std::string>{"plugin", "list", "./never.so"},
                            std::vector<std::string>{"plugin", "list", "--plugin", "./never.so"},
                            std::vector<std::string>{"plugin", "list", "--policy", "./never.so"}}) {
    Outcome outcome = check(words, settings);
    INFO(outcome.everything());
    CHECK(outcome.exitCode == 0);
    CHECK_THAT(outcome.out, Contains("never") && Contains("nobody is ever woken") && Contains("./never.so"));
  }
}

TEST_CASE("what cannot be listed is told", "[plugins]") {
  expectRefusal({"plugin"}, {"what about plugins? There is: mcmini plugin list"});
  expectRefusal({"plugin", "lsit"}, {"mcmini plugin cannot 'lsit'. There is: mcmini plugin list"});
  expectRefusal({"plugin", "list", "./nowhere.so"}, {"./nowhere.so: there is no such plugin file"});
  expectRefusal({"plugin", "list", program("counter")}, {"is not a plugin"});
}

}  // namespace
}  // namespace mcmini
