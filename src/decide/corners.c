/* Some triangles of a pose, by their numbers: see pliant/world.h.
 *
 * Triangles live in leaves, and a leaf is what a pose can make without making anything else. So the
 * triangles that are asked for are sorted by their leaves, and each leaf is fetched once. Which
 * leaf a triangle is in (any one, if it was divided) is part of the shape's topology.
 */
#include "decide/corners.h"
#include "base/sort.h"
#include "mesh_pose/mesh_pose.h"
#include "shape/topology.h"
#include "soup/soup.h"

/* Fills keys with {leaf} << 32 | {place among those asked for}, sorted; there is room for twice as
 * many. */
static PliantResult sort_by_leaves(const PliPose *pose, const int32_t *triangles, int32_t count,
                                   uint64_t *keys)
{
    const int32_t *leaf_of = NULL;
    PLI_TRY(pli_topology_triangle_leaves(pli_shape_of(pose), &leaf_of));
    for (int32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)(uint32_t)leaf_of[triangles[i]] << 32 | (uint32_t)i;
    pli_sort_pairs(keys, keys + count, count, pli_bits_below(pose->bounds.tree->leaf_count),
                   pli_bits_below(count));
    return PLIANT_OK;
}

static int32_t place_in_leaf(const PliPose *pose, PliRange range, int32_t triangle)
{
    int32_t i = 0;
    while (i < range.count - 1 && pli_pose_triangle(pose, range.first + i) != triangle)
        i++;
    return i;
}

/* Each leaf once. Its statistics are those of queries: what is fetched here is not counted. */
static void fetch_sorted(const PliPose *pose, const int32_t *triangles, const uint64_t *keys,
                         int32_t count, PliWorker *reader, float *corners)
{
    float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    PliLeafBoxes boxes;
    int32_t fetched = -1;
    for (int32_t i = 0; i < count; i++) {
        const int32_t leaf = (int32_t)(keys[i] >> 32);
        const size_t asked = (uint32_t)keys[i];
        if (leaf != fetched)
            pose->kind->fetch(pose, leaf, reader, rows, &boxes);
        fetched = leaf;
        const int32_t index =
            place_in_leaf(pose, pose->bounds.tree->leaves[leaf], triangles[asked]);
        memcpy(corners + PLI_ROW_SIZE * asked, rows + (size_t)PLI_ROW_SIZE * (size_t)index,
               PLI_ROW_SIZE * sizeof *rows);
    }
}

PliantResult pli_fetch_corners(PliPose *pose, const int32_t *triangles, int32_t count,
                               uint64_t *keys, PliWorker *reader, float *corners)
{
    const PliSoup *soup = pli_soup_of(pose);
    for (int32_t i = 0; i < count && soup; i++)
        pli_soup_corners(soup, triangles[i], corners + (size_t)PLI_ROW_SIZE * (size_t)i);
    if (soup || count == 0)
        return PLIANT_OK;
    PLI_TRY(sort_by_leaves(pose, triangles, count, keys));
    fetch_sorted(pose, triangles, keys, count, reader, corners);
    return PLIANT_OK;
}
