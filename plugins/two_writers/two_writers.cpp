#include "two_writers.h"

#include <mcmini/plugin.hpp>

#include <set>

namespace {

using namespace mcmini;

constexpr NameId kRead = nameId("two_writers.read");
constexpr NameId kLeave = nameId("two_writers.leave");

struct TwoWriters : Object<TwoWriters> {
  static constexpr std::string_view kKind = "two_writers";
  std::set<ThreadId> readers;
  std::optional<ThreadId> writer;

  bool operator==(const TwoWriters&) const = default;
  std::vector<ThreadId> holders() const override {
    std::vector<ThreadId> all(readers.begin(), readers.end());
    if (writer) all.push_back(*writer);
    return all;
  }
  std::string describe(const Names& names) const override {
    if (writer) return "written by " + names.thread(*writer);
    return readers.empty() ? "free" : "read by " + std::to_string(readers.size());
  }
};

struct Read : OperationOn<TwoWriters> {
  using OperationOn::OperationOn;
  bool ready(const TwoWriters& lock) const override { return !lock.writer; }
  Result act(TwoWriters& lock) const override {
    lock.readers.insert(thread());
    return 0;
  }
  // Whether it depends on a leave, the leave knows.
  bool dependentWith(const Transition& other) const override {
    return other.op() != kRead && other.op() != kLeave;
  }
};

struct Write : OperationOn<TwoWriters> {
  using OperationOn::OperationOn;
  bool ready(const TwoWriters& lock) const override { return !lock.writer && lock.readers.empty(); }
  Result act(TwoWriters& lock) const override {
    lock.writer = thread();
    return 0;
  }
};

struct Leave : OperationOn<TwoWriters> {
  Leave(const VisibleOp& op, const ModelState& state)
      : OperationOn(op), reads_(in(state).readers.contains(thread())) {}
  Result act(TwoWriters& lock) const override {
    if (lock.readers.erase(thread()) == 0) lock.writer.reset();
    return 0;
  }
  std::string mistake(const TwoWriters& lock) const override {
    return reads_ || lock.writer == thread() ? "" : "which it has not entered";
  }
  // Readers come and go as they like.
  bool dependentWith(const Transition& other) const override {
    return !reads_ || (other.op() != kRead && other.op() != kLeave);
  }

 private:
  bool reads_;  // others cannot change that
};

}  // namespace

MCMINI_PLUGIN("two_writers", catalog) {
  catalog.add<Read>("two_writers.read");
  catalog.add<Write>("two_writers.write_first");
  catalog.add<Write>("two_writers.write_second");
  catalog.add<Leave>("two_writers.leave");
}

void two_writers_read(two_writers_t* lock) {
  mcmini::announce("two_writers.read", lock);
}
void two_writers_write_first(two_writers_t* lock) {
  mcmini::announce("two_writers.write_first", lock);
}
void two_writers_write_second(two_writers_t* lock) {
  mcmini::announce("two_writers.write_second", lock);
}
void two_writers_leave(two_writers_t* lock) {
  mcmini::announce("two_writers.leave", lock);
}
