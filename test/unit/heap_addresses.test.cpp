#include <catch2/catch.hpp>

#include "test/support/workshop.hpp"

// Which addresses a thread gets does not depend on the others.

namespace mcmini {
namespace {

using namespace test;

TEST_CASE("a freed block is used again by the thread that freed it and by no other", "[heap]") {
  expectSuccess(R"(
int main() {
  for (size_t size : {size_t{64}, size_t{5000}, 2 * kMiB}) {
    void* mine = malloc(size);
    void *others, *reused;
    onThread(1, [&] {
      free(mine);
      onThread(2, [&] { others = malloc(size); });
      reused = malloc(size);
    });
    EXPECT(slotOf(mine) == 0 && slotOf(others) == 2 && reused == mine);
    free(others);
    onThread(2, [&] { EXPECT(malloc(size) != others); });
    EXPECT(malloc(size) == others);
  }
})");
}

TEST_CASE("what a thread gets does not depend on what the others did before", "[heap]") {
  expectSuccess(R"(
int main() {
  auto second = [](Addresses& addresses) { onThread(2, [&] { allocateAll(addresses); }); };
  auto busy = [](size_t size, bool freeing) {
    onThread(1, [&] {
      for (int i = 0; i < 1000; ++i) { void* memory = malloc(size); if (freeing) free(memory); }
    });
  };
  Addresses alone = inChild(second);
  Addresses afterOne = inChild([&](Addresses& a) { busy(40, false); second(a); });
  Addresses afterAnother = inChild([&](Addresses& a) { busy(40, true); busy(400, false); malloc(40); second(a); });
  EXPECT(same(alone, afterOne) && same(alone, afterAnother));
  for (void* address : alone.of) EXPECT(slotOf(address) == 2);
})");
}

TEST_CASE("what libc allocates for itself does not shift the program's addresses", "[heap]") {
  expectSuccess(R"(
int main() {
  Addresses silent = inChild(allocateAll);
  Addresses talking = inChild([](Addresses& addresses) {
    printf("the first character makes a buffer\n");
    char* copy = strdup("copied");
    FILE* file = fopen("/dev/null", "w");
    fprintf(file, "%s", copy);
    allocateAll(addresses);
    fclose(file);
    EXPECT(slotOf(copy) == 0);
    free(copy);
    EXPECT(strdup("copied") == copy);
    setenv("MCMINI_TEST", "1", 1);
  });
  EXPECT(same(silent, talking));
})");
}

TEST_CASE("creating and joining a thread does not shift the creator's addresses", "[heap]") {
  expectSuccess(R"(
thread_local char local[5000];
int main() {
  Addresses alone = inChild(allocateAll);
  Addresses creating = inChild([](Addresses& addresses) {
    for (int i = 1; i < 20; ++i) onThread(i, [] { local[0] = 1; });
    allocateAll(addresses);
  });
  EXPECT(same(alone, creating));
})");
}

TEST_CASE("two children of one process get the same addresses", "[heap]") {
  expectSuccess(R"(
int main() {
  for (int i = 0; i < 100; ++i) free(malloc(i * 7));
  Addresses one = inChild(allocateAll), other = inChild(allocateAll);
  EXPECT(same(one, other));
  allocateAll(other);
  EXPECT(same(one, other));
})");
}

TEST_CASE("a block of the runtime arena is never used again", "[heap]") {
  expectSuccess(R"(
int main() {
  Addresses plain = inChild(allocateAll);
  Addresses mixed = inChild([](Addresses& addresses) {
    char* first = static_cast<char*>(allocateForRuntime(100));
    first[99] = 1;
    free(first), free(first);
    onThread(1, [&] { free(first); });
    EXPECT(first[99] == 1 && allocateForRuntime(100) != first);
    char* moved = static_cast<char*>(realloc(first, 5000));
    EXPECT(moved != first && moved[99] == 1);
    free(moved);
    allocateAll(addresses);
    for (void* address : addresses.of) EXPECT(address != first);
  });
  plain = inChild([](Addresses& addresses) { free(malloc(5000)); allocateAll(addresses); });
  EXPECT(same(plain, mixed));
})");
}

TEST_CASE("threads that were given no slot do not disturb each other", "[heap]") {
  expectSuccess(R"(
int main() {
  pthread_t threads[8];
  for (pthread_t& thread : threads)
    pthread_create(&thread, nullptr, [](void*) -> void* {
      void* kept[16] = {};
      for (int i = 0; i < 200000; ++i) {
        void*& it = kept[i % 16];
        if (it != nullptr) { EXPECT(*static_cast<void**>(it) == &it); free(it); }
        it = malloc(8 + i % 500);
        *static_cast<void**>(it) = &it;
      }
      return kept[0];
    }, nullptr);
  for (pthread_t& thread : threads) {
    void* kept;
    pthread_join(thread, &kept);
    EXPECT(slotOf(kept) >= 1016);
  }
})");
}

}  // namespace
}  // namespace mcmini
