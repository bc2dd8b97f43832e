#include "core/target/target_error.hpp"

#include <cerrno>
#include <cstring>

namespace mcmini {

namespace {

const char* limitBehind(int error) {
  switch (error) {
    case EMFILE:
    case EINVAL:  // of a descriptor whose number would be too high
      return " The limit of open files is too low: raise it (ulimit -n).";
    case ENFILE:
      return " The whole machine has too many files open.";
    case ENOMEM:
      return " The limit of memory is too low (ulimit -v), or the machine has too little of it.";
    case EAGAIN:
      return " The limit of processes is too low: raise it (ulimit -u), or end others.";
    case EFBIG:
      return " The limit of the size of files, which counts for shared memory, is too low: raise it (ulimit "
             "-f).";
    default:
      return "";
  }
}

}  // namespace

std::string cannot(const std::string& what, int error) {
  return "cannot " + what + ": " + std::strerror(error) + "." + limitBehind(error);
}

}  // namespace mcmini
