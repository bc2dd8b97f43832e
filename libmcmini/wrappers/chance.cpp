// Random numbers repeat in each run, and those of one thread do not depend on when others draw theirs: each
// thread has generators of its own. They are glibc's, so what a single-threaded program draws after srand(42)
// is what it draws without the checker. srand and its kin seed the generator of the calling thread, and of
// the threads that it creates from then on: theirs is made of the seed and of which thread they are.

#include "libmcmini/wrappers/chance.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "libmcmini/gate.h"
#include "libmcmini/large.h"
#include "libmcmini/real.h"

extern "C" unsigned _ZNSt13random_device9_M_getvalEv(void* device);  // std::random_device::_M_getval()

MCMINI_WRAPS(rand)
MCMINI_WRAPS(srand)
MCMINI_WRAPS(random)
MCMINI_WRAPS(srandom)
MCMINI_WRAPS(initstate)
MCMINI_WRAPS(setstate)
MCMINI_WRAPS(drand48)
MCMINI_WRAPS(lrand48)
MCMINI_WRAPS(mrand48)
MCMINI_WRAPS(srand48)
MCMINI_WRAPS(seed48)
MCMINI_WRAPS(lcong48)
MCMINI_WRAPS(getrandom)
MCMINI_WRAPS(getentropy)
MCMINI_WRAPS(arc4random)
MCMINI_WRAPS(arc4random_buf)
MCMINI_WRAPS(arc4random_uniform)
MCMINI_WRAPS(_ZNSt13random_device9_M_getvalEv)

namespace mcmini {

namespace {

// What srand and srand48 were last given, here or where the thread was created. 1 is what C says of srand;
// for drand48 the main thread begins with what glibc has without a seed.
struct Seeds {
  uint32_t random;
  uint32_t drand48;
  bool operator==(const Seeds&) const = default;
};
constexpr Seeds kUnseeded = {1, 0};

__thread Seeds seeds = kUnseeded;
__thread random_data generator;
__thread char generatorState[128];
__thread drand48_data generator48;
__thread bool generator48Seeded;
__thread uint64_t entropy;

MCMINI_LARGE Seeds handedOn[wire::kMaxThreads];  // zero: unseeded
bool anyHandedOn;

// Of splitmix64.
uint64_t scrambled(uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31);
}

uint32_t ownSeed(uint32_t seed) {
  return self == 0 ? seed : static_cast<uint32_t>(scrambled((static_cast<uint64_t>(self) << 32) | seed));
}

random_data* ownGenerator() {
  if (generator.state == nullptr)
    initstate_r(ownSeed(seeds.random), generatorState, sizeof generatorState, &generator);
  return &generator;
}

drand48_data* ownGenerator48() {
  if (!generator48Seeded && self != 0) srand48_r(static_cast<long>(ownSeed(seeds.drand48)), &generator48);
  generator48Seeded = true;
  return &generator48;
}

int32_t draw() {
  int32_t number = 0;
  random_r(ownGenerator(), &number);
  return number;
}

void seedWith(uint32_t seed) {
  seeds.random = seed;
  srandom_r(seed, ownGenerator());
}

char* currentState() {
  return reinterpret_cast<char*>(ownGenerator()->state - 1);
}

// What the kernel would say: nothing seeds it.
uint64_t drawEntropy() {
  constexpr uint64_t kGoldenGamma = 0x9e3779b97f4a7c15U;
  entropy += kGoldenGamma;
  return scrambled(entropy + (static_cast<uint64_t>(self) << 48));
}

void fillWithEntropy(void* into, size_t size) {
  auto* bytes = static_cast<char*>(into);
  while (size > 0) {
    uint64_t word = drawEntropy();
    size_t part = size < sizeof word ? size : sizeof word;
    memcpy(bytes, &word, part);
    bytes += part;
    size -= part;
  }
}

}  // namespace

