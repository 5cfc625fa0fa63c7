/* What follows joints, made from a skin: which joints each part has, and how much of them. See
 * shape.h. */
#include "shape/skin_tables.h"
#include "base/tasks.h"
#include "geom/geom.h"
#include "shape/shape.h"

#include <string.h>

int32_t pli_add_influence(uint16_t *joints, float *weights, int32_t count, uint16_t joint,
                          float weight)
{
    int32_t index = count;
    for (int32_t i = 0; i < count; i++) {
        if (joints[i] == joint) {
            weights[i] += weight;
            return count;
        }
    }
    for (; index > 0 && joints[index - 1] > joint; index--) {
        joints[index] = joints[index - 1];
        weights[index] = weights[index - 1];
    }
    joints[index] = joint;
    weights[index] = weight;
    return count + 1;
}

/* The most groups of bounds, and the most vertices of a leaf. */
enum { MAX_GROUPS = 18, MAX_POINTS = 3 * PLI_LEAF_SIZE };

typedef struct Share Share;

/* What one worker needs on the way. */
typedef struct Scratch {
    int32_t *marks;      /* of each joint: the leaf that had it last, from 1; or a count */
    int32_t *node_slots; /* of each joint: its place in a list */
    Share *shares;       /* of one child, in the joints of its node */
} Scratch;

/* The arrays that are made, and what is needed on the way. */
typedef struct Builder {
    const PliantShape *shape;
    const PliTree *tree;
    const PliantHost *host;
    PliSkinTables *skin_tables;
    const PliSkinTables *expected; /* just so many, or it is PLIANT_BAD_DATA; or NULL */
    float *skin_sums, *leaf_weights, *weight_sums, *skin_parts;
    PliRange *leaf_joint_lists, *node_joint_lists;
    uint16_t *leaf_joints, *node_joints;
    int32_t *leaf_weight_firsts;

    Scratch *scratches;     /* of each worker */
    PliArray lists;         /* of uint16_t: the joints of nodes, as they are found */
    int32_t wave_begin;     /* of the nodes whose lists are made */
    Share *node_shares;     /* of each node, in its joints */
    double (*node_sums)[2]; /* of each node: least and greatest sum of weights */
} Builder;

static uint32_t corner_at(const Builder *builder, int64_t corner)
{
    return builder->shape->vertex_lists.corners[corner];
}

static PliRange influences_of(const Builder *builder, uint32_t vertex)
{
    const int32_t *firsts = builder->skin_tables->skin_firsts;
    return (PliRange){firsts[vertex], firsts[vertex + 1] - firsts[vertex]};
}

/* The vertices of a leaf, each once. Its corners have their numbers, in the order in which they
 * come first. Returns how many there are. */
static int32_t vertices_of(const Builder *builder, int32_t leaf, uint32_t vertices[MAX_POINTS])
{
    const PliRange range = builder->tree->leaves[leaf];
    const uint8_t *numbers = builder->shape->morph_tables.leaf_corners + 3 * (size_t)range.first;
    int32_t count = 0;
    for (int32_t c = 0; c < 3 * range.count; c++)
        if (numbers[range.count * (c % 3) + c / 3] == count)
            vertices[count++] = corner_at(builder, 3 * (int64_t)range.first + c);
    return count;
}

/* ---- Lists of leaves ------------------------------------------------------------------------- */

/* Puts the last joint of a list where it belongs, as they are to rise. */
static void sink_last(uint16_t *joints, int32_t count)
{
    uint16_t last = joints[count - 1];
    int32_t i = count - 1;
    for (; i > 0 && joints[i - 1] > last; i--)
        joints[i] = joints[i - 1];
    joints[i] = last;
}

/* The joints of a leaf's vertices, if there is room for them. Returns how many there are. One
 * without any has the first, which then has no weight. A mark is new for each leaf and pass. */
