// What threads do depends on random numbers from std::random_device.
#include <array>
#include <mutex>
#include <random>
#include <string>
#include <thread>

namespace {

using Locks = std::array<std::mutex, 16>;

std::mutex common;

void work(Locks& own, const std::string& source) {
  std::random_device device(source);
  std::mt19937 generator(device());
  std::uniform_int_distribution<std::size_t> number(0, own.size() - 1);
  for (int i = 0; i < 4; ++i) std::lock_guard<std::mutex> guard(own[number(generator)]);
  std::lock_guard<std::mutex> guard(common);
}

}  // namespace

int main(int, char** argv) {
  static Locks first;
  static Locks second;
  std::thread a(work, std::ref(first), argv[1]);
  std::thread b(work, std::ref(second), argv[1]);
  a.join();
  b.join();
}
