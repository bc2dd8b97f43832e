#pragma once

// What the programs begin with that are run on the heap.

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <initializer_list>
extern "C" {
void* prepareSlot(unsigned thread, size_t size, void** signalStack);
void useSlot(unsigned thread);
int slotOf(const void* address);
void setMemoryLimit(uint64_t bytes);
bool hadShortage();
bool charge(uint64_t bytes);
void discharge(uint64_t bytes);
void* allocateForRuntime(size_t size);
}

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "line %d: %s, errno %d\n", __LINE__, #condition, errno); \
      _exit(1);                                                                \
    }                                                                          \
  } while (0)

constexpr size_t kMiB = 1 << 20;

// Called through these, since a compiler knows too much about the functions.
static auto* volatile callMalloc = malloc;
static auto* volatile callFree = free;
static auto* volatile callCalloc = calloc;
static auto* volatile callRealloc = realloc;
static auto* volatile callMemalign = memalign;
static auto* volatile callStrdup = strdup;
#define malloc callMalloc
#define free callFree
#define calloc callCalloc
#define realloc callRealloc
#define memalign callMemalign
#define strdup callStrdup

// Runs the work in a real thread that has this slot, or none if negative.
template <class Work>
void onThread(int slot, Work work) {
  struct Start {
    int slot;
    Work* work;
  } start{slot, &work};
  pthread_t thread;
  EXPECT(pthread_create(
             &thread, nullptr,
             [](void* argument) -> void* {
               auto* given = static_cast<Start*>(argument);
               if (given->slot >= 0) useSlot(static_cast<unsigned>(given->slot));
               (*given->work)();
               return nullptr;
             },
             &start) == 0);
  EXPECT(pthread_join(thread, nullptr) == 0);
}

struct Addresses {
  void* of[64];
};

// Runs the work in a process of its own, for the addresses it records; the parent has its heap before.
template <class Work>
Addresses inChild(Work work) {
  free(malloc(1));
  void* shared = mmap(nullptr, sizeof(Addresses), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) {
    work(*static_cast<Addresses*>(shared));
    _exit(0);
  }
  int status;
  EXPECT(wait(&status) > 0 && status == 0);
  Addresses addresses = *static_cast<Addresses*>(shared);
  munmap(shared, sizeof(Addresses));
  return addresses;
}

inline bool same(const Addresses& a, const Addresses& b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

inline void allocateAll(Addresses& addresses) {
  for (size_t i = 0; i < 64; ++i) addresses.of[i] = malloc(i % 16 * 40);
}
