#include "test/support/known_programs.hpp"

#include "test/support/test_model.hpp"

namespace mcmini {

namespace {

constexpr std::uint64_t kCells = 1000;  // the first object of an array
constexpr std::uint64_t kLocks = 2000;  // that of another one
constexpr std::uint64_t kInodes = 3000;
constexpr std::uint64_t kInodeLocks = 4000;

template <class Make>
Program threads(std::uint64_t n, Make make) {
  std::vector<Script> workers;
  for (std::uint64_t i = 0; i < n; ++i) workers.push_back(make(i));
  return parallel(workers);
}

/// Reads the cells from the n-th down until one is zero.
Script searchDown(std::uint64_t n) {
  Script script = read(kCells + n);
  return n == 0 ? script : Script{script, unless(0, searchDown(n - 1))};
}

/// Takes the first free cell from this one on.
Script insert(std::uint64_t cell, int tries) {
  if (tries == 0) return fail("more collisions than expected");
  return {trylock(kCells + cell), unless(0, insert((cell + 1) % 128, tries - 1))};
}

/// Gives the first free block from this one on to the inode.
Script allocate(std::uint64_t inode, std::uint64_t block, int tries) {
  if (tries == 0) return fail("more collisions than expected");
  Script take{write(kCells + block, 1), write(kInodes + inode, block + 1), unlock(kLocks + block)};
  Script goOn{unlock(kLocks + block), allocate(inode, (block + 1) % 26, tries - 1)};
  return {lock(kLocks + block), read(kCells + block), when(0, take, goOn)};
}

}  // namespace

Program philosophers(std::uint64_t n, bool oneLeftHanded) {
  return threads(n, [=](std::uint64_t i) {
    std::uint64_t first = kLocks + i;
    std::uint64_t second = kLocks + (i + 1) % n;
    if (oneLeftHanded && i == n - 1) std::swap(first, second);
    return Script{lock(first), lock(second), unlock(first), unlock(second)};
  });
}

Program counter(std::uint64_t n) {
  return threads(n, [](std::uint64_t) {
    return Script{lock('m'), read('x'), writeSum('x', 1), unlock('m')};
  });
}

Program readers(std::uint64_t n) {
  return threads(n + 1, [](std::uint64_t i) { return i == 0 ? write('x', 1) : read('x'); });
}

Program lastZero(std::uint64_t n) {
  return threads(n + 1, [=](std::uint64_t j) {
    return j == 0 ? searchDown(n) : Script{read(kCells + j - 1), writeSum(kCells + j, 1)};
  });
}

Program indexer(std::uint64_t n) {
  return threads(n, [](std::uint64_t t) {
    Script script;
    for (std::uint64_t message = 1; message <= 4; ++message)
      script += insert((message * 11 + t) * 7 % 128, 4);
    return script;
  });
}

Program filesystem(std::uint64_t n) {
  return threads(n, [](std::uint64_t t) {
    std::uint64_t inode = t % 32;
    return Script{lock(kInodeLocks + inode), read(kInodes + inode),
                  when(0, allocate(inode, inode * 2 % 26, 4)), unlock(kInodeLocks + inode)};
  });
}

Program abBa() {
  return parallel(
      {{lock('a'), lock('b'), unlock('b'), unlock('a')}, {lock('b'), lock('a'), unlock('a'), unlock('b')}});
}

}  // namespace mcmini
