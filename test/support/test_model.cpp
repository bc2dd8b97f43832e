#include "test/support/test_model.hpp"

#include <cerrno>

#include "test/support/annotations.hpp"

namespace mcmini {

namespace {

constexpr NameId kLock = nameId("mutex.lock");
constexpr NameId kUnlock = nameId("mutex.unlock");
constexpr NameId kRead = nameId("variable.read");
constexpr NameId kUse = nameId("variable.use");
constexpr NameId kPost = nameId("semaphore.post");
constexpr NameId kCreate = nameId("thread.create");
constexpr NameId kStart = nameId("thread.start");
constexpr NameId kExit = nameId("thread.exit");
constexpr NameId kJoin = nameId("thread.join");

constexpr ObjectId kProcess{0};

struct Mutex : Object<Mutex> {
  static constexpr std::string_view kKind = "mutex";
  std::optional<ThreadId> owner;
  bool operator==(const Mutex&) const = default;
  std::string describe(const Names&) const override { return owner ? "taken" : "free"; }
};

struct Variable : Object<Variable> {
  static constexpr std::string_view kKind = "variable";
  Result value = 0;
  bool operator==(const Variable&) const = default;
  std::string describe(const Names&) const override { return std::to_string(value); }
};

struct Semaphore : Object<Semaphore> {
  static constexpr std::string_view kKind = "semaphore";
  std::uint32_t tokens = 0;
  bool operator==(const Semaphore&) const = default;
  std::string describe(const Names&) const override { return std::to_string(tokens); }
};

/// An operation on one object, which is always enabled unless it says otherwise.
class TestOperation : public Transition {
 public:
  explicit TestOperation(const VisibleOp& op) : TestOperation(op, objectAt(op.object)) {}
  TestOperation(const VisibleOp& op, ObjectId object) : Transition(op, {object}) {}
  bool enabled(const ModelState&) const override { return true; }
  std::string describe(const Names& names) const override {
    return std::string(visible().name) + "(" + names.object(object()) + ")";
  }

 protected:
  ObjectId object() const { return objects()[0]; }
};

class MutexOperation : public TestOperation {
 public:
  using TestOperation::TestOperation;

 protected:
  const std::optional<ThreadId>& owner(const ModelState& state) const {
    return state.get<Mutex>(object()).owner;
  }
  Result take(ModelState& state) const {
    state.edit<Mutex>(object()).owner = thread();
    return 0;
  }
};

class Lock : public MutexOperation {
 public:
  using MutexOperation::MutexOperation;
  bool enabled(const ModelState& state) const override { return !owner(state); }
  Result apply(ModelState& state) const override { return take(state); }
  bool coenabledWith(const Transition& other) const override { return other.op() != kUnlock; }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return {*owner(state)}; }
};

class Trylock : public MutexOperation {
 public:
  using MutexOperation::MutexOperation;
  Result apply(ModelState& state) const override { return owner(state) ? EBUSY : take(state); }
};

class Unlock : public MutexOperation {
 public:
  using MutexOperation::MutexOperation;
  Result apply(ModelState& state) const override {
    state.edit<Mutex>(object()).owner.reset();
    return 0;
  }
  bool coenabledWith(const Transition& other) const override {
    return other.op() != kLock && other.op() != kUnlock;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (owner(state) == thread()) return std::nullopt;
    return names.thread(thread()) + " unlocks what it has not locked";
  }
};

class Read : public TestOperation {
 public:
  using TestOperation::TestOperation;
  Result apply(ModelState& state) const override { return state.get<Variable>(object()).value; }
  bool failed(Result) const override { return false; }
  bool dependentWith(const Transition& other) const override {
    return other.op() != kRead && other.op() != kUse;
  }
};

class Write : public TestOperation {
 public:
  using TestOperation::TestOperation;
  Result apply(ModelState& state) const override {
    state.edit<Variable>(object()).value = static_cast<Result>(visible().args[0]);
    return 0;
  }
};

class Use : public Read {
 public:
  using Read::Read;
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (state.get<Variable>(object()).value != 0) return std::nullopt;
    return names.thread(thread()) + " uses what is not there";
  }
};

class SemaphoreOperation : public TestOperation {
 public:
  using TestOperation::TestOperation;

 protected:
  bool hasToken(const ModelState& state) const { return state.get<Semaphore>(object()).tokens > 0; }
  Result take(ModelState& state) const {
    --state.edit<Semaphore>(object()).tokens;
    return 0;
  }
};

class Wait : public SemaphoreOperation {
 public:
  using SemaphoreOperation::SemaphoreOperation;
  bool enabled(const ModelState& state) const override { return hasToken(state); }
  Result apply(ModelState& state) const override { return take(state); }
};

class Timedwait : public SemaphoreOperation {
 public:
  using SemaphoreOperation::SemaphoreOperation;
  Result apply(ModelState& state) const override { return hasToken(state) ? take(state) : ETIMEDOUT; }
};

class Post : public SemaphoreOperation {
 public:
  using SemaphoreOperation::SemaphoreOperation;
  Result apply(ModelState& state) const override {
    ++state.edit<Semaphore>(object()).tokens;
    return 0;
  }
  bool dependentWith(const Transition& other) const override { return other.op() != kPost; }
};

class Create : public TestOperation {
 public:
  Create(const VisibleOp& op, const ModelState& state)
      : TestOperation(op, objectOf(state.nextChildOf(op.thread))) {}
  Result apply(ModelState& state) const override { return index(state.spawn(thread(), visible().args[0])); }
  bool failed(Result) const override { return false; }
  bool coenabledWith(const Transition&) const override { return false; }
};

