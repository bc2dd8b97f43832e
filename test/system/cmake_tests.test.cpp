#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

// mcmini_add_test of the CMake package, as a project would use it.

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

const std::string kHead =
    "cmake_minimum_required(VERSION 3.16)\nproject(ours C)\nenable_testing()\nfind_package(mcmini REQUIRED)\n"
    "find_package(Threads REQUIRED)\nset(CMAKE_C_FLAGS -g)\nlink_libraries(Threads::Threads)\n"
    "add_executable(counter counter.c)\nadd_executable(ab_ba ab_ba.c)\n";

class Project {
 public:
  explicit Project(const std::string& tests) : prefix_(installInto(installed_)) {
    fs::copy_file(MCMINI_SOURCE_DIR "/examples/correct/counter.c", directory_ / "counter.c");
    fs::copy_file(MCMINI_SOURCE_DIR "/examples/deadlock/ab_ba.c", directory_ / "ab_ba.c");
    directory_.write("CMakeLists.txt", kHead + tests);
  }

  ShellOutcome run(const std::string& commands, const std::string& options = "") const {
    return shell(directory_.path(), "rm -rf build\ncmake -B build " + options + " -DCMAKE_PREFIX_PATH='" +
                                        prefix_.string() + "'\n" + commands);
  }
  void write(const std::string& name, const std::string& text) const { directory_.write(name, text); }
  std::string mcmini() const { return (prefix_ / "bin/mcmini").string(); }

 private:
  ScratchDirectory installed_;
  ScratchDirectory directory_;
  fs::path prefix_;
};

TEST_CASE("mcmini_add_test makes tests that pass, fail and are skipped", "[cmake]") {
  Project project(
      "mcmini_add_test(NAME counts TARGET counter ARGS 3 --first OPTIONS --policy fifo)\n"
      "mcmini_add_test(NAME stops TARGET counter ARGS 4 OPTIONS --max-traces 2)\n"
      "mcmini_add_test(NAME locks TARGET ab_ba)\n");
  ShellOutcome outcome =
      project.run("cmake --build build\nctest --test-dir build --output-on-failure -L mcmini || true\n");
  INFO(outcome.out);
  CHECK_THAT(outcome.out, Catch::Matches("[^]*counts \\.+ +Passed[^]*") &&
                              Catch::Matches("[^]*stops \\.+\\*+Skipped[^]*") &&
                              Catch::Matches("[^]*locks \\.+\\*+Failed[^]*"));
  CHECK_THAT(outcome.out, Contains("DEADLOCK") && Contains("tests failed out of 3"));
}

/// A program made of a library and of itself, both of which tell of their accesses to memory.
const std::string kInstrumented =
    "add_library(part STATIC part.c)\nadd_executable(whole whole.c)\ntarget_link_libraries(whole part)\n"
    "mcmini_instrument(part)\nmcmini_instrument(whole)\n"
    "mcmini_add_test(NAME whole TARGET whole)\n";

TEST_CASE("mcmini_instrument compiles a target so that its memory is watched", "[cmake]") {
  Project project(kInstrumented);
  project.write("part.c",
                "#include <string.h>\nchar text[40];\n"
                "void copy(const char* from) { memcpy(text, from, 24); }\n");
  project.write("whole.c",
                "#include <stdio.h>\nvoid copy(const char*);\nextern char text[40];\n"
                "int main(void) { copy(\"what is to be copied...\"); return puts(text) < 0; }\n");
  for (const char* compiler : {"gcc", "clang"}) {
    if (shell("/", std::string("command -v ") + compiler).exitCode != 0) continue;
    ShellOutcome outcome = project.run("cmake --build build\nbuild/whole\nctest --test-dir build -R whole\n" +
                                           project.mcmini() + " doctor build/whole\n",
                                       std::string("-DCMAKE_C_COMPILER=") + compiler);
    INFO(compiler << "\n" << outcome.out);
    CHECK(outcome.exitCode == 0);
    CHECK_THAT(outcome.out, Contains("what is to be copied...") && Contains("100% tests passed") &&
                                Contains("watched             plain memory"));
  }
}

TEST_CASE("mcmini_instrument of no target is told", "[cmake]") {
  ShellOutcome outcome = Project("mcmini_instrument(nosuch)").run("");
  CHECK(outcome.exitCode != 0);
  CHECK_THAT(outcome.out, Contains("mcmini_instrument(nosuch)") && Contains("no target 'nosuch'"));
}

TEST_CASE("a wrong call of mcmini_add_test is told", "[cmake]") {
  for (const char* call : {"mcmini_add_test(counts TARGET counter)", "mcmini_add_test(NAME counts)",
                           "mcmini_add_test(NAME counts TARGET counter EXTRA)"}) {
    ShellOutcome outcome = Project(call).run("");
    INFO(call << "\n" << outcome.out);
    CHECK(outcome.exitCode != 0);
    CHECK_THAT(outcome.out, Contains("mcmini_add_test(NAME TEST TARGET PROGRAM"));
  }
  ShellOutcome outcome = Project("mcmini_add_test(NAME counts TARGET nosuch)").run("");
  CHECK(outcome.exitCode != 0);
  CHECK_THAT(outcome.out, Contains("there is no target 'nosuch'"));
}

}  // namespace
}  // namespace mcmini
