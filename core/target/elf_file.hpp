#pragma once

#include <elf.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mcmini {

/// What the headers of a 64-bit ELF file say. Reads what it is asked for; a damaged file gives empty answers.
class ElfFile {
 public:
  /// Throws TargetError if the file cannot be read.
  explicit ElfFile(const std::filesystem::path& path);

  const Elf64_Ehdr& header() const { return header_; }
  bool startsWith(std::string_view text) const;

  /// Each program header of a type.
  std::vector<Elf64_Phdr> segments(std::uint32_t type);

  /// A string in the file.
  std::string text(std::uint64_t offset, std::uint64_t size);

  /// The names of the libraries that it asks for.
  std::vector<std::string> needed();

  /// The functions that it takes from others, or offers to them.
  std::set<std::string> importedFunctions() { return dynamicSymbols(true); }
  std::set<std::string> exportedFunctions() { return dynamicSymbols(false); }

  /// Does it have a section of that name?
  bool hasSection(std::string_view name);

 private:
  template <class T>
  void readAt(std::uint64_t offset, T& into);
  std::uint64_t offsetOf(std::uint64_t address);
  std::vector<Elf64_Shdr> sections();
  std::set<std::string> dynamicSymbols(bool undefined);

  std::ifstream file_;
  Elf64_Ehdr header_{};
};

}  // namespace mcmini
