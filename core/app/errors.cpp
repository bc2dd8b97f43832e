#include "core/app/errors.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <new>

#include "core/plugin/plugin_guard.hpp"
#include "core/plugin/plugin_set.hpp"
#include "core/report/saved_bug.hpp"
#include "core/search/target.hpp"
#include "core/target/target_error.hpp"

namespace mcmini {

namespace {

Failure fault(const std::string& what) {
  std::string plugin = PluginGuard::thrower();
  return {ExitCode::OwnBug, plugin.empty() ? "this is a bug of mcmini: " + what
                                           : faultOf(plugin, "threw an exception: " + what)};
}

/// A file or directory that mcmini needs: its name is too long, or it is gone.
std::string notUsable(const std::filesystem::filesystem_error& error) {
  std::string name = error.path1().empty() ? "the current directory" : error.path1().string();
  return name + " cannot be used: " + error.code().message() + ".";
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
  } catch (const SavedBugError& error) {
    return {ExitCode::Usage, error.what()};
  } catch (const PluginFault& error) {
    return {ExitCode::OwnBug, error.what()};
  } catch (const TargetError& error) {
    return {ExitCode::CannotCheck, error.what()};
  } catch (const Interrupted&) {
    return {ExitCode::Interrupted, "interrupted before the first run."};
  } catch (const std::filesystem::filesystem_error& error) {
    if (!PluginGuard::thrower().empty()) return fault(error.what());
    return {ExitCode::CannotCheck, notUsable(error)};
  } catch (const std::bad_alloc& error) {
    if (!PluginGuard::thrower().empty()) return fault(error.what());
    return {ExitCode::CannotCheck, cannot("go on", ENOMEM)};
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
    std::fputs(("mcmini: " + failure.words + "\n").c_str(), stderr);  // which may be full, too
    return static_cast<int>(failure.code);
  }
}

}  // namespace mcmini
