#pragma once

// A run under a debugger: the program was started by it rather than forked from a template, and takes the
// steps of its plan by itself. Where every thread stands at its next operation, the debugger may look.

namespace mcmini {

// The calling thread is about to enter main.
void beginDebuggedRun();

// The thread that moves has come to its next operation or to its end. Returns when the next step of the plan
// may be taken; after the last one there is none.
void letDebuggerLook();

// The program does not do what the plan expects.
[[noreturn]] void stray();

}  // namespace mcmini