static int32_t list_leaf(const Builder *builder, int32_t leaf, int32_t mark, const Scratch *scratch,
                         uint16_t *joints)
{
    uint32_t vertices[MAX_POINTS];
    const int32_t vertex_count = vertices_of(builder, leaf, vertices);
    int32_t count = 0;
    for (int32_t v = 0; v < vertex_count; v++) {
        const PliRange influences = influences_of(builder, vertices[v]);
        for (int32_t i = influences.first; i < influences.first + influences.count; i++) {
            const uint16_t joint = builder->skin_tables->skin_joints[i];
            if (scratch->marks[joint] == mark)
                continue;
            scratch->marks[joint] = mark;
            count++;
            if (joints) {
                joints[count - 1] = joint;
                sink_last(joints, count);
            }
        }
    }
    if (count == 0 && joints)
        joints[0] = 0;
    return count > 0 ? count : 1;
}

/* PliPartTask. */
static void count_leaves(void *data, const PliPart *part)
{
    const Builder *builder = data;
    for (int32_t leaf = (int32_t)part->begin; leaf < part->end; leaf++)
        builder->leaf_joint_lists[leaf].count =
            list_leaf(builder, leaf, leaf + 1, &builder->scratches[part->worker], NULL);
}

/* PliPartTask. */
static void list_leaves(void *data, const PliPart *part)
{
    const Builder *builder = data;
    for (int32_t leaf = (int32_t)part->begin; leaf < part->end; leaf++)
        list_leaf(builder, leaf, -(leaf + 1), &builder->scratches[part->worker],
                  builder->leaf_joints + builder->leaf_joint_lists[leaf].first);
}

/* Lists may not become longer than is expected, if something is, or than can be counted. */
static PliantResult check_count(int64_t count, const int32_t *expected)
{
    if (expected)
        return count > *expected ? PLIANT_BAD_DATA : PLIANT_OK;
    return count > INT32_MAX ? PLIANT_TOO_LARGE : PLIANT_OK;
}

static PliantResult place_leaves(const Builder *builder)
{
    const PliSkinTables *expected = builder->expected;
    int64_t end = 0;
    for (int32_t leaf = 0; leaf < builder->tree->leaf_count; leaf++) {
        PliRange *list = &builder->leaf_joint_lists[leaf];
        list->first = (int32_t)end;
        end += list->count;
        PLI_TRY(check_count(end, expected ? &expected->leaf_joint_count : NULL));
    }
    builder->skin_tables->leaf_joint_count = (int32_t)end;
    return PLIANT_OK;
}

/* ---- Lists of nodes -------------------------------------------------------------------------- */

/* The lists of a node's children, as far as they are not read yet. */
typedef struct Merge {
    const uint16_t *next[8], *ends[8];
    int32_t count;
} Merge;

static Merge merge_of(const Builder *builder, int32_t n)
{
    const PliTreeNode *node = &builder->tree->nodes[n];
    Merge merge = {.count = node->child_count};
    for (int32_t c = 0; c < node->child_count; c++) {
        const int32_t child = node->children[c];
        const PliRange list =
            child < 0 ? builder->leaf_joint_lists[~child] : builder->node_joint_lists[child];
        const uint16_t *joints = child < 0 ? builder->leaf_joints : builder->lists.items;
        merge.next[c] = joints + list.first;
        merge.ends[c] = merge.next[c] + list.count;
    }
    return merge;
}

/* The least joint that is next in any list, which then goes on; -1 if there is none. */
static int32_t next_joint(Merge *merge)
{
    int32_t least = INT32_MAX;
    for (int32_t i = 0; i < merge->count; i++)
        if (merge->next[i] < merge->ends[i] && *merge->next[i] < least)
            least = *merge->next[i];
    for (int32_t i = 0; i < merge->count; i++)
        merge->next[i] += merge->next[i] < merge->ends[i] && *merge->next[i] == least;
    return least == INT32_MAX ? -1 : least;
}

/* PliPartTask, of the nodes of a wave. */
static void count_nodes(void *data, const PliPart *part)
{
    const Builder *builder = data;
    for (int64_t i = part->begin; i < part->end; i++) {
        const int32_t n = builder->wave_begin + (int32_t)i;
        Merge merge = merge_of(builder, n);
        int32_t count = 0;
        while (next_joint(&merge) >= 0)
            count++;
        builder->node_joint_lists[n].count = count;
    }
}

