/* Memory that ends at a wall: see walled.h. */
#include "walled.h"

#include <stdlib.h>

#if defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>
#endif

Walled walled(size_t size)
{
#if defined(__unix__)
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
    char *base =
        mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base + room, page, PROT_NONE) != 0)
        exit(1);
    return (Walled){base, base + room, room + page};
#else
    char *base = malloc(size);
    if (!base)
        exit(1);
    return (Walled){base, base + size, size};
#endif
}

void walled_free(Walled *memory)
{
#if defined(__unix__)
    munmap(memory->base, memory->size);
#else
    free(memory->base);
#endif
    *memory = (Walled){0};
}
