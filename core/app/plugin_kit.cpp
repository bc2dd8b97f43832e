#include "core/app/plugin_kit.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <spdlog/spdlog.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/app/plugins.hpp"
#include "core/target/target_error.hpp"

namespace mcmini {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// $CXX, which may have arguments of its own.
Words compiler() {
  const char* chosen = std::getenv("CXX");
  std::istringstream text(chosen == nullptr ? "" : chosen);
  Words words{std::istream_iterator<std::string>(text), {}};
  return words.empty() ? Words{"c++"} : words;
}

/// Runs a command and waits for its end; true if it succeeded.
bool run(Words words) {
  spdlog::info("{}", fmt::join(words, " "));
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::fflush(stdout);
  pid_t process = 0;
  int error = posix_spawnp(&process, argv[0], nullptr, nullptr, argv.data(), environ);
  if (error != 0)
    throw TargetError(
        fmt::format("the compiler '{}' cannot be started ({}). Install g++ or clang++, or say "
                    "which one to take: CXX=... mcmini plugin build FILE.cpp",
                    words.front(), std::strerror(error)));
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct Source {
  fs::path file;
  Words compilerOptions;
  fs::path headers;
};

void compile(const Source& source, const fs::path& output, const Words& forHalf) {
  Words words = compiler();
  auto add = [&](const Words& more) { words.insert(words.end(), more.begin(), more.end()); };
  add({"-std=c++20", "-O1", "-g", "-fPIC", "-shared", "-Wall"});
  add({"-isystem", source.headers.string(), "-isystem", (source.headers / "mcmini").string()});
  add(forHalf);
  add({source.file.string(), "-o", output.string()});
  add(source.compilerOptions);
  if (run(words)) return;
  throw PluginError(fmt::format("{} cannot be compiled to {}: {} tells why.", source.file.string(),
                                output.string(), words.front()));
}

/// Where a file with the path would be taken for an option, or looked up elsewhere.
std::string here(const fs::path& file) {
  return "./" + file.string();
}

/// Does the plugin that was loaded last model operations? One that does not has nothing for programs.
bool modelsOperations(const PluginSet& plugins) {
  bool found = false;
  plugins.catalog().forEach([&](const Catalog::Operation& operation) {
    found |= operation.plugin == plugins.loaded().back().name;
  });
  return found;
}

void requireName(const std::string& name, const PluginSet& plugins) {
  auto isPart = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  constexpr std::size_t kLongest = 20;  // operations have it as their first half
  if (name.empty() || name.size() > kLongest || !std::ranges::all_of(name, isPart) || name.front() < 'a')
    throw UsageError(fmt::format(
        "a plugin's name has up to {} lower-case letters, digits and underscores, and begins with a letter; "
        "'{}' has not.",
        kLongest, name));
  if (std::ranges::count(plugins.loaded(), name, &PluginSet::Loaded::name) > 0)
    throw UsageError(fmt::format("there is already a plugin named '{}'; give yours another name.", name));
}

std::string withName(std::string text, const std::string& name) {
  constexpr std::string_view kTemplate = "gate";
  for (std::size_t at = 0; (at = text.find(kTemplate, at)) != std::string::npos; at += name.size())
    text.replace(at, kTemplate.size(), name);
  return text;
}

void copyWithName(const fs::path& from, const fs::path& to, const std::string& name) {
  std::ifstream in(from, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  std::ofstream out(to, std::ios::binary);
  out << withName(text, name);
  if (!in || !out.flush()) throw UsageError(to.string() + " cannot be written.");
}

}  // namespace

ExitCode buildPlugin(const Options& options) {
  if (options.arguments.empty())
    throw UsageError("which file? Usage: mcmini plugin build FILE.cpp [COMPILER OPTIONS...]");
  Installation installation = Installation::ofThisExecutable();
  Source source{options.arguments.front(),
                {options.arguments.begin() + 1, options.arguments.end()},
                installation.headers};
  std::error_code unknown;
  if (!fs::is_regular_file(source.file, unknown))
    throw UsageError(source.file.string() +
                     ": there is no such file. It is the plugin's source that is built.");
  if (source.file.extension() == ".so" || source.file.extension() == ".o")
    throw UsageError(source.file.string() + " has been compiled already. Name the plugin's source.");
  if (!fs::exists(source.headers / "mcmini/plugin.hpp"))
    throw UsageError((source.headers / "mcmini/plugin.hpp").string() +
                     " is missing: this mcmini is not installed completely. Install it anew.");

  std::string name = source.file.stem().string();
  fs::path model = name + ".so";
  fs::path library = "lib" + name + ".so";
  compile(source, here(model), {"-fvisibility=hidden"});
  PluginSet plugins;
  loadPlugins(plugins, options, installation);
  plugins.loadFile(here(model));
  if (!modelsOperations(plugins)) {
    fmt::print("{}: mcmini --policy {} PROGRAM\n", model.string(), here(model));
    return ExitCode::NoBug;
  }
  compile(source, here(library),
          {"-DMCMINI_TARGET_HALF", "-fvisibility-inlines-hidden", "-Wl,--as-needed", "-Wl,-z,defs",
           "-Wl,-soname," + library.string()});
  std::size_t width = library.string().size();
  fmt::print("{:<{}}  the model:  mcmini --plugin {} PROGRAM\n", model.string(), width, here(model));
  fmt::print("{}  for programs:  cc -g PROGRAM.c -L. -l{} -Wl,-rpath,. -pthread -o PROGRAM\n",
             library.string(), name);
  return ExitCode::NoBug;
}

ExitCode newPlugin(const Options& options) {
  if (options.arguments.size() != 1) throw UsageError("which name? Usage: mcmini plugin new NAME");
  const std::string& name = options.arguments.front();
  Installation installation = Installation::ofThisExecutable();
  PluginSet plugins;
  loadPlugins(plugins, options, installation);
  requireName(name, plugins);
  std::error_code error;
  if (fs::exists(fs::symlink_status(name, error)))
    throw UsageError("there is already a '" + name + "' here; nothing was written. Choose another name.");
  if (!fs::create_directory(name, error))
    throw UsageError("the directory '" + name + "' cannot be made here (" + error.message() + ").");
  for (const auto& entry : fs::directory_iterator(installation.pluginTemplate))
    copyWithName(entry.path(), fs::path(name) / withName(entry.path().filename().string(), name), name);
  fmt::print(
      "{0}/{0}.cpp      the plugin: what its operations mean, and the functions that programs call\n"
      "{0}/{0}.h        what programs include\n"
      "{0}/{0}_demo.c   a program that uses it\n"
      "\n"
      "To build and run it:\n"
      "  cd {0}\n"
      "  mcmini plugin build {0}.cpp\n"
      "  mcmini plugin check ./{0}.so\n"
      "  cc -g {0}_demo.c -L. -l{0} -Wl,-rpath,. -pthread -o {0}_demo\n"
      "  mcmini --plugin ./{0}.so ./{0}_demo\n"
      "or, with CMake:\n"
      "  cmake -B build -DCMAKE_PREFIX_PATH={1} && cmake --build build\n"
      "  mcmini --plugin build/{0}.so build/{0}_demo\n",
      name, installation.headers.parent_path().string());
  return ExitCode::NoBug;
}

}  // namespace mcmini
