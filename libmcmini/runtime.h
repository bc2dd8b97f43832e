#pragma once

namespace mcmini {

// Finds out where the runtime libraries of the languages are. Called once, in the template.
void findRuntime();

// Is it an object of a runtime library's own? What such a library locks for itself it gives back without
// calling anything, so its locks never make a thread wait here, and their order is nobody's business.
bool isOfRuntime(const volatile void* object);

}  // namespace mcmini