/* PliPartTask, of the nodes of a wave. */
static void list_nodes(void *data, const PliPart *part)
{
    const Builder *builder = data;
    for (int64_t i = part->begin; i < part->end; i++) {
        const int32_t n = builder->wave_begin + (int32_t)i;
        uint16_t *joints = (uint16_t *)builder->lists.items + builder->node_joint_lists[n].first;
        Merge merge = merge_of(builder, n);
        for (int32_t joint; (joint = next_joint(&merge)) >= 0;)
            *joints++ = (uint16_t)joint;
    }
}

/* The lists of nodes that have no child among themselves. The last node comes first. */
static PliantResult list_wave(Builder *builder, int32_t end)
{
    const PliSkinTables *expected = builder->expected;
    const int32_t begin = builder->wave_begin;
    void *room;
    int64_t count = builder->lists.count;
    pli_divide(builder->host, count_nodes, builder, end - begin);
    for (int32_t n = end - 1; n >= begin; n--) {
        builder->node_joint_lists[n].first = (int32_t)count;
        count += builder->node_joint_lists[n].count;
        PLI_TRY(check_count(count, expected ? &expected->node_joint_count : NULL));
    }
    PLI_TRY(pli_array_push(&builder->lists, builder->host, count - builder->lists.count, &room));
    pli_divide(builder->host, list_nodes, builder, end - begin);
    return PLIANT_OK;
}

static PliantResult make_node_lists(Builder *builder)
{
    for (int32_t end = builder->tree->node_count; end > 0; end = builder->wave_begin) {
        builder->wave_begin = pli_tree_wave(builder->tree, end);
        PLI_TRY(list_wave(builder, end));
    }
    builder->skin_tables->node_joint_count = (int32_t)builder->lists.count;
    return PLIANT_OK;
}

/* ---- Weights of leaves ----------------------------------------------------------------------- */

/* Groups of weights that a leaf has for each joint. */
static int32_t groups_of(const Builder *builder, int32_t leaf)
{
    return pli_table_groups(builder->shape->morph_tables.tables[leaf]) / 3;
}

static PliantResult place_weights(Builder *builder)
{
    const PliSkinTables *expected = builder->expected, *made = builder->skin_tables;
    int64_t end = 0;
    for (int32_t leaf = 0; leaf < builder->tree->leaf_count; leaf++) {
        builder->leaf_weight_firsts[leaf] = (int32_t)end;
        end += (int64_t)builder->leaf_joint_lists[leaf].count * groups_of(builder, leaf);
        if (end > INT32_MAX)
            return PLIANT_TOO_LARGE;
    }
    builder->skin_tables->weight_count = (int32_t)end;
    if (expected && (made->weight_count != expected->weight_count ||
                     made->leaf_joint_count != expected->leaf_joint_count ||
                     made->node_joint_count != expected->node_joint_count))
        return PLIANT_BAD_DATA;
    return PLIANT_OK;
}

/* Where each joint of a list is in it. */
static void note_places(const Scratch *scratch, const uint16_t *joints, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        scratch->node_slots[joints[i]] = i;
}

static void fill_leaf(const Builder *builder, int32_t leaf, const Scratch *scratch)
{
    const PliRange list = builder->leaf_joint_lists[leaf];
    const size_t size = PLI_GROUP * (size_t)groups_of(builder, leaf);
    float *weights = builder->leaf_weights + PLI_GROUP * (size_t)builder->leaf_weight_firsts[leaf];
    uint32_t vertices[MAX_POINTS];
    const int32_t vertex_count = vertices_of(builder, leaf, vertices);
    memset(weights, 0, size * (size_t)list.count * sizeof *weights);
    note_places(scratch, builder->leaf_joints + list.first, list.count);
    for (int32_t v = 0; v < vertex_count; v++) {
        const PliRange influences = influences_of(builder, vertices[v]);
        for (int32_t i = influences.first; i < influences.first + influences.count; i++) {
            const size_t index = (size_t)scratch->node_slots[builder->skin_tables->skin_joints[i]];
            weights[size * index + (size_t)v] = builder->skin_tables->skin_weights[i];
        }
    }
}

