// Programs whose reports are looked at, by name.

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 9

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static sem_t tokens;
static int sum;

static void run(int count, void* (*routine)(void*), void* arguments[]) {
  pthread_t threads[THREADS];
  for (int i = 0; i < count; i++)
    pthread_create(&threads[i], NULL, routine, arguments == NULL ? NULL : arguments[i]);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

/* Each takes its place in a ring of locks. */
static pthread_mutex_t ring[THREADS];
static void* take_two(void* argument) {
  long place = (long)argument;
  pthread_mutex_lock(&ring[place]);
  pthread_mutex_lock(&ring[(place + 1) % THREADS]);
  pthread_mutex_unlock(&ring[(place + 1) % THREADS]);
  pthread_mutex_unlock(&ring[place]);
  return NULL;
}
static void ten_threads(void) {
  void* places[THREADS];
  for (long i = 0; i < THREADS; i++) {
    places[i] = (void*)i;
    pthread_mutex_init(&ring[i], NULL);
  }
  run(THREADS, take_two, places);
}

/* A long run of one thread before it goes wrong. */
static void* count_up(void* unused) {
  for (int i = 0; i < 200; i++) {
    pthread_mutex_lock(&first);
    sum++;
    pthread_mutex_unlock(&first);
  }
  assert(sum == 0);
  return unused;
}
static void long_run(void) {
  run(1, count_up, NULL);
}

/* Locks that have no name but where they were allocated. */
struct account {
  int balance;
  pthread_mutex_t lock;
};
static struct account* accounts[2];
static struct account* open_account(void) {
  struct account* account = calloc(1, sizeof *account);  // HERE allocation
  pthread_mutex_init(&account->lock, NULL);
  return account;
}
static void* transfer(void* to) {
  struct account* from = to == accounts[0] ? accounts[1] : accounts[0];
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&((struct account*)to)->lock);
  pthread_mutex_unlock(&((struct account*)to)->lock);
  pthread_mutex_unlock(&from->lock);
  return NULL;
}
static void heap(void) {
  for (int i = 0; i < 2; i++) accounts[i] = open_account();
  run(2, transfer, (void**)accounts);
}

/* Threads with names of their own, one of them not for every terminal. */
static void* in_order(void* unused) {
  pthread_setname_np(pthread_self(), "gabel-für-zwei");
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return unused;
}
static void* in_another_order(void* unused) {
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&second);
  return unused;
}
static void names(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, in_order, NULL);
  pthread_create(&other, NULL, in_another_order, NULL);
  pthread_setname_np(other, "red\033[31m");
  pthread_join(one, NULL);
  pthread_join(other, NULL);
}

/* What it prints is not for every terminal either. */
static void* print(void* unused) {
  printf("a tab:\tend\n\033[2Jgone?\nno end of line");
  fflush(stdout);
  abort();
  return unused;
}
static void output(void) {
  run(1, print, NULL);
}

/* Every run prints something; one of them is wrong. */
static void* arrive(void* unused) {
  pthread_mutex_lock(&first);
  sum++;
  printf("number %d\n", sum);
  pthread_mutex_unlock(&first);
  return unused;
}
static void* arrive_first(void* unused) {
  pthread_mutex_lock(&first);
  printf("at last\n");
  if (sum > 0) pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
  return unused;
}
static void each_run(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, arrive_first, NULL);
  pthread_create(&threads[1], NULL, arrive, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

/* Tokens that are one too few. */
static void* take_token(void* unused) {
  sem_wait(&tokens);
  return unused;
}
static void semaphore(void) {
  sem_init(&tokens, 0, 2);
  run(3, take_token, NULL);
}

/* A lock that is taken twice and given back once. */
static pthread_mutex_t twice;
static void* take_twice(void* unused) {
  pthread_mutex_lock(&twice);  // HERE taken
  pthread_mutex_lock(&twice);
  pthread_mutex_unlock(&twice);
  pthread_mutex_lock(&first);
  return unused;
}
static void* take_first(void* unused) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&twice);
  return unused;
}
static void recursive(void) {
  pthread_t threads[2];
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&twice, &attributes);
  pthread_create(&threads[0], NULL, take_twice, NULL);
  pthread_create(&threads[1], NULL, take_first, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "ten_threads") == 0) ten_threads();
  if (strcmp(what, "long_run") == 0) long_run();
  if (strcmp(what, "heap") == 0) heap();
  if (strcmp(what, "names") == 0) names();
  if (strcmp(what, "output") == 0) output();
  if (strcmp(what, "each_run") == 0) each_run();
  if (strcmp(what, "semaphore") == 0) semaphore();
  if (strcmp(what, "recursive") == 0) recursive();
  return 0;
}
