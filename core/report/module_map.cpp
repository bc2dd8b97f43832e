#include "core/report/module_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace mcmini {

namespace {

std::string mapsOf(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/maps", process));
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

ModuleMap::ModuleMap(pid_t process) : ModuleMap(mapsOf(process)) {}

ModuleMap::ModuleMap(const std::string& maps) {
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Region region{};
    std::string rest;
    char dash = 0;
    words >> std::hex >> region.begin >> dash >> region.end >> rest >> rest >> rest >> rest >> std::ws;
    std::getline(words, region.file);
    regions_.push_back(region);
  }
}

std::string ModuleMap::name(std::uint64_t address) const {
  auto holds = [&](const Region& region) { return region.begin <= address && address < region.end; };
  auto region = std::ranges::find_if(regions_, holds);
  if (region == regions_.end()) return fmt::format("{:#x}", address);
  std::string file = region->file.substr(region->file.rfind('/') + 1);
  return fmt::format("{}+{:#x}", file.empty() ? "memory" : file, address - baseOf(*region));
}

std::string ModuleMap::nameOfData(std::uint64_t address) const {
  auto holds = [&](const Region& region) { return region.begin <= address && address < region.end; };
  auto region = std::ranges::find_if(regions_, holds);
  bool isOfFile = region != regions_.end() && region->file.starts_with("/");
  if (isOfFile) return name(address);
  // What follows the data of a file in memory, and has none in it, is the file's, too.
  auto before = region == regions_.end() || !region->file.empty() || region == regions_.begin()
                    ? regions_.end()
                    : region - 1;
  if (before == regions_.end() || before->end != region->begin || !before->file.starts_with("/"))
    return fmt::format("{:#x}", address);
  return fmt::format("{}+{:#x}", before->file.substr(before->file.rfind('/') + 1), address - baseOf(*before));
}

std::optional<std::uint64_t> ModuleMap::address(const std::string& name) const {
  std::size_t plus = name.rfind('+');
  std::size_t digits = plus == std::string::npos ? 0 : plus + 1;
  char* end = nullptr;
  std::uint64_t number = std::strtoull(name.c_str() + digits, &end, 16);
  if (end == name.c_str() + digits || *end != 0) return std::nullopt;
  if (plus == std::string::npos) return number;
  std::string module = name.substr(0, plus);
  auto isModule = [&](const Region& region) {
    return region.file.starts_with("/") && region.file.substr(region.file.rfind('/') + 1) == module;
  };
  auto region = std::ranges::find_if(regions_, isModule);
  return region == regions_.end() ? std::nullopt : std::optional(region->begin + number);
}

/// Where its file begins; the region itself if it has none.
std::uint64_t ModuleMap::baseOf(const Region& region) const {
  if (region.file.empty()) return region.begin;
  return std::ranges::find(regions_, region.file, &Region::file)->begin;
}

}  // namespace mcmini
