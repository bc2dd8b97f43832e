#include "core/app/configuration.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <set>
#include <sstream>

#include "core/app/errors.hpp"
#include "core/app/nearest.hpp"
#include "core/app/option_kinds.hpp"
#include "core/app/plugins.hpp"

namespace mcmini {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFileName = "mcmini.yaml";
constexpr std::size_t kLongestText = 1 << 20;  // whatever is longer is no configuration
const std::set<std::string> kWithoutKey = {"help", "version", "config", "print-config"};

std::string placeIn(const fs::path& file, const YAML::Mark& mark) {
  return mark.is_null() ? file.string()
                        : fmt::format("{}:{}:{}", file.string(), mark.line + 1, mark.column + 1);
}

[[noreturn]] void refuse(const fs::path& file, const YAML::Mark& mark, const std::string& why) {
  throw UsageError(placeIn(file, mark) + ": " + why);
}

std::string contentsOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text;
  for (char c = 0; text.size() <= kLongestText && in.get(c);) text += c;
  std::error_code unknown;
  const char* why = text.size() > kLongestText        ? ": it is too long"
                    : !fs::exists(file, unknown)      ? ": there is no such file"
                    : fs::is_directory(file, unknown) ? ": it is a directory"
                    : !in.is_open()                   ? ": you have no right to read it"
                    : !in.eof()                       ? ""
                                                      : nullptr;
  if (why != nullptr)
    throw UsageError(fmt::format("the configuration {} cannot be read{}.", file.string(), why));
  return text;
}

YAML::Node parse(const fs::path& file) {
  try {
    std::vector<YAML::Node> documents = YAML::LoadAll(contentsOf(file));
    if (documents.size() > 1)
      refuse(file, documents[1].Mark(), "a configuration is one YAML document, not several.");
    YAML::Node root = documents.empty() ? YAML::Node() : documents.front();
    if (!root.IsNull() && !root.IsMap())
      refuse(file, root.Mark(),
             "a configuration has lines like 'max-depth: 1000', and this is something else.");
    return root;
  } catch (const YAML::Exception& error) {
    refuse(file, error.mark, "this is no YAML: " + error.msg + ".");
  }
}

/// A path as it is from where the user stands, if it is one at all.
std::string placed(const CLI::Option& option, const std::string& text, const fs::path& folder) {
  bool isPath = typeOf(option).starts_with("FILE") || typeOf(option) == "DIR";
  if (!isPath || text == "-" || (keyOf(option) == "plugin" && isPluginName(text))) return text;
  return (folder / text).lexically_normal().string();
}

/// The same for policies, which may be given as "cond=./mine.so,sem=fifo".
std::string placedPolicies(const std::string& text, const fs::path& folder) {
  std::istringstream parts(text);
  std::string all;
  for (std::string part; std::getline(parts, part, ',');) {
    std::size_t name = part.find('=') + 1;  // 0 if there is none
    if (part.find('/') != std::string::npos)
      part = part.substr(0, name) + (folder / part.substr(name)).lexically_normal().string();
    all += (all.empty() ? "" : ",") + part;
  }
  return all;
}

std::string valueFrom(const CLI::Option& option, const std::string& text, const fs::path& folder) {
  return keyOf(option) == "policy" ? placedPolicies(text, folder) : placed(option, text, folder);
}

/// What lies beside a program may come from anybody who gave us the program: of plugins it may only name
/// those of this installation.
std::string withoutCode(const std::string& key, const std::string& text, const fs::path& file,
                        const YAML::Mark& mark) {
  if (key == "plugin")
    if (auto ready = readyPlugin(text, Installation::aroundThisExecutable())) return ready->string();
  if (key != "plugin" && key != "plugin-path" && (key != "policy" || text.find('/') == std::string::npos))
    return text;
  refuse(file, mark,
         fmt::format("'{}: {}' loads code, which a file that was only found beside the program may not do. "
                     "Name the file, by --config {}, if you trust it.",
                     key, text, file.string()));
}

const char* kindOf(const YAML::Node& value) {
  if (value.IsMap()) return "a map";
  return value.IsSequence() ? "a list" : "nothing";
}

std::string scalar(const std::string& key, const YAML::Node& value, const fs::path& file) {
  if (!value.IsScalar())
    refuse(file, value.Mark(), fmt::format("{} takes a value, not {}.", key, kindOf(value)));
  return value.Scalar();
}

