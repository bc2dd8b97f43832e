#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "core/app/check.hpp"
#include "core/app/gdb.hpp"
#include "core/app/plugin_check.hpp"
#include "core/app/plugin_kit.hpp"
#include "core/app/plugins.hpp"
#include "core/app/replay.hpp"
#include "core/app/report_stream.hpp"
#include "core/plugin/plugin_guard.hpp"

namespace {

using namespace mcmini;

int run(int argc, char** argv) {
  std::string answer;
  std::optional<Options> options = parseOptions(argc, argv, answer);
  if (!options) {
    fmt::print("{}", answer);
    return 0;
  }
  spdlog::set_default_logger(spdlog::stderr_logger_st("mcmini"));
  spdlog::set_pattern("mcmini: %v");
  spdlog::set_level(options->verbose ? spdlog::level::info : spdlog::level::warn);
  PluginGuard::watch(static_cast<int>(ExitCode::OwnBug));
  switch (options->command) {
    case Options::Command::Doctor:
      return static_cast<int>(doctor(*options));
    case Options::Command::PluginList:
      return static_cast<int>(listPlugins(*options));
    case Options::Command::PluginBuild:
      return static_cast<int>(buildPlugin(*options));
    case Options::Command::PluginNew:
      return static_cast<int>(newPlugin(*options));
    case Options::Command::Replay:
      return static_cast<int>(replay(*options));
    case Options::Command::Gdb:
      return static_cast<int>(debug(*options));
    case Options::Command::PluginCheck:
      return static_cast<int>(checkPlugin(*options));
    case Options::Command::Check:
      break;
  }
  return static_cast<int>(check(*options));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == kStartUnderGdb)
    return reportingErrors([&] { return startUnderGdb(argc, argv); });
  takeClosedDescriptors();
  ReportStream report;
  int code = reportingErrors([&] { return run(argc, argv); });
  report.finish();
  return code;
}
