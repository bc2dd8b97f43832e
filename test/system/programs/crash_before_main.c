// A constructor that crashes before main is reached.
#include <stddef.h>

static int* volatile nothing;

__attribute__((constructor)) static void set_up(void) {
  *nothing = 1;  // HERE set_up
}

int main(void) {
  return 0;
}
