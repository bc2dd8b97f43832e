#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "test/support/checker.hpp"
#include "test/support/none.hpp"

// Whatever mcmini is given, it answers with a sentence that says what is wrong with what and what to do about
// it, and with the documented exit code.

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

constexpr int kUsage = 2;
constexpr int kCannotCheck = 4;

void expectRefusal(const std::vector<std::string>& arguments, int exitCode,
                   const std::vector<std::string>& words) {
  Outcome outcome = check(arguments);
  INFO(outcome.everything());
  CHECK(outcome.exitCode == exitCode);
  CHECK(outcome.out == kNone);
  CHECK(outcome.err.starts_with("mcmini: "));
  for (const std::string& word : words) CHECK_THAT(outcome.err, Contains(word));
}

std::string bytesOf(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// An executable file with these contents.
std::string executable(const ScratchDirectory& directory, const std::string& name, const std::string& bytes) {
  fs::path file = directory.write(name, bytes);
  chmod(file.c_str(), 0755);
  return file.string();
}

TEST_CASE("a program that is not there is named", "[bad input]") {
  expectRefusal({"/nowhere/prog"}, kCannotCheck, {"/nowhere/prog", "no such program"});
  expectRefusal({"nosuchprogram"}, kCannotCheck, {"nosuchprogram", "no such program"});
}

TEST_CASE("a name that is too long is the name of nothing", "[bad input]") {
  std::string name(300, 'x');
  std::string prog = program("counter");
  expectRefusal({name}, kCannotCheck, {name, "no such program"});
  expectRefusal({"./" + name}, kCannotCheck, {name, "no such program"});
  for (const char* option : {"--config", "--plugin", "--suppress", "--stdin"})
    expectRefusal({option, name, prog}, kUsage, {name});
  expectRefusal({"replay", name}, kUsage, {name, "no such file"});
}

TEST_CASE("a directory is no program", "[bad input]") {
  expectRefusal({"/usr"}, kCannotCheck, {"/usr is a directory", "Name the program in it"});
  expectRefusal({"."}, kCannotCheck, {"./. is a directory"});
  expectRefusal({""}, kUsage, {"which program?"});
}

TEST_CASE("a file without the run bit is told with the remedy", "[bad input]") {
  ScratchDirectory directory;
  std::string file = directory.write("prog", bytesOf(program("counter"))).string();
  expectRefusal({file}, kCannotCheck, {file, "not executable", "chmod +x"});
}

TEST_CASE("a script is no program", "[bad input]") {
  ScratchDirectory directory;
  std::string file = executable(directory, "run.sh", "#!/bin/sh\nexec true\n");
  expectRefusal({file}, kCannotCheck, {file, "is a script", "Name the compiled program"});
}

TEST_CASE("files that are no programs are told apart from programs", "[bad input]") {
  ScratchDirectory directory;
  for (const char* contents : {"int main(void) { return 0; }\n", "", "\177EL"}) {
    std::string file = executable(directory, "prog", contents);
    expectRefusal({file}, kCannotCheck, {file, "not a program", "Compile it"});
  }
  REQUIRE(mkfifo((directory / "fifo").c_str(), 0755) == 0);
  expectRefusal({(directory / "fifo").string()}, kCannotCheck, {"fifo", "not a file"});
  expectRefusal({"/dev/null"}, kCannotCheck, {"/dev/null", "not a file"});
}

TEST_CASE("a program that was cut off in the middle is refused", "[bad input]") {
  ScratchDirectory directory;
  std::string whole = bytesOf(program("counter"));
  for (std::size_t size : {std::size_t{20}, std::size_t{64}, std::size_t{700}, whole.size() / 2}) {
    std::string file = executable(directory, "half", whole.substr(0, size));
    INFO(size);
    expectRefusal({file}, kCannotCheck, {file});
  }
}

TEST_CASE("a statically linked program is told with the remedy", "[bad input]") {
  ScratchDirectory directory;
  std::string source = std::string(MCMINI_SOURCE_DIR) + "/examples/correct/counter.c";
  std::string file = (directory / "static").string();
  for (const char* flag : {"-static", "-static-pie"}) {
    if (!compile(std::string(MCMINI_TEST_CC) + " -pthread " + flag + " -o " + file + " " + source)) continue;
    expectRefusal({file}, kCannotCheck, {file, "statically linked", "Link it dynamically"});
  }
}

TEST_CASE("a program for another processor is told", "[bad input]") {
  ScratchDirectory directory;
  std::string bytes = bytesOf(program("counter"));
  std::string narrow = bytes;
  narrow[4] = 1;  // EI_CLASS: ELFCLASS32
  expectRefusal({executable(directory, "narrow", narrow)}, kCannotCheck, {"narrow", "32-bit", "-m32"});
  std::string foreign = bytes;
  foreign[18] = static_cast<char>(183);  // e_machine: AArch64
  expectRefusal({executable(directory, "foreign", foreign)}, kCannotCheck,
                {"foreign", "another kind of processor"});
  std::string reversed = bytes;
  reversed[5] = 2;  // EI_DATA: big-endian
  expectRefusal({executable(directory, "reversed", reversed)}, kCannotCheck,
                {"reversed", "another kind of processor"});
}

TEST_CASE("object files and libraries are no programs", "[bad input]") {
  ScratchDirectory directory;
  std::string source = std::string(MCMINI_SOURCE_DIR) + "/examples/correct/counter.c";
  std::string object = (directory / "counter.o").string();
  std::string library = (directory / "libcounter.so").string();
  REQUIRE(compile(std::string(MCMINI_TEST_CC) + " -fPIC -c -o " + object + " " + source));
  REQUIRE(compile(std::string(MCMINI_TEST_CC) + " -shared -o " + library + " " + object));
  chmod(object.c_str(), 0755);
  expectRefusal({object}, kCannotCheck, {object, "object file", "Link it"});
  expectRefusal({library}, kCannotCheck, {library, "shared library"});
}

TEST_CASE("a program built with a sanitizer is told with the remedy", "[bad input]") {
  ScratchDirectory directory;
  std::string source = std::string(MCMINI_SOURCE_DIR) + "/examples/correct/counter.c";
  std::string file = (directory / "sanitized").string();
  std::string words = " -pthread -o " + file + " " + source + " -fsanitize=";
  for (const char* compiler : {MCMINI_TEST_CC, "clang"})
    if (compile(compiler + words + "address"))
      expectRefusal({file}, kCannotCheck, {file, "sanitizer", "without -fsanitize"});
  if (compile("clang" + words + "thread"))
    expectRefusal({file}, kCannotCheck,
                  {file, "clang's -fsanitize=thread", "mcmini-cc --mcmini-compiler=clang"});
}

TEST_CASE("a program built with gcc's thread sanitizer is checked without its library", "[bad input]") {
  ScratchDirectory directory;
  std::string source = std::string(MCMINI_SOURCE_DIR) + "/examples/correct/counter.c";
  std::string file = (directory / "sanitized").string();
  if (!compile(std::string(MCMINI_TEST_CC) + " -pthread -fsanitize=thread -o " + file + " " + source)) return;
  Outcome outcome = check({file});
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 0);
  CHECK(outcome.count("traces") == check({program("counter")}).count("traces"));
  CHECK_THAT(outcome.err, Catch::Contains("not watched is what memcpy") && Catch::Contains("mcmini-cc"));
}

