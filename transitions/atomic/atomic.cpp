#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

constexpr NameId kLoad = nameId("atomic.load");
constexpr NameId kStore = nameId("atomic.store");
constexpr NameId kRmw = nameId("atomic.rmw");
constexpr NameId kCas = nameId("atomic.cas");
constexpr NameId kFutexCompare = nameId("futex.compare");
constexpr NameId kFutexLook = nameId("futex.look");
constexpr NameId kMemoryRead = nameId("memory.read");
constexpr NameId kMemoryWrite = nameId("memory.write");

constexpr std::uint64_t kWordSize = 8;
constexpr std::uint64_t kNowhere = std::uint64_t{1} << 48;  // above all addresses

/// What the third argument of an operation says, besides the operand and the expected value.
struct Manner {
  explicit Manner(std::uint64_t packed)
      : size((packed & 0xff) == 0 ? kWordSize : packed & 0xff),
        order(static_cast<std::uint8_t>(packed >> 8)),
        orderOfFailure(static_cast<std::uint8_t>(packed >> 16)),
        kind(static_cast<std::uint8_t>(packed >> 24)) {}

  std::uint64_t size;  ///< In bytes. Values of more than a word are told by their hash.
  std::uint8_t order;  ///< As compilers number them: relaxed, consume, acquire, release, both, seq_cst.
  std::uint8_t orderOfFailure;
  std::uint8_t kind;  ///< Of a read-modify-write: exchange, add, sub, and, or, xor, nand.

  std::uint64_t cut(std::uint64_t value) const {
    return size >= kWordSize ? value : value & ((std::uint64_t{1} << 8 * size) - 1);
  }
};

MemoryOrder acquireOf(std::uint8_t order) {
  bool acquires = order == 1 || order == 2 || order >= 4;
  return acquires ? memory_order::kAcquire : memory_order::kNone;
}
MemoryOrder releaseOf(std::uint8_t order) {
  return order >= 3 ? memory_order::kRelease : memory_order::kNone;
}

/// What an atomic variable holds. The program may initialize it as plain memory, again and again where memory
/// is reused: each time begins another epoch.
struct Atomic : Object<Atomic> {
  static constexpr std::string_view kKind = "atomic";
  std::uint32_t epoch = 0;  ///< 0: not known yet.
  std::uint64_t first = 0;  ///< At the beginning of the epoch.
  std::uint64_t value = 0;

  bool operator==(const Atomic&) const = default;
  std::string describe(const Names&) const override {
    return "holds " + std::to_string(static_cast<std::int64_t>(value));
  }
};

