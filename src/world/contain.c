/* Which side of one surface another is on, exactly: see pliant/volume.h.
 *
 * Of two surfaces that do not touch, each connected part of one is inside or outside of the other,
 * and a line through one of its corners tells which. */
#include "base/cpu.h"
#include "world/layers.h"

static PliantResult find_apart(PliantWorld *world, PliBody *a, PliBody *b, bool *is_apart)
{
    world->first.narrow.approximations = 0;
    PliantResult result = pli_narrow_find(&world->first.narrow, &a->pose, &b->pose, true);
    *is_apart = world->first.narrow.contacts.count == 0;
    return result;
}

/* Has a triangle of a leaf a corner in common with an earlier one? Then it is where that one is. */
static bool is_joined(const float *rows, int32_t i)
{
    const float *t = rows + (size_t)PLI_ROW_SIZE * (size_t)i;
    for (const float *other = rows; other < t; other += PLI_ROW_SIZE)
        for (int k = 0; k < 9 && pli_is_finite(other, PLI_ROW_SIZE); k++)
            if (pli_is_same_point(other + 3 * (k / 3), t + 3 * (k % 3)))
                return true;
    return false;
}

/* Tests the parts of a leaf until one is not on the side that is wanted. */
static PliantResult find_leaf_sides(PliantWorld *world, PliBody *outer, PliBody *inner,
                                    int32_t leaf, bool is_wanted_inside, bool *is_there,
                                    bool *has_others)
{
    float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    PliLeafBoxes boxes;
    pli_pose_fetch(&inner->pose, leaf, &world->first.worker, PLI_SIDE_B, rows, &boxes);
    const int32_t count = inner->pose.bounds.tree->leaves[leaf].count;
    for (int32_t i = 0; i < count && !*has_others; i++) {
        const float *corner = rows + (size_t)PLI_ROW_SIZE * (size_t)i;
        if (!pli_is_finite(corner, PLI_ROW_SIZE))
            continue;
        *is_there = true;
        if (is_joined(rows, i))
            continue;
        PliWinding winding;
        PLI_TRY(pli_winding_at(&pli_tiles_drawing(&world->tiles)->seeing, &outer->pose, corner,
                               &world->first.worker, &winding));
        if (winding.all != 0)
            return PLIANT_NOT_CLOSED;
        *has_others = (winding.above != 0) != is_wanted_inside;
    }
    return PLIANT_OK;
}

/* Has `inner` any triangles at all, and are there some that are not on the side of `outer` that is
 * wanted? */
static PliantResult find_sides(PliantWorld *world, PliBody *outer, PliBody *inner,
                               bool is_wanted_inside, bool *is_there, bool *has_others)
{
    *is_there = *has_others = false;
    PLI_TRY(pli_tiles_reserve(&world->tiles, 1, &world->host));
    const int32_t count = inner->pose.bounds.tree->leaf_count;
    for (int32_t leaf = 0; leaf < count && !*has_others; leaf++)
        PLI_TRY(find_leaf_sides(world, outer, inner, leaf, is_wanted_inside, is_there, has_others));
    return PLIANT_OK;
}

PliantResult pli_world_find_nothing(PliantWorld *world, PliBody *const bodies[2], bool *is_nothing,
                                    int *open)
{
    bool is_apart, is_there, has_others;
    *is_nothing = false;
    *open = 0;
    PLI_TRY(find_apart(world, bodies[0], bodies[1], &is_apart));
    if (!is_apart)
        return PLIANT_OK;
    PLI_TRY(find_sides(world, bodies[0], bodies[1], false, &is_there, &has_others));
    if (has_others)
        return PLIANT_OK;
    *open = 1;
    PLI_TRY(find_sides(world, bodies[1], bodies[0], false, &is_there, &has_others));
    *is_nothing = !has_others;
    return PLIANT_OK;
}

static PLI_NOINLINE PliantResult inspect_inside(PliantWorld *world, PliBody *outer, PliBody *inner,
                                                bool *is_inside)
{
    bool is_apart, is_there, has_others;
    pli_world_start(world);
    pli_world_update_body(world, outer);
    pli_world_update_body(world, inner);
    PliantResult result = find_apart(world, outer, inner, &is_apart);
    *is_inside = false;
    if (result == PLIANT_OK && is_apart)
        result = find_sides(world, outer, inner, true, &is_there, &has_others);
    if (result == PLIANT_OK && is_apart)
        *is_inside = is_there && !has_others;
    pli_world_count(world, outer, PLI_SIDE_A);
    pli_world_count(world, inner, PLI_SIDE_B);
    return result;
}

PliantResult pliant_bodies_contain(PliantWorld *world, PliantBody outer, PliantBody inner,
                                   bool *contains)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK_BODY(&call, world, "outer", outer, around);
    PLI_CHECK_BODY(&call, world, "inner", inner, within);
    PLI_CHECK(&call, around != within, PLIANT_BAD_ARGUMENT, "outer and inner are one body");
    PLI_CHECK(&call, contains, PLIANT_BAD_ARGUMENT, "contains is NULL");
    bool is_inside = false;
    PliFpMode caller = pli_fp_enter();
    PliantResult result = inspect_inside(world, around, within, &is_inside);
    pli_fp_leave(caller);
    if (result == PLIANT_OK)
        *contains = is_inside;
    if (result == PLIANT_NOT_CLOSED)
        return pli_mistake(
            &call, result,
            "outer {%u, %u} is not closed: a line through a vertex of inner does not "
            "leave it as often as it enters",
            (unsigned)outer.index, (unsigned)outer.generation);
    return result;
}
