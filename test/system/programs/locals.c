// Locks that are local variables. Most ways end with an unlock of what nobody has locked.
#include <pthread.h>
#include <string.h>

struct pair {
  int count;
  pthread_mutex_t left, right;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *left_first(void *argument) {
  struct pair *pair = argument;
  pthread_mutex_lock(&pair->left);
  pthread_mutex_lock(&pair->right);
  pthread_mutex_unlock(&pair->right);
  pthread_mutex_unlock(&pair->left);
  return NULL;
}

static void *right_first(void *argument) {
  struct pair *pair = argument;
  pthread_mutex_lock(&pair->right);
  pthread_mutex_lock(&pair->left);
  pthread_mutex_unlock(&pair->left);
  pthread_mutex_unlock(&pair->right);
  return NULL;
}

static void cross(struct pair *pair) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, left_first, pair);
  pthread_create(&threads[1], NULL, right_first, pair);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

static void members(void) {
  struct pair pairs[2];
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_init(&pairs[i].left, NULL);
    pthread_mutex_init(&pairs[i].right, NULL);
  }
  cross(&pairs[1]);
}

static void *worker(void *ignored) {
  pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mine);
  pthread_mutex_unlock(&mine);
  return ignored;
}

static void in_two_threads(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  pthread_mutex_unlock(&lock);
}

static void nested(int depth) {
  pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mine);
  if (depth > 0) nested(depth - 1);
  pthread_mutex_unlock(depth > 0 ? &mine : &lock);
}

static void like_a_global(void) {
  pthread_mutex_lock(&lock);
  {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
  }
}

static void one_after_the_other(void) {
  {
    pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
  }
  {
    pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&second);
  }
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "members";
  if (strcmp(way, "members") == 0) members();
  if (strcmp(way, "threads") == 0) in_two_threads();
  if (strcmp(way, "calls") == 0) nested(2);
  if (strcmp(way, "global") == 0) like_a_global();
  if (strcmp(way, "reused") == 0) one_after_the_other();
  return 0;
}
