#include "core/report/symbolizer.hpp"

#include <dwarf.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "core/report/debug_session.hpp"
#include "core/report/dwarf_die.hpp"
#include "core/report/dwarf_functions.hpp"
#include "core/report/dwarf_names.hpp"
#include "core/report/elf_symbol.hpp"
#include "core/report/local_variable.hpp"
#include "core/report/plain_name.hpp"
#include "core/report/system_code.hpp"

namespace mcmini {
namespace {

void setLine(Location& location, const CompiledUnit& unit) {
  Dwarf_Die die = unit.die;
  Dwarf_Line* line = dwarf_getsrc_die(&die, unit.address);
  int number = 0;
  if (line == nullptr || dwarf_lineno(line, &number) != 0 || number == 0) return;
  location.line = number;
  location.file = absolutePath(die, dwarf_linesrc(line, nullptr, nullptr));
}

void setCallLine(Location& location, Dwarf_Die unit, Dwarf_Die inlined) {
  location.line = static_cast<int>(number(inlined, DW_AT_call_line).value_or(0));
  location.file = location.line == 0 ? "" : sourceFile(unit, number(inlined, DW_AT_call_file).value_or(0));
}

bool isOurs(Dwfl_Module* module) {
  return fileName(module).starts_with("libmcmini");
}

bool isUsers(const Location& location) {
  if (location.module.empty() || isRuntimeModule(location.module)) return false;
  if (location.file.empty())
    return !location.function.starts_with("std::") && !location.function.starts_with("__gnu_cxx::");
  return !isSystemFile(location.file);
}

}  // namespace

std::string shortPlace(const Location& location) {
  if (location.line != 0 && !location.file.empty())
    return location.file.substr(location.file.rfind('/') + 1) + ":" + std::to_string(location.line);
  return location.function.empty() ? location.module + "+?" : location.function;
}

Symbolizer::Symbolizer(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/maps");
  std::ostringstream text;
  text << file.rdbuf();  // unlike an iterator, it does not throw if the process ends meanwhile
  maps_ = text.str();
}

Symbolizer::~Symbolizer() = default;

DebugSession& Symbolizer::session() const {
  if (!session_) session_ = std::make_unique<DebugSession>(maps_);
  return *session_;
}

Location Symbolizer::locate(std::uint64_t pc) const {
  return frames(pc).front();
}

const std::vector<Location>& Symbolizer::frames(std::uint64_t pc) const {
  auto [known, isNew] = frames_.try_emplace(pc);
  if (isNew) known->second = findFrames(pc);
  return known->second;
}

std::vector<Location> Symbolizer::findFrames(std::uint64_t pc) const {
  Location here;
  Dwfl_Module* module = session().moduleAt(pc);
  if (module == nullptr) return {here};
  here.module = fileName(module);

  std::vector<Location> frames;
  auto unit = session().unitAt(pc);
  if (unit) {
    setLine(here, *unit);
    for (Dwarf_Die function : functionsAt(unit->die, unit->address)) {
      here.function = functionName(function);
      frames.push_back(here);
      setCallLine(here, unit->die, function);
    }
  }
  if (frames.empty()) frames.push_back(here);
  if (frames.back().function.empty())
    if (auto symbol = functionSymbol(module, pc)) frames.back().function = plainName(symbol->name);
  return frames;
}

std::vector<std::uint64_t> Symbolizer::unwind(const StackImage& image) const {
  std::vector<std::uint64_t> pcs;
  for (const Frame& frame : session().frames(image)) pcs.push_back(frame.pc);
  return pcs;
}

std::string Symbolizer::local(const StackImage& image, std::uint64_t address) const {
  if (address < image.address || address - image.address >= image.bytes.size()) return "";
  for (const Frame& frame : session().frames(image)) {
    if (frame.end <= address) continue;
    auto unit = session().unitAt(frame.pc);
    return unit ? localVariable(session().variables(session().moduleAt(frame.pc)), *unit, frame, address)
                : "";
  }
  return "";
}

Location Symbolizer::userCode(std::span<const std::uint64_t> stack) const {
  std::optional<Location> withLine;
  std::optional<Location> first;
  for (std::uint64_t pc : stack) {
    if (isOurs(session().moduleAt(pc))) continue;
    for (const Location& location : frames(pc)) {
      if (isUsers(location)) return location;
      if (!withLine && location.line != 0) withLine = location;
      if (!first) first = location;
    }
  }
  return withLine ? *withLine : first.value_or(Location{});
}

const std::string& Symbolizer::variable(std::uint64_t address) const {
  auto [known, isNew] = variables_.try_emplace(address);
  if (isNew) known->second = findVariable(address);
  return known->second;
}

std::string Symbolizer::findVariable(std::uint64_t address) const {
  Dwfl_Module* module = session().moduleAt(address);
  if (module == nullptr) return "";
  std::string name = session().variables(module).nameAt(address);
  if (!name.empty()) return name;
  auto symbol = variableSymbol(module, address);
  if (!symbol) return "";
  return plainName(symbol->name) + (symbol->offset == 0 ? "" : "+" + std::to_string(symbol->offset));
}

std::string Symbolizer::function(std::uint64_t address) const {
  return frames(address).back().function;
}

bool Symbolizer::hasDebugInfo(std::uint64_t address) const {
  Dwfl_Module* module = session().moduleAt(address);
  Dwarf_Addr bias = 0;
  Dwarf* dwarf = module == nullptr ? nullptr : dwfl_module_getdwarf(module, &bias);
  auto hasLines = [](Dwarf_Die unit) { return dwarf_hasattr(&unit, DW_AT_stmt_list) != 0; };
  return dwarf != nullptr && findUnit(dwarf, hasLines);
}

}  // namespace mcmini
