// The checker keeps the target on one core; the program is not to notice.

#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "libmcmini/gate.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/process_id.h"

MCMINI_WRAPS(get_nprocs)
MCMINI_WRAPS(sysconf)
MCMINI_WRAPS(sched_getaffinity)

using mcmini::channel;

MCMINI_EXPORT int get_nprocs() noexcept {
  return channel == nullptr ? mcmini::real::get_nprocs() : static_cast<int>(channel->settings.processors);
}

MCMINI_EXPORT long sysconf(int name) noexcept {
  if (channel != nullptr && name == _SC_NPROCESSORS_ONLN) return channel->settings.processors;
  return mcmini::real::sysconf(name);
}

MCMINI_EXPORT int sched_getaffinity(pid_t pid, size_t size, cpu_set_t* set) noexcept {
  int result = mcmini::real::sched_getaffinity(mcmini::meantProcess(pid), size, set);
  if (channel == nullptr || result != 0) return result;
  for (uint32_t i = 0; i < channel->settings.processors && i < 8 * size; ++i) CPU_SET_S(i, size, set);
  return 0;
}
