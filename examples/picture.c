/* Two waving spheres pushed into each other, drawn as SVG: triangles that touch the other sphere
 * are red.
 *
 *     picture > bumpy.svg
 *
 * Which triangles those are, the library says; the rest is a small painter's algorithm. */
#include "scenes.h"
#include <pliant/pliant.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SUBDIVISIONS = 4, STEP = 112 };

typedef struct Face {
    double x[3], y[3], depth, light;
    int body;
    bool is_touching, is_in_front;
} Face;

static void *allocate(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block)
        exit(1);
    return block;
}

/* Marks the triangles of both bodies that meet a triangle of the other. */
static void find_touching(float *const corners[2], int32_t triangle_count,
                          uint8_t *const touching[2])
{
    int64_t pair_count;
    uint32_t *pairs =
        scene_box_pairs(corners[0], triangle_count, corners[1], triangle_count, &pair_count);
    uint8_t *meets = allocate((size_t)pair_count + 1, 1);

    PliantTrianglePairs def = pliant_triangle_pairs_default();
    def.a = corners[0];
    def.b = corners[1];
    def.a_count = def.b_count = triangle_count;
    def.pairs = pairs;
    def.pair_count = pair_count;
    if (pliant_triangle_pairs_meet(&def, meets, NULL) != PLIANT_OK)
        exit(1);

    for (int64_t i = 0; i < pair_count; i++) {
        touching[0][pairs[2 * i]] |= meets[i];
        touching[1][pairs[2 * i + 1]] |= meets[i];
    }
    free(pairs);
    free(meets);
}

/* The triangle as it looks from in front and a little above. */
static Face face_of(const float *c, int body, bool is_touching)
{
    const double tilt = 0.35, turn = 0.12;
    double v[3][3];
    for (int i = 0; i < 3; i++) {
        double x = scene_cos(turn) * c[3 * i] + scene_sin(turn) * c[3 * i + 2];
        double z = scene_cos(turn) * c[3 * i + 2] - scene_sin(turn) * c[3 * i];
        v[i][0] = x;
        v[i][1] = scene_cos(tilt) * c[3 * i + 1] - scene_sin(tilt) * z;
        v[i][2] = scene_sin(tilt) * c[3 * i + 1] + scene_cos(tilt) * z;
    }
    double e[3], f[3], n[3];
    for (int k = 0; k < 3; k++) {
        e[k] = v[1][k] - v[0][k];
        f[k] = v[2][k] - v[0][k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    Face face = {.body = body, .is_touching = is_touching};
    for (int i = 0; i < 3; i++) {
        face.x[i] = 400 + 180 * v[i][0];
        face.y[i] = 230 - 180 * v[i][1];
        face.depth += v[i][2];
    }
    face.is_in_front = n[2] > 0;
    if (length > 0)
        face.light = 0.3 + 0.7 * (0.3 * -n[0] + 0.5 * n[1] + 0.8 * n[2]) / length;
    return face;
}

static int by_depth(const void *x, const void *y)
{
    const Face *p = x, *q = y;
    return (p->depth > q->depth) - (p->depth < q->depth);
}

static void draw(const Face *face)
{
    static const double colours[3][3] = {{120, 160, 205}, {225, 195, 130}, {215, 40, 40}};
    const double *colour = colours[face->is_touching ? 2 : face->body];
    double light = face->light < 0.3 ? 0.3 : face->light > 1 ? 1 : face->light;
    char rgb[8];
    snprintf(rgb, sizeof rgb, "#%02x%02x%02x", (unsigned)(colour[0] * light),
             (unsigned)(colour[1] * light), (unsigned)(colour[2] * light));
    printf("<path fill=\"%s\" stroke=\"%s\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>\n", rgb, rgb,
           face->x[0], face->y[0], face->x[1], face->y[1], face->x[2], face->y[2]);
}

int main(void)
{
    SceneBumpy scene = scene_bumpy(SUBDIVISIONS);
    int32_t count = scene.sphere.triangle_count;
    float *vertices = allocate(3 * (size_t)scene.sphere.vertex_count, sizeof *vertices);
    float *corners[2];
    uint8_t *touching[2];
    for (int body = 0; body < 2; body++) {
        corners[body] = allocate(9 * (size_t)count, sizeof(float));
        touching[body] = allocate((size_t)count, 1);
        scene_bumpy_vertices(&scene, body, STEP, vertices);
        scene_corners(&scene.sphere, vertices, corners[body]);
    }
    find_touching(corners, count, touching);

    Face *faces = allocate(2 * (size_t)count, sizeof *faces);
    for (int32_t i = 0; i < 2 * count; i++)
        faces[i] = face_of(corners[i / count] + 9 * (int64_t)(i % count), i / count,
                           touching[i / count][i % count]);
    qsort(faces, 2 * (size_t)count, sizeof *faces, by_depth);
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 460\" "
           "stroke-width=\"0.6\">\n");
    for (int32_t i = 0; i < 2 * count; i++)
        if (faces[i].is_in_front)
            draw(&faces[i]);
    printf("</svg>\n");

    for (int body = 0; body < 2; body++) {
        free(corners[body]);
        free(touching[body]);
    }
    free(faces);
    free(vertices);
    scene_bumpy_free(&scene);
    return 0;
}
