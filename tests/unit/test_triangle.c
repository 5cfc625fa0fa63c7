/* Triangle against triangle: cases made by hand, each named. The bulk is in tests/oracle. */
#include "geom/geom.h"
#include "unit.h"

#include <math.h>

typedef struct Case {
    const char *name;
    float a[9], b[9];
    bool intersect;
} Case;

#define UNIT                                                                                       \
    {                                                                                              \
        0, 0, 0, 1, 0, 0, 0, 1, 0                                                                  \
    } /* in the plane z = 0 */

static const Case cases[] = {
    {"through the middle", UNIT, {.2f, .2f, -1, .2f, .2f, 1, 2, 2, 0}, true},
    {"past an edge", UNIT, {.6f, .6f, -1, .6f, .6f, 1, 2, 2, 0}, false},
    {"above", UNIT, {0, 0, 1, 1, 0, 1, 0, 1, 1}, false},
    {"corner on the face", UNIT, {.25f, .25f, 0, .2f, .2f, 1, .3f, .2f, 1}, true},
    {"corner over the face by the least there is",
     UNIT,
     {.25f, .25f, 0x1p-149f, .2f, .2f, 1, .3f, .2f, 1},
     false},
    {"corner on an edge, from outside", UNIT, {.5f, .5f, 0, 1, 1, 1, 1, 1, -1}, true},
    {"corner on a corner", UNIT, {1, 0, 0, 2, 0, 1, 2, 0, -1}, true},
    {"edge through an edge", UNIT, {.5f, 0, -1, .5f, 0, 1, .5f, -1, 0}, true},
    {"edge past an edge", UNIT, {.5f, -0x1p-149f, -1, .5f, -0x1p-149f, 1, .5f, -1, 0}, false},
    {"edge along an edge", UNIT, {.25f, 0, 0, .75f, 0, 0, .5f, -1, 1}, true},
    {"both intervals on the line, apart", UNIT, {2, 0, -1, 2, 0, 1, 3, 0, 0}, false},
    {"planes cross, one interval a point at the other's end",
     UNIT,
     {1, 0, 0, 2, 0, -1, 2, 0, 1},
     true},

    {"coplanar, apart", UNIT, {2, 2, 0, 3, 2, 0, 2, 3, 0}, false},
    {"coplanar, touching at a corner", UNIT, {1, 0, 0, 2, 0, 0, 2, 1, 0}, true},
    {"coplanar, touching along part of an edge", UNIT, {.5f, 0, 0, 3, 0, 0, 1, -1, 0}, true},
    {"coplanar, one inside the other", UNIT, {.1f, .1f, 0, .2f, .1f, 0, .1f, .2f, 0}, true},
    {"coplanar, crossing like a star", UNIT, {.3f, -1, 0, .4f, -1, 0, .35f, 2, 0}, true},
    {"coplanar, box to box but apart", UNIT, {.9f, .9f, 0, .9f, .2f, 0, 1, 1, 0}, false},
    {"parallel planes", UNIT, {0, 0, 0x1p-140f, 1, 0, 0x1p-140f, 0, 1, 0x1p-140f}, false},
    {"identical", UNIT, UNIT, true},
    {"identical, turned over", UNIT, {0, 0, 0, 0, 1, 0, 1, 0, 0}, true},

    {"segment through the face", UNIT, {.2f, .2f, -1, .2f, .2f, 1, .2f, .2f, .5f}, true},
    {"segment that ends at the face", UNIT, {.2f, .2f, 0, .2f, .2f, 1, .2f, .2f, .5f}, true},
    {"segment that ends above the face", UNIT, {.2f, .2f, .1f, .2f, .2f, 1, .2f, .2f, .5f}, false},
    {"segment past the face", UNIT, {.6f, .6f, -1, .6f, .6f, 1, .6f, .6f, 0}, false},
    {"segment past the face, that looks inside from above",
     UNIT,
     {.2f, .2f, -1, 3, 3, .5f, .2f, .2f, -1},
     false},
    {"segment through an edge", UNIT, {.5f, .5f, -1, .5f, .5f, 1, .5f, .5f, 1}, true},
    {"segment in the plane, inside", UNIT, {.1f, .1f, 0, .2f, .2f, 0, .1f, .1f, 0}, true},
    {"segment in the plane, across", UNIT, {-1, .5f, 0, 2, .5f, 0, 0, .5f, 0}, true},
    {"segment in the plane, apart", UNIT, {-1, -.5f, 0, 2, -.5f, 0, 0, -.5f, 0}, false},
    {"segment in the plane, on the line of an edge, apart",
     UNIT,
     {2, 0, 0, 3, 0, 0, 4, 0, 0},
     false},
    {"segments that cross", {0, 0, 0, 2, 2, 2, 1, 1, 1}, {2, 0, 0, 0, 2, 2, 2, 0, 0}, true},
    {"segments that are skew, with crossing projections",
     {0, 0, 0, 2, 2, 2, 1, 1, 1},
     {2, 0, 1, 0, 2, 1.5f, 2, 0, 1},
     false},
    {"segments on one line, apart",
     {0, 0, 0, 1, 1, 1, 1, 1, 1},
     {2, 2, 2, 3, 3, 3, 2, 2, 2},
     false},
    {"segments on one line, end to end",
     {0, 0, 0, 1, 1, 1, 0, 0, 0},
     {1, 1, 1, 3, 3, 3, 2, 2, 2},
     true},
    {"segments, parallel", {0, 0, 0, 1, 1, 1, 0, 0, 0}, {0, 0, 1, 1, 1, 2, 0, 0, 1}, false},

    {"point in the face", UNIT, {.2f, .2f, 0, .2f, .2f, 0, .2f, .2f, 0}, true},
    {"point on an edge", UNIT, {.5f, .5f, 0, .5f, .5f, 0, .5f, .5f, 0}, true},
    {"point at a corner", UNIT, {0, 1, 0, 0, 1, 0, 0, 1, 0}, true},
    {"point above the face", UNIT, {.2f, .2f, 1, .2f, .2f, 1, .2f, .2f, 1}, false},
    {"point in the plane, outside", UNIT, {.6f, .6f, 0, .6f, .6f, 0, .6f, .6f, 0}, false},
    {"point on a segment", {0, 0, 0, 4, 2, 6, 0, 0, 0}, {2, 1, 3, 2, 1, 3, 2, 1, 3}, true},
    {"point beside a segment", {0, 0, 0, 4, 2, 6, 0, 0, 0}, {2, 1, 2, 2, 1, 2, 2, 1, 2}, false},
    {"point beyond a segment", {0, 0, 0, 4, 2, 6, 0, 0, 0}, {6, 3, 9, 6, 3, 9, 6, 3, 9}, false},
    {"two points, the same", {1, 2, 3, 1, 2, 3, 1, 2, 3}, {1, 2, 3, 1, 2, 3, 1, 2, 3}, true},
    {"two points, not the same", {1, 2, 3, 1, 2, 3, 1, 2, 3}, {1, 2, 4, 1, 2, 4, 1, 2, 4}, false},

    {"-0 is 0", UNIT, {-0.0f, -0.0f, -0.0f, -1, 0, 1, 0, -1, 1}, true},
    {"denormals count",
     {0, 0, 0, 0x1p-148f, 0, 0, 0, 0x1p-148f, 0},
     {0x1p-149f, 0x1p-149f, -1, 0x1p-149f, 0x1p-149f, 1, 1, 1, 0},
     true},
    {"denormals count, apart",
     {0, 0, 0, 0x1p-149f, 0, 0, 0, 0x1p-149f, 0},
     {0x1p-149f, 0x1p-149f, -1, 0x1p-149f, 0x1p-149f, 1, 1, 1, 0},
     false},
    {"the greatest floats",
     {-FLT_MAX, -FLT_MAX, 0, FLT_MAX, -FLT_MAX, 0, 0, FLT_MAX, 0},
     {0, 0, -FLT_MAX, 0, 0, FLT_MAX, FLT_MAX, 0, 0},
     true},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PliCounts counts = {0};
        const Case *c = &cases[i];
        if (pli_triangles_intersect(c->a, c->b, &counts) != c->intersect ||
            pli_triangles_intersect(c->b, c->a, &counts) != c->intersect)
            fail_msg("%s: should %s", c->name, c->intersect ? "intersect" : "be apart");
    }
}

static void test_nonfinite_intersects_nothing(void **state)
{
    (void)state;
    static const float values[] = {NAN, -NAN, INFINITY, -INFINITY};
    const float whole[9] = UNIT;
    int64_t counted = 0;
    for (int i = 0; i < 9; i++) {
        for (int v = 0; v < 4; v++) {
            float broken[9] = UNIT;
            broken[i] = values[v];
            PliCounts counts = {0};
            assert_false(pli_triangles_intersect(whole, broken, &counts));
            assert_false(pli_triangles_intersect(broken, whole, &counts));
            assert_false(pli_triangles_intersect(broken, broken, &counts));
            counted += counts.nonfinite;
        }
    }
    assert_int_equal(counted, 9 * 4 * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_nonfinite_intersects_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
