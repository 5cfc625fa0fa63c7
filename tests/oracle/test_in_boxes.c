/* Triangles in boxes, against brute force: every kind of body, boxes of every size, one or several.
 *
 *     test_in_boxes [--boxes N] [--seed S]
 *
 * Random bodies (movers.h) on stages of every kind (stage.h). What pliant_body_triangles_in_boxes()
 * returns is compared with all triangles, as pliant_body_vertices() has their corners: of bodies
 * without divided triangles it is just those whose boxes overlap; of the others none that shares a
 * point with the box may be missing, and none may be there whose box does not overlap. Boxes are
 * random, of one vertex, of one point, of a triangle, of all, and empty.
 *
 * What pliant_body_boxes_in_boxes() returns for the same boxes, with room for few or many, has to
 * hold all triangles whose boxes overlap; of divided ones the corners that are in a box.
 *
 * Every other time the body is on its way to its end (pliant_body_moving_triangles_in_boxes()), if
 * it has one: then the box of a triangle is that of both ends, and divided triangles are tested
 * at five times, between the ends with a box that is smaller by what may be rounded. Ends with 1 at
 * any difference, or if a kind of body or box was never reached. */
#include "movers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BOX_RANDOM,
    BOX_VERTEX,
    BOX_TRIANGLE,
    BOX_BETWEEN,
    BOX_ALL,
    BOX_NONE,
    BOX_KINDS,
    MAX_BOXES = 6,
    MAX_COVER = 40
};

static int64_t difference_count, box_counts[BOX_KINDS], pose_counts[2][POSE_COUNT],
    divided_counts[2][2], found_count, tested_count, cover_count, covering_count;

/* What is asked for: a mover at its start, or on its way. */
typedef struct Asked {
    const Mover *mover;
    bool is_moving;
    const float *vertices[2]; /* at the start and at the end, which may be the same */
} Asked;

static const float *corner(const Asked *asked, int end, int32_t triangle, int c)
{
    return asked->vertices[end] + 3 * (size_t)asked->mover->mesh.triangles[3 * triangle + c];
}

static bool is_finite(const Asked *asked, int32_t triangle)
{
    bool is = true;
    for (int i = 0; i < 18; i++)
        is &= isfinite(corner(asked, i / 9, triangle, i / 3 % 3)[i % 3]) != 0;
    return is;
}

static bool is_box_near(const Asked *asked, int32_t triangle, const PliantBox *box)
{
    for (int k = 0; k < 3; k++) {
        float low = corner(asked, 0, triangle, 0)[k], high = low;
        for (int c = 1; c < 6; c++) {
            low = fminf(low, corner(asked, c / 3, triangle, c % 3)[k]);
            high = fmaxf(high, corner(asked, c / 3, triangle, c % 3)[k]);
        }
        if (low > box->high[k] || high < box->low[k])
            return false;
    }
    return is_finite(asked, triangle);
}

/* Shares it a point with the box? A corner is inside, or it intersects a face. */
static bool is_in_box(const float rows[9], const PliantBox *box)
{
    for (int c = 0; c < 3; c++) {
        bool is_inside = true;
        for (int k = 0; k < 3; k++)
            is_inside &= rows[3 * c + k] >= box->low[k] && rows[3 * c + k] <= box->high[k];
        if (is_inside)
            return true;
    }
    for (int f = 0; f < 12; f++) { /* two triangles of each of six faces */
        const int axis = f / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
        float face[9];
        for (int c = 0; c < 3; c++) {
            face[3 * c + axis] = (f & 2 ? box->high : box->low)[axis];
            face[3 * c + u] = (c == 1 || (c == 0 && f & 1) ? box->high : box->low)[u];
            face[3 * c + v] = (c == 2 || (c == 0 && f & 1) ? box->high : box->low)[v];
        }
        if (pliant_triangles_intersect(rows, face))
            return true;
    }
    return false;
}

/* A box that is smaller by more than corners between the ends are rounded by: they are sums of two
 * products, each within 2^-24 of the greatest coordinate. */
static bool shrink(PliantBox *box, const float rows[9], const Asked *asked, int32_t triangle)
{
    float most = 0;
    for (int i = 0; i < 18; i++)
        most = fmaxf(most, fabsf(corner(asked, i / 9, triangle, i / 3 % 3)[i % 3]));
    bool is_left = isfinite(most);
    for (int i = 0; i < 9; i++)
        is_left &= isfinite(rows[i]) != 0;
    for (int k = 0; k < 3; k++) {
        box->low[k] += 0x1p-20F * (most + fabsf(box->low[k])) + 0x1p-140F;
        box->high[k] -= 0x1p-20F * (most + fabsf(box->high[k])) + 0x1p-140F;
        is_left &= box->low[k] <= box->high[k];
    }
    return is_left;
}

