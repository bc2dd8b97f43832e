#include "core/report/debug_session.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "core/report/dwarf_die.hpp"
#include "core/report/system_code.hpp"

namespace mcmini {
namespace {

constexpr std::size_t kMaxFrames = 64;
constexpr pid_t kTheThread = 1;  // libdwfl wants a name for the one thread that it is shown
constexpr unsigned kBasePointer = 6, kStackPointer = 7, kPc = 16;  // DWARF's numbers of registers
constexpr std::string_view kDeleted = " (deleted)";

/// One line of /proc/PID/maps.
struct Mapping {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool executable = false;
  std::string path;

  bool isFile() const { return path.starts_with('/'); }
  bool mayBeBss() const { return path.empty() || path == "[heap]" || path.starts_with("[anon"); }
};

std::optional<Mapping> parse(std::string_view line) {
  Mapping mapping;
  const char* end = line.data() + line.size();
  auto low = std::from_chars(line.data(), end, mapping.low, 16);
  if (low.ec != std::errc() || low.ptr == end || *low.ptr != '-') return std::nullopt;
  auto high = std::from_chars(low.ptr + 1, end, mapping.high, 16);
  if (high.ec != std::errc()) return std::nullopt;

  std::string_view rest(high.ptr, static_cast<std::size_t>(end - high.ptr));
  auto nextWord = [&rest] {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size());
    return word;
  };
  mapping.executable = nextWord().find('x') != std::string_view::npos;
  for (int skipped = 0; skipped < 3; ++skipped) nextWord();  // offset, device, inode
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  mapping.path = rest;
  return mapping;
}

/// Only the file itself: dwfl's own callbacks would read the process' memory, or ask a server.
int openFile(Dwfl_Module*, void**, const char* name, Dwarf_Addr, char** opened, Elf**) {
  struct stat info {};
  if (stat(name, &info) != 0 || !S_ISREG(info.st_mode)) return -1;
  int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file >= 0) *opened = strdup(name);
  return file;
}

/// Debug information that was installed apart from its module. That of the C library is large, and has names
/// for a function that no user ever called it by.
int openDebugFile(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base, const char* file,
                  const char* link, GElf_Word checksum, char** foundName) {
  if (isRuntimeModule(fileName(module))) return -1;
  int found = dwfl_build_id_find_debuginfo(module, data, name, base, file, link, checksum, foundName);
  if (found >= 0 || link == nullptr || file == nullptr) return found;
  std::string directory(file, std::string_view(file).rfind('/') + 1);
  for (const std::string& candidate : {directory + link, directory + ".debug/" + link}) {
    if (candidate == file) continue;
    found = openFile(module, data, candidate.c_str(), base, foundName, nullptr);
    if (found >= 0) return found;
  }
  return -1;
}

constexpr Dwfl_Callbacks kCallbacks = {.find_elf = openFile,
                                       .find_debuginfo = openDebugFile,
                                       .section_address = dwfl_offline_section_address,
                                       .debuginfo_path = nullptr};

const StackImage& imageBehind(void* argument) {
  return **static_cast<const StackImage**>(argument);
}

pid_t nextThread(Dwfl*, void* argument, void** thread) {
  if (*thread != nullptr) return 0;
  *thread = argument;
  return kTheThread;
}

bool readStack(Dwfl*, Dwarf_Addr address, Dwarf_Word* word, void* argument) {
  const StackImage& image = imageBehind(argument);
  if (address < image.address) return false;
  std::uint64_t offset = address - image.address;
  if (offset > image.bytes.size() || image.bytes.size() - offset < sizeof *word) return false;
  std::memcpy(word, image.bytes.data() + offset, sizeof *word);
  return true;
}

bool setRegisters(Dwfl_Thread* thread, void* argument) {
  const auto& registers = imageBehind(argument).registers;
  std::array<Dwarf_Word, 17> words{};
  std::copy(registers.begin(), registers.end(), words.begin());
  // After a call to where no code is, the caller's address is on top of the stack.
  Dwarf_Word& stack = words[kStackPointer];
  Dwarf_Word& pc = words[kPc];
  Dwfl* session = dwfl_thread_dwfl(thread);
  if (Dwarf_Word back = 0; dwfl_addrmodule(session, pc) == nullptr &&
                           readStack(session, stack, &back, argument) &&
                           dwfl_addrmodule(session, back) != nullptr) {
    pc = back - 1;
    stack += sizeof back;
  }
  return dwfl_thread_state_registers(thread, 0, words.size(), words.data());
}

