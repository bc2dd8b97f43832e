// Opens a gate for threads that go through it. The model of the gate is a plugin of the test's.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

int64_t mcmini_announce(const char* operation, const char* call, const volatile void* object,
                        const uint64_t* arguments, const void* site) __attribute__((weak));

static int gate;

static void announce(const char* operation) {
  static const uint64_t none[3];
  mcmini_announce(operation, "gate", &gate, none, __builtin_return_address(0));
}

static void* go(void* unused) {
  announce("gate.pass");
  return unused;
}

int main(void) {
  pthread_t threads[2];
  if (mcmini_announce == NULL) return 2;
  announce("gate.open");
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, go, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
