#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

namespace mcmini {
namespace {

constexpr int kTimes = 50;

void expectTheSameEachTime(const std::vector<std::string>& words) {
  for (const std::string& variant : variants()) {
    std::vector<std::string> command = words;
    command.front() = program(words.front(), variant);
    INFO(variant << " " << words.front());
    Outcome first = check(command);
    REQUIRE(!first.result.empty());
    for (int i = 1; i < kTimes; ++i) {
      Outcome again = check(command);
      for (const char* field : {"verdict", "bugs", "traces", "transitions", "blocked", "complete", "exit"})
        CHECK(again[field] == first[field]);
    }
  }
}

TEST_CASE("programs without a bug have the same counts each time", "[.campaign][campaign]") {
  for (const char* n : {"2", "3", "4", "5", "6", "7", "8"}) expectTheSameEachTime({"philosophers", n});
  for (const char* n : {"2", "3", "4", "5", "6"}) expectTheSameEachTime({"counter", n});
  expectTheSameEachTime({"independent", "30"});
}

TEST_CASE("programs with a bug have the same counts each time", "[.campaign][campaign]") {
  for (const char* n : {"2", "3", "4", "5", "6", "7", "8"})
    expectTheSameEachTime({"philosophers_all_left", n});
  for (const char* name :
       {"ab_ba", "ab_ba_std", "lost_update", "use_after_teardown", "missed_job", "unlock_of_another"})
    expectTheSameEachTime({name});
  for (const char* kind : {"write_to_null", "free_twice", "overflow_stack"})
    expectTheSameEachTime({"crashes", kind});
}

TEST_CASE("programs with mutexes in all sorts of memory have the same counts each time",
          "[.campaign][campaign]") {
  for (const char* mode : {"private", "reused", "handed_on", "shared"})
    expectTheSameEachTime({"heap_mutexes", mode});
  for (const char* mode : {"stack", "thread_local"}) expectTheSameEachTime({"local_mutexes", mode});
  for (const char* mode : {"thread_local", "key", "global"}) expectTheSameEachTime({"late_locks", mode});
  for (const char* name :
       {"thread_tree", "vector_of_mutexes", "shared_pointers", "strings", "streams", "printing"})
    expectTheSameEachTime({name});
}

}  // namespace
}  // namespace mcmini
