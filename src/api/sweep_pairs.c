/* The stateless call of pliant/sweep.h: checks, floating-point modes, and on to geom and kernels.
 */
#include "api/pair_checks.h"
#include "base/cpu.h"
#include "kernels/impacts.h"
#include <pliant/sweep.h>

/* The records as they were first published: a caller's cannot be shorter. */
#define PAIRS_SIZE PLI_RECORD_SIZE(PliantSweepPairs, host)
#define COUNTS_SIZE PLI_RECORD_SIZE(PliantSweepCounts, exact)

static PliGivenPairs given_of(const PliantSweepPairs *def)
{
    return (PliGivenPairs){.kind = def->kind,
                           .vertex_count = def->vertex_count,
                           .pairs = def->pairs,
                           .pair_count = def->pair_count,
                           .distance = def->distance,
                           .distances = def->distances};
}

static PliantResult check_pairs(const PliCall *call, const PliantSweepPairs *def,
                                const float *times, int64_t capacity)
{
    const PliGivenPairs given = given_of(def);
    PLI_CHECK(call, def->max_time >= 0 && def->max_time <= 1, PLIANT_BAD_ARGUMENT,
              "def.max_time is %g: a number from 0 to 1 is needed", (double)def->max_time);
    PLI_TRY(pli_given_pairs_check(call, &given, capacity));
    if (def->pair_count == 0)
        return PLIANT_OK;
    PLI_CHECK(call, def->start, PLIANT_BAD_ARGUMENT, "def.start is NULL");
    PLI_CHECK(call, def->end, PLIANT_BAD_ARGUMENT, "def.end is NULL");
    PLI_CHECK(call, times, PLIANT_BAD_ARGUMENT, "times is NULL");
    return pli_given_vertices_check(call, &given);
}

/* Drops impacts after a time. Returns how many are left. */
static int64_t drop_later(float *times, int64_t count, float max_time)
{
    int64_t left = 0;
    for (int64_t i = 0; i < count; i++) {
        const bool is_left = times[i] <= max_time;
        times[i] = is_left ? times[i] : INFINITY;
        left += is_left;
    }
    return left;
}

static void find_times(const PliantSweepPairs *def, float *times, PliImpactCounts *found)
{
    const PliGivenPairs given = given_of(def);
    const PliImpactPairs pairs = {.kind = def->kind == PLIANT_EDGE_EDGE ? PLI_EDGE_EDGE
                                                                        : PLI_VERTEX_TRIANGLE,
                                  .start = def->start,
                                  .end = def->end,
                                  .pairs = def->pairs,
                                  .count = def->pair_count};
    const PliApproaches approaches = {.distances = def->distances,
                                      .distance = pli_given_distance(&given),
                                      .until = def->max_time};
    PliKernels kernels;
    pli_kernels_fill(&kernels, def->cpu_mask);
    if (approaches.distance > 0)
        pli_pairs_approach(&kernels, &pairs, &approaches, times, found);
    else
        pli_pairs_impact(&kernels, &pairs, times, found);
    found->touching = drop_later(times, def->pair_count, def->max_time);
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

    PliImpactCounts found = {0};
    const PliFpMode caller = pli_fp_enter();
    find_times(&def, times, &found);
    pli_fp_leave(caller);
    if (counts)
        add_counts(counts, &found);
    return PLIANT_OK;
}
