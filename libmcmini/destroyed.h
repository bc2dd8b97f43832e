#pragma once

// Objects that a call has destroyed, with a number that says what they were. The model knows that they are
// destroyed, whenever the thread gets its turn; their memory only tells how it looks now.

#include <stdint.h>

namespace mcmini {

void rememberDestroyed(const volatile void* object, uint64_t what);

// Null if it is not destroyed, as far as is known.
const uint64_t* destroyedAs(const volatile void* object);

// Its memory has become another one, without a call: a life that the model does not know of.
void reviveDestroyed(const volatile void* object);

// A call has made another one of it.
void forgetDestroyed(const volatile void* object);

// How often it had been destroyed before the life that it lives, or has lived last, since the last call that
// made it. The model compares that with what it knows when the thread gets its turn.
uint64_t lifeOf(const volatile void* object);

}  // namespace mcmini
