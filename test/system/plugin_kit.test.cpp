#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "test/support/expected.hpp"

// What a plugin's author does, out of the source tree, with an installed mcmini.

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

/// An installation, and a directory to work in.
class Workshop {
 public:
  Workshop() : prefix_(installInto(installed_)) {}

  const ScratchDirectory& directory() const { return directory_; }
  const fs::path& prefix() const { return prefix_; }

  /// Runs the installed mcmini there.
  Outcome mcmini(const std::vector<std::string>& words,
                 std::map<std::string, std::string> environment = {}) const {
    Settings settings;
    settings.prefix = prefix_;
    settings.directory = directory_.path();
    settings.environment = std::move(environment);
    settings.writes = true;
    settings.repeats = words.front() != "plugin";  // it does not overwrite what it has written
    return check(words, settings);
  }

  /// Runs commands there, with the installed mcmini in the path.
  ShellOutcome run(const std::string& commands) const {
    return shell(directory_.path(), "PATH='" + (prefix_ / "bin").string() + "':$PATH\n" + commands);
  }

 private:
  ScratchDirectory installed_;
  ScratchDirectory directory_;
  fs::path prefix_;
};

/// The commands that a text shows, indented by two blanks, from a line on and up to another.
std::string commandsIn(const std::string& text, const std::string& from, const std::string& to) {
  std::istringstream lines(text);
  std::string commands;
  bool within = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(from)) within = true;
    if (!to.empty() && line.starts_with(to)) within = false;
    if (within && line.starts_with("  ")) commands += line.substr(2) + "\n";
  }
  return commands;
}

TEST_CASE("a new plugin is built and run with the commands that mcmini shows", "[kit]") {
  Workshop workshop;
  Outcome shown = workshop.mcmini({"plugin", "new", "turnstile"});
  INFO(shown.everything());
  REQUIRE(shown.exitCode == 0);
  for (const auto& commands : {commandsIn(shown.out, "To build", "or, with CMake"),
                               "cd turnstile\n" + commandsIn(shown.out, "or, with CMake", "")}) {
    ShellOutcome outcome = workshop.run(commands);
    INFO(commands << outcome.out);
    CHECK(outcome.exitCode == 0);
    CHECK_THAT(outcome.out, Contains("RESULT verdict=ok bugs=0 traces=1 "));
  }
}

// A lock of somebody else's library, say, for which there is a plugin.
TEST_CASE("the functions of a plugin take the place of those that the program is linked with", "[kit]") {
  Workshop workshop;
  workshop.directory().write("native.c",
                             "#include <stdlib.h>\n"
                             "void turnstile_open(void* t) { abort(); }\n"
                             "void turnstile_shut(void* t) { abort(); }\n"
                             "void turnstile_pass(void* t) { abort(); }\n"
                             "int turnstile_is_open(void* t) { abort(); }\n");
  ShellOutcome outcome = workshop.run(
      "mcmini plugin new turnstile && mv native.c turnstile && cd turnstile\n"
      "mcmini plugin build turnstile.cpp\n"
      "cc -shared -fPIC native.c -o libnative.so\n"
      "cc -g turnstile_demo.c -L. -lnative -Wl,-rpath,. -pthread -o turnstile_demo\n"
      "mcmini --plugin ./turnstile.so ./turnstile_demo\n");
  INFO(outcome.out);
  CHECK_THAT(outcome.out, Contains("RESULT verdict=ok bugs=0 traces=1 "));
}

// Each of two visitors comes in time, or too late: 2 * 2.
TEST_CASE("the operations of a new plugin are reported as the program calls them", "[kit]") {
  Workshop workshop;
  REQUIRE(workshop.mcmini({"plugin", "new", "turnstile"}).exitCode == 0);
  REQUIRE(workshop
              .run("cd turnstile; mcmini plugin build turnstile.cpp\n"
                   "cc -g turnstile_demo.c -L. -lturnstile -Wl,-rpath,. -pthread -o turnstile_demo\n"
                   "cp turnstile.so libturnstile.so turnstile_demo ..")
              .exitCode == 0);
  Outcome outcome = workshop.mcmini({"--plugin", "./turnstile.so", "./turnstile_demo", "shut"});
  compare(outcome, {"deadlock", 2, 4});
  CHECK_THAT(outcome.out, Contains("waits in turnstile_pass(turnstile) (turnstile_demo.c:9)"));
  CHECK_THAT(outcome.out, Contains("turnstile_shut(turnstile)"));
}