/* PliPartTask. */
static void fill_leaves(void *data, const PliPart *part)
{
    const Builder *builder = data;
    for (int32_t leaf = (int32_t)part->begin; leaf < part->end; leaf++)
        fill_leaf(builder, leaf, &builder->scratches[part->worker]);
}

/* ---- Bounds of nodes ------------------------------------------------------------------------- */

/* A number as a float that is no greater, or no less. A sum of weights is off by less than a part
 * in 2^49. */
static float rounded_down(double x)
{
    return (float)(x * (1 - 0x1p-22)) < 0x1p-100f ? 0 : (float)(x * (1 - 0x1p-22));
}

static float rounded_up(double x)
{
    return (float)(x * (1 + 0x1p-22) + 0x1p-149);
}

/* The sum of a vertex's weights, rounded by parts in 2^50. */
static double sum_of(const Builder *builder, uint32_t vertex)
{
    const PliRange influences = influences_of(builder, vertex);
    double sum = 0;
    for (int32_t i = influences.first; i < influences.first + influences.count; i++)
        sum += builder->skin_tables->skin_weights[i];
    return sum;
}

/* One number of a joint of a node: a weight, or an end. */
static float *index_of(const Builder *builder, int32_t node, int32_t joint_place, int32_t group,
                       int32_t child)
{
    const PliRange list = builder->node_joint_lists[node];
    const size_t size = pli_skin_part_size(builder->skin_tables->bound_kind);
    return builder->skin_parts + size * (size_t)(list.first + joint_place) +
           PLI_GROUP * (size_t)group + (size_t)child;
}

/* What a part has of a joint: weights, and slabs, or a box of what is to be in balls. A part that
 * has nothing of it has no weight, and slabs around nothing. */
struct Share {
    float least, greatest;
    float bound[MAX_GROUPS];
};

static int32_t slabs_of(const Builder *builder)
{
    return pli_slab_count(builder->skin_tables->bound_kind); /* which is three of balls */
}

static PliantBoundKind slab_kind(const Builder *builder)
{
    const PliantBoundKind kind = builder->skin_tables->bound_kind;
    return kind == PLIANT_BOUND_SPHERE ? PLIANT_BOUND_BOX : kind;
}

static void clear_shares(const Builder *builder, Share *shares, int32_t count)
{
    for (int32_t p = 0; p < count; p++) {
        shares[p].least = shares[p].greatest = 0;
        pli_slabs_clear(slabs_of(builder), shares[p].bound);
    }
}

static bool is_empty(const Builder *builder, const Share *share)
{
    return !(share->bound[0] <= share->bound[slabs_of(builder)]);
}

/* The shares of a leaf in the joints of the node above it, and the least and greatest sum of
 * weights. What not all of its vertices follow has a least weight of zero. */
static void share_leaf(const Builder *builder, const Scratch *scratch, int32_t node, int32_t leaf,
                       double sums[2])
{
    const PliSkinTables *skin = builder->skin_tables;
    const PliRange list = builder->node_joint_lists[node];
    Share *shares = scratch->shares;
    uint32_t vertices[MAX_POINTS];
    const int32_t vertex_count = vertices_of(builder, leaf, vertices);
    clear_shares(builder, shares, list.count);
    sums[0] = INFINITY;
    sums[1] = 0;
    for (int32_t p = 0; p < list.count; p++)
        scratch->marks[builder->node_joints[list.first + p]] = 0;
    for (int32_t v = 0; v < vertex_count; v++) {
        const PliRange influences = influences_of(builder, vertices[v]);
        const double sum = sum_of(builder, vertices[v]);
        sums[0] = sum < sums[0] ? sum : sums[0];
        sums[1] = sum > sums[1] ? sum : sums[1];
        for (int32_t i = influences.first; i < influences.first + influences.count; i++) {
            const float weight = skin->skin_weights[i];
            Share *share = &shares[scratch->node_slots[skin->skin_joints[i]]];
            const bool is_first = scratch->marks[skin->skin_joints[i]]++ == 0;
            share->least = is_first || weight < share->least ? weight : share->least;
            share->greatest = weight > share->greatest ? weight : share->greatest;
            pli_slabs_add(slab_kind(builder), builder->shape->vertices + 3 * (size_t)vertices[v],
                          share->bound);
        }
    }
    for (int32_t p = 0; p < list.count; p++)
        if (scratch->marks[builder->node_joints[list.first + p]] < vertex_count)
            shares[p].least = 0;
}

