// What the heap hides, with C names. Built into the library that the tests of the heap preload.

#include "libmcmini/budget.h"
#include "libmcmini/heap.h"
#define DOOR extern "C" __attribute__((visibility("default")))
DOOR void* prepareSlot(unsigned thread, size_t size, void** signalStack) {
  mcmini::StackSpace space = mcmini::prepareSlot(thread, size);
  *signalStack = space.signalStack;
  return space.lowest;
}
DOOR void useSlot(unsigned thread) {
  mcmini::useSlot(thread);
}
DOOR int slotOf(const void* address) {
  uint32_t thread;
  return mcmini::slotOf(address, &thread) ? static_cast<int>(thread) : -1;
}
DOOR void setMemoryLimit(uint64_t bytes) {
  mcmini::setMemoryLimit(bytes);
}
DOOR bool hadShortage() {
  return mcmini::hadShortage();
}
DOOR bool charge(uint64_t bytes) {
  return mcmini::charge(bytes);
}
DOOR void discharge(uint64_t bytes) {
  mcmini::discharge(bytes);
}
DOOR void* allocateForRuntime(size_t size) {
  mcmini::RuntimeAllocations scope;
  return mcmini::allocate(size, mcmini::arenaFor(__builtin_return_address(0))).memory;
}
