/* A cloth falls over a ball: vertex block descent (Chen and others 2024), and bounds of how far
 * each vertex may move, as in offset geometric contact (Chen and others 2025). No sweep is asked
 * for. docs/solvers.md explains it.
 *
 * pliant_near_vertex_distances() tells for each vertex how far the closest feature is. As long as
 * no vertex moves by half of that, nothing touches. Vertices that come to their bound wait for the
 * next query. */
#include <math.h>
#include <pliant/pliant.h>
#include <scenes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, CELLS = SIDE - 1, CLOTH = SIDE * SIDE, STEPS = 40, ROUNDS = 5, PASSES = 4 };
static const float cell = 2.4f / CELLS, dt = 1.0f / 60, gravity = 9.81f, mass = 1e-3f;
static const float reach = 0.03f, thickness = 0.01f, contact_stiffness = 2000;

/* Coordinates are below 2, so each is rounded by at most 2^-24, and a vertex by less than this. */
static const float rounding = 2e-7f;

static float now[CLOTH][3], base[CLOTH][3], goal[CLOTH][3], velocity[CLOTH][3], bounds[CLOTH];
static const int links[8][2] = {{1, 0}, {0, 1},  {-1, 0}, {0, -1},
                                {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};

static PliantWorld *world;
static PliantBody ball, cloth;
static PliantNearPairs pairs;
static int *pairs_of; /* of each vertex, one after the other: from first_pair[v] on */
static int first_pair[CLOTH + 1];

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "vbd: %s\n", pliant_result_text(result));
    exit(1);
}

static PliantBody add_body(const float *vertices, int32_t vertex_count, const uint32_t *corners,
                           int32_t triangle_count)
{
    const PliantVertices places = {vertices, vertex_count, 0};
    const PliantTriangles triangles = {corners, triangle_count};
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    PliantBody body;
    def.vertices = places;
    def.triangles = triangles;
    must(pliant_shape_create(&def, &shape));
    must(pliant_body_create(world, shape, &body));
    pliant_shape_release(shape); /* the body keeps it */
    return body;
}

static void add_cloth(void)
{
    static uint32_t corners[6 * CELLS * CELLS];
    const PliantVertices places = {now[0], CLOTH, 0};
    for (uint32_t v = 0; v < CLOTH; v++) {
        const uint32_t row = v / SIDE, column = v % SIDE;
        const uint32_t six[6] = {v, v + SIDE, v + SIDE + 1, v, v + SIDE + 1, v + 1};
        now[v][0] = cell * (float)column - 1.2f;
        now[v][1] = 1.05f;
        now[v][2] = cell * (float)row - 1.2f;
        if (row < CELLS && column < CELLS)
            memcpy(corners + 6 * (row * CELLS + column), six, sizeof six);
    }
    cloth = add_body(now[0], CLOTH, corners, 2 * CELLS * CELLS);
    must(pliant_body_borrow_vertices(world, cloth, places));
}

/* ---- Contacts -------------------------------------------------------------------------------- */

static bool is_cloth(const PliantNearPair *pair, int i)
{
    static const int counts[] = {1, 3, 2}; /* vertices of body a, by PliantFeatures */
    return (i < counts[pair->kind] ? pair->body_a : pair->body_b).index == cloth.index;
}

static void list_pairs(void)
{
    memset(first_pair, 0, sizeof first_pair);
    pairs_of = (int *)realloc(pairs_of, (size_t)(4 * pairs.count + 1) * sizeof *pairs_of);
    must(pairs_of ? PLIANT_OK : PLIANT_OUT_OF_MEMORY);
    for (int64_t i = 0; i < 4 * pairs.count; i++)
        if (is_cloth(&pairs.items[i / 4], (int)(i % 4)))
            first_pair[pairs.items[i / 4].vertices[i % 4]]++;
    for (int v = 0; v < CLOTH; v++)
        first_pair[v + 1] += first_pair[v];
    for (int64_t i = 0; i < 4 * pairs.count; i++)
        if (is_cloth(&pairs.items[i / 4], (int)(i % 4)))
            pairs_of[--first_pair[pairs.items[i / 4].vertices[i % 4]]] = (int)i;
}

/* Pairs within reach, and how far each vertex may move until the next query: less than half of its
 * distance. What is in no pair is farther than the reach from everything. */
static void find_contacts(void)
{
    PliantNearDef def = pliant_near_def_default();
    def.distance = reach;
    def.includes_self = true;
    pairs = pliant_near_pairs_default();
    must(pliant_world_near(world, &def, &pairs));
    must(pliant_near_vertex_distances(world, &pairs, cloth, bounds, CLOTH));
    for (int v = 0; v < CLOTH; v++)
        bounds[v] = fmaxf(0.49f * fminf(bounds[v], reach) - rounding, 0);
    memcpy(base, now, sizeof base);
    list_pairs();
}

/* ---- Vertices -------------------------------------------------------------------------------- */

