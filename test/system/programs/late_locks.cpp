// Locks that are taken when a thread or the process is already about to end: in the destructor of a
// thread-local object, in that of a pthread key, in that of a global object.
#include <pthread.h>

#include <mutex>
#include <string>
#include <thread>

namespace {

std::mutex mutex;
int count;

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

thread_local CountsAtEnd atEndOfThread;
CountsAtEnd atEndOfProcess;
pthread_key_t key;

void twoThreads(void (*routine)()) {
  std::thread first(routine);
  std::thread second(routine);
  first.join();
  second.join();
}

}  // namespace

int main(int, char** argv) {
  std::string what = argv[1];
  if (what == "thread_local") twoThreads([] { atEndOfThread.used = true; });
  if (what == "key") {
    pthread_key_create(&key, [](void*) { countOne(); });
    twoThreads([] { pthread_setspecific(key, &key); });
  }
  if (what == "global") {
    atEndOfProcess.used = true;
    std::thread(countOne).detach();
  }
}