/* The same of a child that is a node, and may not have all of these joints. */
static void share_node(const Builder *builder, const Scratch *scratch, int32_t node, int32_t child,
                       double sums[2])
{
    const PliRange list = builder->node_joint_lists[child];
    clear_shares(builder, scratch->shares, builder->node_joint_lists[node].count);
    for (int32_t p = 0; p < list.count; p++)
        scratch->shares[scratch->node_slots[builder->node_joints[list.first + p]]] =
            builder->node_shares[list.first + p];
    memcpy(sums, builder->node_sums[child], 2 * sizeof *sums);
}

/* To a share of all children so far, that of one more. */
static void add_share(const Builder *builder, const Share *share, bool is_first, Share *all)
{
    const int32_t slab_count = slabs_of(builder);
    all->least = is_first || share->least < all->least ? share->least : all->least;
    all->greatest = share->greatest > all->greatest ? share->greatest : all->greatest;
    for (int32_t s = 0; s < slab_count; s++)
        pli_slabs_widen(slab_count, s, share->bound[s], share->bound[slab_count + s], all->bound);
}

/* ---- Balls ----------------------------------------------------------------------------------- */

/* Between two points, of which the second has its coordinates `step` apart. */
static double square_between(const float *p, const float *q, size_t step)
{
    double square = 0;
    for (size_t k = 0; k < 3; k++)
        square += ((double)p[k] - q[step * k]) * ((double)p[k] - q[step * k]);
    return square;
}

/* How far the corners of a leaf that follow a joint are from a point, squared; and which is the
 * farthest. */
static double farthest_corner(const Builder *builder, int32_t leaf, uint16_t joint,
                              const float center[3], float corner[3])
{
    const PliRange range = builder->tree->leaves[leaf];
    double farthest = 0;
    for (int64_t c = 3 * (int64_t)range.first; c < 3 * ((int64_t)range.first + range.count); c++) {
        const uint32_t vertex = corner_at(builder, c);
        const float *point = builder->shape->vertices + 3 * (size_t)vertex;
        const PliRange influences = influences_of(builder, vertex);
        bool is_following = false;
        for (int32_t i = influences.first; i < influences.first + influences.count; i++)
            is_following |= builder->skin_tables->skin_joints[i] == joint;
        if (!is_following || !pli_is_finite(point, 3))
            continue;
        const double square = square_between(center, point, 1);
        if (square > farthest)
            memcpy(corner, point, 3 * sizeof *corner);
        farthest = square > farthest ? square : farthest;
    }
    return farthest;
}

/* Around the balls of a node's children that have something of a joint; and which of them reaches
 * the farthest. */
static float radius_around(const Builder *builder, int32_t node, int32_t joint_place,
                           const float center[3], float farthest[3])
{
    float radius = 0;
    for (int32_t c = 0; c < builder->tree->nodes[node].child_count; c++) {
        const float *ball = index_of(builder, node, joint_place, 2, c);
        if (*index_of(builder, node, joint_place, 1, c) == 0)
            continue;
        const double apart = pli_radius(square_between(center, ball, PLI_GROUP));
        const float here = rounded_up(apart + ball[3 * PLI_GROUP]);
        for (int k = 0; k < 3 && here > radius; k++)
            farthest[k] = ball[PLI_GROUP * k];
        radius = here > radius ? here : radius;
    }
    return radius;
}

