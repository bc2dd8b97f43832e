#include "core/app/option_kinds.hpp"

#include <fmt/format.h>

#include <sstream>

#include "core/app/errors.hpp"

namespace mcmini {

namespace {

constexpr const char* kWords = "words";

struct Unit {
  std::string name;
  double factor;
};

/// A number with one of the units, or with none, which is the first one.
std::int64_t withUnit(const std::string& option, const std::string& text, const std::vector<Unit>& units,
                      const char* example) {
  std::size_t digits = text.find_first_not_of("0123456789.");
  std::string unit = digits == std::string::npos ? units.front().name : text.substr(digits);
  auto known = std::ranges::find(units, unit, &Unit::name);
  try {
    std::size_t used = 0;
    std::string number = text.substr(0, digits);
    double value = std::stod(number, &used);
    if (known != units.end() && used == number.size() && value * known->factor < 1e18)
      return static_cast<std::int64_t>(value * known->factor);
  } catch (const std::logic_error&) {
    // not a number: told below
  }
  throw UsageError(option + " takes something like " + example + ", not '" + text + "'.");
}

constexpr double kKi = 1024;
const std::vector<Unit> kSizes = {{"", 1.}, {"K", kKi}, {"M", kKi* kKi}, {"G", kKi* kKi* kKi}};
const std::vector<Unit> kTimes = {
    {"s", 1000.}, {"ms", 1.}, {"m", 60'000.}, {"min", 60'000.}, {"h", 3'600'000.}};

}  // namespace

void setWords(CLI::Option& option, const std::vector<std::string>& words) {
  // a validator is the place where CLI11 keeps what belongs to an option; reading the value is what refuses
  // it
  option.check(CLI::Validator([](std::string&) { return std::string(); },
                              fmt::format("{}", fmt::join(words, " ")), kWords));
}

std::vector<std::string> wordsOf(const CLI::Option& option) {
  // CLI11 looks validators up in options that may be changed only
  auto* validator = [&]() -> CLI::Validator* {
    try {
      return const_cast<CLI::Option&>(option).get_validator(kWords);
    } catch (const CLI::OptionNotFound&) {
      return nullptr;
    }
  }();
  if (validator == nullptr) return {};
  std::istringstream text(validator->get_description());
  return {std::istream_iterator<std::string>(text), {}};
}

std::string keyOf(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_single_name() : option.get_lnames().front();
}

std::string typeOf(const CLI::Option& option) {
  std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));  // words may follow
}

bool isRepeatable(const CLI::Option& option) {
  return !isFlag(option) && option.get_items_expected_max() > 1;
}

bool isFlag(const CLI::Option& option) {
  return option.get_expected_min() == 0;
}

std::uint64_t parseCount(const std::string& option, const std::string& text, std::uint64_t least,
                         std::uint64_t most) {
  bool digits = !text.empty() && text.size() < 19 &&
                std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  std::uint64_t value = digits ? std::stoull(text) : 0;
  if (!digits || value < least || value > most)
    throw UsageError(
        fmt::format("{} takes a whole number from {} to {}, not '{}'.", option, least, most, text));
  return value;
}

std::chrono::milliseconds parseDuration(const std::string& option, const std::string& text) {
  std::chrono::milliseconds parsed(withUnit(option, text, kTimes, "60s, 500ms or 5m"));
  if (parsed.count() <= 0) throw UsageError(option + " takes a time greater than zero, not '" + text + "'.");
  return parsed;
}

std::string durationText(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? fmt::format("{}s", time.count() / 1000)
                                  : fmt::format("{}ms", time.count());
}

std::uint64_t parseSize(const std::string& option, const std::string& text) {
  return static_cast<std::uint64_t>(withUnit(option, text, kSizes, "512M or 4G"));
}

std::string sizeText(std::uint64_t bytes) {
  std::size_t unit = 0;
  for (; unit + 1 < kSizes.size() && bytes != 0 && bytes % 1024 == 0; ++unit) bytes /= 1024;
  return std::to_string(bytes) + kSizes[unit].name;
}

void refuseWord(const std::string& option, const std::string& text, const std::vector<std::string>& words) {
  throw UsageError(fmt::format("{} takes one of {}, not '{}'.", option, fmt::join(words, ", "), text));
}

CLI::Option* addFlag(CLI::App& app, const std::string& names, bool& into, const std::string& help,
                     bool value) {
  auto read = [&into, value](std::int64_t times) {
    if (times != 0) into = times > 0 ? value : !value;
  };
  return app.add_flag_function(names, read, help)->default_str(into == value ? "true" : "false");
}

CLI::Option* addSize(CLI::App& app, const std::string& name, std::uint64_t& into, const std::string& help) {
  auto read = [&into, name](const std::string& text) { into = parseSize(name, text); };
  return app.add_option_function<std::string>(name, read, help)
      ->type_name("SIZE")
      ->default_str(sizeText(into));
}

CLI::Option* addPath(CLI::App& app, const std::string& name, std::optional<std::filesystem::path>& into,
                     const std::string& help, const std::string& type) {
  auto read = [&into](const std::string& text) { into = text; };
  return app.add_option_function<std::string>(name, read, help)->type_name(type);
}

CLI::Option* addPaths(CLI::App& app, const std::string& name, std::vector<std::filesystem::path>& into,
                      const std::string& help, const std::string& type) {
  auto read = [&into](const std::vector<std::string>& texts) { into.assign(texts.begin(), texts.end()); };
  return app.add_option_function<std::vector<std::string>>(name, read, help)
      ->type_name(type)
      ->allow_extra_args(false);
}

}  // namespace mcmini
