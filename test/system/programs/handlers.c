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
//   sleeps     main sleeps again and again until the clock has sent a signal
//   posix      the same as late, and signal() is the one of programs that are compiled for POSIX only
//   child      a child that ends wakes main
//   ticks      a clock ticks while threads work
//   spare      a thread of the C library posts a semaphore while main works, and then main waits for it
//   stolen     a thread of the C library has the mutex that main wants
//   blocked    a thread that has blocked a signal sends it to the process
//   syscall    the same as thread, by syscall()
//   queued     several signals with values, which come in that order
//   reading    a thread that reads from a pipe is to stop; the handler wakes main
//   stop       the same, and main waits for the thread's end
//   restart    the same, but the call is to go on
//   suspended  the same, and the thread waits for the signal
//   between    a handler lets others run when its thread has found a mutex free
//   at_once    a thread sends signals to itself
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static sem_t woken;
static sem_t ready, other_ready, passed_to, passed_on;
static int ends[2];
static volatile sig_atomic_t seen;
static volatile long work;
static pid_t number_of_thread;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void wake(int number) {
  (void)number;
  seen = 1;
  sem_post(&woken);
  if (ends[1] != 0 && write(ends[1], "x", 1) != 1) _exit(3);
}

static void post(int number) {
  (void)number;
  sem_post(&woken);
}

static void see(int number) {
  (void)number;
  ++seen;
}

static void see_value(int number, siginfo_t* info, void* context) {
  (void)number;
  (void)context;
  if (info->si_value.sival_int == seen + 1) ++seen;
}

static void stop_and_post(int number) {
  see(number);
  post(number);
}

static void give_up(int number) {
  (void)number;
  _exit(2);
}

static void wake_by_timer(union sigval value) {
  wake(value.sival_int);
}

static void steal_mutex(union sigval value) {
  pthread_mutex_lock(&mutex);
  see(value.sival_int);
  pause();
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

static void set_timer(void (*function)(union sigval)) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = function};
  struct itimerspec soon = {.it_value = {.tv_nsec = 1000000}};
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &soon, NULL);
}

static void* block_and_send(void* unused) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  return send_to_process(unused);
}

