#include "core/target/elf_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/model/ids.hpp"
#include "core/target/target_error.hpp"

namespace mcmini {

ElfFile::ElfFile(const std::filesystem::path& path) {
  int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  if (descriptor < 0 || fstat(descriptor, &info) != 0) {
    bool isForbidden = errno == EACCES;
    if (descriptor >= 0) close(descriptor);
    throw TargetError(path.string() + (isForbidden
                                           ? " cannot be read. Give yourself the right to read it: chmod +r."
                                           : " is not there any more."));
  }
  auto size = static_cast<std::size_t>(info.st_size);
  void* memory = size == 0 ? MAP_FAILED : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (memory != MAP_FAILED) bytes_ = {static_cast<const char*>(memory), size};
  readAt(0, header_);
}

ElfFile::~ElfFile() {
  if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

bool ElfFile::startsWith(std::string_view text) const {
  return std::memcmp(&header_, text.data(), text.size()) == 0;
}

template <class T>
void ElfFile::readAt(std::uint64_t offset, T& into) const {
  std::memset(&into, 0, sizeof into);
  if (offset < bytes_.size())
    std::memcpy(&into, bytes_.data() + offset, std::min<std::size_t>(sizeof into, bytes_.size() - offset));
}

std::vector<Elf64_Phdr> ElfFile::segments(std::uint32_t type) const {
  std::vector<Elf64_Phdr> found;
  for (unsigned i = 0; i < header_.e_phnum; ++i) {
    Elf64_Phdr segment;
    readAt(header_.e_phoff + i * sizeof segment, segment);
    if (segment.p_type == type) found.push_back(segment);
  }
  return found;
}

std::string ElfFile::text(std::uint64_t offset, std::uint64_t size) const {
  if (offset >= bytes_.size()) return "";
  const char* begin = bytes_.data() + offset;
  return {begin, strnlen(begin, std::min<std::size_t>(size, bytes_.size() - offset))};
}

std::string ElfFile::buildId() const {
  auto hex = [](std::uint8_t byte) {
    return std::string{"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
  };
  for (const Elf64_Phdr& segment : segments(PT_NOTE)) {
    Elf64_Nhdr note{};
    auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
    for (std::uint64_t at = segment.p_offset; at + sizeof note < segment.p_offset + segment.p_filesz;
         at += sizeof note + padded(note.n_namesz) + padded(note.n_descsz)) {
      readAt(at, note);
      std::uint64_t begin = at + sizeof note + padded(note.n_namesz);
      if (note.n_type != NT_GNU_BUILD_ID || text(at + sizeof note, 4) != "GNU" ||
          begin + note.n_descsz > bytes_.size())
        continue;
      std::string id;
      for (std::uint64_t i = 0; i < note.n_descsz; ++i)
        id += hex(static_cast<std::uint8_t>(bytes_[begin + i]));
      return id;
    }
  }
  std::uint64_t hash = static_cast<std::uint64_t>(nameId({bytes_.data(), bytes_.size()}));
  std::string id = "content:";
  for (int shift = 56; shift >= 0; shift -= 8) id += hex(static_cast<std::uint8_t>(hash >> shift));
  return id;
}

std::vector<std::string> ElfFile::needed() const {
  std::vector<std::uint64_t> names;
  std::uint64_t strings = 0;
  for (const Elf64_Phdr& dynamic : segments(PT_DYNAMIC))
    for (std::uint64_t at = 0; at < dynamic.p_filesz; at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;
      readAt(dynamic.p_offset + at, entry);
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) strings = entry.d_un.d_ptr;
    }
  std::vector<std::string> libraries;
  for (std::uint64_t name : names) libraries.push_back(text(offsetOf(strings) + name, 256));
  return libraries;
}

std::uint64_t ElfFile::offsetOf(std::uint64_t address) const {
  for (const Elf64_Phdr& load : segments(PT_LOAD))
    if (address >= load.p_vaddr && address < load.p_vaddr + load.p_filesz)
      return address - load.p_vaddr + load.p_offset;
  return address;
}

std::vector<Elf64_Shdr> ElfFile::sections() const {
  std::vector<Elf64_Shdr> found(header_.e_shnum);
  for (std::size_t i = 0; i < found.size(); ++i) readAt(header_.e_shoff + i * sizeof(Elf64_Shdr), found[i]);
  return found;
}

bool ElfFile::hasSection(std::string_view name) const {
  auto all = sections();
  if (header_.e_shstrndx >= all.size()) return false;
  std::uint64_t names = all[header_.e_shstrndx].sh_offset;
  return std::ranges::any_of(all, [&](const Elf64_Shdr& s) { return text(names + s.sh_name, 64) == name; });
}

std::set<std::string> ElfFile::dynamicSymbols(bool undefined) const {
  std::set<std::string> names;
  auto all = sections();
  for (const Elf64_Shdr& section : all) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= all.size()) continue;
    std::uint64_t strings = all[section.sh_link].sh_offset;
    for (std::uint64_t at = 0; at < section.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      readAt(section.sh_offset + at, symbol);
      unsigned type = ELF64_ST_TYPE(symbol.st_info);
      bool function = type == STT_FUNC || type == STT_NOTYPE || type == STT_GNU_IFUNC;
      if (function && symbol.st_name != 0 && (symbol.st_shndx == SHN_UNDEF) == undefined)
        names.insert(text(strings + symbol.st_name, 256));
    }
  }
  return names;
}

}  // namespace mcmini
