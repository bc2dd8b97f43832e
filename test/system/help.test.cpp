#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "test/support/checker.hpp"
#include "test/support/none.hpp"

// What mcmini says of itself: help, topics, the man page and the completion of bash have the same options.

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

constexpr std::size_t kColumns = 80;
constexpr std::size_t kTwoScreens = 48;

std::vector<std::string> linesOf(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> tooWide(const std::string& text) {
  std::vector<std::string> lines = linesOf(text);
  std::erase_if(lines, [](const std::string& line) { return line.size() <= kColumns; });
  return lines;
}

std::string help(const std::vector<std::string>& words) {
  Outcome outcome = check(words);
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 0);
  CHECK(outcome.err == kNone);
  return outcome.out;
}

/// The options that the help has lines for, with dashes.
std::set<std::string> optionsOfHelp() {
  std::set<std::string> options;
  static const std::regex names("^  (-[a-z], )?(--[a-z-]+)");
  for (const std::string& line : linesOf(help({"--help"}))) {
    std::smatch match;
    if (!std::regex_search(line, match, names)) continue;
    options.insert(match[2]);
    if (match[1].matched) options.insert(match[1].str().substr(0, 2));
  }
  return options;
}

std::set<std::string> topics() {
  std::set<std::string> found;
  std::smatch match;
  for (const std::string& line : linesOf(help({"help"})))
    if (std::regex_search(line, match, std::regex("^  ([a-z-]+) "))) found.insert(match[1]);
  return found;
}

std::string installed(const std::string& file) {
  std::ifstream in(fs::path(MCMINI_BINARY_DIR) / file);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("the help has two screens at most, and groups", "[help]") {
  std::string text = help({"--help"});
  CHECK(help({"-h"}) == text);
  CHECK(linesOf(text).size() <= kTwoScreens);
  CHECK(tooWide(text) == kNone);
  for (const char* group :
       {"Search and its bounds", "What is a bug", "Plugins and policies", "Input and output"})
    CHECK_THAT(text, Contains("\n" + std::string(group) + "\n"));
  CHECK(optionsOfHelp().size() > 20);
}

TEST_CASE("each topic fits a screen's width, and there are the promised ones", "[help]") {
  std::set<std::string> all = topics();
  for (const char* topic : {"policies", "plugins", "annotations", "determinism", "bounds", "exit-codes"})
    CHECK(all.contains(topic));
  for (const std::string& topic : all) {
    std::string text = help({"help", topic});
    INFO(topic);
    CHECK(linesOf(text).size() > 5);
    CHECK(linesOf(text).size() <= kTwoScreens);
    CHECK(tooWide(text) == kNone);
  }
}

TEST_CASE("topics name no option that there is not", "[help]") {
  std::set<std::string> options = optionsOfHelp();
  for (const std::string& topic : topics()) {
    std::string text = help({"help", topic});
    static const std::regex option("--[a-z][a-z-]+");
    for (std::sregex_iterator at(text.begin(), text.end(), option); at != std::sregex_iterator(); ++at) {
      INFO(topic << " " << at->str());
      CHECK(options.contains(at->str()));
    }
  }
}

TEST_CASE("a wrong topic is told, with the one that was meant", "[help]") {
  Outcome near = check({"help", "polices"});
  CHECK(near.exitCode == 2);
  CHECK(near.err == "mcmini: there is no help on 'polices'; did you mean 'mcmini help policies'?\n");
  Outcome far = check({"help", "xyzzyxyzzyxyzzy"});
  CHECK(far.exitCode == 2);
  CHECK_THAT(far.err, Contains("there is on policies, plugins, "));
}

TEST_CASE("the help tells the kinds of queues that have a policy", "[help]") {
  CHECK_THAT(help({"help", "policies"}), Contains("cond, sem, mutex, rwlock, futex"));
}

TEST_CASE("the man page has all options and topics", "[help]") {
  std::string page = installed("share/man/man1/mcmini.1");
  auto roff = [](const std::string& text) { return std::regex_replace(text, std::regex("-"), "\\-"); };
  for (const std::string& option : optionsOfHelp()) CHECK_THAT(page, Contains(roff(option)));
  for (std::string topic : topics()) {
    std::ranges::transform(topic, topic.begin(),
                           [](char c) { return c == '-' ? ' ' : static_cast<char>(c - 32); });
    CHECK_THAT(page, Contains("\n.SH " + topic + "\n"));
  }
  static const std::regex macro("\\.(TH|SH|SS|TP|PP|B|nf|fi)( .*)?");
  for (const std::string& line : linesOf(page)) {
    bool known = line.empty() || line[0] != '.' || std::regex_match(line, macro);
    INFO(line);
    CHECK(known);
  }
  ScratchDirectory directory;
  directory.write("mcmini.1", page);
  if (shell(directory.path(), "command -v groff").exitCode != 0) return;
  ShellOutcome formatted = shell(directory.path(), "groff -man -Tascii -ww -z mcmini.1");
  CHECK(formatted.out == kNone);
}

/// What bash offers for the last of these words.
std::set<std::string> offered(const std::string& words) {
  ScratchDirectory directory;
  directory.write("input.txt", "");
  fs::create_directory(directory / "folder");
  std::string script =
      "complete() { :; }; compopt() { :; }\nsource '" MCMINI_BINARY_DIR
      "/share/bash-completion/completions/mcmini'\nCOMP_WORDS=(mcmini " +
      words + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_mcmini\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
  directory.write("script", script);
  ShellOutcome outcome = shell(directory.path(), "bash --norc ./script; rm ./script");
  INFO(script << outcome.out);
  CHECK(outcome.exitCode == 0);
  auto lines = linesOf(outcome.out);
  std::erase(lines, "");
  std::set<std::string> found(lines.begin(), lines.end());
  for (const char* own : {"script", ".commands"}) found.erase(own);
  return found;
}

using Words = std::set<std::string>;

TEST_CASE("bash completes the options that the help shows", "[help]") {
  CHECK(offered("-") == optionsOfHelp());
  CHECK(offered("doctor --first -") == optionsOfHelp());
  CHECK(offered("--max-d") == Words{"--max-depth"});
}

TEST_CASE("bash completes values, commands, topics and files", "[help]") {
  CHECK(offered("--search ''") == Words{"optimal", "dpor", "naive"});
  CHECK(offered("--search = d") == Words{"dpor"});
  CHECK(offered("--search =") == Words{"optimal", "dpor", "naive"});
  CHECK(offered("--first --policy f") == Words{"fifo"});
  CHECK(offered("--max-depth ''") == Words{});
  CHECK(offered("--stdin in") == Words{"input.txt"});
  CHECK(offered("--plugin-path ''") == Words{"folder"});
  CHECK(offered("help ''") == topics());
  CHECK(offered("plugin b") == Words{"build"});
  CHECK(offered("do") == Words{"doctor"});
  CHECK(offered("--max-depth 3 in") == Words{"input.txt"});
}

TEST_CASE("bash leaves what follows the program to the program", "[help]") {
  CHECK(offered("./program --first") == Words{});
  CHECK(offered("--time 3s ./program in") == Words{"input.txt"});
  CHECK(offered("--time = 3s --fi") == Words{"--first"});
}

TEST_CASE("man page and completion are installed", "[help]") {
  ScratchDirectory directory;
  fs::path prefix = installInto(directory);
  CHECK(fs::exists(prefix / "share/man/man1/mcmini.1"));
  CHECK(fs::exists(prefix / "share/bash-completion/completions/mcmini"));
}

}  // namespace
}  // namespace mcmini
