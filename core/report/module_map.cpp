#include "core/report/module_map.hpp"

#include <fmt/format.h>

#include <algorithm>
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

/// Where its file begins; the region itself if it has none.
std::uint64_t ModuleMap::baseOf(const Region& region) const {
  if (region.file.empty()) return region.begin;
  return std::ranges::find(regions_, region.file, &Region::file)->begin;
}

}  // namespace mcmini
