/* The classes of pairs: see pairs.h. */
#include "pairs.h"

#include <math.h>
#include <string.h>

static const char *const class_names[] = {
#define CLASS_NAME(name, text) #name,
    TEST_PAIR_CLASSES(CLASS_NAME)
#undef CLASS_NAME
};

const char *test_pair_class_name(TestPairClass pair_class)
{
    return class_names[pair_class];
}

float test_random_float(SceneRandom *random)
{
    return (float)((double)(scene_random_bits(random) >> 32) * 0x1p-31 - 1);
}

float test_random_bits_float(SceneRandom *random)
{
    uint32_t bits;
    do
        bits = (uint32_t)scene_random_bits(random);
    while ((bits & 0x7f800000) == 0x7f800000);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- Small helpers ----------------------------------------------------------------------- */

static int whole(SceneRandom *random, int low, int high)
{
    return low + (int)scene_random_below(random, (uint32_t)(high - low + 1));
}

static void copy_corner(float *to, const float *from)
{
    memcpy(to, from, 3 * sizeof *to);
}

static void random_corners(SceneRandom *random, float t[9])
{
    for (int i = 0; i < 9; i++)
        t[i] = test_random_float(random);
}

static void whole_corners(SceneRandom *random, float t[9], int low, int high)
{
    for (int i = 0; i < 9; i++)
        t[i] = (float)whole(random, low, high);
}

static void swap_triangles(float a[9], float b[9])
{
    for (int i = 0; i < 9; i++) {
        float t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

/* A random mantissa with an exponent in this range. Here as everywhere in this file: one random
 * number a statement, since the order of evaluation within one is the compiler's choice. */
static float in_range(SceneRandom *random, int low, int high)
{
    float mantissa = test_random_float(random);
    return ldexpf(mantissa, whole(random, low, high));
}

static void whole_triple(SceneRandom *random, int low, int high, int triple[3])
{
    for (int k = 0; k < 3; k++)
        triple[k] = whole(random, low, high);
}

/* The point with random weights in the triangle, on an edge of it if `is_on_edge`, rounded. */
static void point_in(SceneRandom *random, const float t[9], bool is_on_edge, float point[3])
{
    double w[3];
    for (int i = 0; i < 3; i++)
        w[i] = scene_random(random);
    if (is_on_edge)
        w[scene_random_below(random, 3)] = 0;
    double sum = w[0] + w[1] + w[2];
    for (int k = 0; k < 3; k++)
        point[k] = (float)((w[0] * t[k] + w[1] * t[3 + k] + w[2] * t[6 + k]) / sum);
}

static void scale_axes(float a[9], float b[9], const int exponents[3])
{
    for (int i = 0; i < 9; i++) {
        a[i] = ldexpf(a[i], exponents[i % 3]);
        b[i] = ldexpf(b[i], exponents[i % 3]);
    }
}

/* ---- Classes ----------------------------------------------------------------------------- */

static void make_random(SceneRandom *random, float a[9], float b[9])
{
    random_corners(random, a);
    random_corners(random, b);
}

static void make_around(SceneRandom *random, float a[9], float b[9], const double center[3],
                        double size)
{
    for (int i = 0; i < 9; i++) {
        a[i] = (float)(center[i % 3] + size * test_random_float(random));
        b[i] = (float)(center[i % 3] + size * test_random_float(random));
    }
}

static void make_near(SceneRandom *random, float a[9], float b[9])
{
    double center[3];
    for (int k = 0; k < 3; k++)
        center[k] = test_random_float(random);
    make_around(random, a, b, center, 0.02);
}

static void make_far(SceneRandom *random, float a[9], float b[9])
{
    double center[3] = {1000 * test_random_float(random), 1000, -1000};
    make_around(random, a, b, center, ldexp(1, whole(random, -13, -6)));
}

static void make_on_face(SceneRandom *random, float a[9], float b[9])
{
    make_random(random, a, b);
    point_in(random, a, false, b);
}

static void make_on_edge(SceneRandom *random, float a[9], float b[9])
{
    make_random(random, a, b);
    float touched[3];
    point_in(random, a, true, touched);
    for (int k = 0; k < 3; k++)
        b[3 + k] = 2 * touched[k] - b[k];
}

static void make_near_coplanar(SceneRandom *random, float a[9], float b[9])
{
    double u[3], v[3], o[3];
    for (int k = 0; k < 3; k++) {
        u[k] = test_random_float(random);
        v[k] = test_random_float(random);
        o[k] = test_random_float(random);
    }
    for (int i = 0; i < 6; i++) {
        double s = test_random_float(random), t = test_random_float(random);
        float *corner = i < 3 ? a + 3 * i : b + 3 * (i - 3);
        for (int k = 0; k < 3; k++)
            corner[k] = (float)(o[k] + s * u[k] + t * v[k]);
    }
}

static void make_needle(SceneRandom *random, float t[9])
{
    random_corners(random, t);
    if (whole(random, 0, 1))
        point_in(random, t, true, t);
    else
        copy_corner(t, t + 3);
    for (int k = 0; k < 3; k++)
        t[k] += in_range(random, -26, -10);
}

static void make_needles(SceneRandom *random, float a[9], float b[9])
{
    make_needle(random, a);
    if (whole(random, 0, 1))
        make_needle(random, b);
    else
        random_corners(random, b);
    /* Together, so that some of them intersect. */
    if (whole(random, 0, 1)) {
        float touched[3], mine[3];
        point_in(random, a, false, touched);
        point_in(random, b, false, mine);
        for (int i = 0; i < 9; i++)
            b[i] += touched[i % 3] - mine[i % 3];
    }
}

static void make_grid_coplanar(SceneRandom *random, float a[9], float b[9])
{
    whole_corners(random, a, 0, 4);
    whole_corners(random, b, 0, 4);
    int axis = whole(random, 0, 2), height = whole(random, -1, 1);
    for (int i = axis; i < 9; i += 3)
        a[i] = b[i] = (float)height;
}

static void make_plane_coplanar(SceneRandom *random, float a[9], float b[9])
{
    int range = whole(random, 0, 1) ? 9 : 999, u[3], v[3], o[3];
    for (int k = 0; k < 3; k++) {
        u[k] = whole(random, -range, range);
        v[k] = whole(random, -range, range);
        o[k] = whole(random, -range, range);
    }
    int steps = whole(random, 1, 6);
    for (int i = 0; i < 6; i++) {
        int s = whole(random, -steps, steps), t = whole(random, -steps, steps);
        float *corner = i < 3 ? a + 3 * i : b + 3 * (i - 3);
        for (int k = 0; k < 3; k++)
            corner[k] = (float)(o[k] + s * u[k] + t * v[k]);
    }
}

static void make_grid(SceneRandom *random, float a[9], float b[9])
{
    int size = whole(random, 1, 5);
    whole_corners(random, a, 0, size);
    whole_corners(random, b, 0, size);
}

static void make_base(SceneRandom *random, float a[9], float b[9])
{
    if (whole(random, 0, 1))
        make_random(random, a, b);
    else
        make_grid(random, a, b);
}

static void make_shared_vertex(SceneRandom *random, float a[9], float b[9])
{
    make_base(random, a, b);
    int i = whole(random, 0, 2), j = whole(random, 0, 2);
    copy_corner(b + 3 * j, a + 3 * i);
}

static void make_shared_edge(SceneRandom *random, float a[9], float b[9])
{
    make_base(random, a, b);
    int i = whole(random, 0, 2), j = whole(random, 0, 2), turn = whole(random, 1, 2);
    copy_corner(b + 3 * j, a + 3 * i);
    copy_corner(b + 3 * ((j + turn) % 3), a + 3 * ((i + 1) % 3));
}

static void make_identical(SceneRandom *random, float a[9], float b[9])
{
    make_base(random, a, b);
    int start = whole(random, 0, 2), turn = whole(random, 1, 2);
    for (int i = 0; i < 3; i++)
        copy_corner(b + 3 * i, a + 3 * ((start + turn * i) % 3));
}

/* Zero area: three whole points on a line, or one corner twice. */
static void make_segment(SceneRandom *random, float t[9])
{
    whole_corners(random, t, -3, 3);
    if (whole(random, 0, 2) == 0) {
        copy_corner(t + 3 * whole(random, 1, 2), t);
        return;
    }
    int direction[3];
    whole_triple(random, -2, 2, direction);
    for (int i = 1; i < 3; i++) {
        int steps = whole(random, -3, 3);
        for (int k = 0; k < 3; k++)
            t[3 * i + k] = t[k] + (float)(steps * direction[k]);
    }
}

static void make_segments(SceneRandom *random, float a[9], float b[9])
{
    make_segment(random, a);
    if (whole(random, 0, 1))
        make_segment(random, b);
    else
        whole_corners(random, b, -3, 3);
    if (whole(random, 0, 1))
        swap_triangles(a, b);
}

static void make_points(SceneRandom *random, float a[9], float b[9])
{
    make_segments(random, a, b);
    copy_corner(a + 3, a);
    copy_corner(a + 6, a);
    switch (whole(random, 0, 3)) {
    case 0: /* at a corner of the other */
        copy_corner(b + 3 * whole(random, 0, 2), a);
        break;
    case 1: /* two points */
        whole_corners(random, b, 0, 1);
        whole_corners(random, a, 0, 1);
        for (int i = 1; i < 3; i++) {
            copy_corner(a + 3 * i, a);
            copy_corner(b + 3 * i, b);
        }
        break;
    default:
        break;
    }
    if (whole(random, 0, 1))
        swap_triangles(a, b);
}

static void make_bits(SceneRandom *random, float a[9], float b[9])
{
    for (int i = 0; i < 9; i++) {
        a[i] = test_random_bits_float(random);
        b[i] = test_random_bits_float(random);
    }
}

static void make_diagonal(SceneRandom *random, float a[9], float b[9])
{
    make_bits(random, a, b);
    /* Often with exponents closer together, about where the narrow integers end. */
    if (whole(random, 0, 1)) {
        int window = whole(random, 4, 44);
        for (int i = 0; i < 9; i++) {
            a[i] = in_range(random, -window / 2, window / 2);
            b[i] = in_range(random, -window / 2, window / 2);
        }
    }
    bool is_line = whole(random, 0, 3) == 0;
    for (int i = 0; i < 9; i += 3) {
        a[i + 1] = a[i];
        b[i + 1] = b[i];
        if (is_line) {
            a[i + 2] = a[i];
            b[i + 2] = b[i];
        }
    }
    /* One coordinate elsewhere, now and then. */
    if (whole(random, 0, 2) == 0)
        b[1] = whole(random, 0, 1) ? test_random_bits_float(random) : nextafterf(b[1], 0);
}

static void make_huge(SceneRandom *random, float a[9], float b[9])
{
    make_base(random, a, b);
    scale_axes(a, b, (int[3]){125, 125, 125});
}

static void make_tiny(SceneRandom *random, float a[9], float b[9])
{
    int size = 1 << whole(random, 1, 5);
    whole_corners(random, a, -size, size);
    whole_corners(random, b, -size, size);
    scale_axes(a, b, (int[3]){-149, -149, -149});
}

static void make_denormal_border(SceneRandom *random, float a[9], float b[9])
{
    whole_corners(random, a, 0, 9);
    whole_corners(random, b, 0, 9);
    int exponent = whole(random, -130, -126);
    scale_axes(a, b, (int[3]){exponent, exponent, exponent});
}

static void make_small(SceneRandom *random, float a[9], float b[9])
{
    if (whole(random, 0, 1))
        make_random(random, a, b);
    else
        make_near_coplanar(random, a, b);
    int exponent = whole(random, -60, -30);
    scale_axes(a, b, (int[3]){exponent, exponent, exponent});
}

static void make_sizes(SceneRandom *random, float a[9], float b[9])
{
    make_base(random, a, b);
    float at[3], scale = ldexpf(1, -whole(random, 4, 30));
    point_in(random, a, whole(random, 0, 1), at);
    for (int i = 0; i < 9; i++)
        b[i] = at[i % 3] + scale * b[i];
    if (whole(random, 0, 1))
        swap_triangles(a, b);
}

static void make_special(SceneRandom *random, float a[9], float b[9])
{
    static const float special[] = {0,
                                    1,
                                    2,
                                    3,
                                    -0.0f,
                                    0x1p-149f,
                                    0x1p-126f,
                                    0x1.fffffep-127f,
                                    0x1p-75f,
                                    0x1p-50f,
                                    0x1p-24f,
                                    0x1p64f,
                                    0x1p100f,
                                    0x1.8p127f,
                                    0x1.fffffep127f};
    int count = whole(random, 2, sizeof special / sizeof *special);
    for (int i = 0; i < 18; i++) {
        float value = special[whole(random, 0, count - 1)];
        *(i < 9 ? a + i : b + i - 9) = whole(random, 0, 1) ? -value : value;
    }
}

static void make_nudged(SceneRandom *random, float a[9], float b[9])
{
    make_grid(random, a, b);
    float *moved = a + whole(random, 0, 8);
    *moved = nextafterf(*moved, whole(random, 0, 1) ? 10 : -10);
}

static void make_scaled(SceneRandom *random, float a[9], float b[9])
{
    test_pair((TestPairClass)whole(random, TEST_PAIR_random, TEST_PAIR_points), random, a, b);
    int exponents[3];
    whole_triple(random, -130, 110, exponents);
    scale_axes(a, b, exponents);
}

void test_pair(TestPairClass pair_class, SceneRandom *random, float a[9], float b[9])
{
    static void (*const makers[])(SceneRandom *, float *, float *) = {
#define CLASS_MAKER(name, text) make_##name,
        TEST_PAIR_CLASSES(CLASS_MAKER)
#undef CLASS_MAKER
    };
    makers[pair_class](random, a, b);
}
