// std::atomic_load, std::atomic_store and their kin for std::shared_ptr. They lock a mutex of the C++
// library's, which is an operation here, unlike what else the library locks: who comes first matters to the
// program.

#include "libmcmini/caller.h"
#include "libmcmini/real.h"

// The constructors and the destructor of std::_Sp_locker.
extern "C" void _ZNSt10_Sp_lockerC1EPKv(void* locker, const void* pointer);
extern "C" void _ZNSt10_Sp_lockerC1EPKvS1_(void* locker, const void* pointer, const void* other);
extern "C" void _ZNSt10_Sp_lockerD1Ev(void* locker);
MCMINI_WRAPS(_ZNSt10_Sp_lockerC1EPKv)
MCMINI_WRAPS(_ZNSt10_Sp_lockerC1EPKvS1_)
MCMINI_WRAPS(_ZNSt10_Sp_lockerD1Ev)

using mcmini::CalledFrom;

MCMINI_EXPORT void _ZNSt10_Sp_lockerC1EPKv(void* locker, const void* pointer) {
  CalledFrom here(__builtin_return_address(0), "lock shared_ptr");
  mcmini::real::_ZNSt10_Sp_lockerC1EPKv(locker, pointer);
}

MCMINI_EXPORT void _ZNSt10_Sp_lockerC1EPKvS1_(void* locker, const void* pointer, const void* other) {
  CalledFrom here(__builtin_return_address(0), "lock shared_ptr");
  mcmini::real::_ZNSt10_Sp_lockerC1EPKvS1_(locker, pointer, other);
}

MCMINI_EXPORT void _ZNSt10_Sp_lockerD1Ev(void* locker) {
  CalledFrom here(__builtin_return_address(0), "unlock shared_ptr");
  mcmini::real::_ZNSt10_Sp_lockerD1Ev(locker);
}
