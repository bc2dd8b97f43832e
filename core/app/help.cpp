#include "core/app/help.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/app/completion.hpp"
#include "core/app/errors.hpp"
#include "core/app/help_topics.hpp"
#include "core/app/man_page.hpp"
#include "core/app/nearest.hpp"
#include "core/app/option_kinds.hpp"

namespace mcmini {

namespace {

constexpr const char* kUsage =
    "Runs a pthread program under every schedule that can make a difference.\n"
    "Usage: mcmini [check] [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n"
    "       mcmini replay [FILE|N]       runs into a saved bug again; or lists them\n"
    "       mcmini gdb FILE|N            walks through a saved bug, step by step\n"
    "       mcmini doctor PROGRAM        what of the program can be checked\n"
    "       mcmini plugin list|new|build|check ...       mcmini help [TOPIC]\n";

constexpr const char* kExitCodes =
    "Exit codes: 0 no bug, 1 bug, 2 wrong call, 3 not complete, 4 cannot be checked,\n"
    "5 replay departed, 70 bug of mcmini, 130 interrupted. Defaults in parentheses.\n";

std::string lineOf(const CLI::Option& option) {
  std::string words = option.get_description().substr(0, option.get_description().find('\n'));
  bool hasDefault = !isFlag(option) && !option.get_default_str().empty();
  if (hasDefault) words += " (" + option.get_default_str() + ")";
  return fmt::format("  {:<22} {}\n", namesOf(option), words);
}

std::vector<std::string> topicNames() {
  std::vector<std::string> names;
  for (const HelpTopic& topic : helpTopics()) names.emplace_back(topic.name);
  return names;
}

std::string listOfTopics() {
  std::string text = "mcmini help TOPIC explains:\n";
  for (const HelpTopic& topic : helpTopics()) text += fmt::format("  {:<14} {}\n", topic.name, topic.summary);
  return text + "mcmini --help lists the options.\n";
}

}  // namespace

std::string namesOf(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += "-" + name + ", ";
  names += "--" + keyOf(option);
  return isFlag(option) ? names : names + " " + typeOf(option);
}

std::string helpText(const CLI::App& app) {
  std::string text = kUsage;
  for (const std::string& group : app.get_groups()) {
    text += group + "\n";
    for (const CLI::Option* option : app.get_options())
      if (option->get_group() == group) text += lineOf(*option);
  }
  return text + kExitCodes;
}

std::string helpOn(const std::vector<std::string>& words, const CLI::App& app) {
  if (words.empty()) return listOfTopics();
  const std::string& wanted = words.front();
  if (wanted == "--help" || wanted == "-h") return helpText(app);
  if (wanted == "--man") return manPage(app);
  if (wanted == "--completion") return completion(app);
  for (const HelpTopic& topic : helpTopics())
    if (topic.name == wanted) return std::string(topic.text.substr(1));
  std::vector<std::string> topics = topicNames();
  auto begins = [](const std::string& topic) { return topic.substr(0, 4); };
  auto begun = std::ranges::find(topics, begins(wanted), begins);
  std::string meant = begun != topics.end() ? *begun : nearest(wanted, topics);
  throw UsageError(fmt::format("there is no help on '{}'{}", wanted,
                               meant.empty() ? fmt::format("; there is on {}.", fmt::join(topicNames(), ", "))
                                             : "; did you mean 'mcmini help " + meant + "'?"));
}

}  // namespace mcmini
