/* cache: reports of models that were checked before, found by what they were made from.
 *
 * The key is a hash of the model's bytes, of all options that a report depends on, and of the
 * version; not of paths. An entry names the files that the model refers to, with the hash of each:
 * it holds if they are still the same. It is written under a temporary name and renamed, so that
 * processes can share a folder. An entry that is damaged is none, and is replaced.
 *
 * Only whole reports are kept: what cannot be read, or ran into a limit, is tried again. Pages need
 * the model itself, and pass the cache by.
 */
#ifndef TOOLS_CACHE_H
#define TOOLS_CACHE_H

#include "options.h"
#include "report/hash.h"

/* What a report depends on besides the model: version, options, the baseline's bytes. */
void cache_add_settings(Hash *hash, const Settings *settings);

/* Makes the folder, if it is not there. False: that has been said. */
bool cache_open(const char *folder);

/* A model whose report is looked for, and the files that reading it then reads. */
typedef struct CacheModel {
    const Settings *settings;
    HashText key, bytes;
    char *references; /* a hash and a name for each file that it refers to; NULL: none */
    bool is_kept;     /* its report can be: it is one file, and did not change meanwhile */
} CacheModel;

/* True: the report of the first file was there. Else check it, with cache_watch() as the watch of
 * its reader; then cache_keep(). To be freed either way. */
bool cache_find(CacheModel *model, const Settings *settings, Report *report);
void cache_watch(void *model, const char *path, const void *bytes, size_t byte_count);
void cache_keep(const CacheModel *model, const Report *report);
void cache_free(CacheModel *model);

#endif
