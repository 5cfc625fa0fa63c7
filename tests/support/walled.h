/* Memory that ends at a wall: to read beyond its end stops the program. */
#ifndef TEST_WALLED_H
#define TEST_WALLED_H

#include <stddef.h>

typedef struct Walled {
    char *base, *end; /* [end - n, end) can be used for any n that fits; *end cannot be touched */
    size_t size;
} Walled;

/* Room for so many bytes at least; the program ends if there is none. */
Walled walled(size_t size);
void walled_free(Walled *memory);

/* The last so many bytes. */
static inline void *walled_last(const Walled *memory, size_t size)
{
    return memory->end - size;
}

#endif
