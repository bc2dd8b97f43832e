// What the standard library of C++ has on atomic variables, and what waits for them: atomic_std WAY.

#include <atomic>
#include <barrier>
#include <cassert>
#include <cstring>
#include <latch>
#include <memory>
#include <semaphore>
#include <thread>

namespace {

std::atomic<int> value{0};
std::atomic<bool> ready{false};
std::atomic_flag flag = ATOMIC_FLAG_INIT;

template <class First, class Second>
void run(First first, Second second) {
  std::thread a(first);
  std::thread b(second);
  a.join();
  b.join();
}

void waits() {
  run(
      [] {
        value.wait(0);
        assert(value == 1);
      },
      [] {
        value = 1;
        value.notify_one();
      });
}

// Who waits already is not told.
void lostNotification() {
  run([] { value.wait(0); }, [] { value = 1; });
}

void latch() {
  std::latch done(2);
  auto arrives = [&] {
    value += 1;
    done.arrive_and_wait();
    assert(value == 2);
  };
  run(arrives, arrives);
}

void barrier() {
  std::barrier<> meeting(2);
  auto meets = [&] {
    value += 1;
    meeting.arrive_and_wait();
    assert(value == 2);
  };
  run(meets, meets);
}

void semaphore() {
  std::counting_semaphore<2> tokens(1);
  auto enters = [&] {
    tokens.acquire();
    assert(value.fetch_add(1) == 0);
    value.fetch_sub(1);
    tokens.release();
  };
  run(enters, enters);
}

void never() {
  std::binary_semaphore tokens(0);
  run([&] { tokens.acquire(); }, [] {});
}

void flags() {
  auto enters = [] {
    while (flag.test_and_set(std::memory_order_acquire)) {
    }
    assert(!ready.exchange(true));
    ready = false;
    flag.clear(std::memory_order_release);
  };
  run(enters, enters);
}

// Who gives up the last reference sees what all others did.
void references() {
  auto shared = std::make_shared<int>(5);
  run([copy = shared] { assert(*copy == 5); }, [copy = shared] { assert(*copy == 5); });
  assert(shared.use_count() == 1);
}

struct Singleton {
  int number = 7;
};
Singleton& singleton() {
  static Singleton only;
  return only;
}
const int& dynamic() {
  static const int number = value.load() + 7;
  return number;
}

// Both come first to a static variable, or one of them does.
void statics() {
  auto uses = [] { assert(singleton().number == 7); };
  run(uses, uses);
}
void dynamicStatics() {
  auto uses = [] { assert(dynamic() == 7); };
  run(uses, uses);
}

const struct {
  const char* name;
  void (*run)();
} kWays[] = {{"wait", waits},          {"lost", lostNotification},
             {"latch", latch},         {"barrier", barrier},
             {"semaphore", semaphore}, {"never", never},
             {"flag", flags},          {"references", references},
             {"static", statics},      {"dynamic_static", dynamicStatics}};

}  // namespace

int main(int argc, char** argv) {
  for (const auto& way : kWays)
    if (argc > 1 && std::strcmp(way.name, argv[1]) == 0) way.run();
}
