/* Experiments, and what messages say of sizes and strides: they name what is allowed. */
#include "refuse.h"
#include "room.h"
#include "unit.h"

#include <string.h>

/* One of everything that a call can be given wrong here. */
typedef struct Bench {
    Room room;
    SceneMesh mesh;
    PliantShapeDef shape;
    PliantWorldDef world;
    PliantSoupDef soup;
    PliantCollideDef collide;
    PliantExperiments experiments;
    PliantSkin skin;
    PliantTarget target;
    PliantVertices vertices;
    PliantPrimitives primitives;
    PliantContacts contacts;
    PliantBody body, debris;
} Bench;

static void reset(Bench *b)
{
    b->experiments = pliant_experiments_default();
    b->vertices = (PliantVertices){b->mesh.vertices, b->mesh.vertex_count, 0};
    b->target = (PliantTarget){b->vertices, NULL};
    b->skin = pliant_skin_default();
    b->shape = pliant_shape_def_default();
    b->shape.vertices = b->vertices;
    b->shape.triangles = (PliantTriangles){b->mesh.triangles, b->mesh.triangle_count};
    b->shape.targets = &b->target;
    b->shape.host = &b->room.host.host;
    b->world = pliant_world_def_default();
    b->world.host = &b->room.host.host;
    b->soup = pliant_soup_def_default();
    b->collide = pliant_collide_def_default();
    b->primitives = pliant_primitives_default();
    b->contacts = pliant_contacts_default();
    b->shape.experiments = b->world.experiments = &b->experiments;
    b->soup.experiments = b->collide.experiments = &b->experiments;
}

/* The calls, each with what it gets from the bench. */
static PliantResult create_shape(Bench *b)
{
    PliantShape *shape = NULL;
    const PliantResult result = pliant_shape_create(&b->shape, &shape);
    pliant_shape_release(shape);
    return result;
}

static PliantResult create_world(Bench *b)
{
    PliantWorld *world = NULL;
    const PliantResult result = pliant_world_create(&b->world, &world);
    pliant_world_destroy(world);
    return result;
}

static PliantResult create_soup(Bench *b)
{
    PliantBody soup = {0};
    const PliantResult result = pliant_body_create_soup(b->room.world, &b->soup, &soup);
    if (result == PLIANT_OK)
        MUST(pliant_body_destroy(b->room.world, soup));
    return result;
}

static PliantResult collide(Bench *b)
{
    return pliant_world_collide(b->room.world, &b->collide, &b->contacts);
}

static PliantResult collide_self(Bench *b)
{
    return pliant_bodies_collide(b->room.world, b->body, b->body, &b->collide, &b->contacts);
}

static PliantResult set_vertices(Bench *b)
{
    return pliant_body_set_vertices(b->room.world, b->body, b->vertices);
}

static PliantResult set_primitives(Bench *b)
{
    return pliant_body_set_primitives(b->room.world, b->debris, &b->primitives);
}

static PliantResult find_closest(Bench *b)
{
    PliantClosestPoints closest = pliant_closest_points_default();
    return pliant_world_closest_points(b->room.world, b->vertices, NULL, &closest);
}

static PliantResult measure_points(Bench *b)
{
    PliantLayers *layers = room_layers(&b->room);
    uint8_t states[16];
    const PliantResult result = pliant_layers_inside(layers, b->vertices, states, 16);
    pliant_layers_destroy(layers);
    return result;
}

#define STRIDE ": 0, or a multiple of 4 from 12 to 1048576"

