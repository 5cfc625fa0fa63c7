/* Motions: see motion.h. */
#include "query/motion.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

static bool have_same_bits(const float p[3], const float q[3])
{
    return pli_rank_of(p[0]) == pli_rank_of(q[0]) && pli_rank_of(p[1]) == pli_rank_of(q[1]) &&
           pli_rank_of(p[2]) == pli_rank_of(q[2]);
}

static void begin_epoch(PliMotion *motion, uint64_t *last_epoch)
{
    motion->epoch = ++*last_epoch;
    motion->moved = motion->settled = 0;
}

/* A bound of how far any vertex has moved since the snapshot. Infinity if one has changed that is
 * not finite, or was not. u = 2^-53: a difference of floats is rounded once, its square has a
 * relative error of 3 u, the sum of three 5 u, and the root 3.5 u. The factor covers that, and its
 * own rounding. Differences are 0 or at least 2^-149, and at most 2^129: no square is too small or
 * too large for a double, so that it is finite if and only if both vertices are. */
static double find_move(const PliMotion *motion)
{
    double most = 0;
    for (size_t v = 0; v < (size_t)motion->count; v++) {
        const float *p = motion->now + 3 * v, *q = motion->then + 3 * v;
        const double x = (double)p[0] - (double)q[0], y = (double)p[1] - (double)q[1],
                     z = (double)p[2] - (double)q[2], square = x * x + y * y + z * z;
        if (PLI_LIKELY(square <= most))
            continue;
        if (square < INFINITY)
            most = square;
        else if (!have_same_bits(p, q))
            return INFINITY;
    }
    return sqrt(most) * (1 + 0x1p-50);
}

/* The sum is rounded up, by 2^-52 of itself; before this is much of the reach, an epoch begins. */
void pli_motion_settle(PliMotion *motion, float reach, uint64_t *last_epoch)
{
    if (!motion->is_followed || motion->moved == motion->settled)
        return;
    if (motion->moved <= 0x1p20 * (double)reach)
        motion->settled = motion->moved;
    else
        begin_epoch(motion, last_epoch);
    memcpy(motion->then, motion->now, 3 * sizeof(float) * (size_t)motion->count);
}

static PliantResult allocate_vertices(PliMotion *motion, int32_t count, const PliantHost *host)
{
    void *now = NULL, *then = NULL;
    const PliRequest requests[] = {{&now, 3 * (size_t)count, sizeof(float)},
                                   {&then, 3 * (size_t)count, sizeof(float)}};
    PLI_TRY(pli_allocate_all(host, requests, 2));
    motion->now = now;
    motion->then = then;
    motion->count = count;
    return PLIANT_OK;
}

static PliantResult create_motion(PliMotion **motion, const PliantHost *host)
{
    void *memory = NULL;
    PLI_TRY(pli_allocate(host, 1, sizeof **motion, &memory));
    *motion = memory;
    **motion = (PliMotion){0};
    return PLIANT_OK;
}

PliantResult pli_motion_update(PliMotion **motion, const PliPose *pose, int32_t count,
                               uint64_t *last_epoch, const PliantHost *host)
{
    if (!*motion)
        PLI_TRY(create_motion(motion, host));
    PliMotion *here = *motion;
    if (here->epoch > 0 && here->frame == pose->frame_count)
        return PLIANT_OK;
    if (count > 0 && !here->now)
        PLI_TRY(allocate_vertices(here, count, host));
    const bool was_followed = here->is_followed;
    here->frame = pose->frame_count;
    here->is_followed = count > 0;
    if (here->is_followed)
        pli_pose_vertices(pose, here->now);
    if (here->is_followed && was_followed) {
        const double move = find_move(here);
        here->moved = move > 0 ? (here->settled + move) * (1 + 0x1p-52) : here->settled;
        return PLIANT_OK;
    }
    begin_epoch(here, last_epoch);
    if (here->is_followed)
        memcpy(here->then, here->now, 3 * sizeof(float) * (size_t)here->count);
    return PLIANT_OK;
}

void pli_motion_free(PliMotion *motion, const PliantHost *host)
{
    if (!motion)
        return;
    pli_release(host, motion->now, 3 * (size_t)motion->count, sizeof(float));
    pli_release(host, motion->then, 3 * (size_t)motion->count, sizeof(float));
    pli_release(host, motion, 1, sizeof *motion);
}
