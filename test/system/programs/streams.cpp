// Threads that print through iostreams, format, and read what they wrote, with nothing in common but
// std::cout and a mutex that each has allocated itself.
#include <iomanip>
#include <iostream>
#include <memory>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([i] {
      std::ostringstream line;
      line << "thread " << std::setw(3) << i << " of " << std::fixed << 3.0 << '\n';
      std::cout << line.str() << std::flush;
      std::istringstream words(line.str());
      std::string word;
      words >> word;
      auto own = std::make_unique<std::mutex>();
      std::lock_guard<std::mutex> guard(*own);
      std::cerr << word << std::endl;
    });
  for (std::thread& thread : threads) thread.join();
}