// The kinds of functions that a target half may have.
const std::string kWays =
    "#include <mcmini/plugin.hpp>\n"
    "using namespace mcmini;\n"
    "namespace {\n"
    "struct Box : Object<Box> {\n"
    "  static constexpr std::string_view kKind = \"box\";\n"
    "  std::int64_t value = 0;\n"
    "  std::vector<ThreadId> queue;\n"
    "  bool operator==(const Box&) const = default;\n"
    "  std::string describe(const Names&) const override { return std::to_string(value); }\n"
    "};\n"
    "struct Put : OperationOn<Box> {\n"
    "  using OperationOn::OperationOn;\n"
    "  Result act(Box& box) const override { box.value = static_cast<std::int64_t>(argument(0) * "
    "argument(1)); return 0; }\n"
    "};\n"
    "struct Get : OperationOn<Box> {\n"
    "  using OperationOn::OperationOn;\n"
    "  Result act(Box& box) const override { return box.value; }\n"
    "  bool failed(Result) const override { return false; }\n"
    "};\n"
    "struct Join : OperationOn<Box> {\n"
    "  using OperationOn::OperationOn;\n"
    "  Result act(Box& box) const override { box.queue.push_back(thread()); return 0; }\n"
    "};\n"
    "struct Leave : OperationOn<Box> {\n"
    "  using OperationOn::OperationOn;\n"
    "  bool ready(const Box& box) const override { return box.queue.front() == thread(); }\n"
    "  Result act(Box& box) const override { box.queue.erase(box.queue.begin()); return 0; }\n"
    "};\n"
    "}\n"
    "MCMINI_PLUGIN(\"box\", catalog) {\n"
    "  catalog.add<Put>(\"box.put\");\n"
    "  catalog.add<Get>(\"box.get\");\n"
    "  catalog.add<Join>(\"box.join\");\n"
    "  catalog.add<Leave>(\"box.leave\");\n"
    "}\n"
    "extern \"C\" void box_put(long* box, int a, unsigned char b) {\n"
    "  if (!controlled()) *box = a * b; else announce(\"box.put\", box, a, b);\n"
    "}\n"
    "extern \"C\" long box_get(long* box) { return controlled() ? announce(\"box.get\", box) : *box; }\n"
    "extern \"C\" void box_queue(long* box) { announce(\"box.join\", box); announce(\"box.leave\", box); }\n";

const std::string kUser =
    "#include <assert.h>\n"
    "#include <pthread.h>\n"
    "#include <stdio.h>\n"
    "void box_put(long*, int, unsigned char);\n"
    "long box_get(long*);\n"
    "void box_queue(long*);\n"
    "long box;\n"
    "int places[2];\n"
    "int next;\n"
    "void* thread(void* number) {\n"
    "  box_queue(&box);\n"
    "  return number;\n"
    "}\n"
    "int main(int argc, char** argv) {\n"
    "  box_put(&box, 1000000, 70);\n"
    "  assert(box_get(&box) == 70000000);\n"
    "  box_put(&box, -1, 3);\n"
    "  assert(box_get(&box) == -3);\n"
    "  printf(\"%ld\\n\", box);\n"
    "  if (argc == 1) return 0;\n"
    "  pthread_t threads[2];\n"
    "  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, thread, 0);\n"
    "  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);\n"
    "  return 0;\n"
    "}\n";

void buildWays(const Workshop& workshop) {
  workshop.directory().write("box.cpp", kWays);
  workshop.directory().write("user.c", kUser);
  ShellOutcome built = workshop.run(
      "mcmini plugin build box.cpp -Wextra -Werror\ncc -g user.c -L. -lbox -Wl,-rpath,. -pthread -o user");
  INFO(built.out);
  REQUIRE(built.exitCode == 0);
}

TEST_CASE("arguments go to the model, and results come from it", "[kit]") {
  Workshop workshop;
  buildWays(workshop);
  compare(workshop.mcmini({"--plugin", "./box.so", "./user"}), {});
}

