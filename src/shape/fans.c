/* Building the fans of a mesh: see fans.h. */
#include "shape/fans.h"
#include "base/sort.h"

#include <string.h>

/* ---- Fans ------------------------------------------------------------------------------------ */

/* Corners of triangles at a vertex: the next and the last corner of their triangle. */
typedef struct Corners {
    int32_t count;
    uint32_t next[PLI_MAX_FAN_TRIANGLES], last[PLI_MAX_FAN_TRIANGLES];
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
static PliFanKind kind_of_corners(const Corners *corners, uint32_t vertex)
{
    const int32_t count = corners->count;
    int32_t first = 0, start_count = 0, at, seen = 1;
    for (int32_t i = 0; i < count; i++) {
        const uint32_t next = corners->next[i], last = corners->last[i];
        if (next == vertex || last == vertex || next == last ||
            find(corners->next, count, next) != i || find(corners->last, count, last) != i)
            return PLI_FAN_NEITHER;
        if (find(corners->last, count, next) == count) {
            first = i;
            start_count++;
        }
    }
    for (at = first; seen < count; seen++) {
        at = find(corners->next, count, corners->last[at]);
        if (at == count || at == first)
            return PLI_FAN_NEITHER;
    }
    return start_count == 0 ? PLI_FAN_CLOSED : PLI_FAN_OPEN;
}

/* ---- Making ---------------------------------------------------------------------------------- */

typedef struct Builder {
    PliFans *fans;
    const PliTree *tree;
    const uint32_t *corners; /* of each position */
    int32_t *firsts;         /* of each vertex, in what follows */
    int32_t *slots;          /* corners, by vertex, rising */
    int32_t *leaves;         /* of each position */
    uint8_t *kinds;          /* of each vertex: PliFanKind */
    uint64_t *keys, *sorted; /* pairs of leaves */
    PliArena arena;
} Builder;

/* Which corners each vertex has, and which leaf each position. */
static PliantResult list_corners(Builder *builder)
{
    const PliTree *tree = builder->tree;
    const size_t vertex_count = (size_t)builder->fans->vertex_count;
    const int32_t corner_count = 3 * tree->item_count;
    int32_t *firsts = pli_arena_cut(&builder->arena, vertex_count + 1, sizeof(int32_t));
    int32_t *slots = pli_arena_cut(&builder->arena, (size_t)corner_count, sizeof(int32_t));
    int32_t *leaves = pli_arena_cut(&builder->arena, (size_t)tree->item_count, sizeof(int32_t));
    PLI_TRY(builder->arena.failure);
    pli_sort_by_group(builder->corners, corner_count, builder->fans->vertex_count, firsts, slots);
    for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++)
        for (int32_t i = 0; i < tree->leaves[leaf].count; i++)
            leaves[tree->leaves[leaf].first + i] = leaf;
    builder->firsts = firsts;
    builder->slots = slots;
    builder->leaves = leaves;
    return PLIANT_OK;
}

/* How many leaves a vertex is in. */
static int32_t count_parts(const Builder *builder, int32_t vertex)
{
    int32_t count = 1;
    for (int32_t i = builder->firsts[vertex] + 1; i < builder->firsts[vertex + 1]; i++)
        count +=
            builder->leaves[builder->slots[i] / 3] != builder->leaves[builder->slots[i - 1] / 3];
    return count;
}

static bool has_fan(const Builder *builder, int32_t vertex)
{
    const int32_t count = builder->firsts[vertex + 1] - builder->firsts[vertex];
    return count > 1 && count <= PLI_MAX_FAN_TRIANGLES &&
           count_parts(builder, vertex) <= PLI_MAX_FAN_PARTS;
}

static Corners corners_of(const Builder *builder, int32_t vertex)
{
    Corners corners = {.count = 0};
    for (int32_t i = builder->firsts[vertex]; i < builder->firsts[vertex + 1]; i++) {
        const int32_t slot = builder->slots[i], first = slot - slot % 3;
        corners.next[corners.count] = builder->corners[first + (slot + 1) % 3];
        corners.last[corners.count++] = builder->corners[first + (slot + 2) % 3];
    }
    return corners;
}

static PliFanKind kind_at(const Builder *builder, int32_t vertex)
{
    const Corners corners = corners_of(builder, vertex);
    return kind_of_corners(&corners, (uint32_t)vertex);
}

/* Closed fans in one leaf, in two, in three, and all others. */
static int group_of(PliFanKind kind, int32_t part_count)
{
    return kind == PLI_FAN_CLOSED && part_count < PLI_FAN_GROUPS ? part_count - 1
                                                                 : PLI_FAN_GROUPS - 1;
}