/* Which of a node's joints this is. */
static int32_t index_in(const Builder *builder, int32_t node, uint16_t joint)
{
    const PliRange list = builder->node_joint_lists[node];
    const uint16_t *joints = builder->node_joints + list.first;
    int32_t low = 0, high = list.count - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        low = joints[middle] < joint ? middle + 1 : low;
        high = joints[middle] < joint ? high : middle;
    }
    return low;
}

/* How large a ball around this center has to be, for what a child has of a joint: as far as its
 * corners, or as the balls that it has below. And which of these is the farthest. */
static float radius_of(const Builder *builder, int32_t child, uint16_t joint, const float center[3],
                       float farthest[3])
{
    if (child < 0)
        return pli_radius(farthest_corner(builder, ~child, joint, center, farthest));
    return radius_around(builder, child, index_in(builder, child, joint), center, farthest);
}

/* The ball of a child for a joint that it has: from the middle of a box on, again and again nearer
 * to what is farthest, a little less each time (Badoiu and Clarkson 2003). */
static void put_ball(const Builder *builder, int32_t node, int32_t c, int32_t joint_place,
                     const Share *share)
{
    const int32_t child = builder->tree->nodes[node].children[c];
    const uint16_t joint =
        builder->node_joints[builder->node_joint_lists[node].first + joint_place];
    enum { STEPS = 24 };
    float center[3], farthest[3], best[4];
    for (int k = 0; k < 3; k++)
        best[k] = farthest[k] = center[k] = 0.5f * share->bound[k] + 0.5f * share->bound[3 + k];
    best[3] = radius_of(builder, child, joint, center, farthest);
    for (int i = 0; i < STEPS; i++) {
        for (int k = 0; k < 3; k++)
            center[k] += (farthest[k] - center[k]) / (float)(i + 4);
        if (!pli_is_finite(center, 3))
            break;
        const float radius = radius_of(builder, child, joint, center, farthest);
        if (radius < best[3])
            memcpy(best, (float[4]){center[0], center[1], center[2], radius}, sizeof best);
    }
    for (int k = 0; k < 4; k++)
        *index_of(builder, node, joint_place, 2 + k, c) = best[k];
}

/* ---- A node ---------------------------------------------------------------------------------- */

/* Writes what a child has of one of the node's joints. Where there is nothing that is finite, there
 * are zeros: a bound without weight has no say, but has to be a number. */
static void put_share(const Builder *builder, int32_t node, int32_t c, int32_t joint_place,
                      const Share *share)
{
    *index_of(builder, node, joint_place, 0, c) = share->least;
    *index_of(builder, node, joint_place, 1, c) = share->greatest;
    if (is_empty(builder, share))
        return;
    if (builder->skin_tables->bound_kind == PLIANT_BOUND_SPHERE)
        put_ball(builder, node, c, joint_place, share);
    else
        for (int32_t g = 0; g < 2 * slabs_of(builder); g++)
            *index_of(builder, node, joint_place, 2 + g, c) = share->bound[g];
}

/* From the bottom up: what a node has, follows from what its children have. */
static void fill_node(const Builder *builder, int32_t node, const Scratch *scratch)
{
    const PliTreeNode *tree_node = &builder->tree->nodes[node];
    const PliRange list = builder->node_joint_lists[node];
    Share *all = builder->node_shares + list.first;
    double *all_sums = builder->node_sums[node];
    note_places(scratch, builder->node_joints + list.first, list.count);
    clear_shares(builder, all, list.count);
    for (int32_t c = 0; c < tree_node->child_count; c++) {
        const int32_t child = tree_node->children[c];
        float *sums = builder->weight_sums + 2 * PLI_GROUP * (size_t)node + (size_t)c;
        double here[2];
        if (child < 0)
            share_leaf(builder, scratch, node, ~child, here);
        else
            share_node(builder, scratch, node, child, here);
        sums[0] = rounded_down(here[0]);
        sums[PLI_GROUP] = here[1] > 0 ? rounded_up(here[1]) : 0;
        all_sums[0] = c == 0 || here[0] < all_sums[0] ? here[0] : all_sums[0];
        all_sums[1] = c == 0 || here[1] > all_sums[1] ? here[1] : all_sums[1];
        for (int32_t p = 0; p < list.count; p++) {
            put_share(builder, node, c, p, &scratch->shares[p]);
            add_share(builder, &scratch->shares[p], c == 0, &all[p]);
        }
    }
}

