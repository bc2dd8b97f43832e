/* gcc includes it first in each file that mcmini-cc compiles. The C++ library copies with __builtin_memcpy
   and its like, which gcc does in place, unseen, if it knows the size: they shall be calls. clang makes calls
   of them by itself. */
#pragma GCC system_header
#ifndef __ASSEMBLER__

#ifdef __cplusplus
extern "C" {
#endif
void* __wrap_memcpy(void*, const void*, __SIZE_TYPE__) __attribute__((__nothrow__));
void* __wrap_memmove(void*, const void*, __SIZE_TYPE__) __attribute__((__nothrow__));
void* __wrap_memset(void*, int, __SIZE_TYPE__) __attribute__((__nothrow__));
int __wrap_memcmp(const void*, const void*, __SIZE_TYPE__) __attribute__((__nothrow__, __pure__));
#ifdef __cplusplus
}

/* What the compiler itself is to compute stays as it is. */
#define MCMINI_CALL(NAME, ...) \
  (__builtin_is_constant_evaluated() ? __builtin_##NAME(__VA_ARGS__) : __wrap_##NAME(__VA_ARGS__))
#define __builtin_memcpy(...) MCMINI_CALL(memcpy, __VA_ARGS__)
#define __builtin_memmove(...) MCMINI_CALL(memmove, __VA_ARGS__)
#define __builtin_memset(...) MCMINI_CALL(memset, __VA_ARGS__)
#define __builtin_memcmp(...) MCMINI_CALL(memcmp, __VA_ARGS__)
#else
#define __builtin_memcpy __wrap_memcpy
#define __builtin_memmove __wrap_memmove
#define __builtin_memset __wrap_memset
#define __builtin_memcmp __wrap_memcmp
#endif

#endif
