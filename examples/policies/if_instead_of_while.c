// A consumer looks only once whether there is an item, which nobody else takes: wrong only if it wakes up
// without a signal (spurious), as POSIX allows. With a second argument it looks again: `while`, correct.
//   mcmini --policy spurious if_instead_of_while 1

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items;
static int producers = 1;
static int looks_again;

static void await_item(void) {
  if (looks_again) {
    while (items == 0) pthread_cond_wait(&not_empty, &mutex);
  } else {
    if (items == 0) pthread_cond_wait(&not_empty, &mutex);
  }
}

static void* produce(void* unused) {
  pthread_mutex_lock(&mutex);
  ++items;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* consume(void* unused) {
  for (int i = 0; i < producers; ++i) {
    pthread_mutex_lock(&mutex);
    await_item();
    assert(items > 0);
    --items;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) producers = atoi(argv[1]);
  looks_again = argc > 2 && strcmp(argv[2], "while") == 0;
  if (producers < 1 || producers > kMost) return 2;
  pthread_t consumer, producer[kMost];
  for (int i = 0; i < producers; ++i) pthread_create(&producer[i], NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  for (int i = 0; i < producers; ++i) pthread_join(producer[i], NULL);
  pthread_join(consumer, NULL);
  return 0;
}