// Who joins the queue first leaves it first, before the other one joins it or after that: 2 * 2.
TEST_CASE("a call may take several steps", "[kit]") {
  Workshop workshop;
  buildWays(workshop);
  compare(workshop.mcmini({"--plugin", "./box.so", "./user", "threads"}), {.traces = 4});
}

TEST_CASE("without the checker a function does what its author says, or tells that it cannot", "[kit]") {
  Workshop workshop;
  buildWays(workshop);
  ShellOutcome alone = workshop.run("./user");
  CHECK(alone.exitCode == 0);
  CHECK(alone.out == "-3\n");
  ShellOutcome lost = workshop.run("./user threads");
  CHECK(lost.exitCode == 2);
  CHECK_THAT(lost.out,
             Contains("box_queue exists only in a program that mcmini runs: mcmini --plugin FILE.so "
                      "PROGRAM\n") &&
                 Contains("'box.join'"));
}

TEST_CASE("nothing of the model gets into the program", "[kit]") {
  Workshop workshop;
  buildWays(workshop);
  ShellOutcome symbols = workshop.run("nm -D --defined-only libbox.so; readelf -d libbox.so");
  CHECK_THAT(symbols.out, Contains("box_put") && Contains("box_get") && Contains("box_queue"));
  CHECK_THAT(symbols.out, !Contains("_ZN") && !Contains("mcmini_plugin") && !Contains("libstdc++"));
  CHECK_THAT(workshop.run("nm -D --defined-only box.so").out, !Contains("box_put"));
}

TEST_CASE("an operation that no plugin models is named, with its place and the remedy", "[kit]") {
  Workshop workshop;
  buildWays(workshop);
  Outcome outcome = workshop.mcmini({"./user"});
  CHECK(outcome.exitCode == 2);
  CHECK_THAT(outcome.err, Contains("'box.put' (user.c:15)") && Contains("--plugin"));
}

void expectRefusal(const Outcome& outcome, int exitCode, const std::vector<std::string>& sentences) {
  INFO(outcome.everything());
  CHECK(outcome.exitCode == exitCode);
  for (const std::string& sentence : sentences) CHECK_THAT(outcome.err, Contains(sentence));
}

TEST_CASE("a plugin that cannot be built is told why", "[kit]") {
  Workshop workshop;
  workshop.directory().write("wrong.cpp", "#include <mcmini/plugin.hpp>\nint f() { return nothing; }\n");
  workshop.directory().write("none.cpp", "int nothing;\n");
  workshop.directory().write(
      "twin.cpp", "#include <mcmini/plugin.hpp>\nMCMINI_PLUGIN(\"mutex\", catalog) { (void)catalog; }\n");
  expectRefusal(workshop.mcmini({"plugin", "build"}), 2, {"which file?", "mcmini plugin build FILE.cpp"});
  expectRefusal(workshop.mcmini({"plugin", "build", "nowhere.cpp"}), 2,
                {"nowhere.cpp: there is no such file"});
  expectRefusal(workshop.mcmini({"plugin", "build", "wrong.cpp"}), 2,
                {"nothing", "mcmini: wrong.cpp cannot be compiled to ./wrong.so: c++ tells why"});
  expectRefusal(workshop.mcmini({"plugin", "build", "none.cpp"}), 2, {"./none.so", "MCMINI_PLUGIN"});
  expectRefusal(workshop.mcmini({"plugin", "build", "twin.cpp"}), 2,
                {"./twin.so: there is already a plugin named 'mutex'"});
  expectRefusal(workshop.mcmini({"plugin", "build", "none.cpp"}, {{"CXX", "no-such-compiler -O3"}}), 4,
                {"the compiler 'no-such-compiler' cannot be started", "CXX="});
  CHECK_FALSE(fs::exists(workshop.directory() / "wrong.so"));
}

std::string contentsOf(const fs::path& file) {
  std::ifstream in(file);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The blocks of a README that are marked as being in a language; "" for commands.
std::vector<std::string> blocks(const std::string& file, const std::string& language) {
  std::istringstream lines(contentsOf(fs::path(MCMINI_SOURCE_DIR) / file));
  std::vector<std::string> found;
  std::optional<std::string> current;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("```")) {
      if (current) *current += line + "\n";
    } else if (current) {
      if (current->starts_with(language + "\n")) found.push_back(current->substr(language.size() + 1));
      current.reset();
    } else {
      current = line.substr(3) + "\n";
    }
  }
  return found;
}

