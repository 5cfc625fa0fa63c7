/* What the fuzzers read: bytes, each of which decides one thing. What is missing is zero. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <pliant/pliant.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Input {
    const uint8_t *next;
    size_t left;
} Input;

static inline uint32_t take(Input *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->next++;
}

static inline void must(bool condition)
{
    if (!condition)
        abort();
}

/* A host's hook: mistakes are made on purpose here, and each has something to say. */
static inline void report(void *user, PliantResult result, const char *message)
{
    (void)user, (void)result;
    must(message[0] != '\0');
}

#endif
