#pragma once

#include <string>

#include "core/model/ids.hpp"

namespace mcmini {

/// The user's words for things: `fork[2]`, `worker#1`. Handed to whatever describes itself in a report.
class Names {
 public:
  virtual ~Names() = default;
  virtual std::string thread(ThreadId thread) const = 0;
  virtual std::string object(ObjectId object) const = 0;
};

}  // namespace mcmini
