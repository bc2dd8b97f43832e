// The heap replaces malloc, so it is tested from outside: it is built into a library, and small programs run
// with that preloaded.

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#ifndef MCMINI_TEST_CXX
#define MCMINI_TEST_CXX "c++"
#endif

namespace {

namespace fs = std::filesystem;

// What the library hides, with C names.
constexpr const char* kDoors = R"(
#include "libmcmini/heap.h"
#define DOOR extern "C" __attribute__((visibility("default")))
DOOR void* prepareSlot(unsigned thread, size_t size, void** signalStack) {
  mcmini::StackSpace space = mcmini::prepareSlot(thread, size);
  *signalStack = space.signalStack;
  return space.lowest;
}
DOOR void useSlot(unsigned thread) { mcmini::useSlot(thread); }
DOOR int slotOf(const void* address) {
  uint32_t thread;
  return mcmini::slotOf(address, &thread) ? static_cast<int>(thread) : -1;
}
DOOR void setMemoryLimit(uint64_t bytes) { mcmini::setMemoryLimit(bytes); }
DOOR bool memoryLimitHit() { return mcmini::memoryLimitHit(); }
DOOR bool accountMapped(size_t bytes) { return mcmini::accountMapped(bytes); }
DOOR void unaccountMapped(size_t bytes) { mcmini::unaccountMapped(bytes); }
DOOR void* allocateForRuntime(size_t size) {
  mcmini::RuntimeAllocations scope;
  return mcmini::allocate(size, mcmini::arenaFor(__builtin_return_address(0))).memory;
}
)";

constexpr const char* kPrelude = R"(
#include <errno.h>
#include <initializer_list>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
extern "C" {
void* prepareSlot(unsigned thread, size_t size, void** signalStack);
void useSlot(unsigned thread);
int slotOf(const void* address);
void setMemoryLimit(uint64_t bytes);
bool memoryLimitHit();
bool accountMapped(size_t bytes);
void unaccountMapped(size_t bytes);
void* allocateForRuntime(size_t size);
}

