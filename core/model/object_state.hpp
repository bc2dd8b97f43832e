#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/model/ids.hpp"
#include "core/model/names.hpp"

namespace mcmini {

/// What the model knows about one object of the target. Derive from Object<Self>, which writes the first
/// three for you.
class ObjectState {
 public:
  virtual ~ObjectState() = default;
  virtual NameId kind() const = 0;
  virtual std::unique_ptr<ObjectState> clone() const = 0;
  virtual bool equals(const ObjectState& other) const = 0;

  /// The threads that have the object now, so that nobody else can: the owner of a lock, say.
  virtual std::vector<ThreadId> holders() const { return {}; }

  /// May a thread end while it holds the object? If so, holderEnded() says what becomes of it then.
  virtual bool mayOutliveHolder() const { return false; }
  virtual void holderEnded() {}

  /// Was it set up by a call that another call was to undo, which has not come? Asked at the end of a run.
  virtual bool leftBehind() const { return false; }

  /// The state in a few words, for a report: "held by worker#1".
  virtual std::string describe(const Names& names) const = 0;
};

/// Base of an object state that can be copied and compared:
///
///     struct Gate : Object<Gate> {
///       static constexpr std::string_view kKind = "gate";
///       bool open = false;
///       bool operator==(const Gate&) const = default;
///       std::string describe(const Names&) const override { return open ? "open" : "shut"; }
///     };
///
/// A default-constructed Self is the state of an object that no operation has touched yet.
template <class Self>
class Object : public ObjectState {
 public:
  NameId kind() const final { return nameId(Self::kKind); }
  std::unique_ptr<ObjectState> clone() const final {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
  bool equals(const ObjectState& other) const final {
    return other.kind() == kind() && static_cast<const Self&>(*this) == static_cast<const Self&>(other);
  }
  friend bool operator==(const Object&, const Object&) { return true; }
};

}  // namespace mcmini
