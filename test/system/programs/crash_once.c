// Crashes, unless there is a file `calm`; if there is a file `once`, this is the last time. The directory is
// the argument.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int exists(const char* directory, const char* name, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  int file = open(path, O_RDONLY | flags, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

int main(int argc, char** argv) {
  const char* directory = argc > 1 ? argv[1] : ".";
  if (exists(directory, "calm", 0)) return 0;
  if (exists(directory, "once", 0)) exists(directory, "calm", O_CREAT);
  abort();
}