#define EXPECT(condition) \
  do { if (!(condition)) { fprintf(stderr, "line %d: %s, errno %d\n", __LINE__, #condition, errno); _exit(1); } } while (0)

constexpr size_t kMiB = 1 << 20;

// Called through these, since a compiler knows too much about the functions.
static auto* volatile callMalloc = malloc;
static auto* volatile callFree = free;
static auto* volatile callCalloc = calloc;
static auto* volatile callRealloc = realloc;
static auto* volatile callMemalign = memalign;
static auto* volatile callStrdup = strdup;
#define malloc callMalloc
#define free callFree
#define calloc callCalloc
#define realloc callRealloc
#define memalign callMemalign
#define strdup callStrdup

// Runs the work in a real thread that has this slot, or none if negative.
template <class Work> void onThread(int slot, Work work) {
  struct Start { int slot; Work* work; } start{slot, &work};
  pthread_t thread;
  EXPECT(pthread_create(&thread, nullptr, [](void* argument) -> void* {
    auto* given = static_cast<Start*>(argument);
    if (given->slot >= 0) useSlot(static_cast<unsigned>(given->slot));
    (*given->work)();
    return nullptr;
  }, &start) == 0);
  EXPECT(pthread_join(thread, nullptr) == 0);
}

struct Addresses { void* of[64]; };

// Runs the work in a process of its own, for the addresses it records; the parent has its heap before.
template <class Work> Addresses inChild(Work work) {
  free(malloc(1));
  void* shared = mmap(nullptr, sizeof(Addresses), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) { work(*static_cast<Addresses*>(shared)); _exit(0); }
  int status;
  EXPECT(wait(&status) > 0 && status == 0);
  Addresses addresses = *static_cast<Addresses*>(shared);
  munmap(shared, sizeof(Addresses));
  return addresses;
}

inline bool same(const Addresses& a, const Addresses& b) { return memcmp(&a, &b, sizeof a) == 0; }

inline void allocateAll(Addresses& addresses) {
  for (size_t i = 0; i < 64; ++i) addresses.of[i] = malloc(i % 16 * 40);
}
)";

std::string read(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Outcome {
  int status;  // as a shell says it: 128 + n after signal n
  std::string output, errors;
};

class Workshop {
 public:
  Workshop() {
    std::string pattern = fs::temp_directory_path() / "mcmini-heap-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw fs::filesystem_error("mkdtemp", pattern, {});
    folder_ = pattern;
    std::ofstream(folder_ / "doors.cpp") << kDoors;
    std::ofstream(folder_ / "prelude.h") << kPrelude;
    const std::string source = MCMINI_SOURCE_DIR;
    built_ = shell(MCMINI_TEST_CXX
                   " -std=c++20 -O2 -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti "
                   "-fno-threadsafe-statics -fno-builtin-malloc -shared -nodefaultlibs -I " +
                   source + " " + source + "/libmcmini/heap.cpp " + source + "/libmcmini/malloc.cpp " +
                   path("doors.cpp") + " -lc -o " + path("libheap.so"));
  }
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  const Outcome& built() const { return built_; }
  std::string library() const { return path("libheap.so"); }
  std::string program() const { return path("program"); }

  Outcome shell(const std::string& command) const {
    const int status = system(("exec >" + path("output") + " 2>" + path("errors") + "; " + command).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(folder_ / "output"),
            read(folder_ / "errors")};
  }

  Outcome preloaded(const std::string& command) const {
    return shell("timeout -k 2 20 env LD_PRELOAD=" + library() + " " + command);
  }

  Outcome compile(const std::string& text) const {
    std::ofstream(folder_ / "program.cpp") << "#include \"prelude.h\"\n#line 1\n" + text;
    return shell(MCMINI_TEST_CXX " -std=c++20 -O1 -w -pthread " + path("program.cpp") + " " + library() +
                 " -Wl,--as-needed -o " + program());
  }

  Outcome run(const std::string& text) const {
    const Outcome compiled = compile(text);
    return compiled.status != 0 ? compiled : preloaded(program());
  }

 private:
  std::string path(const char* name) const { return folder_ / name; }

  fs::path folder_;
  Outcome built_;
};

const Workshop& workshop() {
  static const Workshop instance;
  return instance;
}

void expectSuccess(const Outcome& outcome) {
  INFO(outcome.errors);
  CHECK(outcome.status == 0);
}

void expectSuccess(const std::string& program) {
  expectSuccess(workshop().run(program));
}

void expectAbort(const std::string& program, const std::string& sentence) {
  const Outcome outcome = workshop().run("int main() { " + program + " }");
  CHECK(outcome.errors.find(sentence) == 0);
  CHECK(outcome.status == 128 + SIGABRT);
}

void expectSameOutput(const std::string& command) {
  const Outcome plain = workshop().shell(command);
  const Outcome preloaded = workshop().preloaded(command);
  expectSuccess(preloaded);
  CHECK(preloaded.output == plain.output);
  CHECK(preloaded.errors == plain.errors);
}

bool present(const std::string& program) {
  return workshop().shell("command -v " + program).status == 0;
}

}  // namespace

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
  EXPECT(!memoryLimitHit());
  void* most = malloc(40 * kMiB);
  EXPECT(most != nullptr && !memoryLimitHit());
  errno = 0;
  EXPECT(malloc(20 * kMiB) == nullptr && errno == ENOMEM && memoryLimitHit());
  EXPECT(realloc(most, 60 * kMiB) == nullptr);
  void* aligned;
  EXPECT(posix_memalign(&aligned, 64, 20 * kMiB) == ENOMEM);
  free(most);
  EXPECT(accountMapped(40 * kMiB) && !accountMapped(20 * kMiB) && !accountMapped(SIZE_MAX));
  EXPECT(malloc(20 * kMiB) == nullptr);
  unaccountMapped(40 * kMiB);
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
  EXPECT(!memoryLimitHit() && malloc(19 * kMiB) != nullptr);
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
  EXPECT(!memoryLimitHit());
  NO_MEMORY(memalign(half + 1, 10));
  void* kept = malloc(10);
  NO_MEMORY(realloc(kept, size_t{1} << 40));
  EXPECT(memoryLimitHit());
  free(kept);
})");
}

