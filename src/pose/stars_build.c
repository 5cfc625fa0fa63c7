/* What is known of a mesh for its stars, made once: see stars.h. */
#include "base/sort.h"
#include "pose/stars.h"

#include <string.h>

/* ---- Fans --------------------------------------------------------------------------------------
 */

/* Corners of triangles at a vertex: the next and the last corner of their triangle. */
typedef struct Corners {
    int32_t count;
    uint32_t next[PLI_MOST_CORNERS], last[PLI_MOST_CORNERS];
} Corners;

static int32_t find(const uint32_t *numbers, int32_t count, uint32_t wanted)
{
    int32_t i = 0;
    while (i < count && numbers[i] != wanted)
        i++;
    return i;
}

/* Each edge from the vertex is the next of one corner at most, and the last of one at most; and
 * they all follow each other. */
static int fan_of(const Corners *corners, uint32_t vertex)
{
    const int32_t count = corners->count;
    int32_t first = 0, start_count = 0, at, seen = 1;
    for (int32_t i = 0; i < count; i++) {
        const uint32_t next = corners->next[i], last = corners->last[i];
        if (next == vertex || last == vertex || next == last ||
            find(corners->next, count, next) != i || find(corners->last, count, last) != i)
            return PLI_NO_FAN;
        if (find(corners->last, count, next) == count) {
            first = i;
            start_count++;
        }
    }
    for (at = first; seen < count; seen++) {
        at = find(corners->next, count, corners->last[at]);
        if (at == count || at == first)
            return PLI_NO_FAN;
    }
    return start_count == 0 ? PLI_CLOSED_FAN : PLI_OPEN_FAN;
}

/* ---- Making ------------------------------------------------------------------------------------
 */

typedef struct Maker {
    PliStars *stars;
    const PliTree *tree;
    const uint32_t *corners; /* of each position */
    int32_t *firsts;         /* of each vertex, in what follows */
    int32_t *slots;          /* corners, by vertex, rising */
    int32_t *leaves;         /* of each position */
    uint64_t *keys, *sorted; /* pairs of leaves */
    PliArena arena;
} Maker;

/* Which corners each vertex has, and which leaf each position. */
static PliantResult list_corners(Maker *maker)
{
    const PliTree *tree = maker->tree;
    const size_t vertex_count = (size_t)maker->stars->vertex_count;
    const int32_t corner_count = 3 * tree->item_count;
    void *firsts = NULL, *slots = NULL, *leaves = NULL;
    PliantResult result = pli_arena_take(&maker->arena, vertex_count + 2, sizeof(int32_t), &firsts);
    if (result == PLIANT_OK)
        result = pli_arena_take(&maker->arena, (size_t)corner_count, sizeof(int32_t), &slots);
    if (result == PLIANT_OK)
        result = pli_arena_take(&maker->arena, (size_t)tree->item_count, sizeof(int32_t), &leaves);
    if (result != PLIANT_OK)
        return result;
    memset(firsts, 0, (vertex_count + 2) * sizeof(int32_t));
    int32_t *ends = (int32_t *)firsts + 1; /* first beginnings, then ends */
    for (int32_t c = 0; c < corner_count; c++)
        ends[maker->corners[c] + 1]++;
    for (size_t v = 0; v < vertex_count; v++)
        ends[v + 1] += ends[v];
    for (int32_t c = 0; c < corner_count; c++)
        ((int32_t *)slots)[ends[maker->corners[c]]++] = c;
    for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++)
        for (int32_t i = 0; i < tree->leaves[leaf].count; i++)
            ((int32_t *)leaves)[tree->leaves[leaf].first + i] = leaf;
    maker->firsts = firsts;
    maker->slots = slots;
    maker->leaves = leaves;
    return PLIANT_OK;
}

/* How many leaves a vertex is in. */
static int32_t count_parts(const Maker *maker, int32_t vertex)
{
    int32_t count = 1;
    for (int32_t i = maker->firsts[vertex] + 1; i < maker->firsts[vertex + 1]; i++)
        count += maker->leaves[maker->slots[i] / 3] != maker->leaves[maker->slots[i - 1] / 3];
    return count;
}

