#include "libmcmini/destroyed.h"

#include "libmcmini/large.h"

namespace mcmini {

namespace {

struct Entry {
  const volatile void* object;
  uint64_t what;
};

constexpr uint64_t kMost = 256;  // the oldest make room
MCMINI_LARGE Entry entries[kMost];
uint64_t count;

Entry* find(const volatile void* object) {
  for (uint64_t i = 0; i < count && i < kMost; ++i)
    if (entries[i].object == object) return &entries[i];
  return nullptr;
}

}  // namespace

void rememberDestroyed(const volatile void* object, uint64_t what) {
  Entry* known = find(object);
  if (known == nullptr) known = find(nullptr);
  if (known == nullptr) known = &entries[count++ % kMost];
  *known = {object, what};
}

const uint64_t* destroyedAs(const volatile void* object) {
  const Entry* known = find(object);
  return known == nullptr ? nullptr : &known->what;
}

void forgetDestroyed(const volatile void* object) {
  if (Entry* known = find(object); known != nullptr) known->object = nullptr;
}

}  // namespace mcmini
