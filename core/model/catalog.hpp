#pragma once

#include <array>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/model/transition.hpp"

namespace mcmini {

/// From the name of an operation to its transition. Filled by the plugins at start-up, const afterwards.
class Catalog {
 public:
  /// `state` is the state in which the thread announces the operation.
  using Factory = std::function<std::unique_ptr<Transition>(const VisibleOp& op, const ModelState& state)>;

  struct Operation {
    std::string name;
    std::string plugin;
    Factory make;
  };

  /// A name that two plugins define.
  struct Clash {
    std::string name;
    std::string first;
    std::string second;
  };

  /// Says which plugin the following operations belong to.
  void beginPlugin(std::string name) { plugin_ = std::move(name); }

  void add(const std::string& name, Factory make) {
    auto [at, isNew] = operations_.try_emplace(nameId(name), Operation{name, plugin_, std::move(make)});
    if (!isNew) clashes_.push_back({name, at->second.plugin, plugin_});
  }

  /// Operation `name` is a T, constructed from the announced operation, and the state if it wants it.
  template <std::derived_from<Transition> T>
  void add(const std::string& name) {
    add(name, [](const VisibleOp& op, const ModelState& state) -> std::unique_ptr<Transition> {
      if constexpr (std::constructible_from<T, const VisibleOp&, const ModelState&>)
        return std::make_unique<T>(op, state);
      else
        return std::make_unique<T>(op);
    });
  }

  struct PolicyEntry {
    std::string name;
    std::string plugin;
    std::shared_ptr<const WakeupPolicy> policy;  // shared with the states that use it
  };

  /// Policy `name` is a T.
  template <std::derived_from<WakeupPolicy> T>
  void addPolicy(const std::string& name) {
    auto [at, isNew] = policies_.try_emplace(name, PolicyEntry{name, plugin_, std::make_shared<T>()});
    if (!isNew) clashes_.push_back({name, at->second.plugin, plugin_});
  }

  /// Null if no plugin defines it.
  std::shared_ptr<const WakeupPolicy> policy(const std::string& name) const {
    auto at = policies_.find(name);
    return at == policies_.end() ? nullptr : at->second.policy;
  }
  const std::map<std::string, PolicyEntry>& policies() const { return policies_; }

  /// A call that `mcmini plugin check` has threads make.
  struct Call {
    std::string name;
    std::uint64_t object = 0;
    std::array<std::uint64_t, 3> args{};
    bool operator==(const Call&) const = default;
  };
  using Calls = std::vector<Call>;

  struct Trial {
    std::string plugin;
    Calls calls;
  };

  /// The plugin is checked with threads that make these calls in every order. Each trial begins anew. Without
  /// any, each operation is called on two objects and with small numbers.
  void addTrial(Calls calls) { trials_.push_back({plugin_, std::move(calls)}); }
  const std::vector<Trial>& trials() const { return trials_; }

  struct Sequel {
    std::string first;
    std::string second;
    Result mark = 0;
    bool onArgument = false;
  };

  /// In a trial, who has taken the first operation, with a result that has the mark, takes the second one
  /// next, with the same object and arguments. Several seconds: one of them. `onArgument`: the second is on
  /// the object that is the first argument of the first, and has no arguments.
  void addSequel(Sequel sequel) { sequels_.push_back(std::move(sequel)); }
  const std::vector<Sequel>& sequels() const { return sequels_; }

  const std::vector<Clash>& clashes() const { return clashes_; }

  /// Null if no plugin models it.
  const Operation* find(NameId op) const {
    auto at = operations_.find(op);
    return at == operations_.end() ? nullptr : &at->second;
  }

  /// Calls visit(const Operation&) for each operation.
  template <class Visitor>
  void forEach(Visitor visit) const {
    for (const auto& [id, operation] : operations_) visit(operation);
  }

 private:
  std::map<NameId, Operation> operations_;
  std::map<std::string, PolicyEntry> policies_;
  std::vector<Clash> clashes_;
  std::string plugin_;
  std::vector<Trial> trials_;
  std::vector<Sequel> sequels_;
};

/// Calls of these operations, on one object and with the same arguments.
inline Catalog::Calls callsOf(std::initializer_list<const char*> names, std::uint64_t object,
                              std::array<std::uint64_t, 3> args = {}) {
  Catalog::Calls calls;
  for (const char* name : names) calls.push_back({name, object, args});
  return calls;
}

}  // namespace mcmini
