/* Experiments, and pairs of bodies: see checks.h. */
#include "api/checks.h"

#include <inttypes.h>

/* The record as it was first published: a caller's cannot be shorter. */
#define FIRST_SIZE PLI_RECORD_SIZE(PliantExperiments, approximations)

/* Every field, and the least and the greatest value that it may have. */
#define FIELDS(X)                                                                                  \
    X(tree_kind, 0, PLIANT_TREE_CONNECTED)                                                         \
    X(tree_child_count, 2, 8)                                                                      \
    X(tree_leaf_size, 1, 16)                                                                       \
    X(bound_kind, 0, PLIANT_BOUND_SPHERE)                                                          \
    X(broad_kind, 0, PLIANT_BROAD_SWEEP)                                                           \
    X(soup_kind, 0, PLIANT_SOUP_COHERENT_BUCKETS)                                                  \
    X(soup_level_count, 0, PLIANT_MAX_SOUP_LEVELS)                                                 \
    X(approximations, 0, PLIANT_APPROXIMATE_PLANES | PLIANT_APPROXIMATE_EDGES)

PliantResult pli_experiments_read(const PliCall *call, const PliantExperiments *given,
                                  PliantExperiments *experiments)
{
    *experiments = pliant_experiments_default();
    PLI_CHECK(call,
              !given || pli_record_read(experiments, sizeof *experiments, FIRST_SIZE, given,
                                        given->struct_size),
              PLIANT_BAD_DEF,
              "def.experiments->struct_size is %zu: start from pliant_experiments_default()",
              given->struct_size);
    const int32_t children = experiments->tree_child_count;
    PLI_CHECK(call, children == 2 || children == 4 || children == 8, PLIANT_BAD_ARGUMENT,
              "def.experiments->tree_child_count is %" PRId32 ": 2, 4 or 8", children);
#define CHECK_FIELD(name, least, greatest)                                                         \
    {                                                                                              \
        const int64_t value = (int64_t)experiments->name;                                          \
        PLI_CHECK(call, value >= (least) && value <= (greatest), PLIANT_BAD_ARGUMENT,              \
                  "def.experiments->" #name " is %" PRId64 ": %d to %d", value, (least),           \
                  (greatest));                                                                     \
    }
    FIELDS(CHECK_FIELD)
#undef CHECK_FIELD
    return PLIANT_OK;
}

#define PAIRS_DEF_SIZE PLI_RECORD_SIZE(PliantBodyPairsDef, user)
#define PAIRS_SIZE PLI_RECORD_SIZE(PliantBodyPairs, is_limit_reached)

PliantResult pli_body_pairs_open(const PliCall *call, const PliantBodyPairsDef *given,
                                 const PliantBodyPairs *pairs, PliantBodyPairsDef *def)
{
    *def = pliant_body_pairs_def_default();
    PLI_CHECK_OUTPUT(call, "pairs", "pliant_body_pairs_default", pairs, PAIRS_SIZE);
    PLI_READ_DEF(call, "pliant_body_pairs_def_default", given, def, PAIRS_DEF_SIZE);
    PLI_CHECK_FINITE(call, "def.distance", def->distance);
    PLI_CHECK_LIMIT(call, "def.max_pair_count", def->max_pair_count);
    return PLIANT_OK;
}

void pli_body_pairs_close(const PliantWorld *world, const PliArray *found, bool is_limit_reached,
                          PliantBodyPairs *pairs)
{
    const PliantBodyPairs answer = {.items = found->items,
                                    .count = found->count,
                                    .stamp = pli_world_stamp(world),
                                    .is_limit_reached = is_limit_reached};
    pli_record_write(pairs, PAIRS_SIZE, &answer, sizeof answer);
}
