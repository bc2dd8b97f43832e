#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <regex>

#include "test/support/expected.hpp"
#include "test/support/none.hpp"

// A plugin that cannot be trusted is refused by its file's name, before the program is started.

namespace mcmini {
namespace {

using Catch::Contains;

void expectRefusal(const std::string& file, const std::vector<std::string>& words) {
  Outcome outcome = check({"--plugin", file, program("counter")});
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 2);
  CHECK(outcome.out == kNone);
  CHECK_THAT(outcome.err, Contains("mcmini: " + file));
  for (const std::string& word : words) CHECK_THAT(outcome.err, Contains(word));
}

TEST_CASE("a plugin file that is not there is named", "[plugins]") {
  expectRefusal("/nowhere/gate.so", {"no such plugin"});
}

TEST_CASE("a directory is no plugin", "[plugins]") {
  expectRefusal("/usr", {"not a plugin"});
}

TEST_CASE("a text file is no plugin", "[plugins]") {
  ScratchDirectory directory;
  expectRefusal(directory.write("notes.so", "nothing\n").string(), {"not a plugin", "cannot be loaded"});
}

TEST_CASE("a library without a plugin in it is no plugin", "[plugins]") {
  ScratchDirectory directory;
  std::string source = directory.write("other.c", "int other(void) { return 0; }\n").string();
  std::string file = (directory / "other.so").string();
  REQUIRE(compile(std::string(MCMINI_TEST_CC) + " -shared -fPIC -o " + file + " " + source));
  expectRefusal(file, {"not a plugin of mcmini", "MCMINI_PLUGIN"});
}

TEST_CASE("a plugin that needs a symbol nobody has is told", "[plugins]") {
  ScratchDirectory directory;
  std::string source =
      directory.write("needy.c", "int missing(void);\nint other(void) { return missing(); }\n").string();
  std::string file = (directory / "needy.so").string();
  REQUIRE(compile(std::string(MCMINI_TEST_CC) + " -shared -fPIC -o " + file + " " + source));
  expectRefusal(file, {"cannot be loaded", "missing"});
}

TEST_CASE("a plugin for another version of the interface is told to be built again", "[plugins]") {
  ScratchDirectory directory;
  std::ifstream in(MCMINI_SOURCE_DIR "/plugins/plugin.hpp");
  std::string header(std::istreambuf_iterator<char>(in), {});
  std::string other =
      std::regex_replace(header, std::regex("kPluginApiVersion = \\d+"), "kPluginApiVersion = 999");
  REQUIRE(other != header);
  std::filesystem::create_directory(directory / "plugins");
  directory.write("plugins/plugin.hpp", other);
  std::string source = directory
                           .write("late.cpp",
                                  "#include \"plugins/plugin.hpp\"\n"
                                  "MCMINI_PLUGIN(\"late\", catalog) { (void)catalog; }\n")
                           .string();
  expectRefusal(buildPlugin(directory, "late", source), {"version 999", "Build it again"});
}

TEST_CASE("two plugins with the same operation are refused, both by name", "[plugins]") {
  ScratchDirectory directory;
  std::string file = buildPlugin(directory, "twin", MCMINI_SOURCE_DIR "/transitions/mutex/mutex.cpp");
  expectRefusal(file, {"'mutex.", "already defined", "mutex.so"});
}

TEST_CASE("a plugin is not taken from the current directory by itself", "[plugins]") {
  ScratchDirectory directory;
  directory.write("notes.so", "nothing\n");
  Settings settings;
  settings.directory = directory.path();
  CHECK(check({program("counter"), "2"}, settings).exitCode == 0);
  CHECK(check({"--plugin-path", ".", program("counter"), "2"}, settings).exitCode == 2);
}

TEST_CASE("a plugin directory that is not there is named", "[plugins]") {
  Outcome outcome = check({"--plugin-path", "/nowhere", program("counter")});
  CHECK(outcome.exitCode == 2);
  CHECK_THAT(outcome.err, Contains("/nowhere"));
}

TEST_CASE("a plugin that is welcome does not change the result", "[plugins]") {
  ScratchDirectory directory;
  std::string source = directory
                           .write("empty.cpp",
                                  "#include \"plugins/plugin.hpp\"\n"
                                  "MCMINI_PLUGIN(\"empty\", catalog) { (void)catalog; }\n")
                           .string();
  Outcome outcome = check({"--plugin", buildPlugin(directory, "empty", source), program("counter"), "3"});
  compare(outcome, {.traces = 6});
}

}  // namespace
}  // namespace mcmini
