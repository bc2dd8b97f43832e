#pragma once

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

  /// An operation that two plugins define.
  struct Clash {
    std::string operation;
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
  std::vector<Clash> clashes_;
  std::string plugin_;
};

}  // namespace mcmini
