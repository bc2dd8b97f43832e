#include "core/app/help.hpp"

#include <fmt/format.h>

#include "core/app/option_kinds.hpp"

namespace mcmini {

namespace {

constexpr const char* kUsage =
    "Runs a pthread program under every schedule that can make a difference.\n"
    "Usage: mcmini [check] [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n"
    "       mcmini doctor PROGRAM                what of the program can be checked\n"
    "       mcmini plugin list|new|build|check   see mcmini help plugins\n";

constexpr const char* kExitCodes =
    "Exit codes: 0 no bug, 1 bug, 2 wrong call, 3 stopped early, 4 cannot be checked,\n"
    "70 a bug of mcmini, 130 interrupted.\n";

/// "-q, --quiet" or "--max-depth N".
std::string namesOf(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += "-" + name + ", ";
  names += "--" + keyOf(option);
  return isFlag(option) ? names : names + " " + typeOf(option);
}

std::string lineOf(const CLI::Option& option) {
  std::string words = option.get_description().substr(0, option.get_description().find('\n'));
  bool hasDefault = !isFlag(option) && !option.get_default_str().empty();
  if (hasDefault) words += " (" + option.get_default_str() + ")";
  return fmt::format("  {:<22} {}\n", namesOf(option), words);
}

}  // namespace

std::string helpText(const CLI::App& app) {
  std::string text = kUsage;
  for (const std::string& group : app.get_groups()) {
    text += group + "\n";
    for (const CLI::Option* option : app.get_options())
      if (option->get_group() == group) text += lineOf(*option);
  }
  return text + kExitCodes;
}

}  // namespace mcmini
