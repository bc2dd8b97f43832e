#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace mcmini {

/// A thread of the target, named by its creation path: the n-th child of one thread has the same id in every
/// run, whatever other threads did in between. Dense from 0, which is the main thread.
enum class ThreadId : std::uint32_t {};

inline constexpr ThreadId kMainThread{0};

constexpr std::uint32_t index(ThreadId thread) {
  return static_cast<std::uint32_t>(thread);
}

/// Something that operations share: a piece of the target's memory, or a thread. Equal in two runs when the
/// program means the same thing by it.
enum class ObjectId : std::uint64_t {};

/// Addresses of user space leave the top bits free. One marks threads; another one marks what is in memory,
/// where a word is an object as well as what waits at it.
inline constexpr std::uint64_t kThreadObjectBit = std::uint64_t{1} << 63;
inline constexpr std::uint64_t kValueObjectBit = std::uint64_t{1} << 62;

constexpr ObjectId objectAt(std::uint64_t address) {
  return ObjectId{address & ~kThreadObjectBit};
}
constexpr ObjectId valueAt(std::uint64_t address) {
  return ObjectId{kValueObjectBit | (address & ~kThreadObjectBit)};
}
/// The block of memory that an address is in: where accesses meet whose sizes differ.
inline constexpr std::uint64_t kBlockObjectBit = std::uint64_t{1} << 61;
inline constexpr std::uint64_t kBlockSize = 0x10000;
constexpr ObjectId blockAt(std::uint64_t address) {
  return ObjectId{kBlockObjectBit | address / kBlockSize};
}
constexpr ObjectId objectOf(ThreadId thread) {
  return ObjectId{kThreadObjectBit | index(thread)};
}
constexpr bool isThread(ObjectId object) {
  return (static_cast<std::uint64_t>(object) & kThreadObjectBit) != 0;
}
constexpr ThreadId threadOf(ObjectId object) {
  return ThreadId{static_cast<std::uint32_t>(static_cast<std::uint64_t>(object))};
}
constexpr std::uint64_t addressOf(ObjectId object) {
  return static_cast<std::uint64_t>(object) & ~kValueObjectBit;
}

/// Identity of an operation or of a kind of object: a hash of its dotted name, equal in every library that
/// spells the name the same.
enum class NameId : std::uint64_t {};

/// FNV-1a. libmcmini computes the same function over the names that it announces.
constexpr NameId nameId(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return NameId{hash};
}

/// What an operation returns to the thread that called it; the operation's wrapper knows how to read it.
using Result = std::int64_t;

/// A code address of the target.
using CodeAddress = std::uint64_t;

}  // namespace mcmini
