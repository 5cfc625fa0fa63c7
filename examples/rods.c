/* Strands fall onto a ball and come to rest on it: a shape of segments, and pairs of features that
 * are near. Writes a picture, as SVG. docs/shapes.md and docs/near.md refer to it. */
#include "painter.h"
#include <pliant/pliant.h>
#include <scenes.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRANDS = 14, LENGTH = 25, VERTICES = STRANDS * LENGTH, SEGMENTS = STRANDS * (LENGTH - 1) };
static const float radius = 0.02f, spacing = 0.1f;

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "%s: %s\n", pliant_result_name(result), pliant_result_text(result));
    exit(1);
}

/* Strands above the ball, every other one across the others and above them. */
static void make_strands(float (*vertices)[3], uint32_t (*segments)[2])
{
    for (uint32_t v = 0; v < VERTICES; v++) {
        const uint32_t strand = v / LENGTH, at = v % LENGTH, is_across = strand % 2;
        const float along = spacing * ((float)at - (LENGTH - 1) / 2.0f),
                    beside = 0.11f * ((float)strand - (STRANDS - 1) / 2.0f);
        vertices[v][0] = is_across ? along : beside;
        vertices[v][1] = is_across ? 1.2f : 1.1f;
        vertices[v][2] = is_across ? beside : along;
        if (at == LENGTH - 1)
            continue;
        (*segments)[0] = v;
        (*segments)[1] = v + 1;
        segments++;
    }
}

/* Moves the vertices of a pair that is too close apart, along its normal, by their weights: those
 * from the first on. */
static void push(const PliantNearPair *pair, int first, float (*vertices)[3])
{
    const float missing = 2 * radius * 1.001f - pair->distance;
    float sum = 0;
    for (int k = first; k < 4; k++)
        sum += pair->weights[k] * pair->weights[k];
    for (int k = first; k < 4; k++)
        for (int axis = 0; axis < 3; axis++)
            vertices[pair->vertices[k]][axis] +=
                missing * pair->weights[k] / sum * pair->normal[axis];
}

/* Brings the ends of each segment back to their distance. */
static void pull(float (*vertices)[3], uint32_t (*segments)[2])
{
    for (int s = 0; s < SEGMENTS; s++) {
        float *a = vertices[segments[s][0]], *b = vertices[segments[s][1]], square = 0;
        for (int k = 0; k < 3; k++)
            square += (b[k] - a[k]) * (b[k] - a[k]);
        const float factor = (1 - spacing / sqrtf(square)) / 2;
        for (int k = 0; k < 3; k++) {
            const float step = factor * (b[k] - a[k]);
            a[k] += step;
            b[k] -= step;
        }
    }
}

static void draw(const SceneMesh *ball, float (*vertices)[3], uint32_t (*segments)[2])
{
    static const double colors[3][3] = {{205, 215, 225}, {190, 60, 40}, {40, 90, 170}};
    static PainterFace faces[SEGMENTS + 2048];
    const PainterView view = {0.5, 0.45, 190, 320, 300};
    size_t count = 0;
    for (int32_t t = 0; t < ball->triangle_count; t++) {
        float corners[9];
        for (int k = 0; k < 3; k++)
            memcpy(corners + 3 * k, ball->vertices + 3 * ball->triangles[3 * t + k],
                   3 * sizeof *corners);
        faces[count++] = painter_face(&view, corners, 0);
    }
    for (int s = 0; s < SEGMENTS; s++) {
        float corners[9]; /* as the library has them: a, b, b; drawn by its outline */
        for (int k = 0; k < 3; k++)
            memcpy(corners + 3 * k, vertices[segments[s][k > 0]], 3 * sizeof *corners);
        PainterFace face = painter_face(&view, corners, 1 + s / (LENGTH - 1) % 2);
        face.is_in_front = true;
        face.light = 1;
        faces[count++] = face;
    }
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 600\" stroke-width=\"7\" "
           "stroke-linecap=\"round\" stroke-linejoin=\"round\">\n");
    painter_draw(faces, count, colors);
    printf("</svg>\n");
}

int main(void)
{
    static float rest[VERTICES][3], vertices[VERTICES][3];
    static uint32_t segments[SEGMENTS][2];
    SceneMesh ball = scene_icosphere(3);
    make_strands(rest, segments);
    memcpy(vertices, rest, sizeof vertices);

    PliantShapeDef ball_def = pliant_shape_def_default();
    ball_def.vertices.data = ball.vertices;
    ball_def.vertices.count = ball.vertex_count;
    ball_def.triangles.data = ball.triangles;
    ball_def.triangles.count = ball.triangle_count;
    PliantShape *ball_shape;
    must(pliant_shape_create(&ball_def, &ball_shape));

    PliantShapeDef def = pliant_shape_def_default();
    def.vertices.data = rest[0];
    def.vertices.count = VERTICES;
    def.segments.data = segments[0]; /* two vertices each, and no triangles */
    def.segments.count = SEGMENTS;
    PliantShape *shape;
    must(pliant_shape_create(&def, &shape));

    PliantWorld *world;
    PliantBody ball_body, strands;
    must(pliant_world_create(NULL, &world));
    must(pliant_body_create(world, ball_shape, &ball_body));
    must(pliant_body_create(world, shape, &strands));
    const PliantVertices borrowed = {vertices[0], VERTICES, 0};
    must(pliant_body_borrow_vertices(world, strands, borrowed));

    static const int ball_counts[] = {1, 3, 2}; /* vertices of body a, by PliantFeatures */
    PliantNearDef near_def = pliant_near_def_default();
    near_def.distance = 2 * radius;
    PliantNearPairs pairs = pliant_near_pairs_default();
    for (int frame = 0; frame < 90; frame++) {
        for (int v = 0; v < VERTICES; v++)
            vertices[v][1] -= 0.01f;
        for (int round = 0; round < 6; round++) {
            pull(vertices, segments);
            must(pliant_bodies_near(world, strands, strands, &near_def, &pairs));
            for (int64_t i = 0; i < pairs.count; i++)
                push(&pairs.items[i], 0, vertices); /* rod and rod: two edges */
            must(pliant_bodies_near(world, ball_body, strands, &near_def, &pairs));
            for (int64_t i = 0; i < pairs.count; i++)
                push(&pairs.items[i], ball_counts[pairs.items[i].kind], vertices);
        }
    }
    PliantContacts contacts = pliant_contacts_default();
    must(pliant_bodies_collide(world, ball_body, strands, NULL, &contacts));
    fprintf(stderr, "%d pairs of a triangle and a segment intersect\n", (int)contacts.count);
    draw(&ball, vertices, segments);

    pliant_world_destroy(world);
    pliant_shape_release(ball_shape);
    pliant_shape_release(shape);
    scene_mesh_free(&ball);
    return contacts.count == 0 ? 0 : 1;
}
