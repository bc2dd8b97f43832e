#include <catch2/catch.hpp>

#include "test/support/expected.hpp"
#include "test/support/none.hpp"

// mcmini-cc and mcmini-c++ in place of the compiler.

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

const std::string kBin = MCMINI_BINARY_DIR "/bin/";

std::vector<std::string> compilers() {
  std::vector<std::string> all = {"gcc", "clang"};
  std::erase_if(all, [](const std::string& name) { return shell("/", "command -v " + name).exitCode != 0; });
  return all;
}

/// Where $CC and $CXX are ours, around each of the compilers; the commands print what is expected.
void expectOfAll(const ScratchDirectory& directory, const std::string& commands,
                 const std::vector<std::string>& expected) {
  for (const std::string& compiler : compilers()) {
    std::string option = " --mcmini-compiler=" + compiler;
    ShellOutcome outcome = shell(directory.path(), "CC='" + kBin + "mcmini-cc" + option + "'\nCXX='" + kBin +
                                                       "mcmini-c++" + option + "'\n" + commands);
    INFO(compiler << ": " << commands << "\n" << outcome.out);
    CHECK(outcome.exitCode == 0);
    for (const std::string& text : expected) CHECK_THAT(outcome.out, Contains(text));
  }
}

/// A program in two files.
void writeGreeting(const ScratchDirectory& directory) {
  directory.write("word.h", "const char* word(void);\n");
  directory.write("word.c", "#include \"word.h\"\nconst char* word(void) { return \"hello\"; }\n");
  directory.write("main.c",
                  "#include <stdio.h>\n#include \"word.h\"\nint times = 1;\n"
                  "int main(void) { while (times-- > 0) puts(word()); return 0; }\n");
}

TEST_CASE("compiled by mcmini-c++, a program does by itself what it did before", "[mcmini-cc]") {
  for (const std::string& variant : variants("memory/compiled")) {
    std::string compiled = program("memory/compiled", variant);
    INFO(variant);
    CHECK(shell("/", compiled).out == "4 1 odd\n");
    CHECK(check({compiled}).exitCode == 0);
    CHECK_THAT(shell("/", "nm -D " + compiled).out, Contains("U __tsan_read") && Contains("U __wrap_memcpy"));
    CHECK_THAT(shell("/", "ldd " + compiled).out, Contains("libmcmini_stub.so") && !Contains("libtsan"));
  }
}

TEST_CASE("mcmini-cc compiles and links, at once and apart", "[mcmini-cc]") {
  ScratchDirectory directory;
  writeGreeting(directory);
  expectOfAll(directory, "$CC -Wall -Werror -O2 main.c word.c -o both && ./both", {"hello"});
  expectOfAll(directory, "$CC -Werror -c main.c word.c && $CC -Werror main.o word.o -o apart && ./apart",
              {"hello"});
  expectOfAll(directory,
              "$CC -c word.c && rm -f libword.a && ar rc libword.a word.o && "
              "$CC main.c -L. -lword -o archive && ./archive",
              {"hello"});
  expectOfAll(directory,
              "$CC -Werror -shared -fPIC word.c -o libword.so && "
              "$CC main.c ./libword.so -o shared && ./shared",
              {"hello"});
  expectOfAll(directory, "echo '-Werror main.c word.c -o listed' > list && $CC @list && ./listed", {"hello"});
  expectOfAll(directory,
              "echo 'int main(void) { return 0; }' | $CC -Werror -x c - -o piped && ./piped && echo good",
              {"good"});
  expectOfAll(directory, "$CC -S main.c -o - | grep -m1 -o __tsan_read4", {"__tsan_read4"});
}

TEST_CASE("mcmini-cc answers what build systems ask a compiler", "[mcmini-cc]") {
  ScratchDirectory directory;
  writeGreeting(directory);
  expectOfAll(directory, "$CC -MM main.c", {"main.o: main.c"});
  expectOfAll(directory, "$CC -E main.c", {"int main(void)"});
  expectOfAll(directory, "$CC -v && $CC --version && $CC -dumpmachine", {"x86_64"});
  expectOfAll(directory, "$CC -print-file-name=libc.so.6", {"libc.so.6"});
  expectOfAll(directory, "$CC -MD -MF main.d -c main.c && cat main.d", {"word.h"});
  expectOfAll(directory, "$CC -c nosuch.c && exit 1; echo refused", {"refused"});
}

TEST_CASE("mcmini-cc is the compiler of a project", "[mcmini-cc]") {
  ScratchDirectory directory;
  writeGreeting(directory);
  directory.write("CMakeLists.txt",
                  "cmake_minimum_required(VERSION 3.16)\nproject(ours C CXX)\n"
                  "add_library(word SHARED word.c)\nadd_executable(main main.c)\n"
                  "target_link_libraries(main word)\n");
  ShellOutcome outcome =
      shell(directory.path(), "CC=" + kBin + "mcmini-cc CXX=" + kBin + "mcmini-c++ cmake -B build\n" +
                                  "cmake --build build\nbuild/main\nnm -D build/libword.so build/main\n");
  INFO(outcome.out);
  CHECK(outcome.exitCode == 0);
  CHECK_THAT(outcome.out, Contains("hello") && Contains("U __tsan_init"));
}

