#include "core/app/completion.hpp"

#include <fmt/format.h>

#include "core/app/help.hpp"
#include "core/app/help_topics.hpp"
#include "core/app/option_kinds.hpp"

namespace mcmini {

namespace {

constexpr const char* kBegin =
    R"(# Completion of bash for mcmini, made from its options by `mcmini help --completion`.
_mcmini_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}
_mcmini() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} i word
  COMPREPLY=()
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
)";

// What follows the program belongs to it.
constexpr const char* kEnd = R"(  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ $valued == *" $word "* ]]; then
      if [[ ${COMP_WORDS[i + 1]} == = ]]; then i=$((i + 1)); fi
      i=$((i + 1))
    elif [[ $word != -* && ! ($i == 1 && $commands == *" $word "*) ]]; then
      _mcmini_files -f "$cur"
      return
    fi
  done
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
    return
  fi
  _mcmini_files -f "$cur"
  if [[ $COMP_CWORD == 1 ]]; then
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$commands" -- "$cur")
  fi
}
complete -F _mcmini mcmini
)";

/// How the values of an option are completed.
std::string values(const CLI::Option& option) {
  std::string type = typeOf(option);
  std::vector<std::string> words = wordsOf(option);
  if (type.starts_with("FILE")) return "_mcmini_files -f \"$cur\"";
  if (type == "DIR") return "_mcmini_files -d \"$cur\"";
  if (words.empty()) return ":";
  return fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$cur\")", fmt::join(words, " "));
}

}  // namespace

std::string completion(const CLI::App& app) {
  std::string options;
  std::string valued;
  std::string cases;
  for (const CLI::Option* option : app.get_options()) {
    std::vector<std::string> names;
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    names.push_back("--" + keyOf(*option));
    options += fmt::format("{} ", fmt::join(names, " "));
    if (isFlag(*option)) continue;
    valued += fmt::format("{} ", fmt::join(names, " "));
    cases += fmt::format("    {}) {}; return ;;\n", fmt::join(names, "|"), values(*option));
  }
  std::string topics;
  for (const HelpTopic& topic : helpTopics()) topics += fmt::format("{} ", topic.name);
  return fmt::format(
      "{}  local options='{}'\n  local valued=' {}'\n  local commands=' {} '\n  case $prev in\n{}"
      "    help) mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$cur\"); return ;;\n"
      "    plugin) mapfile -t COMPREPLY < <(compgen -W 'list new build check' -- \"$cur\"); return ;;\n"
      "  esac\n{}",
      kBegin, options, valued, fmt::join(commandNames(), " "), cases, topics, kEnd);
}

}  // namespace mcmini
