#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/search/explorer.hpp"
#include "test/support/model.hpp"
#include "test/support/script.hpp"
#include "test/support/trace.hpp"

namespace mcmini {

enum class Search : std::uint8_t { Optimal, Dpor, Naive };

/// What an exploration of a scripted program came across.
struct Exploration {
  Summary summary;
  std::vector<Trace> traces;  ///< Of each run that was not given up.
  std::vector<Ending> endings;
  std::vector<double> done;  ///< How far the search said that it was, after each run and at the end.
  std::vector<Finding> findings;
  std::set<Trace> deadlocks;
  std::vector<ThreadId> left;  ///< Threads that still waited when the process ended.
  std::uint64_t launches = 0;
  std::uint64_t tookAhead = 0;

  std::set<Trace> distinct() const { return {traces.begin(), traces.end()}; }
  std::size_t redundant() const { return traces.size() - distinct().size(); }
  /// As bugName says; without deadlocks.
  std::set<std::string> bugs() const;
  std::set<std::string> deadlockKeys() const;
  std::size_t count(Finding::Kind kind) const;
};

struct Exploring {
  Search search = Search::Optimal;
  Limits limits{};
  bool runsAhead = true;
  const Model* model = nullptr;  ///< Null: testModel(). Its policies go before those of the limits.
};

/// Explores a program; throws what the explorer throws.
Exploration explore(const Program& program, Labels& labels, const Exploring& how = {});
Exploration explore(const Program& program, const Exploring& how = {});

}  // namespace mcmini