/// An operation on an atomic variable. All return what it held before. Arguments: operand, expected value,
/// manner.
class Access : public Transition {
 public:
  Access(const VisibleOp& op, const ModelState& /*state*/)
      : Transition(op, objectsOf(op)),
        manner_(op.args[2]),
        epoch_(std::max(1U, op.epoch)),
        first_(op.initial) {}

  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState& state) const override {
    std::uint64_t old = heldIn(state);
    if (state.get<Atomic>(id()).epoch < epoch_) enter(state.edit<Atomic>(id()));
    if (std::uint64_t now = after(old); now != old) state.edit<Atomic>(id()).value = now;
    return static_cast<Result>(old);
  }
  bool dependentWith(const Transition& other) const override {
    if (isAccess(other)) {
      const auto& its = static_cast<const Access&>(other);
      return (writes() || its.writes()) && overlaps(other.visible().object, its.manner_.size);
    }
    if (other.op() == kFutexCompare || other.op() == kFutexLook)
      return writes() && overlaps(other.visible().object, sizeof(std::uint32_t));
    if (other.op() == kMemoryRead || other.op() == kMemoryWrite)
      return (writes() || other.op() == kMemoryWrite) &&
             overlaps(other.visible().object, std::max<std::uint64_t>(other.visible().args[0], 1));
    return true;
  }
  bool onlyLooks() const override { return !writes(); }
  /// One that finds what it would write.
  bool failed(Result old) const override {
    auto found = static_cast<std::uint64_t>(old);
    return writes() && op() != kStore && after(found) == found;
  }
  std::string describeResult(Result old) const override { return text(static_cast<std::uint64_t>(old)); }

  /// Does it, as it is now, change the variable?
  virtual bool writes() const = 0;

 protected:
  /// The same operation once more, in another guise.
  explicit Access(const Access& other)
      : Transition(other.visible(), other.objects()),
        manner_(other.manner_),
        epoch_(other.epoch_),
        first_(other.first_) {}

  virtual std::uint64_t after(std::uint64_t old) const = 0;

  std::uint64_t heldIn(const ModelState& state) const {
    const Atomic& atomic = state.get<Atomic>(id());
    return manner_.cut(atomic.epoch < epoch_ ? first_ : atomic.value);
  }
  std::uint64_t operand() const { return manner_.cut(visible().args[0]); }
  std::uint64_t expected() const { return manner_.cut(visible().args[1]); }
  const Manner& manner() const { return manner_; }
  ObjectId id() const { return objects()[0]; }
  std::string text(std::uint64_t value) const {
    if (manner_.size > kWordSize) return "";
    std::uint64_t unused = 64 - 8 * manner_.size;
    auto number = static_cast<std::int64_t>(value << unused) >> unused;
    constexpr std::int64_t kLarge = std::int64_t{1} << 32;
    if (number > -kLarge && number < kLarge) return std::to_string(number);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    for (; value != 0; value >>= 4) digits.insert(digits.begin(), kDigits[value & 0xf]);
    return "0x" + digits;
  }
  std::string words(const std::string& verb, const Names& names) const {
    return verb + " " + names.object(id());
  }
  std::string wordsWithOperand(const std::string& verb, const Names& names) const {
    std::string value = text(operand());
    return words(verb, names) + (value.empty() ? "" : ", " + value);
  }

 private:
  /// Operations meet at words, however much of them they concern.
  static std::vector<ObjectId> objectsOf(const VisibleOp& op) {
    bool isWide = Manner(op.args[2]).size > kWordSize;
    std::uint64_t other = isWide ? op.object + kWordSize : op.object & ~(kWordSize - 1);
    if (other == op.object) return {valueAt(op.object), blockAt(op.object)};
    return {valueAt(op.object), blockAt(op.object), valueAt(other)};
  }
  static bool isAccess(const Transition& other) {
    NameId op = other.op();
    return op == kLoad || op == kStore || op == kRmw || op == kCas;
  }
  bool overlaps(std::uint64_t address, std::uint64_t size) const {
    std::uint64_t mine = visible().object;
    return mine < address + size && address < mine + manner_.size;
  }
  void enter(Atomic& atomic) const {
    atomic.epoch = epoch_;
    atomic.first = atomic.value = first_;
  }

  Manner manner_;
  std::uint32_t epoch_;
  std::uint64_t first_;
};

class Load : public Access {
 public:
  using Access::Access;
  bool writes() const override { return false; }
  MemoryOrder memoryOrder(Result) const override { return memory_order::kReads | acquireOf(manner().order); }
  std::string describe(const Names& names) const override { return words("load", names); }

 protected:
  std::uint64_t after(std::uint64_t old) const override { return old; }
};

class Store : public Access {
 public:
  using Access::Access;
  bool writes() const override { return true; }
  MemoryOrder memoryOrder(Result) const override {
    return memory_order::kWrites | memory_order::kReplaces | releaseOf(manner().order);
  }
  std::string describe(const Names& names) const override { return wordsWithOperand("store", names); }
  std::string describeResult(Result) const override { return ""; }

 protected:
  std::uint64_t after(std::uint64_t) const override { return operand(); }
};

class ReadModifyWrite : public Access {
 public:
  using Access::Access;
  bool writes() const override { return true; }
  MemoryOrder memoryOrder(Result) const override {
    return memory_order::kReads | memory_order::kWrites | acquireOf(manner().order) |
           releaseOf(manner().order);
  }
  std::string describe(const Names& names) const override {
    constexpr std::array<const char*, 7> kVerbs = {"exchange", "add", "subtract", "and", "or", "xor", "nand"};
    return wordsWithOperand(kVerbs.at(manner().kind), names);
  }

