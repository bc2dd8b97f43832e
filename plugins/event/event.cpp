#include "event.h"

#include <mcmini/plugin.hpp>

namespace {

using namespace mcmini;

constexpr NameId kSet = nameId("event.set");

struct Event : Object<Event> {
  static constexpr std::string_view kKind = "event";
  bool happened = false;

  bool operator==(const Event&) const = default;
  std::string describe(const Names&) const override { return happened ? "has happened" : "has not happened"; }
};

/// What only looks at the event makes no difference to others that look; nor does a second set to the first.
struct EventOperation : OperationOn<Event> {
  using OperationOn::OperationOn;
  bool dependentWith(const Transition& other) const override {
    return (op() == kSet) != (other.op() == kSet);
  }
};

struct Set : EventOperation {
  using EventOperation::EventOperation;
  Result act(Event& event) const override {
    event.happened = true;
    return 0;
  }
};

struct Wait : EventOperation {
  using EventOperation::EventOperation;
  bool ready(const Event& event) const override { return event.happened; }
  Result act(Event&) const override { return 0; }
};

struct HasHappened : EventOperation {
  using EventOperation::EventOperation;
  Result act(Event& event) const override { return event.happened ? 1 : 0; }
  bool failed(Result happened) const override { return happened == 0; }
  std::string describeResult(Result happened) const override { return happened != 0 ? "yes" : "no"; }
};

}  // namespace

MCMINI_PLUGIN("event", catalog) {
  catalog.add<Set>("event.set");
  catalog.add<Wait>("event.wait");
  catalog.add<HasHappened>("event.has_happened");
}

void event_set(event_t* event) {
  mcmini::announce("event.set", event);
}
void event_wait(event_t* event) {
  mcmini::announce("event.wait", event);
}
int event_has_happened(event_t* event) {
  return static_cast<int>(mcmini::announce("event.has_happened", event));
}
