#include "core/report/plain_name.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>

namespace mcmini {
namespace {

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// Reads a demangled name once, from left to right, and keeps the words of its qualified name.
class NameReader {
 public:
  explicit NameReader(std::string_view text) : rest_(text) {}

  std::string read() {
    while (!rest_.empty() && !rest_.starts_with(" [clone")) step();
    if (name_.starts_with("::")) name_.erase(0, 2);
    return std::move(name_);
  }

 private:
  void step() {
    if (skip("(anonymous namespace)::") || skip("{anonymous}::")) return;
    if (startsOperator()) return readOperator();
    switch (rest_.front()) {
      case '(':
      case '<':
      case '[':
        skipBracket();
        if (!skip(" const")) skip(" volatile");
        return;
      case '{':
        return readLambda();
      case ' ':  // what came before was the return type
        name_.clear();
        return rest_.remove_prefix(1);
      case '*':
      case '&':
        return rest_.remove_prefix(1);
      default:
        return take(1);
    }
  }

  bool skip(std::string_view word) {
    bool found = rest_.starts_with(word);
    if (found) rest_.remove_prefix(word.size());
    return found;
  }

  void take(std::size_t count) {
    name_ += rest_.substr(0, count);
    rest_.remove_prefix(std::min(count, rest_.size()));
  }

  void skipBracket() {
    std::string open;
    do {
      char c = rest_.front();
      bool isArrow = rest_.starts_with("->") || (c == '>' && open.back() != '<');
      if (c == '(' || c == '<' || c == '[' || c == '{') open += c;
      if (c == ')' || (c == '>' && !isArrow) || c == ']' || c == '}') open.pop_back();
      rest_.remove_prefix(1);
    } while (!open.empty() && !rest_.empty());
  }

  bool startsOperator() const {
    constexpr std::string_view kWord = "operator";
    bool isWord =
        rest_.starts_with(kWord) && (rest_.size() == kWord.size() || !isWordCharacter(rest_[kWord.size()]));
    return isWord && (name_.empty() || !isWordCharacter(name_.back()));
  }

  void readOperator() {
    static constexpr std::array<std::string_view, 21> kLong = {
        "()", "[]", "<=>", "->*", "<<=", ">>=", "->", "<<", ">>", "<=",  ">=",
        "==", "!=", "&&",  "||",  "++",  "--",  "+=", "-=", "*=", "\"\""};
    take(std::string_view("operator").size());
    if (rest_.starts_with(' ')) return take(std::min(rest_.find('('), rest_.size()));  // a conversion, or new
    auto symbol = std::ranges::find_if(kLong, [this](std::string_view s) { return rest_.starts_with(s); });
    take(symbol == kLong.end() ? 1 : symbol->size());
    if (rest_.starts_with(" <")) rest_.remove_prefix(1);
    if (name_.ends_with("}::operator()"))
      name_.resize(name_.size() - std::string_view("::operator()").size());
  }

  /// `{lambda(int)#1}`: the number does not count what a reader would count.
  void readLambda() {
    take(std::min(rest_.find_first_of("(#}"), rest_.size()));
    while (!rest_.empty() && rest_.front() != '}') {
      if (rest_.front() == '(')
        skipBracket();
      else
        rest_.remove_prefix(1);
    }
    take(1);
  }

  std::string_view rest_;
  std::string name_;
};

/// clang calls a lambda `$_0`, gcc `{lambda()#1}`.
std::string withNamedLambdas(std::string name) {
  for (std::size_t at = name.find("::$_"); at != std::string::npos; at = name.find("::$_", at + 1)) {
    std::size_t end = std::min(name.find_first_not_of("0123456789", at + 4), name.size());
    name.replace(at, end - at, "::{lambda}");
  }
  return name;
}

}  // namespace

std::string withoutClutter(std::string_view demangled) {
  std::string name = NameReader(withNamedLambdas(std::string(demangled))).read();
  return name.empty() ? std::string(demangled) : name;
}

std::string plainName(std::string_view symbol) {
  std::string name(symbol.substr(0, symbol.find('@')));
  if (name.starts_with("_Z")) {
    int status = 0;
    std::unique_ptr<char, decltype(&std::free)> demangled(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    return demangled ? withoutClutter(demangled.get()) : name;
  }
  std::size_t suffix = name.find('.', 1);  // no identifier has a dot: the compiler made `work.part.0` of work
  return name.substr(0, suffix);
}

}  // namespace mcmini
