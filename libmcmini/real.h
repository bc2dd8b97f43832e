#pragma once

#include <dlfcn.h>

// The function that a wrapper stands in front of, looked up in the library that the wrapper is in: from
// anywhere else RTLD_NEXT could find the wrapper again. Looked up once in the template, before it forks; the
// first calls may come even earlier.
namespace mcmini {

template <class Function>
class Real {
 public:
  explicit constexpr Real(const char* name) : name_(name) {}

  Function* get() {
    if (found_ == nullptr) found_ = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
    return found_;
  }

  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    return get()(arguments...);
  }

 private:
  const char* name_;
  Function* found_ = nullptr;
};

}  // namespace mcmini

// Defines mcmini::real::NAME for the wrapper of NAME.
#define MCMINI_WRAPS(NAME)                                 \
  namespace mcmini::real {                                 \
  static constinit Real<decltype(::NAME)> NAME(#NAME);     \
  __attribute__((constructor)) static void find_##NAME() { \
    NAME.get();                                            \
  }                                                        \
  }

#define MCMINI_EXPORT extern "C" __attribute__((visibility("default")))
