/* Samples whose pose came before: for this folder alone.
 *
 * Animations hold still, swing back, and begin where others do. What touches depends on the pose
 * alone, so a pose is checked once, at its first sample, and its rows are those of all its samples.
 * Poses are the same if all that bodies are told is, to the bit. */
#ifndef TOOLS_REPEATS_H
#define TOOLS_REPEATS_H

#include "check/contacts.h"
#include "check/found.h"
#include "check/plan.h"

/* Of the samples of a shard, each by its index in it. Of very many samples none is looked for: all
 * count as unique, and nothing is held. */
typedef struct Repeats {
    int64_t *firsts;  /* the first with the same pose: less than the index, or the index itself */
    int64_t *times;   /* of a first: how many samples have its pose */
    int64_t *uniques; /* those that are the first of their pose, rising */
    int64_t count, unique_count;
} Repeats;

/* The sample of an index. */
int64_t repeats_sample(const CheckOptions *options, int64_t index);

/* The index of a unique sample, and how many samples have its pose. */
static inline int64_t repeats_unique(const Repeats *repeats, int64_t number)
{
    return repeats->uniques ? repeats->uniques[number] : number;
}

static inline int64_t repeats_times(const Repeats *repeats, int64_t number)
{
    return repeats->times ? repeats->times[repeats->uniques[number]] : 1;
}

/* False: no memory. A sample that cannot be posed is unique: the worker that poses it tells why. */
bool repeats_find(Repeats *repeats, const Scene *scene, const Plan *plan,
                  const CheckOptions *options, int64_t count);
void repeats_free(Repeats *repeats);

/* Adds the rows of samples whose pose was checked at another, as copies; not of rigid pairs, which
 * are checked at the first sample alone. `contacts` may be NULL. False: no memory. */
bool repeats_add(const Repeats *repeats, const CheckOptions *options, const Report *report,
                 Found *found, CheckContacts *contacts);

#endif