/* PliPartTask. Where a node has nothing of a joint, there are zeros. */
static void fill_nodes(void *data, const PliPart *part)
{
    const Builder *builder = data;
    const size_t part_size = pli_skin_part_size(builder->skin_tables->bound_kind);
    for (int32_t n = (int32_t)part->begin; n < part->end; n++) {
        const PliRange list = builder->node_joint_lists[n];
        memset(builder->weight_sums + 2 * PLI_GROUP * (size_t)n, 0,
               2 * PLI_GROUP * sizeof *builder->weight_sums);
        memset(builder->skin_parts + part_size * (size_t)list.first, 0,
               part_size * (size_t)list.count * sizeof *builder->skin_parts);
        fill_node(builder, n, &builder->scratches[part->worker]);
    }
}

/* Of each part: the greatest sum of a vertex's weights, and the farthest that one is from one. */
typedef struct Sums {
    const Builder *builder;
    double greatest[PLI_MAX_PARTS], defects[PLI_MAX_PARTS];
} Sums;

/* PliPartTask, of corners. */
static void find_sums(void *data, const PliPart *part)
{
    Sums *sums = data;
    double greatest = 0, defect = 0;
    for (int64_t c = part->begin; c < part->end; c++) {
        const double sum = sum_of(sums->builder, corner_at(sums->builder, c));
        greatest = sum > greatest ? sum : greatest;
        defect = fabs(sum - 1) > defect ? fabs(sum - 1) : defect;
    }
    sums->greatest[part->index] = greatest;
    sums->defects[part->index] = defect;
}

static void fill_sums(const Builder *builder)
{
    const int64_t corner_count = 3 * (int64_t)builder->tree->item_count;
    Sums sums = {.builder = builder};
    double greatest = 0, defect = 0;
    pli_divide(builder->host, find_sums, &sums, corner_count);
    for (int32_t p = 0; p < pli_part_count(builder->host, corner_count); p++) {
        greatest = sums.greatest[p] > greatest ? sums.greatest[p] : greatest;
        defect = sums.defects[p] > defect ? sums.defects[p] : defect;
    }
    memset(builder->skin_sums, 0, 4 * sizeof *builder->skin_sums);
    builder->skin_sums[0] = rounded_up(greatest);
    builder->skin_sums[1] = rounded_up(defect);
}

