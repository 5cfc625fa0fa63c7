/* What follows joints, made from a skin: which joints each part has, and how much of them. See
 * shape.h. */
#include "shape/skin_tables.h"
#include "geom/geom.h"

#include <string.h>

enum { MAX_GROUPS = 18 };

typedef struct Share Share;

/* The arrays that are made, and what is needed on the way. */
typedef struct Builder {
    const PliSkinTablesDef *def;
    const PliTree *tree;
    PliSkinTables *skin_tables;
    float *skin_sums, *leaf_weights, *weight_sums, *skin_parts;
    PliRange *leaf_joint_lists, *node_joint_lists;
    uint16_t *leaf_joints, *node_joints;
    int32_t *leaf_weight_firsts;

    PliArray lists; /* of uint16_t: the joints of leaves and then of nodes, as they are found */
    int32_t *marks; /* of each joint: the leaf that had it last, from 1 */
    int32_t *node_slots;    /* of each joint: its place in a list */
    Share *shares;          /* of one child, in the joints of its node */
    Share *node_shares;     /* of each node, in its joints */
    double (*node_sums)[2]; /* of each node: least and greatest sum of weights */
} Builder;

static uint32_t corner_at(const Builder *builder, int64_t corner)
{
    return builder->def->vertex_lists->corners[corner];
}

static PliRange influences_of(const Builder *builder, uint32_t vertex)
{
    const int32_t *firsts = builder->def->skin_firsts;
    return (PliRange){firsts[vertex], firsts[vertex + 1] - firsts[vertex]};
}

/* ---- Lists -------------------------------------------------------------------------------------
 */

static PliantResult add_to_list(Builder *builder, const PliantHost *host, uint16_t joint)
{
    void *room;
    PLI_TRY(pli_array_push(&builder->lists, host, 1, &room));
    *(uint16_t *)room = joint;
    return PLIANT_OK;
}

/* Puts the last joint of a list where it belongs, as they are to rise. */
static void sink_last(uint16_t *joints, int32_t count)
{
    uint16_t last = joints[count - 1];
    int32_t i = count - 1;
    for (; i > 0 && joints[i - 1] > last; i--)
        joints[i] = joints[i - 1];
    joints[i] = last;
}

/* The joints of a leaf's vertices. One without any has the first, which then has no weight. */
static PliantResult list_leaf(Builder *builder, int32_t leaf, const PliantHost *host)
{
    const PliRange range = builder->tree->leaves[leaf];
    PliRange *list = &builder->leaf_joint_lists[leaf];
    *list = (PliRange){(int32_t)builder->lists.count, 0};
    for (int64_t c = 3 * (int64_t)range.first; c < 3 * ((int64_t)range.first + range.count); c++) {
        const PliRange influences = influences_of(builder, corner_at(builder, c));
        for (int32_t i = influences.first; i < influences.first + influences.count; i++) {
            uint16_t joint = builder->def->skin_joints[i];
            if (builder->marks[joint] == leaf + 1)
                continue;
            builder->marks[joint] = leaf + 1;
            PLI_TRY(add_to_list(builder, host, joint));
            sink_last((uint16_t *)builder->lists.items + list->first, ++list->count);
        }
    }
    if (list->count == 0) {
        PLI_TRY(add_to_list(builder, host, 0));
        list->count = 1;
    }
    return PLIANT_OK;
}

/* The lists of a node's children, one place in each. */
typedef struct Merge {
    PliRange rest[8];
    int32_t count;
} Merge;

/* The least joint that is next in any list, which then goes on; -1 if there is none. */
static int32_t next_joint(const Builder *builder, Merge *merge)
{
    const uint16_t *joints = builder->lists.items;
    int32_t least = INT32_MAX;
    if (!joints)
        return -1; /* which cannot be, as every leaf has a joint */
    for (int32_t i = 0; i < merge->count; i++)
        if (merge->rest[i].count > 0 && joints[merge->rest[i].first] < least)
            least = joints[merge->rest[i].first];
    for (int32_t i = 0; i < merge->count; i++) {
        if (merge->rest[i].count > 0 && joints[merge->rest[i].first] == least) {
            merge->rest[i].first++;
            merge->rest[i].count--;
        }
    }
    return least == INT32_MAX ? -1 : least;
}

