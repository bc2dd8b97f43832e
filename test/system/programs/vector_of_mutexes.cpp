// Philosophers whose forks are a std::vector on the heap, and whose threads are one as well.
#include <mutex>
#include <thread>
#include <vector>

int main() {
  const std::size_t n = 3;
  std::vector<std::mutex> forks(n);
  std::vector<std::thread> philosophers;
  for (std::size_t i = 0; i < n; ++i)
    philosophers.emplace_back([&forks, i] {
      std::size_t other = (i + 1) % forks.size();
      std::lock_guard<std::mutex> first(forks[std::min(i, other)]);
      std::lock_guard<std::mutex> second(forks[std::max(i, other)]);
    });
  for (std::thread& philosopher : philosophers) philosopher.join();
}
