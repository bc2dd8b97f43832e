// Functions of the C library that read and write memory for their caller. The linker gives the calls of a
// program that was built by mcmini-cc to these (stub/wrap.options). What they access is recorded before they
// do it, as at other accesses: there another thread may come in between.

#include <string.h>
#include <strings.h>

#include "libmcmini/accesses.h"
#include "libmcmini/real.h"

// What -D_FORTIFY_SOURCE makes of them. They end the program if there is not enough room.
extern "C" {
void* __memcpy_chk(void*, const void*, size_t, size_t);
void* __memmove_chk(void*, const void*, size_t, size_t);
void* __mempcpy_chk(void*, const void*, size_t, size_t);
void* __memset_chk(void*, int, size_t, size_t);
char* __strcpy_chk(char*, const char*, size_t);
char* __strncpy_chk(char*, const char*, size_t, size_t);
char* __stpcpy_chk(char*, const char*, size_t);
char* __strcat_chk(char*, const char*, size_t);
char* __strncat_chk(char*, const char*, size_t, size_t);
}

namespace {

// Who called, and what it has accessed by this call.
class Call {
 public:
  explicit Call(const void* site) : site_(site) {}

  Call& reads(const void* memory, size_t size) { return notes(memory, size, false); }
  Call& writes(const void* memory, size_t size) { return notes(memory, size, true); }
  Call& copies(const void* to, const void* from, size_t size) { return reads(from, size).writes(to, size); }

  // With the zero at its end.
  Call& readsText(const char* text) { return isRecorded() ? reads(text, strlen(text) + 1) : *this; }
  Call& readsText(const char* text, size_t limit) {
    return isRecorded() ? reads(text, withEnd(text, limit)) : *this;
  }
  Call& copiesText(const char* to, const char* from) {
    return isRecorded() ? copies(to, from, strlen(from) + 1) : *this;
  }
  Call& appendsText(const char* to, const char* from, size_t length) {
    if (!isRecorded()) return *this;
    const size_t before = strlen(to);
    return reads(to, before + 1).writes(to + before, length + 1).reads(from, withEnd(from, length));
  }

  static size_t withEnd(const char* text, size_t limit) {
    const size_t length = strnlen(text, limit);
    return length < limit ? length + 1 : limit;
  }
  static bool isRecorded() { return mcmini::recordsAccesses; }

 private:
  Call& notes(const void* memory, size_t size, bool isWrite) {
    if (size != 0) mcmini::noteAccess(memory, size, isWrite, site_);
    return *this;
  }

  const void* site_;
};

// How many characters of two texts have to be looked at to compare them.
size_t compared(const char* a, const char* b, size_t limit) {
  size_t i = 0;
  while (i < limit && a[i] == b[i] && a[i] != '\0') ++i;
  return i < limit ? i + 1 : limit;
}

size_t upTo(const void* begin, const void* last, size_t otherwise) {
  return last == nullptr
             ? otherwise
             : static_cast<size_t>(static_cast<const char*>(last) - static_cast<const char*>(begin)) + 1;
}

}  // namespace

#define MCMINI_CALL Call(__builtin_return_address(0))
#define MCMINI_TAKES(TYPE, NAME, PARAMETERS, NOTE, ARGUMENTS) \
  MCMINI_EXPORT TYPE __wrap_##NAME PARAMETERS {               \
    MCMINI_CALL.NOTE;                                         \
    return NAME ARGUMENTS;                                    \
  }