TEST_CASE("mcmini-cc of an installation needs nothing of the build", "[mcmini-cc]") {
  ScratchDirectory installed;
  ScratchDirectory directory;
  writeGreeting(directory);
  std::string prefix = installInto(installed).string();
  ShellOutcome outcome =
      shell(directory.path(),
            "ln -s " + prefix + "/bin/mcmini-cc cc\n./cc -O2 main.c word.c -o main\n./main\nldd main\n");
  INFO(outcome.out);
  CHECK(outcome.exitCode == 0);
  CHECK_THAT(outcome.out,
             Contains("hello") && Contains(prefix + "/lib/mcmini/stub") && !Contains(MCMINI_BINARY_DIR));
}

TEST_CASE("mcmini-cc says what it cannot do", "[mcmini-cc]") {
  ScratchDirectory directory;
  writeGreeting(directory);
  auto refused = [&](const std::string& options, const std::string& sentence) {
    ShellOutcome outcome = shell(directory.path(), kBin + "mcmini-cc " + options + " main.c word.c -o main");
    INFO(options << "\n" << outcome.out);
    CHECK(outcome.exitCode == 1);
    CHECK_THAT(outcome.out, Contains("mcmini-cc: ") && Contains(sentence));
  };
  refused("-static", "Leave -static out");
  refused("-fsanitize=address", "Leave -fsanitize=address out");
  refused("-fsanitize=undefined,leak", "Leave -fsanitize=leak out");
  refused("--mcmini-compiler=nosuch", "there is no compiler 'nosuch'");
}

TEST_CASE("with mcmini-cc the compiler's own option adds no library, and files can be left out",
          "[mcmini-cc]") {
  ScratchDirectory directory;
  writeGreeting(directory);
  expectOfAll(directory,
              "$CC -fsanitize=thread -flto main.c word.c -o main && ./main && ! ldd main | grep libtsan",
              {"hello"});
  expectOfAll(directory, "$CC -fno-sanitize=thread -c main.c && ! nm main.o | grep __tsan && echo left out",
              {"left out"});
}

/// Takes the place of the stub, as libmcmini does, and prints what it is told of.
const std::string kWitness = R"(
#include <stdio.h>
#include <string.h>
#define COPY(NAME) \
  void* __wrap_##NAME(void* to, const void* from, size_t n) { \
    fprintf(stderr, "[" #NAME " %zu]\n", n); \
    return NAME(to, from, n); \
  }
COPY(memcpy)
COPY(memmove)
void* __wrap___memcpy_chk(void* to, const void* from, size_t n, size_t room) { (void)room; return __wrap_memcpy(to, from, n); }
void* __wrap___memmove_chk(void* to, const void* from, size_t n, size_t room) { (void)room; return __wrap_memmove(to, from, n); }
void* __wrap___memset_chk(void* to, int c, size_t n, size_t room) { fprintf(stderr, "[memset %zu]\n", n + 0 * room); return memset(to, c, n); }
void* __wrap_memset(void* to, int c, size_t n) { fprintf(stderr, "[memset %zu]\n", n); return memset(to, c, n); }
size_t __wrap_strlen(const char* s) { fprintf(stderr, "[strlen]\n"); return strlen(s); }
void __tsan_write4(void* at) { (void)at; fprintf(stderr, "[write4]\n"); }
)";

/// What a program told the witness.
void expectTold(const std::string& source, const std::vector<std::string>& expected) {
  ScratchDirectory directory;
  directory.write("witness.c", kWitness);
  directory.write("main.cpp", source);
  REQUIRE(shell(directory.path(), "gcc -fno-builtin -shared -fPIC witness.c -o witness.so").exitCode == 0);
  for (const std::string options : {"-O0", "-O2", "-O2 -D_FORTIFY_SOURCE=2 -std=c++11"})
    expectOfAll(directory, "$CXX " + options + " main.cpp -o main && LD_PRELOAD=./witness.so ./main",
                expected);
}

TEST_CASE("what memory functions access is told, whatever the size", "[mcmini-cc]") {
  expectTold(
      "#include <cstring>\nchar a[40], b[40];\n"
      "int main() { std::memcpy(a, b, 24); memmove(a, b, 3); memset(a, 1, 7); return std::strlen(b) > 3; }\n",
      {"[memcpy 24]", "[memmove 3]", "[memset 7]", "[strlen]"});
}

TEST_CASE("what the C++ library copies is told, whatever the size", "[mcmini-cc]") {
  expectTold(
      "#include <algorithm>\n#include <string>\nint a[3], b[3];\nstd::string text;\n"
      "int main() { std::copy(a, a + 3, b); text += \"123456789 123456789 1\"; return 0; }\n",
      {" 12]", "[memcpy 21]"});
}

}  // namespace
}  // namespace mcmini
