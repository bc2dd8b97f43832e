#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace mcmini {

/// What of a value breaks a JSON Schema, each with the path to it. Knows the part of draft 07 that our
/// schemas use, and throws std::runtime_error for any other keyword, so that nothing goes unchecked.
std::vector<std::string> violations(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace mcmini
