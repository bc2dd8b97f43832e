#include "core/report/symbolizer.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>

#include "test/support/none.hpp"
#include "test/support/telltale_program.hpp"

namespace mcmini {
namespace {

std::vector<std::string> functionNames(const Symbolizer& symbolizer,
                                       const std::vector<std::uint64_t>& stack) {
  std::vector<std::string> names;
  for (std::uint64_t pc : stack)
    for (const Location& location : symbolizer.frames(pc)) names.push_back(location.function);
  return names;
}

void checkClaims(const WaitingProgram& program, const Symbolizer& symbolizer, const std::string& fileName) {
  REQUIRE(!program.claims().empty());
  for (const Claim& claim : program.claims()) {
    INFO(claim.kind << " " << claim.name);
    if (claim.kind == "variable") CHECK(symbolizer.variable(claim.address) == claim.name);
    if (claim.kind == "function") CHECK(symbolizer.function(claim.address) == claim.name);
    if (claim.kind != "place") continue;
    Location location = symbolizer.locate(claim.address);
    CHECK(location.function == claim.name);
    CHECK(shortPlace(location) == fileName + ":" + std::to_string(claim.line));
    CHECK(std::filesystem::path(location.file).is_absolute());
    CHECK(symbolizer.hasDebugInfo(claim.address));
  }
}

constexpr const char* kDinner = R"(#include "telltale.h"
struct Seat { int number; pthread_mutex_t mutex; pthread_cond_t turn; };
typedef volatile struct Seat Chair;
pthread_mutex_t fork_[5];
static Chair table[4];
static struct { pthread_mutex_t lock; struct { int count; sem_t free[2]; } slots; } pool;
pthread_mutex_t grid[2][3];
pthread_spinlock_t spin;
struct { union { pthread_rwlock_t access; int number; }; pthread_barrier_t barrier; } hall;
int size = 4;
_Thread_local int own;

static inline __attribute__((always_inline)) void chew(void) {
  HERE();
}
static inline __attribute__((always_inline)) void eat(void) {
  size += 1;
  chew();
}
__attribute__((noinline)) static void serve(void) {
  static pthread_mutex_t guard;
  printf("variable %p 0 %s\n", (void*)&guard, "serve::guard");
  eat();
  size += 1;
}
__attribute__((noinline)) static void inner(int depth) {
  volatile int kept = depth;
  snapshot("image");
  size += kept;
}
static inline __attribute__((always_inline)) void middle(int depth) {
  inner(depth + 1);
  size += 1;
}
__attribute__((noinline)) static void outer(int depth) {
  middle(depth + 1);
  size += 1;
}
int main(void) {
  HERE();
  FUNCTION(main);
  FUNCTION(outer);
  NAMED(fork_[0]);
  NAMED(fork_[4]);
  NAMED(table[0].number);
  NAMED(table[3].mutex);
  NAMED(table[2].turn);
  NAMED(pool.lock);
  NAMED(pool.slots.free[1]);
  NAMED(grid[0][0]);
  NAMED(grid[1][2]);
  NAMED(spin);
  NAMED(hall.access);
  NAMED(hall.barrier);
  NAMED(size);
  printf("variable %p 0 %s\n", (void*)((char*)&grid[1][0] + 8), "grid[1][0]+8");
  printf("unnamed %p 0 own\n", (void*)&own);
  printf("unnamed %p 0 heap\n", (void*)stdout);
  serve();
  outer(0);
  pause_here();
  return 0;
}
)";

constexpr const char* kPool = R"(#include "telltale.h"
#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
struct Empty {};
struct Base { int rank; std::mutex guard; };
struct Job : Empty, Base { virtual ~Job() = default; std::condition_variable done; };
struct Lockable : Empty { std::mutex lock; };
class Singleton {
 public:
  static Singleton& get() { static Singleton only; return only; }
  static std::mutex instance_;
  inline static std::array<pthread_mutex_t, 3> all_;
  std::mutex mine;
};
std::mutex Singleton::instance_;
namespace app {
struct Pool { std::mutex lock; std::array<Job, 2> jobs; std::condition_variable_any wake[2]; template <class T> void work(T); };
Pool pool;
namespace { std::recursive_mutex hidden; }
namespace inside { pthread_cond_t conds[2]; }
}
template <class T> struct Registry { static std::mutex lock; };
template <class T> std::mutex Registry<T>::lock;
std::array<std::array<std::mutex, 3>, 2> matrix;
std::condition_variable conditions[3];
Lockable lockable;
volatile int steps;

template <class T> __attribute__((noinline)) void app::Pool::work(T) {
  UNDER("app::Pool::work");
  steps = 1;
  std::lock_guard<std::mutex> guarded(lock);
  steps = 2;
}
namespace {
__attribute__((noinline)) void secret() { UNDER("secret"); steps = 3; }
}
__attribute__((noinline)) static void drive(int from) { app::pool.work(from); steps = 4; }
int main() {
  NAMED(Singleton::instance_);
  NAMED(Singleton::all_[2]);
  NAMED(app::pool.lock);
  NAMED(app::pool.jobs[1].guard);
  NAMED(app::pool.jobs[1].done);
  NAMED(app::pool.wake[1]);
  printf("variable %p 0 %s\n", (void*)&app::hidden, "app::hidden");
  NAMED(app::inside::conds[1]);
  NAMED(Registry<int>::lock);
  NAMED(Registry<char>::lock);
  NAMED(matrix[1][2]);
  NAMED(conditions[2]);
  NAMED(lockable.lock);
  printf("variable %p 0 %s\n", (void*)&Singleton::get().mine, "Singleton::get::only.mine");
  secret();
  auto lambda = [](int) __attribute__((noinline)) { UNDER("main::{lambda}"); steps = 5; };
  lambda(1);
  auto inlined = [&] { UNDER("main::{lambda}"); steps = 6; };
  inlined();
  drive(7);
  pause_here();
}
)";

