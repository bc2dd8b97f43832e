#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/report/bug_store.hpp"
#include "core/report/module_map.hpp"
#include "test/support/none.hpp"

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

/// A directory that is there as long as the object is.
class Directory {
 public:
  Directory() {
    std::string pattern = (fs::temp_directory_path() / "mcmini-unit-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Directory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

SavedBug example(const std::string& key = "deadlock philo+0x11d9") {
  SavedBug bug;
  bug.program = "/home/ann/a \"quoted\" program: yes\n";
  bug.called = "./program";
  bug.directory = "/home/ann";
  bug.buildId = "ab12";
  bug.arguments = {"3", "", "- a: [b]", "\xc3\xa4 # no comment"};
  bug.options.policies = {{"", "fifo"}, {"cond", "./mine.so"}};
  bug.options.spuriousWakeups = 0;
  bug.options.plugins = {"/home/ann/gate.so"};
  bug.options.inputText = std::string("line\n\0\xff", 7);
  bug.options.maxMemory = 1 << 30;
  bug.options.stepTimeoutMs = 5000;
  bug.options.threadDepth = 8;
  bug.options.leaks = true;
  bug.kind = "deadlock";
  bug.sentence = "2 threads wait for ever";
  bug.key = key;
  bug.noReturn = 4;
  bug.threads = {{"main", "main", 0}, {"main/1", "worker#1", 3}};
  bug.schedule = {
      {0, "thread.create", "pthread_create(worker#1)", "", "philo.c:7", "philo+0x11d9", 1, 2, false, false,
       4},
      {1, "mutex.lock", "pthread_mutex_lock(fork[2])", "fork[2]", "", "", -1, 0, true, true, 0xffffffff},
      {0, "[\"mine\"]: {x}", "say(\"\xc3\xa4\", 'b') # c", "[\"mine\"]: {x}", "a, b.c:7", "a\\b+0x1", 0, 0,
       false, false, 4}};
  return bug;
}

std::string complaint(const Directory& directory, const std::string& text) {
  std::ofstream(directory / "bug.yaml") << text;
  try {
    readSavedBug(directory / "bug.yaml");
  } catch (const SavedBugError& error) {
    return error.what();
  }
  return "nothing";
}

TEST_CASE("a bug is read as it was written", "[saved]") {
  Directory directory;
  SavedBug bug = example();
  SavedBug again = readSavedBug(BugStore(directory / "bugs").save(bug).file);
  CHECK(asYaml(again) == asYaml(bug));
  CHECK(again.program == bug.program);
  CHECK(again.arguments == bug.arguments);
  CHECK(again.options.policies == bug.options.policies);
  CHECK(again.options.spuriousWakeups == bug.options.spuriousWakeups);
  CHECK(again.options.inputText == bug.options.inputText);
  CHECK(again.noReturn == bug.noReturn);
  CHECK(again.schedule == bug.schedule);
  CHECK(again.hash() == bug.hash());
  again.arguments.push_back("another");
  CHECK(again.hash() != bug.hash());
}

TEST_CASE("bugs are numbered, the same one is kept once, and nothing is overwritten", "[saved]") {
  Directory directory;
  BugStore store(directory / "a/b");
  SavedAs first = store.save(example("one"));
  SavedAs second = store.save(example("two"));
  CHECK(first.number == 1);
  CHECK(first.file.filename().string().starts_with("001-deadlock-"));
  CHECK(second.number == 2);
  CHECK(store.save(example("one")).file == first.file);
  CHECK(store.all().size() == 2);
  fs::remove(first.file);
  CHECK(store.save(example("three")).number == 3);
  CHECK_FALSE(store.find(1));
  CHECK(store.find(2)->file == second.file);
}

TEST_CASE("checkers that save at the same time get different numbers", "[saved]") {
  Directory directory;
  constexpr int kCheckers = 4;
  constexpr int kBugs = 10;
  for (int i = 0; i < kCheckers; ++i) {
    if (fork() != 0) continue;
    for (int j = 0; j < kBugs; ++j)
      BugStore(directory / "bugs").save(example(std::to_string(i) + "-" + std::to_string(j)));
    _exit(0);
  }
  for (int i = 0; i < kCheckers; ++i) wait(nullptr);
  std::set<std::uint32_t> numbers;
  for (const SavedAs& saved : BugStore(directory / "bugs").all()) numbers.insert(saved.number);
  CHECK(numbers.size() == kCheckers * kBugs);
  CHECK(*numbers.rbegin() == kCheckers * kBugs);
}

TEST_CASE("a directory that cannot be written is told", "[saved]") {
  Directory directory;
  std::ofstream(directory / "file") << "";
  CHECK_THROWS_WITH(BugStore(directory / "file").save(example()), Contains("file"));
  CHECK(BugStore(directory / "nowhere").all() == kNone);
}

TEST_CASE("what is wrong with a file is told with its line", "[saved]") {
  Directory directory;
  std::string good = asYaml(example());
  CHECK(complaint(directory, good) == "nothing");
  CHECK_THAT(complaint(directory, "hello"), Contains("bug.yaml:1: this is not a bug that mcmini has saved"));
  CHECK_THAT(complaint(directory, ""), Contains("this is not a bug that mcmini has saved"));
  CHECK_THAT(complaint(directory, "mcmini: 2\n"), Contains("bug.yaml:1: it was written by another version"));
  CHECK_THAT(complaint(directory, "mcmini: 1\nprogram: [a\n"), Contains("bug.yaml:3: this is not YAML"));
  CHECK_THAT(complaint(directory, "mcmini: 1\nprogram: a\n"), Contains("there is no 'options'"));
  std::string wrong = good;
  wrong.replace(wrong.find("thread: 1"), 9, "thread: 7");
  CHECK_THAT(complaint(directory, wrong), Contains("there is no thread 7"));
  wrong = good;
  wrong.replace(wrong.find("patience: 4"), 11, "patience: x");
  CHECK_THAT(complaint(directory, wrong), Contains("the value of 'patience'"));
  for (std::size_t size = 0; size < good.size(); size += 7) complaint(directory, good.substr(0, size));
}

TEST_CASE("addresses are named by what they lie in", "[saved]") {
  ModuleMap map(
      "555500000000-555500001000 r--p 00000000 08:01 12 /home/ann/philo\n"
      "555500001000-555500002000 r-xp 00001000 08:01 12 /home/ann/philo\n"
      "200000000000-200000010000 ---p 00000000 00:00 0 \n"
      "7f0000000000-7f0000001000 r-xp 00000000 08:01 13 /lib/x86_64-linux-gnu/libc.so.6\n");
  CHECK(map.name(0x5555000011d9) == "philo+0x11d9");
  CHECK(map.name(0x7f0000000010) == "libc.so.6+0x10");
  CHECK(map.name(0x200000000040) == "memory+0x40");
  CHECK(map.name(0x10) == "0x10");
}

}  // namespace
}  // namespace mcmini
