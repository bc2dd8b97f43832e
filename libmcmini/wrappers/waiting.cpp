// Calls that may wait for something outside of the thread. They are not modelled, but they are cancellation
// points, in programs that cancel threads.

#include <errno.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libmcmini/cancel.h"
#include "libmcmini/gate.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/handlers.h"
#include "libmcmini/wrappers/signals.h"

namespace mcmini {

namespace {

// The others wait for processes and signals.
bool isAboutFiles(const char* name) {
  return strncmp(name, "wait", 4) != 0 && strncmp(name, "sig", 3) != 0 && strcmp(name, "pause") != 0;
}

class InFileCall {
 public:
  explicit InFileCall(bool is) : box_(is && controlled() ? &channel->boxes[self] : nullptr) {
    if (box_ != nullptr) box_->inFileCall = 1;
  }
  ~InFileCall() {
    if (box_ != nullptr) box_->inFileCall = 0;
  }
  InFileCall(const InFileCall&) = delete;
  InFileCall& operator=(const InFileCall&) = delete;

 private:
  wire::Mailbox* box_;
};

template <class Call>
auto receiving(Call call) {
  Receiving signals(From::Anywhere);
  return call();
}

template <class Call>
auto cancellable(OpName name, const void* site, Call call) {
  testCancel(name, site);
  MayBeCanceled here;
  InFileCall there(isAboutFiles(name.text));
  auto result = receiving(call);
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
MCMINI_CANCELLATION_POINT(ssize_t, pread64, (int file, void* to, size_t size, off64_t at),
                          (file, to, size, at))
MCMINI_CANCELLATION_POINT(ssize_t, pwrite64, (int file, const void* from, size_t size, off64_t at),
                          (file, from, size, at))
MCMINI_CANCELLATION_POINT(ssize_t, preadv, (int file, const iovec* to, int count, off_t at),
                          (file, to, count, at))
MCMINI_CANCELLATION_POINT(ssize_t, pwritev, (int file, const iovec* from, int count, off_t at),
                          (file, from, count, at))
MCMINI_CANCELLATION_POINT(ssize_t, preadv64, (int file, const iovec* to, int count, off64_t at),
                          (file, to, count, at))
MCMINI_CANCELLATION_POINT(ssize_t, pwritev64, (int file, const iovec* from, int count, off64_t at),
                          (file, from, count, at))
MCMINI_CANCELLATION_POINT(int, fsync, (int file), (file))

MCMINI_CANCELLATION_POINT(int, accept, (int socket, sockaddr* from, socklen_t* size), (socket, from, size))
MCMINI_CANCELLATION_POINT(int, accept4, (int socket, sockaddr* from, socklen_t* size, int flags),
                          (socket, from, size, flags))
MCMINI_CANCELLATION_POINT(int, connect, (int socket, const sockaddr* to, socklen_t size), (socket, to, size))
MCMINI_CANCELLATION_POINT(ssize_t, recv, (int socket, void* to, size_t size, int flags),
                          (socket, to, size, flags))
MCMINI_CANCELLATION_POINT(ssize_t, recvfrom,
                          (int socket, void* to, size_t size, int flags, sockaddr* from, socklen_t* length),
                          (socket, to, size, flags, from, length))
MCMINI_CANCELLATION_POINT(ssize_t, recvmsg, (int socket, msghdr* message, int flags),
                          (socket, message, flags))
MCMINI_CANCELLATION_POINT(int, recvmmsg,
                          (int socket, mmsghdr* messages, unsigned count, int flags, timespec* timeout),
                          (socket, messages, count, flags, timeout))
MCMINI_CANCELLATION_POINT(ssize_t, send, (int socket, const void* from, size_t size, int flags),
                          (socket, from, size, flags))
MCMINI_CANCELLATION_POINT(ssize_t, sendto,
                          (int socket, const void* from, size_t size, int flags, const sockaddr* to,
                           socklen_t length),
                          (socket, from, size, flags, to, length))
MCMINI_CANCELLATION_POINT(ssize_t, sendmsg, (int socket, const msghdr* message, int flags),
                          (socket, message, flags))
MCMINI_CANCELLATION_POINT(int, sendmmsg, (int socket, mmsghdr* messages, unsigned count, int flags),
                          (socket, messages, count, flags))

MCMINI_CANCELLATION_POINT(int, poll, (pollfd * files, nfds_t count, int timeout), (files, count, timeout))
MCMINI_CANCELLATION_POINT(int, ppoll,
                          (pollfd * files, nfds_t count, const timespec* timeout, const sigset_t* mask),
                          (files, count, timeout, mcmini::WithoutProbe(mask).get()))
MCMINI_CANCELLATION_POINT(int, pselect,
                          (int count, fd_set* in, fd_set* out, fd_set* other, const timespec* timeout,
                           const sigset_t* mask),
                          (count, in, out, other, timeout, mcmini::WithoutProbe(mask).get()))
MCMINI_CANCELLATION_POINT(int, select, (int count, fd_set* in, fd_set* out, fd_set* other, timeval* timeout),
                          (count, in, out, other, timeout))
MCMINI_CANCELLATION_POINT(int, epoll_wait, (int file, epoll_event* events, int count, int timeout),
                          (file, events, count, timeout))
MCMINI_CANCELLATION_POINT(int, epoll_pwait,
                          (int file, epoll_event* events, int count, int timeout, const sigset_t* mask),
                          (file, events, count, timeout, mcmini::WithoutProbe(mask).get()))
MCMINI_CANCELLATION_POINT(int, pause, (), ())
MCMINI_CANCELLATION_POINT(int, sigsuspend, (const sigset_t* mask), (mcmini::WithoutProbe(mask).get()))
MCMINI_CANCELLATION_POINT(int, sigwaitinfo, (const sigset_t* set, siginfo_t* info),
                          (mcmini::WithoutProbe(set).get(), info))
MCMINI_CANCELLATION_POINT(int, sigtimedwait, (const sigset_t* set, siginfo_t* info, const timespec* timeout),
                          (mcmini::WithoutProbe(set).get(), info, timeout))
MCMINI_CANCELLATION_POINT(pid_t, wait, (int* status), (status))
MCMINI_CANCELLATION_POINT(pid_t, waitpid, (pid_t process, int* status, int options),
                          (process, status, options))
MCMINI_CANCELLATION_POINT(int, waitid, (idtype_t kind, id_t who, siginfo_t* info, int options),
                          (kind, who, info, options))
MCMINI_CANCELLATION_POINT(pid_t, wait3, (int* status, int options, rusage* usage), (status, options, usage))
MCMINI_CANCELLATION_POINT(pid_t, wait4, (pid_t process, int* status, int options, rusage* usage),
                          (process, status, options, usage))

MCMINI_CANCELLATION_POINT(ssize_t, msgrcv, (int queue, void* to, size_t size, long type, int flags),
                          (queue, to, size, type, flags))
MCMINI_CANCELLATION_POINT(int, msgsnd, (int queue, const void* from, size_t size, int flags),
                          (queue, from, size, flags))
MCMINI_CANCELLATION_POINT(ssize_t, mq_receive, (mqd_t queue, char* to, size_t size, unsigned* priority),
                          (queue, to, size, priority))
MCMINI_CANCELLATION_POINT(int, mq_send, (mqd_t queue, const char* from, size_t size, unsigned priority),
                          (queue, from, size, priority))
MCMINI_CANCELLATION_POINT(ssize_t, mq_timedreceive,
                          (mqd_t queue, char* to, size_t size, unsigned* priority, const timespec* until),
                          (queue, to, size, priority, until))
MCMINI_CANCELLATION_POINT(int, mq_timedsend,
                          (mqd_t queue, const char* from, size_t size, unsigned priority,
                           const timespec* until),
                          (queue, from, size, priority, until))

// The one that other signals do not end: it waits again, unless the thread is cancelled there.
MCMINI_EXPORT int sigwait(const sigset_t* set, int* signal) {
  using namespace mcmini;
  WithoutProbe waitedFor(set);
  int result = cancellable("sigwait", __builtin_return_address(0), [&] {
    int got = real::sigwaitinfo(waitedFor.get(), nullptr);
    while (got < 0 && errno == EINTR && !toBeCanceled()) got = real::sigwaitinfo(waitedFor.get(), nullptr);
    return got;
  });
  if (result < 0) return errno;
  *signal = result;
  return 0;
}

// As programs call them that are compiled with _FORTIFY_SOURCE.
extern "C" {
ssize_t __read_chk(int, void*, size_t, size_t);
ssize_t __pread_chk(int, void*, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void*, size_t, off64_t, size_t);
ssize_t __recv_chk(int, void*, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void*, size_t, size_t, int, sockaddr*, socklen_t*);
int __poll_chk(pollfd*, nfds_t, int, size_t);
int __ppoll_chk(pollfd*, nfds_t, const timespec*, const sigset_t*, size_t);
}

MCMINI_CANCELLATION_POINT(ssize_t, __read_chk, (int file, void* to, size_t size, size_t room),
                          (file, to, size, room))
MCMINI_CANCELLATION_POINT(ssize_t, __pread_chk, (int file, void* to, size_t size, off_t at, size_t room),
                          (file, to, size, at, room))
MCMINI_CANCELLATION_POINT(ssize_t, __pread64_chk, (int file, void* to, size_t size, off64_t at, size_t room),
                          (file, to, size, at, room))
MCMINI_CANCELLATION_POINT(ssize_t, __recv_chk, (int socket, void* to, size_t size, size_t room, int flags),
                          (socket, to, size, room, flags))
MCMINI_CANCELLATION_POINT(ssize_t, __recvfrom_chk,
                          (int socket, void* to, size_t size, size_t room, int flags, sockaddr* from,
                           socklen_t* length),
                          (socket, to, size, room, flags, from, length))
MCMINI_CANCELLATION_POINT(int, __poll_chk, (pollfd * files, nfds_t count, int timeout, size_t room),
                          (files, count, timeout, room))
MCMINI_CANCELLATION_POINT(int, __ppoll_chk,
                          (pollfd * files, nfds_t count, const timespec* timeout, const sigset_t* mask,
                           size_t room),
                          (files, count, timeout, mcmini::WithoutProbe(mask).get(), room))
