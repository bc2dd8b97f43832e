/* The functions of the C library that read and write memory for their caller. The linker gives the calls of
   the program to these (wrap.options); without the checker they do what they always did. */
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

/* What -D_FORTIFY_SOURCE makes of them. */
void* __memcpy_chk(void*, const void*, size_t, size_t);
void* __memmove_chk(void*, const void*, size_t, size_t);
void* __memset_chk(void*, int, size_t, size_t);
void* __mempcpy_chk(void*, const void*, size_t, size_t);
char* __strcpy_chk(char*, const char*, size_t);
char* __strncpy_chk(char*, const char*, size_t, size_t);
char* __stpcpy_chk(char*, const char*, size_t);
char* __strcat_chk(char*, const char*, size_t);
char* __strncat_chk(char*, const char*, size_t, size_t);

#define PASSES_ON(TYPE, NAME, PARAMETERS, ARGUMENTS) \
  TYPE __wrap_##NAME PARAMETERS {                    \
    return NAME ARGUMENTS;                           \
  }

PASSES_ON(void*, memcpy, (void* to, const void* from, size_t n), (to, from, n))
PASSES_ON(void*, memmove, (void* to, const void* from, size_t n), (to, from, n))
PASSES_ON(void*, mempcpy, (void* to, const void* from, size_t n), (to, from, n))
PASSES_ON(void*, memset, (void* to, int c, size_t n), (to, c, n))
PASSES_ON(void, bcopy, (const void* from, void* to, size_t n), (from, to, n))
PASSES_ON(void, bzero, (void* to, size_t n), (to, n))
PASSES_ON(int, memcmp, (const void* a, const void* b, size_t n), (a, b, n))
PASSES_ON(void*, memchr, (const void* s, int c, size_t n), (s, c, n))
PASSES_ON(size_t, strlen, (const char* s), (s))
PASSES_ON(size_t, strnlen, (const char* s, size_t n), (s, n))
PASSES_ON(char*, strcpy, (char* to, const char* from), (to, from))
PASSES_ON(char*, strncpy, (char* to, const char* from, size_t n), (to, from, n))
PASSES_ON(char*, stpcpy, (char* to, const char* from), (to, from))
PASSES_ON(char*, strcat, (char* to, const char* from), (to, from))
PASSES_ON(char*, strncat, (char* to, const char* from, size_t n), (to, from, n))
PASSES_ON(int, strcmp, (const char* a, const char* b), (a, b))
PASSES_ON(int, strncmp, (const char* a, const char* b, size_t n), (a, b, n))
PASSES_ON(char*, strchr, (const char* s, int c), (s, c))
PASSES_ON(char*, strrchr, (const char* s, int c), (s, c))
PASSES_ON(char*, strstr, (const char* s, const char* part), (s, part))
PASSES_ON(char*, strdup, (const char* s), (s))
PASSES_ON(char*, strndup, (const char* s, size_t n), (s, n))

PASSES_ON(void*, __memcpy_chk, (void* to, const void* from, size_t n, size_t room), (to, from, n, room))
PASSES_ON(void*, __memmove_chk, (void* to, const void* from, size_t n, size_t room), (to, from, n, room))
PASSES_ON(void*, __mempcpy_chk, (void* to, const void* from, size_t n, size_t room), (to, from, n, room))
PASSES_ON(void*, __memset_chk, (void* to, int c, size_t n, size_t room), (to, c, n, room))
PASSES_ON(char*, __strcpy_chk, (char* to, const char* from, size_t room), (to, from, room))
PASSES_ON(char*, __strncpy_chk, (char* to, const char* from, size_t n, size_t room), (to, from, n, room))
PASSES_ON(char*, __stpcpy_chk, (char* to, const char* from, size_t room), (to, from, room))
PASSES_ON(char*, __strcat_chk, (char* to, const char* from, size_t room), (to, from, room))
PASSES_ON(char*, __strncat_chk, (char* to, const char* from, size_t n, size_t room), (to, from, n, room))
