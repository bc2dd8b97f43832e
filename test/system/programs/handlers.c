// Handlers of signals, which run when a signal comes.
//   alarm      one that the clock sends wakes main
//   process    a thread sends one to the process; its handler wakes main
//   thread     main sends one to a thread that waits; its handler wakes it
//   pipe       the same, and it waits for a pipe
//   memory     the same, and it waits for memory
//   timer      a thread of the C library wakes main
//   watchdog   two threads may wait for each other for ever, and the clock would end the program
//   no_handler the same, and nobody handles what the clock sends
//   late       the same as alarm, but the handler is there only after the alarm has been set
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sem_t woken;
static int ends[2];
static volatile sig_atomic_t seen;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void wake(int number) {
  (void)number;
  seen = 1;
  sem_post(&woken);
  if (ends[1] != 0 && write(ends[1], "x", 1) != 1) _exit(3);
}

static void give_up(int number) {
  (void)number;
  _exit(2);
}

static void wake_by_timer(union sigval value) {
  wake(value.sival_int);
}

static void handle(int number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(number, &action, NULL);
}

static void await_wake(void) {
  while (sem_wait(&woken) != 0 && errno == EINTR) {
  }
}

static void* do_nothing(void* unused) {
  return unused;
}

static void* send_to_process(void* unused) {
  kill(getpid(), SIGTERM);
  return unused;
}

static void* wait_for_wake(void* unused) {
  await_wake();
  return unused;
}

static void* wait_for_pipe(void* unused) {
  char c;
  while (read(ends[0], &c, 1) != 1) {
  }
  return unused;
}

static void* wait_for_memory(void* unused) {
  while (!seen) {
  }
  return unused;
}

static void* mutex_first(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* other_first(void* unused) {
  pthread_mutex_lock(&other);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&other);
  return unused;
}

static void run(void* (*first_routine)(void*), void* (*second_routine)(void*), int number) {
  pthread_t first, second;
  pthread_create(&first, NULL, first_routine, NULL);
  pthread_create(&second, NULL, second_routine, NULL);
  if (number != 0) pthread_kill(first, number);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

static void set_timer(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = wake_by_timer};
  struct itimerspec soon = {.it_value = {.tv_nsec = 1000000}};
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &soon, NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  sem_init(&woken, 0, 0);
  handle(SIGTERM, wake);
  handle(SIGUSR1, wake);
  if (strcmp(what, "alarm") == 0) {
    handle(SIGALRM, wake);
    alarm(1);
    await_wake();
  }
  if (strcmp(what, "late") == 0) {
    alarm(1);
    handle(SIGALRM, wake);
    await_wake();
  }
  if (strcmp(what, "process") == 0) {
    pthread_t sender;
    pthread_create(&sender, NULL, send_to_process, NULL);
    await_wake();
    pthread_join(sender, NULL);
  }
  if (strcmp(what, "thread") == 0) run(wait_for_wake, do_nothing, SIGUSR1);
  if (strcmp(what, "memory") == 0) run(wait_for_memory, do_nothing, SIGUSR1);
  if (strcmp(what, "pipe") == 0 && pipe(ends) == 0) run(wait_for_pipe, do_nothing, SIGUSR1);
  if (strcmp(what, "timer") == 0) {
    set_timer();
    await_wake();
  }
  if (strcmp(what, "watchdog") == 0) {
    handle(SIGALRM, give_up);
    alarm(60);
    run(mutex_first, other_first, 0);
  }
  if (strcmp(what, "no_handler") == 0) {
    alarm(60);
    run(mutex_first, other_first, 0);
  }
  return 0;
}
