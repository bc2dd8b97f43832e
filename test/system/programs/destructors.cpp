// Locks that are taken when a thread, or the process, is about to end: by destructors of keys, of
// thread-local and of static objects, and by exit handlers.
#include <pthread.h>

#include <cassert>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

namespace {

std::mutex mutex;
std::mutex other;
int count;
pthread_key_t key;

void countOne() {
  std::lock_guard<std::mutex> guard(mutex);
  ++count;
}

struct CountsAtEnd {
  bool used = false;
  ~CountsAtEnd() {
    if (used) countOne();
  }
};
thread_local CountsAtEnd local;
CountsAtEnd global;

void setKey() {
  pthread_setspecific(key, &key);
}
void useLocal() {
  local.used = true;
}

void makeKey(void (*destructor)(void*)) {
  pthread_key_create(&key, destructor);
}
void countAtEnd(void*) {
  countOne();
}

/// Sets the value again until glibc does not care any more: that makes four rounds.
void countEachRound(void*) {
  countOne();
  setKey();
}

void runTwo(void (*routine)()) {
  std::thread first(routine);
  std::thread second(routine);
  first.join();
  second.join();
}

/// Joins a thread while holding what it needs in order to end.
void joinWhileHolding(void (*routine)()) {
  std::thread thread(routine);
  std::lock_guard<std::mutex> guard(mutex);
  thread.join();
}

/// A thread that has the mutex and never gives it back, since it waits for what main never gives back.
void holdForEver() {
  other.lock();
  std::thread([] {
    std::lock_guard<std::mutex> guard(mutex);
    other.lock();
  }).detach();
}

void run(const std::string& what) {
  if (what == "key") {
    makeKey(countAtEnd);
    runTwo(setKey);
    assert(count == 2);
  }
  if (what == "key_deadlock") {
    makeKey(countAtEnd);
    joinWhileHolding(setKey);
  }
  if (what == "rounds" || what == "rounds_of_a_later_key") {
    if (what != "rounds") std::thread([] {}).join();
    makeKey(countEachRound);
    runTwo(setKey);
    assert(count == 8);
  }
  if (what == "thread_local") {
    runTwo(useLocal);
    assert(count == 2);
  }
  if (what == "thread_local_deadlock") joinWhileHolding(useLocal);
  if (what == "local_of_main") {
    useLocal();
    std::thread(countOne).detach();
  }
  if (what == "static") {
    global.used = true;
    std::thread(countOne).detach();
  }
  if (what == "static_deadlock") {
    global.used = true;
    holdForEver();
  }
  if (what == "atexit") {
    std::atexit(countOne);
    std::thread(countOne).detach();
  }
  if (what == "atexit_deadlock") {
    std::atexit(countOne);
    holdForEver();
  }
}

}  // namespace

int main(int, char** argv) {
  run(argv[1]);
}
