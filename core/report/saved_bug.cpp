#include "core/report/saved_bug.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "core/model/ids.hpp"

namespace mcmini {

namespace {

constexpr int kFormat = 1;

template <class Number>
void emit(YAML::Emitter& out, const char* key, const std::optional<Number>& value) {
  if (value) out << YAML::Key << key << YAML::Value << *value;
}

void emit(YAML::Emitter& out, const char* key, const std::string& value) {
  if (!value.empty()) out << YAML::Key << key << YAML::Value << YAML::DoubleQuoted << value;
}

void emit(YAML::Emitter& out, const char* key, const std::vector<std::string>& values) {
  if (values.empty()) return;
  out << YAML::Key << key << YAML::Value << YAML::Flow << YAML::BeginSeq;
  for (const std::string& value : values) out << YAML::DoubleQuoted << value;
  out << YAML::EndSeq;
}

void emit(YAML::Emitter& out, const SavedOptions& options) {
  out << YAML::Key << "options" << YAML::Value << YAML::BeginMap;
  if (!options.policies.empty()) {
    out << YAML::Key << "policies" << YAML::Value << YAML::Flow << YAML::BeginSeq;
    for (const auto& [kind, name] : options.policies) {
      out << YAML::Flow << YAML::BeginSeq << YAML::DoubleQuoted << kind << YAML::DoubleQuoted << name
          << YAML::EndSeq;
    }
    out << YAML::EndSeq;
  }
  emit(out, "spurious-wakeups", options.spuriousWakeups);
  emit(out, "plugins", options.plugins);
  emit(out, "plugin-paths", options.pluginPaths);
  emit(out, "stdin", options.input);
  if (!options.inputText.empty()) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(options.inputText.data());
    out << YAML::Key << "input" << YAML::Value << YAML::Binary(bytes, options.inputText.size());
  }
  out << YAML::Key << "max-memory" << YAML::Value << options.maxMemory;
  out << YAML::Key << "step-timeout-ms" << YAML::Value << options.stepTimeoutMs;
  emit(out, "max-thread-depth", options.threadDepth);
  out << YAML::Key << "max-depth" << YAML::Value << options.runDepth;
  out << YAML::Key << "max-repeats" << YAML::Value << options.repeats;
  if (options.leaks) out << YAML::Key << "check-leak" << YAML::Value << true;
  emit(out, "promoted", options.promoted);
  out << YAML::EndMap;
}

/// The lines of a schedule. A run may be long, and the library looks at every word anew to see how it has to
/// be written.
class ScheduleLines {
 public:
  std::string line(const SavedStep& step, std::size_t number) {
    std::string text = fmt::format("{{step: {}, thread: {}, operation: {}", number, step.thread,
                                   known(step.operation, YAML::Auto));
    add(text, "call", step.call);
    add(text, "object", step.object);
    add(text, "place", step.place);
    add(text, "site", step.site);
    if (step.choice != 0) text += fmt::format(", choice: {}", step.choice);
    if (step.result != 0) text += fmt::format(", result: {}", step.result);
    if (step.last) text += ", last: true";
    if (step.doomed) text += ", doomed: true";
    return text + fmt::format(", patience: {}}}", step.patience);
  }

 private:
  void add(std::string& text, const char* key, const std::string& value) {
    if (!value.empty()) text += fmt::format(", {}: {}", key, known(value, YAML::DoubleQuoted));
  }

  const std::string& known(const std::string& value, YAML::EMITTER_MANIP how) {
    auto [written, isNew] = written_.try_emplace({how, value});
    if (!isNew) return written->second;
    YAML::Emitter out;
    out << how << value;
    return written->second = out.c_str();
  }

  std::map<std::pair<YAML::EMITTER_MANIP, std::string>, std::string> written_;
};

std::string scheduleAsYaml(const std::vector<SavedStep>& schedule) {
  if (schedule.empty()) return "schedule: []\n";
  ScheduleLines lines;
  std::string text = "schedule:\n";
  for (std::size_t i = 0; i < schedule.size(); ++i) text += "  - " + lines.line(schedule[i], i + 1) + '\n';
  return text;
}

/// A file while it is read: knows what to say when something is missing.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file) {}

