#include "libmcmini/destroyed.h"

#include "libmcmini/large.h"

namespace mcmini {

namespace {

struct Entry {
  uint64_t object;
  uint64_t what;
  uint64_t times;
  bool isDestroyed;
};

// Objects that lie together are together here, for few pages to be touched.
constexpr uint64_t kMost = 1 << 16;
constexpr uint64_t kNever = 0;      // such an entry ends a search
constexpr uint64_t kForgotten = 1;  // may be used again
MCMINI_LARGE Entry entries[kMost];
uint64_t used;

uint64_t placeOf(uint64_t object) {
  constexpr uint64_t kFew = 64;  // bytes, in which there are few objects
  return object / kFew % kMost;
}

Entry* find(const volatile void* address) {
  if (used == 0) return nullptr;  // not even to look costs a page less
  auto object = reinterpret_cast<uint64_t>(address);
  for (uint64_t i = placeOf(object);; i = (i + 1) % kMost) {
    if (entries[i].object == object) return &entries[i];
    if (entries[i].object == kNever) return nullptr;
  }
}

// Some always stay free, for searches to end. What there is no room for is not remembered.
Entry* room(uint64_t object) {
  if (used >= kMost / 4 * 3) return nullptr;
  uint64_t i = placeOf(object);
  while (entries[i].object != kNever && entries[i].object != kForgotten) i = (i + 1) % kMost;
  if (entries[i].object == kNever) ++used;
  return &entries[i];
}

}  // namespace

void rememberDestroyed(const volatile void* object, uint64_t what) {
  auto address = reinterpret_cast<uint64_t>(object);
  Entry* entry = find(object);
  uint64_t before = entry == nullptr ? 0 : entry->times;
  if (entry == nullptr) entry = room(address);
  if (entry != nullptr) *entry = {address, what, before + 1, true};
}

const uint64_t* destroyedAs(const volatile void* object) {
  const Entry* known = find(object);
  return known == nullptr || !known->isDestroyed ? nullptr : &known->what;
}

void reviveDestroyed(const volatile void* object) {
  if (Entry* known = find(object); known != nullptr) known->isDestroyed = false;
}

uint64_t lifeOf(const volatile void* object) {
  const Entry* known = find(object);
  if (known == nullptr) return 0;
  return known->isDestroyed ? known->times - 1 : known->times;
}

void forgetDestroyed(const volatile void* object) {
  if (Entry* known = find(object); known != nullptr) known->object = kForgotten;
}

}  // namespace mcmini
