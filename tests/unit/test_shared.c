/* Triangles of one mesh: more in common than the hull of the shared vertices? Cases made by hand.
 */
#include "geom/geom.h"
#include "unit.h"

#include <math.h>

typedef struct Case {
    const char *name;
    float vertices[6][3];
    uint32_t a[3], b[3];
    bool intersect;
} Case;

static const Case cases[] = {
    {"nothing shared, crossing",
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.2f, .2f, -1}, {.2f, .2f, 1}, {2, 2, 0}},
     {0, 1, 2},
     {3, 4, 5},
     true},
    {"unwelded neighbors count",
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, -1, 0}},
     {0, 1, 2},
     {3, 4, 5},
     true},

    {"edge, other side",
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}},
     {0, 1, 2},
     {1, 0, 3},
     false},
    {"edge, folded by a right angle",
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
     {0, 1, 2},
     {1, 0, 3},
     false},
    {"edge, folded flat",
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.5f, 2, 0}},
     {0, 1, 2},
     {1, 0, 3},
     true},
    {"edge, folded all but flat",
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.5f, 2, 0x1p-149f}},
     {0, 1, 2},
     {1, 0, 3},
     false},
    {"edge, flat in a plane along no axis",
     {{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 2}},
     {0, 1, 2},
     {1, 0, 3},
     true},
    {"edge, one without area",
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}},
     {0, 1, 2},
     {1, 0, 3},
     false},
    {"edge, both without area, beyond the same end",
     {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 3, 0}},
     {0, 1, 2},
     {1, 0, 3},
     true},
    {"edge, both without area, beyond different ends",
     {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {-3, -3, 0}},
     {0, 1, 2},
     {1, 0, 3},
     false},
    {"edge, both without area, within",
     {{0, 0, 0}, {4, 4, 0}, {2, 2, 0}, {3, 3, 0}},
     {0, 1, 2},
     {1, 0, 3},
     false},
    {"edge of no length, the same ray",
     {{1, 1, 1}, {1, 1, 1}, {2, 2, 2}, {4, 4, 4}},
     {0, 1, 2},
     {1, 0, 3},
     true},
    {"edge of no length, opposite rays",
     {{1, 1, 1}, {1, 1, 1}, {2, 2, 2}, {0, 0, 0}},
     {0, 1, 2},
     {1, 0, 3},
     false},

    {"vertex, side by side",
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}},
     {0, 1, 2},
     {0, 3, 4},
     false},
    {"vertex, blades cut each other",
     {{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {2, 0, -1}, {2, 0, 1}},
     {0, 1, 2},
     {3, 0, 4},
     true},
    {"vertex, planes cut but not the blades",
     {{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {-2, 0, -1}, {-2, 0, 1}},
     {0, 1, 2},
     {3, 0, 4},
     false},
    {"vertex, an edge of one in the other",
     {{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {1, 0, 0}, {2, 0, 5}},
     {0, 1, 2},
     {3, 0, 4},
     true},
    {"vertex, edges on one ray",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {1, 0, 0}, {0, 0, 5}},
     {0, 1, 2},
     {3, 0, 4},
     true},
    {"vertex, coplanar and overlapping",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {1, 1, 0}, {-1, 2, 0}},
     {0, 1, 2},
     {3, 0, 4},
     true},
    {"vertex, coplanar, one cone within the other",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {9, 1, 0}, {1, 9, 0}},
     {0, 1, 2},
     {3, 0, 4},
     true},
    {"vertex, a ray into the face",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {1, 1, 0}, {3, 3, 0}},
     {0, 1, 2},
     {3, 0, 4},
     true},
    {"vertex, a ray out of the face",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {1, 1, 1}, {3, 3, 3}},
     {0, 1, 2},
     {3, 0, 4},
     false},
    {"vertex, two rays both ways",
     {{0, 0, 0}, {1, 1, 1}, {-1, -1, -1}, {-2, -2, -2}, {0, 0, 0}},
     {0, 1, 2},
     {0, 3, 4},
     true},

    {"all three", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2}, {2, 1, 0}, false},
    {"an index twice in one triangle",
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
     {0, 0, 3},
     {0, 1, 2},
     true},
    {"an index twice in both", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 0, 1}, {0, 0, 2}, false},
};

static bool prefetch(const Case *c, const uint32_t *a, const uint32_t *b)
{
    float corners[2][9];
    for (int i = 0; i < 9; i++) {
        corners[0][i] = c->vertices[a[i / 3]][i % 3];
        corners[1][i] = c->vertices[b[i / 3]][i % 3];
    }
    PliCounts counts = {0};
    return pli_triangles_intersect_beyond_shared(corners[0], a, corners[1], b, &counts);
}

static void test_cases(void **state)
{
    (void)state;
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *c = &cases[i];
        for (int o = 0; o < 36; o++) {
            const int *p = orders[o / 6], *q = orders[o % 6];
            const uint32_t a[3] = {c->a[p[0]], c->a[p[1]], c->a[p[2]]};
            const uint32_t b[3] = {c->b[q[0]], c->b[q[1]], c->b[q[2]]};
            if (prefetch(c, a, b) != c->intersect || prefetch(c, b, a) != c->intersect)
                fail_msg("%s: should %s", c->name, c->intersect ? "count" : "not count");
        }
    }
}

static void test_nonfinite(void **state)
{
    (void)state;
    const float a[9] = {0, 0, 0, 2, -1, 0, 2, 1, 0};
    float b[9] = {0, 0, 0, 2, 0, -1, 2, 0, 1};
    const uint32_t a_vertices[3] = {0, 1, 2}, b_vertices[3] = {0, 3, 4};
    PliCounts counts = {0};
    assert_true(pli_triangles_intersect_beyond_shared(a, a_vertices, b, b_vertices, &counts));
    b[8] = NAN;
    assert_false(pli_triangles_intersect_beyond_shared(a, a_vertices, b, b_vertices, &counts));
    b[8] = INFINITY;
    assert_false(pli_triangles_intersect_beyond_shared(b, b_vertices, a, a_vertices, &counts));
    assert_int_equal(counts.nonfinite, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_nonfinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
