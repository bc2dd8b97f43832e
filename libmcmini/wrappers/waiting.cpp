// Calls that may wait for something outside of the thread. They are not modelled, but they are cancellation
// points, in programs that cancel threads.

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libmcmini/cancel.h"
#include "libmcmini/real.h"

namespace mcmini {

namespace {

template <class Call>
auto cancellable(OpName name, const void* site, Call call) {
  testCancel(name, site);
  MayBeCanceled here;
  auto result = call();
  if (result < 0 && errno == EINTR && toBeCanceled()) endByCancel();
  return result;
}

}  // namespace

}  // namespace mcmini

#define MCMINI_CANCELLATION_POINT(RESULT, NAME, PARAMETERS, ARGUMENTS)                    \
  MCMINI_WRAPS(NAME)                                                                      \
  MCMINI_EXPORT RESULT NAME PARAMETERS {                                                  \
    return mcmini::cancellable(#NAME, __builtin_return_address(0),                        \
                               [&]() -> RESULT { return mcmini::real::NAME ARGUMENTS; }); \
  }

MCMINI_CANCELLATION_POINT(ssize_t, read, (int file, void* to, size_t size), (file, to, size))
MCMINI_CANCELLATION_POINT(ssize_t, write, (int file, const void* from, size_t size), (file, from, size))
MCMINI_CANCELLATION_POINT(ssize_t, readv, (int file, const iovec* to, int count), (file, to, count))
MCMINI_CANCELLATION_POINT(ssize_t, writev, (int file, const iovec* from, int count), (file, from, count))
MCMINI_CANCELLATION_POINT(ssize_t, pread, (int file, void* to, size_t size, off_t at), (file, to, size, at))
MCMINI_CANCELLATION_POINT(ssize_t, pwrite, (int file, const void* from, size_t size, off_t at),
                          (file, from, size, at))
MCMINI_CANCELLATION_POINT(int, fsync, (int file), (file))

MCMINI_CANCELLATION_POINT(int, accept, (int socket, sockaddr* from, socklen_t* size), (socket, from, size))
MCMINI_CANCELLATION_POINT(int, connect, (int socket, const sockaddr* to, socklen_t size), (socket, to, size))
MCMINI_CANCELLATION_POINT(ssize_t, recv, (int socket, void* to, size_t size, int flags),
                          (socket, to, size, flags))
MCMINI_CANCELLATION_POINT(ssize_t, recvfrom,
                          (int socket, void* to, size_t size, int flags, sockaddr* from, socklen_t* length),
                          (socket, to, size, flags, from, length))
MCMINI_CANCELLATION_POINT(ssize_t, recvmsg, (int socket, msghdr* message, int flags),
                          (socket, message, flags))
MCMINI_CANCELLATION_POINT(ssize_t, send, (int socket, const void* from, size_t size, int flags),
                          (socket, from, size, flags))
MCMINI_CANCELLATION_POINT(ssize_t, sendto,
                          (int socket, const void* from, size_t size, int flags, const sockaddr* to,
                           socklen_t length),
                          (socket, from, size, flags, to, length))
MCMINI_CANCELLATION_POINT(ssize_t, sendmsg, (int socket, const msghdr* message, int flags),
                          (socket, message, flags))

MCMINI_CANCELLATION_POINT(int, poll, (pollfd * files, nfds_t count, int timeout), (files, count, timeout))
MCMINI_CANCELLATION_POINT(int, select, (int count, fd_set* in, fd_set* out, fd_set* other, timeval* timeout),
                          (count, in, out, other, timeout))
MCMINI_CANCELLATION_POINT(int, epoll_wait, (int file, epoll_event* events, int count, int timeout),
                          (file, events, count, timeout))
MCMINI_CANCELLATION_POINT(int, pause, (), ())
MCMINI_CANCELLATION_POINT(pid_t, wait, (int* status), (status))
MCMINI_CANCELLATION_POINT(pid_t, waitpid, (pid_t process, int* status, int options),
                          (process, status, options))