static bool is_in_box_at(const Asked *asked, int32_t triangle, PliantBox box, float time)
{
    float rows[9];
    for (int i = 0; i < 9; i++) {
        const float start = corner(asked, 0, triangle, i / 3)[i % 3];
        const float end = corner(asked, 1, triangle, i / 3)[i % 3];
        rows[i] = time == 0 ? start : time == 1 ? end : (1 - time) * start + time * end;
    }
    const bool is_between = time > 0 && time < 1;
    return (!is_between || shrink(&box, rows, asked, triangle)) && is_in_box(rows, &box);
}

/* At one of five times. */
static bool is_ever_in_box(const Asked *asked, int32_t triangle, const PliantBox *box)
{
    bool is_in = is_in_box_at(asked, triangle, *box, 0);
    for (int i = 1; i <= 4 && asked->is_moving; i++)
        is_in |= is_in_box_at(asked, triangle, *box, 0.25F * (float)i);
    return is_in;
}

/* ---- Boxes -------------------------------------------------------------------------------------
 */

static void add(PliantBox *box, const float *p)
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = fminf(box->low[k], p[k]);
        box->high[k] = fmaxf(box->high[k], p[k]);
    }
}

static PliantBox random_box(Crowd *crowd, const Asked *asked, int kind)
{
    SceneRandom *random = &crowd->stage.random;
    PliantBox box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    const int count = asked->mover->mesh.triangle_count;
    if (kind == BOX_ALL)
        return (PliantBox){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    if (kind == BOX_NONE || count == 0)
        return box;
    const int one = stage_whole(random, 0, count - 1), other = stage_whole(random, 0, count - 1);
    const int corner_of = stage_whole(random, 0, 2), end = stage_whole(random, 0, 1);
    add(&box, corner(asked, end, one, corner_of));
    for (int c = 0; c < 3 && kind == BOX_TRIANGLE; c++)
        add(&box, corner(asked, end, one, c));
    if (kind == BOX_BETWEEN)
        add(&box, corner(asked, end, other, corner_of));
    for (int k = 0; k < 3 && kind == BOX_RANDOM; k++) {
        box.low[k] -= (float)(crowd->stage.scale * scene_random(random));
        box.high[k] += (float)(crowd->stage.scale * scene_random(random));
    }
    return box;
}

/* ---- The comparison ----------------------------------------------------------------------------
 */

static bool is_wrong(const Asked *asked, int32_t triangle, const PliantBox *boxes, int box_count,
                     bool is_there)
{
    const bool is_divided = asked->mover->is_divided;
    bool is_near = false, is_in = false;
    for (int i = 0; i < box_count; i++) {
        const bool is_one = is_box_near(asked, triangle, &boxes[i]);
        is_near |= is_one;
        is_in |= is_one && is_divided && is_ever_in_box(asked, triangle, &boxes[i]);
    }
    return is_there || !is_divided ? is_there != is_near : is_in;
}

static bool has_corners(const Asked *asked, int end, int32_t triangle, const float *row)
{
    for (int i = 0; i < 9; i++) {
        uint32_t bits[2];
        memcpy(&bits[0], &row[i], sizeof bits[0]);
        memcpy(&bits[1], &corner(asked, end, triangle, i / 3)[i % 3], sizeof bits[1]);
        if (bits[0] != bits[1])
            return false;
    }
    return true;
}

static bool is_answer_right(const Crowd *crowd, const Asked *asked, const PliantBox *boxes,
                            int box_count)
{
    PliantBoxTriangles found = pliant_box_triangles_default();
    int64_t at = 0;
    bool is_right = true;
    crowd_must(
        (asked->is_moving ? pliant_body_moving_triangles_in_boxes : pliant_body_triangles_in_boxes)(
            crowd->world, asked->mover->sides[0].name, boxes, box_count, NULL, &found));
    const int64_t count = found.count;
    for (int32_t t = 0; t < asked->mover->mesh.triangle_count; t++) {
        const bool is_there = at < count && found.items[at] == t;
        is_right &= !is_wrong(asked, t, boxes, box_count, is_there);
        for (int end = 0; end <= asked->is_moving && is_there; end++)
            is_right &=
                has_corners(asked, end, t, (end ? found.end_corners : found.corners) + 9 * at);
        at += is_there;
    }
    found_count += count;
    return is_right && at == count;
}

static bool is_inside(const float *p, const PliantBox *box)
{
    for (int k = 0; k < 3; k++)
        if (!(p[k] >= box->low[k] && p[k] <= box->high[k]))
            return false;
    return true;
}

/* Is there one that holds `count` corners of a triangle, from `first` on? */
static bool is_covered(const Asked *asked, int32_t triangle, int first, int count,
                       const PliantBox *cover, int cover_size)
{
    for (int i = 0; i < cover_size; i++) {
        bool is_in = true;
        for (int c = first; c < first + count; c++)
            is_in &= is_inside(corner(asked, 0, triangle, c), &cover[i]);
        if (is_in)
            return true;
    }
    return false;
}

static bool is_triangle_covered(const Asked *asked, int32_t triangle, const PliantBox *box,
                                const PliantBox *cover, int cover_size)
{
    if (!is_box_near(asked, triangle, box))
        return true;
    if (!asked->mover->is_divided)
        return is_covered(asked, triangle, 0, 3, cover, cover_size);
    for (int c = 0; c < 3; c++)
        if (is_inside(corner(asked, 0, triangle, c), box) &&
            !is_covered(asked, triangle, c, 1, cover, cover_size))
            return false;
    return true;
}

static bool overlaps_one(const PliantBox *box, const PliantBox *boxes, int box_count)
{
    bool is_near = false;
    for (int i = 0; i < box_count; i++) {
        bool is_one = true;
        for (int k = 0; k < 3; k++)
            is_one &= box->low[k] <= boxes[i].high[k] && boxes[i].low[k] <= box->high[k];
        is_near |= is_one;
    }
    return is_near;
}

static bool is_cover_right(Crowd *crowd, const Asked *asked, const PliantBox *boxes, int box_count)
{
    PliantBox cover[MAX_COVER];
    const int32_t capacity = stage_whole(&crowd->stage.random, 1, MAX_COVER);
    int32_t size = -1;
    bool is_right = true;
    crowd_must(pliant_body_boxes_in_boxes(crowd->world, asked->mover->sides[0].name, boxes,
                                          box_count, cover, capacity, &size));
    if (size < 0 || size > capacity)
        return false;
    for (int i = 0; i < size; i++)
        is_right &= overlaps_one(&cover[i], boxes, box_count);
    for (int32_t t = 0; t < asked->mover->mesh.triangle_count; t++)
        for (int i = 0; i < box_count; i++)
            is_right &= is_triangle_covered(asked, t, &boxes[i], cover, size);
    cover_count += size;
    covering_count += size > 0;
    return is_right;
}

static void ask(Crowd *crowd, const Mover *mover, bool is_moving, int kind, uint64_t seed)
{
    PliantBox boxes[MAX_BOXES];
    const float *start = mover->sides[0].vertices;
    const bool has_end = is_moving && mover->has_end;
    const Asked asked = {mover, is_moving, {start, has_end ? mover->sides[1].vertices : start}};
    const int box_count =
        crowd_chance(crowd, 2) ? 1 : stage_whole(&crowd->stage.random, 0, MAX_BOXES);
    for (int i = 0; i < box_count; i++)
        boxes[i] = random_box(crowd, &asked, i == 0 ? kind : i % BOX_ALL);
    bool is_right = is_answer_right(crowd, &asked, boxes, box_count);
    if (!is_moving)
        is_right &= is_cover_right(crowd, &asked, boxes, box_count);
    tested_count += mover->mesh.triangle_count;
    box_counts[kind]++;
    pose_counts[has_end][mover->sides[0].pose]++;
    divided_counts[has_end][mover->is_divided]++;
    if (!is_right && difference_count++ < 5)
        printf("DIFFERENCE on stage %s, scene %" PRIu64 ", box %d, pose %d, %s\n",
               stage_kind_name(crowd->stage.kind), seed, kind, mover->sides[0].pose,
               has_end ? "moving" : "at rest");
}

static void play_scene(uint64_t seed, int64_t scene)
{
    Crowd crowd = {0};
    Mover mover;
    stage_init(&crowd.stage, (StageKind)(scene % STAGE_KIND_COUNT),
               seed * 1000003 + (uint64_t)scene);
    crowd.max_triangles = crowd_chance(&crowd, 2) ? 600 : 40;
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = (1u << stage_whole(&crowd.stage.random, 0, 3)) - 1;
    crowd_must(pliant_world_create(&def, &crowd.world));
    mover_enter(&crowd, &mover);
    for (int frame = 0; frame < 3; frame++) {
        mover_act(&crowd, &mover);
        for (int i = 0; i < 12; i++)
            ask(&crowd, &mover, (i + frame) % 2 == 1, i % BOX_KINDS, (uint64_t)scene);
    }
    mover_leave(&crowd, &mover);
    pliant_world_destroy(crowd.world);
}

static bool all_reached(const int64_t *counts, int count)
{
    bool are = true;
    for (int i = 0; i < count; i++)
        are &= counts[i] > 0;
    return are;
}

int main(int argc, char **argv)
{
    int64_t boxes = 20000, scene = 0;
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--boxes") == 0)
            boxes = strtoll(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
    }
    for (; scene < 4 * STAGE_KIND_COUNT || 36 * scene < boxes; scene++)
        play_scene(seed, scene);
    const bool is_complete = all_reached(box_counts, BOX_KINDS) &&
                             all_reached(pose_counts[0], 2 * POSE_COUNT) &&
                             all_reached(divided_counts[0], 4) && cover_count > covering_count;
    printf("in_boxes: seed %" PRIu64 ", %" PRId64 " boxes, %" PRId64 " of %" PRId64
           " triangles, %" PRId64 " boxes for %" PRId64 ", %" PRId64 " differences%s\n",
           seed, 36 * scene, found_count, tested_count, cover_count, covering_count,
           difference_count, is_complete ? "" : ", but not everything was reached");
    return difference_count != 0 || !is_complete;
}
