// Locks made of atomic variables, right and wrong, for two threads: mutual_exclusion WAY [VARIANT].
// A thread that is in the critical section with another one fails an assertion.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int flag[2], turn, next, serving, lock, inside;

static void peterson(int me) {
  atomic_store(&flag[me], 1);
  atomic_store(&turn, 1 - me);
  while (atomic_load(&flag[1 - me]) == 1 && atomic_load(&turn) == 1 - me) {
  }
}
// Says whose turn it is before it says that it wants to enter.
static void petersonWrong(int me) {
  atomic_store(&turn, 1 - me);
  atomic_store(&flag[me], 1);
  while (atomic_load(&flag[1 - me]) == 1 && atomic_load(&turn) == 1 - me) {
  }
}
static void leaveByFlag(int me) {
  atomic_store(&flag[me], 0);
}

static void dekker(int me) {
  atomic_store(&flag[me], 1);
  while (atomic_load(&flag[1 - me]) == 1) {
    if (atomic_load(&turn) == me) continue;
    atomic_store(&flag[me], 0);
    while (atomic_load(&turn) != me) {
    }
    atomic_store(&flag[me], 1);
  }
}
// Looks before it says that it wants to enter.
static void dekkerWrong(int me) {
  while (atomic_load(&flag[1 - me]) == 1) {
  }
  atomic_store(&flag[me], 1);
}
static void leaveDekker(int me) {
  atomic_store(&turn, 1 - me);
  atomic_store(&flag[me], 0);
}

static void ticket(int me) {
  (void)me;
  int mine = atomic_fetch_add(&next, 1);
  while (atomic_load(&serving) != mine) {
  }
}
// Two threads may draw the same ticket.
static void ticketWrong(int me) {
  (void)me;
  int mine = atomic_load(&next);
  atomic_store(&next, mine + 1);
  while (atomic_load(&serving) != mine) {
  }
}
static void leaveTicket(int me) {
  (void)me;
  atomic_fetch_add(&serving, 1);
}

static void swap(int me) {
  (void)me;
  while (atomic_exchange(&lock, 1) == 1) {
  }
}
static void swapIf(int me) {
  (void)me;
  int unlocked = 0;
  while (!atomic_compare_exchange_weak(&lock, &unlocked, 1)) unlocked = 0;
}
// Another one may lock between the look and the store.
static void lookAndSet(int me) {
  (void)me;
  while (atomic_load(&lock) == 1) {
  }
  atomic_store(&lock, 1);
}
static void leaveLock(int me) {
  (void)me;
  atomic_store(&lock, 0);
}

static const struct {
  const char* name;
  void (*enter)(int);
  void (*leave)(int);
} kWays[] = {{"peterson", peterson, leaveByFlag},    {"peterson_wrong", petersonWrong, leaveByFlag},
             {"dekker", dekker, leaveDekker},        {"dekker_wrong", dekkerWrong, leaveDekker},
             {"ticket", ticket, leaveTicket},        {"ticket_wrong", ticketWrong, leaveTicket},
             {"exchange", swap, leaveLock},          {"compare_and_swap", swapIf, leaveLock},
             {"look_and_set", lookAndSet, leaveLock}};
static int way;

static void* enters(void* number) {
  int me = (int)(long)number;
  kWays[way].enter(me);
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  kWays[way].leave(me);
  return NULL;
}

int main(int argc, char** argv) {
  while (argc > 1 && strcmp(kWays[way].name, argv[1]) != 0) ++way;
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, enters, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
