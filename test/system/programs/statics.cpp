// A static variable within a function, which the first thread that gets there initializes.
//   two     of two threads one is the first: 2 behaviours, and in one of them an assertion fails
//   three   one of three; in which order the others find it done does not matter: 3
//   often   two threads come by very often; only who is the first matters: 2
//   throws  the first attempt fails, and the next thread makes another one: 2
//   waits   the one who initializes waits for a lock that another has, who comes by: 3, with two deadlocks
//   itself  its initialization needs it: a deadlock
//   child   a process that is forked finds it done: 1
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

std::mutex lock;
int attempts = 0;

int first(int me) {
  static int who = me;
  return who;
}

int second(int me) {
  static int who = (attempts++ == 0 ? throw std::runtime_error("not yet") : me);
  return who;
}

int guarded(int me) {
  static int who = (std::lock_guard(lock), me);
  return who;
}

int endless(int depth) {
  static int value = depth > 9 ? depth : endless(depth + 1);
  return value;
}

void comeBy(int threads, void (*routine)(int)) {
  std::vector<std::thread> all;
  for (int i = 1; i <= threads; ++i) all.emplace_back(routine, i);
  for (std::thread& thread : all) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "two";
  if (std::strcmp(mode, "two") == 0) {
    comeBy(2, [](int me) { first(me); });
    assert(first(0) == 1);
  } else if (std::strcmp(mode, "three") == 0) {
    comeBy(3, [](int me) { first(me); });
  } else if (std::strcmp(mode, "often") == 0) {
    comeBy(2, [](int me) {
      for (int i = 0; i < 300'000; ++i) first(me);
    });
  } else if (std::strcmp(mode, "throws") == 0) {
    comeBy(2, [](int me) {
      try {
        second(me);
      } catch (const std::runtime_error&) {
      }
    });
    assert(attempts == 2);
  } else if (std::strcmp(mode, "waits") == 0) {
    comeBy(2, [](int me) {
      if (me == 1) {
        guarded(me);
      } else {
        std::lock_guard hold(lock);
        guarded(me);
      }
    });
  } else if (std::strcmp(mode, "itself") == 0) {
    endless(0);
  } else if (std::strcmp(mode, "child") == 0) {
    first(1);
    pid_t child = fork();
    if (child == 0) _exit(first(2));
    int status = 0;
    waitpid(child, &status, 0);
    assert(WEXITSTATUS(status) == 1);
  }
  return 0;
}
