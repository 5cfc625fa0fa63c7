/* Calls that only read may run together: several threads make all of them on one world, one shape
 * and one picture, while nobody changes these. Every thread gets the answers of one thread alone.
 * With a thread sanitizer this finds what such a call writes. */
#include "scenes.h"
#include "unit.h"
#include <pliant/pliant.h>

#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, TASKS = 8, MAX_ANSWERS = 64, POINTS = 2000 };

/* What is read. */
typedef struct Library {
    PliantWorld *world;
    PliantShape *shape;
    PliantBody bodies[4]; /* morphed, with caller-supplied vertices, a soup, and at rest */
    PliantLayers *layers;
    PliantContacts contacts;
    SceneMesh mesh;
    float points[3 * POINTS];
} Library;

typedef struct Answers {
    uint64_t hashes[MAX_ANSWERS];
    int count;
} Answers;

static void add(Answers *answers, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    uint64_t hash = 1;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    if (answers->count < MAX_ANSWERS)
        answers->hashes[answers->count] = hash;
    answers->count++;
}

static void add_result(Answers *answers, PliantResult result)
{
    add(answers, &result, sizeof result);
}

/* ---- Reading ----------------------------------------------------------------------------------
 */

static void read_body(const Library *library, PliantBody body, Answers *answers)
{
    const PliantWorld *world = library->world;
    PliantBodyInfo info = pliant_body_info_default();
    PliantStats stats = pliant_stats_default();
    int64_t nonfinite_count = 0;
    add_result(answers, pliant_body_info(world, body, &info));
    add(answers, &info.transform, sizeof info.transform);
    add_result(answers, pliant_body_stats(world, body, &stats));
    add(answers, &stats.leaves_evaluated, sizeof stats.leaves_evaluated);
    add_result(answers, pliant_body_nonfinite_count(world, body, &nonfinite_count));
    add(answers, &nonfinite_count, sizeof nonfinite_count);
    const size_t size = 3 * (size_t)info.vertex_count * sizeof(float);
    float *vertices = malloc(size);
    add_result(answers, pliant_body_vertices(world, body, vertices, info.vertex_count));
    add(answers, vertices, size);
    free(vertices);
    enum { ASKED = 100 };
    int32_t triangles[ASKED];
    float corners[9 * ASKED];
    for (int32_t i = 0; i < ASKED; i++)
        triangles[i] = i * 37 % info.triangle_count;
    add_result(answers, pliant_body_corners(world, body, triangles, ASKED, corners, ASKED));
    add(answers, corners, sizeof corners);
}

static void read_world(const Library *library, Answers *answers)
{
    const PliantWorld *world = library->world;
    PliantStats stats = pliant_stats_default();
    int32_t alive = pliant_world_body_count(world);
    for (PliantBody body = pliant_world_next_body(world, (PliantBody){0}); body.index != 0;
         body = pliant_world_next_body(world, body))
        alive += pliant_body_is_alive(world, body);
    add(answers, &alive, sizeof alive);
    add_result(answers, pliant_world_stats(world, &stats));
    add(answers, &stats.contacts, sizeof stats.contacts);
    add(answers, library->contacts.items,
        (size_t)library->contacts.count * sizeof *library->contacts.items);
    for (int i = 0; i < 4; i++)
        read_body(library, library->bodies[i], answers);
}

static void read_layers(const Library *library, Answers *answers)
{
    PliantLayersInfo info = pliant_layers_info_default();
    uint8_t states[POINTS];
    int32_t count, all = 0;
    add_result(answers, pliant_layers_info(library->layers, &info));
    for (int32_t i = 0; i < info.view.width; i++) {
        (void)pliant_layers_spans(library->layers, i, i, &count);
        all += count;
    }
    add(answers, &all, sizeof all);
    add_result(answers,
               pliant_layers_inside(library->layers, (PliantVertices){library->points, POINTS, 0},
                                    states, POINTS));
    add(answers, states, sizeof states);
}

static void read_shape(const Library *library, Answers *answers)
{
    PliantShapeInfo info = pliant_shape_info_default();
    pliant_shape_retain(library->shape);
    add_result(answers, pliant_shape_info(library->shape, &info));
    add(answers, pliant_shape_vertices(library->shape),
        3 * (size_t)info.vertex_count * sizeof(float));
    add(answers, pliant_shape_triangles(library->shape), (size_t)info.triangle_count * 12);
    add(answers, pliant_shape_vertex_order(library->shape), (size_t)info.vertex_count * 4);
    const uint32_t *edges = NULL;
    int32_t edge_count = 0;
    add_result(answers, pliant_shape_edges(library->shape, &edges, &edge_count));
    add(answers, edges, (size_t)edge_count * 8);
    const uint64_t user_data = pliant_shape_user_data(library->shape);
    add(answers, &user_data, sizeof user_data);
    pliant_shape_release(library->shape);
    const float *p = library->points;
    const int sign = pliant_orient3d(p, p + 3, p + 6, p + 9);
    const bool is_touching = pliant_triangles_intersect(p, p + 9);
    add(answers, &sign, sizeof sign);
    add(answers, &is_touching, sizeof is_touching);
}

