#pragma once

// For operations that are cancellation points: a thread that is asked to end leaves them with ECANCELED.

#include "core/model/transition.hpp"

namespace mcmini {

inline constexpr NameId kCancel = nameId("thread.cancel");

/// Has somebody asked the thread of this operation to end? It is the operation's to say whether it may.
/// objectOf(thread) belongs to the objects of such an operation.
inline bool cancelRequested(const Transition& point, const ModelState& state) {
  return state.thread(point.thread()).cancelRequested;
}

/// Do two operations meet at another object than the first one's thread? There they are what they would be
/// without cancellation; at the thread itself, nothing but a request matters to a cancellation point.
inline bool meetsBesidesThread(const Transition& point, const Transition& other) {
  auto theirs = other.objects();
  return std::ranges::any_of(point.objects(), [&](ObjectId mine) {
    return mine != objectOf(point.thread()) && std::ranges::find(theirs, mine) != theirs.end();
  });
}

}  // namespace mcmini
