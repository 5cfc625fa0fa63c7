/* Points planted on a body: see plant.h. */
#include "plant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One is a leaf alone; up to eight are the children of one node. */
enum { NODE_POINTS = 8, MAX_POINTS = 40 };

static void *must_have(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

/* Some triangles of a body, one behind the other: all, or few enough for a leaf. */
typedef struct Part {
    const BruteBody *body;
    int32_t first, count;
    double low[3], high[3];
} Part;

static const float *corner(const Part *part, int32_t number)
{
    size_t at = 3 * (size_t)part->first + (size_t)number;
    return part->body->vertices + 3 * (size_t)part->body->triangles[at];
}

static bool is_finite(const float p[3])
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

static Part random_part(SceneRandom *random, const BruteBody *body)
{
    Part part = {body, 0, body->triangle_count, {0}, {0}};
    int size = 1 << stage_whole(random, 0, 12);
    bool is_all = stage_whole(random, 0, 2) == 0;
    if (!is_all && size < body->triangle_count) {
        part.first = stage_whole(random, 0, body->triangle_count - size);
        part.count = size;
    }
    for (int k = 0; k < 3; k++) {
        part.low[k] = INFINITY;
        part.high[k] = -INFINITY;
    }
    for (int32_t i = 0; i < 9 * part.count; i++) {
        double x = (double)corner(&part, i / 3)[i % 3];
        if (!isfinite(x))
            continue;
        part.low[i % 3] = fmin(part.low[i % 3], x);
        part.high[i % 3] = fmax(part.high[i % 3], x);
    }
    return part;
}

/* One of the directions of a kind, as whole numbers. */
static void random_way(SceneRandom *random, PlantKind kind, double way[3])
{
    int zero = stage_whole(random, 0, 2);
    for (int k = 0; k < 3; k++) {
        bool is_used = kind == PLANT_axes ? k == zero : kind == PLANT_cube || k != zero;
        double sign = stage_whole(random, 0, 1) ? 1 : -1;
        way[k] = is_used ? sign : 0;
    }
}

/* How far out a point is. */
static double reach(const Part *part, PlantKind kind, const double way[3], const float p[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double from = (double)p[k] - 0.5 * (part->low[k] + part->high[k]);
        sum += kind == PLANT_farthest ? from * from : way[k] * (double)p[k];
    }
    return sum;
}

static const float *outermost(SceneRandom *random, const Part *part, PlantKind kind)
{
    double way[3], most = -INFINITY;
    random_way(random, kind, way);
    const float *found = corner(part, stage_whole(random, 0, 3 * part->count - 1));
    if (kind == PLANT_any)
        return found;
    for (int32_t i = 0; i < 3 * part->count; i++) {
        const float *p = corner(part, i);
        double out = is_finite(p) ? reach(part, kind, way, p) : -INFINITY;
        if (out > most) {
            most = out;
            found = p;
        }
    }
    return found;
}

SceneMesh plant_mesh(Stage *stage, const BruteBody *body, PlantKind kind)
{
    SceneRandom *random = &stage->random;
    int size = stage_whole(random, 0, 3);
    int32_t count = stage_whole(random, 2, size == 3 ? MAX_POINTS : NODE_POINTS);
    if (size == 0)
        count = 1;
    SceneMesh mesh = {must_have(calloc((size_t)count, 12)), must_have(calloc((size_t)count, 12)),
                      count, count};
    for (int32_t i = 0; i < count; i++) {
        Part part = random_part(random, body);
        memcpy(mesh.vertices + 3 * (size_t)i, outermost(random, &part, kind), 12);
        for (int c = 0; c < 3; c++)
            mesh.triangles[3 * i + c] = (uint32_t)i;
    }
    return mesh;
}

/* The other reference is anywhere, and so is what is not finite in the mesh. */
Morph *plant_morph(Stage *stage, const SceneMesh *mesh)
{
    size_t size = (size_t)mesh->vertex_count;
    Morph *morph = must_have(calloc(1, sizeof *morph));
    morph->kind = PLIANT_MORPH_REFERENCES;
    morph->user_count = 1;
    for (int t = 0; t < 2; t++) {
        float *data = must_have(malloc(12 * size));
        for (int32_t i = 0; i < 3 * mesh->vertex_count; i++) {
            float other = (float)(stage->scale * stage_signed(&stage->random));
            bool is_there = t == 0 && isfinite(mesh->vertices[i]);
            data[i] = is_there ? mesh->vertices[i] : other;
        }
        morph_add(morph, (MorphTarget){data, NULL}, mesh->vertex_count);
    }
    return morph;
}