/* A force along a direction, and how it changes: three numbers, and a symmetric matrix. */
typedef struct Block {
    float force[3], matrix[3][3];
} Block;

static void add_along(Block *block, float force, float stiffness, const float *direction)
{
    for (int i = 0; i < 3; i++) {
        block->force[i] += force * direction[i];
        for (int j = 0; j < 3; j++)
            block->matrix[i][j] += stiffness * direction[i] * direction[j];
    }
}

static void add_links(Block *block, int v)
{
    for (int i = 0; i < 8; i++) {
        const int column = v % SIDE + links[i][0], row = v / SIDE + links[i][1];
        const float stiffness = i < 4 ? 300.0f : 60.0f, rest = cell * (i < 4 ? 1 : sqrtf(2));
        float way[3], length = 0;
        if (column < 0 || row < 0 || column >= SIDE || row >= SIDE)
            continue;
        for (int k = 0; k < 3; k++) {
            way[k] = now[row * SIDE + column][k] - now[v][k];
            length += way[k] * way[k];
        }
        length = sqrtf(length);
        for (int k = 0; k < 3; k++) {
            way[k] /= length;
            block->matrix[k][k] += stiffness * fmaxf(1 - rest / length, 0);
        }
        add_along(block, stiffness * (length - rest), stiffness, way);
    }
}

/* The gap of a pair is measured along the normal that it had. */
static void add_contacts(Block *block, int v)
{
    for (const int *at = pairs_of + first_pair[v]; at < pairs_of + first_pair[v + 1]; at++) {
        const PliantNearPair *pair = &pairs.items[*at / 4];
        const float weight = pair->weights[*at % 4];
        float gap = pair->distance;
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3 && is_cloth(pair, i); k++)
                gap += pair->weights[i] * pair->normal[k] *
                       (now[pair->vertices[i]][k] - base[pair->vertices[i]][k]);
        if (gap < thickness)
            add_along(block, contact_stiffness * weight * (thickness - gap),
                      contact_stiffness * weight * weight, pair->normal);
    }
}

static float determinant(const float *a, const float *b, const float *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* The minimum over one vertex, all others standing still; not farther than its bound. */
static void move_vertex(int v)
{
    Block block = {{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    float way[3], length = 0;
    for (int k = 0; k < 3; k++) {
        block.matrix[k][k] = mass / (dt * dt);
        block.force[k] = mass / (dt * dt) * (goal[v][k] - now[v][k]);
    }
    add_links(&block, v);
    add_contacts(&block, v);
    float(*m)[3] = block.matrix;
    const float all = determinant(m[0], m[1], m[2]); /* by Cramer: the matrix is symmetric */
    way[0] = determinant(block.force, m[1], m[2]) / all;
    way[1] = determinant(m[0], block.force, m[2]) / all;
    way[2] = determinant(m[0], m[1], block.force) / all;
    for (int k = 0; k < 3; k++) {
        way[k] += now[v][k] - base[v][k];
        length += way[k] * way[k];
    }
    length = sqrtf(length);
    for (int k = 0; k < 3; k++)
        now[v][k] = base[v][k] + way[k] * (length > bounds[v] ? bounds[v] / length : 1);
}

static void take_step(void)
{
    static float before[CLOTH][3];
    memcpy(before, now, sizeof now);
    for (int i = 0; i < 3 * CLOTH; i++) {
        const int v = i / 3, k = i % 3;
        goal[v][k] = now[v][k] + dt * velocity[v][k] - (k == 1 ? dt * dt * gravity : 0);
    }
    for (int round = 0; round < ROUNDS; round++) {
        find_contacts();
        for (int pass = 0; pass < PASSES; pass++)
            for (int v = 0; v < CLOTH; v++)
                move_vertex(v);
    }
    for (int i = 0; i < 3 * CLOTH; i++)
        velocity[i / 3][i % 3] = (now[i / 3][i % 3] - before[i / 3][i % 3]) / dt;
}

int main(void)
{
    SceneMesh mesh = scene_icosphere(4);
    int64_t intersecting = 0;
    must(pliant_world_create(NULL, &world));
    ball = add_body(mesh.vertices, mesh.vertex_count, mesh.triangles, mesh.triangle_count);
    must(pliant_body_set_self(world, ball, false));
    add_cloth();
    for (int step = 1; step <= STEPS; step++) {
        PliantCollideDef def = pliant_collide_def_default();
        PliantContacts contacts = pliant_contacts_default();
        take_step();
        def.includes_self = true;
        must(pliant_world_collide(world, &def, &contacts));
        intersecting += contacts.count;
        if (step % 10 == 0)
            printf("step %d: a corner at %.2f, %d pairs near, %d intersect\n", step,
                   (double)now[0][1], (int)pairs.count, (int)contacts.count);
    }
    pliant_world_destroy(world);
    scene_mesh_free(&mesh);
    free(pairs_of);
    return intersecting == 0 ? 0 : 1;
}
