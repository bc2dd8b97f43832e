#pragma once

#include <sys/types.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

// What a program may leave behind: processes, files, shared memory.

namespace mcmini {

std::string contentsOf(const std::filesystem::path& file);

/// Children of the process that have not been reaped.
std::vector<pid_t> childrenOf(pid_t process);

/// Everything that loses its parent from now on becomes our child.
void adoptOrphans();

/// Ends the processes that are still there after a second and tells what they were.
std::string processesLeft();

/// Where mcmini saves bugs, unless it is told otherwise.
constexpr const char* kSaved = ".mcmini";

/// All but saved bugs.
std::set<std::filesystem::path> filesIn(const std::filesystem::path& directory);

/// Named semaphores that really exist: those of a program under the checker are the model's. Programs of
/// tests call theirs after mcmini; others may use /dev/shm at the same time.
std::set<std::filesystem::path> sharedMemory();

}  // namespace mcmini
