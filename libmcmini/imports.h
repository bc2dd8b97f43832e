#pragma once

namespace mcmini {

// Does the program, or a library that it is linked with, call the function of another library by that name?
bool isImported(const char* function);

}  // namespace mcmini
