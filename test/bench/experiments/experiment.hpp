#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mcmini::experiments {

/// What others have published. Where there is no number, nobody has one.
struct Published {
  std::optional<std::uint64_t> traces{};
  std::optional<std::uint64_t> transitions{};
  std::optional<double> seconds{};
  bool measured = false;  ///< Not in the paper: of its program as it is today.
};

/// A program of examples/ with its arguments, and what it is compared with.
struct Row {
  std::string program;
  std::vector<std::string> arguments;
  Published published;
  std::vector<std::string> options;   ///< Of mcmini.
  bool slow = false;                  ///< Takes more than a minute.
  std::optional<std::string> note{};  ///< What the command does not say.
};

struct Table {
  std::string name;
  std::string title;
  std::vector<Row> rows;
};

/// All of them, in the order in which they are printed.
std::vector<Table> tables();

/// What a row took here.
struct Measured {
  std::string verdict;
  std::string complete;
  std::uint64_t bugs = 0;
  std::uint64_t traces = 0;
  std::uint64_t transitions = 0;
  double seconds = 0;        ///< Of the clock, from the start of mcmini to its end.
  double processorTime = 0;  ///< In seconds, of mcmini and all runs of the program.
  bool ended() const { return complete != "no"; }
};

}  // namespace mcmini::experiments
