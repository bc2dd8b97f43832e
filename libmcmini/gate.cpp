#include "libmcmini/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmcmini/accesses.h"
#include "libmcmini/caller.h"
#include "libmcmini/debugged.h"
#include "libmcmini/fibers.h"
#include "libmcmini/real.h"
#include "libmcmini/runtime.h"
#include "libmcmini/wrappers/chance.h"
#include "libmcmini/wrappers/handlers.h"
#include "libmcmini/wrappers/process_id.h"
#include "libmcmini/wrappers/time.h"

MCMINI_WRAPS(exit)

namespace mcmini {

using wire::Ending;
using wire::Mailbox;
using wire::Op;

wire::Channel* channel;
__thread uint32_t self __attribute__((tls_model("initial-exec"))) = kUncontrolled;
__thread const char* stackTop __attribute__((tls_model("initial-exec")));
__thread Caller caller __attribute__((tls_model("initial-exec"))) = {nullptr, ""};

namespace {

bool isDebugged() {
  return channel->onOperation == wire::Channel::kDebugger;
}

void halt() {
  if (isDebugged()) stray();
  __atomic_store_n(&channel->halted, 1, __ATOMIC_RELEASE);
  channel->checker.ring();
}

[[noreturn]] void stopForGood(Ending::Kind kind, const char* text) {
  channel->ending.kind = kind;
  channel->ending.thread = self;
  strncpy(channel->ending.text, text, wire::kTextSize - 1);
  halt();
  restForGood();
}

bool hasPlan() {
  return channel->cursor < channel->planned;
}

uint32_t nextInPlan() {
  uint32_t thread = channel->steps[channel->cursor].plan.thread;
  if (thread >= wire::kMaxThreads || channel->boxes[thread].state != Mailbox::kWaiting)
    stopForGood(Ending::kDiverged, "");
  return thread;
}

void sleepUntilTurn() {
  while (!channel->bellOf(self).await(nullptr)) {
  }
}

void ringForNext() {
  if (hasPlan())
    channel->bellOf(nextInPlan()).ring();
  else
    halt();
}

void goOnWithNextFiber() {
  if (!hasPlan()) {
    halt();
    sleepUntilTurn();
  }
  if (uint32_t next = nextInPlan(); next != self) switchTo(next);
}

// Returns when it is the thread's turn.
void letOthersRun() {
  if (useFibers) return goOnWithNextFiber();
  ringForNext();
  sleepUntilTurn();
}

// Does not return to a fiber.
void passOn() {
  if (isDebugged()) letDebuggerLook();
  if (useFibers) goOnWithNextFiber();
  ringForNext();
}

int64_t take(Mailbox& box) {
  uint32_t at = channel->cursor;
  wire::Step& step = channel->steps[at];
  step.taken = box.op;
  channel->cursor = at + 1;
  channel->running = self;
  box.state = Mailbox::kRunning;
  // It does not repeat what it did before. To go on would mean to wait for ever.
  constexpr uint64_t kSlice = wire::hashName("time.slice");
  if (box.op.name == kSlice && step.plan.involuntary == 0) stopForGood(Ending::kDiverged, "");
  timePasses(box.op, step.plan.result);
  handOnSeeds(box.op, step.plan.result);
  return step.plan.result;
}

uint64_t idOf(const OpName& name) {
  wire::Names& names = channel->names;
  for (uint32_t i = 0; i < names.count; ++i)
    if (names.entries[i].id == name.id) return name.id;
  if (names.count == wire::kMaxNames) overLimit("kinds of operations in one run", wire::kMaxNames);
  strncpy(names.entries[names.count].text, name.text, wire::kNameSize - 1);
  names.entries[names.count].id = name.id;
  ++names.count;
  return name.id;
}

void fill(uint32_t thread, const Announcement& announcement) {
  Mailbox& box = channel->boxes[thread];
  box.state = Mailbox::kFilling;
  Op& op = box.op;
  op.name = idOf(announcement.name);
  op.object = announcement.object;
  memcpy(op.args, announcement.args, sizeof op.args);
  bool within = thread == self && caller.site != nullptr && announcement.signalContext == nullptr;
  op.site = asObject(within ? caller.site : announcement.site);
  const OpName& call = within ? caller.call : announcement.call;
  op.call = *call.text == 0 ? 0 : idOf(call);
  op.flags = announcement.doesNotWait ? Op::kDoesNotWait : 0;
  op.initial = announcement.initial;
  op.epoch = announcement.epoch;
  op.thread = thread;
  box.state = Mailbox::kWaiting;
}

__attribute__((noinline)) void watch(const void* signalContext) {
  if (isDebugged())
    letDebuggerLook();
  else
    snapshot(signalContext);
}

bool letsTimePass(const OpName& name) {
  static constexpr OpName kSleep = "time.sleep", kYield = "time.yield", kSlice = "time.slice";
  return name.id == kSleep.id || name.id == kYield.id || name.id == kSlice.id;
}

// Where a thread is interrupted, it does so when it goes on.
__attribute__((noinline)) void handleSignals(const Announcement& announcement) {
  if (announcement.goesOn || announcement.signalContext != nullptr) return;
  deliverSignals(letsTimePass(announcement.name) ? From::Anywhere : From::Threads);
}

bool mayHaveToQueue(const Announcement& announcement) {
  return announcement.takes && channel->settings.queues != 0;
}

}  // namespace

bool controlled() {
  return channel != nullptr && self != kUncontrolled;
}

bool controlled(const volatile void* object) {
  return controlled() && (caller.site != nullptr || !isOfRuntime(object));
}

int64_t announce(const Announcement& announcement) {
  if (channel->signals.handled != 0) handleSignals(announcement);
  fill(self, announcement);
  Mailbox& box = channel->boxes[self];
  if (channel->onOperation != 0) watch(announcement.signalContext);
  bool asks = !announcement.doesNotWait || channel->runAhead == 0 || mayHaveToQueue(announcement) ||
              channel->signals.handled != 0;  // what the wrapper has looked at may have changed since
  if (!hasPlan() && !asks) {
    --channel->runAhead;
    channel->steps[channel->cursor].plan = {self, 0, 0, announcement.result};
    ++channel->planned;
  } else if (!hasPlan() || channel->steps[channel->cursor].plan.thread != self) {
    letOthersRun();
  }
  return take(box);
}

void announceFor(uint32_t thread, const Announcement& announcement) {
  if (channel->highest < thread) channel->highest = thread;
  fill(thread, announcement);
}

void withdraw(uint32_t thread) {
  channel->boxes[thread].state = Mailbox::kAbsent;
  while (channel->highest > 0 && channel->boxes[channel->highest].state == Mailbox::kAbsent)
    --channel->highest;
}

void takeFirstTurn() {
  if (!useFibers) sleepUntilTurn();
  take(channel->boxes[self]);
  beginReceiving();
}

void leave() {
  endReceiving();
  channel->boxes[self].state = Mailbox::kEnded;
  if (useFibers && !endFiber()) {  // the last one ends the process, as the C library would have it
    halt();
    self = kUncontrolled;
    real::exit(0);
  }
  passOn();
  self = kUncontrolled;
}

void stopIfLast() {
  if (!controlled() || channel->cursor == 0) return;
  const wire::Planned& before = channel->steps[channel->cursor - 1].plan;
  if (before.thread != self || before.last == 0) return;
  channel->boxes[self].state = Mailbox::kStopped;
  leaveSignalStack();
  passOn();
  restForGood();
}

void disagree(const char* call, int result) {
  char text[128];
  snprintf(text, sizeof text, "%s returned %d", call, result);
  stopForGood(Ending::kDisagrees, text);
}

void overLimit(const char* what, uint32_t most) {
  char text[128];
  snprintf(text, sizeof text, "%s than mcmini can take (%u)", what, most);
  stopForGood(Ending::kLimit, text);
}

void disconnect() {
  if (channel != nullptr && channel->pid != 0) leaveRun(channel->pid);
  channel = nullptr;
  self = kUncontrolled;
  endRecording();
}

}  // namespace mcmini
