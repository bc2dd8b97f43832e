#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/app/installation.hpp"
#include "core/app/options.hpp"
#include "core/app/suppressions.hpp"
#include "core/plugin/plugin_set.hpp"
#include "core/report/symbolizer.hpp"
#include "core/search/explorer.hpp"
#include "core/target/control.hpp"
#include "core/target/fork_target.hpp"

namespace mcmini {

/// Where the program is, and how it is to be started; throws TargetError if it cannot be.
ForkTargetOptions launchOptions(const Options& options, const Installation& installation);

/// From now on the first Ctrl-C asks for a partial report; a second one does not wait for it.
void listenForSignals();

/// A program that is ready to be run under control, as the options say: plugins are loaded, its first process
/// is started, and the user's names are at hand.
class Session {
 public:
  explicit Session(const Options& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Limits& limits() const { return limits_; }
  const Catalog& catalog() const { return plugins_.catalog(); }
  ForkTarget& target() { return *target_; }
  const Symbolizer& symbolizer() const { return *symbolizer_; }
  const Control& control() const { return control_; }
  const std::string& program() const { return program_; }
  int standardInput() const { return launch_.standardInput; }
  const ForkTargetOptions& launch() const { return launch_; }
  const Installation& installation() const { return installation_; }

  std::chrono::steady_clock::time_point begin() const { return begin_; }

  /// As long as it is there, somebody looks at the time again and again while the session's program runs.
  class Watch {
   public:
    using Look = std::function<void(std::chrono::steady_clock::time_point)>;
    Watch(Session& session, Look look) : session_(session) { session_.look_ = std::move(look); }
    ~Watch() { session_.look_ = nullptr; }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    Session& session_;
  };

  /// How long since the session began?
  std::chrono::duration<double> elapsed() const { return std::chrono::steady_clock::now() - begin_; }

  /// Lets an explorer run. What is the fault of the call or of a plugin is thrown as such; that the program
  /// does not repeat itself is for the caller to explain.
  void explore(Explorer& explorer) const;

 private:
  void start(const Options& options);
  void judgeRaces();
  void promote(const std::vector<std::string>& ranges);

  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool hasStarted_ = false;  // has the program? Until then no time is up
  Installation installation_;
  PluginSet plugins_;
  Limits limits_;
  ForkTargetOptions launch_;
  std::string program_;
  std::unique_ptr<Symbolizer> symbolizer_;
  std::unique_ptr<ForkTarget> target_;
  Control control_;
  Suppressions suppressions_;
  std::map<CodeAddress, std::string> places_;  // of accesses that are part of a race
  Watch::Look look_ = nullptr;
};

}  // namespace mcmini
