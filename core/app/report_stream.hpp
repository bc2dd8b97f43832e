#pragma once

#include <sys/types.h>

#include <cstddef>

namespace mcmini {

/// Takes the place of stdout as long as the check lasts. What cannot be written, to a full disk for instance,
/// is dropped, so that the check goes on and its exit code is that of the verdict.
class ReportStream {
 public:
  ReportStream();
  ReportStream(const ReportStream&) = delete;
  ReportStream& operator=(const ReportStream&) = delete;

  /// Writes the rest, and says on stderr if something was lost, unless its reader has gone.
  void finish();

 private:
  static ssize_t write(void* self, const char* bytes, std::size_t size);

  int error_ = 0;  // of the first write that failed
};

/// Descriptors 0 to 2 that are closed are taken, so that no other file gets their numbers. A report
/// cannot be written there.
void takeClosedDescriptors();

}  // namespace mcmini
