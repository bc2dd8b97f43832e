#include "libmcmini/gate.h"

#include <stdio.h>
#include <string.h>

#include "libmcmini/caller.h"
#include "libmcmini/runtime.h"
#include "libmcmini/wrappers/chance.h"
#include "libmcmini/wrappers/time.h"

namespace mcmini {

using wire::Ending;
using wire::Mailbox;
using wire::Op;

wire::Channel* channel;
__thread uint32_t self __attribute__((tls_model("initial-exec"))) = kUncontrolled;
__thread const char* stackTop __attribute__((tls_model("initial-exec")));
__thread Caller caller __attribute__((tls_model("initial-exec"))) = {nullptr, ""};

namespace {

void halt() {
  __atomic_store_n(&channel->halted, 1, __ATOMIC_RELEASE);
  channel->checker.ring();
}

[[noreturn]] void stopForGood(Ending::Kind kind, const char* text) {
  channel->ending.kind = kind;
  channel->ending.thread = self;
  strncpy(channel->ending.text, text, wire::kTextSize - 1);
  halt();
  while (true) pause();
}

void pass(uint32_t thread) {
  if (thread >= wire::kMaxThreads || channel->boxes[thread].state != Mailbox::kWaiting)
    stopForGood(Ending::kDiverged, "");
  channel->boxes[thread].bell.ring();
}

void passOn() {
  if (channel->cursor < channel->planned)
    pass(channel->steps[channel->cursor].plan.thread);
  else
    halt();
}

void sleepUntilTurn(Mailbox& box) {
  while (!box.bell.await(nullptr)) {
  }
}

int64_t take(Mailbox& box) {
  uint32_t at = channel->cursor;
  wire::Step& step = channel->steps[at];
  step.taken = box.op;
  channel->cursor = at + 1;
  channel->running = self;
  box.state = Mailbox::kRunning;
  timePasses(box.op, step.plan.result);
  handOnSeeds(box.op, step.plan.result);
  return step.plan.result;
}

void fill(uint32_t thread, const Announcement& announcement) {
  Mailbox& box = channel->boxes[thread];
  Op& op = box.op;
  strncpy(op.name, announcement.name.text, wire::kNameSize - 1);
  op.id = announcement.name.id;
  op.object = announcement.object;
  memcpy(op.args, announcement.args, sizeof op.args);
  bool within = thread == self && caller.site != nullptr;
  op.site = asObject(within ? caller.site : announcement.site);
  const OpName& call = within ? caller.call : announcement.call;
  strncpy(op.call, call.text, wire::kNameSize - 1);
  op.callId = call.id;
  op.flags = announcement.doesNotWait ? Op::kDoesNotWait : 0;
  op.thread = thread;
  box.state = Mailbox::kWaiting;
}

bool mayHaveToQueue(const Announcement& announcement) {
  return announcement.takes && channel->settings.queues != 0;
}

}  // namespace

bool controlled() {
  return channel != nullptr && self != kUncontrolled;
}

bool controlled(const volatile void* object) {
  return controlled() && !isOfRuntime(object);
}

int64_t announce(const Announcement& announcement) {
  fill(self, announcement);
  Mailbox& box = channel->boxes[self];
  if (channel->snapshots != 0) snapshot(nullptr);
  if (channel->cursor < channel->planned) {
    uint32_t next = channel->steps[channel->cursor].plan.thread;
    if (next != self) {
      pass(next);
      sleepUntilTurn(box);
    }
  } else if (announcement.doesNotWait && channel->runAhead > 0 && !mayHaveToQueue(announcement)) {
    --channel->runAhead;
    channel->steps[channel->cursor].plan = {self, 0, 0};
    ++channel->planned;
  } else {
    halt();
    sleepUntilTurn(box);
  }
  return take(box);
}

void announceFor(uint32_t thread, const Announcement& announcement) {
  if (channel->highest < thread) channel->highest = thread;
  fill(thread, announcement);
}

void takeFirstTurn() {
  Mailbox& box = channel->boxes[self];
  sleepUntilTurn(box);
  take(box);
}

void leave() {
  channel->boxes[self].state = Mailbox::kEnded;
  passOn();
  self = kUncontrolled;
}

void stopIfLast() {
  if (!controlled() || channel->cursor == 0) return;
  const wire::Planned& before = channel->steps[channel->cursor - 1].plan;
  if (before.thread != self || before.last == 0) return;
  channel->boxes[self].state = Mailbox::kStopped;
  passOn();
  while (true) pause();
}

void disagree(const char* call, int result) {
  char text[128];
  snprintf(text, sizeof text, "%s returned %d", call, result);
  stopForGood(Ending::kDisagrees, text);
}

void overLimit(const char* what) {
  stopForGood(Ending::kLimit, what);
}

void disconnect() {
  channel = nullptr;
  self = kUncontrolled;
}

}  // namespace mcmini
