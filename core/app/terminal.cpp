#include "core/app/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace mcmini {

namespace {

constexpr std::size_t kUsualWidth = 80;
constexpr std::size_t kLeastWidth = 20;

std::size_t widthOfReport() {
  const char* columns = std::getenv("COLUMNS");
  if (columns != nullptr) {
    long width = std::strtol(columns, nullptr, 10);
    if (width >= static_cast<long>(kLeastWidth)) return static_cast<std::size_t>(width);
  }
  return std::max(columnsOf(STDOUT_FILENO), kLeastWidth);
}

bool isSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != 0;
}

}  // namespace

std::size_t columnsOf(int descriptor) {
  winsize size{};
  bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : kUsualWidth;
}

bool takesControls(int descriptor) {
  const char* terminal = std::getenv("TERM");
  bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return isatty(descriptor) == 1 && !dumb;
}

Style styleFor(const Options& options) {
  Style style;
  style.width = options.width ? *options.width : widthOfReport();
  style.color = options.color && takesControls(STDOUT_FILENO) && !isSet("NO_COLOR");
  style.ascii = options.ascii;
  return style;
}

}  // namespace mcmini
