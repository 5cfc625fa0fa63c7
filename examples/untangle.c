/* A first frame that intersects is brought out: a cloth inside a ball, a cloth through itself, and
 * two balls that overlap. Regions tell what is on the wrong side, how deep, and which way is out;
 * near pairs tell the way out of vertices that are not deep, and keep a spacing in the end.
 * usage: untangle [PREFIX], which writes PREFIX0_before.obj and so on. See docs/solvers.md. */
#include <math.h>
#include <pliant/pliant.h>
#include <scenes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 33, CELLS = SIDE - 1, BODIES = 2, MAX_VERTICES = 2048, MAX_ROUNDS = 100 };
static const float reach = 0.1f, step = 0.01f, spacing = 0.002f;
typedef struct Body {
    SceneMesh mesh;
    PliantBody body;
    bool moves;
    float distances[MAX_VERTICES], ways[MAX_VERTICES][3]; /* to the nearest surface, if in reach */
} Body;
static PliantWorld *world;
static Body bodies[BODIES];
static int body_count;

static void must(PliantResult result)
{
    if (result != PLIANT_OK)
        exit(fprintf(stderr, "untangle: %s\n", pliant_result_text(result)) > 0 ? 1 : 2);
}

static void add_body(SceneMesh mesh, double x, bool moves)
{
    Body *body = &bodies[body_count++];
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    body->mesh = mesh;
    body->moves = moves;
    for (int32_t v = 0; v < mesh.vertex_count; v++)
        mesh.vertices[3 * v] += (float)x;
    def.vertices.data = mesh.vertices;
    def.vertices.count = mesh.vertex_count;
    def.triangles.data = mesh.triangles;
    def.triangles.count = mesh.triangle_count;
    must(pliant_shape_create(&def, &shape));
    must(pliant_body_create(world, shape, &body->body));
    must(pliant_body_borrow_vertices(world, body->body, def.vertices));
    pliant_shape_release(shape); /* the body keeps it */
}

/* Flat; or folded, with a bump of the upper half that goes through the lower one. */
static SceneMesh make_sheet(bool is_folded)
{
    float *place = (float *)scene_allocate(3 * SIDE * SIDE, sizeof(float));
    uint32_t *corners = (uint32_t *)scene_allocate(6 * CELLS * CELLS, sizeof(uint32_t));
    SceneMesh mesh = {place, corners, SIDE * SIDE, 2 * CELLS * CELLS};
    for (uint32_t v = 0; v < SIDE * SIDE; v++, place += 3) {
        const uint32_t row = v / SIDE, column = v % SIDE;
        const float t = 2.4f * (float)column / CELLS - 1.2f, z = 2.4f * (float)row / CELLS - 1.2f;
        const float bump = t > 0 ? 0.6f * expf(-8 * ((t - 0.6f) * (t - 0.6f) + z * z)) : 0;
        place[0] = is_folded ? 1.2f - fabsf(t) : t;
        place[1] = is_folded ? 0.2f * tanhf(4 * t) - bump : 0.35f + 0.2f * t;
        place[2] = z;
        for (uint32_t i = 0; i < 6 && row < CELLS && column < CELLS; i++)
            *corners++ = v + (i == 1 || i == 2 || i == 4 ? SIDE : 0) + (i == 2 || i > 3 ? 1 : 0);
    }
    return mesh;
}

static void write_obj(const char *prefix, int scene, const char *when)
{
    char path[512];
    snprintf(path, sizeof path, "%s%d_%s.obj", prefix ? prefix : "", scene, when);
    FILE *file = prefix ? fopen(path, "w") : NULL;
    for (int b = 0; file && b < body_count; b++) {
        const SceneMesh *mesh = &bodies[b].mesh;
        const int count = mesh->vertex_count;
        for (int i = 0; i < 3 * count; i++)
            fprintf(file, "%s%.6f", i % 3 ? " " : "\nv ", (double)mesh->vertices[i]);
        fprintf(file, "\no body_%d", b);
        for (int i = 0; i < 3 * mesh->triangle_count; i++)
            fprintf(file, "%s%d", i % 3 ? " " : "\nf ", (int)mesh->triangles[i] - count);
    }
    must(!file || fclose(file) == 0 ? PLIANT_OK : PLIANT_BAD_ARGUMENT);
}

static Body *body_of(PliantBody body)
{
    return &bodies[bodies[0].body.index == body.index ? 0 : 1];
}

static void move(Body *body, int64_t vertex, float length, const float *way)
{
    for (int k = 0; k < 3 && body->moves; k++)
        body->mesh.vertices[3 * vertex + k] += length * way[k];
}