constexpr Dwfl_Thread_Callbacks kThreadCallbacks = {.next_thread = nextThread,
                                                    .get_thread = nullptr,
                                                    .memory_read = readStack,
                                                    .set_initial_registers = setRegisters,
                                                    .detach = nullptr,
                                                    .thread_detach = nullptr};

std::optional<std::uint64_t> registerOf(Dwfl_Frame* frame, unsigned number) {
  Dwarf_Word value = 0;
  return dwfl_frame_reg(frame, number, &value) == 0 ? std::optional(value) : std::nullopt;
}

int addFrame(Dwfl_Frame* frame, void* argument) {
  auto& frames = *static_cast<std::vector<Frame>*>(argument);
  Dwarf_Addr pc = 0;
  bool interrupted = false;  // pc is an instruction to be executed next, rather than a return address
  if (!dwfl_frame_pc(frame, &pc, &interrupted)) return DWARF_CB_ABORT;
  if (!interrupted) --pc;
  Frame added{pc, 0, registerOf(frame, kStackPointer), registerOf(frame, kBasePointer)};
  if (!frames.empty()) frames.back().end = added.stackPointer.value_or(0);
  if (!frames.empty() && dwfl_addrmodule(dwfl_thread_dwfl(dwfl_frame_thread(frame)), pc) == nullptr)
    return DWARF_CB_ABORT;
  frames.push_back(added);
  return frames.size() < kMaxFrames ? DWARF_CB_OK : DWARF_CB_ABORT;
}

}  // namespace

DebugSession::DebugSession(std::string_view maps) : dwfl_(dwfl_begin(&kCallbacks), &dwfl_end) {
  dwfl_report_begin(dwfl_.get());
  report(maps);
  dwfl_report_end(dwfl_.get(), nullptr, nullptr);
}

void DebugSession::report(std::string_view maps) {
  Mapping module;
  auto finish = [&] {
    if (module.executable) dwfl_report_module(dwfl_.get(), module.path.c_str(), module.low, module.high);
    module = Mapping{};
  };
  while (!maps.empty()) {
    std::string_view line = maps.substr(0, maps.find('\n'));
    maps.remove_prefix(std::min(line.size() + 1, maps.size()));
    std::optional<Mapping> mapping = parse(line);
    if (!mapping) continue;
    bool sameFile = mapping->isFile() && mapping->path == module.path;
    bool bss = module.isFile() && mapping->mayBeBss() && mapping->low == module.high;
    if (sameFile || bss) {
      module.high = mapping->high;
      module.executable |= mapping->executable;
      continue;
    }
    finish();
    if (mapping->isFile()) module = *mapping;
  }
  finish();
}

std::optional<CompiledUnit> DebugSession::unitAt(std::uint64_t pc) const {
  Dwfl_Module* module = moduleAt(pc);
  if (module == nullptr) return std::nullopt;
  Dwarf_Addr bias = 0;
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, pc, &bias)) return CompiledUnit{*unit, pc - bias};

  // clang writes no table of address ranges.
  Dwarf* dwarf = dwfl_module_getdwarf(module, &bias);
  std::optional<CompiledUnit> found;
  if (dwarf == nullptr) return found;
  findUnit(dwarf, [&](Dwarf_Die unit) {
    if (dwarf_haspc(&unit, pc - bias) > 0) found = CompiledUnit{unit, pc - bias};
    return found.has_value();
  });
  return found;
}

DwarfVariables& DebugSession::variables(Dwfl_Module* module) {
  return variables_.try_emplace(module, module).first->second;
}

std::vector<Frame> DebugSession::frames(const StackImage& image) {
  std::vector<Frame> frames;
  image_ = &image;
  if (!attached_) attached_ = dwfl_attach_state(dwfl_.get(), nullptr, kTheThread, &kThreadCallbacks, &image_);
  if (attached_) dwfl_getthread_frames(dwfl_.get(), kTheThread, addFrame, &frames);
  if (frames.empty()) frames.push_back({image.registers[kPc], 0, std::nullopt, std::nullopt});
  image_ = nullptr;
  return frames;
}

std::string fileName(Dwfl_Module* module) {
  if (module == nullptr) return "";
  std::string_view path =
      dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  if (path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace mcmini
