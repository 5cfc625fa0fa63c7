/* Impacts of pairs that were made to mislead the filters, in double and in float32.
 *
 * They touch, and yet all coefficients of the determinant, or of a side of the polygon, are
 * computed with the sign of pairs that do not. The rows come from annealing over float32 points of
 * how far beyond zero that is, in units u of the product of sizes that the bounds are made of:
 *
 *     float32, coefficients over the whole step       9 to 11 u of a bound of 192 u
 *     float32, coefficients over an eighth            34 to 38 u of 512 u
 *     float32, sides over an eighth                   1.8 to 3.4 u of 48 u
 *     double, coefficients over the whole step        2.3 to 5.3 u of 192 u
 *     double, sides over the whole step               1.06 u of 48 u
 *
 * Then there are two in which products of float32 underflow, four that have more intervals than are
 * tested in double, and one in which differences of products overflow.
 *
 * The rest of a bound is what no input uses that was found. Roundings would have to go one way in
 * all of up to 18 products, and be as large as they can be in each. */
#include "geom/approach.h"
#include "kernels/kernels.h"
#include "sweep_classes.h"
#include "unit.h"

static const struct {
    PliImpactKind kind;
    float start[12], end[12];
    float time;
} hard[] = {
    {PLI_VERTEX_TRIANGLE,
     {-0x1.904866p-4f, -0x1.8a09cp-4f, 0x1.973f46p-4f, -0x1.480428p-11f, 0x1.d61326p-10f,
      0x1.fa31c2p-10f, -0x1.ff339p-1f, -0x1.005076p+0f, 0x1.00f6ep+0f, 0x1.81b7f2p-10f,
      -0x1.69bec6p-10f, -0x1.06f776p-13f},
     {-0x1.90486ep-4f, -0x1.8a09cp-4f, 0x1.973f44p-4f, -0x1.480428p-11f, 0x1.d92f64p-10f,
      0x1.fa306ep-10f, -0x1.99ee08p-1f, -0x1.005076p+0f, 0x1.0ab73ap+0f, 0x1.81b7f2p-10f,
      -0x1.6a20e6p-10f, -0x1.06f778p-13f},
     0x1.4ad2a4p-22f},
    {PLI_EDGE_EDGE,
     {0x1.5d6adap-6f, 0x1.825222p-6f, 0x1.0a6552p-5f, 0x1.59dcd4p-5f, 0x1.bf7fap-6f, 0x1.a92574p-5f,
      0x1.1cdec2p-1f, 0x1.1210dep-1f, -0x1.e85fe8p-2f, -0x1.d09a3p-2f, -0x1.cbff4p-2f,
      0x1.0f1c36p-1f},
     {0x1.5d6adap-6f, 0x1.824bcp-6f, 0x1.0a655ep-5f, 0x1.4f9796p-5f, 0x1.1d57d6p-6f, 0x1.a92574p-5f,
      0x1.1cdec2p-1f, 0x1.1210dep-1f, -0x1.d6e058p-2f, -0x1.3281b4p-2f, -0x1.dd33ecp-2f,
      0x1.0f9492p-1f},
     0x1.dec016p-29f},
    {PLI_VERTEX_TRIANGLE,
     {-0x1.3504a8p-1f, -0x1.34774ep-1f, 0x1.344ec6p-1f, 0x1.7bfaf8p-10f, 0x1.46088ap-17f,
      -0x1.0005d6p-10f, 0x1.a721bap-9f, -0x1.2a704ap-9f, -0x1.80b736p-9f, -0x1.00969p+0f,
      -0x1.fe8dbap-1f, 0x1.ffe4c8p-1f},
     {-0x1.342d92p-1f, -0x1.34775p-1f, 0x1.b2013ap-8f, 0x1.c7b1fep-10f, 0x1.4e347ap-17f,
      -0x1.0005d6p-10f, 0x1.ab8912p-9f, -0x1.2a21fcp-9f, -0x1.80d6acp-9f, -0x1.bcd7eep-16f,
      -0x1.eaf02ap-1f, 0x1.feb6c6p-1f},
     0x1.051bdap-28f},
    {PLI_EDGE_EDGE,
     {-0x1.2efcdep-23f, 0x1.5b9a6ep-29f, -0x1.f6afe2p-15f, -0x1.ec345ep-29f, -0x1.89a5ap-41f,
      0x1.bf1a96p-43f, -0x1.27f5acp-6f, 0x1.0afbbp-17f, -0x1.753f3p-29f, 0x1.2d3e72p-21f,
      -0x1.8cebcap-42f, 0x1.06d9eap-22f},
     {-0x1.3e1066p-8f, 0x1.04eedcp-9f, -0x1.be6d0ap-9f, -0x1.fa3e48p-12f, -0x1.03cc54p-8f,
      0x1.4812fap-9f, -0x1.3d0328p-1f, -0x1.3ca022p-1f, 0x1.3b4f1ap-1f, 0x1.8d33b8p-2f,
      0x1.8d52c8p-2f, -0x1.8e129p-2f},
     0x1.fd96cep-1f},
    {PLI_VERTEX_TRIANGLE,
     {0x1.c16f9p-37f, 0x1.5e40b8p-16f, -0x1.0fe22cp-34f, -0x1.b17fb6p-44f, -0x1.d78f74p-29f,
      0x1.44191ap-39f, 0x1.187d9p-34f, -0x1.0c1ef4p-47f, -0x1.90badep-30f, -0x1.e16ecp-19f,
      -0x1.82f70cp-25f, 0x1.177552p-14f},
     {0x1.c16f9p-37f, -0x1.77da8p-26f, -0x1.f5f67ap-39f, -0x1.b1806p-44f, -0x1.e1c13ep-30f,
      -0x1.6495f8p-14f, 0x1.18766cp-34f, -0x1.0c1ef4p-47f, -0x1.196c3p-38f, -0x1.e16d68p-19f,
      -0x1.73da56p-10f, 0x1.1e1172p-25f},
     0x1.fff542p-1f},
    {PLI_EDGE_EDGE,
     {0x1.a465a6p-37f, -0x1.595222p-15f, 0x1.99901p-29f, 0x1.852f9p-17f, 0x1.54dbb8p-39f,
      -0x1.36c216p-24f, -0x1.06a938p-32f, 0x1.3d438p-39f, 0x1.884b8cp-28f, 0x1.1b2972p-36f,
      -0x1.9b5938p-37f, -0x1.be51d8p-27f},
     {0x1.608e3cp-37f, -0x1.0a4a74p-10f, -0x1.0bd2dcp-10f, -0x1.54a988p-29f, 0x1.54488cp-39f,
      0x1.5d4616p-35f, -0x1.068bfap-32f, 0x1.231f6cp-35f, 0x1.312126p-23f, -0x1.fce7dep-38f,
      -0x1.ae2d54p-37f, 0x1.b421ecp-39f},
     0x1.ffe412p-1f},
    {PLI_VERTEX_TRIANGLE,
     {0x1.d7667cp-4f, 0x1.da7c92p-4f, 0x1.da91eap-4f, 0x1.fe9a5ap-1f, 0x1.00fe74p+0f,
      0x1.010b7ap+0f, 0x1.77802ep-18f, -0x1.9a161ap-19f, -0x1.eb1c5cp-17f, 0x1.c4d19ap-17f,
      0x1.00824ep-20f, 0x1.a2fd18p-18f},
     {0x1.d65c6ap-4f, 0x1.0cc7bp-28f, 0x1.db37eep-4f, 0x1.2647e6p-17f, 0x1.66d6d4p-2f,
      0x1.e8e562p-1f, 0x1.754682p-18f, -0x1.88e4dcp-19f, -0x1.eb1c58p-17f, 0x1.52a7ecp-17f,
      -0x1.979f42p-5f, 0x1.bff59ap-18f},
     0x1.74211cp-40f},
    {PLI_EDGE_EDGE,
     {0x1.fe351p-1f, 0x1.fee624p-1f, -0x1.fe9fd4p-1f, -0x1.f975d2p-26f, -0x1.4f36a6p-26f,
      0x1.75e81cp-26f, 0x1.b1cf5p-3f, 0x1.b5d0dcp-12f, -0x1.b22a1ep-3f, 0x1.b1cf52p-3f,
      0x1.bf328p-3f, -0x1.b22a1ap-3f},
     {0x1.a3908ep-3f, 0x1.f911d2p-1f, -0x1.53e632p-1f, -0x1.37b926p-25f, -0x1.4f362ap-26f,
      0x1.3eb41ap-26f, 0x1.b1cfccp-3f, -0x1.7a5f54p-18f, -0x1.5875p-2f, 0x1.cae132p-3f,
      0x1.98e452p-3f, -0x1.7e0ee2p-3f},
     0x1.f57208p-59f},
    {PLI_VERTEX_TRIANGLE,
     {-0x1.5f8ca8p-32f, -0x1.ce26cep-38f, 0x1.39026ep-29f, 0x1.4dfdfep-30f, -0x1.70fa18p-14f,
      -0x1.a89d4cp-24f, -0x1.6688c8p-28f, 0x1.a5b626p-13f, 0x1.c51168p-32f, 0x1.b23cd4p-29f,
      0x1.d9c33p-9f, 0x1.957c4ap-44f},
     {-0x1.0accacp-33f, -0x1.3ee0e2p-38f, 0x1.3dfb7ap-30f, 0x1.4dfe2cp-30f, 0x1.96a6a6p-2f,
      -0x1.949f74p-2f, -0x1.6688c8p-28f, -0x1.a039a6p-30f, 0x1.dd039ap-33f, 0x1.b23ccep-29f,
      0x1.7b8f34p-31f, 0x1.0d29a6p-29f},
     0x1.fffffep-1f},
    {PLI_VERTEX_TRIANGLE,
     {0x1.88141cp-2f, 0x1.eb9638p-2f, 0x1.83f34cp-2f, 0x0p+0f, 0x0p+0f, 0x0p+0f, 0x1.88141cp-1f,
      0x1.eb9638p-1f, 0x1.83f34cp-1f, 0x1.2p-146f, 0x1p-146f, 0x1.4p-146f},
     {0x1.88141cp-2f, 0x1.eb9638p-2f, 0x1.83f34cp-2f, 0x0p+0f, 0x0p+0f, 0x0p+0f, 0x1.88141cp-1f,
      0x1.eb9638p-1f, 0x1.83f34cp-1f, 0x1.2p-146f, 0x1p-146f, 0x1.4p-146f},
     0x0p+0f},
    {PLI_EDGE_EDGE,
     {-0x1.fc21d2p-1f, -0x1.1e4c4cp-1f, -0x1.e4d704p-1f, 0x1.fc21d2p-1f, 0x1.1e4c4cp-1f,
      0x1.e4d704p-1f, 0x1.4p-146f, 0x1.8p-148f, 0x1.8p-148f, -0x1.4p-146f, -0x1.8p-148f,
      -0x1.8p-148f},
     {-0x1.fc21d2p-1f, -0x1.1e4c4cp-1f, -0x1.e4d704p-1f, 0x1.fc21d2p-1f, 0x1.1e4c4cp-1f,
      0x1.e4d704p-1f, 0x1.4p-146f, 0x1.8p-148f, 0x1.8p-148f, -0x1.4p-146f, -0x1.8p-148f,
      -0x1.8p-148f},
     0x0p+0f},
    {PLI_VERTEX_TRIANGLE,
     {0x1p+0f, 0x0p+0f, 0x0p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f, -0x1p+0f, -0x1p+0f, 0x0p+0f, 0x1p+0f,
      -0x1p+0f, 0x0p+0f},
     {0x0p+0f, 0x0p+0f, 0x0p+0f, -0x1p+0f, -0x1p+0f, -0x1p+0f, 0x0p+0f, 0x1p+0f, 0x0p+0f, 0x0p+0f,
      0x0p+0f, 0x0p+0f},
     0x1p+0f},
    {PLI_EDGE_EDGE,
     {0x1p+0f, -0x1p+0f, 0x1p+0f, -0x1p+0f, 0x0p+0f, 0x1p+1f, 0x1p+0f, 0x1p+0f, 0x0p+0f, -0x1p+1f,
      -0x1p+1f, -0x1p+0f},
     {-0x1p+0f, 0x0p+0f, 0x1p+0f, 0x0p+0f, -0x1p+0f, -0x1p+0f, 0x1p+0f, -0x1p+1f, 0x0p+0f, -0x1p+1f,
      0x1p+0f, -0x1p+1f},
     0x1p+0f},
    {PLI_VERTEX_TRIANGLE,
     {0x1p-2f, 0x1.e6p-1f, -0x1.e6p-1f, 0, 0, 0, 0x1p62f, 0x1.e6p63f, -0x1.e6p63f, 0x1p60f,
      0x1.e6p63f, 0x1.e6p63f},
     {0x1p-2f, 0x1.e6p-1f, -0x1.e6p-1f, 0, 0, 0, 0x1p62f, 0x1.e6p63f, -0x1.e6p63f, 0x1p60f,
      0x1.e6p63f, 0x1.e6p63f},
     0},
    {PLI_VERTEX_TRIANGLE,
     {0, -3, 3, 0, 0, 2, 0, 0, 0, 0, -2, 1},
     {0, -2, 1, 0, -2, 1, 0, -3, 3, 0, 0, 2},
     1},
    {PLI_EDGE_EDGE,
     {1, 0, 2, 0, 0, 2, -1, 0, 1, 0, 0, -1},
     {0, 1, 0, 0, 1, -1, 0, 1, 0, -1, 1, 2},
     1},
};