void handOnSeeds(const wire::Op& op, int64_t result) {
  static constexpr OpName kCreate = "thread.create";
  static constexpr OpName kStart = "thread.start";
  if (op.name == kCreate.id && result < wire::kMaxThreads && !(seeds == kUnseeded)) {
    handedOn[result] = seeds;
    anyHandedOn = true;
  }
  if (op.name == kStart.id && anyHandedOn && !(handedOn[self] == Seeds{})) seeds = handedOn[self];
}

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int rand() noexcept {
  return controlled() ? draw() : real::rand();
}

MCMINI_EXPORT long random() noexcept {
  return controlled() ? draw() : real::random();
}

MCMINI_EXPORT void srand(unsigned seed) noexcept {
  return controlled() ? seedWith(seed) : real::srand(seed);
}

MCMINI_EXPORT void srandom(unsigned seed) noexcept {
  return controlled() ? seedWith(seed) : real::srandom(seed);
}

MCMINI_EXPORT char* initstate(unsigned seed, char* state, size_t size) noexcept {
  if (!controlled()) return real::initstate(seed, state, size);
  char* before = currentState();
  seeds.random = seed;
  return initstate_r(seed, state, size, ownGenerator()) == 0 ? before : nullptr;
}

MCMINI_EXPORT char* setstate(char* state) noexcept {
  if (!controlled()) return real::setstate(state);
  char* before = currentState();
  return setstate_r(state, ownGenerator()) == 0 ? before : nullptr;
}

MCMINI_EXPORT double drand48() noexcept {
  if (!controlled()) return real::drand48();
  double number = 0;
  drand48_r(ownGenerator48(), &number);
  return number;
}

MCMINI_EXPORT long lrand48() noexcept {
  if (!controlled()) return real::lrand48();
  long number = 0;
  lrand48_r(ownGenerator48(), &number);
  return number;
}

MCMINI_EXPORT long mrand48() noexcept {
  if (!controlled()) return real::mrand48();
  long number = 0;
  mrand48_r(ownGenerator48(), &number);
  return number;
}

MCMINI_EXPORT void srand48(long seed) noexcept {
  if (!controlled()) return real::srand48(seed);
  seeds.drand48 = static_cast<uint32_t>(seed);
  srand48_r(seed, ownGenerator48());
}

MCMINI_EXPORT unsigned short* seed48(unsigned short seed[3]) noexcept {
  if (!controlled()) return real::seed48(seed);
  seeds.drand48 = static_cast<uint32_t>(seed[0] | (seed[1] << 16));
  seed48_r(seed, ownGenerator48());
  return generator48.__old_x;
}

MCMINI_EXPORT void lcong48(unsigned short parameters[7]) noexcept {
  if (!controlled()) return real::lcong48(parameters);
  lcong48_r(parameters, ownGenerator48());
}

MCMINI_EXPORT ssize_t getrandom(void* into, size_t size, unsigned flags) {
  if (!controlled()) return real::getrandom(into, size, flags);
  fillWithEntropy(into, size);
  return static_cast<ssize_t>(size);
}

MCMINI_EXPORT int getentropy(void* into, size_t size) {
  constexpr size_t kMost = 256;
  if (!controlled() || size > kMost) return real::getentropy(into, size);
  fillWithEntropy(into, size);
  return 0;
}

MCMINI_EXPORT uint32_t arc4random() noexcept {
  return controlled() ? static_cast<uint32_t>(drawEntropy()) : real::arc4random();
}

MCMINI_EXPORT void arc4random_buf(void* into, size_t size) noexcept {
  return controlled() ? fillWithEntropy(into, size) : real::arc4random_buf(into, size);
}

MCMINI_EXPORT uint32_t arc4random_uniform(uint32_t bound) noexcept {
  if (!controlled()) return real::arc4random_uniform(bound);
  return bound < 2 ? 0 : static_cast<uint32_t>(drawEntropy() % bound);
}

// Whatever it was made of: a file, or an instruction of the processor.
MCMINI_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void* device) {
  return controlled() ? static_cast<unsigned>(drawEntropy()) : real::_ZNSt13random_device9_M_getvalEv(device);
}
