// What <mcmini/annotate.h> calls. A program that was built long ago calls it, too, so that it grows at the
// end only.

#include "libmcmini/annotate.h"

#include "libmcmini/announce.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/time.h"

extern "C" void __assert_fail(const char* what, const char* file, unsigned line,
                              const char* function) noexcept;

// In libmcmini/accesses.cpp.
extern "C" void mcmini_benign(const volatile void* address, size_t size);

namespace mcmini {

namespace {

// What a transition can tell apart (transitions/memory).
constexpr unsigned long kMostBytes = 0x40000;

__thread uint32_t sections __attribute__((tls_model("initial-exec")));

void access(const volatile void* address, unsigned long size, int writes) {
  if (!controlled()) return;
  const void* site = __builtin_return_address(0);
  for (unsigned long done = 0; done < size; done += kMostBytes) {
    uint64_t object = asObject(address) + done;
    uint64_t bytes = size - done < kMostBytes ? size - done : kMostBytes;
    if (writes != 0)
      announce({.name = "memory.write",
                .call = "MC_WRITE",
                .object = object,
                .args = {bytes},
                .site = site,
                .doesNotWait = true});
    else
      announce({.name = "memory.read",
                .call = "MC_READ",
                .object = object,
                .args = {bytes},
                .site = site,
                .doesNotWait = true});
  }
}

void fail(const char* condition, const char* file, unsigned line, const char* function) {
  if (controlled()) __assert_fail(condition, file, line, function);
}

int choose(long count) {
  if (!controlled()) return 0;
  return static_cast<int>(announce({.name = "annotate.choose",
                                    .args = {static_cast<uint64_t>(count)},
                                    .site = __builtin_return_address(0)}));
}

void giveUp() {
  if (controlled()) announce({.name = "annotate.assume", .site = __builtin_return_address(0)});
}

void atomicBegin() {
  if (!controlled()) return;
  announce({.name = "annotate.begin", .site = __builtin_return_address(0), .doesNotWait = true});
  ++sections;
}

void atomicEnd() {
  if (!controlled()) return;
  announce({.name = "annotate.end", .site = __builtin_return_address(0), .doesNotWait = sections > 0});
  --sections;
}

void yield() {
  if (controlled()) yieldTo(Yield::Annotation, __builtin_return_address(0));
}

void benign(const volatile void* address, unsigned long size) {
  mcmini_benign(address, size);
}

}  // namespace

}  // namespace mcmini

extern "C" __attribute__((visibility("default"))) const mcmini_annotations mcmini_annotations = {
    sizeof(struct mcmini_annotations),
    mcmini::access,
    mcmini::fail,
    mcmini::choose,
    mcmini::giveUp,
    mcmini::atomicBegin,
    mcmini::atomicEnd,
    mcmini::yield,
    mcmini::benign,
};
