#pragma once

/* A gate is shut until somebody opens it. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int unused; /* all that there is to know of a gate is in its model */
} gate_t;

void gate_open(gate_t* gate);
void gate_shut(gate_t* gate);
void gate_pass(gate_t* gate);   /* waits until it is open */
int gate_is_open(gate_t* gate); /* 1: it is */

#ifdef __cplusplus
}
#endif
