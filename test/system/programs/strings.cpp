// A std::string and a std::map that three threads make longer in turn: who allocates, and who frees what the
// others had allocated, depends on their order. Then each uses a mutex that it has allocated itself.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;
std::string text;
std::map<int, std::string> lines;

void record(int i) {
  {
    std::lock_guard<std::mutex> guard(mutex);
    text += std::string(static_cast<std::size_t>(20 * (i + 1)), 'x');
    lines[i] = text;
    if (lines.size() > 1) lines.erase(lines.begin());
  }
  auto own = std::make_unique<std::mutex>();
  std::lock_guard<std::mutex> guard(*own);
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(record, i);
  for (std::thread& thread : threads) thread.join();
}
