#include "core/report/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace mcmini {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

/// Takes up no column: it changes the letter before it.
constexpr Range kCombining[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},
                                {0x64b, 0x65f},   {0x93c, 0x93c},   {0x941, 0x948},   {0xe31, 0xe31},
                                {0xe34, 0xe3a},   {0xe47, 0xe4e},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
                                {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef}};

/// Takes up two columns.
constexpr Range kWide[] = {{0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2614, 0x2615},
                           {0x2648, 0x2653},   {0x26a1, 0x26a1},   {0x26bd, 0x26be},   {0x2705, 0x2705},
                           {0x270a, 0x270b},   {0x2728, 0x2728},   {0x274c, 0x274c},   {0x2e80, 0x303e},
                           {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},
                           {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
                           {0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
                           {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}};

/// Moves the cursor, turns the direction of writing, or cannot be seen.
constexpr Range kUnseen[] = {{0x0, 0x1f},      {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
                             {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff},
                             {0xfff9, 0xfffb}, {0xd800, 0xdfff}, {0xe000, 0xf8ff}, {0xe0001, 0xe007f}};

template <std::size_t N>
bool isIn(const Range (&ranges)[N], char32_t c) {
  return std::ranges::any_of(ranges, [c](const Range& r) { return c >= r.first && c <= r.last; });
}

/// A character at the beginning of a text; of no character but a stray byte the length is 1.
struct Decoded {
  char32_t character = 0;
  std::size_t bytes = 1;
  bool isValid = false;
};

Decoded decode(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {lead, 1, false};
  char32_t c = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {lead, 1, false};
    c = (c << 6) | (byte(i) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  if (c < kLeast[length] || c > 0x10ffff) return {lead, 1, false};
  return {c, length, true};
}

std::size_t widthOf(const Decoded& one) {
  if (!one.isValid) return 1;
  if (isIn(kCombining, one.character)) return 0;
  return isIn(kWide, one.character) ? 2 : 1;
}

std::string escaped(const Decoded& one) {
  char32_t c = one.character;
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (c == '\r') return "\\r";
  auto number = static_cast<std::uint32_t>(c);
  if (!one.isValid || c < 0x80) return fmt::format("\\x{:02x}", number);
  return c < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
}

}  // namespace

std::size_t columnsOf(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    Decoded one = decode(text);
    columns += widthOf(one);
    text.remove_prefix(one.bytes);
  }
  return columns;
}

std::string padded(std::string_view text, std::size_t columns) {
  std::size_t own = columnsOf(text);
  return std::string(text) + std::string(columns > own ? columns - own : 0, ' ');
}

std::string paddedLeft(std::string_view text, std::size_t columns) {
  std::size_t own = columnsOf(text);
  return std::string(columns > own ? columns - own : 0, ' ') + std::string(text);
}

std::string printable(std::string_view text, bool ascii) {
  std::string result;
  while (!text.empty()) {
    Decoded one = decode(text);
    bool asItIs = one.isValid && !isIn(kUnseen, one.character) && (!ascii || one.character < 0x80);
    result += asItIs ? std::string(text.substr(0, one.bytes)) : escaped(one);
    text.remove_prefix(one.bytes);
  }
  return result;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    std::size_t word = text.find_first_not_of(' ');
    if (word == std::string_view::npos) break;
    std::size_t end = std::min(text.find(' ', word), text.size());
    std::string_view next = text.substr(0, end);
    if (!line.empty() && columnsOf(line) + columnsOf(next) > columns) {
      lines.push_back(std::move(line));
      line.clear();
    }
    line += line.empty() && !lines.empty() ? text.substr(word, end - word) : next;
    text.remove_prefix(end);
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string withoutTrailingSpaces(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace mcmini
