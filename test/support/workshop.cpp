#include "test/support/workshop.hpp"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#ifndef MCMINI_TEST_CXX
#define MCMINI_TEST_CXX "c++"
#endif

namespace mcmini::test {

namespace fs = std::filesystem;

namespace {

const std::string kSource = MCMINI_SOURCE_DIR;

std::string read(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

Workshop::Workshop() {
  std::string pattern = fs::temp_directory_path() / "mcmini-heap-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw fs::filesystem_error("mkdtemp", pattern, {});
  folder_ = pattern;
  built_ = shell(MCMINI_TEST_CXX
                 " -std=c++20 -O2 -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti "
                 "-fno-threadsafe-statics -fno-builtin-malloc -shared -nodefaultlibs -I " +
                 kSource + " " + kSource + "/libmcmini/budget.cpp " + kSource + "/libmcmini/heap.cpp " +
                 kSource + "/libmcmini/malloc.cpp " + kSource + "/test/support/heap_doors.cpp" + " -lc -o " +
                 path("libheap.so"));
}

Workshop::~Workshop() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Workshop::Outcome Workshop::shell(const std::string& command) const {
  const int status = system(("exec >" + path("output") + " 2>" + path("errors") + "; " + command).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(folder_ / "output"),
          read(folder_ / "errors")};
}

Workshop::Outcome Workshop::preloaded(const std::string& command) const {
  return shell("timeout -k 2 20 env LD_PRELOAD=" + library() + " " + command);
}

Workshop::Outcome Workshop::compile(const std::string& text) const {
  std::ofstream(folder_ / "program.cpp") << "#include \"test/support/heap_prelude.h\"\n#line 1\n" + text;
  return shell(MCMINI_TEST_CXX " -std=c++20 -O1 -w -pthread -I " + kSource + " " + path("program.cpp") + " " +
               library() + " -Wl,--as-needed -o " + program());
}

Workshop::Outcome Workshop::run(const std::string& text) const {
  const Outcome compiled = compile(text);
  return compiled.status != 0 ? compiled : preloaded(program());
}

const Workshop& workshop() {
  static const Workshop instance;
  return instance;
}

void expectSuccess(const Workshop::Outcome& outcome) {
  INFO(outcome.errors);
  CHECK(outcome.status == 0);
}

void expectSuccess(const std::string& program) {
  expectSuccess(workshop().run(program));
}

void expectAbort(const std::string& statements, const std::string& sentence) {
  const Workshop::Outcome outcome = workshop().run("int main() { " + statements + " }");
  CHECK(outcome.errors.find(sentence) == 0);
  CHECK(outcome.status == 128 + SIGABRT);
}

void expectSameOutput(const std::string& command) {
  const Workshop::Outcome plain = workshop().shell(command);
  const Workshop::Outcome preloaded = workshop().preloaded(command);
  expectSuccess(preloaded);
  CHECK(preloaded.output == plain.output);
  CHECK(preloaded.errors == plain.errors);
}

bool present(const std::string& program) {
  return workshop().shell("command -v " + program).status == 0;
}

}  // namespace mcmini::test
