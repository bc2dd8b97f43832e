#pragma once

#include <signal.h>

#include "libmcmini/wire.h"

// The program's handlers are called by libmcmini: only in the thread whose turn it is, and only where it has
// nothing begun, which is at its next operation, while it waits in the kernel, and when it has let others
// run. A signal that comes to a thread elsewhere is kept for it until then.

namespace mcmini {

// Has the program a function that handles the signal?
bool hasHandler(int number);

// As sigaction, and as the program sees it.
int setHandler(int number, const struct sigaction* action, struct sigaction* before);

// What signal() and its kin do; `set` is the C library's function.
sighandler_t setHandlerBy(sighandler_t (*set)(int, sighandler_t), int number, sighandler_t handler);

// The next calls are ended by the signal's handler, or are not.
void setEndsCalls(int number, bool ends);

// If another thread of the run waits for its turn, it gets the signal at its next operation, whatever the
// kernel does meanwhile. False if that is not so, and the signal has to be sent.
bool keepFor(uint32_t thread, int number, int code, sigval value);

// A clock and another process send signals when nobody can know. They are kept for longer, until the thread
// lets time pass: at each operation they would come to another one in each run.
enum class From : bool { Threads, Anywhere };

struct Delivered {
  bool any;
  bool endsCalls;  // also one that would be called again
};

// The handlers of signals that were kept for the calling thread run now.
Delivered deliverSignals(From from);

// While it lives, handlers run in its thread as soon as a signal comes.
class Receiving {
 public:
  explicit Receiving(From from);
  ~Receiving();
  Receiving(const Receiving&) = delete;
  Receiving& operator=(const Receiving&) = delete;

 private:
  bool changes_;
  bool before_ = false;
};

// While it lives, they do not, although the thread was receiving signals where it was interrupted.
class NotReceiving {
 public:
  NotReceiving();
  ~NotReceiving();
  NotReceiving(const NotReceiving&) = delete;
  NotReceiving& operator=(const NotReceiving&) = delete;

 private:
  bool before_ = false;
};

// While it lives, its thread creates one, which gets no signal until it has its first turn. What the program
// has blocked in the new one is given, or null: the same as in its creator.
class CreatingThread {
 public:
  CreatingThread(uint32_t thread, const sigset_t* given);
  ~CreatingThread();
  CreatingThread(const CreatingThread&) = delete;
  CreatingThread& operator=(const CreatingThread&) = delete;

 private:
  uint64_t handled_;
  uint64_t before_ = 0;
};

// The thread has its first turn; it has had its last.
void beginReceiving();
void endReceiving();

}  // namespace mcmini
