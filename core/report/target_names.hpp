#pragma once

#include <map>
#include <vector>

#include "core/model/model_state.hpp"
#include "core/report/symbolizer.hpp"

namespace mcmini {

/// Names for the threads and objects of one run, taken from the program's debug information.
class TargetNames : public Names {
 public:
  /// `given`: names that the program has given to threads itself.
  TargetNames(const Symbolizer& symbolizer, const ModelState& state,
              const std::map<ThreadId, std::string>& given = {});

  std::string thread(ThreadId thread) const override;
  std::string object(ObjectId object) const override;

 private:
  const Symbolizer& symbolizer_;
  std::vector<std::string> threads_;
};

}  // namespace mcmini