TEST_CASE("what plugins/README.md tells to do works", "[kit]") {
  Workshop workshop;
  auto commands = blocks("plugins/README.md", "");
  REQUIRE(commands.size() == 1);
  ShellOutcome outcome = workshop.run(commands[0]);
  INFO(outcome.out);
  CHECK(outcome.exitCode == 0);
  CHECK_THAT(outcome.out, Contains("RESULT verdict=ok") && Contains("turnstile: ") &&
                              Contains(" states: all laws hold.\n"));

  std::string source = contentsOf(workshop.directory() / "turnstile/turnstile.cpp");
  auto shown = blocks("plugins/README.md", "cpp");
  CHECK(shown.size() == 4);
  for (const std::string& block : shown) {
    std::istringstream lines(block);
    for (std::string line; std::getline(lines, line);) CHECK_THAT(source, Contains(line + "\n"));
  }
}

TEST_CASE("what plugins/README.md tells of CMake works, and so do the ready plugins there", "[kit]") {
  Workshop workshop;
  auto shown = blocks("plugins/README.md", "cmake");
  REQUIRE(shown.size() == 1);
  fs::copy_file(MCMINI_SOURCE_DIR "/examples/plugins/latch.c", workshop.directory() / "latch.c");
  workshop.directory().write(
      "ours.txt", "cmake_minimum_required(VERSION 3.16)\nproject(ours C CXX)\n" + shown[0] +
                      "add_executable(latch latch.c)\ntarget_link_libraries(latch mcmini::latch)\n");
  ShellOutcome outcome = workshop.run(
      "mcmini plugin new turnstile; cd turnstile\n"
      "cp turnstile_demo.c program.c; cp ../latch.c .; cp ../ours.txt CMakeLists.txt\n"
      "cmake -B build -DCMAKE_PREFIX_PATH='" +
      workshop.prefix().string() +
      "'; cmake --build build\n"
      "mcmini -q --plugin build/turnstile.so build/program\n"
      "mcmini -q --plugin latch build/latch 4\n");
  INFO(outcome.out);
  CHECK(outcome.exitCode == 0);
  CHECK_THAT(outcome.out, Contains("RESULT verdict=ok bugs=0 traces=1 transitions=12 ") &&
                              Contains("RESULT verdict=ok bugs=0 traces=1 transitions=23 "));
}

TEST_CASE("a policy is built without a half for programs", "[kit]") {
  Workshop workshop;
  workshop.directory().write("eldest.cpp", blocks("policies/README.md", "cpp").at(0));
  Outcome outcome = workshop.mcmini({"plugin", "build", "eldest.cpp"});
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 0);
  CHECK(outcome.out == "eldest.so: mcmini --policy ./eldest.so PROGRAM\n");
  CHECK_FALSE(fs::exists(workshop.directory() / "libeldest.so"));
}

TEST_CASE("a new plugin overwrites nothing and has a name that can be one", "[kit]") {
  Workshop workshop;
  workshop.directory().write("mine", "precious\n");
  fs::create_symlink("nowhere", workshop.directory() / "link");
  for (const char* name : {"mine", "link"})
    expectRefusal(workshop.mcmini({"plugin", "new", name}), 2,
                  {"there is already a '" + std::string(name) + "' here; nothing was written"});
  CHECK(workshop.run("cat mine").out == "precious\n");
  for (const char* name : {"Mine", "1st", "_x", "a-b", "a/b", "", "a_name_that_is_far_too_long"})
    expectRefusal(workshop.mcmini({"plugin", "new", name}), 2,
                  {"a plugin's name has up to 20 lower-case letters"});
  expectRefusal(workshop.mcmini({"plugin", "new", "mutex"}), 2, {"there is already a plugin named 'mutex'"});
  expectRefusal(workshop.mcmini({"plugin", "new"}), 2, {"mcmini plugin new NAME"});
}

}  // namespace
}  // namespace mcmini
