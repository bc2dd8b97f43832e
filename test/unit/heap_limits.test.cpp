#include <catch2/catch.hpp>

#include "test/support/workshop.hpp"

// What the heap refuses.

namespace mcmini {
namespace {

using namespace test;

TEST_CASE("free of a pointer that is not ours aborts with glibc's sentence", "[heap]") {
  expectAbort("int local; free(&local);", "free(): invalid pointer\n");
  expectAbort("static long global[8]; free(&global[4]);", "free(): invalid pointer\n");
  expectAbort("free(static_cast<char*>(malloc(50)) + 1);", "free(): invalid pointer\n");
  expectAbort("free(static_cast<char*>(calloc(1, 50)) + 32);", "free(): invalid pointer\n");
  expectAbort("void* signals; free(prepareSlot(1, 65536, &signals));", "free(): invalid pointer\n");
  expectAbort("long local[2]; realloc(&local, 100);", "realloc(): invalid pointer\n");
}

TEST_CASE("a second free of the same block aborts with a sentence", "[heap]") {
  expectAbort("void* it = malloc(50); free(it); free(it);", "free(): double free detected\n");
  expectAbort("void* it = malloc(5000000); free(it); free(it);", "free(): double free detected\n");
  expectAbort("void* it = memalign(64, 50); free(it); free(it);", "free(): double free detected\n");
  expectAbort("void* it = malloc(50); onThread(1, [&] { free(it); }); free(it);",
              "free(): double free detected\n");
  expectAbort("void* it = malloc(50); free(it); realloc(it, 60);", "realloc(): memory was freed\n");
}

TEST_CASE("a block that overruns into the next one is noticed when that is freed", "[heap]") {
  expectAbort("auto* a = static_cast<char*>(malloc(32)); void* b = malloc(32); a[32] = 0; free(b);",
              "free(): invalid pointer\n");
}

TEST_CASE("malloc fails beyond the memory limit", "[heap]") {
  expectSuccess(R"(
int main() {
  setMemoryLimit(50 * kMiB);
  EXPECT(!hadShortage());
  void* most = malloc(40 * kMiB);
  EXPECT(most != nullptr && !hadShortage());
  errno = 0;
  EXPECT(malloc(20 * kMiB) == nullptr && errno == ENOMEM && hadShortage());
  EXPECT(realloc(most, 60 * kMiB) == nullptr);
  void* aligned;
  EXPECT(posix_memalign(&aligned, 64, 20 * kMiB) == ENOMEM);
  free(most);
  EXPECT(charge(40 * kMiB) && !charge(20 * kMiB) && !charge(SIZE_MAX));
  EXPECT(malloc(20 * kMiB) == nullptr);
  discharge(40 * kMiB);
  size_t blocks = 0;
  while (malloc(1000) != nullptr) ++blocks;
  EXPECT(blocks > 50000 && blocks < 53000);
  setMemoryLimit(0);
  EXPECT(malloc(100 * kMiB) != nullptr);
})");
}

TEST_CASE("what is freed does not count against the limit", "[heap]") {
  expectSuccess(R"(
int main() {
  setMemoryLimit(20 * kMiB);
  for (size_t size = 1; size < 9 * kMiB; size += size / 8 + 1) {
    void* memory = memalign(64, size);
    EXPECT(memory != nullptr);
    memory = realloc(memory, size + size / 20);
    EXPECT(memory != nullptr);
    free(memory);
  }
  for (int i = 0; i < 10; ++i) free(realloc(malloc(9 * kMiB), 6 * kMiB));
  EXPECT(!hadShortage() && malloc(19 * kMiB) != nullptr);
})");
}

TEST_CASE("impossible sizes give ENOMEM", "[heap]") {
  expectSuccess(R"(
#define NO_MEMORY(call) errno = 0; EXPECT(call == nullptr && errno == ENOMEM)
int main() {
  volatile size_t all = SIZE_MAX, half = SIZE_MAX / 2;
  NO_MEMORY(malloc(all));
  NO_MEMORY(malloc(half + 1));
  NO_MEMORY(calloc(half, 3));
  NO_MEMORY(reallocarray(nullptr, half, 3));
  NO_MEMORY(memalign(64, all - 10));
  EXPECT(!hadShortage());
  NO_MEMORY(memalign(half + 1, 10));
  void* kept = malloc(10);
  NO_MEMORY(realloc(kept, size_t{1} << 40));
  EXPECT(hadShortage());
  free(kept);
})");
}

TEST_CASE("a slot that is full gives ENOMEM", "[heap]") {
  expectSuccess(R"(
int main() {
  size_t granted = 0;
  while (malloc(100 * kMiB) != nullptr) ++granted;
  EXPECT(errno == ENOMEM && hadShortage() && granted > 20);
  setMemoryLimit((granted * 100 + 1) * kMiB);
  EXPECT(malloc(1000) != nullptr);
  setMemoryLimit(0);
  onThread(1, [] { EXPECT(malloc(100 * kMiB) != nullptr); });
})");
}

TEST_CASE("under a limit of address space the slots are smaller", "[heap]") {
  REQUIRE(workshop()
              .compile(R"(
int main() {
  void* memory = malloc(30 * kMiB);
  EXPECT(memory != nullptr);
  onThread(1023, [&] { free(memory); EXPECT(slotOf(malloc(10)) == 1023 && malloc(30 * kMiB) == memory); });
})")
              .status == 0);
  const std::string program = workshop().program();
  expectSuccess(workshop().preloaded("sh -c 'ulimit -v 100000000; exec " + program + "'"));
  const Workshop::Outcome refused = workshop().shell("ulimit -v 8000000; exec " + program);
  CHECK(refused.status == 4);
  CHECK(refused.errors.find("ulimit -v") != std::string::npos);
}

}  // namespace
}  // namespace mcmini