/* Each row breaks one field, and has the message in full. */
#define ROWS(X)                                                                                    \
    X(experiments.struct_size = 0, create_shape, DEF,                                              \
      "pliant_shape_create: def.experiments->struct_size is 0: start from "                        \
      "pliant_experiments_default()")                                                              \
    X(experiments.struct_size = 8, create_world, DEF,                                              \
      "pliant_world_create: def.experiments->struct_size is 8: start from "                        \
      "pliant_experiments_default()")                                                              \
    X(skin.struct_size = 0; b->shape.skin = &b->skin, create_shape, DEF,                           \
                            "pliant_shape_create: def.skin.struct_size is 0: start from "          \
                            "pliant_skin_default()")                                               \
    X(soup.struct_size = 0, create_soup, DEF,                                                      \
      "pliant_body_create_soup: def.struct_size is 0: start from pliant_soup_def_default()")       \
    X(collide.struct_size = 0, collide, DEF,                                                       \
      "pliant_world_collide: def.struct_size is 0: start from pliant_collide_def_default()")       \
    X(contacts.struct_size = 0, collide, DEF,                                                      \
      "pliant_world_collide: contacts.struct_size is 0: start from pliant_contacts_default()")     \
    X(primitives.struct_size = 0, set_primitives, DEF,                                             \
      "pliant_body_set_primitives: primitives.struct_size is 0: start from "                       \
      "pliant_primitives_default()")                                                               \
    X(experiments.tree_kind = (PliantTreeKind)4, create_shape, ARGUMENT,                           \
      "pliant_shape_create: def.experiments->tree_kind is 4: 0 to 3")                              \
    X(experiments.tree_child_count = 3, create_shape, ARGUMENT,                                    \
      "pliant_shape_create: def.experiments->tree_child_count is 3: 2, 4 or 8")                    \
    X(experiments.tree_child_count = 16, create_shape, ARGUMENT,                                   \
      "pliant_shape_create: def.experiments->tree_child_count is 16: 2, 4 or 8")                   \
    X(experiments.tree_leaf_size = 0, create_shape, ARGUMENT,                                      \
      "pliant_shape_create: def.experiments->tree_leaf_size is 0: 1 to 16")                        \
    X(experiments.tree_leaf_size = 17, create_shape, ARGUMENT,                                     \
      "pliant_shape_create: def.experiments->tree_leaf_size is 17: 1 to 16")                       \
    X(experiments.bound_kind = (PliantBoundKind)4, create_shape, ARGUMENT,                         \
      "pliant_shape_create: def.experiments->bound_kind is 4: 0 to 3")                             \
    X(experiments.broad_kind = (PliantBroadKind)3, create_world, ARGUMENT,                         \
      "pliant_world_create: def.experiments->broad_kind is 3: 0 to 2")                             \
    X(experiments.soup_kind = (PliantSoupKind)4, create_soup, ARGUMENT,                            \
      "pliant_body_create_soup: def.experiments->soup_kind is 4: 0 to 3")                          \
    X(experiments.soup_level_count = 8, create_soup, ARGUMENT,                                     \
      "pliant_body_create_soup: def.experiments->soup_level_count is 8: 0 to 7")                   \
    X(experiments.soup_level_count = -1, collide, ARGUMENT,                                        \
      "pliant_world_collide: def.experiments->soup_level_count is -1: 0 to 7")                     \
    X(experiments.approximations = 4, collide, ARGUMENT,                                           \
      "pliant_world_collide: def.experiments->approximations is 4: 0 to 3")                        \
    X(experiments.approximations = UINT32_MAX, collide, ARGUMENT,                                  \
      "pliant_world_collide: def.experiments->approximations is 4294967295: 0 to 3")               \
    X(experiments.approximations = PLIANT_APPROXIMATE_EDGES, collide_self, ARGUMENT,               \
      "pliant_bodies_collide: def.experiments->approximations is 2: 0 in queries of one body "     \
      "with itself")                                                                               \
    X(shape.vertices.stride = 10, create_shape, ARGUMENT,                                          \
      "pliant_shape_create: def.vertices.stride is 10" STRIDE)                                     \
    X(target.vertices.stride = 8; b->shape.target_count = 1, create_shape, ARGUMENT,               \
                                  "pliant_shape_create: def.targets[0].vertices.stride is "        \
                                  "8" STRIDE)                                                      \
    X(vertices.stride = 13, set_vertices, ARGUMENT,                                                \
      "pliant_body_set_vertices: vertices.stride is 13" STRIDE)                                    \
    X(primitives.vertices.stride = 4, set_primitives, ARGUMENT,                                    \
      "pliant_body_set_primitives: primitives.vertices.stride is 4" STRIDE)                        \
    X(vertices.stride = 14, find_closest, ARGUMENT,                                                \
      "pliant_world_closest_points: points.stride is 14" STRIDE)                                   \
    X(vertices.stride = 11, measure_points, ARGUMENT,                                              \
      "pliant_layers_inside: points.stride is 11" STRIDE)

