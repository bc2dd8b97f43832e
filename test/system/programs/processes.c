// What a process knows of itself, and how it becomes another one.
//   numbers         the numbers of processes and threads fit together
//   daemon          it goes on as a process of its own, and then waits for itself
//   many_arguments  it becomes a shell that counts 1,200 arguments
//   beside          it becomes another one while two threads might wait for each other
//   in_vain         it tries to become what does not exist
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEN(x) x, x, x, x, x, x, x, x, x, x

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;

static void require(int holds) {
  if (!holds) _exit(1);
}

static void* be_another(void* unused) {
  require(gettid() != getpid() && syscall(SYS_gettid) == gettid());
  require(tgkill(getpid(), gettid(), 0) == 0);
  return unused;
}

static void numbers(void) {
  pid_t own = getpid();
  require(gettid() == own && syscall(SYS_gettid) == own && syscall(SYS_getpid) == own);
  require(kill(own, 0) == 0 && tgkill(own, gettid(), 0) == 0 && syscall(SYS_tgkill, own, own, 0) == 0);
  pthread_t other;
  pthread_create(&other, NULL, be_another, NULL);
  pthread_join(other, NULL);
  pid_t child = fork();
  if (child == 0) {
    require(getppid() == own && syscall(SYS_getppid) == own && kill(own, 0) == 0);
    require(getpid() != own && gettid() == getpid());
    kill(getppid(), SIGUSR1);
    _exit(0);
  }
  int status = 1;
  require(waitpid(child, &status, 0) == child && status == 0);
}

static void go_on_as_daemon(void) {
  if (daemon(1, 1) != 0) exit(1);
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
}

static void many_arguments(void) {
  execl("/bin/sh", "sh", "-c", "test $# = 1200", "sh", TEN(TEN(TEN("a"))), TEN(TEN("b")), TEN(TEN("c")),
        NULL);
}

static void* nest(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&second_lock);
  pthread_mutex_unlock(&second_lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* nest_otherwise(void* unused) {
  pthread_mutex_lock(&second_lock);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&second_lock);
  return unused;
}

static void become_beside_others(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, nest, NULL);
  pthread_create(&second, NULL, nest_otherwise, NULL);
  execl("/bin/true", "true", NULL);
}

int main(int argc, char** argv) {
  (void)argc;
  signal(SIGUSR1, SIG_IGN);
  if (strcmp(argv[1], "numbers") == 0) numbers();
  if (strcmp(argv[1], "daemon") == 0) go_on_as_daemon();
  if (strcmp(argv[1], "many_arguments") == 0) many_arguments();
  if (strcmp(argv[1], "beside") == 0) become_beside_others();
  if (strcmp(argv[1], "in_vain") == 0) execl("/nowhere", "nowhere", NULL);
  return 0;
}