MCMINI_TAKES(void*, memcpy, (void* to, const void* from, size_t n), copies(to, from, n), (to, from, n))
MCMINI_TAKES(void*, memmove, (void* to, const void* from, size_t n), copies(to, from, n), (to, from, n))
MCMINI_TAKES(void*, mempcpy, (void* to, const void* from, size_t n), copies(to, from, n), (to, from, n))
MCMINI_TAKES(void, bcopy, (const void* from, void* to, size_t n), copies(to, from, n), (from, to, n))
MCMINI_TAKES(void*, memset, (void* to, int c, size_t n), writes(to, n), (to, c, n))
MCMINI_TAKES(void, bzero, (void* to, size_t n), writes(to, n), (to, n))
MCMINI_TAKES(int, memcmp, (const void* a, const void* b, size_t n), reads(a, n).reads(b, n), (a, b, n))
MCMINI_TAKES(size_t, strlen, (const char* s), readsText(s), (s))
MCMINI_TAKES(size_t, strnlen, (const char* s, size_t n), readsText(s, n), (s, n))
MCMINI_TAKES(char*, strcpy, (char* to, const char* from), copiesText(to, from), (to, from))
MCMINI_TAKES(char*, stpcpy, (char* to, const char* from), copiesText(to, from), (to, from))
MCMINI_TAKES(char*, strncpy, (char* to, const char* from, size_t n), readsText(from, n).writes(to, n),
             (to, from, n))
MCMINI_TAKES(char*, strcat, (char* to, const char* from), appendsText(to, from, strlen(from)), (to, from))
MCMINI_TAKES(char*, strncat, (char* to, const char* from, size_t n), appendsText(to, from, strnlen(from, n)),
             (to, from, n))
MCMINI_TAKES(char*, strrchr, (const char* s, int c), readsText(s), (const_cast<char*>(s), c))
MCMINI_TAKES(char*, strstr, (const char* s, const char* part), readsText(s).readsText(part),
             (const_cast<char*>(s), part))
MCMINI_TAKES(char*, strdup, (const char* s), readsText(s), (s))
MCMINI_TAKES(char*, strndup, (const char* s, size_t n), readsText(s, n), (s, n))

MCMINI_TAKES(void*, __memcpy_chk, (void* to, const void* from, size_t n, size_t room), copies(to, from, n),
             (to, from, n, room))
MCMINI_TAKES(void*, __memmove_chk, (void* to, const void* from, size_t n, size_t room), copies(to, from, n),
             (to, from, n, room))
MCMINI_TAKES(void*, __mempcpy_chk, (void* to, const void* from, size_t n, size_t room), copies(to, from, n),
             (to, from, n, room))
MCMINI_TAKES(void*, __memset_chk, (void* to, int c, size_t n, size_t room), writes(to, n), (to, c, n, room))
MCMINI_TAKES(char*, __strcpy_chk, (char* to, const char* from, size_t room), copiesText(to, from),
             (to, from, room))
MCMINI_TAKES(char*, __stpcpy_chk, (char* to, const char* from, size_t room), copiesText(to, from),
             (to, from, room))
MCMINI_TAKES(char*, __strncpy_chk, (char* to, const char* from, size_t n, size_t room),
             readsText(from, n).writes(to, n), (to, from, n, room))
MCMINI_TAKES(char*, __strcat_chk, (char* to, const char* from, size_t room),
             appendsText(to, from, strlen(from)), (to, from, room))
MCMINI_TAKES(char*, __strncat_chk, (char* to, const char* from, size_t n, size_t room),
             appendsText(to, from, strnlen(from, n)), (to, from, n, room))

// Those that stop where they find something have read no further.

MCMINI_EXPORT void* __wrap_memchr(const void* s, int c, size_t n) {
  if (Call::isRecorded()) MCMINI_CALL.reads(s, upTo(s, memchr(s, c, n), n));
  return const_cast<void*>(memchr(s, c, n));
}

MCMINI_EXPORT char* __wrap_strchr(const char* s, int c) {
  if (Call::isRecorded()) MCMINI_CALL.reads(s, upTo(s, strchrnul(s, c), 0));
  return const_cast<char*>(strchr(s, c));
}

MCMINI_EXPORT int __wrap_strncmp(const char* a, const char* b, size_t n) {
  if (Call::isRecorded()) MCMINI_CALL.reads(a, compared(a, b, n)).reads(b, compared(a, b, n));
  return strncmp(a, b, n);
}

MCMINI_EXPORT int __wrap_strcmp(const char* a, const char* b) {
  if (Call::isRecorded()) MCMINI_CALL.reads(a, compared(a, b, SIZE_MAX)).reads(b, compared(a, b, SIZE_MAX));
  return strcmp(a, b);
}