/// Stands in for libmcmini: the program's pthread_mutex_lock arrives here.
constexpr const char* kWrapper = R"(#include "telltale.h"
int pthread_mutex_lock(pthread_mutex_t* mutex) {
  snapshot("image");
  (void)mutex;
  return 0;
}
)";

}  // namespace

TEST_CASE("a C program's addresses get the names that its author gave", "[symbolizer]") {
  Compiler compiler = GENERATE(from_range(compilers()));
  std::string flags =
      GENERATE("-O0 -gdwarf-5", "-O0 -gdwarf-4", "-O2 -gdwarf-5", "-O2 -gdwarf-4", "-O1 -g -no-pie -fno-pie");
  INFO(compiler.c << " " << flags);
  TemporaryDirectory directory;
  directory.write("dinner.c", kDinner);
  directory.run(compiler.c + " " + flags + " dinner.c -o dinner -pthread");
  WaitingProgram program(directory / "dinner");
  Symbolizer symbolizer(program.process());

  checkClaims(program, symbolizer, "dinner.c");
  CHECK(symbolizer.variable(program.claim("own").address) == kNone);
  CHECK(symbolizer.variable(program.claim("outer").address) == kNone);
  CHECK(symbolizer.locate(program.claim("main").address).module == "dinner");

  SECTION("and an inlined call shows each caller at the line of its call") {
    const Claim& chew = program.claim("chew");
    std::vector<Location> frames = symbolizer.frames(chew.address);
    REQUIRE(frames.size() == 3);
    CHECK(frames[0].function == "chew");
    CHECK(frames[1].function == "eat");
    CHECK(shortPlace(frames[1]) == "dinner.c:" + std::to_string(chew.line + 4));
    CHECK(frames[2].function == "serve");
    CHECK(shortPlace(frames[2]) == "dinner.c:" + std::to_string(chew.line + 9));
    CHECK(symbolizer.function(chew.address) == "serve");
  }

  SECTION("and a copy of its stack gives the calls back") {
    std::vector<std::uint64_t> stack = symbolizer.unwind(readImage(directory / "image"));
    std::vector<std::string> names = functionNames(symbolizer, stack);
    std::vector<std::string> expected = {"snapshot", "inner", "middle", "outer", "main"};
    REQUIRE(names.size() >= expected.size());
    names.resize(expected.size());
    CHECK(names == expected);
    CHECK(symbolizer.userCode(stack).function == "snapshot");
  }
}