TEST_CASE("a library that is missing is named, as the loader said it", "[bad input]") {
  ScratchDirectory directory;
  std::string d = directory.path().string();
  std::string cc = MCMINI_TEST_CC;
  directory.write("part.c", "int part(void) { return 0; }\n");
  directory.write("whole.c", "int part(void);\nint main(void) { return part(); }\n");
  REQUIRE(compile(cc + " -shared -fPIC -o " + d + "/libpart.so " + d + "/part.c"));
  REQUIRE(compile(cc + " -o " + d + "/whole " + d + "/whole.c -L" + d + " -lpart"));
  fs::remove(directory / "libpart.so");
  expectRefusal({d + "/whole"}, kCannotCheck, {d + "/whole", "libpart.so", "before its main"});
}

TEST_CASE("a library that crashes while it is loaded is told", "[bad input]") {
  ScratchDirectory directory;
  std::string d = directory.path().string();
  std::string cc = MCMINI_TEST_CC;
  directory.write("part.c",
                  "#include <stdlib.h>\n__attribute__((constructor)) static void begin(void) { abort(); }\n"
                  "int part(void) { return 0; }\n");
  directory.write("whole.c", "int part(void);\nint main(void) { return part(); }\n");
  REQUIRE(compile(cc + " -shared -fPIC -o " + d + "/libpart.so " + d + "/part.c"));
  REQUIRE(compile(cc + " -o " + d + "/whole " + d + "/whole.c -L" + d + " -lpart -Wl,-rpath," + d));
  expectRefusal({d + "/whole"}, kCannotCheck, {d + "/whole", "SIGABRT", "before its main"});
}

TEST_CASE("an unknown option is told, with the one that was meant", "[bad input]") {
  std::string prog = program("counter");
  expectRefusal({"--max-trace", "3", prog}, kUsage, {"--max-trace'", "did you mean '--max-traces'"});
  expectRefusal({"--serach=naive", prog}, kUsage, {"--serach'", "did you mean '--search'"});
  expectRefusal({"--fist", prog}, kUsage, {"did you mean '--first'"});
  expectRefusal({"--xyzzyxyzzy", prog}, kUsage, {"--xyzzyxyzzy", "mcmini --help"});
  expectRefusal({"-Z", prog}, kUsage, {"-Z"});
}

TEST_CASE("a call without a program is told how to call", "[bad input]") {
  expectRefusal({}, kUsage, {"Usage: mcmini"});
  expectRefusal({"--first"}, kUsage, {"Usage: mcmini"});
  expectRefusal({"check"}, kUsage, {"Usage: mcmini"});
}

