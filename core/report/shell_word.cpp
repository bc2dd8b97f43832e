#include "core/report/shell_word.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mcmini {

namespace {

bool isPlainInShell(unsigned char c) {
  bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return isLetter || c >= 0x80 ||
         std::string_view("_-./+=:,@%^").find(static_cast<char>(c)) != std::string::npos;
}

bool isControlCharacter(unsigned char c) {
  return c < ' ' || c == 0x7f;
}

}  // namespace

std::string shellWord(const std::string& word) {
  if (!word.empty() && std::ranges::all_of(word, isPlainInShell)) return word;
  bool hasControls = std::ranges::any_of(word, isControlCharacter);
  std::string text = hasControls ? "$'" : "'";
  for (char c : word) {
    if (hasControls && isControlCharacter(static_cast<unsigned char>(c)))
      text +=
          c == '\n' ? "\\n" : fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else if (hasControls && (c == '\'' || c == '\\'))
      text += std::string("\\") + c;
    else
      text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return text + "'";
}

}  // namespace mcmini