static PliantResult list_node(Builder *builder, int32_t n, const PliantHost *host)
{
    const PliTreeNode *node = &builder->tree->nodes[n];
    Merge merge = {.count = node->child_count};
    for (int32_t c = 0; c < node->child_count; c++) {
        int32_t child = node->children[c];
        merge.rest[c] =
            child < 0 ? builder->leaf_joint_lists[~child] : builder->node_joint_lists[child];
    }
    PliRange *list = &builder->node_joint_lists[n];
    *list = (PliRange){(int32_t)builder->lists.count, 0};
    for (int32_t joint; (joint = next_joint(builder, &merge)) >= 0; list->count++)
        PLI_TRY(add_to_list(builder, host, (uint16_t)joint));
    return PLIANT_OK;
}

/* All lists; none may become longer than is expected, if something is, or than can be counted. */
static PliantResult make_lists(Builder *builder, const PliantHost *host)
{
    const PliSkinTablesDef *def = builder->def;
    const int64_t max_leaf = def->expects ? def->expected_leaf_joints : INT32_MAX;
    const int64_t max_node = def->expects ? def->expected_node_joints : INT32_MAX;
    const PliantResult too_many = def->expects ? PLIANT_BAD_DATA : PLIANT_TOO_LARGE;
    memset(builder->marks, 0, (size_t)def->joint_count * sizeof *builder->marks);
    for (int32_t leaf = 0; leaf < builder->tree->leaf_count; leaf++) {
        PLI_TRY(list_leaf(builder, leaf, host));
        if (builder->lists.count > max_leaf)
            return too_many;
    }
    const int64_t leaf_count = builder->lists.count;
    for (int32_t n = builder->tree->node_count - 1; n >= 0; n--) {
        PLI_TRY(list_node(builder, n, host));
        if (builder->lists.count - leaf_count > max_node || builder->lists.count > INT32_MAX)
            return too_many;
    }
    builder->skin_tables->leaf_joint_count = (int32_t)leaf_count;
    builder->skin_tables->node_joint_count = (int32_t)(builder->lists.count - leaf_count);
    return PLIANT_OK;
}

/* From where they were found to arrays of their own. */
static void copy_lists(Builder *builder)
{
    const PliSkinTables *skin_tables = builder->skin_tables;
    const uint16_t *lists = builder->lists.items;
    if (skin_tables->leaf_joint_count > 0)
        memcpy(builder->leaf_joints, lists, (size_t)skin_tables->leaf_joint_count * sizeof *lists);
    if (skin_tables->node_joint_count > 0)
        memcpy(builder->node_joints, lists + skin_tables->leaf_joint_count,
               (size_t)skin_tables->node_joint_count * sizeof *lists);
    for (int32_t n = 0; n < builder->tree->node_count; n++)
        builder->node_joint_lists[n].first -= skin_tables->leaf_joint_count;
}

/* ---- Weights of leaves -------------------------------------------------------------------------
 */

/* Groups of weights that a leaf has for each joint. */
static int32_t groups_of(const Builder *builder, int32_t leaf)
{
    return pli_table_groups(builder->def->morph_tables->tables[leaf]) / 3;
}

static PliantResult place_weights(Builder *builder)
{
    const PliSkinTablesDef *def = builder->def;
    int64_t end = 0;
    for (int32_t leaf = 0; leaf < builder->tree->leaf_count; leaf++) {
        builder->leaf_weight_firsts[leaf] = (int32_t)end;
        end += (int64_t)builder->leaf_joint_lists[leaf].count * groups_of(builder, leaf);
        if (end > INT32_MAX)
            return PLIANT_TOO_LARGE;
    }
    builder->skin_tables->weight_count = (int32_t)end;
    if (def->expects && (end != def->expected_weights ||
                         builder->skin_tables->leaf_joint_count != def->expected_leaf_joints ||
                         builder->skin_tables->node_joint_count != def->expected_node_joints))
        return PLIANT_BAD_DATA;
    return PLIANT_OK;
}

