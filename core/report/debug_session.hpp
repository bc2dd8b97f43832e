#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/dwarf_variables.hpp"
#include "core/report/symbolizer.hpp"

namespace mcmini {

/// A piece of the program that was compiled in one go, and an address in it as its DWARF counts.
struct CompiledUnit {
  Dwarf_Die die;
  Dwarf_Addr address;
};

/// A function that a thread is in.
struct Frame {
  std::uint64_t pc = 0;   ///< The innermost one's is given, the others' lie inside of the call.
  std::uint64_t end = 0;  ///< Where the stack was before the call, DWARF's CFA; 0 if unknown.
  std::optional<std::uint64_t> stackPointer;
  std::optional<std::uint64_t> basePointer;
};

/// The modules of a process, known from the text of its /proc/PID/maps. Files are opened when an address in
/// them is asked for, debug information is searched for on this machine only.
class DebugSession {
 public:
  explicit DebugSession(std::string_view maps);
  DebugSession(const DebugSession&) = delete;
  DebugSession& operator=(const DebugSession&) = delete;

  /// Null if the address is in none.
  Dwfl_Module* moduleAt(std::uint64_t address) const { return dwfl_addrmodule(dwfl_.get(), address); }

  std::optional<CompiledUnit> unitAt(std::uint64_t pc) const;
  DwarfVariables& variables(Dwfl_Module* module);
  /// Innermost first, at least one.
  std::vector<Frame> frames(const StackImage& image);

 private:
  void report(std::string_view maps);

  std::unique_ptr<Dwfl, decltype(&dwfl_end)> dwfl_;
  std::map<Dwfl_Module*, DwarfVariables> variables_;
  const StackImage* image_ = nullptr;  // what is being unwound
  bool attached_ = false;
};

/// "libc.so.6"; "" for null.
std::string fileName(Dwfl_Module* module);

}  // namespace mcmini