static void open_bench(Bench *b)
{
    room_open(&b->room);
    b->mesh = scene_icosphere(0);
    b->body = room_add_mesh(&b->room, &b->mesh);
    b->debris = room_add_soup(&b->room, &b->mesh);
    reset(b);
}

static void close_bench(Bench *b)
{
    assert_true(room_close(&b->room));
    scene_mesh_free(&b->mesh);
}

static void test_messages(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
#define REFUSE_ROW(broken, call, code, text)                                                       \
    reset(b);                                                                                      \
    MUST(call(b));                                                                                 \
    b->broken;                                                                                     \
    assert_int_equal(call(b), PLIANT_BAD_##code);                                                  \
    assert_string_equal(b->room.host.message, text);
    ROWS(REFUSE_ROW)
    close_bench(b);
}

/* A def with the defaults, and one without experiments, are the same. */
static void test_defaults(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    PliantShape *shapes[2];
    size_t sizes[2];
    MUST(pliant_shape_create(&b->shape, &shapes[0]));
    b->shape.experiments = NULL;
    MUST(pliant_shape_create(&b->shape, &shapes[1]));
    const void *data[2];
    for (int i = 0; i < 2; i++)
        data[i] = pliant_shape_data(shapes[i], &sizes[i]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(data[0], data[1], sizes[0]);
    for (int i = 0; i < 2; i++)
        pliant_shape_release(shapes[i]);
    close_bench(b);
}

/* Calls look at their own fields: the others only have to be right. */
static void test_others_are_ignored(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    MUST(collide(b));
    const int64_t count = b->contacts.count;
    assert_true(count > 0);
    b->experiments.approximations = PLIANT_APPROXIMATE_EDGES;
    MUST(create_shape(b));
    MUST(create_world(b));
    MUST(create_soup(b));
    b->experiments.approximations = 0;
    b->experiments.tree_kind = PLIANT_TREE_CONNECTED;
    b->experiments.soup_kind = PLIANT_SOUP_BUCKETS;
    b->experiments.broad_kind = PLIANT_BROAD_SWEEP;
    MUST(collide(b));
    assert_int_equal(b->contacts.count, count);
    MUST(collide_self(b));
    close_bench(b);
}

/* Regions refuse the contacts of an approximate query, and take those of the next exact one.
 */
static void test_regions_of_approximate(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    PliantRegions regions = pliant_regions_default();
    PliantContacts self = pliant_contacts_default();
    PliantTransform moved = pliant_transform_identity();
    moved.rows[0][3] = 0.5f;
    const PliantBody other = room_add_mesh(&b->room, &b->mesh);
    MUST(pliant_body_set_transform(b->room.world, other, &moved));
    b->experiments.approximations = PLIANT_APPROXIMATE_EDGES;
    MUST(pliant_bodies_collide(b->room.world, b->body, other, &b->collide, &b->contacts));
    MUST(pliant_bodies_collide(b->room.world, b->body, b->body, NULL, &self));
    REFUSE(b->room.host, pliant_contacts_regions(b->room.world, &b->contacts, NULL, &regions),
           PLIANT_BAD_ARGUMENT, "contacts.stamp is 0");
    MUST(pliant_bodies_collide(b->room.world, b->body, other, NULL, &b->contacts));
    MUST(pliant_contacts_regions(b->room.world, &b->contacts, NULL, &regions));
    assert_true(regions.count > 0);
    close_bench(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_others_are_ignored),
        cmocka_unit_test(test_regions_of_approximate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
