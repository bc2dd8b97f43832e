#include "core/app/help_topics.hpp"

namespace mcmini {

namespace {

constexpr HelpTopic kTopics[] = {
    {"policies", "who is woken when several threads wait", R"(
Several threads wait for a lock, a token of a semaphore or a signal: who is
next? POSIX does not say. A wakeup policy does:

  arbitrary  any of those who wait when the signal comes (the default; what a
             portable program has to put up with)
  fifo       who has waited longest
  lifo       who came last
  spurious   as arbitrary; besides, each condition variable lets one thread go
             that nobody has woken, which finds 'if' where 'while' should be

  mcmini --policy fifo PROGRAM
  mcmini --policy cond=lifo,sem=fifo PROGRAM     by kind of wait queue
  mcmini --policy ./mine.so PROGRAM              a policy of your own
  mcmini --spurious-wakeups 2 PROGRAM            with any policy

The kinds of wait queues are cond, sem, mutex, rwlock, futex. A program that is
wrong under arbitrary is not portable, even if it never fails on a machine whose
library keeps an order. 'mcmini plugin list' tells what policies there are.
)"},
    {"plugins", "primitives of your own, and ready ones", R"(
A plugin teaches mcmini a primitive that it does not know. It is one file: what
the operations mean, and the functions that programs call.

  mcmini plugin new NAME          writes one to begin with
  mcmini plugin build FILE.cpp    compiles it: NAME.so for mcmini, libNAME.so
                                  for programs
  mcmini plugin check FILE.so     looks for mistakes in what it says
  mcmini plugin list [FILE...]    what is modelled, and where it comes from

  mcmini --plugin ./NAME.so PROGRAM
  mcmini --plugin latch PROGRAM   a ready one: two_writers, readers_first,
                                  writers_first, binary_semaphore, event,
                                  latch, channel

Plugins are code that runs in mcmini. They are loaded from its installation, by
--plugin and --plugin-path, and from files named by --policy and --config, never
because a file lies somewhere.
)"},
    {"memory", "programs whose accesses to memory are watched", R"(
mcmini sees the memory that threads share, plain and atomic variables, if the
program is compiled for it:

  mcmini-cc -g -pthread FILE.c -o PROGRAM       in place of gcc
  mcmini-c++ -g -pthread FILE.cpp -o PROGRAM    in place of g++
  make CC=mcmini-cc CXX=mcmini-c++              or CMake, or configure
  mcmini_instrument(TARGET)                     in CMakeLists.txt, after
                                                find_package(mcmini)

The environment says which compiler: MCMINI_CC=clang MCMINI_CXX=clang++. The
program also runs without mcmini, somewhat slower. All its files, and libraries
of its own, should be compiled in this way: 'mcmini doctor PROGRAM' tells if
they are. What the C library does with memory is seen for memcpy, strlen and
their like, not for printf or read.
)"},
    {"annotations", "what a program can tell mcmini about itself", R"(
#include <mcmini/annotate.h>, from C or C++. Nothing has to be linked, and in a
program that runs without mcmini they do nothing.

  MC_READ(x); MC_WRITE(x);  the thread is about to read or write the variable x:
                            others may run before that, and every order is tried
                            that makes a difference
  mc_assert(condition);     a bug if it does not hold
  mc_choose(n)              0 to n - 1: each is tried. For input, failures, or
                            whatever else might be so or so. Without mcmini: 0
  mc_assume(condition);     runs in which it does not hold are of no interest:
                            the thread goes no further, and who waits for it is
                            no bug
  mc_atomic_begin();        nobody else moves until mc_atomic_end(). May be
                            nested. To have to wait in between is a misuse
  mc_yield();               others may run; a loop that only yields waits for
                            what they do
  MC_BENIGN_RACE(x);        races of accesses to x are not reported

  gcc -I DIR/include prog.c      where mcmini is installed in DIR

A loop that only mc_choose ends has no longest run: count its rounds, or say
--max-thread-depth.
)"},
    {"determinism", "what it means that a program does not repeat itself", R"(
mcmini runs a program again and again and changes nothing but the order of its
threads. What a thread does between two calls of the thread library must follow
from what it did before. A program that decides by something else does not
repeat itself; it is recognized and refused (exit code 4), with the step that
differed.

Usual causes, and what to do:

  the time          clock_gettime, time and their kin are virtual and repeat;
                    the processor's own counter (rdtsc) does not
  random numbers    rand, random, getrandom repeat; /dev/urandom does not: use a
                    fixed seed
  input             is the same for each run: standard input, or --stdin FILE;
                    the network is not
  files             a run sees what the run before it has written: start from
                    nothing, or write elsewhere
  memory            that is read before it is written: initialize it, and try
                    valgrind
  other processes   do not wait for them, and do not share files with them
)"},
    {"bounds", "when it takes too long, or never ends", R"(
Without bounds a search ends when every behaviour has been run. The last lines
tell how far it got: complete=yes, complete=bounded (all of it within a depth),
or complete=no (stopped before that).

  --time 60s              stops after this time
  --max-traces N          stops after N runs
  --max-thread-depth N    each thread ends after N operations; what is left of
                          the program is searched completely. The best bound to
                          begin with: small numbers find most bugs
  --max-depth N           a run is cut after N operations, for threads that work
                          for ever
  --max-repeats N         loops in which threads hinder each other (try, fail,
                          give back, try again) are followed for N more rounds
  --first                 stops at the first bug
  --spurious-wakeups 0    none, whatever the policy

Fewer threads and fewer rounds help more than any option: most bugs show with
two or three threads that do everything once or twice.
)"},
    {"exit-codes", "what mcmini returns, and its last line", R"(
    0  no bug
    1  a bug was found
    2  wrong call or configuration, or a plugin that cannot be used
    3  no bug, but not complete: stopped early (--time, --max-traces), or some
       orders could not be followed
    4  the program cannot be checked: missing, static, not repeating itself, ...
    5  mcmini replay: the program does something else than what was saved
   70  a bug of mcmini, or of a plugin
  130  interrupted, with a partial report

The last line of stdout is for scripts and keeps its shape:

  RESULT verdict=deadlock bugs=1 traces=7 transitions=116 blocked=0 complete=yes
  time=0.02 exit=1        (in one line)

  verdict      ok, or the kind of the first bug: deadlock, assertion, crash,
               exit, misuse, stuck, livelock, race
  bugs         distinct ones
  traces       runs
  transitions  their steps
  blocked      runs given up as redundant
  complete     yes, bounded (within the depth asked for), no
)"},
    {"configuration", "options from a file", R"(
Options may come from a file: mcmini.yaml in the directory of the program, or
the one named by --config FILE. It has a line for each option, by its long name:

  # mcmini.yaml
  max-thread-depth: 8
  time: 90s
  first: true
  policy: [cond=lifo, sem=fifo]     # what may be repeated may be a list

The command line wins over the file. Relative paths begin where the file is.
A file that mcmini has only found beside the program loads no code: of plugins
it may name ready ones; others need --config, or --plugin.

  mcmini --print-config PROGRAM     all options, and where each comes from; the
                                    output is such a file
  mcmini --config /dev/null ...     without the file beside the program
)"},
};

}  // namespace

std::span<const HelpTopic> helpTopics() {
  return kTopics;
}

}  // namespace mcmini
