#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mcmini {

/// How many columns of a terminal a UTF-8 text takes up. Bytes that are no UTF-8 count as one.
std::size_t columnsOf(std::string_view text);

/// The text with spaces at its end, so that it takes up so many columns; as it is if it takes more.
std::string padded(std::string_view text, std::size_t columns);
std::string paddedLeft(std::string_view text, std::size_t columns);

/// The text such that it cannot disturb a terminal: what is no printable character is escaped as in C, and
/// so is, if `ascii`, what is not ASCII. Line ends are escaped, too.
std::string printable(std::string_view text, bool ascii = false);

/// The words of a text in lines of at most so many columns; a word that is longer has a line of its own.
/// Spaces between words of one line stay.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// Without spaces at the end.
std::string withoutTrailingSpaces(std::string text);

}  // namespace mcmini
