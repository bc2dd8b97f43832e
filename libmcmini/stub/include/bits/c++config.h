// What std::string does is to be compiled with the program, not taken from libstdc++, where nobody tells of
// accesses. The headers of libstdc++ include this first, in front of their own of that name.
#pragma GCC system_header
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