static bool is_star(const Maker *maker, int32_t vertex)
{
    const int32_t count = maker->firsts[vertex + 1] - maker->firsts[vertex];
    return count > 1 && count <= PLI_MOST_CORNERS && count_parts(maker, vertex) <= PLI_MOST_PARTS;
}

static Corners corners_of(const Maker *maker, int32_t vertex)
{
    Corners corners = {.count = 0};
    for (int32_t i = maker->firsts[vertex]; i < maker->firsts[vertex + 1]; i++) {
        const int32_t slot = maker->slots[i], first = slot - slot % 3;
        corners.next[corners.count] = maker->corners[first + (slot + 1) % 3];
        corners.last[corners.count++] = maker->corners[first + (slot + 2) % 3];
    }
    return corners;
}

static int fan_at(const Maker *maker, int32_t vertex)
{
    const Corners corners = corners_of(maker, vertex);
    return fan_of(&corners, (uint32_t)vertex);
}

/* Closed fans in one leaf, in two, in three, and all others. */
static int kind_of(int fan, int32_t part_count)
{
    return fan == PLI_CLOSED_FAN && part_count < PLI_STAR_KINDS ? part_count - 1
                                                                : PLI_STAR_KINDS - 1;
}

static void add_star(Maker *maker, int32_t vertex, int fan, int32_t *part_count)
{
    PliStars *stars = maker->stars;
    PliStar *star = &stars->stars[stars->star_count++];
    *star = (PliStar){.vertex = vertex, .part_first = *part_count, .fan = fan};
    for (int32_t i = maker->firsts[vertex]; i < maker->firsts[vertex + 1]; i++) {
        const int32_t slot = maker->slots[i], position = slot / 3, corner = slot % 3;
        const int32_t leaf = maker->leaves[position];
        const int32_t place = position - maker->tree->leaves[leaf].first;
        if (star->part_count == 0 || stars->parts[*part_count - 1].leaf != leaf) {
            stars->parts[(*part_count)++] = (PliStarPart){0, leaf, 0};
            star->part_count++;
        }
        stars->parts[*part_count - 1].corners |= (uint64_t)1 << (PLI_LEAF_SIZE * corner + place);
        stars->parts[*part_count - 1].triangles |= (uint16_t)(1u << place);
    }
}

static PliantResult add_stars(Maker *maker)
{
    PliStars *stars = maker->stars;
    void *items = NULL, *parts = NULL, *states = NULL;
    size_t count = 0, corner_count = 0;
    stars->are_all = true;
    for (int32_t v = 0; v < stars->vertex_count; v++) {
        const int32_t corners = maker->firsts[v + 1] - maker->firsts[v];
        const bool is_one = is_star(maker, v);
        stars->are_all &= corners <= 1 || is_one;
        count += is_one;
        corner_count += is_one ? (size_t)corners : 0;
    }
    PliantResult result = pli_arena_take(&stars->arena, count, sizeof(PliStar), &items);
    if (result == PLIANT_OK)
        result = pli_arena_take(&stars->arena, corner_count, sizeof(PliStarPart), &parts);
    if (result == PLIANT_OK)
        result = pli_arena_take(&stars->arena, (size_t)stars->vertex_count, 1, &states);
    if (result != PLIANT_OK)
        return result;
    stars->stars = items;
    stars->parts = parts;
    stars->states = states;
    if (stars->vertex_count > 0)
        memset(states, PLI_NO_STAR, (size_t)stars->vertex_count);
    int32_t part_count = 0;
    for (int32_t v = 0; v < stars->vertex_count; v++)
        if (is_star(maker, v))
            stars->states[v] = (uint8_t)fan_at(maker, v); /* for now */
    for (int kind = 0; kind < PLI_STAR_KINDS; kind++) {
        /* In the order in which the tree comes to them. */
        for (int32_t c = 0; c < 3 * maker->tree->item_count; c++) {
            const int32_t vertex = (int32_t)maker->corners[c];
            if (maker->slots[maker->firsts[vertex]] != c || !is_star(maker, vertex))
                continue;
            const int fan = stars->states[vertex];
            if (kind_of(fan, count_parts(maker, vertex)) == kind)
                add_star(maker, vertex, fan, &part_count);
        }
        stars->kind_ends[kind] = stars->star_count;
    }
    for (int32_t s = 0; s < stars->star_count; s++)
        stars->states[stars->stars[s].vertex] = PLI_STAR_OPEN_QUESTION;
    return PLIANT_OK;
}