  [[noreturn]] void complain(const YAML::Mark& mark, const std::string& words) const {
    std::string line = mark.is_null() ? "" : ":" + std::to_string(mark.line + 1);
    throw SavedBugError(file_.string() + line + ": " + words);
  }

  /// What is under the key; complains if there is nothing.
  YAML::Node at(const YAML::Node& node, const char* key) const {
    if (!node.IsMap()) complain(node.Mark(), "here a mapping with '" + std::string(key) + "' is expected.");
    YAML::Node value = node[key];
    if (!value) complain(node.Mark(), "there is no '" + std::string(key) + "'.");
    return value;
  }

  template <class T>
  T as(const YAML::Node& node, const char* key) const {
    YAML::Node value = at(node, key);
    try {
      return value.as<T>();
    } catch (const YAML::Exception&) {
      complain(value.Mark(), "the value of '" + std::string(key) + "' is not one that mcmini writes there.");
    }
  }

  template <class T>
  T asOr(const YAML::Node& node, const char* key, T otherwise) const {
    return node.IsMap() && node[key] ? as<T>(node, key) : otherwise;
  }

  template <class T>
  std::optional<T> maybe(const YAML::Node& node, const char* key) const {
    return node.IsMap() && node[key] ? std::optional(as<T>(node, key)) : std::nullopt;
  }

  YAML::Node list(const YAML::Node& node, const char* key) const {
    YAML::Node value = at(node, key);
    if (!value.IsSequence()) complain(value.Mark(), "'" + std::string(key) + "' is to be a list.");
    return value;
  }

 private:
  const std::filesystem::path& file_;
};

SavedOptions readOptions(const Reader& reader, const YAML::Node& node) {
  using Strings = std::vector<std::string>;
  SavedOptions options;
  for (const Strings& policy : reader.asOr<std::vector<Strings>>(node, "policies", {})) {
    if (policy.size() != 2) reader.complain(node.Mark(), "each of 'policies' is to be a kind and a name.");
    options.policies.emplace_back(policy[0], policy[1]);
  }
  options.spuriousWakeups = reader.maybe<std::uint64_t>(node, "spurious-wakeups");
  options.plugins = reader.asOr<Strings>(node, "plugins", {});
  options.pluginPaths = reader.asOr<Strings>(node, "plugin-paths", {});
  options.input = reader.asOr<std::string>(node, "stdin", "");
  auto input = reader.asOr<YAML::Binary>(node, "input", {});
  if (input.size() > 0) options.inputText.assign(reinterpret_cast<const char*>(input.data()), input.size());
  options.maxMemory = reader.as<std::uint64_t>(node, "max-memory");
  options.stepTimeoutMs = reader.as<std::uint64_t>(node, "step-timeout-ms");
  options.threadDepth = reader.maybe<std::uint64_t>(node, "max-thread-depth");
  options.runDepth = reader.as<std::uint64_t>(node, "max-depth");
  options.repeats = reader.as<std::uint64_t>(node, "max-repeats");
  options.leaks = reader.asOr(node, "check-leak", false);
  options.promoted = reader.asOr<Strings>(node, "promoted", {});
  return options;
}

SavedStep readStep(const Reader& reader, const YAML::Node& node, std::size_t threads) {
  SavedStep step;
  step.thread = reader.as<std::uint32_t>(node, "thread");
  if (step.thread >= threads)
    reader.complain(node.Mark(), "there is no thread " + std::to_string(step.thread) + " among the threads.");
  step.operation = reader.as<std::string>(node, "operation");
  step.call = reader.asOr<std::string>(node, "call", "");
  step.object = reader.asOr<std::string>(node, "object", "");
  step.place = reader.asOr<std::string>(node, "place", "");
  step.site = reader.asOr<std::string>(node, "site", "");
  step.choice = reader.asOr<std::uint32_t>(node, "choice", 0);
  step.result = reader.asOr<std::int64_t>(node, "result", 0);
  step.last = reader.asOr(node, "last", false);
  step.doomed = reader.asOr(node, "doomed", false);
  step.patience = reader.as<std::uint32_t>(node, "patience");
  return step;
}

