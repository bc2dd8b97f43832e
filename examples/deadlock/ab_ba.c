// The smallest deadlock: one thread moves money from checking to savings, the other one back, and each locks
// the account it takes from first. If both have their first lock, neither gets its second one.
//   mcmini ab_ba
#include <pthread.h>

static pthread_mutex_t checking = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t savings = PTHREAD_MUTEX_INITIALIZER;
static int in_checking = 100;
static int in_savings = 100;

static void* save(void* unused) {
  pthread_mutex_lock(&checking);
  pthread_mutex_lock(&savings);
  in_checking -= 10;
  in_savings += 10;
  pthread_mutex_unlock(&savings);
  pthread_mutex_unlock(&checking);
  return unused;
}

static void* spend(void* unused) {
  pthread_mutex_lock(&savings);
  pthread_mutex_lock(&checking);
  in_savings -= 20;
  in_checking += 20;
  pthread_mutex_unlock(&checking);
  pthread_mutex_unlock(&savings);
  return unused;
}

int main(void) {
  pthread_t saver, spender;
  pthread_create(&saver, NULL, save, NULL);
  pthread_create(&spender, NULL, spend, NULL);
  pthread_join(saver, NULL);
  pthread_join(spender, NULL);
  return 0;
}
