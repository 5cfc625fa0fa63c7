/* A new folder of a name that ends in XXXXXX, which become others. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

#include <stdbool.h>
#include <stdlib.h>
#ifdef _WIN32
#include <io.h>
#endif

static inline bool new_folder(char *path)
{
#ifdef _WIN32
    return _mktemp(path) && mkdir(path, 0777) == 0;
#else
    return mkdtemp(path);
#endif
}

#endif