SavedBug readBug(const Reader& reader, const YAML::Node& root) {
  if (!root.IsMap() || !root["mcmini"])
    reader.complain(root.Mark(), "this is not a bug that mcmini has saved: it does not say 'mcmini: 1'.");
  if (reader.as<int>(root, "mcmini") != kFormat)
    reader.complain(root["mcmini"].Mark(),
                    "it was written by another version of mcmini. Check the program again.");
  SavedBug bug;
  bug.program = reader.as<std::string>(root, "program");
  bug.called = reader.asOr(root, "called", bug.program);
  bug.directory = reader.asOr<std::string>(root, "directory", "");
  bug.buildId = reader.asOr<std::string>(root, "build-id", "");
  bug.arguments = reader.asOr<std::vector<std::string>>(root, "arguments", {});
  bug.options = readOptions(reader, reader.at(root, "options"));
  YAML::Node finding = reader.at(root, "finding");
  bug.kind = reader.as<std::string>(finding, "kind");
  bug.sentence = reader.asOr<std::string>(finding, "sentence", "");
  bug.key = reader.as<std::string>(finding, "key");
  bug.run = reader.asOr<std::uint64_t>(finding, "run", 0);
  bug.noReturn = reader.maybe<std::size_t>(finding, "no-return");
  if (bug.noReturn) --*bug.noReturn;
  bug.switchesWhenFound = reader.asOr<std::size_t>(finding, "switches-when-found", 0);
  for (const YAML::Node& thread : reader.list(root, "threads"))
    bug.threads.push_back({reader.as<std::string>(thread, "path"),
                           reader.asOr<std::string>(thread, "name", ""),
                           reader.asOr<std::uint32_t>(thread, "id", 0)});
  for (const YAML::Node& step : reader.list(root, "schedule"))
    bug.schedule.push_back(readStep(reader, step, bug.threads.size()));
  return bug;
}

}  // namespace

std::string SavedBug::hash() const {
  std::string all = program + '\n' + buildId + '\n' + key;
  for (const std::string& argument : arguments) all += '\n' + argument;
  auto value = static_cast<std::uint64_t>(nameId(all));
  return fmt::format("{:08x}", static_cast<std::uint32_t>(value ^ (value >> 32)));
}

std::string asYaml(const SavedBug& bug) {
  YAML::Emitter out;
  out << YAML::BeginMap << YAML::Key << "mcmini" << YAML::Value << kFormat;
  emit(out, "program", bug.program);
  emit(out, "called", bug.called);
  emit(out, "directory", bug.directory);
  emit(out, "build-id", bug.buildId);
  emit(out, "arguments", bug.arguments);
  emit(out, bug.options);
  out << YAML::Key << "finding" << YAML::Value << YAML::BeginMap;
  emit(out, "kind", bug.kind);
  emit(out, "sentence", bug.sentence);
  emit(out, "key", bug.key);
  out << YAML::Key << "run" << YAML::Value << bug.run;
  if (bug.noReturn) out << YAML::Key << "no-return" << YAML::Value << *bug.noReturn + 1;
  out << YAML::Key << "switches-when-found" << YAML::Value << bug.switchesWhenFound << YAML::EndMap;
  out << YAML::Key << "threads" << YAML::Value << YAML::BeginSeq;
  for (const SavedThread& thread : bug.threads) {
    out << YAML::Flow << YAML::BeginMap;
    emit(out, "path", thread.path);
    emit(out, "name", thread.name);
    out << YAML::Key << "id" << YAML::Value << thread.id << YAML::EndMap;
  }
  out << YAML::EndSeq << YAML::EndMap;
  return "# A bug that mcmini has found. To run into it again: mcmini replay FILE\n" +
         std::string(out.c_str()) + "\n" + scheduleAsYaml(bug.schedule);
}

SavedBug readSavedBug(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in && !in.eof()) throw SavedBugError(file.string() + " cannot be read: " + std::strerror(errno) + ".");
  Reader reader(file);
  try {
    return readBug(reader, YAML::Load(text));
  } catch (const YAML::Exception& error) {
    reader.complain(error.mark, "this is not YAML: " + error.msg + ".");
  }
}

}  // namespace mcmini
