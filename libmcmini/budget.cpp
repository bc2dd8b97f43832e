#include "libmcmini/budget.h"

namespace mcmini {

namespace {

uint64_t held;
uint64_t limit = UINT64_MAX;
bool wasShort;

}  // namespace

void setMemoryLimit(uint64_t bytes) {
  limit = bytes == 0 ? UINT64_MAX : bytes;
}

bool charge(uint64_t bytes) {
  const uint64_t now = __atomic_add_fetch(&held, bytes, __ATOMIC_RELAXED);
  if (now <= limit && now >= bytes) return true;
  discharge(bytes);
  noteShortage();
  return false;
}

void discharge(uint64_t bytes) {
  __atomic_sub_fetch(&held, bytes, __ATOMIC_RELAXED);
}

void noteShortage() {
  wasShort = true;
}

bool hadShortage() {
  return wasShort;
}

}  // namespace mcmini
