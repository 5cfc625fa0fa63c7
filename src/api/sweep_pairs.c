/* The stateless call of pliant/sweep.h: checks, floating-point modes, and on to geom and kernels.
 */
#include "base/cpu.h"
#include "base/memory.h"
#include "kernels/impacts.h"
#include <pliant/sweep.h>

#include <inttypes.h>
#include <string.h>

/* The records as they were first published: a caller's cannot be shorter. */
#define PAIRS_SIZE PLI_RECORD_SIZE(PliantSweepPairs, host)
#define COUNTS_SIZE PLI_RECORD_SIZE(PliantSweepCounts, exact)

/* Four vertices of a pair. */
typedef uint32_t Four __attribute__((vector_size(16)));

/* Once over all, without branches, a pair at a time. And again, if one is beyond, to find the
 * first. */
static PliantResult check_vertices(const PliCall *call, const PliantSweepPairs *def)
{
    const int64_t last = (int64_t)def->vertex_count - 1, count = 4 * def->pair_count;
    const Four limit = (uint32_t)def->vertex_count + (Four){0};
    Four are_within = (Four){0} == 0;
    for (int64_t i = 0; i < count; i += 4) {
        Four pair;
        memcpy(&pair, def->pairs + i, sizeof pair);
        are_within &= pair < limit;
    }
    const bool is_beyond = !(are_within[0] & are_within[1] & are_within[2] & are_within[3]);
    for (int64_t i = 0; is_beyond && i < count; i++)
        PLI_CHECK(call, def->pairs[i] <= last, PLIANT_BAD_INDEX,
                  "def.pairs[%" PRId64 "] is %" PRIu32 ", def.vertex_count is %" PRId32, i,
                  def->pairs[i], def->vertex_count);
    return PLIANT_OK;
}

static PliantResult check_pairs(const PliCall *call, const PliantSweepPairs *def,
                                const float *times, int64_t capacity)
{
    PLI_CHECK(call, def->kind == PLIANT_VERTEX_TRIANGLE || def->kind == PLIANT_EDGE_EDGE,
              PLIANT_BAD_ARGUMENT,
              "def.kind is %d: PLIANT_VERTEX_TRIANGLE or PLIANT_EDGE_EDGE is needed",
              (int)def->kind);
    PLI_CHECK(call, def->vertex_count >= 0, PLIANT_BAD_ARGUMENT, "def.vertex_count is %" PRId32,
              def->vertex_count);
    PLI_CHECK(call, def->pair_count >= 0, PLIANT_BAD_ARGUMENT, "def.pair_count is %" PRId64,
              def->pair_count);
    PLI_CHECK(call, def->pair_count <= PTRDIFF_MAX / 16, PLIANT_TOO_LARGE,
              "def.pair_count is %" PRId64, def->pair_count);
    PLI_CHECK(call, capacity >= def->pair_count, PLIANT_BAD_ARGUMENT,
              "capacity is %" PRId64 ", def.pair_count is %" PRId64, capacity, def->pair_count);
    if (def->pair_count == 0)
        return PLIANT_OK;
    PLI_CHECK(call, def->start, PLIANT_BAD_ARGUMENT, "def.start is NULL");
    PLI_CHECK(call, def->end, PLIANT_BAD_ARGUMENT, "def.end is NULL");
    PLI_CHECK(call, def->pairs, PLIANT_BAD_ARGUMENT, "def.pairs is NULL");
    PLI_CHECK(call, times, PLIANT_BAD_ARGUMENT, "times is NULL");
    return check_vertices(call, def);
}

/* Adds the counts of a call to those of the caller. */
static void add_counts(PliantSweepCounts *counts, const PliImpactCounts *found)
{
    PliantSweepCounts sums = pliant_sweep_counts_default();
    (void)pli_record_read(&sums, sizeof sums, COUNTS_SIZE, counts, counts->struct_size);
    sums.pairs += found->pairs;
    sums.touching += found->touching;
    sums.filtered += found->filtered;
    sums.exact += found->exact;
    (void)pli_record_write(counts, COUNTS_SIZE, &sums, sizeof sums);
}

PliantResult pliant_sweep_pairs(const PliantSweepPairs *caller_def, float *times, int64_t capacity,
                                PliantSweepCounts *counts)
{
    const PliCall nobody = PLI_CALL(NULL);
    PLI_CHECK(&nobody, caller_def, PLIANT_BAD_ARGUMENT, "def is NULL");
    PliantSweepPairs def = pliant_sweep_pairs_default();
    const bool is_read =
        pli_record_read(&def, sizeof def, PAIRS_SIZE, caller_def, caller_def->struct_size);
    const PliCall call = PLI_CALL(def.host);
    PLI_CHECK(&call, is_read, PLIANT_BAD_DEF,
              "def.struct_size is %zu: start from pliant_sweep_pairs_default()",
              caller_def->struct_size);
    PliantHost host;
    PLI_TRY(pli_host_check(&call, def.host, &host));
    PLI_TRY(check_pairs(&call, &def, times, capacity));
    if (counts)
        PLI_CHECK_OUTPUT(&call, "counts", "pliant_sweep_counts_default", counts, COUNTS_SIZE);

    PliKernels kernels;
    pli_kernels_fill(&kernels, def.cpu_mask);
    PliImpactCounts found = {0};
    const PliImpactPairs pairs = {.kind = def.kind == PLIANT_EDGE_EDGE ? PLI_EDGE_EDGE
                                                                       : PLI_VERTEX_TRIANGLE,
                                  .start = def.start,
                                  .end = def.end,
                                  .pairs = def.pairs,
                                  .count = def.pair_count};
    const PliFpMode caller = pli_fp_enter();
    pli_pairs_impact(&kernels, &pairs, times, &found);
    pli_fp_leave(caller);
    if (counts)
        add_counts(counts, &found);
    return PLIANT_OK;
}
