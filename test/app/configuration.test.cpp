#include "core/app/configuration.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "core/app/errors.hpp"
#include "core/app/option_groups.hpp"
#include "core/app/option_kinds.hpp"
#include "test/support/none.hpp"

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using Found = Configuration::Found;

/// A directory with a program that is none, and a configuration.
class Folder {
 public:
  explicit Folder(const std::string& yaml = "") {
    std::string pattern = (fs::temp_directory_path() / "mcmini-unit-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
    std::ofstream(file(), std::ios::binary) << yaml;
    std::ofstream(program()) << "";
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path file() const { return path_ / "mcmini.yaml"; }
  fs::path program() const { return path_ / "program"; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The options as the command line and a configuration say.
struct Read {
  explicit Read(const std::vector<std::string>& words = {}) : app("", "mcmini") {
    addOptions(app, options);
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    app.parse(reversed);
  }
  void read(const Folder& folder, Found how = Found::NamedByUser) {
    configuration().read(folder.file(), how);
  }
  Configuration& configuration() {
    if (!configuration_) configuration_.emplace(app);
    return *configuration_;
  }

  Options options;
  CLI::App app;

 private:
  std::optional<Configuration> configuration_;
};

/// What is said of a configuration that cannot be used, without the directory.
std::string refusal(const std::string& yaml, Found how = Found::NamedByUser) {
  Folder folder(yaml);
  Read read;
  try {
    read.read(folder, how);
  } catch (const UsageError& error) {
    std::string words = error.what();
    std::string directory = folder.path().string() + "/";
    for (std::size_t at = 0; (at = words.find(directory)) != std::string::npos;)
      words.erase(at, directory.size());
    return words;
  }
  return "";
}

/// A value that the option takes, and that is not its default.
std::string valueFor(const CLI::Option& option) {
  if (isFlag(option)) return "true";
  std::map<std::string, std::string> byType = {
      {"N", "77"}, {"N,N,...", "0,1"}, {"TIME", "7s"}, {"SIZE", "7M"}};
  std::vector<std::string> words = wordsOf(option);
  if (!words.empty()) return words.back();
  auto known = byType.find(typeOf(option));
  return known == byType.end() ? "/some/where" : known->second;
}

TEST_CASE("each option has a key", "[configuration]") {
  Read all;
  CHECK(keysOf(all.app).size() >= 19);
  for (const CLI::Option* option : all.app.get_options()) {
    std::string key = keyOf(*option);
    if (key == "help") continue;
    std::string value = valueFor(*option);
    INFO(key << ": " << value);
    Folder folder(key + ": " + value + "\n");
    Read read;
    REQUIRE_NOTHROW(read.read(folder));
    CHECK(read.app.get_option("--" + key)->results() == std::vector<std::string>{value});
    CHECK_THAT(read.configuration().text(),
               Contains(fmt::format("\n{}: {}  # {}:1:1\n", key, value, folder.file().string())) ||
                   Catch::StartsWith(fmt::format("{}: {}  # {}:1:1\n", key, value, folder.file().string())));
  }
}

TEST_CASE("each option has a type that is known, and one line of help", "[configuration]") {
  Read all;
  for (const CLI::Option* option : all.app.get_options()) {
    INFO(keyOf(*option));
    CHECK_FALSE(option->get_description().empty());
    CHECK(isFlag(*option) == (typeOf(*option) == kNone));
  }
}

TEST_CASE("a configuration sets options", "[configuration]") {
  Folder folder(
      "# bounds\nmax-depth: 100\nfirst: yes\nno-pin: true\nsearch: naive\ntime: 90s\n"
      "policy: [cond=lifo, sem=fifo]\nquiet: off\nmax-memory: 512M\n");
  Read read;
  read.read(folder);
  CHECK(read.options.limits.runDepth == 100);
  CHECK(read.options.limits.firstBugOnly);
  CHECK_FALSE(read.options.pin);
  CHECK(read.options.search == Options::Search::Naive);
  CHECK(read.options.time == std::chrono::seconds(90));
  CHECK(read.options.policies ==
        std::vector<std::pair<std::string, std::string>>{{"cond", "lifo"}, {"sem", "fifo"}});
  CHECK_FALSE(read.options.quiet);
  CHECK(read.options.maxMemory == std::uint64_t{512} << 20);
}

TEST_CASE("the command line wins over the file", "[configuration]") {
  Folder folder("max-depth: 100\nmax-traces: 5\npolicy: fifo\nplugin: [a.so, b.so]\n");
  Read read({"--max-depth", "3", "--policy", "cond=lifo", "--plugin", "c.so"});
  read.read(folder);
  CHECK(read.options.limits.runDepth == 3);
  CHECK(read.options.limits.traces == 5);
  CHECK(read.options.policies == std::vector<std::pair<std::string, std::string>>{{"cond", "lifo"}});
  CHECK(read.options.plugins == std::vector<fs::path>{"c.so"});
}

TEST_CASE("an empty configuration says nothing", "[configuration]") {
  for (const char* yaml : {"", "\n", "# nothing\n", "---\n", "{}\n", "plugin: []\n"})
    CHECK(refusal(yaml) == kNone);
  Read read;
  read.configuration().read("/dev/null", Found::NamedByUser);
  CHECK_THAT(read.configuration().text(), Contains("max-depth: 200000  # default\n"));
}

TEST_CASE("an unknown key is told with its place and the nearest one", "[configuration]") {
  CHECK(refusal("first: true\n  \nmax-dept: 3\n") ==
        "mcmini.yaml:3:1: there is no option 'max-dept'; did you mean 'max-depth'?");
  CHECK_THAT(refusal("{first: true, xyzzyxyzzy: 3}"),
             Contains("mcmini.yaml:1:15: there is no option 'xyzzyxyzzy'. The keys are"));
  CHECK_THAT(refusal("config: a.yaml\n"), Contains("mcmini.yaml:1:1: there is no option 'config'"));
  CHECK_THAT(refusal("[1, 2]: 3\n"), Contains("mcmini.yaml:1:1: there is no option ''"));
  CHECK(refusal("first: true\nfirst: true\n") == "mcmini.yaml:2:1: 'first' is here twice.");
}

TEST_CASE("a value of the wrong kind is told with its place", "[configuration]") {
  CHECK(refusal("max-depth: many\n") ==
        "mcmini.yaml:1:12: max-depth takes a whole number from 1 to 1048574, not 'many'.");
  CHECK(refusal("\nmax-depth: [1, 2]\n") == "mcmini.yaml:2:12: max-depth takes a value, not a list.");
  CHECK(refusal("time: {a: b}\n") == "mcmini.yaml:1:7: time takes a value, not a map.");
  CHECK_THAT(refusal("max-depth:\n"), Contains("max-depth takes a value, not nothing."));
  CHECK(refusal("first: 3\n") == "mcmini.yaml:1:8: first takes true or false, not '3'.");
  CHECK(refusal("search: best\n") ==
        "mcmini.yaml:1:9: search takes one of optimal, dpor, naive, not 'best'.");
  CHECK(refusal("plugin: [a.so, [b.so]]\n") == "mcmini.yaml:1:16: plugin takes a value, not a list.");
  CHECK_THAT(refusal("time: soon\n"), Contains("mcmini.yaml:1:7: time takes something like 60s"));
}

TEST_CASE("what is no configuration is told with its place", "[configuration]") {
  CHECK_THAT(refusal("a: b: c\n"), Contains("mcmini.yaml:1:5: this is no YAML"));
  CHECK_THAT(refusal("first: true\n\t- x\n"), Contains("mcmini.yaml:2:"));
  CHECK_THAT(refusal("just words\n"), Contains("mcmini.yaml:1:1: a configuration has lines like"));
  CHECK_THAT(refusal("- first\n"), Contains("mcmini.yaml:1:1: a configuration has lines like"));
  CHECK_THAT(refusal("first: true\n---\nfirst: false\n"), Contains("one YAML document"));
  CHECK_THAT(refusal(std::string(5000, '[')), Contains("mcmini.yaml"));
  CHECK_THAT(refusal(std::string(2'000'000, 'x')), Contains("cannot be read: it is too long"));
  CHECK_THAT(refusal(std::string("\0\xff\xfe", 3)), Contains("mcmini.yaml"));
  Read read;
  for (const char* file : {"/nowhere/mine.yaml", "/tmp"})
    CHECK_THROWS_WITH(read.configuration().read(file, Found::NamedByUser),
                      Contains(std::string("the configuration ") + file + " cannot be read"));
}

TEST_CASE("relative paths begin where the configuration is", "[configuration]") {
  Folder folder(
      "stdin: in/put\nplugin: [latch, ./mine.so, /abs/other.so]\nplugin-path: ../more\npolicy: "
      "cond=./p.so,fifo\n");
  Read read;
  read.read(folder);
  CHECK(read.options.input == folder.path() / "in/put");
  CHECK(read.options.plugins == std::vector<fs::path>{"latch", folder.path() / "mine.so", "/abs/other.so"});
  CHECK(read.options.pluginPaths == std::vector<fs::path>{folder.path().parent_path() / "more"});
  CHECK(read.options.policies == std::vector<std::pair<std::string, std::string>>{
                                     {"cond", (folder.path() / "p.so").string()}, {"", "fifo"}});
}

TEST_CASE("a configuration that was only found loads no code", "[configuration]") {
  for (const char* yaml : {"plugin: ./mine.so\n", "plugin: [mine]\n", "plugin: mine.so\n", "plugin-path: .\n",
                           "policy: ./mine.so\n", "policy: [fifo, cond=lib/mine.so]\n"}) {
    INFO(yaml);
    CHECK(refusal(yaml) == kNone);
    CHECK_THAT(refusal(yaml, Found::BesideProgram),
               Contains("loads code") && Contains("--config mcmini.yaml") && Contains("mcmini.yaml:1:"));
  }
  CHECK(refusal("policy: cond=lifo\nmax-depth: 3\n", Found::BesideProgram) == kNone);
}

TEST_CASE("the configuration of a stranger is not read", "[configuration]") {
  Folder folder("first: true\n");
  CHECK(configurationBeside(folder.program()) == folder.file());
  CHECK(configurationBeside("/nowhere/program") == fs::path());
  if (geteuid() != 0) return;  // nobody else can give files away
  REQUIRE(chown(folder.file().c_str(), 12345, 12345) == 0);
  CHECK_THROWS_WITH(configurationBeside(folder.program()),
                    Contains("belongs neither to you") && Contains("--config"));
  REQUIRE(chown(folder.program().c_str(), 12345, 12345) == 0);
  CHECK(configurationBeside(folder.program()) == folder.file());
}

TEST_CASE("what is printed can be read back", "[configuration]") {
  Read first({"--max-depth", "3", "--first", "--policy", "cond=lifo", "--policy", "./p, q: #.so", "--time",
              "500ms", "--plugin", "latch", "--stdin", "#odd: name", "--check", "leak"});
  std::string printed = first.configuration().text();
  INFO(printed);
  Folder folder(printed);
  Read second;
  second.read(folder);
  CHECK(second.options.limits.runDepth == 3);
  CHECK(second.options.limits.leaks);
  CHECK(second.options.plugins == std::vector<fs::path>{"latch"});
  CHECK(second.options.input == fs::current_path() / "#odd: name");
  auto withoutOrigin = [](const std::string& text) {
    std::string kept;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) kept += line.substr(0, line.rfind("  # ")) + "\n";
    return kept;
  };
  CHECK(withoutOrigin(second.configuration().text()) == withoutOrigin(printed));
}

TEST_CASE("the defaults that are shown are the defaults", "[configuration]") {
  Folder folder(Read().configuration().text());
  Read read;
  read.read(folder);
  Options defaults;
  CHECK(read.options.limits.runDepth == defaults.limits.runDepth);
  CHECK(read.options.limits.repeats == defaults.limits.repeats);
  CHECK(read.options.limits.traces == defaults.limits.traces);
  CHECK(read.options.limits.threadDepth == defaults.limits.threadDepth);
  CHECK(read.options.stepTimeout == defaults.stepTimeout);
  CHECK(read.options.maxMemory == defaults.maxMemory);
  CHECK(read.options.pin == defaults.pin);
  CHECK(read.options.search == defaults.search);
  CHECK(read.options.onUnsupported == defaults.onUnsupported);
}

}  // namespace
}  // namespace mcmini