static void fill(Builder *builder)
{
    pli_divide(builder->host, fill_leaves, builder, builder->tree->leaf_count);
    pli_tree_climb(builder->tree, builder->host, fill_nodes, builder);
    fill_sums(builder);
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* An array for the time being, and one of the tables, which outlives the builder. */
#define CUT(array, count) builder->array = pli_arena_cut(scratch, count, sizeof *builder->array)
#define MAKE(array, count)                                                                         \
    tables->array = builder->array = pli_arena_cut(arena, count, sizeof *builder->array)

/* Before memory is asked for: what can be addressed. */
static PliantResult check_sizes(const PliSkinTables *skin_tables)
{
    const uint64_t part_size = pli_skin_part_size(skin_tables->bound_kind) * sizeof(float);
    const bool is_small =
        (uint64_t)skin_tables->weight_count * PLI_GROUP * sizeof(float) < PTRDIFF_MAX &&
        (uint64_t)skin_tables->node_joint_count * part_size < PTRDIFF_MAX;
    return is_small ? PLIANT_OK : PLIANT_TOO_LARGE;
}

/* No node has more joints than the root. */
static size_t longest_list(const Builder *builder)
{
    return builder->tree->node_count > 0 ? (size_t)builder->node_joint_lists[0].count : 0;
}

static PliantResult cut_scratches(Builder *builder, PliArena *scratch)
{
    const int32_t worker_count = pli_worker_count(builder->host);
    const size_t joint_count = (size_t)builder->skin_tables->joint_count;
    CUT(scratches, (size_t)worker_count);
    PLI_TRY(scratch->failure);
    for (int32_t w = 0; w < worker_count; w++) {
        Scratch *here = &builder->scratches[w];
        here->marks = pli_arena_cut(scratch, joint_count, sizeof *here->marks);
        here->node_slots = pli_arena_cut(scratch, joint_count, sizeof *here->node_slots);
        PLI_TRY(scratch->failure);
        memset(here->marks, 0, joint_count * sizeof *here->marks);
    }
    return PLIANT_OK;
}

static PliantResult cut_shares(Builder *builder, PliArena *scratch)
{
    CUT(node_shares, (size_t)builder->skin_tables->node_joint_count);
    CUT(node_sums, (size_t)builder->tree->node_count);
    for (int32_t w = 0; w < pli_worker_count(builder->host); w++)
        builder->scratches[w].shares = pli_arena_cut(scratch, longest_list(builder), sizeof(Share));
    return scratch->failure;
}

static PliantResult build(Builder *builder, PliArena *arena, PliArena *scratch)
{
    PliSkinTables *tables = builder->skin_tables;
    const PliantHost *host = builder->host;
    const size_t leaf_count = (size_t)builder->tree->leaf_count;
    const size_t node_count = (size_t)builder->tree->node_count;
    PLI_TRY(cut_scratches(builder, scratch));
    MAKE(skin_sums, 4);
    MAKE(leaf_joint_lists, leaf_count);
    MAKE(leaf_weight_firsts, leaf_count);
    MAKE(node_joint_lists, node_count);
    MAKE(weight_sums, 2 * PLI_GROUP * node_count);
    PLI_TRY(arena->failure);
    pli_divide(host, count_leaves, builder, (int64_t)leaf_count);
    PLI_TRY(place_leaves(builder));
    MAKE(leaf_joints, (size_t)tables->leaf_joint_count);
    PLI_TRY(arena->failure);
    pli_divide(host, list_leaves, builder, (int64_t)leaf_count);
    PLI_TRY(make_node_lists(builder));
    PLI_TRY(place_weights(builder));
    PLI_TRY(check_sizes(tables));
    MAKE(leaf_weights, PLI_GROUP * (size_t)tables->weight_count);
    MAKE(node_joints, (size_t)tables->node_joint_count);
    MAKE(skin_parts, pli_skin_part_size(tables->bound_kind) * (size_t)tables->node_joint_count);
    PLI_TRY(arena->failure);
    PLI_TRY(cut_shares(builder, scratch));
    if (builder->lists.count > 0)
        memcpy(builder->node_joints, builder->lists.items,
               (size_t)builder->lists.count * sizeof *builder->node_joints);
    fill(builder);
    return PLIANT_OK;
}

PliantResult pli_skin_tables_build(PliantShape *shape, const PliSkinTables *expected,
                                   PliArena *arena)
{
    PliSkinTables *skin_tables = &shape->skin_tables;
    skin_tables->bound_kind = shape->morph_tables.bound_kind;
    if (skin_tables->joint_count == 0)
        return PLIANT_OK;
    skin_tables->influence_count = skin_tables->skin_firsts[shape->header->vertex_count];
    Builder builder = {.shape = shape,
                       .tree = &shape->tree,
                       .host = arena->host,
                       .skin_tables = skin_tables,
                       .expected = expected,
                       .lists = {.item_size = sizeof(uint16_t)}};
    PliArena scratch;
    pli_arena_init(&scratch, arena->host);
    PliantResult result = build(&builder, arena, &scratch);
    pli_array_free(&builder.lists, arena->host);
    pli_arena_free(&scratch);
    return result;
}