static PliantNearPairs find_near(float distance, bool includes_self)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    def.distance = distance;
    def.includes_self = includes_self;
    must(pliant_world_near(world, &def, &pairs));
    return pairs;
}

/* From each vertex to the nearest surface of the other body: the way out, if it is inside. */
static void find_ways(void)
{
    const PliantNearPairs pairs = find_near(reach, false);
    for (int i = 0; i < BODIES * MAX_VERTICES; i++)
        bodies[i % BODIES].distances[i / BODIES] = reach;
    for (int64_t i = 0; i < pairs.count; i++) {
        const PliantNearPair *pair = &pairs.items[i];
        const bool is_a = pair->kind == PLIANT_VERTEX_TRIANGLE;
        const uint32_t v = pair->vertices[is_a ? 0 : 3];
        Body *body = body_of(is_a ? pair->body_a : pair->body_b);
        if (pair->kind == PLIANT_EDGE_EDGE || pair->distance >= body->distances[v])
            continue;
        body->distances[v] = pair->distance;
        for (int k = 0; k < 3; k++)
            body->ways[v][k] = is_a ? -pair->normal[k] : pair->normal[k];
    }
}

/* Moves vertices by their depth and a step. Cut triangles may have none of these: corners move too.
 */
static void move_part(Body *body, const PliantRegions *regions, const PliantRegionPart *part,
                      const float *out)
{
    for (int64_t i = part->first_vertex; i < part->first_vertex + part->vertex_count; i++) {
        const int32_t v = regions->vertices[i];
        const float depth = fmaxf(regions->vertex_depths[i], 0);
        move(body, v, 0.5f * (depth + step), body->distances[v] < reach ? body->ways[v] : out);
    }
    for (int64_t i = 0; i < 3 * part->triangle_count; i++) {
        const int64_t triangle = regions->triangles[part->first_triangle + i / 3];
        move(body, body->mesh.triangles[3 * triangle + i % 3], 0.5f * step / 6, out);
    }
}

/* Goes the way of the beginning: halfway, the other way can look shorter. */
static void move_out(const PliantContacts *contacts, bool is_first)
{
    static float out[3]; /* of the first body, from the second one or itself */
    PliantRegionsDef def = pliant_regions_def_default();
    PliantRegions regions = pliant_regions_default();
    def.with_vertex_depths = true;
    must(pliant_contacts_regions(world, contacts, &def, &regions));
    find_ways();
    for (int64_t i = 0; i < regions.count; i++) {
        const PliantRegion *region = &regions.items[i];
        if (is_first)
            memcpy(out, region->normal, sizeof out);
        const float back[3] = {-out[0], -out[1], -out[2]};
        move_part(body_of(region->body_a), &regions, &region->parts[0], out);
        move_part(body_of(region->body_b), &regions, &region->parts[1], back);
    }
}

/* Moves features apart that are nearer than the spacing. False if there are none. */
static bool push_apart(void)
{
    static const int counts[] = {1, 3, 2}; /* vertices of body a, by PliantFeatures */
    const PliantNearPairs pairs = find_near(spacing, true);
    for (int64_t i = 0; i < pairs.count; i++) {
        const PliantNearPair *pair = &pairs.items[i];
        for (int k = 0; k < 4; k++)
            move(body_of(k < counts[pair->kind] ? pair->body_a : pair->body_b), pair->vertices[k],
                 (1.1f * spacing - pair->distance) * pair->weights[k], pair->normal);
    }
    return pairs.count > 0;
}

int main(int argc, char **argv)
{
    int left = 0;
    for (int scene = 0; scene < 3; scene++) {
        PliantCollideDef def = pliant_collide_def_default();
        PliantContacts contacts = pliant_contacts_default();
        int round = 0;
        def.includes_self = true;
        must(pliant_world_create(NULL, &world));
        add_body(scene == 1 ? make_sheet(true) : scene_icosphere(3), 0, scene > 0);
        if (scene != 1)
            add_body(scene == 0 ? make_sheet(false) : scene_icosphere(3), -0.75 * scene, true);
        write_obj(argc > 1 ? argv[1] : NULL, scene, "before");
        do {
            must(pliant_world_collide(world, &def, &contacts));
            printf("scene %d, round %d: %d pairs\n", scene, round, (int)contacts.count);
            if (contacts.count > 0)
                move_out(&contacts, round == 0);
        } while (++round < MAX_ROUNDS && (contacts.count > 0 || push_apart()));
        left += round == MAX_ROUNDS;
        write_obj(argc > 1 ? argv[1] : NULL, scene, "after");
        pliant_world_destroy(world);
        while (body_count > 0)
            scene_mesh_free(&bodies[--body_count].mesh);
    }
    return left;
}