TEST_CASE("a slot that is full gives ENOMEM", "[heap]") {
  expectSuccess(R"(
int main() {
  size_t granted = 0;
  while (malloc(100 * kMiB) != nullptr) ++granted;
  EXPECT(errno == ENOMEM && memoryLimitHit() && granted > 20);
  setMemoryLimit((granted * 100 + 1) * kMiB);
  EXPECT(malloc(1000) != nullptr);
  setMemoryLimit(0);
  onThread(1, [] { EXPECT(malloc(100 * kMiB) != nullptr); });
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

TEST_CASE("a stack lies in its thread's slot, below the signal stack", "[heap]") {
  expectSuccess(R"(
int main() {
  void* signals;
  auto* lowest = static_cast<char*>(prepareSlot(5, 100001, &signals));
  const size_t size = 25 * 4096;
  EXPECT(slotOf(lowest) == 5 && slotOf(signals) == 5 && lowest + size == signals);
  memset(lowest, 1, size + 32768);
  EXPECT(static_cast<char*>(signals) - static_cast<char*>(prepareSlot(5, 1, &signals)) == 16384);
  EXPECT(prepareSlot(6, 200 * kMiB, &signals) != nullptr);
  EXPECT(prepareSlot(7, 1000 * kMiB, &signals) == nullptr && prepareSlot(7, SIZE_MAX, &signals) == nullptr);
  EXPECT(slotOf(&signals) == -1);
})");
}

TEST_CASE("a thread that overflows its stack hits the guard below", "[heap]") {
  expectSuccess(R"(
char *lowest, *signals;
int deep(int depth) { volatile char frame[2000]; frame[0] = 1; return deep(depth + 1) + frame[0]; }
void onFault(int, siginfo_t* info, void*) {
  auto* address = static_cast<char*>(info->si_addr);
  auto* here = reinterpret_cast<char*>(&address);
  _exit(address < lowest && address > lowest - 4096 && here > signals && here < signals + 32768 ? 42 : 43);
}
int main() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  lowest = static_cast<char*>(prepareSlot(1, kMiB, reinterpret_cast<void**>(&signals)));
  pthread_attr_setstack(&attributes, lowest, kMiB);
  if (fork() == 0) {
    struct sigaction action{};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
    pthread_t thread;
    pthread_create(&thread, &attributes, [](void*) -> void* {
      useSlot(1);
      stack_t stack{signals, 0, 32768};
      sigaltstack(&stack, nullptr);
      deep(0);
      return nullptr;
    }, nullptr);
    pthread_join(thread, nullptr);
    _exit(0);
  }
  int status;
  wait(&status);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 42);
})");
}

TEST_CASE("a C++ program runs on the heap", "[heap]") {
  const Outcome outcome = workshop().run(R"(
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct alignas(256) Wide { char bytes[256]; };
int main() {
  std::map<std::string, std::vector<int>> map;
  for (int i = 0; i < 10000; ++i) map["a rather long key " + std::to_string(i % 100)].push_back(i);
  try {
    map.at("missing");
  } catch (const std::out_of_range& error) {
    std::cout << "caught " << map.size() << '\n';
  }
  std::vector<Wide> wide(10);
  EXPECT(reinterpret_cast<uintptr_t>(wide.data()) % 256 == 0);
  std::thread([] { std::ostringstream text; text << 6 * 7; std::cout << text.str() << std::endl; }).join();
})");
  expectSuccess(outcome);
  CHECK(outcome.output == "caught 100\n42\n");
}

TEST_CASE("everyday programs run on the heap", "[heap]") {
  expectSameOutput("ls -l /usr");
  expectSameOutput("sh -c 'echo $((6 * 7)) | cat'");
  expectSameOutput(MCMINI_TEST_CXX " --version");
  if (present("python3")) expectSameOutput("python3 -c 'print(sum(range(10)))'");
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
  const Outcome refused = workshop().shell("ulimit -v 8000000; exec " + program);
  CHECK(refused.status == 4);
  CHECK(refused.errors.find("ulimit -v") != std::string::npos);
}
