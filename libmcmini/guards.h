#pragma once

namespace mcmini {

// Finds the guards of static variables within functions. Called once, in the template.
void findGuards();

// Is it such a guard? Code looks at it by an atomic load each time it comes by. What it finds there is not
// the program's business: either way the variable is initialized when it is used.
bool isGuard(const volatile void* address);

}  // namespace mcmini
