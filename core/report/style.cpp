#include "core/report/style.hpp"

namespace mcmini {

namespace {

const char* codeOf(Paint paint) {
  switch (paint) {
    case Paint::Bad:
      return "\033[1;31m";
    case Paint::Good:
      return "\033[32m";
    case Paint::Strong:
      return "\033[1m";
    case Paint::Faint:
      return "\033[2m";
    case Paint::Warning:
      return "\033[33m";
  }
  return "";
}

}  // namespace

std::string painted(const Style& style, Paint paint, std::string_view text) {
  if (!style.color || text.empty()) return std::string(text);
  return codeOf(paint) + std::string(text) + "\033[0m";
}

}  // namespace mcmini