enum { COUNT = sizeof hard / sizeof *hard };

static void test_hard_pairs(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        const float *start[4], *end[4];
        int64_t exact_count = 0;
        for (int k = 0; k < 4; k++) {
            start[k] = hard[i].start + 3 * k;
            end[k] = hard[i].end + 3 * k;
        }
        if (pli_impact_exact(hard[i].kind, start, end) != hard[i].time)
            fail_msg("pair %d is wrong by integers", i);
        if (pli_impact(hard[i].kind, start, end, &exact_count) != hard[i].time)
            fail_msg("pair %d is wrong in double", i);
    }
}

static void test_hard_filters(void **state)
{
    (void)state;
    static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                     PLIANT_CPU_AVX512};
    static const uint32_t pair[4] = {0, 1, 2, 3};
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        PliKernels kernels;
        pli_kernels_fill(&kernels, masks[m]);
        for (int i = 0; i < COUNT; i++) {
            const bool are_edges = hard[i].kind == PLI_EDGE_EDGE;
            uint8_t first, second;
            const PliApart touching = {1, 0};
            kernels.filter_impacts(hard[i].start, hard[i].end, are_edges, pair, 1, touching,
                                   &first);
            kernels.filter_impact_parts(hard[i].start, hard[i].end, are_edges, pair, 1, touching,
                                        &second);
            float time;
            kernels.time_impacts(hard[i].start, hard[i].end, are_edges, pair, 1, &time);
            if (!first || !second)
                fail_msg("pair %d with %s is filtered out", i, pliant_cpu_name(masks[m]));
            if (time >= 0 && time != hard[i].time)
                fail_msg("pair %d with %s is wrong", i, pliant_cpu_name(masks[m]));
        }
    }
}

