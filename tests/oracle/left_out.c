/* Pairs that brute force leaves out: see left_out.h. */
#include "left_out.h"

#include <stdlib.h>

static uint32_t patch_of(uint32_t vertex)
{
    return vertex % 4 == 3 ? PLIANT_NO_PATCH : vertex / 5 % 3;
}

static bool is_excluded(uint32_t v, uint32_t w)
{
    return v % 3 == 0 && w % 16 == (5 * v + 1) % 16;
}

bool left_out_has(const Feature *x, int x_count, const Feature *y, int y_count, bool is_self)
{
    bool are_of_patch = is_self && patch_of(x->names[0]) != PLIANT_NO_PATCH, has_pair = false;
    for (int i = 0; i < x_count + y_count; i++)
        are_of_patch &=
            patch_of(i < x_count ? x->names[i] : y->names[i - x_count]) == patch_of(x->names[0]);
    for (int i = 0; i < x_count; i++)
        for (int k = 0; k < y_count; k++)
            has_pair |= is_excluded(x->names[i], y->names[k]) ||
                        (is_self && is_excluded(y->names[k], x->names[i]));
    return are_of_patch || has_pair;
}

/* By the names of all vertices: each stands for its group. Returns how many there are. */
static int64_t list_pairs(const FeatureBody *a, const FeatureBody *b, bool is_swapped,
                          uint32_t *pairs)
{
    int64_t count = 0;
    for (uint32_t v = 0; v < (uint32_t)a->vertex_count; v++)
        for (uint32_t w = 0; w < (uint32_t)b->vertex_count; w++)
            if (is_excluded(features_name(a, v), features_name(b, w))) {
                pairs[2 * count + is_swapped] = v;
                pairs[2 * count + !is_swapped] = w;
                count++;
            }
    return count;
}

static PliantResult set(PliantWorld *world, const FeatureBody *a, const FeatureBody *b,
                        bool is_swapped, uint32_t *patches, const uint32_t *pairs, int64_t count,
                        bool is_set)
{
    PliantResult result = PLIANT_OK;
    for (uint32_t v = 0; v < (uint32_t)a->vertex_count; v++)
        patches[v] = patch_of(v);
    if (a == b)
        result = pliant_body_set_patches(world, a->name, patches, is_set ? a->vertex_count : 0);
    if (result != PLIANT_OK)
        return result;
    return pliant_bodies_exclude_vertices(world, is_swapped ? b->name : a->name,
                                          is_swapped ? a->name : b->name, pairs, count);
}

PliantResult left_out_set(PliantWorld *world, const FeatureBody *a, const FeatureBody *b,
                          bool is_swapped, bool is_set)
{
    const size_t a_count = (size_t)a->vertex_count, b_count = (size_t)b->vertex_count;
    uint32_t *patches = malloc(sizeof *patches * (a_count + 1));
    uint32_t *pairs = malloc(2 * sizeof *pairs * (a_count * b_count + 1));
    if (!patches || !pairs)
        exit(1);
    const int64_t count = is_set ? list_pairs(a, b, is_swapped, pairs) : 0;
    const PliantResult result = set(world, a, b, is_swapped, patches, pairs, count, is_set);
    free(patches);
    free(pairs);
    return result;
}

bool left_out_may_pair(void *user, PliantBody a, PliantBody b)
{
    (void)user;
    return (3 * a.index + b.index) % 4 != 0;
}
