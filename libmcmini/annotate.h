#ifndef MCMINI_ANNOTATE_H
#define MCMINI_ANNOTATE_H

/* clang-format off */

/*
 * What a program tells mcmini about itself. For C99 and C++11; installed as <mcmini/annotate.h>. Nothing has
 * to be linked, and in a program that runs without mcmini nothing of this does anything.
 *
 *   MC_READ(x); MC_WRITE(x);   The thread is about to read or write x: a variable, an element, a member, *p.
 *                              Other threads may run before it, as at a call of the thread library. Two reads
 *                              may come in any order; for other accesses to the same bytes, every order is
 *                              tried. For what was not compiled with mcmini-cc. Not for bit-fields.
 *   mc_assert(condition);      A bug if it does not hold. Evaluated without mcmini, too, but has no effect.
 *   mc_choose(n)               Is 0 to n - 1: every value is tried. Without mcmini it is 0.
 *   mc_assume(condition);      Runs in which it does not hold are of no interest. The thread goes no further,
 *                              and whatever waits for it is no bug; what others do wrong still is.
 *   mc_atomic_begin();         No other thread moves until mc_atomic_end(). Sections may be nested. Nobody
 *   mc_atomic_end();           could help a thread that has to wait in one, so that this is reported as a
 *                              misuse.
 *   mc_yield();                Others may run. A loop that only yields waits for what others do.
 *   MC_BENIGN_RACE(x);         Races of accesses to x are not reported.
 */

/* clang-format on */

#include <dlfcn.h>

/* What the checker offers, as the symbol mcmini_annotations. A newer one may have more, at the end. */
struct mcmini_annotations {
  unsigned long size;
  void (*access)(const volatile void* address, unsigned long size, int writes);
  void (*fail)(const char* condition, const char* file, unsigned line, const char* function);
  int (*choose)(long count);
  void (*give_up)(void);
  void (*atomic_begin)(void);
  void (*atomic_end)(void);
  void (*yield)(void);
  void (*benign)(const volatile void* address, unsigned long size);
};

/*
 * Null without the checker. Weak symbols would not do: in a program that is not position-independent the
 * linker decides that they are null. Nor may its own memory be watched.
 */
__attribute__((unused, noinline, no_sanitize("thread"))) static const struct mcmini_annotations*
mcmini_checker(void) {
  static const struct mcmini_annotations* volatile checker;
  static volatile int known;
  if (!known) {
    void* found = dlsym((void*)0, "mcmini_annotations"); /* NOLINT(modernize-use-nullptr): it is C */
    checker = (const struct mcmini_annotations*)found;
    if (!checker) (void)dlerror(); /* as if nobody had asked */
    known = 1;
  }
  return checker;
}

#ifdef __cplusplus
#define MCMINI_ADDRESS(x) __builtin_addressof(x)
#else
#define MCMINI_ADDRESS(x) (&(x))
#endif

/* The functions are called from the line that is to be reported. */
#define MCMINI_TELL(call) (mcmini_checker() ? mcmini_checker()->call : (void)0)

#define MC_READ(x) MCMINI_TELL(access(MCMINI_ADDRESS(x), sizeof(x), 0))
#define MC_WRITE(x) MCMINI_TELL(access(MCMINI_ADDRESS(x), sizeof(x), 1))
#define MC_BENIGN_RACE(x) MCMINI_TELL(benign(MCMINI_ADDRESS(x), sizeof(x)))

#define mc_assert(...) \
  ((__VA_ARGS__) ? (void)0 : MCMINI_TELL(fail(#__VA_ARGS__, __FILE__, __LINE__, __func__)))
#define mc_assume(...) ((__VA_ARGS__) ? (void)0 : MCMINI_TELL(give_up()))
#define mc_choose(n) (mcmini_checker() ? mcmini_checker()->choose(n) : ((void)(n), 0))
#define mc_atomic_begin() MCMINI_TELL(atomic_begin())
#define mc_atomic_end() MCMINI_TELL(atomic_end())
#define mc_yield() MCMINI_TELL(yield())

#endif
