/* Signs: known answers, and input that needs the whole of the filters' constants.
 *
 * The hard rows were found by simulated annealing on the ratio of |det| to u P' under a wrong
 * computed sign. Two of the six products dominate and cancel in the last addition; they have no
 * difference in common, so that every rounding can push the same way; all intermediate values lie
 * just above a power of two, where half a unit in the last place is nearly u of the value; and one
 * point is tiny, with bits below the others' last, so that every difference rounds. The largest
 * ratios that were found are 5.9946 for orient3d (the bound allows for 7) and 2.9982 for orient2d
 * (3). */
#include "geom/orient.h"
#include "pairs.h"
#include "unit.h"

static void test_known_signs(void **state)
{
    (void)state;
    PliCounts counts = {0};
    const float a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 1, 0};
    for (int z = -1; z <= 1; z++) {
        const float d[3] = {0.25f, 0.25f, (float)z * 0x1p-149f};
        assert_int_equal(pli_orient3d(a, b, c, d, &counts), -z);
        assert_int_equal(pli_exact_orient3d(a, b, c, d, &counts), -z);
    }
    assert_int_equal(pli_orient2d(a, b, c, 0, 1, &counts), 1);
    assert_int_equal(pli_exact_orient2d(a, b, c, 0, 1, &counts), 1);
    assert_int_equal(pli_exact_orient2d(a, b, c, 1, 0, &counts), -1);
}

/* p, q, r, s, the exact sign; the ratio reached. */
static const struct {
    float points[12];
    int sign;
} hard3[] = {
    {{0x1.e932f4p-31f, -0x1.99c0b8p-32f, 0x1.683e22p-34f, 0x1.e93318p-31f, 0x1.0017ap0f,
      0x1.001e58p0f, 0x1.00091cp0f, -0x1.000d9ap0f, 0x1.68477cp-34f, -0x1.000efp0f, 0x1.23ca4ep-35f,
      -0x1.001a26p0f},
     1}, /* 5.9946 */
    {{0x1.dc2c6ep-34f, 0x1.a09d3p-37f, 0x1.602568p-32f, 0x1.dc2cbep-34f, -0x1.0012a4p-4f,
      -0x1.001a3ep0f, 0x1.00219p-1f, 0x1.000e22p-4f, 0x1.601552p-32f, -0x1.001d3ep-1f,
      -0x1.2fcf16p-32f, 0x1.00116ap0f},
     1}, /* 5.9936 */
    {{-0x1.6575c4p-31f, -0x1.5da744p-35f, 0x1.326208p-32f, -0x1.6575e8p-31f, -0x1.004674p0f,
      0x1.0025e8p0f, 0x1.003316p0f, 0x1.003132p0f, 0x1.32623p-32f, -0x1.00383ap0f, 0x1.4b08cep-30f,
      -0x1.0015ccp0f},
     1}, /* 5.9869 */
    {{-0x1.f4f4fp-29f, 0x1.0bd9e4p-40f, 0x1.c40798p-37f, -0x1.f4f48p-29f, 0x1.001512p-6f,
      -0x1.00267ep-5f, -0x1.004f4cp4f, -0x1.003a5p-6f, 0x1.c4079p-37f, 0x1.007766p4f,
      0x1.350ba6p-39f, 0x1.0073d8p-5f},
     -1}, /* 5.9803 */
    {{-0x1.fafedp-33f, -0x1.9bc11ep-34f, -0x1.4c0978p-32f, -0x1.fb00ep-33f, -0x1.0033d8p0f,
      -0x1.003dbp0f, -0x1.004a9cp0f, 0x1.0047dep0f, -0x1.4c0fcep-32f, 0x1.0077f8p0f,
      -0x1.dbcc8ap-30f, 0x1.007f14p0f},
     -1}, /* 5.9769 */
    {{-0x1.e0eaa8p-30f, 0x1.209308p-37f, -0x1.9d943ap-36f, -0x1.e0eaep-30f, -0x1.00454ep-5f,
      -0x1.0078ep-1f, 0x1.005006p2f, 0x1.002c1p-5f, -0x1.9d94fcp-36f, -0x1.008302p2f,
      0x1.08882ap-36f, 0x1.00929cp-1f},
     -1}, /* 5.9730 */
    {{-0x1.cd1fp-37f, 0x1.49642p-35f, -0x1.ac38cp-36f, 0.0f, -0x1.fff178p-1f, 0x1.fff178p-1f,
      -0x1.0007cp0f, 0x1.0007c6p0f, -0x1.8p-22f, 0x1.0001a6p0f, 0.0f, -0x1.0001a6p0f},
     0}, /* 4.9998 */
    {{-0x1.94a39p-31f, 0x1.17833p-40f, 0x1.f4818p-34f, 0.0f, -0x1.00225ap-6f, 0x1.00225ap2f,
      -0x1.ffed24p2f, 0x1.ffdfdp-7f, 0x1.aa8p-12f, 0x1.000fdcp3f, 0.0f, -0x1.000fdcp2f},
     0}, /* 4.9969 */
    {{0x1.63116p-35f, 0x1.3574ep-35f, -0x1.4c432p-34f, 0.0f, 0x1.001018p0f, -0x1.001018p0f,
      0x1.ffe98cp-1f, -0x1.0017p0f, 0x1.11dp-11f, -0x1.002126p0f, 0.0f, 0x1.002126p0f},
     0}, /* 4.9945 */
};

