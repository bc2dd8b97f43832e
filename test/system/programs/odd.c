// Targets that misbehave. Unless it says otherwise, each then goes on as two threads with one critical
// section each, which has two behaviours: odd WHAT [WHAT...]
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;
static char** arguments;
static pthread_mutex_t lock[64];

static void* enter(void* unused) {
  pthread_mutex_lock(&lock[0]);
  pthread_mutex_unlock(&lock[0]);
  return unused;
}

static void two_threads(void* (*routine)(void*)) {
  pthread_t first, second;
  pthread_create(&first, NULL, routine, NULL);
  pthread_create(&second, NULL, routine, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

// It has no thread but main.
static void end_at_once(void) {
  exit(0);
}
static void lock_only(void) {
  enter(NULL);
  exit(0);
}

static void* print_half_a_megabyte(void* unused) {
  enter(NULL);
  for (int i = 0; i < 512; ++i) printf("%1023d\n", i);
  return unused;
}
static void print_megabyte(void) {
  two_threads(print_half_a_megabyte);
  exit(0);
}

static void print_and_fail(void) {
  for (int i = 0; i < 4; ++i) print_half_a_megabyte(NULL);
  printf("the very end\n");
  exit(3);
}

// Ends with 1 unless the whole of its input is argument 2.
static void read_input(void) {
  static char text[1 << 20];
  size_t size = fread(text, 1, sizeof text - 1, stdin);
  text[size] = 0;
  if (strcmp(text, arguments[2]) == 0) return;
  printf("read %zu characters: %s\n", size, text);
  exit(1);
}

static void close_all(void) {
  for (int fd = 0; fd < 1024; ++fd) close(fd);
}

static void fork_and_wait(void) {
  pid_t child = fork();
  if (child == 0) {
    two_threads(enter);
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) exit(1);
}

static void do_nothing(int unused) {
  (void)unused;
}

static void abort_at(int unused) {
  (void)unused;
  abort();
}

static void interrupt_child(void) {
  pid_t child = fork();
  if (child == 0) {
    struct sigaction action = {.sa_handler = do_nothing};  // without SA_RESTART
    sigaction(SIGALRM, &action, NULL);
    ualarm(1000, 1000);
    pause();
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) exit(1);
}

static void fork_for_ever(void) {
  if (fork() == 0)
    while (1) pause();
}

static void daemonize(void) {
  pid_t child = fork();
  if (child == 0) {
    setsid();
    signal(SIGHUP, SIG_IGN);
    if (fork() == 0)
      while (1) pause();
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

static void vfork_and_exec(void) {
  pid_t child = vfork();
  if (child == 0) {
    execl("/bin/true", "true", NULL);
    _exit(127);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) exit(1);
}

static void call_system(void) {
  if (system("exit 7") != 7 << 8) exit(1);
}

static void spawn(void) {
  char* command[] = {"true", NULL};
  pid_t child = 0;
  int status = 0;
  if (posix_spawn(&child, "/bin/true", NULL, NULL, command, environ) != 0) exit(1);
  if (waitpid(child, &status, 0) != child || status != 0) exit(1);
}

static void become_true(void) {
  execl("/bin/true", "true", NULL);
}

static void block_signals(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
}

static void block_and_spin(void) {
  block_signals();
  while (1) continue;  // HERE block_and_spin
}

static volatile int seen;
static int channel[2];

static void* show(void* unused) {
  seen = 1;
  if (write(channel[1], "x", 1) != 1) exit(1);
  return unused;
}

static void show_to(void (*look)(void)) {
  pthread_t other;
  block_signals();
  if (pipe(channel) != 0) exit(1);
  pthread_create(&other, NULL, show, NULL);
  look();
  pthread_join(other, NULL);
  exit(0);
}

static void wait_for_memory(void) {
  while (!seen) continue;
}
static void wait_for_byte(void) {
  char letter;
  if (read(channel[0], &letter, 1) != 1) exit(1);
}
static void block_and_look(void) {
  show_to(wait_for_memory);
}
static void block_and_read(void) {
  show_to(wait_for_byte);
}

static void* inherit_mask(void* unused) {
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, NULL, &before);
  if (sigismember(&before, SIGRTMAX) != 1 || sigismember(&before, SIGTERM) != 1) exit(1);
  return unused;
}

// What it is told of its signals is what it said.
static void compare_signals(void) {
  sigset_t all, before;
  struct sigaction action = {.sa_handler = do_nothing}, previous;
  sigfillset(&all);
  if (pthread_sigmask(SIG_BLOCK, &all, &before) != 0 || sigismember(&before, SIGRTMAX) != 0) exit(1);
  two_threads(inherit_mask);
  if (sigprocmask(SIG_SETMASK, &before, &all) != 0 || sigismember(&all, SIGRTMAX) != 1) exit(1);
  if (sigprocmask(SIG_SETMASK, NULL, &before) != 0 || sigismember(&before, SIGRTMAX) != 0) exit(1);
  if (sigaction(SIGRTMAX, &action, &previous) != 0 || previous.sa_handler != SIG_DFL) exit(1);
  if (signal(SIGRTMAX, SIG_DFL) != do_nothing) exit(1);
  sigfillset(&action.sa_mask);
  if (sigaction(SIGUSR1, &action, NULL) != 0 || sigaction(SIGUSR1, NULL, &previous) != 0) exit(1);
  if (previous.sa_handler != do_nothing || sigismember(&previous.sa_mask, SIGRTMAX) != 1) exit(1);
  exit(0);
}

static void handle_and_look(void) {
  struct sigaction action = {.sa_handler = abort_at};
  sigaction(SIGRTMAX, &action, NULL);
  show_to(wait_for_memory);
}

static void end_by_signal(void) {
  raise(SIGRTMAX - 1);
}

static void ignore_alarm(void) {
  signal(SIGALRM, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
}

static void end_by_alarm(void) {
  ualarm(100000, 0);
  while (1) pause();
}

static void call_abort(void) {
  abort();
}

static void spin(void) {
  while (1) continue;  // HERE spin
}

static void read_empty_pipe(void) {
  int ends[2];
  char letter;
  if (pipe(ends) != 0) exit(1);
  if (read(ends[0], &letter, 1) != 0) exit(1);  // HERE read_empty_pipe
}

static void allocate(void) {
  for (char* memory; (memory = malloc(1 << 20)) != NULL;) memset(memory, 1, 1 << 20);
}

static void map(void) {
  const size_t size = 1 << 20;
  while (1) {
    char* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    memset(memory, 1, size);
  }
}

// Never more than a little at a time.
static void map_and_unmap(void) {
  const size_t size = 8 << 20;
  for (int i = 0; i < 200; ++i) {
    char* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) exit(1);
    char* larger = mremap(memory, size, 2 * size, MREMAP_MAYMOVE);
    if (larger == MAP_FAILED) exit(2);
    if (munmap(larger, size) != 0 || munmap(larger + size, size) != 0) exit(3);
  }
}

// Writes to all memory that it shares with others.
static void overwrite_what_is_shared(void) {
  char line[512];
  FILE* maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps) != NULL) {
    unsigned long begin, end;
    if (strstr(line, " rw-s ") != NULL && sscanf(line, "%lx-%lx", &begin, &end) == 2)
      memset((void*)begin, 0xff, end - begin < 4096 ? end - begin : 4096);
  }
}

// What it locks is not the same in every run.
static void lock_by_clock(void) {
  pthread_mutex_lock(&lock[__builtin_ia32_rdtsc() / 16 % 64]);
  exit(0);
}

static void lock_by_chance(void) {
  unsigned char number = 0;
  int fd = open("/dev/urandom", O_RDONLY);
  if (read(fd, &number, 1) != 1) exit(1);
  pthread_mutex_lock(&lock[number % 64]);
  exit(0);
}

static void* lock_own(void* unused) {
  pthread_mutex_lock(&lock[gettid() % 64]);
  exit(0);
  return unused;
}
static void lock_by_tid(void) {
  two_threads(lock_own);
}

static void kill_parent(void) {
  kill(getppid(), SIGKILL);
}

// Shows what came with it, and ends with 1 so that it is seen.
int odd_preloaded(void) __attribute__((weak));
static void show_surroundings(void) {
  for (int i = 0; arguments[i] != NULL; ++i) printf("argument %d: [%s]\n", i, arguments[i]);
  printf("preloaded: %d\n", odd_preloaded == NULL ? 0 : odd_preloaded());
  printf("own preload: [%s]\n", getenv("LD_PRELOAD") == NULL ? "" : getenv("LD_PRELOAD"));
  if (system("echo \"child's preload: [$LD_PRELOAD]\"; echo \"of mcmini: [$(env | grep -i mcmini_)]\"") != 0)
    exit(2);
  exit(1);
}

static const struct {
  const char* name;
  void (*misbehave)(void);
} kWays[] = {
    {"end_at_once", end_at_once},
    {"lock_only", lock_only},
    {"print_megabyte", print_megabyte},
    {"print_and_fail", print_and_fail},
    {"read_input", read_input},
    {"close_all", close_all},
    {"fork_and_wait", fork_and_wait},
    {"fork_for_ever", fork_for_ever},
    {"daemonize", daemonize},
    {"interrupt_child", interrupt_child},
    {"vfork_and_exec", vfork_and_exec},
    {"call_system", call_system},
    {"spawn", spawn},
    {"become_true", become_true},
    {"block_signals", block_signals},
    {"block_and_spin", block_and_spin},
    {"block_and_look", block_and_look},
    {"block_and_read", block_and_read},
    {"compare_signals", compare_signals},
    {"handle_and_look", handle_and_look},
    {"end_by_signal", end_by_signal},
    {"ignore_alarm", ignore_alarm},
    {"end_by_alarm", end_by_alarm},
    {"call_abort", call_abort},
    {"spin", spin},
    {"read_empty_pipe", read_empty_pipe},
    {"allocate", allocate},
    {"map", map},
    {"map_and_unmap", map_and_unmap},
    {"overwrite_what_is_shared", overwrite_what_is_shared},
    {"lock_by_clock", lock_by_clock},
    {"lock_by_chance", lock_by_chance},
    {"lock_by_tid", lock_by_tid},
    {"kill_parent", kill_parent},
    {"show_surroundings", show_surroundings},
};

static int misbehave(const char* how) {
  for (size_t i = 0; i < sizeof kWays / sizeof *kWays; ++i)
    if (strcmp(kWays[i].name, how) == 0) {
      kWays[i].misbehave();
      return 1;
    }
  return 0;
}

int main(int argc, char** argv) {
  arguments = argv;
  if (argc < 2 || !misbehave(argv[1])) {
    fprintf(stderr, "usage: odd WHAT [WHAT...]\n");
    return 2;
  }
  for (int i = 2; i < argc; ++i) misbehave(argv[i]);
  two_threads(enter);
  return 0;
}
