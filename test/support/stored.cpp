#include "test/support/stored.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace mcmini {

namespace fs = std::filesystem;

std::string masked(const std::string& text) {
  std::string result = std::regex_replace(text, std::regex("0x[0-9a-f]+"), "0x?");
  result = std::regex_replace(result, std::regex(R"(\btime=\d+\.\d\d)"), "time=?");
  result = std::regex_replace(result, std::regex(R"((\d{3}-[a-z]+)-[0-9a-f]{8}\.yaml)"), "$1-?.yaml");
  return std::regex_replace(result, std::regex(R"((^|[\s'"(])/(?:[^\s/:'"]+/)+)"), "$1");
}

void stored(const std::string& name, const std::string& text) {
  fs::path file = fs::path(MCMINI_SOURCE_DIR) / "test/system/expected" / (name + ".txt");
  if (const char* update = std::getenv("MCMINI_UPDATE"); update != nullptr && *update == '1') {
    std::ofstream(file, std::ios::binary) << masked(text);
    return;
  }
  std::ifstream content(file, std::ios::binary);
  INFO("MCMINI_UPDATE=1 in the environment writes " << file);
  CHECK(masked(text) == std::string(std::istreambuf_iterator<char>(content), {}));
}

}  // namespace mcmini
