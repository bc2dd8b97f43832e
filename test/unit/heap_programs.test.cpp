#include <catch2/catch.hpp>

#include "test/support/workshop.hpp"

// Stacks, and programs as they are, on the heap.

namespace mcmini {
namespace {

using namespace test;

TEST_CASE("a stack lies in its thread's slot, below the signal stack", "[heap]") {
  expectSuccess(R"(
int main() {
  void* signals;
  auto* lowest = static_cast<char*>(prepareSlot(5, 100001, &signals));
  const size_t size = 25 * 4096;
  EXPECT(slotOf(lowest) == 5 && slotOf(signals) == 5 && lowest + size == signals);
  memset(lowest, 1, size + 32768);
  EXPECT(static_cast<char*>(signals) - static_cast<char*>(prepareSlot(5, 1, &signals)) == 16384);
  EXPECT(prepareSlot(6, 200 * kMiB, &signals) != nullptr);
  EXPECT(prepareSlot(7, 1000 * kMiB, &signals) == nullptr && prepareSlot(7, SIZE_MAX, &signals) == nullptr);
  EXPECT(slotOf(&signals) == -1);
})");
}

TEST_CASE("a thread that overflows its stack hits the guard below", "[heap]") {
  expectSuccess(R"(
char *lowest, *signals;
int deep(int depth) { volatile char frame[2000]; frame[0] = 1; return deep(depth + 1) + frame[0]; }
void onFault(int, siginfo_t* info, void*) {
  auto* address = static_cast<char*>(info->si_addr);
  auto* here = reinterpret_cast<char*>(&address);
  _exit(address < lowest && address > lowest - 4096 && here > signals && here < signals + 32768 ? 42 : 43);
}
int main() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  lowest = static_cast<char*>(prepareSlot(1, kMiB, reinterpret_cast<void**>(&signals)));
  pthread_attr_setstack(&attributes, lowest, kMiB);
  if (fork() == 0) {
    struct sigaction action{};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
    pthread_t thread;
    pthread_create(&thread, &attributes, [](void*) -> void* {
      useSlot(1);
      stack_t stack{signals, 0, 32768};
      sigaltstack(&stack, nullptr);
      deep(0);
      return nullptr;
    }, nullptr);
    pthread_join(thread, nullptr);
    _exit(0);
  }
  int status;
  wait(&status);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 42);
})");
}

TEST_CASE("a C++ program runs on the heap", "[heap]") {
  const Workshop::Outcome outcome = workshop().run(R"(
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct alignas(256) Wide { char bytes[256]; };
int main() {
  std::map<std::string, std::vector<int>> map;
  for (int i = 0; i < 10000; ++i) map["a rather long key " + std::to_string(i % 100)].push_back(i);
  try {
    map.at("missing");
  } catch (const std::out_of_range& error) {
    std::cout << "caught " << map.size() << '\n';
  }
  std::vector<Wide> wide(10);
  EXPECT(reinterpret_cast<uintptr_t>(wide.data()) % 256 == 0);
  std::thread([] { std::ostringstream text; text << 6 * 7; std::cout << text.str() << std::endl; }).join();
})");
  expectSuccess(outcome);
  CHECK(outcome.output == "caught 100\n42\n");
}

TEST_CASE("everyday programs run on the heap", "[heap]") {
  expectSameOutput("ls -l /usr");
  expectSameOutput("sh -c 'echo $((6 * 7)) | cat'");
  expectSameOutput(MCMINI_TEST_CXX " --version");
  if (present("python3")) expectSameOutput("python3 -c 'print(sum(range(10)))'");
}

}  // namespace
}  // namespace mcmini
