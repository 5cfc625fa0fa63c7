/* Signs: the exact paths agree with each other and with known answers. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_signs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