/* Two edges, of which three ends have one coordinate in common at both ends of the step, and the
 * fourth one is above: they touch where a point crosses a line, at the border of both. Doubles tell
 * that, and integers say the same. */
static void test_points_in_a_plane(void **state)
{
    (void)state;
    SceneRandom random = {5};
    int64_t exact_count = 0;
    int touching = 0;
    for (int i = 0; i < 1000; i++) {
        float points[2][12];
        const float *start[4], *end[4];
        const int axis = i % 3;
        for (int k = 0; k < 24; k++)
            points[k / 12][k % 12] = (float)(2 * scene_random(&random) - 1);
        for (int k = 0; k < 4; k++) {
            points[0][3 * k + axis] = k < 3 ? 0.5f : 2;
            points[1][3 * k + axis] = k < 3 ? 0.75f : 2.25f;
        }
        for (int k = 0; k < 4; k++) {
            start[k] = points[0] + 3 * k;
            end[k] = points[1] + 3 * k;
        }
        const float time = pli_impact(PLI_EDGE_EDGE, start, end, &exact_count);
        touching += time <= 1;
        if (time != pli_impact_exact(PLI_EDGE_EDGE, start, end))
            fail_msg("pair %d is wrong", i);
    }
    assert_true(touching > 100);
    assert_true(exact_count < 10);
}

/* What touches comes within any distance, no later. The distance is far less than points are
 * rounded by. */
static void test_approaches(void **state)
{
    (void)state;
    for (int c = 0; c < SWEEP_CLASS_COUNT; c++) {
        SceneRandom random = {(uint64_t)c};
        for (int i = 0; i < 200 && c != SWEEP_nonfinite; i++) {
            SweepQuery query;
            const float *start[4], *end[4];
            int64_t exact_count = 0;
            sweep_query((SweepClass)c, &random, &query);
            for (int k = 0; k < 4; k++) {
                start[k] = query.start + 3 * k;
                end[k] = query.end + 3 * k;
            }
            const PliImpactKind kind = query.are_edges ? PLI_EDGE_EDGE : PLI_VERTEX_TRIANGLE;
            const float time = pli_impact(kind, start, end, &exact_count);
            if (time <= 1 && pli_approach(kind, start, end, 0x1p-140f, 1) > time)
                fail_msg("query %d of class %s is late", i, sweep_class_name((SweepClass)c));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hard_pairs),
        cmocka_unit_test(test_hard_filters),
        cmocka_unit_test(test_points_in_a_plane),
        cmocka_unit_test(test_approaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
