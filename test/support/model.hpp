#pragma once

#include "core/model/catalog.hpp"

namespace mcmini {

/// What the operations of a program mean, and who wakes when.
struct Model {
  Catalog catalog;
  Policies policies;
};

}  // namespace mcmini
