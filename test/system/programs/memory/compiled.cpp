// Compiled by mcmini-c++, it does what it does anyway: exceptions, containers, copies, atomics, threads.

#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Shape {
  virtual ~Shape() = default;
  virtual int corners() const = 0;
};

struct Square : Shape {
  int corners() const override { return 4; }
};

std::mutex lock;
std::vector<std::string> words;
std::atomic<int> total;

void work(int number) {
  try {
    if (number % 2 == 1) throw std::runtime_error("odd");
    total += Square().corners();
  } catch (const std::runtime_error& error) {
    std::lock_guard<std::mutex> guard(lock);
    words.push_back(std::string(40, '-') + error.what());
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 2; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  char copy[64];
  std::memcpy(copy, words.at(0).c_str(), words.at(0).size() + 1);
  std::printf("%d %zu %s\n", total.load(), words.size(), copy + 40);
  return 0;
}
