/* A ball of jelly is cut by a blade, falls apart, and two of its pieces fuse (scenes/cut.c): all
 * steps, with soups of every kind. The jelly's triangles are others in each of them. */
#include "calls.h"
#include "kettle.h"
#include "touch.h"
#include "unit.h"
#include <pliant/pliant.h>

#include <string.h>

enum { SUBDIVISIONS = 2, MAX_VALUE = 20000 }; /* vertices and places */

typedef struct Fixture {
    Kettle *kettle;
    SceneCut cut;
    PliantBody blade, jelly[KETTLE_KINDS];
    float lent[MAX_VALUE][3]; /* a copy: the scene's own arrays may move */
    uint32_t lent_corners[MAX_VALUE][3];
} Fixture;

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    f->kettle = kettle_create();
    f->cut = scene_cut(SUBDIVISIONS);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){f->cut.blade.vertices, f->cut.blade.vertex_count, 0};
    def.triangles = (PliantTriangles){f->cut.blade.triangles, f->cut.blade.triangle_count};
    f->blade = kettle_body(f->kettle, &def);
    for (int kind = 0; kind < KETTLE_KINDS; kind++)
        f->jelly[kind] = kettle_soup(f->kettle, PLIANT_TRIANGLES, (PliantSoupKind)kind, 0);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    bool is_empty = kettle_destroy(f->kettle);
    scene_cut_free(&f->cut);
    free(f);
    assert_true(is_empty);
    return 0;
}

static PliantPrimitives primitives_of(const SceneCut *cut)
{
    return (PliantPrimitives){.struct_size = sizeof(PliantPrimitives),
                              .vertices = {cut->vertices, cut->vertex_count, 0},
                              .corners = cut->corners,
                              .count = cut->index_count};
}

static PliantPrimitives lend(Fixture *f)
{
    const SceneCut *cut = &f->cut;
    assert_true(cut->vertex_count <= MAX_VALUE && cut->index_count <= MAX_VALUE);
    memcpy(f->lent, cut->vertices, 12 * (size_t)cut->vertex_count);
    memcpy(f->lent_corners, cut->corners, 12 * (size_t)cut->index_count);
    return (PliantPrimitives){.struct_size = sizeof(PliantPrimitives),
                              .vertices = {f->lent[0], cut->vertex_count, 0},
                              .corners = f->lent_corners[0],
                              .count = cut->index_count};
}

/* ---- With the blade ----------------------------------------------------------------------------
 */

/* The corners of all places that are not empty, and which these are. */
typedef struct Corners {
    float *items; /* nine floats each */
    int32_t *node_slots;
    int32_t count;
} Corners;

static Corners corners_of(const SceneCut *cut)
{
    const size_t room = (size_t)cut->index_count + 1;
    Corners corners = {scene_allocate(room, 36), scene_allocate(room, 4), 0};
    for (int32_t i = 0; i < cut->index_count; i++) {
        const uint32_t *names = cut->corners + 3 * (size_t)i;
        if (names[0] == PLIANT_NO_VERTEX)
            continue;
        for (size_t c = 0; c < 3; c++)
            memcpy(corners.items + 9 * (size_t)corners.count + 3 * c,
                   cut->vertices + 3 * (size_t)names[c], 12);
        corners.node_slots[corners.count++] = i;
    }
    return corners;
}

/* The pairs that intersect: of all whose boxes do, which the scene finds. Two numbers each; owned.
 */
static uint32_t *intersecting_pairs(const Fixture *f, const Corners *jelly, int64_t *count)
{
    const SceneMesh *mesh = &f->cut.blade;
    float *vertices = scene_allocate((size_t)mesh->vertex_count, 12);
    float *blade = scene_allocate((size_t)mesh->triangle_count, 36);
    MUST(test_body_vertices(f->kettle->world, f->blade, vertices));
    scene_corners(mesh, vertices, blade);
    int64_t box_count = 0;
    uint32_t *pairs =
        scene_box_pairs(blade, mesh->triangle_count, jelly->items, jelly->count, &box_count);
    uint8_t *intersects = scene_allocate((size_t)box_count + 1, 1);
    PliantTrianglePairs def = pliant_triangle_pairs_default();
    def.a = blade;
    def.a_count = mesh->triangle_count;
    def.b = jelly->items;
    def.b_count = jelly->count;
    def.pairs = pairs;
    def.pair_count = box_count;
    MUST(pliant_triangle_pairs_intersect(&def, intersects, def.pair_count, NULL));
    *count = 0;
    for (int64_t i = 0; i < box_count; i++)
        if (intersects[i])
            memmove(pairs + 2 * (*count)++, pairs + 2 * i, 8);
    free(vertices);
    free(blade);
    free(intersects);
    return pairs;
}

