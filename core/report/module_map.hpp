#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mcmini {

/// Names for addresses of a process that are the same the next time it runs, wherever it is loaded then.
class ModuleMap {
 public:
  /// Reads the memory map of the process.
  explicit ModuleMap(pid_t process);
  /// Takes the text of a memory map, as /proc/PID/maps has it.
  explicit ModuleMap(const std::string& maps);

  /// "libc.so.6+0x1234", "philo+0x11d9"; in memory of no file "memory+0x40"; the address if it is nowhere.
  std::string name(std::uint64_t address) const;

  /// The same, but the address itself for memory of no file.
  std::string nameOfData(std::uint64_t address) const;

  /// The address of such a name; nothing if the module is not there.
  std::optional<std::uint64_t> address(const std::string& name) const;

 private:
  struct Region {
    std::uint64_t begin;
    std::uint64_t end;
    std::string file;
  };
  std::uint64_t baseOf(const Region& region) const;

  std::vector<Region> regions_;
};

}  // namespace mcmini
