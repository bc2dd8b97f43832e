// For the target halves of plugins. plugins/wrapper.hpp declares the same functions; a plugin that was built
// long ago calls them, so they do not change.

#include "libmcmini/announce.h"
#include "libmcmini/real.h"

using namespace mcmini;

MCMINI_EXPORT int mcmini_controlled() {
  return controlled() ? 1 : 0;
}

MCMINI_EXPORT int64_t mcmini_announce(const char* operation, const char* call, const volatile void* object,
                                      const uint64_t* arguments, const void* site) {
  return announce({.name = OpName::of(operation),
                   .call = OpName::of(call),
                   .object = asObject(object),
                   .args = {arguments[0], arguments[1], arguments[2]},
                   .site = site});
}
