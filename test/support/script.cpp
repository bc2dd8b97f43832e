#include "test/support/script.hpp"

namespace mcmini {

namespace {

using Kind = Instruction::Kind;

constexpr std::uint64_t kSitesPerThread = 1000;

Instruction ownOperation(std::string_view name) {
  Instruction instruction;
  instruction.name = name;
  instruction.ahead = Instruction::Ahead::Always;
  return instruction;
}

const Instruction kStarts = ownOperation("thread.start");
const Instruction kEnds = ownOperation("thread.exit");

Instruction skip(Kind kind, std::size_t count) {
  Instruction instruction;
  instruction.kind = kind;
  instruction.skip = count;
  return instruction;
}

/// `condition` skips `then`; what comes after it is skipped when it is not.
Script branch(Instruction condition, const Script& then, const Script& otherwise) {
  bool plain = otherwise.code().empty();
  condition.skip = then.code().size() + (plain ? 0 : 1);
  Script script{Script(condition), then};
  if (!plain) script += {Script(skip(Kind::Skip, otherwise.code().size())), otherwise};
  return script;
}

Script trouble(Kind kind, std::string text) {
  Instruction instruction;
  instruction.kind = kind;
  instruction.text = std::move(text);
  return instruction;
}

std::string objectText(std::uint64_t object) {
  bool letter = object >= 'a' && object <= 'z';
  return letter ? std::string(1, static_cast<char>(object)) : std::to_string(object);
}

std::string furtherText(const Instruction& instruction) {
  if (instruction.further == std::array<std::uint64_t, 2>{}) return "";
  return ", " + std::to_string(instruction.further[0]) + ", " + std::to_string(instruction.further[1]);
}

std::string textOf(const Instruction& instruction) {
  switch (instruction.kind) {
    case Kind::Operation:
      return std::string(instruction.name) + "(" + objectText(instruction.object) + ", " +
             std::to_string(instruction.argument) + (instruction.addsLast ? " + last" : "") +
             furtherText(instruction) + ")";
    case Kind::Skip:
      return "skip " + std::to_string(instruction.skip);
    case Kind::SkipUnlessResult:
      return "unless " + std::to_string(instruction.result) + " skip " + std::to_string(instruction.skip);
    case Kind::SkipUnlessLaunch:
      return "before launch " + std::to_string(instruction.launch) + " or after " +
             std::to_string(instruction.lastLaunch) + " skip " + std::to_string(instruction.skip);
    case Kind::SkipUnlessValue:
      return "unless " + objectText(instruction.object) + " is " + std::to_string(instruction.result) +
             " skip " + std::to_string(instruction.skip);
    case Kind::Store:
      return objectText(instruction.object) + " = " + std::to_string(instruction.result);
    case Kind::Return:
      return "return";
    case Kind::Crash:
      return "crash";
    case Kind::Fail:
      return "fail " + instruction.text;
    case Kind::Hang:
      return "hang";
  }
  return "";
}

}  // namespace

Script when(Result result, const Script& then, const Script& otherwise) {
  Instruction condition = skip(Kind::SkipUnlessResult, 0);
  condition.result = result;
  return branch(condition, then, otherwise);
}

Script unless(Result result, const Script& then) {
  Instruction condition = skip(Kind::SkipUnlessResult, 1);
  condition.result = result;
  return {Script(condition), Script(skip(Kind::Skip, then.code().size())), then};
}

Script inLaunches(std::uint64_t first, std::uint64_t last, const Script& then, const Script& otherwise) {
  Instruction condition = skip(Kind::SkipUnlessLaunch, 0);
  condition.launch = first;
  condition.lastLaunch = last;
  return branch(condition, then, otherwise);
}

Script store(std::uint64_t variable, Result value) {
  Instruction instruction;
  instruction.kind = Kind::Store;
  instruction.object = variable;
  instruction.result = value;
  return instruction;
}

Script whenHolds(std::uint64_t variable, Result value, const Script& then, const Script& otherwise) {
  Instruction condition = skip(Kind::SkipUnlessValue, 0);
  condition.object = variable;
  condition.result = value;
  return branch(condition, then, otherwise);
}

Script leave() {
  Instruction instruction;
  instruction.kind = Kind::Return;
  return instruction;
}

Script crash() {
  return trouble(Kind::Crash, "");
}
Script fail(std::string text) {
  return trouble(Kind::Fail, std::move(text));
}
Script hang() {
  return trouble(Kind::Hang, "");
}

std::string Program::text() const {
  std::string text;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    text += "  " + std::to_string(i) + ":";
    for (const Instruction& instruction : threads[i].code()) text += " " + textOf(instruction) + ";";
    text += "\n";
  }
  return text;
}