typedef struct Readers {
    const Library *library;
    Answers answers[TASKS];
} Readers;

/* PliantTask. Each begins with something else. */
static void read_all(void *data, int32_t index, int32_t worker)
{
    typedef void Read(const Library *, Answers *);
    static Read *const reads[] = {read_world, read_layers, read_shape};
    Readers *readers = data;
    Answers parts[3] = {{{0}, 0}};
    (void)worker;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 3; i++) {
            const int which = (i + index) % 3;
            parts[which].count = 0;
            reads[which](readers->library, &parts[which]);
        }
    for (int i = 0; i < 3; i++)
        add(&readers->answers[index], parts[i].hashes, sizeof parts[i].hashes);
}

/* ---- Making -----------------------------------------------------------------------------------
 */

static void make_bodies(Library *library)
{
    const SceneMesh *mesh = &library->mesh;
    const size_t size = 3 * (size_t)mesh->vertex_count;
    float *target = malloc(size * sizeof *target);
    for (size_t i = 0; i < size; i++)
        target[i] = 0.2f * mesh->vertices[size - 1 - i];
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    const PliantTarget morph = {{target, mesh->vertex_count, 0}, NULL};
    def.targets = &morph;
    def.target_count = 1;
    def.morph_kind = PLIANT_MORPH_DISPLACEMENTS;
    MUST(pliant_shape_create(&def, &library->shape));
    free(target);
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = def.vertices;
    primitives.count = mesh->triangle_count;
    primitives.corners = mesh->triangles;
    for (int i = 0; i < 4; i++) {
        PliantTransform transform = pliant_transform_identity();
        transform.rows[0][3] = 0.3f * (float)i;
        if (i == 2)
            MUST(pliant_body_create_soup(library->world, NULL, &library->bodies[i]));
        else
            MUST(pliant_body_create(library->world, library->shape, &library->bodies[i]));
        MUST(pliant_body_set_transform(library->world, library->bodies[i], &transform));
    }
    MUST(pliant_body_set_weights(library->world, library->bodies[0], &(float){0.5f}, 1));
    MUST(pliant_body_borrow_vertices(library->world, library->bodies[1], def.vertices));
    MUST(pliant_body_set_primitives(library->world, library->bodies[2], &primitives));
}

static void make_library(Library *library)
{
    SceneRandom random = {1};
    library->mesh = scene_icosphere(3);
    library->contacts = pliant_contacts_default();
    for (int i = 0; i < 3 * POINTS; i++)
        library->points[i] = (float)(2 * scene_random(&random) - 1);
    MUST(pliant_world_create(NULL, &library->world));
    MUST(pliant_layers_create(NULL, &library->layers));
    make_bodies(library);
    PliantView view;
    MUST(pliant_body_view(library->world, library->bodies[1], 64, &view));
    MUST(pliant_layers_capture(library->layers, library->world, library->bodies[1], &view, NULL));
    MUST(pliant_world_collide(library->world, NULL, &library->contacts));
    assert_true(library->contacts.count > 0);
}

static void free_library(Library *library)
{
    pliant_layers_destroy(library->layers);
    pliant_world_destroy(library->world);
    pliant_shape_release(library->shape);
    scene_mesh_free(&library->mesh);
}

/* Bodies were set and not updated since if `is_stale`. */
static void read_together(bool is_stale)
{
    static Library library;
    static Readers alone, together;
    PliantPoolDef def = pliant_pool_def_default();
    PliantPool *pool;
    def.worker_count = THREADS;
    memset(&alone, 0, sizeof alone);
    memset(&together, 0, sizeof together);
    MUST(pliant_pool_create(&def, &pool));
    make_library(&library);
    if (is_stale) {
        PliantTransform transform = pliant_transform_identity();
        transform.rows[1][1] = 2;
        for (int i = 0; i < 4; i++)
            MUST(pliant_body_set_transform(library.world, library.bodies[i], &transform));
        MUST(pliant_body_set_weights(library.world, library.bodies[0], &(float){0.75f}, 1));
    }
    alone.library = together.library = &library;
    /* together first: what is made on first need is made by several at once */
    pliant_pool_run(pool, read_all, &together, TASKS);
    read_all(&alone, 0, 0);
    for (int i = 0; i < TASKS; i++) {
        assert_int_equal(together.answers[i].count, alone.answers[0].count);
        assert_memory_equal(together.answers[i].hashes, alone.answers[0].hashes,
                            sizeof alone.answers[0].hashes);
    }
    free_library(&library);
    pliant_pool_destroy(pool);
}

static void test_after_a_query(void **state)
{
    (void)state;
    read_together(false);
}

static void test_after_setting(void **state)
{
    (void)state;
    read_together(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_after_a_query),
                                       cmocka_unit_test(test_after_setting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
