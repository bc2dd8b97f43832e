// Data structures made of atomic variables, right and wrong: lock_free WAY.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

// A sequence lock: who reads in the middle of a change, or across one, reads again.
static atomic_int sequence, left, right;

static void* changesBoth(void* unused) {
  atomic_fetch_add(&sequence, 1);
  atomic_store(&left, 1);
  atomic_store(&right, 1);
  atomic_fetch_add(&sequence, 1);
  return unused;
}
static void* readsBoth(void* unused) {
  int before, a, b;
  do {
    before = atomic_load(&sequence);
    a = atomic_load(&left);
    b = atomic_load(&right);
  } while (before % 2 == 1 || atomic_load(&sequence) != before);
  assert(a == b);
  return unused;
}
// Does not look whether there was a change meanwhile.
static void* readsBothOnce(void* unused) {
  while (atomic_load(&sequence) % 2 == 1) {
  }
  int a = atomic_load(&left);
  assert(a == atomic_load(&right));
  return unused;
}

// Treiber's stack of three nodes, 1 on top of 2 on top of 3. The head is a node, and above it a count of
// changes, which tells a node that was gone meanwhile from one that was there all the time.
static atomic_int head = 1;
static atomic_int below[4] = {0, 2, 3, 0};
static atomic_int taken[4];
static int counts;

static int pop(void) {
  int old = atomic_load(&head), new;
  do {
    if (old % 8 == 0) return 0;
    new = (old / 8 + counts) * 8 + atomic_load(&below[old % 8]);
  } while (!atomic_compare_exchange_weak(&head, &old, new));
  return old % 8;
}
static void push(int node) {
  int old = atomic_load(&head), new;
  do {
    atomic_store(&below[node], old % 8);
    new = (old / 8 + counts) * 8 + node;
  } while (!atomic_compare_exchange_weak(&head, &old, new));
}
static void take(int node) {
  assert(node == 0 || atomic_fetch_add(&taken[node], 1) == 0);
}
static void* popsOne(void* unused) {
  take(pop());
  return unused;
}
static void* popsTwoAndPushesOne(void* unused) {
  int first = pop();
  take(pop());
  if (first != 0) push(first);
  return unused;
}

// A queue of two places, for one thread that writes and one that reads.
static atomic_int place[2], written, read_;
static int early;

static void* writes(void* unused) {
  for (int i = 0; i < 3; ++i) {
    while (i - atomic_load(&read_) >= 2) {
    }
    if (early) atomic_store(&written, i + 1);
    atomic_store(&place[i % 2], i + 1);
    if (!early) atomic_store(&written, i + 1);
  }
  return unused;
}
static void* reads(void* unused) {
  for (int i = 0; i < 3; ++i) {
    while (atomic_load(&written) <= i) {
    }
    assert(atomic_load(&place[i % 2]) == i + 1);
    atomic_store(&read_, i + 1);
  }
  return unused;
}

static void run(void* (*a)(void*), void* (*b)(void*)) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, a, NULL);
  pthread_create(&threads[1], NULL, b, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  counts = strcmp(way, "stack") == 0;
  early = strcmp(way, "queue_wrong") == 0;
  if (strcmp(way, "sequence") == 0) run(changesBoth, readsBoth);
  if (strcmp(way, "sequence_wrong") == 0) run(changesBoth, readsBothOnce);
  if (strncmp(way, "stack", 5) == 0) run(popsOne, popsTwoAndPushesOne);
  if (strncmp(way, "queue", 5) == 0) run(writes, reads);
  return 0;
}