TEST_CASE("a C++ program's addresses get names without clutter", "[symbolizer]") {
  Compiler compiler = GENERATE(from_range(compilers()));
  std::string flags = GENERATE("-O0 -gdwarf-5", "-O2 -gdwarf-4", "-O2 -gdwarf-5 -no-pie -fno-pie");
  INFO(compiler.cxx << " " << flags);
  TemporaryDirectory directory;
  directory.write("pool.cpp", kPool);
  directory.write("wrapper.c", kWrapper);
  directory.run(compiler.c + " -O2 -fPIC -shared wrapper.c -o libmcmini-wrapper.so");
  directory.run(compiler.cxx + " -std=c++17 " + flags +
                " pool.cpp -o pool -pthread -L. -lmcmini-wrapper -Wl,-rpath,'$ORIGIN'");
  WaitingProgram program(directory / "pool");
  Symbolizer symbolizer(program.process());
  checkClaims(program, symbolizer, "pool.cpp");

  SECTION("and a lock of std::mutex is found in the user's function, not in the header") {
    std::vector<std::uint64_t> stack = symbolizer.unwind(readImage(directory / "image"));
    Location location = symbolizer.userCode(stack);
    CHECK(location.function == "app::Pool::work");
    CHECK(shortPlace(location) == "pool.cpp:" + std::to_string(program.claim("app::Pool::work").line + 2));
    CHECK(location.module == "pool");
  }
}

TEST_CASE("a class that clang describes in another unit is still walked into", "[symbolizer]") {
  Compiler compiler = GENERATE(from_range(compilers()));
  INFO(compiler.cxx);
  TemporaryDirectory directory;
  directory.write(
      "pool.hpp",
      "#include <pthread.h>\nnamespace app { struct Pool { Pool(); int n; pthread_mutex_t lock; }; }\n");
  directory.write("pool.cpp", "#include \"pool.hpp\"\napp::Pool::Pool() : n(1), lock() {}\n");
  directory.write("main.cpp",
                  "#include \"telltale.h\"\n#include \"pool.hpp\"\napp::Pool pools[3];\n"
                  "int main() { NAMED(pools[2].lock); pause_here(); }\n");
  directory.run(compiler.cxx + " -g main.cpp pool.cpp -o pools");
  WaitingProgram program(directory / "pools");
  checkClaims(program, Symbolizer(program.process()), "main.cpp");
}

TEST_CASE("without debug information the symbols have to do", "[symbolizer]") {
  std::string flags = GENERATE("-O1", "-O1 -rdynamic -s");
  INFO(flags);
  TemporaryDirectory directory;
  directory.write(
      "plain.c",
      "#include \"telltale.h\"\npthread_mutex_t fork_[5];\n"
      "__attribute__((noinline)) void work(void) { HERE(); }\n"
      "int main(void) { NAMED(fork_); NAMED(fork_[1]); work(); FUNCTION(main); pause_here(); }\n");
  directory.run(MCMINI_TEST_CC " " + flags + " plain.c -o plain");
  WaitingProgram program(directory / "plain");
  Symbolizer symbolizer(program.process());
  CHECK(symbolizer.variable(program.claim("fork_").address) == "fork_");
  CHECK(symbolizer.variable(program.claim("fork_[1]").address) == "fork_+40");
  CHECK(symbolizer.function(program.claim("main").address) == "main");
  CHECK_FALSE(symbolizer.hasDebugInfo(program.claim("main").address));
  Location work = symbolizer.locate(program.claim("work").address);
  CHECK(shortPlace(work) == "work");
  CHECK(work.module == "plain");
}

