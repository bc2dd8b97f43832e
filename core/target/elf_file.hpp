#pragma once

#include <elf.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mcmini {

/// What the headers of a 64-bit ELF file say. Reads what it is asked for; a damaged file gives empty answers.
class ElfFile {
 public:
  /// Throws TargetError if the file cannot be read.
  explicit ElfFile(const std::filesystem::path& path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  const Elf64_Ehdr& header() const { return header_; }
  bool startsWith(std::string_view text) const;

  /// Each program header of a type.
  std::vector<Elf64_Phdr> segments(std::uint32_t type) const;

  /// A string in the file.
  std::string text(std::uint64_t offset, std::uint64_t size) const;

  /// The names of the libraries that it asks for.
  std::vector<std::string> needed() const;

  /// The functions that it takes from others, or offers to them.
  std::set<std::string> importedFunctions() const { return dynamicSymbols(true); }
  std::set<std::string> exportedFunctions() const { return dynamicSymbols(false); }

  /// What the linker gave it as its name, in hexadecimal digits; if there is none, "content:" and a hash.
  std::string buildId() const;

  /// Does it have a section of that name?
  bool hasSection(std::string_view name) const;

 private:
  template <class T>
  void readAt(std::uint64_t offset, T& into) const;
  std::uint64_t offsetOf(std::uint64_t address) const;
  std::vector<Elf64_Shdr> sections() const;
  std::set<std::string> dynamicSymbols(bool undefined) const;

  std::span<const char> bytes_;  // mapped
  Elf64_Ehdr header_{};
};

}  // namespace mcmini