/* Moves the blade, and gives the jelly to all soups; returns how many pairs intersect. */
static int64_t check_step(Fixture *f)
{
    PliantWorld *world = f->kettle->world;
    PliantTransform rows;
    scene_cut_rows(f->cut.step, rows.rows);
    MUST(pliant_body_set_transform(world, f->blade, &rows));
    int64_t count;
    Corners jelly = corners_of(&f->cut);
    uint32_t *pairs = intersecting_pairs(f, &jelly, &count);
    const PliantPrimitives now[2] = {primitives_of(&f->cut), lend(f)};
    assert_int_equal(jelly.count, f->cut.triangle_count);
    for (int kind = 0; kind < KETTLE_KINDS; kind++) {
        const int how = (kind + f->cut.step / 8) % 2;
        MUST(kettle_gives[how](world, f->jelly[kind], &now[how]));
    }
    for (int kind = 0; kind < KETTLE_KINDS; kind++) {
        PliantContacts contacts = pliant_contacts_default();
        MUST(pliant_bodies_collide(world, f->jelly[kind], f->blade, NULL, &contacts));
        assert_int_equal(contacts.count, count);
        for (int64_t i = 0; i < count; i++) {
            assert_int_equal(contacts.items[i].triangle_a, pairs[2 * i]);
            assert_int_equal(contacts.items[i].triangle_b, jelly.node_slots[pairs[2 * i + 1]]);
        }
    }
    free(pairs);
    free(jelly.items);
    free(jelly.node_slots);
    return count;
}

static void test_blade(void **state)
{
    Fixture *f = *state;
    int32_t first_count = f->cut.triangle_count, max_count = 0;
    int touching_count = 0;
    for (int step = 0; step < SCENE_CUT_STEPS; step++) {
        touching_count += check_step(f) > 0;
        max_count = f->cut.triangle_count > max_count ? f->cut.triangle_count : max_count;
        if (step + 1 < SCENE_CUT_STEPS)
            scene_cut_next(&f->cut);
    }
    assert_true(touching_count > 20);
    assert_true(max_count > first_count);
}

/* ---- Piece against piece ------------------------------------------------------------------------
 */

/* The places of one piece; all others are empty. */
static void keep_piece(const SceneCut *cut, int32_t piece, uint32_t *corners)
{
    memcpy(corners, cut->corners, 12 * (size_t)cut->index_count);
    for (int32_t i = 0; i < cut->index_count; i++)
        if (cut->pieces[i] != piece)
            corners[3 * i] = PLIANT_NO_VERTEX;
}

/* Each piece as a body of its own: pushed into the other, from either side. */
static void test_pieces(void **state)
{
    Fixture *f = *state;
    int64_t count = 0;
    for (int step = 0; step + 1 < SCENE_CUT_STEPS; step++) {
        const float far = step % 2 ? 0.4f : -0.4f;
        const size_t room = (size_t)f->cut.index_count + 1;
        uint32_t *corners[2] = {scene_allocate(room, 12), scene_allocate(room, 12)};
        PliantPrimitives pieces[2] = {primitives_of(&f->cut), primitives_of(&f->cut)};
        TouchBody bodies[2];
        for (int i = 0; i < 2; i++) {
            PliantBody soup = f->jelly[(step / 3 + i) % KETTLE_KINDS];
            keep_piece(&f->cut, i, corners[i]);
            pieces[i].corners = corners[i];
            MUST(pliant_body_set_primitives(f->kettle->world, soup, &pieces[i]));
            kettle_shift(f->kettle, soup, i == 0 ? 0 : far);
            bodies[i] = touch_soup(soup, PLIANT_TRIANGLES, &pieces[i]);
        }
        int64_t found = touch_count(f->kettle->world, &bodies[0], &bodies[1]);
        assert_true(found >= 0);
        count += found;
        for (int i = 0; i < 2; i++) {
            touch_free(&bodies[i]);
            free(corners[i]);
        }
        scene_cut_next(&f->cut);
    }
    assert_true(count > 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {TEST(blade), TEST(pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
