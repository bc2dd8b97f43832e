#include "core/app/report_stream.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <initializer_list>

namespace mcmini {

ReportStream::ReportStream() {
  cookie_io_functions_t functions{};
  functions.write = write;
  std::FILE* stream = fopencookie(this, "w", functions);
  if (stream == nullptr) return;
  std::setvbuf(stream, nullptr, isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF, BUFSIZ);
  stdout = stream;
}

ssize_t ReportStream::write(void* self, const char* bytes, std::size_t size) {
  int& error = static_cast<ReportStream*>(self)->error_;
  for (std::size_t done = 0; done < size && error == 0;) {
    ssize_t written = ::write(STDOUT_FILENO, bytes + done, size - done);
    if (written >= 0)
      done += static_cast<std::size_t>(written);
    else if (errno != EINTR)
      error = errno;
  }
  return static_cast<ssize_t>(size);
}

void ReportStream::finish() {
  std::fflush(stdout);
  if (error_ == 0 || error_ == EPIPE) return;
  std::fprintf(stderr, "mcmini: the report cannot be written to standard output: %s.\n",
               error_ == EBADF ? "it is closed" : std::strerror(error_));
}

void takeClosedDescriptors() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0)
      (void)!open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

}  // namespace mcmini
