/* Which side of one surface another is on: see pliant/volume.h.
 *
 * Of two surfaces that do not touch, each connected part of one is inside or outside of the other,
 * and the winding number at one of its corners tells which. If the other is open, a part can go in
 * through its opening: then all corners are asked. */
#include "api/layers.h"
#include "base/cpu.h"
#include "world/points.h"

static PliantResult find_apart(PliantWorld *world, PliBody *a, PliBody *b, bool *is_apart)
{
    PliNarrow *narrow = &world->first.narrow;
    narrow->approximations = 0;
    PliantResult result = pli_narrow_find(narrow, &a->pose, &b->pose, true);
    *is_apart = narrow->contacts.count == 0;
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

/* One body, by the surface of another. */
typedef struct Sides {
    PliantWorld *world;
    bool is_wanted_inside;
    bool is_closed;  /* the other surface */
    bool is_there;   /* there are triangles */
    bool has_others; /* some corners are not on the side that is wanted */
} Sides;

/* Asks for the first `count` corners of a triangle. */
static PliantResult find_corners(Sides *sides, const float *corners, int count)
{
    PliantWorld *world = sides->world;
    for (int k = 0; k < count && !sides->has_others; k++) {
        PliWinding winding;
        PLI_TRY(pli_point_search_wind(&world->first.points, &world->boundaries[0], corners + 3 * k,
                                      &winding));
        sides->has_others = pli_winding_is_inside(&winding) != sides->is_wanted_inside;
    }
    return PLIANT_OK;
}

/* Asks until a corner is not on the side that is wanted. */
static PliantResult find_leaf(Sides *sides, PliBody *inner, int32_t leaf)
{
    float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    PliLeafBoxes boxes;
    pli_pose_fetch(&inner->pose, leaf, &sides->world->first.worker, PLI_SIDE_B, rows, &boxes);
    const int32_t count = inner->pose.bounds.tree->leaves[leaf].count;
    for (int32_t i = 0; i < count && !sides->has_others; i++) {
        const float *corners = rows + (size_t)PLI_ROW_SIZE * (size_t)i;
        if (!pli_is_finite(corners, PLI_ROW_SIZE))
            continue;
        sides->is_there = true;
        if (!sides->is_closed)
            PLI_TRY(find_corners(sides, corners, 3));
        else if (!is_joined(rows, i))
            PLI_TRY(find_corners(sides, corners, 1));
    }
    return PLIANT_OK;
}

/* On which side of `outer` is `inner`? The query is asked whether it goes on before each leaf. */
static PliantResult find_sides(Sides *sides, PliBody *outer, PliBody *inner)
{
    PliantWorld *world = sides->world;
    const int32_t count = inner->pose.bounds.tree->leaf_count;
    PLI_TRY(pli_world_find_boundary(world, outer, &world->boundaries[0]));
    PLI_TRY(pli_world_search_points(world, outer));
    sides->is_closed = pli_posed_boundary_is_closed(&world->boundaries[0]);
    world->control.total += count;
    for (int32_t leaf = 0; leaf < count && !sides->has_others; leaf++) {
        PLI_TRY(pli_worker_check(&world->first.worker));
        PLI_TRY(find_leaf(sides, inner, leaf));
        pli_control_count(&world->control, 1);
    }
    return PLIANT_OK;
}

PliantResult pli_world_find_nothing(PliantWorld *world, PliBody *const bodies[2], bool *is_nothing,
                                    bool *is_closed)
{
    bool is_apart;
    *is_nothing = false;
    *is_closed = true;
    PLI_TRY(find_apart(world, bodies[0], bodies[1], &is_apart));
    *is_nothing = is_apart;
    for (int i = 0; i < 2 && *is_nothing; i++) {
        Sides sides = {.world = world};
        PLI_TRY(find_sides(&sides, bodies[i], bodies[1 - i]));
        *is_nothing = !sides.has_others;
        *is_closed &= sides.is_closed;
    }
    return PLIANT_OK;
}

static PLI_NOINLINE PliantResult inspect_inside(PliantWorld *world, PliBody *outer, PliBody *inner,
                                                PliantContainment *found)
{
    bool is_apart;
    Sides sides = {.world = world, .is_wanted_inside = true};
    pli_world_update_body(world, outer);
    pli_world_update_body(world, inner);
    PLI_TRY(pli_worker_check(&world->first.worker));
    PliantResult result = find_apart(world, outer, inner, &is_apart);
    if (result == PLIANT_OK && is_apart)
        result = find_sides(&sides, outer, inner);
    found->contains = sides.is_there && !sides.has_others;
    found->is_closed = !is_apart || sides.is_closed;
    pli_world_count(world, outer, PLI_SIDE_A);
    pli_world_count(world, inner, PLI_SIDE_B);
    return result;
}

/* The records as they were first published: a caller's cannot be shorter. */
#define DEF_SIZE PLI_RECORD_SIZE(PliantContainDef, user)
#define CONTAINMENT_SIZE PLI_RECORD_SIZE(PliantContainment, stamp)

PliantResult pliant_bodies_contain(PliantWorld *world, PliantBody outer, PliantBody inner,
                                   const PliantContainDef *given, PliantContainment *containment)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "outer", outer, around);
    PLI_CHECK_BODY(&call, world, "inner", inner, within);
    PLI_CHECK(&call, around != within, PLIANT_BAD_ARGUMENT, "outer and inner are one body");
    PLI_CHECK_OUTPUT(&call, "containment", "pliant_containment_default", containment,
                     CONTAINMENT_SIZE);
    PliantContainDef def = pliant_contain_def_default();
    PLI_READ_DEF(&call, "pliant_contain_def_default", given, &def, DEF_SIZE);
    PliantContainment found = pliant_containment_default();
    PliFpMode caller = pli_fp_enter();
    pli_world_start(world, def.progress, def.user);
    const PliantResult result = inspect_inside(world, around, within, &found);
    pli_fp_leave(caller);
    PLI_TRY(result);
    found.stamp = pli_world_stamp(world);
    (void)pli_record_write(containment, CONTAINMENT_SIZE, &found, sizeof found);
    return PLIANT_OK;
}
