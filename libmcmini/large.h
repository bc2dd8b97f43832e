#pragma once

// A run gets a copy of each page that it writes to, so what it writes to lies together: the small variables,
// then the beginnings of arrays that have an element for each thread. Then comes what is large and mostly not
// used. The linker sorts the sections by their names.
#define MCMINI_BY_THREAD __attribute__((section(".bss.by_thread")))
#define MCMINI_LARGE __attribute__((section(".bss.large")))
