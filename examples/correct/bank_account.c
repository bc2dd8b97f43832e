// Clerks move money from each account to the next, and an auditor sums up all accounts. Everybody locks what
// it needs, in the order of the accounts, before it begins: the sum never changes.
//   mcmini bank_account 3
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8, kDeposit = 100 };

static struct {
  pthread_mutex_t lock;
  int balance;
} account[kMost + 1];
static int n = 2;

static void* move(void* which) {
  long from = (long)which;
  pthread_mutex_lock(&account[from].lock);
  pthread_mutex_lock(&account[from + 1].lock);
  account[from].balance -= 10;
  account[from + 1].balance += 10;
  pthread_mutex_unlock(&account[from + 1].lock);
  pthread_mutex_unlock(&account[from].lock);
  return NULL;
}

static void* audit(void* unused) {
  int sum = 0;
  for (int i = 0; i <= n; ++i) pthread_mutex_lock(&account[i].lock);
  for (int i = 0; i <= n; ++i) sum += account[i].balance;
  for (int i = 0; i <= n; ++i) pthread_mutex_unlock(&account[i].lock);
  assert(sum == kDeposit);
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1 || n > kMost) {
    fprintf(stderr, "usage: bank_account [1..%d]\n", kMost);
    return 2;
  }
  for (int i = 0; i <= n; ++i) pthread_mutex_init(&account[i].lock, NULL);
  account[0].balance = kDeposit;
  pthread_t clerk[kMost], auditor;
  for (long i = 0; i < n; ++i) pthread_create(&clerk[i], NULL, move, (void*)i);
  pthread_create(&auditor, NULL, audit, NULL);
  for (int i = 0; i < n; ++i) pthread_join(clerk[i], NULL);
  pthread_join(auditor, NULL);
  return 0;
}