class ThreadOperation : public TestOperation {
 public:
  explicit ThreadOperation(const VisibleOp& op)
      : TestOperation(op, objectOf(ThreadId{static_cast<std::uint32_t>(op.object)})) {}
};

class Start : public ThreadOperation {
 public:
  using ThreadOperation::ThreadOperation;
  Result apply(ModelState&) const override { return 0; }
  bool dependentWith(const Transition& other) const override { return other.op() == kCreate; }
};

class Exit : public ThreadOperation {
 public:
  using ThreadOperation::ThreadOperation;
  Result apply(ModelState& state) const override {
    state.end(thread());
    return 0;
  }
  bool dependentWith(const Transition& other) const override {
    return other.op() == kCreate || other.op() == kJoin;
  }
  bool coenabledWith(const Transition& other) const override { return other.op() != kJoin; }
};

class Join : public ThreadOperation {
 public:
  using ThreadOperation::ThreadOperation;
  bool enabled(const ModelState& state) const override { return !state.alive(threadOf(object())); }
  Result apply(ModelState&) const override { return 0; }
  bool dependentWith(const Transition& other) const override { return other.op() != kStart; }
  bool coenabledWith(const Transition& other) const override { return other.op() != kExit; }
  std::vector<ThreadId> blockedBy(const ModelState&) const override { return {threadOf(object())}; }
};

class ExitProcess : public TestOperation {
 public:
  explicit ExitProcess(const VisibleOp& op) : TestOperation(op, kProcess) {}
  Result apply(ModelState&) const override { return 0; }
  bool endsProcess() const override { return true; }
};

using Ahead = Instruction::Ahead;

Instruction on(std::uint64_t object, std::string_view name, Ahead ahead = Ahead::Never) {
  Instruction instruction;
  instruction.name = name;
  instruction.object = object;
  instruction.ahead = ahead;
  return instruction;
}

Instruction taking(Instruction instruction) {
  instruction.takes = true;
  return instruction;
}

}  // namespace

Catalog testCatalog() {
  Catalog catalog;
  catalog.beginPlugin("test");
  catalog.add<Lock>("mutex.lock");
  catalog.add<Trylock>("mutex.trylock");
  catalog.add<Unlock>("mutex.unlock");
  catalog.add<Read>("variable.read");
  catalog.add<Write>("variable.write");
  catalog.add<Use>("variable.use");
  catalog.add<Wait>("semaphore.wait");
  catalog.add<Timedwait>("semaphore.timedwait");
  catalog.add<Post>("semaphore.post");
  catalog.add<Create>("thread.create");
  catalog.add<Start>("thread.start");
  catalog.add<Exit>("thread.exit");
  catalog.add<Join>("thread.join");
  catalog.add<ExitProcess>("process.exit");
  addAnnotations(catalog);
  return catalog;
}

const Model& testModel() {
  static const Model model{testCatalog(), {}};
  return model;
}

std::string PlainNames::thread(ThreadId thread) const {
  return std::to_string(index(thread));
}

std::string PlainNames::object(ObjectId object) const {
  if (isThread(object)) return thread(threadOf(object));
  std::uint64_t address = addressOf(object);
  bool letter = address >= 'a' && address <= 'z';
  return letter ? std::string(1, static_cast<char>(address)) : std::to_string(address);
}

Script lock(std::uint64_t mutex) {
  return taking(on(mutex, "mutex.lock", Ahead::IfFree));
}
Script trylock(std::uint64_t mutex) {
  return taking(on(mutex, "mutex.trylock", Ahead::IfFree));
}

Script unlock(std::uint64_t mutex) {
  Instruction instruction = on(mutex, "mutex.unlock", Ahead::Always);
  instruction.releases = true;
  return instruction;
}

Script read(std::uint64_t variable) {
  return on(variable, "variable.read");
}

Script write(std::uint64_t variable, std::uint64_t value) {
  Instruction instruction = on(variable, "variable.write", Ahead::Always);
  instruction.argument = value;
  return instruction;
}

Script writeSum(std::uint64_t variable, std::uint64_t plus) {
  Instruction instruction = on(variable, "variable.write", Ahead::Always);
  instruction.argument = plus;
  instruction.addsLast = true;
  return instruction;
}

Script use(std::uint64_t variable) {
  return on(variable, "variable.use");
}
Script wait(std::uint64_t semaphore) {
  return on(semaphore, "semaphore.wait");
}
Script timedwait(std::uint64_t semaphore) {
  return on(semaphore, "semaphore.timedwait");
}
Script post(std::uint64_t semaphore) {
  return on(semaphore, "semaphore.post", Ahead::Always);
}

Script create(std::size_t place) {
  Instruction instruction = on(0, "thread.create");
  instruction.creates = true;
  instruction.argument = place;
  return instruction;
}

Script join(std::uint64_t nth) {
  Instruction instruction = on(nth, "thread.join");
  instruction.ofChild = true;
  return instruction;
}

Script exitWith(int status) {
  Instruction instruction = on(0, "process.exit");
  instruction.ends = true;
  instruction.argument = static_cast<std::uint64_t>(status);
  return instruction;
}

Script runHandlers() {
  return on(0, "process.handlers");
}

Script unheardOf() {
  return on('u', "unheard.of");
}

Program parallel(const std::vector<Script>& workers, const Script& before, const Script& after) {
  Program program{{before}, 0};
  for (const Script& worker : workers) {
    program.threads[0] += create(program.threads.size());
    program.threads.push_back(worker);
  }
  program.threads[0] += after;
  return program;
}

}  // namespace mcmini