/* Where each joint of a list is in it. */
static void note_places(const Builder *builder, const uint16_t *joints, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        builder->node_slots[joints[i]] = i;
}

static void fill_leaf(const Builder *builder, int32_t leaf)
{
    const PliRange range = builder->tree->leaves[leaf], list = builder->leaf_joint_lists[leaf];
    const size_t size = PLI_GROUP * (size_t)groups_of(builder, leaf);
    const uint8_t *numbers = builder->def->morph_tables->leaf_corners + 3 * (size_t)range.first;
    float *weights = builder->leaf_weights + PLI_GROUP * (size_t)builder->leaf_weight_firsts[leaf];
    note_places(builder, builder->leaf_joints + list.first, list.count);
    for (int32_t c = 0; c < 3 * range.count; c++) {
        const uint32_t vertex = corner_at(builder, 3 * (int64_t)range.first + c);
        const size_t number = numbers[range.count * (c % 3) + c / 3];
        const PliRange influences = influences_of(builder, vertex);
        for (int32_t i = influences.first; i < influences.first + influences.count; i++) {
            const size_t index = (size_t)builder->node_slots[builder->def->skin_joints[i]];
            weights[size * index + number] = builder->def->skin_weights[i];
        }
    }
}

/* ---- Bounds of nodes ---------------------------------------------------------------------------
 */

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
        sum += builder->def->skin_weights[i];
    return sum;
}

/* One number of a joint of a node: a weight, or an end. */
static float *index_of(const Builder *builder, int32_t node, int32_t joint_place, int32_t group,
                       int32_t child)
{
    const PliRange list = builder->node_joint_lists[node];
    const size_t size = pli_skin_part_size(builder->def->bound_kind);
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
    return pli_slab_count(builder->def->bound_kind); /* which is three of balls */
}

