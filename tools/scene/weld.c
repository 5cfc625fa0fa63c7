/* Welding: exporters split vertices at seams of texture and shading, and a surface that was whole
 * then touches itself along every seam. Vertices that are in one place, and stay together however
 * the part moves, are one.
 *
 * Vertices are sorted by a hash of all that they are. Where hashes agree, the vertices mostly are
 * the same; if they are not, they are sorted by what they are: no file, however it was made, costs
 * more than O(n log n).
 */
#include "scene/reader.h"

#include <stdlib.h>
#include <string.h>

/* A joint and the bits of its weight; zero where there is none, behind those that are. */
typedef struct Influence {
    uint32_t joint, weight;
} Influence;

typedef struct Welder {
    const Scene *scene;
    const ScenePart *part;
    Influence *influences; /* of each vertex, by joint */
    uint64_t *hashes;
    int32_t *order; /* of vertices, equal ones together */
    int32_t *news;  /* the vertex that each becomes; -1: it goes */
} Welder;

/* ---- What a vertex is --------------------------------------------------------------------------
 */

/* The bits of a number; -0 is 0. */
static uint32_t bits_of(float number)
{
    uint32_t bits;
    number += 0.0f;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Positions of vertex v: at rest, its targets', and in each frame of the cache. */
static int64_t position_count(const Welder *welder)
{
    int64_t frames = welder->part->cached >= 0 ? welder->scene->cache.frame_count : 0;
    return 1 + (int64_t)welder->part->target_count + frames;
}

static const float *position_at(const Welder *welder, int32_t v, int64_t i)
{
    const ScenePart *part = welder->part;
    if (i == 0)
        return part->vertices + 3 * (size_t)v;
    if (i <= part->target_count)
        return part->targets + 3 * ((size_t)(i - 1) * (size_t)part->vertex_count + (size_t)v);
    const SceneCache *cache = &welder->scene->cache;
    size_t frame = (size_t)(i - 1 - part->target_count);
    return cache->vertices +
           3 * (frame * (size_t)cache->vertex_count + (size_t)part->cached + (size_t)v);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_vertex(const Welder *welder, int32_t v)
{
    uint64_t hash = 1;
    int64_t positions = position_count(welder);
    int32_t width = welder->part->influence_count;
    for (int64_t i = 0; i < positions; i++) {
        const float *position = position_at(welder, v, i);
        hash = mix(hash, bits_of(position[0]) | (uint64_t)bits_of(position[1]) << 32);
        hash = mix(hash, bits_of(position[2]));
    }
    for (int32_t k = 0; k < width; k++) {
        Influence influence = welder->influences[(size_t)v * (size_t)width + (size_t)k];
        hash = mix(hash, influence.joint | (uint64_t)influence.weight << 32);
    }
    return hash;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_vertices(const Welder *welder, int32_t a, int32_t b)
{
    size_t width = (size_t)welder->part->influence_count;
    int64_t positions = position_count(welder);
    int order = 0;
    for (int64_t i = 0; order == 0 && i < positions; i++) {
        const float *p = position_at(welder, a, i), *q = position_at(welder, b, i);
        for (int k = 0; order == 0 && k < 3; k++)
            order = compare_numbers(bits_of(p[k]), bits_of(q[k]));
    }
    if (order == 0 && width > 0)
        order = memcmp(welder->influences + (size_t)a * width,
                       welder->influences + (size_t)b * width, width * sizeof(Influence));
    return order;
}

static int by_what_they_are(const void *a, const void *b, void *welder)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    int order = compare_vertices(welder, x, y);
    return order ? order : (x > y) - (x < y);
}

static int by_hash(const void *a, const void *b, void *user)
{
    const Welder *welder = user;
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    int order = compare_numbers(welder->hashes[x], welder->hashes[y]);
    return order ? order : (x > y) - (x < y);
}

/* ---- Which become one ------------------------------------------------------------------------ */

/* By joint, then weight; what has no weight last. */
static bool is_before(Influence a, Influence b)
{
    if ((a.weight == 0) != (b.weight == 0))
        return b.weight == 0;
    return a.joint != b.joint ? a.joint < b.joint : a.weight < b.weight;
}

/* Writers list the joints of a vertex in any order. */
static void sort_influences(const ScenePart *part, Influence *influences)
{
    size_t width = (size_t)part->influence_count;
    for (int32_t v = 0; v < part->vertex_count; v++) {
        Influence *own = influences + (size_t)v * width;
        for (size_t k = 0; k < width; k++) {
            size_t from = (size_t)v * width + k, index = k;
            Influence next = {part->joints[from], bits_of(part->joint_weights[from])};
            next.joint = next.weight ? next.joint : 0;
            for (; index > 0 && is_before(next, own[index - 1]); index--)
                own[index] = own[index - 1];
            own[index] = next;
        }
    }
}

static void mark_used(const ScenePart *part, int32_t *news)
{
    bool is_kept = part->cached >= 0; /* a cache counts all vertices */
    for (int32_t v = 0; v < part->vertex_count; v++)
        news[v] = is_kept ? 0 : -1;
    for (size_t i = 0; i < 3 * (size_t)part->triangle_count; i++)
        news[part->triangles[i]] = 0;
}

/* Fills `news` for vertices of one hash: others become the first that equals them. */
static void match(Welder *welder, int32_t *order, int32_t count)
{
    bool are_same = true;
    for (int32_t i = 1; i < count && are_same; i++)
        are_same = compare_vertices(welder, order[0], order[i]) == 0;
    if (!are_same)
        qsort_r(order, (size_t)count, sizeof *order, by_what_they_are, welder);
    for (int32_t i = 0, first = 0; i < count; i++) {
        if (!are_same && i > 0 && compare_vertices(welder, order[i - 1], order[i]) != 0)
            first = i;
        welder->news[order[i]] = order[first];
    }
}

/* Fills `news`: those that stay keep their order, and others become the first that equals them. How
 * many stay. */
static int32_t number_vertices(Welder *welder)
{
    int32_t count = 0, vertex_count = welder->part->vertex_count, used = 0;
    int32_t *order = welder->order, *news = welder->news;
    mark_used(welder->part, news);
    for (int32_t v = 0; v < vertex_count; v++)
        if (news[v] == 0)
            order[used++] = v;
    qsort_r(order, (size_t)used, sizeof *order, by_hash, welder);
    for (int32_t first = 0, end = 0; first < used; first = end) {
        while (end < used && welder->hashes[order[end]] == welder->hashes[order[first]])
            end++;
        match(welder, order + first, end - first);
    }
    /* An equal one that stays is at or before each vertex, and so has its number already. */
    for (int32_t v = 0; v < vertex_count; v++)
        if (news[v] >= 0)
            news[v] = news[v] == v ? count++ : news[news[v]];
    return count;
}

/* ---- Moving them together -------------------------------------------------------------------- */

/* Vertices in an array of `width` bytes each: those that stay move to the front. */
static void pack(void *array, size_t width, const int32_t *news, int32_t vertex_count)
{
    char *bytes = array;
    int32_t next = 0;
    if (width == 0)
        return;
    for (int32_t v = 0; v < vertex_count; v++)
        if (news[v] == next) {
            memmove(bytes + (size_t)next * width, bytes + (size_t)v * width, width);
            next++;
        }
}

static void pack_part(ScenePart *part, const int32_t *news, int32_t count)
{
    int32_t old = part->vertex_count;
    size_t row = sizeof(float[3]), influences = (size_t)part->influence_count;
    pack(part->vertices, row, news, old);
    for (size_t t = 0; t < (size_t)part->target_count; t++) {
        pack(part->targets + 3 * t * (size_t)old, row, news, old);
        memmove(part->targets + 3 * t * (size_t)count, part->targets + 3 * t * (size_t)old,
                (size_t)count * row);
    }
    pack(part->joints, influences * sizeof *part->joints, news, old);
    pack(part->joint_weights, influences * sizeof *part->joint_weights, news, old);
    for (size_t i = 0; i < 3 * (size_t)part->triangle_count; i++)
        part->triangles[i] = (uint32_t)news[part->triangles[i]];
    part->vertex_count = count;
}

/* Takes the vertices that went out of every frame. Whatever moves, moves toward the front. */
static void pack_cache(SceneCache *cache, const ScenePart *part, const int32_t *news, int32_t old)
{
    size_t row = sizeof(float[3]), before = (size_t)part->cached;
    size_t behind = (size_t)cache->vertex_count - before - (size_t)old;
    float *to = cache->vertices;
    for (size_t f = 0; f < (size_t)cache->frame_count; f++) {
        float *from = cache->vertices + 3 * f * (size_t)cache->vertex_count;
        pack(from + 3 * before, row, news, old);
        size_t kept = before + (size_t)part->vertex_count;
        memmove(to, from, kept * row);
        memmove(to + 3 * kept, from + 3 * (before + (size_t)old), behind * row);
        to += 3 * (kept + behind);
    }
    cache->vertex_count -= old - part->vertex_count;
}

static void weld_part(Scene *scene, ScenePart *part, Welder *welder)
{
    int32_t old = part->vertex_count;
    sort_influences(part, welder->influences);
    for (int32_t v = 0; v < old; v++)
        welder->hashes[v] = hash_vertex(welder, v);
    int32_t count = number_vertices(welder);
    if (count == old)
        return;
    pack_part(part, welder->news, count);
    if (part->cached < 0)
        return;
    pack_cache(&scene->cache, part, welder->news, old);
    for (int32_t i = 0; i < scene->part_count; i++)
        if (scene->parts[i].cached > part->cached)
            scene->parts[i].cached -= old - count;
}

bool scene_weld(Scene *scene, SceneError *error)
{
    bool is_ok = true;
    for (int32_t i = 0; is_ok && i < scene->part_count; i++) {
        ScenePart *part = &scene->parts[i];
        size_t count = (size_t)part->vertex_count + 1;
        Welder welder = {.scene = scene, .part = part};
        welder.influences =
            malloc(count * ((size_t)part->influence_count + 1) * sizeof *welder.influences);
        welder.hashes = malloc(count * sizeof *welder.hashes);
        welder.order = malloc(count * sizeof *welder.order);
        welder.news = malloc(count * sizeof *welder.news);
        is_ok = welder.influences && welder.hashes && welder.order && welder.news;
        if (is_ok)
            weld_part(scene, part, &welder);
        free(welder.influences);
        free(welder.hashes);
        free(welder.order);
        free(welder.news);
    }
    return is_ok || scene_fail(error, "there is no memory left");
}
