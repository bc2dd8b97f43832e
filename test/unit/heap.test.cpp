#include <catch2/catch.hpp>
#include <sstream>

#include "test/support/workshop.hpp"

// Blocks: what malloc and its kin promise.

namespace mcmini {
namespace {

using namespace test;

TEST_CASE("the heap needs libc and nothing else", "[heap]") {
  expectSuccess(workshop().built());
  if (!present("readelf")) return;
  std::istringstream lines(workshop().shell("readelf -d " + workshop().library()).output);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    if (line.find("(NEEDED)") == std::string::npos) continue;
    CHECK((line.find("[libc.so") != std::string::npos || line.find("[ld-linux") != std::string::npos));
  }
}

TEST_CASE("blocks are aligned, apart from each other, and keep their content", "[heap]") {
  expectSuccess(R"(
struct Owned { unsigned char* memory; size_t size; unsigned char fill; };
Owned owned[500];
uint64_t seed = 88172645463325252u;
uint64_t random(uint64_t bound) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed % bound;
}
size_t anySize() {
  size_t kind = random(100);
  return kind < 80 ? random(300) : kind < 97 ? random(20000) : kind < 99 ? random(kMiB) : kMiB + random(2 * kMiB);
}
void fill(Owned& it, unsigned char* memory, size_t size) {
  EXPECT(memory != nullptr && malloc_usable_size(memory) >= size);
  it = {memory, size, static_cast<unsigned char>(random(255) + 1)};
  memset(memory, it.fill, size);
}
void verify(const Owned& it, size_t size) {
  for (size_t i = 0; i < size; ++i) EXPECT(it.memory[i] == it.fill);
}
int main() {
  for (int step = 0; step < 60000; ++step) {
    Owned& it = owned[random(500)];
    const size_t size = anySize();
    if (it.memory != nullptr && random(3) == 0) {
      verify(it, it.size);
      auto* moved = static_cast<unsigned char*>(realloc(it.memory, size + 1));
      EXPECT(reinterpret_cast<uintptr_t>(moved) % 16 == 0);
      it.memory = moved;
      verify(it, it.size < size ? it.size : size);
      fill(it, moved, size + 1);
      continue;
    }
    verify(it, it.size);
    free(it.memory);
    const size_t alignment = size_t{1} << random(17);
    auto* memory = static_cast<unsigned char*>(random(4) == 0 ? memalign(alignment, size)
                                                    : random(2) == 0 ? calloc(1, size) : malloc(size));
    EXPECT(reinterpret_cast<uintptr_t>(memory) % 16 == 0);
    fill(it, memory, size);
  }
  for (Owned& it : owned) verify(it, it.size), free(it.memory);
})");
}

TEST_CASE("alignments are honoured by every function that takes one", "[heap]") {
  expectSuccess(R"(
int main() {
  for (size_t alignment = 1; alignment <= 4 * kMiB; alignment *= 2)
    for (size_t size : {0, 1, 100, 5000, 3000000}) {
      void* memory[4] = {memalign(alignment, size), aligned_alloc(alignment, size), memalign(alignment, size)};
      EXPECT(posix_memalign(&memory[3], alignment < 8 ? 8 : alignment, size) == 0);
      for (void* it : memory) {
        EXPECT(it != nullptr && reinterpret_cast<uintptr_t>(it) % alignment == 0);
        memset(it, 1, size);
        EXPECT(malloc_usable_size(it) >= size);
      }
      memory[0] = realloc(memory[0], size + 50000);
      for (size_t i = 0; i < size; ++i) EXPECT(static_cast<char*>(memory[0])[i] == 1);
      for (void* it : memory) free(it);
    }
  EXPECT(reinterpret_cast<uintptr_t>(valloc(5)) % 4096 == 0);
  EXPECT(malloc_usable_size(pvalloc(5)) >= 4096);
  EXPECT(pvalloc(SIZE_MAX) == nullptr);
  void* untouched = &untouched;
  for (size_t wrong : {size_t{0}, size_t{4}, size_t{24}, size_t{48}})
    EXPECT(posix_memalign(&untouched, wrong, 8) == EINVAL && untouched == &untouched);
  EXPECT(reinterpret_cast<uintptr_t>(memalign(48, 8)) % 64 == 0);
})");
}

TEST_CASE("calloc zeroes memory that is used again", "[heap]") {
  expectSuccess(R"(
int main() {
  for (size_t size : {size_t{1}, size_t{100}, size_t{5000}, size_t{300000}, 2 * kMiB, 70 * kMiB}) {
    auto* first = static_cast<unsigned char*>(malloc(size));
    memset(first, 0xff, size);
    free(first);
    auto* again = static_cast<unsigned char*>(calloc(size, 1));
    EXPECT(again == first);
    for (size_t i = 0; i < size; ++i) EXPECT(again[i] == 0);
  }
})");
}

TEST_CASE("calloc zeroes memory that could not be given back since it is locked", "[heap]") {
  expectSuccess(R"(
int main() {
  auto* first = static_cast<unsigned char*>(malloc(2 * kMiB));
  memset(first, 0xff, 2 * kMiB);
  if (mlock(first, 2 * kMiB) != 0) return 0;
  free(first);
  auto* again = static_cast<unsigned char*>(calloc(2 * kMiB, 1));
  EXPECT(again == first);
  for (size_t i = 0; i < 2 * kMiB; ++i) EXPECT(again[i] == 0);
})");
}

TEST_CASE("realloc stays in place while the block allows it", "[heap]") {
  expectSuccess(R"(
int main() {
  void* small = malloc(100);
  EXPECT(realloc(small, 112) == small && realloc(small, 60) == small);
  void* large = malloc(9 * kMiB);
  EXPECT(realloc(large, 10 * kMiB) == large && realloc(large, 6 * kMiB) == large);
  EXPECT(realloc(large, 10) != large);
  EXPECT(realloc(malloc(8), 0) == nullptr);
  EXPECT(realloc(nullptr, 8) != nullptr);
})");
}

TEST_CASE("an array may grow page by page", "[heap]") {
  expectSuccess(R"(
int main() {
  char* array = nullptr;
  for (size_t size = 4096; size <= 200 * kMiB; size += 4096) {
    array = static_cast<char*>(realloc(array, size));
    EXPECT(array != nullptr);
    array[size - 1] = 1;
  }
  for (size_t size = 4096; size <= 200 * kMiB; size += 4096) EXPECT(array[size - 1] == 1);
})");
}

TEST_CASE("large memory is given back to the kernel when it is freed", "[heap]") {
  expectSuccess(R"(
int main() {
  auto* memory = static_cast<char*>(malloc(16 * kMiB));
  memset(memory, 1, 16 * kMiB);
  auto* page = reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(memory) + 8 * kMiB) & ~4095ul);
  unsigned char resident = 0;
  EXPECT(mincore(page, 4096, &resident) == 0 && (resident & 1) == 1);
  free(memory);
  EXPECT(mincore(page, 4096, &resident) == 0 && (resident & 1) == 0);
})");
}

TEST_CASE("free leaves errno alone", "[heap]") {
  expectSuccess(R"(
int main() {
  void* small = malloc(10);
  void* large = malloc(5 * kMiB);
  errno = EINTR;
  free(small), free(large), free(nullptr);
  EXPECT(errno == EINTR);
})");
}

}  // namespace
}  // namespace mcmini
