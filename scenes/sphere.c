/* Spheres of triangles, and meshes: see scenes.h. */
#include "scenes.h"

#include <math.h> /* sqrt: exactly rounded everywhere */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *scene_allocate(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (!block) {
        fprintf(stderr, "scenes: out of memory\n");
        exit(1);
    }
    return block;
}

static void set_on_sphere(float *vertex, double x, double y, double z)
{
    double length = sqrt(x * x + y * y + z * z);
    vertex[0] = (float)(x / length);
    vertex[1] = (float)(y / length);
    vertex[2] = (float)(z / length);
}

/* Copies a solid out, its corners pushed to the unit sphere. */
static SceneMesh solid_mesh(const double (*vertices)[3], int32_t vertex_count,
                            const uint32_t (*triangles)[3], int32_t triangle_count)
{
    SceneMesh mesh = {scene_allocate(3 * (size_t)vertex_count, sizeof(float)),
                      scene_allocate(3 * (size_t)triangle_count, sizeof(uint32_t)), vertex_count,
                      triangle_count};
    for (int32_t i = 0; i < vertex_count; i++)
        set_on_sphere(mesh.vertices + 3 * i, vertices[i][0], vertices[i][1], vertices[i][2]);
    memcpy(mesh.triangles, triangles, 3 * (size_t)triangle_count * sizeof(uint32_t));
    return mesh;
}

static SceneMesh tetrahedron(void)
{
    /* Every other corner of a cube. */
    static const uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    static const double vertices[4][3] = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}};
    return solid_mesh(vertices, 4, triangles, 4);
}

static SceneMesh octahedron(void)
{
    /* Both ends of each axis. */
    static const uint32_t triangles[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                             {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    static const double vertices[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                          {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    return solid_mesh(vertices, 6, triangles, 8);
}

static SceneMesh icosahedron(void)
{
    /* Three golden rectangles, across one another. */
    static const uint32_t triangles[20][3] = {
        {0, 1, 4}, {0, 4, 9},  {9, 4, 5},  {4, 8, 5},  {4, 1, 8},  {8, 1, 10}, {8, 10, 3},
        {5, 8, 3}, {5, 3, 2},  {2, 3, 7},  {7, 3, 10}, {7, 10, 6}, {7, 6, 11}, {11, 6, 0},
        {0, 6, 1}, {6, 10, 1}, {9, 11, 0}, {9, 2, 11}, {9, 5, 2},  {7, 11, 2}};
    const double g = (1 + sqrt(5)) / 2;
    const double vertices[12][3] = {{-1, 0, g}, {1, 0, g},  {-1, 0, -g}, {1, 0, -g},
                                    {0, g, 1},  {0, g, -1}, {0, -g, 1},  {0, -g, -1},
                                    {g, 1, 0},  {-g, 1, 0}, {g, -1, 0},  {-g, -1, 0}};
    return solid_mesh(vertices, 12, triangles, 20);
}

/* The middle of each edge, made once: a hash table from the edge's two ends to its middle vertex.
 */
typedef struct Middles {
    uint64_t *edges; /* 0: free; no edge is (0, 0) */
    uint32_t *vertices;
    uint64_t mask;
    SceneMesh *mesh; /* gets the new vertices */
} Middles;

static uint32_t middle_of(Middles *middles, uint32_t p, uint32_t q)
{
    uint64_t edge = p < q ? (uint64_t)p << 32 | q : (uint64_t)q << 32 | p;
    SceneRandom hash = {edge};
    uint64_t slot = scene_random_bits(&hash) & middles->mask;
    for (; middles->edges[slot] != 0; slot = (slot + 1) & middles->mask)
        if (middles->edges[slot] == edge)
            return middles->vertices[slot];

    SceneMesh *mesh = middles->mesh;
    const float *v = mesh->vertices + 3 * (size_t)p, *w = mesh->vertices + 3 * (size_t)q;
    uint32_t middle = (uint32_t)mesh->vertex_count++;
    set_on_sphere(mesh->vertices + 3 * (size_t)middle, (double)v[0] + w[0], (double)v[1] + w[1],
                  (double)v[2] + w[2]);
    middles->edges[slot] = edge;
    middles->vertices[slot] = middle;
    return middle;
}

static SceneMesh subdivide(const SceneMesh *coarse)
{
    size_t edge_count = (size_t)coarse->triangle_count / 2 * 3;
    SceneMesh fine = {
        scene_allocate(3 * ((size_t)coarse->vertex_count + edge_count), sizeof(float)),
        scene_allocate(12 * (size_t)coarse->triangle_count, sizeof(uint32_t)), coarse->vertex_count,
        0};
    memcpy(fine.vertices, coarse->vertices, 3 * (size_t)coarse->vertex_count * sizeof(float));
    uint64_t slots = 64;
    while (slots < 2 * edge_count)
        slots *= 2;
    Middles middles = {scene_allocate(slots, sizeof(uint64_t)),
                       scene_allocate(slots, sizeof(uint32_t)), slots - 1, &fine};
    for (int32_t t = 0; t < coarse->triangle_count; t++) {
        const uint32_t *c = coarse->triangles + 3 * (size_t)t;
        uint32_t m[3];
        for (int i = 0; i < 3; i++)
            m[i] = middle_of(&middles, c[i], c[(i + 1) % 3]);
        const uint32_t split[12] = {c[0], m[0], m[2], c[1], m[1], m[0],
                                    c[2], m[2], m[1], m[0], m[1], m[2]};
        memcpy(fine.triangles + 3 * (size_t)fine.triangle_count, split, sizeof split);
        fine.triangle_count += 4;
    }
    free(middles.edges);
    free(middles.vertices);
    return fine;
}

SceneMesh scene_sphere(SceneSolid solid, int subdivisions)
{
    SceneMesh mesh = solid == SCENE_TETRAHEDRON  ? tetrahedron()
                     : solid == SCENE_OCTAHEDRON ? octahedron()
                                                 : icosahedron();
    for (int i = 0; i < subdivisions; i++) {
        SceneMesh fine = subdivide(&mesh);
        scene_mesh_free(&mesh);
        mesh = fine;
    }
    return mesh;
}

SceneMesh scene_icosphere(int subdivisions)
{
    return scene_sphere(SCENE_ICOSAHEDRON, subdivisions);
}

void scene_mesh_free(SceneMesh *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (SceneMesh){0};
}

void scene_corners(const SceneMesh *mesh, const float *vertices, float *corners)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        memcpy(corners + 3 * i, vertices + 3 * (size_t)mesh->triangles[i], 3 * sizeof(float));
}
