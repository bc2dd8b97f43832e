#pragma once

// The target's half of a plugin: what the functions are made of that the program calls.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Exported by libmcmini.so, and null in a program that runs without the checker.
extern "C" {
__attribute__((weak)) int mcmini_controlled(void);
__attribute__((weak)) std::int64_t mcmini_announce(const char* operation, const char* call,
                                                   const volatile void* object,
                                                   const std::uint64_t* arguments, const void* site);
}

namespace mcmini {

/// Is the calling thread one that the checker moves? If not, a function that can do its work by itself does.
inline bool controlled() {
  return mcmini_controlled != nullptr && mcmini_controlled() != 0;
}

/// The name of an operation; knows the function that says it, and where that one was called.
struct OperationName {
  const char* operation;
  const char* call;
  const void* site;
  OperationName(const char* name, const char* function = __builtin_FUNCTION(),
                const void* calledFrom = __builtin_return_address(0))
      : operation(name), call(function), site(calledFrom) {}
};

template <class Argument>
inline std::uint64_t asWord(Argument argument) {
  static_assert(sizeof(Argument) <= sizeof(std::uint64_t), "an argument is a number or a pointer");
  if constexpr (requires { static_cast<std::uint64_t>(argument); })
    return static_cast<std::uint64_t>(argument);
  else
    return reinterpret_cast<std::uint64_t>(argument);
}

/// Stops until the checker lets the thread take the operation, and returns what the model says that it
/// returns. The transition finds the arguments in visible().args. In a program that runs without the checker
/// it says so, and ends the program.
///
///     void gate_open(gate_t* gate) { mcmini::announce("gate.open", gate); }
template <class... Arguments>
inline std::int64_t announce(const OperationName& name, const volatile void* object, Arguments... arguments) {
  static_assert(sizeof...(Arguments) <= 3, "an operation has at most three arguments besides its object");
  if (!controlled()) {
    std::fprintf(stderr,
                 "%s exists only in a program that mcmini runs: mcmini --plugin FILE.so PROGRAM\n"
                 "(FILE.so models its operation '%s'.)\n",
                 name.call, name.operation);
    std::_Exit(2);
  }
  const std::uint64_t words[3] = {asWord(arguments)...};
  return mcmini_announce(name.operation, name.call, object, words, name.site);
}

}  // namespace mcmini
