// The same in C++: what has an operator & of its own, and conditions with commas.
#include <mcmini/annotate.h>

#include <array>
#include <cstring>
#include <thread>
#include <utility>

namespace {

struct Counter {
  int value = 0;
  void operator&() const = delete;
};

Counter counter;

void increment(bool atomic) {
  if (atomic) mc_atomic_begin();
  MC_READ(counter);
  int seen = counter.value;
  MC_WRITE(counter);
  counter.value = seen + 1;
  if (atomic) mc_atomic_end();
}

}  // namespace

int main(int argc, char** argv) {
  bool atomic = argc > 1 && std::strcmp(argv[1], "atomic") == 0;
  std::thread one(increment, atomic);
  std::thread two(increment, atomic);
  one.join();
  two.join();
  std::array<int, 3> amounts{1, 1, 2};
  auto chosen = static_cast<std::size_t>(mc_choose(3));
  mc_assume(std::pair<int, int>(amounts[chosen], 0).first == 1);
  mc_assert(std::pair<int, int>(counter.value, 0).first == 2);
}