static void add_fan(Builder *builder, int32_t vertex, PliFanKind kind, int32_t *part_count)
{
    PliFans *fans = builder->fans;
    PliFan *fan = &fans->fans[fans->fan_count++];
    *fan = (PliFan){.vertex = vertex, .part_first = *part_count, .kind = kind};
    for (int32_t i = builder->firsts[vertex]; i < builder->firsts[vertex + 1]; i++) {
        const int32_t slot = builder->slots[i], position = slot / 3, corner = slot % 3;
        const int32_t leaf = builder->leaves[position];
        const int32_t index = position - builder->tree->leaves[leaf].first;
        if (fan->part_count == 0 || fans->parts[*part_count - 1].leaf != leaf) {
            fans->parts[(*part_count)++] = (PliFanPart){0, leaf, 0};
            fan->part_count++;
        }
        fans->parts[*part_count - 1].corners |= (uint64_t)1 << (PLI_LEAF_SIZE * corner + index);
        fans->parts[*part_count - 1].triangles |= (uint16_t)(1u << index);
    }
}

/* Which vertices have a fan, and of which kind. */
static void count_fans(Builder *builder, size_t *fan_count, size_t *corner_count)
{
    PliFans *fans = builder->fans;
    *fan_count = *corner_count = 0;
    fans->has_all = true;
    for (int32_t v = 0; v < fans->vertex_count; v++) {
        const int32_t corners = builder->firsts[v + 1] - builder->firsts[v];
        const bool is_fan = has_fan(builder, v);
        builder->kinds[v] = is_fan ? (uint8_t)kind_at(builder, v) : PLI_FAN_NEITHER;
        fans->has_all &= corners <= 1 || is_fan;
        *fan_count += is_fan;
        *corner_count += is_fan ? (size_t)corners : 0;
    }
}

/* The fans of a group, in the order in which the tree comes to their vertices. */
static void add_group(Builder *builder, int group, int32_t *part_count)
{
    for (int32_t c = 0; c < 3 * builder->tree->item_count; c++) {
        const int32_t vertex = (int32_t)builder->corners[c];
        if (builder->slots[builder->firsts[vertex]] != c || !has_fan(builder, vertex))
            continue;
        const PliFanKind kind = builder->kinds[vertex];
        if (group_of(kind, count_parts(builder, vertex)) == group)
            add_fan(builder, vertex, kind, part_count);
    }
    builder->fans->group_ends[group] = builder->fans->fan_count;
}

static PliantResult add_fans(Builder *builder)
{
    PliFans *fans = builder->fans;
    size_t fan_count, corner_count;
    int32_t part_count = 0;
    builder->kinds = pli_arena_cut(&builder->arena, (size_t)fans->vertex_count, 1);
    PLI_TRY(builder->arena.failure);
    count_fans(builder, &fan_count, &corner_count);
    fans->fans = pli_arena_cut(&fans->arena, fan_count, sizeof(PliFan));
    fans->parts = pli_arena_cut(&fans->arena, corner_count, sizeof(PliFanPart));
    PLI_TRY(fans->arena.failure);
    for (int group = 0; group < PLI_FAN_GROUPS; group++)
        add_group(builder, group, &part_count);
    return PLIANT_OK;
}

/* ---- Leaves that share vertices -------------------------------------------------------------- */

/* All pairs of leaves, each once. Returns how many. */
static int64_t sort_pairs(Builder *builder, int64_t count)
{
    const int bits = pli_bits_below(builder->tree->leaf_count);
    int64_t kept = 0;
    pli_sort_pairs(builder->keys, builder->sorted, count, bits, bits);
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || builder->keys[i] != builder->keys[i - 1])
            builder->keys[kept++] = builder->keys[i];
    return kept;
}

static PliantResult list_pairs(Builder *builder, int64_t *count)
{
    const PliFans *fans = builder->fans;
    *count = 0;
    for (int32_t s = 0; s < fans->fan_count; s++) {
        const int64_t n = fans->fans[s].part_count;
        *count += n * (n - 1) / 2;
    }
    builder->keys = pli_arena_cut(&builder->arena, (size_t)*count, sizeof(uint64_t));
    builder->sorted = pli_arena_cut(&builder->arena, (size_t)*count, sizeof(uint64_t));
    PLI_TRY(builder->arena.failure);
    uint64_t *end = builder->keys;
    for (int32_t s = 0; s < fans->fan_count; s++) {
        const PliFanPart *parts = fans->parts + fans->fans[s].part_first;
        for (int32_t i = 0; i < fans->fans[s].part_count; i++)
            for (int32_t j = i + 1; j < fans->fans[s].part_count; j++) {
                const int32_t a = parts[i].leaf, b = parts[j].leaf;
                *end++ = a < b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
            }
    }
    *count = sort_pairs(builder, *count);
    return *count <= INT32_MAX - fans->leaf_count ? PLIANT_OK : PLIANT_TOO_LARGE;
}

