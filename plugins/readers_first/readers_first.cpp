#include "readers_first.h"

#include <mcmini/plugin.hpp>

#include <set>

namespace {

using namespace mcmini;

constexpr NameId kRead = nameId("readers_first.read");
constexpr NameId kJoin = nameId("readers_first.join");
constexpr NameId kWrite = nameId("readers_first.write");
constexpr NameId kLeave = nameId("readers_first.leave");

struct Lock : Object<Lock> {
  static constexpr std::string_view kKind = "readers_first";
  std::set<ThreadId> readers;
  std::set<ThreadId> waiting;  ///< To read.
  std::optional<ThreadId> writer;

  bool operator==(const Lock&) const = default;
  std::vector<ThreadId> holders() const override {
    return writer ? std::vector{*writer} : std::vector(readers.begin(), readers.end());
  }
  std::string describe(const Names& names) const override {
    if (writer) return "written by " + names.thread(*writer);
    return readers.empty() ? "free" : "read by " + std::to_string(readers.size());
  }
};

/// A reader says that it wants to read. That matters to those who begin to write, and to nobody else.
struct Join : OperationOn<Lock> {
  using OperationOn::OperationOn;
  Result act(Lock& lock) const override {
    lock.waiting.insert(thread());
    return 0;
  }
  bool dependentWith(const Transition& other) const override { return other.op() == kWrite; }
};

struct Read : OperationOn<Lock> {
  using OperationOn::OperationOn;
  bool ready(const Lock& lock) const override { return !lock.writer; }
  Result act(Lock& lock) const override {
    lock.waiting.erase(thread());
    lock.readers.insert(thread());
    return 0;
  }
  bool dependentWith(const Transition& other) const override {
    return other.op() != kRead && other.op() != kJoin;
  }
};

struct Write : OperationOn<Lock> {
  using OperationOn::OperationOn;
  bool ready(const Lock& lock) const override {
    return !lock.writer && lock.readers.empty() && lock.waiting.empty();
  }
  Result act(Lock& lock) const override {
    lock.writer = thread();
    return 0;
  }
};

struct Leave : OperationOn<Lock> {
  using OperationOn::OperationOn;
  Result act(Lock& lock) const override {
    if (lock.readers.erase(thread()) == 0) lock.writer.reset();
    return 0;
  }
  std::string mistake(const Lock& lock) const override {
    return lock.writer == thread() || lock.readers.contains(thread()) ? "" : "which it has not entered";
  }
  bool dependentWith(const Transition& other) const override {
    return other.op() != kJoin && other.op() != kLeave;
  }
};

}  // namespace

MCMINI_PLUGIN("readers_first", catalog) {
  catalog.add<Join>("readers_first.join");
  catalog.add<Read>("readers_first.read");
  catalog.add<Write>("readers_first.write");
  catalog.add<Leave>("readers_first.leave");
}

void readers_first_read(readers_first_t* lock) {
  mcmini::announce("readers_first.join", lock);
  mcmini::announce("readers_first.read", lock);
}
void readers_first_write(readers_first_t* lock) {
  mcmini::announce("readers_first.write", lock);
}
void readers_first_leave(readers_first_t* lock) {
  mcmini::announce("readers_first.leave", lock);
}
