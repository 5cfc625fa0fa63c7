/* The public calls of pliant/triangles.h: checks, floating-point modes, and on to geom and kernels.
 */
#include "base/cpu.h"
#include "base/memory.h"
#include "geom/geom.h"
#include "geom/orient.h"
#include "kernels/batch.h"
#include <pliant/triangles.h>

#include <inttypes.h>

/* ---- Signs ------------------------------------------------------------------------------- */

/* Each public call hands over to a function that is not inlined, so that no arithmetic, and no
 * comparison either, is done where the caller's floating-point modes hold. */
static PLI_NOINLINE int orient3d(const float *a, const float *b, const float *c, const float *d)
{
    PliCounts unused = {0};
    if (!pli_is_finite(a, 3) || !pli_is_finite(b, 3) || !pli_is_finite(c, 3) ||
        !pli_is_finite(d, 3))
        return 0;
    return pli_orient3d(a, b, c, d, &unused);
}

int pliant_orient3d(const float a[3], const float b[3], const float c[3], const float d[3])
{
    if (!a || !b || !c || !d)
        return 0;
    PliFpMode caller = pli_fp_enter();
    int sign = orient3d(a, b, c, d);
    pli_fp_leave(caller);
    return sign;
}

static PLI_NOINLINE int orient2d(const float *a, const float *b, const float *c)
{
    PliCounts unused = {0};
    if (!pli_is_finite(a, 2) || !pli_is_finite(b, 2) || !pli_is_finite(c, 2))
        return 0;
    return pli_orient2d(a, b, c, 0, 1, &unused);
}

int pliant_orient2d(const float a[2], const float b[2], const float c[2])
{
    if (!a || !b || !c)
        return 0;
    PliFpMode caller = pli_fp_enter();
    int sign = orient2d(a, b, c);
    pli_fp_leave(caller);
    return sign;
}

/* ---- One pair ---------------------------------------------------------------------------- */

bool pliant_triangles_intersect(const float a[9], const float b[9])
{
    if (!a || !b)
        return false;
    PliCounts unused = {0};
    PliFpMode caller = pli_fp_enter();
    const bool do_intersect = pli_triangles_intersect(a, b, &unused);
    pli_fp_leave(caller);
    return do_intersect;
}

bool pliant_triangles_intersect_beyond_shared(const float a[9], const uint32_t a_vertices[3],
                                              const float b[9], const uint32_t b_vertices[3])
{
    if (!a || !a_vertices || !b || !b_vertices)
        return false;
    PliCounts unused = {0};
    PliFpMode caller = pli_fp_enter();
    const bool do_intersect =
        pli_triangles_intersect_beyond_shared(a, a_vertices, b, b_vertices, &unused);
    pli_fp_leave(caller);
    return do_intersect;
}

/* ---- Many pairs -------------------------------------------------------------------------- */

/* The records as they were first published: a caller's cannot be shorter. */
#define PAIRS_SIZE PLI_RECORD_SIZE(PliantTrianglePairs, host)
#define COUNTS_SIZE PLI_RECORD_SIZE(PliantTriangleCounts, exact2_wide)