static void* lock_twice(void* unused) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&mutex);
    for (int j = 0; j < 3000000; ++j) ++work;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void* lock_once(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* tell_number(void* unused) {
  number_of_thread = gettid();
  sem_post(&ready);
  await_wake();
  return unused;
}

static void* read_until_seen(void* unused) {
  char c;
  sem_post(&ready);
  while (!seen && read(ends[0], &c, 1) != 1) {
  }
  return unused;
}

static void* read_once(void* unused) {
  char c;
  sem_post(&ready);
  if (read(ends[0], &c, 1) != 1) _exit(3);
  return unused;
}

static void* suspend_until_seen(void* unused) {
  sigset_t none;
  sigemptyset(&none);
  sem_post(&ready);
  while (!seen) sigsuspend(&none);
  return unused;
}

static void* lock_after_signal(void* unused) {
  sem_post(&ready);
  sem_wait(&other_ready);
  return lock_once(unused);
}

static void* pass_on(void* unused) {
  sem_wait(&passed_to);
  sem_post(&passed_on);
  return unused;
}

static pthread_t start(void* (*routine)(void*)) {
  pthread_t thread;
  pthread_create(&thread, NULL, routine, NULL);
  return thread;
}

static void stop(void* (*routine)(void*), int waits) {
  pthread_t thread = start(routine);
  sem_wait(&ready);
  pthread_kill(thread, SIGUSR1);
  if (waits) await_wake();
  pthread_join(thread, NULL);
}

static void restart(void) {
  struct sigaction action = {.sa_handler = see, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t thread = start(read_once);
  sem_wait(&ready);
  pthread_kill(thread, SIGUSR1);
  pthread_join(start(do_nothing), NULL);
  assert(write(ends[1], "x", 1) == 1);
  pthread_join(thread, NULL);
  assert(seen == 1);
}

static void suspended(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  stop(suspend_until_seen, 0);
}

static void between(void) {
  pthread_t thread = start(lock_after_signal);
  pthread_t helper = start(pass_on);
  sem_wait(&ready);
  pthread_kill(thread, SIGUSR1);
  sem_post(&other_ready);
  sem_post(&passed_to);
  sem_wait(&passed_on);
  pthread_mutex_lock(&mutex);
  if (sem_trywait(&woken) != 0) await_wake();
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  pthread_join(helper, NULL);
}

static void send_in_order(void) {
  struct sigaction action = {.sa_sigaction = see_value, .sa_flags = SA_SIGINFO};
  sigaction(SIGRTMIN, &action, NULL);
  pthread_t thread = start(lock_once);
  for (int i = 1; i <= 3; ++i) {
    union sigval value = {.sival_int = i};
    pthread_sigqueue(thread, SIGRTMIN, value);
  }
  pthread_join(thread, NULL);
  assert(seen == 3);
}

static void send_to_self(void) {
  struct sigaction action = {.sa_handler = see, .sa_flags = SA_RESETHAND};
  struct sigaction found;
  sigset_t set;
  pthread_t thread = start(do_nothing);
  raise(SIGUSR1);
  assert(seen == 1);
  pthread_kill(pthread_self(), SIGUSR1);
  assert(seen == 2);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  raise(SIGUSR1);
  assert(seen == 2);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  assert(seen == 3);
  sigaction(SIGUSR1, &action, &found);
  assert(found.sa_handler == see && (found.sa_flags & SA_SIGINFO) == 0);
  raise(SIGUSR1);
  assert(seen == 4);
  assert(signal(SIGUSR1, see) == SIG_DFL && signal(SIGUSR1, SIG_IGN) == see);
  pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  sem_init(&woken, 0, 0);
  sem_init(&ready, 0, 0);
  sem_init(&other_ready, 0, 0);
  sem_init(&passed_to, 0, 0);
  sem_init(&passed_on, 0, 0);
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
  if (strcmp(what, "sleeps") == 0) {
    handle(SIGALRM, wake);
    alarm(60);
    while (!seen) usleep(1000);
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
    set_timer(wake_by_timer);
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
  if (strcmp(what, "posix") == 0) {
    alarm(1);
    __sysv_signal(SIGALRM, post);
    await_wake();
  }
  if (strcmp(what, "child") == 0) {
    handle(SIGCHLD, post);
    pthread_join(start(do_nothing), NULL);
    pid_t child = fork();
    if (child == 0) _exit(usleep(100000));
    await_wake();
    waitpid(child, NULL, 0);
  }
  if (strcmp(what, "ticks") == 0) {
    struct itimerval often = {{0, 2000}, {0, 2000}};
    handle(SIGALRM, post);
    setitimer(ITIMER_REAL, &often, NULL);
    run(lock_twice, lock_twice, 0);
  }
  if (strcmp(what, "spare") == 0) {
    pthread_t thread = start(do_nothing);
    set_timer(wake_by_timer);
    for (long i = 0; i < 30000000; ++i) ++work;
    await_wake();
    pthread_join(thread, NULL);
  }
  if (strcmp(what, "stolen") == 0) {
    pthread_t thread = start(do_nothing);
    set_timer(steal_mutex);
    wait_for_memory(NULL);
    pthread_mutex_lock(&mutex);
    pthread_join(thread, NULL);
  }
  if (strcmp(what, "blocked") == 0) {
    pthread_t sender = start(block_and_send);
    await_wake();
    pthread_join(sender, NULL);
  }
  if (strcmp(what, "syscall") == 0) {
    pthread_t thread = start(tell_number);
    sem_wait(&ready);
    syscall(SYS_tgkill, getpid(), number_of_thread, SIGUSR1);
    pthread_join(thread, NULL);
  }
  if (strcmp(what, "queued") == 0) send_in_order();
  if (strcmp(what, "reading") == 0 && pipe(ends) == 0) {
    handle(SIGUSR1, stop_and_post);
    stop(read_until_seen, 1);
  }
  if (strcmp(what, "stop") == 0 && pipe(ends) == 0) {
    handle(SIGUSR1, see);
    stop(read_until_seen, 0);
  }
  if (strcmp(what, "restart") == 0 && pipe(ends) == 0) restart();
  if (strcmp(what, "suspended") == 0) {
    handle(SIGUSR1, see);
    suspended();
  }
  if (strcmp(what, "between") == 0) {
    handle(SIGUSR1, post);
    between();
  }
  if (strcmp(what, "at_once") == 0) {
    handle(SIGUSR1, see);
    send_to_self();
  }
  return 0;
}
