#include "core/app/errors.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "core/plugin/plugin_guard.hpp"
#include "core/plugin/plugin_set.hpp"
#include "core/search/target.hpp"
#include "core/target/target_error.hpp"

namespace mcmini {

namespace {

int complain(ExitCode code, const std::string& words) {
  std::fflush(stdout);
  fmt::print(stderr, "mcmini: {}\n", words);
  return static_cast<int>(code);
}

int complainOfFault(const std::string& what) {
  std::string plugin = PluginGuard::thrower();
  return complain(ExitCode::OwnBug, plugin.empty() ? "this is a bug of mcmini: " + what
                                                   : faultOf(plugin, "threw an exception: " + what));
}

}  // namespace

std::string faultOf(const std::string& plugin, const std::string& what) {
  return fmt::format("the plugin {0} {1}. The fault is the plugin's; mcmini plugin check {0} may tell more.",
                     plugin, what);
}

int reportingErrors(const std::function<int()>& body) {
  try {
    return body();
  } catch (const UsageError& error) {
    return complain(ExitCode::Usage, error.what());
  } catch (const PluginError& error) {
    return complain(ExitCode::Usage, error.what());
  } catch (const PluginFault& error) {
    return complain(ExitCode::OwnBug, error.what());
  } catch (const TargetError& error) {
    return complain(ExitCode::CannotCheck, error.what());
  } catch (const Interrupted&) {
    return complain(ExitCode::Interrupted, "interrupted before the first run.");
  } catch (const std::exception& error) {
    return complainOfFault(error.what());
  } catch (...) {
    return complainOfFault("something that is no std::exception");
  }
}

}  // namespace mcmini
