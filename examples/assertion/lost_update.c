// Every access is locked, and yet it is wrong: between its look at the balance and the payment the buyer lets
// go of the lock. One of the three behaviours shows it: the one in which the rent is paid in between.
//   mcmini lost_update
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void* buy(void* unused) {
  pthread_mutex_lock(&lock);
  int enough = balance >= 80;
  pthread_mutex_unlock(&lock);
  if (!enough) return unused;
  pthread_mutex_lock(&lock);
  balance -= 80;
  assert(balance >= 0);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* pay_rent(void* unused) {
  pthread_mutex_lock(&lock);
  if (balance >= 70) balance -= 70;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t buyer, tenant;
  pthread_create(&buyer, NULL, buy, NULL);
  pthread_create(&tenant, NULL, pay_rent, NULL);
  pthread_join(buyer, NULL);
  pthread_join(tenant, NULL);
  return 0;
}
