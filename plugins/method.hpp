#pragma once

// Where the code of a virtual function is, so that the line can be shown that its author wrote.

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "plugins/operation_on.hpp"

namespace mcmini {

/// The place of a virtual function in the table of its class, as g++ and clang++ lay it out (Itanium C++
/// ABI): a pointer to a virtual member function holds the offset.
template <class Function>
std::size_t slotOf(Function function) {
  std::array<std::uint64_t, 2> representation{};
  static_assert(sizeof function == sizeof representation);
  std::memcpy(representation.data(), &function, sizeof function);
  return (representation[0] & ~std::uint64_t{1}) / sizeof(void*);
}

/// A virtual function of one class. The object that it was found through may be gone, not its library.
struct Method {
  std::string owner;  ///< The operation, or the kind of object.
  std::string name;
  const std::uint64_t* table = nullptr;
  std::size_t slot = 0;

  std::uint64_t address() const { return table[slot]; }
  Method at(std::string otherName, std::size_t otherSlot) const {
    return {owner, std::move(otherName), table, otherSlot};
  }
};

template <class Object>
const std::uint64_t* tableOf(const Object& object) {
  const std::uint64_t* table = nullptr;
  std::memcpy(&table, static_cast<const void*>(&object), sizeof table);
  return table;
}

template <class Object, class Function>
Method methodOf(const Object& object, std::string owner, std::string name, Function function) {
  return {std::move(owner), std::move(name), tableOf(object), slotOf(function)};
}

/// Stands for any: the tables of OperationOn are alike.
struct AnyObject : Object<AnyObject> {
  static constexpr std::string_view kKind = "any";
  bool operator==(const AnyObject&) const = default;
  std::string describe(const Names&) const override { return ""; }
};

/// What the author of an OperationOn writes in place of the method.
inline Method behindOperationOn(const Method& method) {
  if (method.name == "enabled") return method.at("ready", slotOf(&OperationOn<AnyObject>::ready));
  if (method.name == "apply") return method.at("act", slotOf(&OperationOn<AnyObject>::act));
  if (method.name == "misuse") return method.at("mistake", slotOf(&OperationOn<AnyObject>::mistake));
  return method;
}

}  // namespace mcmini