static PliantBoundKind slab_kind(const Builder *builder)
{
    const PliantBoundKind kind = builder->def->bound_kind;
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
 * weights. What not all of its corners follow has a least weight of zero. */
static void share_leaf(const Builder *builder, int32_t node, int32_t leaf, Share *shares,
                       double sums[2])
{
    const PliSkinTablesDef *def = builder->def;
    const PliRange list = builder->node_joint_lists[node], range = builder->tree->leaves[leaf];
    const int64_t first = 3 * (int64_t)range.first, end = first + 3 * (int64_t)range.count;
    clear_shares(builder, shares, list.count);
    sums[0] = INFINITY;
    sums[1] = 0;
    for (int32_t p = 0; p < list.count; p++)
        builder->marks[builder->node_joints[list.first + p]] = 0;
    for (int64_t corner = first; corner < end; corner++) {
        const uint32_t vertex = corner_at(builder, corner);
        const PliRange influences = influences_of(builder, vertex);
        const double sum = sum_of(builder, vertex);
        sums[0] = sum < sums[0] ? sum : sums[0];
        sums[1] = sum > sums[1] ? sum : sums[1];
        for (int32_t i = influences.first; i < influences.first + influences.count; i++) {
            const float weight = def->skin_weights[i];
            Share *share = &shares[builder->node_slots[def->skin_joints[i]]];
            const bool is_first = builder->marks[def->skin_joints[i]]++ == 0;
            share->least = is_first || weight < share->least ? weight : share->least;
            share->greatest = weight > share->greatest ? weight : share->greatest;
            pli_slabs_add(slab_kind(builder), def->vertices + 3 * (size_t)vertex, share->bound);
        }
    }
    for (int32_t p = 0; p < list.count; p++)
        if (builder->marks[builder->node_joints[list.first + p]] < end - first)
            shares[p].least = 0;
}

/* The same of a child that is a node, and may not have all of these joints. */
static void share_node(const Builder *builder, int32_t node, int32_t child, Share *shares,
                       double sums[2])
{
    const PliRange list = builder->node_joint_lists[child];
    clear_shares(builder, shares, builder->node_joint_lists[node].count);
    for (int32_t p = 0; p < list.count; p++)
        shares[builder->node_slots[builder->node_joints[list.first + p]]] =
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

/* ---- Balls -------------------------------------------------------------------------------------
 */

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
        const float *point = builder->def->vertices + 3 * (size_t)vertex;
        const PliRange influences = influences_of(builder, vertex);
        bool is_following = false;
        for (int32_t i = influences.first; i < influences.first + influences.count; i++)
            is_following |= builder->def->skin_joints[i] == joint;
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

/* ---- A node ------------------------------------------------------------------------------------
 */

/* Writes what a child has of one of the node's joints. Where there is nothing that is finite, there
 * are zeros: a bound without weight has no say, but has to be a number. */
static void put_share(const Builder *builder, int32_t node, int32_t c, int32_t joint_place,
                      const Share *share)
{
    *index_of(builder, node, joint_place, 0, c) = share->least;
    *index_of(builder, node, joint_place, 1, c) = share->greatest;
    if (is_empty(builder, share))
        return;
    if (builder->def->bound_kind == PLIANT_BOUND_SPHERE)
        put_ball(builder, node, c, joint_place, share);
    else
        for (int32_t g = 0; g < 2 * slabs_of(builder); g++)
            *index_of(builder, node, joint_place, 2 + g, c) = share->bound[g];
}

/* From the bottom up: what a node has, follows from what its children have. */
static void fill_node(const Builder *builder, int32_t node)
{
    const PliTreeNode *tree_node = &builder->tree->nodes[node];
    const PliRange list = builder->node_joint_lists[node];
    Share *all = builder->node_shares + list.first;
    double *all_sums = builder->node_sums[node];
    note_places(builder, builder->node_joints + list.first, list.count);
    clear_shares(builder, all, list.count);
    for (int32_t c = 0; c < tree_node->child_count; c++) {
        const int32_t child = tree_node->children[c];
        float *sums = builder->weight_sums + 2 * PLI_GROUP * (size_t)node + (size_t)c;
        double here[2];
        if (child < 0)
            share_leaf(builder, node, ~child, builder->shares, here);
        else
            share_node(builder, node, child, builder->shares, here);
        sums[0] = rounded_down(here[0]);
        sums[PLI_GROUP] = here[1] > 0 ? rounded_up(here[1]) : 0;
        all_sums[0] = c == 0 || here[0] < all_sums[0] ? here[0] : all_sums[0];
        all_sums[1] = c == 0 || here[1] > all_sums[1] ? here[1] : all_sums[1];
        for (int32_t p = 0; p < list.count; p++) {
            put_share(builder, node, c, p, &builder->shares[p]);
            add_share(builder, &builder->shares[p], c == 0, &all[p]);
        }
    }
}

/* The greatest sum of a vertex's weights, and the farthest that one is from one. */
static void fill_sums(const Builder *builder)
{
    const int64_t corner_count = 3 * (int64_t)builder->tree->item_count;
    double greatest = 0, defect = 0;
    for (int64_t c = 0; c < corner_count; c++) {
        const double sum = sum_of(builder, corner_at(builder, c));
        greatest = sum > greatest ? sum : greatest;
        defect = fabs(sum - 1) > defect ? fabs(sum - 1) : defect;
    }
    builder->skin_sums[0] = rounded_up(greatest);
    builder->skin_sums[1] = rounded_up(defect);
}

static void clear(float *memory, size_t count)
{
    if (count > 0)
        memset(memory, 0, count * sizeof *memory);
}

static void fill(Builder *builder)
{
    const PliSkinTables *skin_tables = builder->skin_tables;
    clear(builder->skin_sums, 4);
    clear(builder->leaf_weights, PLI_GROUP * (size_t)skin_tables->weight_count);
    clear(builder->weight_sums, 2 * PLI_GROUP * (size_t)builder->tree->node_count);
    clear(builder->skin_parts,
          pli_skin_part_size(builder->def->bound_kind) * (size_t)skin_tables->node_joint_count);
    for (int32_t leaf = 0; leaf < builder->tree->leaf_count; leaf++)
        fill_leaf(builder, leaf);
    for (int32_t n = builder->tree->node_count - 1; n >= 0; n--)
        fill_node(builder, n);
    fill_sums(builder);
}

/* ---- All of it ---------------------------------------------------------------------------------
 */

#define MAKE(array, count)                                                                         \
    {                                                                                              \
        void *memory = NULL;                                                                       \
        PLI_TRY(pli_allocate(host, count, sizeof *builder->array, &memory));                       \
        builder->skin_tables->array = builder->array = memory;                                     \
    }

#define CUT(array, count) builder->array = pli_arena_cut(arena, count, sizeof *builder->array);

/* How many items each array has. */
#define ARRAYS_BEFORE(X)                                                                           \
    X(skin_sums, 4)                                                                                \
    X(leaf_joint_lists, (size_t)tree->leaf_count)                                                  \
    X(leaf_weight_firsts, (size_t)tree->leaf_count)                                                \
    X(node_joint_lists, (size_t)tree->node_count)                                                  \
    X(weight_sums, 2 * PLI_GROUP * (size_t)tree->node_count)
#define ARRAYS_BEHIND(X)                                                                           \
    X(leaf_joints, (size_t)skin_tables->leaf_joint_count)                                          \
    X(leaf_weights, PLI_GROUP *(size_t)skin_tables->weight_count)                                  \
    X(node_joints, (size_t)skin_tables->node_joint_count)                                          \
    X(skin_parts,                                                                                  \
      pli_skin_part_size(skin_tables->bound_kind) * (size_t)skin_tables->node_joint_count)

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

static PliantResult build(Builder *builder, PliArena *arena, const PliantHost *host)
{
    const PliSkinTables *skin_tables = builder->skin_tables;
    const PliTree *tree = builder->tree;
    const size_t joints = (size_t)builder->def->joint_count;
    CUT(marks, joints)
    CUT(node_slots, joints)
    PLI_TRY(arena->failure);
    ARRAYS_BEFORE(MAKE)
    PLI_TRY(make_lists(builder, host));
    PLI_TRY(place_weights(builder));
    PLI_TRY(check_sizes(skin_tables));
    ARRAYS_BEHIND(MAKE)
    CUT(shares, longest_list(builder))
    CUT(node_shares, (size_t)skin_tables->node_joint_count)
    CUT(node_sums, (size_t)tree->node_count)
    PLI_TRY(arena->failure);
    copy_lists(builder);
    fill(builder);
    return PLIANT_OK;
}

PliantResult pli_skin_tables_build(const PliSkinTablesDef *def, const PliantHost *host,
                                   PliSkinTables *skin_tables)
{
    *skin_tables = (PliSkinTables){.bound_kind = def->bound_kind,
                                   .joint_count = def->joint_count,
                                   .skin_firsts = def->skin_firsts,
                                   .skin_joints = def->skin_joints,
                                   .skin_weights = def->skin_weights};
    if (def->joint_count == 0)
        return PLIANT_OK;
    skin_tables->influence_count = def->skin_firsts[def->vertex_count];
    Builder builder = {.def = def,
                       .tree = def->tree,
                       .skin_tables = skin_tables,
                       .lists = {.item_size = sizeof(uint16_t)}};
    PliArena arena;
    pli_arena_init(&arena, host);
    PliantResult result = build(&builder, &arena, host);
    pli_array_free(&builder.lists, host);
    pli_arena_free(&arena);
    if (result != PLIANT_OK)
        pli_skin_tables_free(skin_tables, def->tree, host);
    return result;
}

/* What is pointed at is read only for everyone else. */
#define FREE(array, count)                                                                         \
    memcpy(&memory, &skin_tables->array, sizeof memory);                                           \
    pli_release(host, memory, count, sizeof *skin_tables->array);

void pli_skin_tables_free(PliSkinTables *skin_tables, const PliTree *tree, const PliantHost *host)
{
    void *memory;
    if (skin_tables->joint_count == 0)
        return;
    ARRAYS_BEFORE(FREE)
    ARRAYS_BEHIND(FREE)
    *skin_tables = (PliSkinTables){0};
}
