// Players put a card each on a pile; then each who takes one back signals to the next. The program relies on
// it that who put the last card takes the first. POSIX promises no order: it is correct under lifo only.
//   mcmini --policy lifo card_pile
#include <assert.h>
#include <pthread.h>

enum { kPlayers = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER;
static int came, gone, may_go;

static void* play(void* unused) {
  pthread_mutex_lock(&mutex);
  int place = came++;
  if (came == kPlayers) pthread_cond_signal(&all_here);
  while (!may_go) pthread_cond_wait(&next, &mutex);
  assert(place == kPlayers - 1 - gone);
  ++gone;
  pthread_cond_signal(&next);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread[kPlayers];
  for (int i = 0; i < kPlayers; ++i) pthread_create(&thread[i], NULL, play, NULL);
  pthread_mutex_lock(&mutex);
  while (came < kPlayers) pthread_cond_wait(&all_here, &mutex);
  may_go = 1;
  pthread_cond_signal(&next);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < kPlayers; ++i) pthread_join(thread[i], NULL);
  return 0;
}