/* ---- Leaves that share vertices ----------------------------------------------------------------
 */

/* All pairs of leaves, each once. Returns how many. */
static int64_t sort_pairs(Maker *maker, int64_t count)
{
    const int bits = pli_bits_below(maker->tree->leaf_count);
    int64_t kept = 0;
    pli_sort_pairs(maker->keys, maker->sorted, count, bits, bits);
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || maker->keys[i] != maker->keys[i - 1])
            maker->keys[kept++] = maker->keys[i];
    return kept;
}

static PliantResult list_pairs(Maker *maker, int64_t *count)
{
    const PliStars *stars = maker->stars;
    void *keys = NULL, *sorted = NULL;
    *count = 0;
    for (int32_t s = 0; s < stars->star_count; s++) {
        const int64_t n = stars->stars[s].part_count;
        *count += n * (n - 1) / 2;
    }
    PliantResult result = pli_arena_take(&maker->arena, (size_t)*count, sizeof(uint64_t), &keys);
    if (result == PLIANT_OK)
        result = pli_arena_take(&maker->arena, (size_t)*count, sizeof(uint64_t), &sorted);
    if (result != PLIANT_OK)
        return result;
    maker->keys = keys;
    maker->sorted = sorted;
    uint64_t *end = keys;
    for (int32_t s = 0; s < stars->star_count; s++) {
        const PliStarPart *parts = stars->parts + stars->stars[s].part_first;
        for (int32_t i = 0; i < stars->stars[s].part_count; i++)
            for (int32_t j = i + 1; j < stars->stars[s].part_count; j++) {
                const int32_t a = parts[i].leaf, b = parts[j].leaf;
                *end++ = a < b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
            }
    }
    *count = sort_pairs(maker, *count);
    return *count <= INT32_MAX - stars->leaf_count ? PLIANT_OK : PLIANT_TOO_LARGE;
}

static PliantResult take_pairs(Maker *maker, int64_t count)
{
    PliStars *stars = maker->stars;
    const size_t leaf_count = (size_t)stars->leaf_count;
    void *firsts = NULL, *near = NULL, *left_out = NULL;
    PliantResult result = pli_arena_take(&stars->arena, leaf_count + 1, sizeof(int32_t), &firsts);
    if (result == PLIANT_OK)
        result = pli_arena_take(&stars->arena, (size_t)count, sizeof(int32_t), &near);
    if (result == PLIANT_OK)
        result = pli_arena_take(&stars->arena, leaf_count + (size_t)count, sizeof(PliLeftOut),
                                &left_out);
    if (result != PLIANT_OK)
        return result;
    stars->near_firsts = firsts;
    stars->near = near;
    stars->left_out = left_out;
    if (leaf_count > 0)
        memset(left_out, 0, (leaf_count + (size_t)count) * sizeof(PliLeftOut));
    int64_t at = 0;
    for (int32_t leaf = 0; leaf < stars->leaf_count; leaf++) {
        stars->near_firsts[leaf] = (int32_t)at;
        stars->left_out[leaf].a[PLI_LEAF_SIZE / 2 - 1] = 0xff00; /* each two once */
        for (; at < count && maker->keys[at] >> 32 == (uint32_t)leaf; at++)
            stars->near[at] = (int32_t)(uint32_t)maker->keys[at];
    }
    stars->near_firsts[stars->leaf_count] = (int32_t)at;
    return PLIANT_OK;
}

/* Of a leaf with itself: by how far they are apart, half around at most. */
static void leave_out_own(PliLeftOut *left_out, uint32_t triangles)
{
    for (uint32_t some = triangles; some; some &= some - 1)
        for (uint32_t others = triangles; others; others &= others - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(some), j = (uint32_t)__builtin_ctz(others);
            const uint32_t after = (j - i) % PLI_LEAF_SIZE;
            if (after >= 1 && after <= PLI_LEAF_SIZE / 2)
                left_out->a[after - 1] |= (uint16_t)(1u << i);
        }
}

