#include "core/target/program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <sstream>

#include "core/target/elf_file.hpp"
#include "core/target/target_error.hpp"

namespace mcmini {

namespace fs = std::filesystem;

namespace {

void requireExecutableFile(const fs::path& program) {
  std::string name = program.string();
  struct stat info {};
  if (stat(program.c_str(), &info) != 0)
    throw TargetError(name + ": there is no such program. Is the path right?");
  if (S_ISDIR(info.st_mode)) throw TargetError(name + " is a directory. Name the program in it.");
  if (!S_ISREG(info.st_mode)) throw TargetError(name + " is not a file that can be run.");
  if (access(program.c_str(), X_OK) != 0 || (info.st_mode & 0111) == 0)
    throw TargetError(name + " is not executable. If it is a program: chmod +x " + name);
  bool foreignRights = ((info.st_mode & S_ISUID) != 0 && info.st_uid != geteuid()) ||
                       ((info.st_mode & S_ISGID) != 0 && info.st_gid != getegid());
  if (foreignRights)
    throw TargetError(name +
                      " runs with another user's rights (setuid or setgid), so nothing can be loaded " +
                      "into it. Check a copy without that bit.");
}

void requireOurArchitecture(const ElfFile& elf, const std::string& name) {
  const Elf64_Ehdr& header = elf.header();
  if (header.e_ident[EI_CLASS] == ELFCLASS32)
    throw TargetError(name +
                      " is a 32-bit program. Only 64-bit programs can be checked: compile it without -m32.");
  if (header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != EM_X86_64)
    throw TargetError(name +
                      " was compiled for another kind of processor. Compile it for this machine (x86-64).");
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
    throw TargetError(name + " is an object file, not a program. Link it first.");
}

constexpr std::string_view kThreadSanitizer = "libtsan.so";

/// One that takes the place of the functions that mcmini takes the place of. What gcc has in a library of its
/// own for -fsanitize=thread can be left out; clang puts it into the program.
void requireNoSanitizer(const ElfFile& elf, const std::string& name) {
  std::string found;
  for (const std::string& library : elf.needed())
    for (std::string_view sanitizer : {"libasan", "liblsan", "libmsan", "libhwasan"})
      if (library.starts_with(sanitizer)) found = library;
  std::set<std::string> own = elf.exportedFunctions();
  for (const char* runtime : {"__asan_init", "__lsan_init", "__msan_init", "__hwasan_init"})
    if (own.contains(runtime)) found = "clang's own";
  if (!found.empty())
    throw TargetError(name + " is built with a sanitizer (" + found +
                      "), which replaces the same functions as mcmini. Compile it without -fsanitize.");
  if (own.contains("__tsan_init"))
    throw TargetError(
        name + " is built with clang's -fsanitize=thread, whose functions are part of the program " +
        "and cannot be replaced by mcmini's. Compile it with mcmini-cc --mcmini-compiler=clang, " +
        "or without -fsanitize.");
}

}  // namespace

fs::path findProgram(const std::string& name, const std::string& searchPath) {
  if (name.find('/') != std::string::npos) return name;
  std::error_code isNone;
  if (name == "." || name == ".." || fs::is_regular_file(name, isNone)) return "./" + name;
  std::istringstream directories(searchPath);
  for (std::string directory; std::getline(directories, directory, ':');)
    if (fs::path path = fs::path(directory) / name; !directory.empty() && access(path.c_str(), X_OK) == 0)
      return path;
  return "./" + name;
}

void requireCheckable(const fs::path& program) {
  std::string name = program.string();
  requireExecutableFile(program);
  ElfFile elf(program);
  if (elf.startsWith("#!"))
    throw TargetError(name + " is a script. Name the compiled program that it runs, with its arguments.");
  if (!elf.startsWith("\177ELF"))
    throw TargetError(name + " is not a program for Linux (no ELF file). Compile it with gcc or clang.");
  requireOurArchitecture(elf, name);
  auto interpreters = elf.segments(PT_INTERP);
  if (interpreters.empty() && elf.header().e_type == ET_DYN && !elf.needed().empty())
    throw TargetError(name + " is a shared library, not a program.");
  std::error_code unknown;
  if (interpreters.empty() && fs::file_size(program, unknown) < elf.header().e_phoff + sizeof(Elf64_Phdr))
    throw TargetError(name + " is cut off: the end of the file is missing. Compile it anew.");
  if (interpreters.empty())
    throw TargetError(name + " is statically linked, so its thread calls cannot be intercepted. " +
                      "Link it dynamically (without -static).");
  std::string interpreter = elf.text(interpreters.front().p_offset, interpreters.front().p_filesz);
  if (interpreter.find("ld-linux") == std::string::npos)
    throw TargetError(name + " is linked with another C library than glibc (its loader is " + interpreter +
                      "). Link it with glibc.");
  requireNoSanitizer(elf, name);
}

fs::path standInForSanitizer(const fs::path& program, const fs::path& directory) {
  for (const std::string& library : ElfFile(program).needed()) {
    if (!library.starts_with(kThreadSanitizer)) continue;
    fs::path standIn = directory / library;
    if (!fs::exists(standIn) || standIn.string().find_first_of(" :") != std::string::npos)
      throw TargetError(program.string() + " is built with -fsanitize=thread, and there is nothing to take " +
                        "the place of its " + library + ". Compile it with mcmini-cc instead.");
    return standIn;
  }
  return {};
}

}  // namespace mcmini
