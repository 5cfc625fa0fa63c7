/* inputs: the models that a call means: files, folders with all models in them, globs, lists. */
#ifndef TOOLS_INPUTS_H
#define TOOLS_INPUTS_H

#include "options.h"

typedef struct Inputs {
    char **paths;
    int32_t count;
    bool are_many; /* several were meant, whatever was found: there is one report of all */
} Inputs;

/* Operands, then what the file `list` names, which may be NULL. EXIT_CLEAN; or there is no memory
 * or no list, which has been said. What is not there is an input too: reading it says so. */
Exit inputs_find(const TextList *operands, const char *list, Inputs *inputs);
void inputs_free(Inputs *inputs);

#endif
