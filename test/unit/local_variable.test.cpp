#include <catch2/catch.hpp>

#include "core/report/symbolizer.hpp"
#include "test/support/none.hpp"
#include "test/support/telltale_program.hpp"

namespace mcmini {
namespace {

constexpr const char* kLocals = R"(#include "telltale.h"
#define LOCAL(object) printf("local %p 0 %s\n", (void*)&(object), #object)
struct Seat { int number; pthread_mutex_t mutex; };
static volatile int size = 7;
static inline __attribute__((always_inline)) void sit(struct Seat* seat) {
  pthread_mutex_t chair;
  LOCAL(chair);
  snapshot("image");
  size += seat->number;
}
__attribute__((noinline)) static void eat(struct Seat* seats, int number) {
  struct Seat own[2] = {{1}, {2}};
  LOCAL(own[1].mutex);
  LOCAL(number);
  for (int i = 0; i < 1; ++i) {
    pthread_mutex_t inside;
    LOCAL(inside);
    sit(&own[i]);
    printf("%d\n", seats[2].number + number + own[1].number);
  }
}
int main(void) {
  struct Seat table[3] = {{1}, {2}, {3}};
  pthread_mutex_t lock;
  static pthread_mutex_t fixed;
  LOCAL(lock);
  LOCAL(table[0].number);
  LOCAL(table[2].mutex);
  printf("unnamed %p 0 fixed\n", (void*)&fixed);
  printf("unnamed %p 0 heap\n", (void*)stdout);
  eat(table, size);
  pause_here();
  return size + table[1].number;
}
)";

TEST_CASE("what lies in a copied stack has the name of the local variable", "[symbolizer]") {
  Compiler compiler = GENERATE(from_range(compilers()));
  std::string flags = GENERATE("-O0 -gdwarf-5", "-O0 -gdwarf-4 -fomit-frame-pointer", "-O2 -gdwarf-5",
                               "-O2 -gdwarf-4 -no-pie -fno-pie", "-O1");
  bool isKnown = flags != "-O1";
  INFO(compiler.c << " " << flags);
  TemporaryDirectory directory;
  directory.write("locals.c", kLocals);
  directory.run(compiler.c + " " + flags + " locals.c -o locals -pthread");
  WaitingProgram program(directory / "locals");
  Symbolizer symbolizer(program.process());
  StackImage image = readImage(directory / "image");
  REQUIRE(program.claims().size() > 7);
  for (const Claim& claim : program.claims()) {
    INFO(claim.kind << " " << claim.name);
    bool isLost = claim.name == "number" && flags.starts_with("-O2");  // gcc says only where it was passed
    if (!isLost)
      CHECK(symbolizer.local(image, claim.address) == (claim.kind == "local" && isKnown ? claim.name : ""));
  }
  CHECK(symbolizer.local(image, image.address + image.bytes.size()) == kNone);
  CHECK(symbolizer.local({}, program.claim("lock").address) == kNone);
}

}  // namespace
}  // namespace mcmini
