/* A body that morphs: a head that turns up its nose, and puffs its cheeks, until it touches a wall.
 *
 * The shape has the targets once; a body has weights, and sets them as often as they change. No
 * vertex is worked out by the caller, and only those few by the library that come near the wall. */
#include "scenes.h"
#include <pliant/pliant.h>

#include <stdio.h>
#include <stdlib.h>

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "morph: %s\n", pliant_result_text(result));
    exit(1);
}

enum { NOSE, CHEEKS, TARGETS };

/* The displacements of a target: of the vertices around a point of the unit sphere, outward. */
typedef struct Bump {
    float *moves;
    uint32_t *indices;
    int32_t count;
} Bump;

static Bump make_bump(const SceneMesh *head, double x, double size, double height)
{
    size_t vertex_count = (size_t)head->vertex_count;
    Bump bump = {(float *)malloc(vertex_count * sizeof(float[3])),
                 (uint32_t *)malloc(vertex_count * sizeof(uint32_t)), 0};
    if (!bump.moves || !bump.indices)
        exit(1);
    for (int32_t v = 0; v < head->vertex_count; v++) {
        const float *p = head->vertices + 3 * v;
        double away = (x - p[0]) / size; /* from 0 in the middle to 1 at the rim */
        if (away >= 1)
            continue;
        for (int k = 0; k < 3; k++)
            bump.moves[3 * bump.count + k] = (float)(height * (1 - away) * p[k]);
        bump.indices[bump.count++] = (uint32_t)v;
    }
    return bump;
}

static PliantShape *make_head(const SceneMesh *head, const Bump bumps[TARGETS])
{
    PliantTarget targets[TARGETS];
    for (int t = 0; t < TARGETS; t++) {
        PliantTarget target = {{bumps[t].moves, bumps[t].count, 0}, bumps[t].indices};
        targets[t] = target;
    }

    PliantShapeDef def = pliant_shape_def_default();
    def.vertices.data = head->vertices;
    def.vertices.count = head->vertex_count;
    def.triangles.data = head->triangles;
    def.triangles.count = head->triangle_count;
    def.targets = targets; /* displacements, of some vertices or of all, as in glTF */
    def.target_count = TARGETS;
    PliantShape *shape;
    must(pliant_shape_create(&def, &shape));
    return shape;
}

static PliantShape *make_wall(void)
{
    static const float corners[4][3] = {{1.2f, -2, -2}, {1.2f, 2, -2}, {1.2f, 2, 2}, {1.2f, -2, 2}};
    static const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices.data = corners[0];
    def.vertices.count = 4;
    def.triangles.data = triangles[0];
    def.triangles.count = 2;
    PliantShape *shape;
    must(pliant_shape_create(&def, &shape));
    return shape;
}

/* The first frame in which something touches, or -1. */
static int play(PliantWorld *world, PliantBody face)
{
    for (int frame = 0; frame <= 10; frame++) {
        float weights[TARGETS];
        weights[NOSE] = 0.1f * (float)frame;
        weights[CHEEKS] = -0.2f;
        must(pliant_body_set_weights(world, face, weights, TARGETS));

        PliantContacts contacts = pliant_contacts_default();
        must(pliant_world_collide(world, NULL, &contacts));
        if (contacts.count == 0)
            continue;
        PliantStats stats = pliant_stats_default();
        must(pliant_body_stats(world, face, &stats));
        printf(
            "the nose touches the wall in frame %d: %d pairs of triangles, %d vertices evaluated\n",
            frame, (int)contacts.count, (int)stats.vertices_evaluated);
        return frame;
    }
    return -1;
}

int main(void)
{
    SceneMesh head = scene_icosphere(5);
    Bump bumps[TARGETS];
    bumps[NOSE] = make_bump(&head, 1, 0.03, 0.3);
    bumps[CHEEKS] = make_bump(&head, 1, 0.7, 0.3);
    PliantShape *shape = make_head(&head, bumps), *wall = make_wall();

    PliantWorld *world;
    must(pliant_world_create(NULL, &world));
    PliantBody face, ground;
    must(pliant_body_create(world, shape, &face));
    must(pliant_body_create(world, wall, &ground));
    int frame = play(world, face);

    pliant_world_destroy(world);
    pliant_shape_release(shape);
    pliant_shape_release(wall);
    for (int t = 0; t < TARGETS; t++) {
        free(bumps[t].moves);
        free(bumps[t].indices);
    }
    scene_mesh_free(&head);
    return frame == 9 ? 0 : 1;
}
