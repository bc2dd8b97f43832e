#include "test/support/json_schema.hpp"

#include <algorithm>
#include <stdexcept>

namespace mcmini {

namespace {

using nlohmann::json;

bool isOfType(const json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == value.type_name();
}

class Validator {
 public:
  explicit Validator(const json& root) : root_(root) {}

  void validate(const json& schema, const json& value, const std::string& path) {
    for (const auto& [keyword, wanted] : schema.items()) check(keyword, wanted, {schema, value, path});
  }

  std::vector<std::string> found;

 private:
  struct Place {
    const json& schema;
    const json& value;
    const std::string& path;
  };

  void require(bool holds, const Place& at, const std::string& what) {
    if (!holds) found.push_back(at.path + ": " + what + ", not " + at.value.dump());
  }

  void check(const std::string& keyword, const json& wanted, const Place& at) {
    if (keyword == "type")
      checkType(wanted, at);
    else if (keyword == "const")
      require(at.value == wanted, at, wanted.dump());
    else if (keyword == "enum")
      require(std::ranges::count(wanted, at.value) > 0, at, "one of " + wanted.dump());
    else if (keyword == "minimum")
      require(!at.value.is_number() || at.value >= wanted, at, "at least " + wanted.dump());
    else if (keyword == "maximum")
      require(!at.value.is_number() || at.value <= wanted, at, "at most " + wanted.dump());
    else if (keyword == "minItems")
      require(!at.value.is_array() || at.value.size() >= wanted.get<std::size_t>(), at, "more items");
    else if (keyword == "$ref")
      validate(root_.at(json::json_pointer(wanted.get<std::string>().substr(1))), at.value, at.path);
    else
      checkMembers(keyword, wanted, at);
  }

  void checkType(const json& wanted, const Place& at) {
    bool right = wanted.is_array()
                     ? std::ranges::any_of(wanted, [&](const json& one) { return isOfType(at.value, one); })
                     : isOfType(at.value, wanted);
    require(right, at, wanted.dump());
  }

  void checkMembers(const std::string& keyword, const json& wanted, const Place& at) {
    if (keyword == "required") {
      for (const json& name : wanted)
        require(!at.value.is_object() || at.value.contains(name), at, "with " + name.dump());
    } else if (keyword == "properties") {
      for (const auto& [name, schema] : wanted.items())
        if (at.value.is_object() && at.value.contains(name))
          validate(schema, at.value[name], at.path + "/" + name);
    } else if (keyword == "additionalProperties" && wanted == false) {
      if (!at.value.is_object()) return;
      for (const auto& [name, ignored] : at.value.items())
        require(at.schema.at("properties").contains(name), at, "without " + name);
    } else if (keyword == "items") {
      for (std::size_t i = 0; at.value.is_array() && i < at.value.size(); ++i)
        validate(wanted, at.value[i], at.path + "/" + std::to_string(i));
    } else if (!isAnnotation(keyword)) {
      throw std::runtime_error("the keyword '" + keyword + "' is not known");
    }
  }

  static bool isAnnotation(const std::string& keyword) {
    return keyword == "$schema" || keyword == "title" || keyword == "description" || keyword == "definitions";
  }

  const json& root_;
};

}  // namespace

std::vector<std::string> violations(const json& schema, const json& value) {
  Validator validator(schema);
  validator.validate(schema, value, "");
  return validator.found;
}

}  // namespace mcmini
