/* libFuzzer: any bytes as two triangles, through every way of asking, against each other and the
 * oracle.
 *
 * Input: 18 floats, then 6 bytes that say which corners are the same vertex. What is missing is
 * zero. */
#include "kernels/kernels.h"
#include <pliant/pliant.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAS_JUDGE
#include "oracle.h"
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool condition)
{
    if (!condition)
        abort();
}

static void rotate(const float *t, int by, float *to)
{
    for (int i = 0; i < 3; i++)
        memcpy(to + 3 * i, t + 3 * ((i + by) % 3), 3 * sizeof *t);
}

static void check_pair(const float *a, const float *b)
{
    bool intersect = pliant_triangles_intersect(a, b);
    must(pliant_triangles_intersect(b, a) == intersect);
    for (int by = 1; by < 3; by++) {
        float p[9], q[9];
        rotate(a, by, p);
        rotate(b, by, q);
        must(pliant_triangles_intersect(p, b) == intersect);
        must(pliant_triangles_intersect(q, p) == intersect);
    }

    PliantTrianglePairs def = pliant_triangle_pairs_default();
    def.a = a;
    def.b = b;
    def.a_count = def.b_count = 1;
    def.pairs = (const uint32_t[2]){0, 0};
    def.pair_count = 1;
    for (uint32_t mask = 0; mask < 8; mask = mask * 2 + 1) {
        uint8_t intersects;
        def.cpu_mask = mask;
        must(pliant_triangle_pairs_intersect(&def, &intersects, 1, NULL) == PLIANT_OK);
        must(intersects == intersect);
    }

    bool is_finite = true;
    for (int i = 0; i < 9; i++)
        is_finite &= isfinite(a[i]) && isfinite(b[i]);
    must(is_finite || !intersect);
#ifdef HAS_JUDGE
    if (is_finite)
        must(oracle_gmp_intersect(a, b) == intersect);
#endif
}

/* Corner j of b becomes corner i of a where a byte says so. */
static void check_shared(const float *a, float *b, const uint8_t *bytes)
{
    const uint32_t a_vertices[3] = {0, 1, 2};
    uint32_t b_vertices[3] = {3, 4, 5};
    for (int j = 0; j < 3; j++) {
        if (bytes[j] >= 3)
            continue;
        b_vertices[j] = bytes[j];
        memcpy(b + 3 * j, a + 3 * bytes[j], 3 * sizeof *b);
    }
    bool beyond = pliant_triangles_intersect_beyond_shared(a, a_vertices, b, b_vertices);
    must(pliant_triangles_intersect_beyond_shared(b, b_vertices, a, a_vertices) == beyond);
    must(!beyond || pliant_triangles_intersect(a, b));
#ifdef HAS_JUDGE
    int shared[3], shared_count = 0;
    for (int j = 0; j < 3; j++)
        if (b_vertices[j] < 3)
            shared[shared_count++] = (int)b_vertices[j];
    bool is_finite = true;
    for (int i = 0; i < 9; i++)
        is_finite &= isfinite(a[i]) && isfinite(b[i]);
    if (is_finite)
        must(oracle_gmp_intersect_beyond(a, b, shared_count, shared) == beyond);
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct {
        float a[9], b[9];
        uint8_t bytes[6];
    } input;
    memset(&input, 0, sizeof input);
    memcpy(&input, data, size < sizeof input ? size : sizeof input);
    check_pair(input.a, input.b);
    check_shared(input.a, input.b, input.bytes);
    return 0;
}
