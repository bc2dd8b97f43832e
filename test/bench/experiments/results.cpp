#include "test/bench/experiments/results.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "test/bench/experiments/text.hpp"

namespace mcmini::experiments {

namespace {

constexpr const char* kNothing = "-";

std::string orNothing(const std::optional<std::uint64_t>& number) {
  return number ? withCommas(*number) : kNothing;
}
std::string orNothing(const std::optional<double>& number) {
  return number ? shortly(*number) : kNothing;
}

std::optional<double> publishedRate(const Published& published) {
  if (!published.traces || !published.seconds) return std::nullopt;
  return static_cast<double>(*published.traces) / *published.seconds;
}

double rate(const Measured& measured) {
  return static_cast<double>(measured.traces) / std::max(measured.seconds, 1e-6);
}

/// How many times more the others take; nothing if either is not known. A search that was stopped has no end
/// to compare.
std::optional<double> ratioOfTraces(const Row& row, const Measured& measured) {
  if (!row.published.traces || (!measured.ended() && !row.note)) return std::nullopt;
  return static_cast<double>(*row.published.traces) / static_cast<double>(measured.traces);
}
std::optional<double> ratioOfTime(const Row& row, const Measured& measured) {
  if (!row.published.seconds || (!measured.ended() && !row.note)) return std::nullopt;
  return *row.published.seconds / std::max(measured.seconds, 1e-6);
}

std::vector<std::string> cellsOf(const Row& row, const Measured& measured) {
  std::string more = measured.ended() || row.note ? "" : ">";
  std::string bugs = measured.bugs == 0 ? kNothing : withCommas(measured.bugs) + " " + measured.verdict;
  return {more + withCommas(measured.traces),
          more + withCommas(measured.transitions),
          bugs,
          more + shortly(measured.seconds),
          shortly(rate(measured)),
          orNothing(ratioOfTraces(row, measured)),
          orNothing(ratioOfTime(row, measured))};
}

template <class T>
nlohmann::json orNull(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

nlohmann::json asJson(const Row& row, const Measured& measured) {
  return {{"verdict", measured.verdict},
          {"complete", measured.complete},
          {"bugs", measured.bugs},
          {"traces", measured.traces},
          {"transitions", measured.transitions},
          {"seconds", measured.seconds},
          {"processor_seconds", measured.processorTime},
          {"runs_per_second", rate(measured)},
          {"ratio_of_traces", orNull(ratioOfTraces(row, measured))},
          {"ratio_of_time", orNull(ratioOfTime(row, measured))}};
}

}  // namespace

std::string nameOf(const Row& row) {
  std::string name = row.program;
  for (const std::string& argument : row.arguments) name += " " + argument;
  return row.note ? name + ", " + *row.note : name;
}

std::string asText(const Table& table, const std::vector<Result>& results) {
  std::vector<std::vector<std::string>> cells = {{"program", "theirs: runs", "transitions", "s", "runs/s",
                                                  "ours: runs", "transitions", "bugs", "s", "runs/s",
                                                  "fewer runs", "faster"}};
  for (const auto& [row, measured, leftOut] : results) {
    const Published& published = row.published;
    std::string mark = published.measured ? "*" : "";
    std::vector<std::string> line = {nameOf(row), orNothing(published.traces) + mark,
                                     orNothing(published.transitions), orNothing(published.seconds),
                                     orNothing(publishedRate(published))};
    std::vector<std::string> ours = measured ? cellsOf(row, *measured) : std::vector<std::string>{leftOut};
    line.insert(line.end(), ours.begin(), ours.end());
    cells.push_back(std::move(line));
  }
  return table.name + ": " + table.title + "\n\n" + inColumns(cells);
}

nlohmann::json asJson(const Table& table, const std::vector<Result>& results) {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& [row, measured, leftOut] : results)
    rows.push_back({{"program", row.program},
                    {"arguments", row.arguments},
                    {"options", row.options},
                    {"note", orNull(row.note)},
                    {"published",
                     {{"traces", orNull(row.published.traces)},
                      {"transitions", orNull(row.published.transitions)},
                      {"seconds", orNull(row.published.seconds)},
                      {"measured", row.published.measured}}},
                    {"here", measured ? asJson(row, *measured) : nlohmann::json(nullptr)}});
  return {{"name", table.name}, {"title", table.title}, {"rows", rows}};
}

}  // namespace mcmini::experiments