static void leave_out(PliStars *stars, const PliStarPart *a, const PliStarPart *b)
{
    PliLeftOut *left_out = &stars->left_out[pli_stars_find_pair(stars, a->leaf, b->leaf)];
    const uint32_t a_triangles = a->triangles, b_triangles = b->triangles;
    if (a->leaf == b->leaf) {
        leave_out_own(left_out, a_triangles);
        return;
    }
    for (uint32_t bits = a_triangles; bits; bits &= bits - 1)
        left_out->a[__builtin_ctz(bits)] |= (uint16_t)b_triangles;
    for (uint32_t bits = b_triangles; bits; bits &= bits - 1)
        left_out->b[__builtin_ctz(bits)] |= (uint16_t)a_triangles;
}

static void leave_pairs_out(PliStars *stars)
{
    for (int32_t s = 0; s < stars->star_count; s++) {
        const PliStarPart *parts = stars->parts + stars->stars[s].part_first;
        for (int32_t i = 0; i < stars->stars[s].part_count; i++)
            for (int32_t j = i; j < stars->stars[s].part_count; j++)
                leave_out(stars, &parts[i], &parts[j]); /* leaves rise */
    }
}

/* ---- All of it ---------------------------------------------------------------------------------
 */

static PliantResult make(Maker *maker)
{
    PliStars *stars = maker->stars;
    const size_t leaf_count = (size_t)stars->leaf_count;
    void *facings = NULL, *stamps = NULL, *moved = NULL, *triangle_leaves = NULL,
         *moved_children = NULL;
    int64_t pair_count = 0;
    PliantResult result = list_corners(maker);
    if (result == PLIANT_OK)
        result = add_stars(maker);
    if (result == PLIANT_OK)
        result = list_pairs(maker, &pair_count);
    if (result == PLIANT_OK)
        result = take_pairs(maker, pair_count);
    if (result == PLIANT_OK)
        result = pli_arena_take(&stars->arena, leaf_count, sizeof(PliFacing), &facings);
    if (result == PLIANT_OK)
        result = pli_arena_take(&stars->arena, leaf_count, sizeof(uint32_t), &stamps);
    if (result == PLIANT_OK)
        result = pli_arena_take(&stars->arena, leaf_count, 1, &moved);
    if (result == PLIANT_OK)
        result = pli_arena_take(&stars->arena, (size_t)maker->tree->node_count, 1, &moved_children);
    if (result == PLIANT_OK)
        result = pli_arena_take(&stars->arena, (size_t)maker->tree->item_count, sizeof(int32_t),
                                &triangle_leaves);
    if (result != PLIANT_OK)
        return result;
    leave_pairs_out(stars);
    stars->moved = moved;
    stars->moved_children = moved_children;
    stars->triangle_leaves = triangle_leaves;
    for (int32_t i = 0; i < maker->tree->item_count; i++)
        stars->triangle_leaves[maker->tree->order[i]] = maker->leaves[i];
    stars->facings = facings;
    stars->stamps = stamps;
    if (leaf_count > 0)
        memset(stamps, 0, leaf_count * sizeof(uint32_t));
    return PLIANT_OK;
}

PliantResult pli_stars_create(const PliTree *tree, const uint32_t *corners, int32_t vertex_count,
                              const PliantHost *host, PliStars **stars)
{
    void *block = NULL;
    PliantResult result = pli_allocate(host, 1, sizeof(PliStars), &block);
    if (result != PLIANT_OK)
        return result;
    Maker maker = {.stars = block, .tree = tree, .corners = corners};
    *maker.stars = (PliStars){.leaf_count = tree->leaf_count,
                              .vertex_count = vertex_count,
                              .last = {.item_size = sizeof(uint64_t)}};
    pli_arena_init(&maker.stars->arena, host);
    pli_arena_init(&maker.arena, host);
    result = make(&maker);
    pli_arena_free(&maker.arena);
    if (result == PLIANT_OK)
        *stars = block;
    else
        pli_stars_free(block, host);
    return result;
}

void pli_stars_free(PliStars *stars, const PliantHost *host)
{
    if (!stars)
        return;
    pli_array_free(&stars->last, host);
    pli_arena_free(&stars->arena);
    pli_release(host, stars, 1, sizeof *stars);
}

size_t pli_stars_bytes(const PliStars *stars)
{
    return stars ? pli_arena_bytes(&stars->arena) + pli_array_bytes(&stars->last) + sizeof *stars
                 : 0;
}
