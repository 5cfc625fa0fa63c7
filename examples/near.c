/* A sheet sinks toward a ball, and is kept at a distance from it: pairs of features that are near,
 * and a push along the normal of each. docs/near.md walks through it. */
#include <pliant/pliant.h>
#include <scenes.h>

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 24, VERTICES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };
static const float thickness = 0.02f, step = 0.01f;

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "%s: %s\n", pliant_result_name(result), pliant_result_text(result));
    exit(1);
}

/* A square sheet over the ball. */
static void make_sheet(float *vertices, uint32_t *triangles)
{
    for (int i = 0; i < VERTICES; i++) {
        const int row = i / SIDE, column = i % SIDE;
        vertices[3 * i] = 2.4f * (float)column / (SIDE - 1) - 1.2f;
        vertices[3 * i + 1] = 1.1f;
        vertices[3 * i + 2] = 2.4f * (float)row / (SIDE - 1) - 1.2f;
    }
    for (int row = 0; row < SIDE - 1; row++)
        for (int column = 0; column < SIDE - 1; column++) {
            const uint32_t first = (uint32_t)(SIDE * row + column);
            const uint32_t corners[6] = {first,        first + 1, first + SIDE,
                                         first + SIDE, first + 1, first + SIDE + 1};
            for (int k = 0; k < 6; k++)
                *triangles++ = corners[k];
        }
}

static PliantShape *make_shape(const float *vertices, int32_t vertex_count,
                               const uint32_t *triangles, int32_t triangle_count)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    def.vertices.data = vertices;
    def.vertices.count = vertex_count;
    def.triangles.data = triangles;
    def.triangles.count = triangle_count;
    must(pliant_shape_create(&def, &shape));
    return shape;
}

int main(void)
{
    static float vertices[3 * VERTICES];
    static uint32_t triangles[3 * TRIANGLES];
    SceneMesh ball = scene_icosphere(4);
    make_sheet(vertices, triangles);

    PliantShape *ball_shape =
        make_shape(ball.vertices, ball.vertex_count, ball.triangles, ball.triangle_count);
    PliantShape *sheet_shape = make_shape(vertices, VERTICES, triangles, TRIANGLES);

    PliantWorld *world;
    PliantBody ball_body, sheet_body;
    must(pliant_world_create(NULL, &world));
    must(pliant_body_create(world, ball_shape, &ball_body));
    must(pliant_body_create(world, sheet_shape, &sheet_body));
    PliantVertices borrowed = {vertices, VERTICES, 0};
    must(pliant_body_borrow_vertices(world, sheet_body, borrowed));

    static const int ball_counts[] = {1, 3, 2}; /* vertices of body a, by PliantFeatures */
    PliantNearDef def = pliant_near_def_default();
    def.distance = thickness;
    for (int frame = 0; frame < 60; frame++) {
        for (int i = 0; i < VERTICES; i++)
            vertices[3 * i + 1] -= step;

        /* Each pair that is too close is pushed apart, along its normal, by weights. */
        PliantNearPairs pairs = pliant_near_pairs_default();
        for (int round = 0; round < 40; round++) {
            must(pliant_bodies_near(world, ball_body, sheet_body, &def, &pairs));
            for (int64_t i = 0; i < pairs.count; i++) {
                const PliantNearPair *pair = &pairs.items[i];
                const float missing = thickness * 1.001f - pair->distance;
                float sum = 0; /* of the vertices that move: the ball stays */
                for (int k = ball_counts[pair->kind]; k < 4; k++)
                    sum += pair->weights[k] * pair->weights[k];
                for (int k = ball_counts[pair->kind]; k < 4; k++)
                    for (uint32_t axis = 0; axis < 3; axis++)
                        vertices[3 * pair->vertices[k] + axis] +=
                            missing * pair->weights[k] / sum * pair->normal[axis];
            }
            if (pairs.count == 0)
                break;
        }
        if (frame % 20 == 19)
            printf("frame %d: %d pairs within %g are left\n", frame + 1, (int)pairs.count,
                   (double)thickness);
    }

    /* It never went through. */
    PliantContacts contacts = pliant_contacts_default();
    must(pliant_bodies_collide(world, ball_body, sheet_body, NULL, &contacts));
    printf("%d pairs of triangles intersect\n", (int)contacts.count);

    pliant_world_destroy(world);
    pliant_shape_release(ball_shape);
    pliant_shape_release(sheet_shape);
    scene_mesh_free(&ball);
    return contacts.count == 0 ? 0 : 1;
}
