/* Checks of pairs that the caller has found: see pair_checks.h. */
#include "api/pair_checks.h"
#include "api/checks.h"

#include <inttypes.h>
#include <string.h>

/* Four vertices of a pair. */
typedef uint32_t Four __attribute__((vector_size(16)));

static PliantResult check_distances(const PliCall *call, const PliGivenPairs *given)
{
    PLI_CHECK_FINITE(call, "def.distance", given->distance);
    for (int64_t i = 0; given->distances && i < given->pair_count; i++)
        PLI_CHECK(
            call, given->distances[i] >= 0 && given->distances[i] < INFINITY, PLIANT_BAD_ARGUMENT,
            "def.distances[%" PRId64 "] is %g: a finite number that is not negative is needed", i,
            (double)given->distances[i]);
    return PLIANT_OK;
}

PliantResult pli_given_pairs_check(const PliCall *call, const PliGivenPairs *given,
                                   int64_t capacity)
{
    PLI_CHECK(call, given->kind == PLIANT_VERTEX_TRIANGLE || given->kind == PLIANT_EDGE_EDGE,
              PLIANT_BAD_ARGUMENT,
              "def.kind is %d: PLIANT_VERTEX_TRIANGLE or PLIANT_EDGE_EDGE is needed",
              (int)given->kind);
    PLI_CHECK(call, given->vertex_count >= 0, PLIANT_BAD_ARGUMENT, "def.vertex_count is %" PRId32,
              given->vertex_count);
    PLI_CHECK(call, given->pair_count >= 0, PLIANT_BAD_ARGUMENT, "def.pair_count is %" PRId64,
              given->pair_count);
    PLI_CHECK(call, given->pair_count <= PTRDIFF_MAX / 16, PLIANT_TOO_LARGE,
              "def.pair_count is %" PRId64, given->pair_count);
    PLI_CHECK(call, capacity >= given->pair_count, PLIANT_BAD_ARGUMENT,
              "capacity is %" PRId64 ", def.pair_count is %" PRId64, capacity, given->pair_count);
    return check_distances(call, given);
}

/* Once over all, without branches, a pair at a time. And again, if one is beyond, to find the
 * first. */
PliantResult pli_given_vertices_check(const PliCall *call, const PliGivenPairs *given)
{
    PLI_CHECK(call, given->pairs, PLIANT_BAD_ARGUMENT, "def.pairs is NULL");
    const int64_t last = (int64_t)given->vertex_count - 1, count = 4 * given->pair_count;
    const Four limit = (uint32_t)given->vertex_count + (Four){0};
    Four are_within = (Four){0} == 0;
    for (int64_t i = 0; i < count; i += 4) {
        Four pair;
        memcpy(&pair, given->pairs + i, sizeof pair);
        are_within &= pair < limit;
    }
    const bool is_beyond = !(are_within[0] & are_within[1] & are_within[2] & are_within[3]);
    for (int64_t i = 0; is_beyond && i < count; i++)
        PLI_CHECK(call, given->pairs[i] <= last, PLIANT_BAD_INDEX,
                  "def.pairs[%" PRId64 "] is %" PRIu32 ", def.vertex_count is %" PRId32, i,
                  given->pairs[i], given->vertex_count);
    return PLIANT_OK;
}

float pli_given_distance(const PliGivenPairs *given)
{
    float greatest = given->distances ? 0 : given->distance;
    for (int64_t i = 0; given->distances && i < given->pair_count; i++)
        greatest = greatest < given->distances[i] ? given->distances[i] : greatest;
    return greatest;
}
