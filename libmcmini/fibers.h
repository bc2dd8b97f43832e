#pragma once

// The program's threads as fibers: one thread of the system runs them in turns, each on its own stack, with
// its own thread-local memory and its own descriptor in the C library. To hand over is no call of the kernel,
// and fibers outlive a fork, so that the template has them ready for each run.
//
// The C library makes them: a real thread comes, notes where it stands (`park`), and goes without the library
// noticing. Whoever switches to the fiber goes on there. It ends with the destructors of its keys; what the
// library would do after them is left out.
//
// What the kernel knows of a thread is the same for all fibers: its number and name, its mask of signals, its
// list of robust mutexes. Programs that call for such things get threads of the system instead.

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

namespace mcmini {

// Are the program's threads fibers? The same in all runs.
extern bool useFibers;

// In the template: they are, if the machine and the program allow it.
void chooseFibers();

// The number of the calling thread, as the C library has it: the owner of the mutexes that it locks.
int ownTid();

// Where a thread that was created to be a fiber waits for its first turn.
void park(uint32_t thread);

// Called by its creator: waits until it has parked.
void adoptFiber(uint32_t thread, pthread_t handle);

// Is the calling thread busy with that? Then it cannot let others run.
bool isAdopting();

// Called by its creator: the fiber is one of the threads that this run has. Floating-point numbers are to it
// what they are to its creator.
void beginFiber(uint32_t thread);

// Goes on with another fiber; returns when one goes on with this one.
void switchTo(uint32_t thread);

// The calling fiber has come to its end. False if no other one is left.
bool endFiber();

// For the C library the calling fiber has ended, too: it can be joined there. The last one is still needed:
// it ends the process.
void endDescriptor();

// A stack for handlers of signals, of which there is one more than there are fibers.
void giveSignalStack(uint32_t thread, void* stack, size_t size);

// Called by a handler that lets other fibers run: as long as it stands on its stack, they need another one.
void leaveSignalStack();
// Called by it before it returns.
void returnToSignalStack();

}  // namespace mcmini
