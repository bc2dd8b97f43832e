#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/model/model_state.hpp"
#include "core/report/symbolizer.hpp"
#include "core/search/target.hpp"

namespace mcmini {

/// Names for the threads and objects of one run, taken from the program's debug information.
class TargetNames : public Names {
 public:
  /// `rehearsal`: tells how the program calls its threads, where it allocated its objects, and what lies in
  /// stacks.
  TargetNames(const Symbolizer& symbolizer, const ModelState& state, const Rehearsal& rehearsal = {});

  std::string thread(ThreadId thread) const override;
  std::string object(ObjectId object) const override;

 private:
  void nameLocals(const std::map<std::uint64_t, Local>& locals, const ModelState& state);
  const Symbolizer& symbolizer_;
  std::vector<std::string> threads_;
  std::map<std::uint64_t, std::string> allocated_;  // "heap(list.c:30)", by address
  std::map<std::uint64_t, std::string> locals_;     // "alice.lock", the same
};

}  // namespace mcmini
