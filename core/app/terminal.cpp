#include "core/app/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace mcmini {

namespace {

constexpr std::size_t kUsualWidth = 80;
constexpr std::size_t kLeastWidth = 20;

std::size_t widthOfTerminal() {
  const char* columns = std::getenv("COLUMNS");
  if (columns != nullptr) {
    std::size_t width = std::strtoul(columns, nullptr, 10);
    if (width >= kLeastWidth) return width;
  }
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= kLeastWidth) return size.ws_col;
  return kUsualWidth;
}

bool isSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != 0;
}

bool isDumb() {
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) == "dumb";
}

}  // namespace

Style styleFor(const Options& options) {
  Style style;
  style.width = options.width ? *options.width : widthOfTerminal();
  style.color = options.color && isatty(STDOUT_FILENO) == 1 && !isSet("NO_COLOR") && !isDumb();
  style.ascii = options.ascii;
  return style;
}

}  // namespace mcmini
