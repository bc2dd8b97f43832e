#pragma once

// Objects that a call has destroyed, with a number that says what they were. The model knows that they are
// destroyed, whenever the thread gets its turn; their memory only tells how it looks now.

#include <stdint.h>

namespace mcmini {

void rememberDestroyed(const volatile void* object, uint64_t what);

// Null if it is not destroyed, as far as is known.
const uint64_t* destroyedAs(const volatile void* object);

void forgetDestroyed(const volatile void* object);

}  // namespace mcmini