std::vector<std::string> valuesOf(const CLI::Option& option, const YAML::Node& value, const fs::path& file) {
  std::string key = keyOf(option);
  if (value.IsSequence() && isRepeatable(option)) {
    std::vector<std::string> values;
    for (const YAML::Node& one : value) values.push_back(scalar(key, one, file));
    return values;
  }
  std::string text = scalar(key, value, file);
  if (!isFlag(option)) return {text};
  bool on = false;
  if (!YAML::convert<bool>::decode(value, on))
    refuse(file, value.Mark(), fmt::format("{} takes true or false, not '{}'.", key, text));
  return {on ? "true" : "false"};
}

/// The option of that key.
CLI::Option& optionOf(const std::map<std::string, CLI::Option*>& keys, const YAML::Node& key,
                      const fs::path& file) {
  std::string name = key.IsScalar() ? key.Scalar() : "";
  auto known = keys.find(name);
  if (known != keys.end()) return *known->second;
  std::vector<std::string> names;
  for (const auto& [one, option] : keys) names.push_back(one);
  std::string meant = nearest(name, names);
  refuse(file, key.Mark(),
         fmt::format("there is no option '{}'{}", name,
                     meant.empty() ? ". The keys are the options that mcmini --help shows."
                                   : "; did you mean '" + meant + "'?"));
}

}  // namespace

std::map<std::string, CLI::Option*> keysOf(CLI::App& app) {
  std::map<std::string, CLI::Option*> keys;
  for (CLI::Option* option : app.get_options({}))
    if (!kWithoutKey.contains(keyOf(*option))) keys[keyOf(*option)] = option;
  return keys;
}

Configuration::Configuration(CLI::App& app) : app_(app) {
  for (const auto& [key, option] : keysOf(app))
    if (option->count() > 0) origins_[key] = "command line";
}

void Configuration::read(const fs::path& file, Found how) {
  auto keys = keysOf(app_);
  std::error_code unknown;
  fs::path folder = fs::is_regular_file(file, unknown) ? file.parent_path() : fs::path();
  std::set<std::string> seen;
  for (const auto& entry : parse(file)) {
    CLI::Option& option = optionOf(keys, entry.first, file);
    std::string key = keyOf(option);
    if (!seen.insert(key).second) refuse(file, entry.first.Mark(), fmt::format("'{}' is here twice.", key));
    std::vector<std::string> values = valuesOf(option, entry.second, file);
    for (std::string& value : values) {
      if (how == Found::BesideProgram) value = withoutCode(key, value, file, entry.second.Mark());
      value = valueFrom(option, value, folder);
    }
    if (origins_.contains(key) || values.empty()) continue;
    origins_[key] = placeIn(file, entry.first.Mark());
    try {
      option.add_result(values);
      option.run_callback();
    } catch (const UsageError& error) {
      std::string why = error.what();
      refuse(file, entry.second.Mark(), why.starts_with("--") ? why.substr(2) : why);
    }
  }
}

std::string Configuration::text() const {
  std::string text;
  for (const CLI::Option* option : app_.get_options()) {
    std::string key = keyOf(*option);
    if (kWithoutKey.contains(key)) continue;
    std::vector<std::string> values = option->results();
    if (values.empty() && !option->get_default_str().empty()) values = {option->get_default_str()};
    YAML::Emitter line;
    line << YAML::Flow;
    if (isFlag(*option) && !values.empty()) values = {values.back()};
    for (std::string& value : values) value = valueFrom(*option, value, fs::current_path());
    if (isRepeatable(*option) && values.size() > 1)
      line << values;
    else if (!values.empty())
      line << values.front();
    auto origin = origins_.find(key);
    text += values.empty() ? fmt::format("# {}: not set\n", key)
                           : fmt::format("{}: {}  # {}\n", key, line.c_str(),
                                         origin == origins_.end() ? "default" : origin->second);
  }
  return text;
}

fs::path configurationBeside(const fs::path& program) {
  fs::path file = program.parent_path() / kFileName;
  struct stat found {};
  struct stat owner {};
  if (stat(file.c_str(), &found) != 0 || stat(program.c_str(), &owner) != 0) return {};
  bool trusted = found.st_uid == geteuid() || found.st_uid == 0 || found.st_uid == owner.st_uid;
  if (!trusted)
    throw UsageError(fmt::format(
        "{0} belongs neither to you nor to the owner of the program. Name it, by --config {0}, if you trust "
        "it; --config /dev/null does without.",
        file.string()));
  return file;
}

}  // namespace mcmini