static PliantResult store_pairs(Builder *builder, int64_t count)
{
    PliFans *fans = builder->fans;
    const size_t leaf_count = (size_t)fans->leaf_count;
    fans->near_firsts = pli_arena_cut(&fans->arena, leaf_count + 1, sizeof(int32_t));
    fans->near = pli_arena_cut(&fans->arena, (size_t)count, sizeof(int32_t));
    fans->masks = pli_arena_cut(&fans->arena, leaf_count + (size_t)count, sizeof(PliExclusionMask));
    PLI_TRY(fans->arena.failure);
    if (leaf_count > 0)
        memset(fans->masks, 0, (leaf_count + (size_t)count) * sizeof(PliExclusionMask));
    int64_t at = 0;
    for (int32_t leaf = 0; leaf < fans->leaf_count; leaf++) {
        fans->near_firsts[leaf] = (int32_t)at;
        fans->masks[leaf].a[PLI_LEAF_SIZE / 2 - 1] = 0xff00; /* each two once */
        for (; at < count && builder->keys[at] >> 32 == (uint32_t)leaf; at++)
            fans->near[at] = (int32_t)(uint32_t)builder->keys[at];
    }
    fans->near_firsts[fans->leaf_count] = (int32_t)at;
    return PLIANT_OK;
}

/* Of pairs within one leaf: by how far they are apart, half around at most. */
static void mask_own(PliExclusionMask *masks, uint32_t triangles)
{
    for (uint32_t some = triangles; some; some &= some - 1)
        for (uint32_t others = triangles; others; others &= others - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(some), j = (uint32_t)__builtin_ctz(others);
            const uint32_t after = (j - i) % PLI_LEAF_SIZE;
            if (after >= 1 && after <= PLI_LEAF_SIZE / 2)
                masks->a[after - 1] |= (uint16_t)(1u << i);
        }
}

static void mask_leaves(PliFans *fans, const PliFanPart *a, const PliFanPart *b)
{
    PliExclusionMask *masks = &fans->masks[pli_fans_find_mask(fans, a->leaf, b->leaf)];
    const uint32_t a_triangles = a->triangles, b_triangles = b->triangles;
    if (a->leaf == b->leaf) {
        mask_own(masks, a_triangles);
        return;
    }
    for (uint32_t bits = a_triangles; bits; bits &= bits - 1)
        masks->a[__builtin_ctz(bits)] |= (uint16_t)b_triangles;
    for (uint32_t bits = b_triangles; bits; bits &= bits - 1)
        masks->b[__builtin_ctz(bits)] |= (uint16_t)a_triangles;
}

static void mask_pairs(PliFans *fans)
{
    for (int32_t s = 0; s < fans->fan_count; s++) {
        const PliFanPart *parts = fans->parts + fans->fans[s].part_first;
        for (int32_t i = 0; i < fans->fans[s].part_count; i++)
            for (int32_t j = i; j < fans->fans[s].part_count; j++)
                mask_leaves(fans, &parts[i], &parts[j]); /* leaves rise */
    }
}

/* ---- All of it ------------------------------------------------------------------------------- */

static PliantResult build(Builder *builder)
{
    int64_t pair_count = 0;
    PLI_TRY(list_corners(builder));
    PLI_TRY(add_fans(builder));
    PLI_TRY(list_pairs(builder, &pair_count));
    PLI_TRY(store_pairs(builder, pair_count));
    mask_pairs(builder->fans);
    return PLIANT_OK;
}

PliantResult pli_fans_create(const PliTree *tree, const uint32_t *corners, int32_t vertex_count,
                             const PliantHost *host, PliFans **fans)
{
    void *block = NULL;
    PLI_TRY(pli_allocate(host, 1, sizeof(PliFans), &block));
    Builder builder = {.fans = block, .tree = tree, .corners = corners};
    *builder.fans = (PliFans){.leaf_count = tree->leaf_count,
                              .node_count = tree->node_count,
                              .vertex_count = vertex_count};
    pli_arena_init(&builder.fans->arena, host);
    pli_arena_init(&builder.arena, host);
    PliantResult result = build(&builder);
    pli_arena_free(&builder.arena);
    if (result == PLIANT_OK)
        *fans = block;
    else
        pli_fans_free(block, host);
    return result;
}

void pli_fans_free(PliFans *fans, const PliantHost *host)
{
    if (!fans)
        return;
    pli_arena_free(&fans->arena);
    pli_release(host, fans, 1, sizeof *fans);
}

const PliExclusionMask *pli_fans_mask(const PliFans *fans, int32_t a, int32_t b)
{
    static const PliExclusionMask nothing;
    const int32_t mask = pli_fans_find_mask(fans, a, b);
    return mask < 0 ? &nothing : &fans->masks[mask];
}