TEST_CASE("a value that an option does not take is told, with what it takes", "[bad input]") {
  std::string prog = program("counter");
  expectRefusal({"--search", "best", prog}, kUsage, {"--search", "optimal", "dpor", "naive", "'best'"});
  for (const char* option : {"--max-depth", "--max-traces", "--max-thread-depth"})
    for (const char* value : {"0", "-1", "many", "1.5", "3x", "", "99999999999999999999"})
      expectRefusal({std::string(option) + "=" + value, prog}, kUsage, {option, "whole number from 1"});
  for (const char* option : {"--time", "--step-timeout"})
    for (const char* value : {"0", "0s", "soon", "-5s", "5 parsecs", "s", "1e99s", ""})
      expectRefusal({std::string(option) + "=" + value, prog}, kUsage, {option, "takes"});
  for (const char* value : {"lots", "5X", "-1", ""})
    expectRefusal({"--max-memory=" + std::string(value), prog}, kUsage, {"--max-memory", "512M"});
  expectRefusal({"--stdin", "/tmp", prog}, kUsage, {"--stdin /tmp", "a directory"});
  expectRefusal({"--stdin", "/nowhere/input", prog}, kUsage, {"--stdin /nowhere/input", "No such file"});
}

TEST_CASE("an option without its value is told", "[bad input]") {
  for (const char* option : {"--search", "--policy", "--time", "--json", "--output-dir", "--max-depth",
                             "--plugin", "--stdin", "--max-memory"}) {
    Outcome outcome = check({option});
    CHECK(outcome.exitCode == 2);
    CHECK(outcome.err == "mcmini: " + std::string(option) + " needs a value after it. See mcmini --help.\n");
  }
}

TEST_CASE("a switch is on or off", "[bad input]") {
  std::string prog = program("counter");
  for (const char* option : {"--quiet", "--first", "--no-promote", "--version"})
    for (const char* value : {"maybe", "3", "99999999999999999999", ""})
      expectRefusal({std::string(option) + "=" + value, prog}, kUsage, {option, "takes true or false"});
  CHECK(check({"--first=true", program("philosophers_all_left"), "3"})["complete"] == "no");
  CHECK(check({"--first=false", program("philosophers_all_left"), "3"})["complete"] == "yes");
}

TEST_CASE("a report does not take the place of what the check needs", "[bad input]") {
  ScratchDirectory directory;
  std::string prog = executable(directory, "prog", bytesOf(program("counter")));
  std::string input = directory.write("input", "some").string();
  for (const char* option : {"--json", "--junit", "--sarif"}) {
    expectRefusal({option, prog, prog}, kUsage, {option, prog, "a program or a library"});
    expectRefusal({option, input, "--stdin", input, prog}, kUsage, {option, input, "read, too"});
  }
  CHECK(check({prog, "2"})["traces"] == "2");
  CHECK(bytesOf(input) == "some");
}

TEST_CASE("an option that a command would ignore is refused", "[bad input]") {
  for (const char* command : {"replay", "gdb"}) {
    expectRefusal({command, "--json", "-", "1"}, kUsage, {"--json is for a check"});
    expectRefusal({command, "--max-thread-depth", "2", "1"}, kUsage,
                  {"--max-thread-depth", "a saved bug has its own"});
  }
  CHECK(check({"replay", "--schedule", "0", "--policy", "fifo", program("ab_ba")}).exitCode == 0);
}

TEST_CASE("a command after an option is told to come first", "[bad input]") {
  expectRefusal({"-q", "replay", "1"}, kUsage, {"'replay'", "before all options"});
}

TEST_CASE("an empty value is not the next word", "[bad input]") {
  std::string prog = program("counter");
  expectRefusal({"--max-traces=", prog}, kUsage, {"--max-traces takes", "not ''"});
  expectRefusal({"--stdin=", prog}, kUsage, {"--stdin"});
  Outcome outcome = check({"--first", program("odd"), "show_surroundings", "--max-traces="});
  CHECK_THAT(outcome.out, Contains("| argument 2: [--max-traces=]\n"));
}

TEST_CASE("an option that is given twice is named", "[bad input]") {
  expectRefusal({"--search", "dpor", "--search=naive", program("counter")}, kUsage,
                {"--search is given twice."});
}

TEST_CASE("a schedule is for replay only", "[bad input]") {
  for (const char* command : {"check", "doctor"})
    expectRefusal({command, "--schedule=0", program("counter")}, kUsage, {"--schedule", "mcmini replay"});
}

TEST_CASE("help and version are answered on stdout", "[bad input]") {
  Outcome help = check({"--help"});
  CHECK(help.exitCode == 0);
  CHECK_THAT(help.out, Contains("Usage: mcmini") && Contains("--max-traces") && Contains("Exit codes"));
  Outcome version = check({"--version"});
  CHECK(version.exitCode == 0);
  CHECK_THAT(version.out, Contains("mcmini "));
}

}  // namespace
}  // namespace mcmini
