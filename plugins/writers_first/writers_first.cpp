#include "writers_first.h"

#include <mcmini/plugin.hpp>

#include <set>

namespace {

using namespace mcmini;

constexpr NameId kRead = nameId("writers_first.read");
constexpr NameId kJoin = nameId("writers_first.join");
constexpr NameId kLeave = nameId("writers_first.leave");

struct Lock : Object<Lock> {
  static constexpr std::string_view kKind = "writers_first";
  std::set<ThreadId> readers;
  std::set<ThreadId> waiting;  ///< To write.
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

struct Read : OperationOn<Lock> {
  using OperationOn::OperationOn;
  bool ready(const Lock& lock) const override { return !lock.writer && lock.waiting.empty(); }
  Result act(Lock& lock) const override {
    lock.readers.insert(thread());
    return 0;
  }
  bool dependentWith(const Transition& other) const override { return other.op() != kRead; }
};

/// A writer says that it wants to write. That matters to those who begin to read, and to nobody else.
struct Join : OperationOn<Lock> {
  using OperationOn::OperationOn;
  Result act(Lock& lock) const override {
    lock.waiting.insert(thread());
    return 0;
  }
  bool dependentWith(const Transition& other) const override { return other.op() == kRead; }
};

struct Write : OperationOn<Lock> {
  using OperationOn::OperationOn;
  bool ready(const Lock& lock) const override { return !lock.writer && lock.readers.empty(); }
  Result act(Lock& lock) const override {
    lock.waiting.erase(thread());
    lock.writer = thread();
    return 0;
  }
  bool dependentWith(const Transition& other) const override { return other.op() != kJoin; }
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

MCMINI_PLUGIN("writers_first", catalog) {
  catalog.add<Read>("writers_first.read");
  catalog.add<Join>("writers_first.join");
  catalog.add<Write>("writers_first.write");
  catalog.add<Leave>("writers_first.leave");
}

void writers_first_read(writers_first_t* lock) {
  mcmini::announce("writers_first.read", lock);
}
void writers_first_write(writers_first_t* lock) {
  mcmini::announce("writers_first.join", lock);
  mcmini::announce("writers_first.write", lock);
}
void writers_first_leave(writers_first_t* lock) {
  mcmini::announce("writers_first.leave", lock);
}
