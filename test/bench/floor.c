// The least that a run can cost: fork, _exit and waitpid of a process of the same size as the template.
// Preloaded with libmcmini.so, which does nothing without its checker, it maps what the template maps.
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int times = argc > 1 ? atoi(argv[1]) : 2000;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET((size_t)sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  for (int i = 0; i < times; ++i) {
    pid_t pid = fork();
    if (pid == 0) _exit(0);
    waitpid(pid, NULL, 0);
  }
  return 0;
}