ScriptedThread::ScriptedThread(const Program& program, std::size_t place, ThreadId id, std::uint64_t launch,
                               Memory& memory)
    : code_(&program.threads.at(place).code()),
      place_(place),
      launch_(launch),
      phase_(id == kMainThread ? Phase::Running : Phase::Starting) {
  pending_.thread = id;
  settle(memory);
}

const Instruction& ScriptedThread::instruction() const {
  return phase_ == Phase::Starting ? kStarts : phase_ == Phase::Exiting ? kEnds : (*code_)[at_];
}

void ScriptedThread::take(Result result, Memory& memory) {
  switch (phase_) {
    case Phase::Starting:
      phase_ = Phase::Running;
      break;
    case Phase::Running:
      last_ = result;
      if ((*code_)[at_].creates) children_.push_back(static_cast<std::uint64_t>(result));
      ++at_;
      break;
    case Phase::Exiting:
    case Phase::Ended:
      phase_ = Phase::Ended;
      break;
  }
  settle(memory);
}

void ScriptedThread::settle(Memory& memory) {
  if (phase_ == Phase::Starting) announce(kStarts, index(pending_.thread));
  if (phase_ != Phase::Running) return;
  while (at_ < code_->size() && (*code_)[at_].kind != Kind::Operation) {
    const Instruction& here = (*code_)[at_];
    if (here.kind == Kind::Crash || here.kind == Kind::Fail || here.kind == Kind::Hang) {
      trouble_ = &here;
      return;
    }
    at_ += step(here, memory);
  }
  if (at_ < code_->size()) {
    const Instruction& here = (*code_)[at_];
    announce(here, here.ofChild ? children_.at(here.object) : here.object);
  } else {
    phase_ = Phase::Exiting;
    announce(kEnds, index(pending_.thread));
  }
}

/// How far an instruction that is no operation leads.
std::size_t ScriptedThread::step(const Instruction& instruction, Memory& memory) const {
  if (instruction.kind == Kind::Return) return code_->size() - at_;
  if (instruction.kind == Kind::Store) {
    memory.values[instruction.object] = instruction.result;
    memory.uses.push_back({instruction.object, true, site()});
    return 1;
  }
  return 1 + (skips(instruction, memory) ? instruction.skip : 0);
}

bool ScriptedThread::skips(const Instruction& instruction, Memory& memory) const {
  if (instruction.kind == Kind::SkipUnlessValue) {
    memory.uses.push_back({instruction.object, false, site()});
    return memory.values[instruction.object] != instruction.result;
  }
  if (instruction.kind == Kind::SkipUnlessResult) return last_ != instruction.result;
  if (instruction.kind == Kind::SkipUnlessLaunch)
    return launch_ < instruction.launch || launch_ > instruction.lastLaunch;
  return true;
}

void ScriptedThread::announce(const Instruction& instruction, std::uint64_t object) {
  pending_.name = instruction.name;
  pending_.op = nameId(instruction.name);
  pending_.object = object;
  pending_.args[0] = instruction.argument + (instruction.addsLast ? static_cast<std::uint64_t>(last_) : 0);
  pending_.args[1] = instruction.further[0];
  pending_.args[2] = instruction.further[1];
  pending_.site = site() - instruction.callBegan;
}

CodeAddress ScriptedThread::site() const {
  return place_ * kSitesPerThread + at_ + 1;
}

}  // namespace mcmini