static void test_orient3d_needs_its_constant(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hard3 / sizeof *hard3; i++) {
        const float *p = hard3[i].points;
        PliCounts counts = {0};
        assert_int_equal(pli_orient3d(p, p + 3, p + 6, p + 9, &counts), hard3[i].sign);
        assert_int_equal(counts.exact3_narrow + counts.exact3_wide, 1); /* the filter knew */
    }
}

/* a, b, c, the exact sign; the ratio reached. */
static const struct {
    float points[6];
    int sign;
} hard2[] = {
    {{0x1.001406p0f, -0x1.001154p4f, -0x1.0016ap0f, 0x1.0013eep4f, 0x1.125ed6p-30f,
      -0x1.90611p-29f},
     1}, /* 2.9982 */
    {{0x1.00127cp-3f, -0x1.00213cp-6f, -0x1.0012eap-3f, 0x1.0021aap-6f, -0x1.2431eap-33f,
      0x1.660638p-38f},
     1}, /* 2.9976 */
    {{-0x1.000f9p0f, 0x1.000f4ep2f, 0x1.002bdap0f, -0x1.002b98p2f, -0x1.2eca26p-30f,
      0x1.1609a8p-30f},
     1}, /* 2.9973 */
    {{-0x1.002abap-5f, -0x1.00208cp0f, 0x1.002b2p-5f, 0x1.0020f2p0f, 0x1.05807ap-35f,
      0x1.872ad6p-30f},
     -1}, /* 2.9965 */
    {{-0x1.001c46p2f, 0x1.001c48p0f, 0x1.003052p2f, -0x1.003054p0f, -0x1.e97092p-28f,
      0x1.ee72d6p-30f},
     -1}, /* 2.9965 */
    {{0x1.002122p4f, -0x1.0036bcp-5f, -0x1.002148p4f, 0x1.0036e2p-5f, -0x1.843e8ep-26f,
      0x1.1dd11ap-35f},
     -1}, /* 2.9960 */
    {{-0x1.005aap0f, -0x1.10604ap0f, 0x1.00192p0f, 0x1.101ab2p0f, 0x1.12f7cp-35f, 0x1.24273cp-35f},
     0}, /* 2.8185 */
    {{0x1.00812p-3f, -0x1.108932p-5f, -0x1.001cp-3f, 0x1.101dcp-5f, -0x1.90dfcp-38f,
      0x1.a9edbcp-40f},
     0}, /* 2.8168 */
    {{-0x1.006d6p0f, -0x1.107436p0f, 0x1.00544p0f, 0x1.105984p0f, 0x1.daaf8p-36f, 0x1.f85a78p-36f},
     0}, /* 2.8152 */
};

static void test_orient2d_needs_its_constant(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hard2 / sizeof *hard2; i++) {
        const float *p = hard2[i].points;
        PliCounts counts = {0};
        assert_int_equal(pli_orient2d(p, p + 2, p + 4, 0, 1, &counts), hard2[i].sign);
        assert_int_equal(counts.exact2_narrow + counts.exact2_wide, 1);
    }
}

/* Differences of up to 2^128 + 2^127 and down to 2^-149 on one axis: the widest integers there are.
 */
static void test_whole_exponent_range(void **state)
{
    (void)state;
    PliCounts counts = {0};
    const float big = FLT_MAX, least = 0x1p-149f;
    const float a[3] = {big, -big, least}, b[3] = {-big, big, -least};
    const float c[3] = {least, big, big}, d[3] = {big, least, -big};
    int sign = pli_exact_orient3d(a, b, c, d, &counts);
    assert_int_equal(pli_exact_orient3d(b, a, c, d, &counts), -sign);
    assert_int_equal(pli_exact_orient3d(a, b, d, c, &counts), -sign);
    assert_int_not_equal(sign, 0);
    assert_int_equal(counts.exact3_wide, 3);
    /* Three points on the line x = y, whatever their exponents; and beside it by the least there
     * is. */
    const float p[2] = {big, big}, q[2] = {least, least}, r[2] = {-1, -1},
                s[2] = {-1, -0x1.fffffep-1f};
    assert_int_equal(pli_exact_orient2d(p, q, r, 0, 1, &counts), 0);
    assert_int_equal(pli_exact_orient2d(p, q, s, 0, 1, &counts), -1);
    assert_int_equal(counts.exact2_wide, 2);
}

/* On input of all sizes that the filter is certain of, the integers say the same. */
static void test_integers_agree_with_the_filter(void **state)
{
    (void)state;
    SceneRandom random = {31};
    PliCounts counts = {0};
    for (int i = 0; i < 200000; i++) {
        float p[12];
        int window = 1 + (int)scene_random_below(&random, 60);
        for (int k = 0; k < 12; k++)
            p[k] = ldexpf(test_random_float(&random),
                          (int)scene_random_below(&random, (uint32_t)window));
        assert_int_equal(pli_orient3d(p, p + 3, p + 6, p + 9, &counts),
                         pli_exact_orient3d(p, p + 3, p + 6, p + 9, &counts));
        assert_int_equal(pli_orient2d(p, p + 3, p + 6, 0, 1, &counts),
                         pli_exact_orient2d(p, p + 3, p + 6, 0, 1, &counts));
    }
    assert_true(counts.exact3_narrow > 30000 && counts.exact3_wide > 30000);
    assert_true(counts.exact2_narrow > 30000 && counts.exact2_wide > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_signs),
        cmocka_unit_test(test_orient3d_needs_its_constant),
        cmocka_unit_test(test_orient2d_needs_its_constant),
        cmocka_unit_test(test_whole_exponent_range),
        cmocka_unit_test(test_integers_agree_with_the_filter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