 protected:
  std::uint64_t after(std::uint64_t old) const override {
    std::uint64_t by = operand();
    const std::array<std::uint64_t, 7> results = {by,       old + by, old - by,   old & by,
                                                  old | by, old ^ by, ~(old & by)};
    return manner().cut(results.at(manner().kind));
  }
};

/// One that fails is a load.
class CompareAndSwap : public Access {
 public:
  CompareAndSwap(const VisibleOp& op, const ModelState& state)
      : Access(op, state), succeeds_(heldIn(state) == expected()) {}

  bool writes() const override { return succeeds_; }
  bool isConditional() const override { return true; }
  std::unique_ptr<Transition> asIn(const ModelState& state) const override {
    bool succeeds = heldIn(state) == expected();
    return succeeds == succeeds_ ? nullptr : std::unique_ptr<Transition>(new CompareAndSwap(*this, succeeds));
  }
  bool failed(Result old) const override { return succeedsOn(old) && operand() == expected(); }
  MemoryOrder memoryOrder(Result old) const override {
    if (!succeedsOn(old)) return memory_order::kReads | acquireOf(manner().orderOfFailure);
    return memory_order::kReads | memory_order::kWrites | acquireOf(manner().order) |
           releaseOf(manner().order);
  }
  std::string describe(const Names& names) const override {
    return wordsWithOperand("compare-and-swap", names);
  }
  std::string describeResult(Result old) const override {
    if (succeedsOn(old)) return "succeeds";
    std::string value = text(static_cast<std::uint64_t>(old));
    return "fails" + (value.empty() ? "" : ", finds " + value);
  }

 protected:
  std::uint64_t after(std::uint64_t old) const override { return old == expected() ? operand() : old; }

 private:
  CompareAndSwap(const CompareAndSwap& other, bool succeeds) : Access(other), succeeds_(succeeds) {}
  bool succeedsOn(Result old) const { return static_cast<std::uint64_t>(old) == expected(); }

  bool succeeds_;
};

/// Orders what its own thread reads and writes. It has an object of its own, where it meets nobody.
class Fence : public Transition {
 public:
  explicit Fence(const VisibleOp& op)
      : Transition(op, {valueAt(kNowhere + index(op.thread))}), order_(op.args[2]) {}
  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState&) const override { return 0; }
  bool dependentWith(const Transition&) const override { return false; }
  bool onlyLooks() const override { return true; }
  MemoryOrder memoryOrder(Result) const override {
    return memory_order::kFence | acquireOf(order_.order) | releaseOf(order_.order);
  }
  std::string describe(const Names&) const override { return "fence"; }

 private:
  Manner order_;
};

}  // namespace

MCMINI_PLUGIN("atomic", catalog) {
  catalog.add<Load>("atomic.load");
  catalog.add<Store>("atomic.store");
  catalog.add<ReadModifyWrite>("atomic.rmw");
  catalog.add<CompareAndSwap>("atomic.cas");
  catalog.add<Fence>("atomic.fence");

  constexpr std::uint64_t kInt = 4;
  constexpr std::uint64_t kAdd = 1 << 24;
  constexpr std::uint64_t kOr = 4 << 24;
  Catalog::Calls calls = callsOf({"atomic.load", "atomic.fence"}, 8, {0, 0, kInt});
  calls.push_back({"atomic.load", 12, {0, 0, kInt}});
  calls.push_back({"atomic.store", 8, {1, 0, kInt}});
  calls.push_back({"atomic.store", 12, {1, 0, kInt}});
  calls.push_back({"atomic.rmw", 8, {1, 0, kInt | kOr}});
  for (std::uint64_t expected : {0U, 1U}) calls.push_back({"atomic.cas", 8, {1 - expected, expected, kInt}});
  catalog.addTrial(calls);
  calls = callsOf({"atomic.load", "atomic.rmw"}, 8, {3, 0, 1 | kAdd});
  calls.push_back({"atomic.cas", 8, {0, 6, 1}});
  calls.push_back({"atomic.cas", 8, {9, 9, 1}});
  catalog.addTrial(calls);
}
