#include "core/app/errors.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "core/plugin/plugin_guard.hpp"
#include "core/plugin/plugin_set.hpp"
#include "core/search/target.hpp"
#include "core/target/target_error.hpp"

namespace mcmini {

namespace {

Failure fault(const std::string& what) {
  std::string plugin = PluginGuard::thrower();
  return {ExitCode::OwnBug, plugin.empty() ? "this is a bug of mcmini: " + what
                                           : faultOf(plugin, "threw an exception: " + what)};
}

}  // namespace

std::string faultOf(const std::string& plugin, const std::string& what) {
  return fmt::format("the plugin {0} {1}. The fault is the plugin's; mcmini plugin check {0} may tell more.",
                     plugin, what);
}

Failure failureOf(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const UsageError& error) {
    return {ExitCode::Usage, error.what()};
  } catch (const PluginError& error) {
    return {ExitCode::Usage, error.what()};
  } catch (const PluginFault& error) {
    return {ExitCode::OwnBug, error.what()};
  } catch (const TargetError& error) {
    return {ExitCode::CannotCheck, error.what()};
  } catch (const Interrupted&) {
    return {ExitCode::Interrupted, "interrupted before the first run."};
  } catch (const std::exception& error) {
    return fault(error.what());
  } catch (...) {
    return fault("something that is no std::exception");
  }
}

int reportingErrors(const std::function<int()>& body) {
  try {
    return body();
  } catch (...) {
    Failure failure = failureOf(std::current_exception());
    std::fflush(stdout);
    fmt::print(stderr, "mcmini: {}\n", failure.words);
    return static_cast<int>(failure.code);
  }
}

}  // namespace mcmini
