#pragma once

#include "libmcmini/wire.h"

namespace mcmini {

/// The shared memory, from the checker's side. It has no name, so nothing is left behind; the target inherits
/// the descriptor.
class Channel {
 public:
  Channel();
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  wire::Channel* operator->() const { return memory_; }
  wire::Channel& operator*() const { return *memory_; }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  wire::Channel* memory_;
};

}  // namespace mcmini
