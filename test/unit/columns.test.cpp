#include <catch2/catch.hpp>

#include "core/report/columns.hpp"
#include "core/report/style.hpp"

namespace mcmini {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("a text is as wide as the terminal shows it", "[columns]") {
  CHECK(columnsOf("fork[2]") == 7);
  CHECK(columnsOf("für") == 3);
  CHECK(columnsOf("叉子") == 4);
  CHECK(columnsOf("e\u0301") == 1);  // an accent on the letter before
  CHECK(columnsOf("\xff\xfe") == 2);
  CHECK(padded("叉", 4) == "叉  ");
  CHECK(padded("longer", 3) == "longer");
  CHECK(paddedLeft("12", 4) == "  12");
}

TEST_CASE("nothing that a program says can disturb the terminal", "[columns]") {
  CHECK(printable("plain, für, 叉") == "plain, für, 叉");
  CHECK(printable("\033[2J\a") == "\\x1b[2J\\x07");
  CHECK(printable("a\nb\tc\r") == "a\\nb\\tc\\r");
  CHECK(printable("\x9b"
                  "2J") == "\\x9b2J");           // a stray byte that some terminals obey
  CHECK(printable("\u009b2J") == "\\u009b2J");   // the same as a character
  CHECK(printable("a\u202eb") == "a\\u202eb");   // would turn the direction of writing
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");  // an overlong slash
  CHECK(printable("\xf4\x90\x80\x80").starts_with("\\xf4"));
  CHECK(printable("für", true) == "f\\u00fcr");
  CHECK(printable("\U0001f374", true) == "\\U0001f374");
}

TEST_CASE("words are wrapped, and one that is too long is not cut", "[columns]") {
  CHECK(wrapped("one two three", 7) == Lines{"one two", "three"});
  CHECK(wrapped("one two three", 8) == Lines{"one two", "three"});
  CHECK(wrapped("incomprehensibilities are", 10) == Lines{"incomprehensibilities", "are"});
  CHECK(wrapped("a   b", 10) == Lines{"a   b"});
  CHECK(wrapped("", 10).empty());
}

TEST_CASE("without colours, text is what it was", "[columns]") {
  CHECK(painted({.color = false}, Paint::Bad, "DEADLOCK") == "DEADLOCK");
  CHECK(painted({.color = true}, Paint::Bad, "DEADLOCK") == "\033[1;31mDEADLOCK\033[0m");
  CHECK(painted({.color = true}, Paint::Bad, "").empty());
}

}  // namespace
}  // namespace mcmini
