/* Two waving spheres pushed into each other, drawn as SVG: triangles that touch the other sphere
 * are red.
 *
 *     picture > bumpy.svg
 *
 * Which triangles those are, the library says; painter.h does the rest. */
#include "painter.h"
#include "scenes.h"
#include <pliant/pliant.h>

#include <stdio.h>
#include <stdlib.h>

enum { SUBDIVISIONS = 4, STEP = 112 };

static void *allocate(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block)
        exit(1);
    return block;
}

/* Marks the triangles of both bodies that intersect a triangle of the other. */
static void find_touching(float *const corners[2], int32_t triangle_count,
                          uint8_t *const touching[2])
{
    int64_t pair_count;
    uint32_t *pairs =
        scene_box_pairs(corners[0], triangle_count, corners[1], triangle_count, &pair_count);
    uint8_t *results = (uint8_t *)allocate((size_t)pair_count + 1, 1);

    PliantTrianglePairs def = pliant_triangle_pairs_default();
    def.a = corners[0];
    def.b = corners[1];
    def.a_count = def.b_count = triangle_count;
    def.pairs = pairs;
    def.pair_count = pair_count;
    if (pliant_triangle_pairs_intersect(&def, results, pair_count, NULL) != PLIANT_OK)
        exit(1);

    for (int64_t i = 0; i < pair_count; i++) {
        touching[0][pairs[2 * i]] |= results[i];
        touching[1][pairs[2 * i + 1]] |= results[i];
    }
    free(pairs);
    free(results);
}

/* Bodies have the first two; triangles that touch have the last. */
enum { TOUCHING = 2 };
static const double colors[3][3] = {{120, 160, 205}, {225, 195, 130}, {215, 40, 40}};

/* From in front and a little above. */
static const PainterView view = {0.12, 0.35, 180, 400, 230};

int main(void)
{
    SceneBumpy scene = scene_bumpy(SUBDIVISIONS);
    int32_t count = scene.sphere.triangle_count;
    float *vertices = (float *)allocate(3 * (size_t)scene.sphere.vertex_count, sizeof *vertices);
    float *corners[2];
    uint8_t *touching[2];
    for (int body = 0; body < 2; body++) {
        corners[body] = (float *)allocate(9 * (size_t)count, sizeof(float));
        touching[body] = (uint8_t *)allocate((size_t)count, 1);
        scene_bumpy_vertices(&scene, body, STEP, vertices);
        scene_corners(&scene.sphere, vertices, corners[body]);
    }
    find_touching(corners, count, touching);

    PainterFace *faces = (PainterFace *)allocate(2 * (size_t)count, sizeof *faces);
    for (int32_t i = 0; i < 2 * count; i++) {
        int body = i / count, triangle = i % count;
        faces[i] = painter_face(&view, corners[body] + 9 * (int64_t)triangle,
                                touching[body][triangle] ? TOUCHING : body);
    }
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 460\" "
           "stroke-width=\"0.6\">\n");
    painter_draw(faces, 2 * (size_t)count, colors);
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
