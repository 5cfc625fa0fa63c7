/* Records that a caller gives to a backend: the rules of the library, see pliant/base.h. */
#ifndef PLI_BACKENDS_RECORDS_H
#define PLI_BACKENDS_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { PLI_MAX_RECORD_SIZE = 4096 };

/* May a record of `size` bytes be written where the caller says that there are `caller_size`? */
static inline bool pli_backend_may_write(size_t size, size_t caller_size)
{
    return caller_size >= size && caller_size <= PLI_MAX_RECORD_SIZE &&
           caller_size % sizeof(size_t) == 0;
}

/* Copies a record of a caller over one of a backend, except its size. No record has grown so far,
 * so a caller's is never shorter. False: its size is wrong, or it asks for something that is not
 * known here. */
static inline bool pli_backend_read(void *record, size_t size, const void *caller_record,
                                    size_t caller_size)
{
    if (!pli_backend_may_write(size, caller_size))
        return false;
    memcpy((char *)record + sizeof(size_t), (const char *)caller_record + sizeof(size_t),
           size - sizeof(size_t));
    const unsigned char *bytes = (const unsigned char *)caller_record;
    for (size_t i = size; i < caller_size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

#endif
