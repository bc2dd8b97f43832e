#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mcmini {

/// How text is set for those who read it.
struct Style {
  std::size_t width = 80;  ///< Columns of the terminal.
  bool color = false;
  bool ascii = false;  ///< Nothing but ASCII.
};

enum class Paint : std::uint8_t { Bad, Good, Strong, Faint, Warning };

/// The text in a colour, if there are colours. It takes up as many columns as before.
std::string painted(const Style& style, Paint paint, std::string_view text);

}  // namespace mcmini
