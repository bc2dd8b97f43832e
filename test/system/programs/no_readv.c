// Two threads crash, each in a line of its own, where the kernel refuses process_vm_readv, as in containers.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char* volatile text;
static volatile size_t length;

static void* measure(void* unused) {
  length = strlen(text);
  return unused;
}

static void* measure_twice(void* unused) {
  length = 2 * strlen(text);
  return unused;
}

static void refuse(void) {
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  assert(syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  assert(syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0);
}

int main(void) {
  pthread_t first;
  pthread_t second;
  refuse();
  pthread_create(&first, NULL, measure, NULL);
  pthread_create(&second, NULL, measure_twice, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
