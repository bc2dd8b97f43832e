#pragma once

#include <stdint.h>

namespace mcmini {

// Objects that libraries initialized before the checker took over, with what the model wants to know of each.
// Nothing changes here afterwards, so what is announced of an object does not depend on the schedule, as its
// memory would. Those beyond the capacity look as if nobody had initialized them.
class EarlyObjects {
 public:
  void note(const volatile void* object, uint32_t value) {
    Entry* entry = at(object);
    if (entry == nullptr) {
      uint32_t next = __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED);
      if (next >= kCapacity) return;
      entry = &entries_[next];
      entry->object = object;
    }
    entry->value = value;
  }

  // 0 if it is none of them, else one more than the value.
  uint64_t find(const volatile void* object) {
    Entry* entry = at(object);
    return entry == nullptr ? 0 : uint64_t{1} + entry->value;
  }

 private:
  static constexpr uint32_t kCapacity = 1024;
  struct Entry {
    const volatile void* object;
    uint32_t value;
  };

  Entry* at(const volatile void* object) {
    for (uint32_t i = 0; i < count_ && i < kCapacity; ++i)
      if (entries_[i].object == object) return &entries_[i];
    return nullptr;
  }

  Entry entries_[kCapacity];
  uint32_t count_;
};

}  // namespace mcmini
