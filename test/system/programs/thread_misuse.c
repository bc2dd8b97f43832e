// What must not be done to a thread.
//   alone_itself     main waits for itself, before there is another thread
//   alone_none       main waits for a thread that does not exist
//   join_itself      a thread that waits for itself
//   join_detached    a join of one that was detached
//   join_made_so     a join of one that was created detached
//   join_twice       a join of one that was joined
//   detach_twice     a detach of one that was detached
//   detach_joined    a detach of one that was joined
//   cancel_joined    a cancellation of one that was joined
//   try_detached     an attempt to join one that was detached
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

static pthread_t thread;

static void* nothing(void* unused) {
  return unused;
}

static void* join_itself(void* unused) {
  pthread_join(pthread_self(), NULL);
  return unused;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  pthread_attr_t attributes;
  if (strcmp(what, "alone_itself") == 0) pthread_join(pthread_self(), NULL);
  if (strcmp(what, "alone_none") == 0) pthread_join(thread, NULL);
  pthread_attr_init(&attributes);
  if (strcmp(what, "join_made_so") == 0) pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&thread, &attributes, strcmp(what, "join_itself") == 0 ? join_itself : nothing, NULL);
  if (strcmp(what, "join_detached") == 0 || strcmp(what, "detach_twice") == 0 ||
      strcmp(what, "try_detached") == 0)
    pthread_detach(thread);
  if (strcmp(what, "join_twice") == 0 || strstr(what, "_joined") != NULL) pthread_join(thread, NULL);
  if (strncmp(what, "join_", 5) == 0) pthread_join(thread, NULL);
  if (strncmp(what, "detach_", 7) == 0) pthread_detach(thread);
  if (strcmp(what, "cancel_joined") == 0) pthread_cancel(thread);
  if (strcmp(what, "try_detached") == 0) pthread_tryjoin_np(thread, NULL);
  return 0;
}
