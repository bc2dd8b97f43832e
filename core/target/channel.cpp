#include "core/target/channel.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "core/target/target_error.hpp"

namespace mcmini {

Channel::Channel() : descriptor_(memfd_create("mcmini", MFD_CLOEXEC)), memory_(nullptr) {
  if (descriptor_ < 0 || ftruncate(descriptor_, sizeof(wire::Channel)) != 0)
    throw TargetError(cannot("create shared memory", errno));
  void* memory = mmap(nullptr, sizeof(wire::Channel), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) throw TargetError(cannot("map shared memory", errno));
  memory_ = static_cast<wire::Channel*>(memory);
  memory_->size = sizeof(wire::Channel);
}

Channel::~Channel() {
  munmap(memory_, sizeof(wire::Channel));
  close(descriptor_);
}

}  // namespace mcmini