TEST_CASE("debug information in a file next to the program is found", "[symbolizer]") {
  TemporaryDirectory directory;
  directory.write("dinner.c", kDinner);
  directory.run(MCMINI_TEST_CC
                " -g -O1 dinner.c -o dinner -pthread && objcopy --only-keep-debug dinner dinner.debug");
  directory.run("objcopy --strip-all --add-gnu-debuglink=dinner.debug dinner");
  WaitingProgram program(directory / "dinner");
  checkClaims(program, Symbolizer(program.process()), "dinner.c");
}

TEST_CASE("a program whose file was deleted has no names and does no harm", "[symbolizer]") {
  TemporaryDirectory directory;
  directory.write("dinner.c", kDinner);
  directory.run(MCMINI_TEST_CC " -g dinner.c -o dinner -pthread");
  WaitingProgram program(directory / "dinner");
  std::filesystem::remove(directory / "dinner");
  Symbolizer symbolizer(program.process());
  const Claim& main = program.claim("main");
  CHECK(symbolizer.variable(program.claim("size").address) == kNone);
  CHECK(symbolizer.function(main.address) == kNone);
  CHECK(shortPlace(symbolizer.locate(main.address)) == "dinner+?");
  CHECK_FALSE(symbolizer.hasDebugInfo(main.address));
  StackImage image = readImage(directory / "image");
  CHECK(symbolizer.unwind(image).front() == image.registers[16]);
}

TEST_CASE("a process that does not exist has no names", "[symbolizer]") {
  Symbolizer symbolizer(-1);
  CHECK(symbolizer.variable(0x1000) == kNone);
  CHECK(symbolizer.function(0x1000) == kNone);
  CHECK(symbolizer.frames(0x1000).size() == 1);
  CHECK(symbolizer.userCode({}).function == kNone);
  StackImage image;
  image.registers[16] = 0x1000;
  CHECK(symbolizer.unwind(image) == std::vector<std::uint64_t>{0x1000});
}

TEST_CASE("unwinding a damaged stack ends, and begins with the given pc", "[symbolizer]") {
  TemporaryDirectory directory;
  directory.write("dinner.c", kDinner);
  directory.run(MCMINI_TEST_CC " -g -O2 dinner.c -o dinner -pthread");
  WaitingProgram program(directory / "dinner");
  Symbolizer symbolizer(program.process());
  StackImage intact = readImage(directory / "image");
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    StackImage image = intact;
    if (round % 3 == 0) image.bytes.resize(random() % image.bytes.size());
    if (round % 3 == 1) image.registers[random() % 17] = random();
    for (int damage = 0; damage < 8 && !image.bytes.empty(); ++damage)
      image.bytes[random() % image.bytes.size()] = static_cast<std::byte>(random());
    std::vector<std::uint64_t> stack = symbolizer.unwind(image);
    REQUIRE(!stack.empty());
    REQUIRE(stack.size() <= 64);
    REQUIRE(stack.front() == image.registers[16]);
  }
}

TEST_CASE("the innermost frames of a deep recursion are kept", "[symbolizer]") {
  TemporaryDirectory directory;
  directory.write(
      "deep.c",
      "#include \"telltale.h\"\nvolatile int n;\n"
      "void dive(int depth) { if (depth == 0) snapshot(\"image\"); else dive(depth - 1); n += 1; }\n"
      "int main(void) { FUNCTION(dive); dive(200); pause_here(); }\n");
  directory.run(MCMINI_TEST_CC " -g deep.c -o deep");
  WaitingProgram program(directory / "deep");
  Symbolizer symbolizer(program.process());
  std::vector<std::uint64_t> stack = symbolizer.unwind(readImage(directory / "image"));
  REQUIRE(stack.size() == 64);
  CHECK(symbolizer.function(stack[0]) == "snapshot");
  CHECK(symbolizer.function(stack[63]) == "dive");
}

TEST_CASE("a place is a file and line, else a function, else a module", "[symbolizer]") {
  CHECK(shortPlace({"f", "/home/me/philo.c", 18, "philo"}) == "philo.c:18");
  CHECK(shortPlace({"f", "", 0, "philo"}) == "f");
  CHECK(shortPlace({"", "", 0, "philo"}) == "philo+?");
}

}  // namespace mcmini
