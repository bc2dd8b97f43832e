#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace mcmini {

/// A place in the program's code; empty and 0 where unknown.
struct Location {
  std::string function;  ///< "Pool::work": no parameters, no template arguments.
  std::string file;      ///< An absolute path, as the compiler saw it.
  int line = 0;
  std::string module;  ///< The file name of the executable or library: "libc.so.6".
};

/// "philo.c:18"; without a line the function, or "libc.so.6+?".
std::string shortPlace(const Location& location);

/// One thread's registers, in the order of DWARF for x86-64 (7 is rsp, 16 the pc), and a copy of its stack.
struct StackImage {
  std::array<std::uint64_t, 17> registers{};
  std::uint64_t address = 0;     ///< Where the copy begins; about rsp.
  std::vector<std::byte> bytes;  ///< The memory from there upwards.
};

class DebugSession;

/// Turns addresses of another process into its author's words, from the process' memory map and from the
/// files mapped there. The process is never touched, and may be gone by the time of a look-up. What cannot be
/// found out is empty; nothing here throws because of the target, or waits for the network.
/// A look-up fills caches, so that the same address may be asked for at each step of a long run: not to be
/// shared between threads.
class Symbolizer {
 public:
  /// Reads the memory map, nothing else: libraries that the process loads later are unknown.
  explicit Symbolizer(pid_t process);
  ~Symbolizer();

  /// The innermost function at pc, which may be an inlined one.
  Location locate(std::uint64_t pc) const;

  /// The calls that the compiler inlined at pc, innermost first, ending with the function that was not
  /// inlined. Never empty. Every function but the first is shown at the line of its call.
  const std::vector<Location>& frames(std::uint64_t pc) const;

  /// The call stack as pcs, innermost first: the given pc, then for each caller an address inside its call.
  /// At most 64, and as many as can be found; the given pc at least.
  std::vector<std::uint64_t> unwind(const StackImage& image) const;

  /// The first place of a call stack that the user wrote: outside the language's libraries and headers and
  /// outside libmcmini. If there is none, the first outside libmcmini, preferably one with a line.
  Location userCode(std::span<const std::uint64_t> stack) const;

  /// The global or static object at the address: "fork[2]", "pool.lock", "Singleton::instance_", "work::lock"
  /// for a static local of work. Goes into the user's arrays, std::array and structs, never into the
  /// library's types. "name+40" if no object starts there, "" if the address is in no variable.
  const std::string& variable(std::uint64_t address) const;

  /// The variable or parameter at the address, in a function that the thread was in when its stack was
  /// copied: "alice.lock". "" if none is known to be there.
  std::string local(const StackImage& image, std::uint64_t address) const;

  /// The function that contains the address, not an inlined one.
  std::string function(std::uint64_t address) const;

  /// Was the module that contains the address compiled with -g?
  bool hasDebugInfo(std::uint64_t address) const;

 private:
  DebugSession& session() const;
  std::vector<Location> findFrames(std::uint64_t pc) const;
  std::string findVariable(std::uint64_t address) const;

  std::string maps_;
  mutable std::unique_ptr<DebugSession> session_;  // opened by the first look-up
  mutable std::unordered_map<std::uint64_t, std::vector<Location>> frames_;
  mutable std::unordered_map<std::uint64_t, std::string> variables_;
};

}  // namespace mcmini