static PliantResult check_pairs(const PliCall *call, const PliantTrianglePairs *def,
                                const uint8_t *results, int64_t capacity)
{
    PLI_CHECK(call, def->a_count >= 0, PLIANT_BAD_ARGUMENT, "def.a_count is %" PRId32,
              def->a_count);
    PLI_CHECK(call, def->b_count >= 0, PLIANT_BAD_ARGUMENT, "def.b_count is %" PRId32,
              def->b_count);
    PLI_CHECK(call, def->pair_count >= 0, PLIANT_BAD_ARGUMENT, "def.pair_count is %" PRId64,
              def->pair_count);
    PLI_CHECK(call, def->pair_count <= PTRDIFF_MAX / 8, PLIANT_TOO_LARGE,
              "def.pair_count is %" PRId64, def->pair_count);
    PLI_CHECK(call, capacity >= def->pair_count, PLIANT_BAD_ARGUMENT,
              "capacity is %" PRId64 ", def.pair_count is %" PRId64, capacity, def->pair_count);
    if (def->pair_count == 0)
        return PLIANT_OK;
    PLI_CHECK(call, def->a, PLIANT_BAD_ARGUMENT, "def.a is NULL");
    PLI_CHECK(call, def->b, PLIANT_BAD_ARGUMENT, "def.b is NULL");
    PLI_CHECK(call, def->pairs, PLIANT_BAD_ARGUMENT, "def.pairs is NULL");
    PLI_CHECK(call, results, PLIANT_BAD_ARGUMENT, "results is NULL");

    /* Once over all, without branches: a difference below zero leaves its sign. And again, if there
     * is one, to find the first. */
    uint32_t a_count = (uint32_t)def->a_count, b_count = (uint32_t)def->b_count;
    int64_t a_last = (int64_t)a_count - 1, b_last = (int64_t)b_count - 1, signs = 0;
    for (int64_t i = 0; i < def->pair_count; i++)
        signs |= (a_last - def->pairs[2 * i]) | (b_last - def->pairs[2 * i + 1]);
    bool is_bad = signs < 0;
    for (int64_t i = 0; is_bad && i < def->pair_count; i++) {
        uint32_t a = def->pairs[2 * i], b = def->pairs[2 * i + 1];
        PLI_CHECK(call, a < a_count, PLIANT_BAD_INDEX,
                  "def.pairs[%" PRId64 "] is %" PRIu32 ", def.a_count is %" PRIu32, 2 * i, a,
                  a_count);
        PLI_CHECK(call, b < b_count, PLIANT_BAD_INDEX,
                  "def.pairs[%" PRId64 "] is %" PRIu32 ", def.b_count is %" PRIu32, 2 * i + 1, b,
                  b_count);
    }
    return PLIANT_OK;
}

/* Adds the counts of a call to those of the caller. */
static void add_counts(PliantTriangleCounts *counts, const PliCounts *found)
{
    PliantTriangleCounts sums = pliant_triangle_counts_default();
    (void)pli_record_read(&sums, sizeof sums, COUNTS_SIZE, counts, counts->struct_size);
    sums.pairs += found->pairs;
    sums.intersecting += found->intersecting;
    sums.undecided += found->undecided;
    sums.flat += found->flat;
    sums.nonfinite += found->nonfinite;
    sums.exact3_narrow += found->exact3_narrow;
    sums.exact3_wide += found->exact3_wide;
    sums.exact2_narrow += found->exact2_narrow;
    sums.exact2_wide += found->exact2_wide;
    (void)pli_record_write(counts, COUNTS_SIZE, &sums, sizeof sums);
}

PliantResult pliant_triangle_pairs_intersect(const PliantTrianglePairs *caller_def,
                                             uint8_t *results, int64_t capacity,
                                             PliantTriangleCounts *counts)
{
    const PliCall nobody = PLI_CALL(NULL);
    PLI_CHECK(&nobody, caller_def, PLIANT_BAD_ARGUMENT, "def is NULL");
    PliantTrianglePairs def = pliant_triangle_pairs_default();
    bool is_read =
        pli_record_read(&def, sizeof def, PAIRS_SIZE, caller_def, caller_def->struct_size);
    const PliCall call = PLI_CALL(def.host);
    PLI_CHECK(&call, is_read, PLIANT_BAD_DEF,
              "def.struct_size is %zu: start from pliant_triangle_pairs_default()",
              caller_def->struct_size);
    PliantHost host;
    PLI_TRY(pli_host_check(&call, def.host, &host));
    PLI_TRY(check_pairs(&call, &def, results, capacity));
    if (counts)
        PLI_CHECK_OUTPUT(&call, "counts", "pliant_triangle_counts_default", counts, COUNTS_SIZE);

    PliKernels kernels;
    pli_kernels_fill(&kernels, def.cpu_mask);
    PliCounts found = {0};
    PliFpMode caller = pli_fp_enter();
    pli_pairs_intersect(&kernels, def.a, def.b, def.pairs, def.pair_count, results, &found);
    pli_fp_leave(caller);
    if (counts)
        add_counts(counts, &found);
    return PLIANT_OK;
}
