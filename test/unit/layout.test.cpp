#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "test/support/none.hpp"

namespace {

using mcmini::kNone;
namespace fs = std::filesystem;

const fs::path kRoot = MCMINI_SOURCE_DIR;

struct Line {
  std::string place;
  std::string text;
};

std::vector<Line> linesBelow(const std::string& folder) {
  std::vector<Line> lines;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    std::string extension = entry.path().extension().string();
    if (extension != ".cpp" && extension != ".hpp" && extension != ".h") continue;
    std::ifstream file(entry.path());
    int number = 0;
    for (std::string text; std::getline(file, text);)
      lines.push_back({fs::relative(entry.path(), kRoot).string() + ":" + std::to_string(++number), text});
  }
  REQUIRE_FALSE(lines.empty());
  return lines;
}

/// Project headers that a folder includes but may not.
std::vector<std::string> strangers(const std::string& folder, const std::string& allowed) {
  static const std::regex include("^#include \"([^\"]+)\"");
  std::vector<std::string> found;
  for (const Line& line : linesBelow(folder)) {
    std::smatch match;
    if (std::regex_search(line.text, match, include) &&
        !std::regex_match(match[1].str(), std::regex(allowed)))
      found.push_back(line.place + " " + match[1].str());
  }
  return found;
}

std::vector<std::string> mentions(const std::string& folder, const std::string& word) {
  std::vector<std::string> found;
  for (const Line& line : linesBelow(folder))
    if (std::regex_search(line.text, std::regex(word))) found.push_back(line.place + " " + line.text);
  return found;
}

}  // namespace

TEST_CASE("the model includes nothing but itself", "[layout]") {
  CHECK(strangers("core/model", "core/model/.*") == kNone);
}

TEST_CASE("the search sees the model only", "[layout]") {
  CHECK(strangers("core/search", "core/(model|search)/.*") == kNone);
}

TEST_CASE("the target shares only the wire with libmcmini", "[layout]") {
  CHECK(strangers("core/target", "core/(model|search|target)/.*|libmcmini/wire.h") == kNone);
  CHECK(strangers("libmcmini", "libmcmini/.*") == kNone);
}

TEST_CASE("transitions see the plugin header only", "[layout]") {
  CHECK(strangers("transitions",
                  "core/model/.*|plugins/(plugin|mutex|cancel|turns).hpp|transitions/rwlock/lock.hpp") ==
        kNone);
}

TEST_CASE("what is there for plugins sees the model only", "[layout]") {
  CHECK(strangers("plugins", "core/model/.*|plugins/.*|[a-z_]+\\.h") == kNone);
}

TEST_CASE("the core says nothing about the primitives that plugins model", "[layout]") {
  for (const char* folder : {"core/model", "core/search", "core/target", "core/plugin"})
    CHECK(mentions(folder, "pthread\\.h|\"(mutex|thread|cond|semaphore)\\.[a-z]") == kNone);
  CHECK(mentions("core", "#include <pthread.h>") == kNone);
}

TEST_CASE("nothing relies on run-time types or on the environment", "[layout]") {
  for (const char* folder : {"core", "transitions", "plugins", "libmcmini"})
    CHECK(mentions(folder, "dynamic_cast") == kNone);
  for (const char* folder :
       {"core/model", "core/search", "core/target", "core/plugin", "core/report", "transitions"})
    CHECK(mentions(folder, "getenv") == kNone);
}

TEST_CASE("the top level is fixed", "[layout]") {
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator(kRoot))
    if (entry.is_directory() && entry.path().filename().string()[0] != '.')
      folders.insert(entry.path().filename());
  folders.erase("build");
  CHECK(folders ==
        std::set<std::string>{"core", "examples", "libmcmini", "plugins", "policies", "test", "transitions"});
}
