// Calls that print a message and then end the process, which the C library does on its own: here they come to
// exit like others.

#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "libmcmini/real.h"
#include "libmcmini/wrappers/process.h"

MCMINI_WRAPS(error)
MCMINI_WRAPS(error_at_line)

namespace {

// The message of a call that the C library has no variant of with a list of arguments.
class Message {
 public:
  Message(const char* format, va_list list) {
    int before = errno;
    if (vasprintf(&text_, format, list) < 0) text_ = nullptr;
    errno = before;
  }
  ~Message() { free(text_); }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  const char* text() const { return text_ == nullptr ? "" : text_; }

 private:
  char* text_ = nullptr;
};

}  // namespace

using namespace mcmini;

MCMINI_EXPORT void verr(int status, const char* format, va_list list) {
  vwarn(format, list);
  exitFrom(__builtin_return_address(0), status);
}

MCMINI_EXPORT void verrx(int status, const char* format, va_list list) {
  vwarnx(format, list);
  exitFrom(__builtin_return_address(0), status);
}

MCMINI_EXPORT void err(int status, const char* format, ...) {
  va_list list;
  va_start(list, format);
  vwarn(format, list);
  va_end(list);
  exitFrom(__builtin_return_address(0), status);
}

MCMINI_EXPORT void errx(int status, const char* format, ...) {
  va_list list;
  va_start(list, format);
  vwarnx(format, list);
  va_end(list);
  exitFrom(__builtin_return_address(0), status);
}

// These two go on if the status is 0.
MCMINI_EXPORT void error(int status, int number, const char* format, ...) {
  {
    va_list list;
    va_start(list, format);
    Message message(format, list);
    va_end(list);
    real::error(0, number, "%s", message.text());
  }
  if (status != 0) exitFrom(__builtin_return_address(0), status);
}

MCMINI_EXPORT void error_at_line(int status, int number, const char* file, unsigned line, const char* format,
                                 ...) {
  {
    va_list list;
    va_start(list, format);
    Message message(format, list);
    va_end(list);
    real::error_at_line(0, number, file, line, "%s", message.text());
  }
  if (status != 0) exitFrom(__builtin_return_address(0), status);
}
