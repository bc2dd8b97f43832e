/* What code that was compiled by mcmini-cc calls at each access to memory. Without the checker that is
   nobody's business; under it the functions of the same names in libmcmini.so are found first. */
#include <stddef.h>

#define IGNORES_ADDRESS(NAME) \
  void NAME(void* address) {  \
    (void)address;            \
  }
#define IGNORES_RANGE(NAME)               \
  void NAME(void* address, size_t size) { \
    (void)address;                        \
    (void)size;                           \
  }
#define OF_SIZES(KIND)     \
  IGNORES_ADDRESS(KIND##1) \
  IGNORES_ADDRESS(KIND##2) \
  IGNORES_ADDRESS(KIND##4) \
  IGNORES_ADDRESS(KIND##8) \
  IGNORES_ADDRESS(KIND##16)
#define READ_AND_WRITTEN(PREFIX)  \
  OF_SIZES(__tsan_##PREFIX##read) \
  OF_SIZES(__tsan_##PREFIX##write)

READ_AND_WRITTEN()
READ_AND_WRITTEN(unaligned_)
READ_AND_WRITTEN(volatile_)
READ_AND_WRITTEN(unaligned_volatile_)
OF_SIZES(__tsan_read_write)
OF_SIZES(__tsan_unaligned_read_write)
IGNORES_RANGE(__tsan_read_range)
IGNORES_RANGE(__tsan_write_range)
IGNORES_RANGE(__tsan_vptr_update) /* its second argument is what is stored */
IGNORES_ADDRESS(__tsan_vptr_read)
IGNORES_ADDRESS(__tsan_func_entry)

void __tsan_func_exit(void) {}
void __tsan_init(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
