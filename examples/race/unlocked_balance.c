// One of two deposits forgets the lock: a data race. What comes of it is found as well: both read the same
// balance, and one deposit is lost.
//   mcmini-cc -g -pthread unlocked_balance.c -o unlocked_balance && mcmini ./unlocked_balance
#include <assert.h>
#include <pthread.h>

static int balance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* by_hand(void* unused) {
  balance = balance + 10;
  return unused;
}

static void* by_machine(void* unused) {
  pthread_mutex_lock(&lock);
  balance = balance + 10;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, by_hand, NULL);
  pthread_create(&second, NULL, by_machine, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(balance == 20);
  return 0;
}
