// Threads that meet at promises, whose atomic variables nobody watches. Whoever asks for the first value may
// find it there or wait for it, whatever was planned. In one order main sees the first section of the other
// thread, and not the second one.
#include <cassert>
#include <future>
#include <mutex>
#include <thread>

int main() {
  std::promise<int> one;
  std::promise<int> two;
  std::future<int> first = one.get_future();
  std::future<int> second = two.get_future();
  std::mutex mutex;
  int a = 0;
  int b = 0;
  std::thread thread([&] {
    one.set_value(1);
    {
      std::lock_guard lock(mutex);
      a = 1;
    }
    two.set_value(2);
    std::lock_guard lock(mutex);
    b = 1;
  });
  int seen = 0;
  {
    std::lock_guard lock(mutex);
    seen = a;
  }
  first.get();
  second.get();
  {
    std::lock_guard lock(mutex);
    assert(seen == 0 || b == 1);
  }
  thread.join();
}
