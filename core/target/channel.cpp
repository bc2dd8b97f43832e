#include "core/target/channel.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace mcmini {

Channel::Channel() : descriptor_(memfd_create("mcmini", MFD_CLOEXEC)), memory_(nullptr) {
  if (descriptor_ < 0 || ftruncate(descriptor_, sizeof(wire::Channel)) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot create shared memory");
  void* memory = mmap(nullptr, sizeof(wire::Channel), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), "cannot map shared memory");
  memory_ = static_cast<wire::Channel*>(memory);
  memory_->size = sizeof(wire::Channel);
}

Channel::~Channel() {
  munmap(memory_, sizeof(wire::Channel));
  close(descriptor_);
}

}  // namespace mcmini
