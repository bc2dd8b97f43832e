#include <algorithm>
#include <vector>

#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

/// The bytes of the access: as many as the first argument says, from the object on.
struct Bytes {
  std::uint64_t begin;
  std::uint64_t end;
  explicit Bytes(const VisibleOp& op)
      : begin(op.object), end(op.object + std::max<std::uint64_t>(op.args[0], 1)) {}
  bool overlap(const Bytes& other) const { return begin < other.end && other.begin < end; }
};

/// Its first object is what it is named after. Accesses of any size meet in the blocks that they touch;
/// whether they have bytes in common is told from their ranges.
std::vector<ObjectId> touched(const VisibleOp& op) {
  std::vector<ObjectId> objects{objectAt(op.object)};
  Bytes bytes(op);
  for (std::uint64_t block = bytes.begin / kBlockSize; block <= (bytes.end - 1) / kBlockSize; ++block)
    objects.push_back(blockAt(block * kBlockSize));
  return objects;
}

constexpr NameId kRead = nameId("memory.read");
constexpr NameId kWrite = nameId("memory.write");

/// What is in the memory is not known: that there is an access, before or after others, is all.
class Access : public Transition {
 public:
  explicit Access(const VisibleOp& op) : Transition(op, touched(op)) {}
  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState&) const override { return 0; }

  /// Reads commute. What else is done at that place has its own reasons to be there, and may be an access.
  /// Those that it meets in a block only, like atomic operations, answer for themselves.
  bool dependentWith(const Transition& other) const override {
    bool isAccess = other.op() == kRead || other.op() == kWrite;
    if (!isAccess) return std::ranges::count(other.objects(), objects()[0]) > 0;
    if (op() == kRead && other.op() == kRead) return false;
    return Bytes(visible()).overlap(Bytes(other.visible()));
  }

  /// It is not there to keep anybody from anything.
  MemoryOrder memoryOrder(Result) const override { return memory_order::kNone; }

  bool onlyLooks() const override { return op() == kRead; }

  std::string describe(const Names& names) const override {
    std::string name = names.object(objects()[0]);
    if (!visible().call.empty()) return std::string(visible().call) + "(" + name + ")";
    return (op() == kRead ? "reads " : "writes ") + name;
  }
};

}  // namespace

MCMINI_PLUGIN("memory", catalog) {
  catalog.add<Access>("memory.read");
  catalog.add<Access>("memory.write");

  catalog.addTrial({{"memory.read", 64, {8}},
                    {"memory.write", 64, {8}},
                    {"memory.write", 68, {2}},
                    {"memory.read", 60, {8}},
                    {"memory.write", kBlockSize - 4, {8}},
                    {"memory.read", kBlockSize, {1}},
                    {"mutex.lock", 64},
                    {"mutex.unlock", 64}});
}
