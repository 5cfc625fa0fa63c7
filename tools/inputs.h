/* inputs: the models that a call means: files, folders with all models in them, globs. */
#ifndef TOOLS_INPUTS_H
#define TOOLS_INPUTS_H

#include "options.h"

typedef struct Inputs {
    char **paths;
    int32_t count;
    bool are_many; /* several were meant, whatever was found: there is one report of all */
} Inputs;

/* False: no memory, which has been said. What is not there is an input too: reading it says so. */
bool inputs_find(const TextList *operands, Inputs *inputs);
void inputs_free(Inputs *inputs);

#endif
