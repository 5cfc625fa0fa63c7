/* Which leaves are calm in a pose: see calm.h.
 *
 * A, M and L. About the centre c of a leaf, at u from it, a vertex v is at rest c + u; targets of
 * weights a_t move it to y(v) = c' + F u + r(v), with c' = c + the sum of a_t at_t, F = 1 + the sum
 * of a_t slopes_t, and r what the fits left over: |r(v)| <= R = the sum of |a_t| size_t, and its
 * change from v to w is at most R' |v - w|, R' = the sum of |a_t| rest_t. Joints take y to M_j y +
 * m_j, with weights w_j(v) = share_j + slope_j . u + q_j(v). Let p_j = M_j c' + m_j, P = the sum of
 * share_j p_j, H_j = M_j F and H = the sum of share_j H_j. Then v goes to the sum of w_j(v) (p_j +
 * H_j u + M_j r(v)), which is
 *
 *     a constant + A u,   A = H + the sum of (p_j - P) slope_j',
 *   + the sum of (slope_j . u) (H_j - H) u             of which the second derivative is
 *                                                      M = 2 the sum of |slope_j| |H_j - H|, at
 * most;
 *   + the sum of q_j(v) (p_j - P)                      changes by at most   rest_j |p_j - P| each
 *   + the sum of q_j(v) (H_j - H) u                    (size_j + rest_j |u|) |H_j - H| each
 *   + (the sum of w_j - the sum of shares) H u         (S + S' |u|) |H|
 *   + (the sum of w_j) P                               S' |P|
 *   + the sum of w_j M_j r(v)                          the greatest |M_j| times
 *                                                      (1 + S) R' + R (the sum of |slope_j| +
 * rest_j)
 *
 * for each |v - w| of change in v, with |u| <= reach, S how far sums of weights are from one and
 * from those of the shares, and S' how fast they change. The sum of these is L, but for the
 * rounding of vertices: two of them may each be off by `slip`, which is 2 slip / least more.
 *
 * Slip. Let U = 2^-24, n the number of targets with a weight, X the greatest coordinate that they
 * can make, the sum of reaches, and Y the greatest that |M_j| X + |m_j| has. A vertex is blended
 * with an error of (n + 2) U X, which M_j makes (n + 2) U Y; M_j adds 5 U Y and the sum over up to
 * eight joints 10 U Y, times 1 + S. All along each of three axes. 2 (2 n + 24) U Y (1 + S) is more,
 * and by enough for what the doubles here are wrong by, 2^-29 of that. The map of the body does to
 * A and L what it does to vectors, and has a slip of its own of 5 U times the greatest coordinate
 * that comes out.
 */
#include "pose/calm.h"

#include <string.h>

enum { NOT_ASKED, CALM, NOT_CALM };

/* The root of the sum of squares: no less than what a matrix makes of a unit vector. */
static double norm(double m[3][3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += m[i][j] * m[i][j];
    return sqrt(sum);
}

static void multiply(double a[3][3], double b[3][3], double product[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

static void take_map(const PliMap *map, double rows[3][3], double offset[3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            rows[i][j] = (double)map->columns[j][i];
        offset[i] = (double)map->columns[3][i];
    }
}

/* One joint of a leaf: H_j and p_j, as columns. */
typedef struct Pull {
    PliDouble4 columns[4];
} Pull;

static inline double sum_of(PliDouble4 x)
{
    return (x[0] + x[1]) + (x[2] + x[3]);
}

static inline double norm_of(const Pull *pull)
{
    const PliDouble4 *h = pull->columns;
    return sqrt(sum_of(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]));
}

/* ---- A query -----------------------------------------------------------------------------------
 */

/* The greatest coordinates that the blended vertices can have. */
static int32_t reach_of(const PliShaped *pose, double reach[3])
{
    const PliBlends *blends = &pose->shape->blends;
    int32_t count = 0;
    for (int k = 0; k < 3; k++)
        reach[k] = blends->reaches[k];
    for (int32_t t = 0; pose->blending.has_weights && t < blends->target_count; t++) {
        double weight = fabs((double)pose->blending.weights[t]);
        count += weight != 0;
        for (int k = 0; k < 3; k++)
            reach[k] += weight * blends->reaches[4 * (t + 1) + k];
    }
    return count;
}

/* What a map makes of coordinates up to these, at most. */
static double reach_moved(const PliMap *map, const double reach[3])
{
    double rows[3][3], offset[3], most = 0;
    take_map(map, rows, offset);
    for (int i = 0; i < 3; i++) {
        double here = fabs(offset[i]);
        for (int j = 0; j < 3; j++)
            here += fabs(rows[i][j]) * reach[j];
        most = here > most ? here : most;
    }
    return most;
}

static double sum_error(const PliShaped *pose)
{
    return pose->skinning.has_joints ? (double)pose->shape->skins.skin_sums[1] + 0x1p-18 : 0;
}

void pli_calm_start(PliCalm *calm, const PliShaped *pose)
{
    const int32_t joint_count = pose->skinning.has_joints ? pose->shape->header->joint_count : 0;
    double reach[3], most;
    memset(calm->states, NOT_ASKED, (size_t)pose->shape->tree.leaf_count);
    int32_t term_count = reach_of(pose, reach);
    most = reach[0] > reach[1] ? reach[0] : reach[1];
    most = reach[2] > most ? reach[2] : most;
    for (int32_t j = 0; j < joint_count; j++) {
        const PliMap *from = &pose->skinning.maps[j];
        Pull map;
        for (int l = 0; l < 4; l++)
            for (int k = 0; k < 4; k++)
                map.columns[l][k] = k < 3 ? (double)from->columns[l][k] : 0;
        memcpy(calm->maps[j].columns, map.columns, sizeof map.columns);
        calm->maps[j].norm = norm_of(&map);
        double moved = reach_moved(&pose->skinning.maps[j], reach);
        most = moved > most ? moved : most;
    }
    calm->size = most * (1 + sum_error(pose));
    calm->slip = 2 * (2 * term_count + 24) * PLI_UNIT * calm->size + 0x1p-140;
}

/* ---- A leaf ------------------------------------------------------------------------------------
 */

/* What targets do there: c', F, R and R'. */
typedef struct Blend {
    double c[3], f[3][3], size, change;
    bool is_at_rest; /* F is 1 */
} Blend;

static void take_targets(const PliCalm *calm, const PliShaped *pose, const PliCalmLeaf *leaf,
                         Blend *blend)
{
    const PliCalmTarget *targets = (const PliCalmTarget *)calm->targets.items + leaf->target_first;
    *blend = (Blend){.f = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .is_at_rest = true};
    for (int k = 0; k < 3; k++)
        blend->c[k] = leaf->centre[k];
    for (int32_t i = 0; pose->blending.has_weights && i < leaf->target_count; i++) {
        const PliCalmTarget *target = &targets[i];
        const double weight = pose->blending.weights[target->target];
        if (weight == 0)
            continue;
        blend->is_at_rest = false;
        for (int k = 0; k < 3; k++) {
            blend->c[k] += weight * target->at[k];
            for (int l = 0; l < 3; l++)
                blend->f[k][l] += weight * target->slopes[k][l];
        }
        blend->size += fabs(weight) * target->size;
        blend->change += fabs(weight) * target->rest;
    }
}

static inline void pull(const PliCalmMap *map, const Blend *blend, Pull *pull)
{
    const PliDouble4 *m = map->columns;
    pull->columns[3] = m[3] + (m[0] * blend->c[0] + m[1] * blend->c[1] + m[2] * blend->c[2]);
    for (int l = 0; l < 3; l++)
        pull->columns[l] = blend->is_at_rest ? m[l]
                                             : m[0] * blend->f[0][l] + m[1] * blend->f[1][l] +
                                                   m[2] * blend->f[2][l];
}

static void take_joints(const PliCalm *calm, const PliShaped *pose, const PliCalmLeaf *leaf,
                        const Blend *blend, PliBend *bend)
{
    const PliCalmJoint *joints = (const PliCalmJoint *)calm->joints.items + leaf->joint_first;
    Pull pulls[PLI_MOST_CALM_JOINTS], mean = {{{0}}};
    double largest = 0, changes = 0, shares = 0, off, reach = leaf->reach;
    for (int32_t i = 0; i < leaf->joint_count; i++) {
        const PliCalmMap *map = &calm->maps[joints[i].joint];
        const double share = joints[i].share;
        pull(map, blend, &pulls[i]);
        largest = map->norm > largest ? map->norm : largest;
        changes += (double)joints[i].steepness + joints[i].rest;
        shares += share;
        for (int l = 0; l < 4; l++)
            mean.columns[l] += share * pulls[i].columns[l];
    }
    off = sum_error(pose) + fabs(1 - shares);
    bend->most = (off + leaf->sum_change * reach) * norm_of(&mean) +
                 leaf->sum_change * sqrt(sum_of(mean.columns[3] * mean.columns[3])) +
                 largest * ((1 + off) * blend->change + blend->size * changes);
    Pull a = mean;
    for (int32_t i = 0; i < leaf->joint_count; i++) {
        Pull *from = &pulls[i];
        for (int l = 0; l < 4; l++)
            from->columns[l] -= mean.columns[l];
        for (int l = 0; l < 3; l++)
            a.columns[l] += from->columns[3] * (double)joints[i].slope[l];
        const double turn = norm_of(from);
        const double way = sqrt(sum_of(from->columns[3] * from->columns[3]));
        bend->curve += 2 * joints[i].steepness * turn;
        bend->most += joints[i].rest * way + (joints[i].size + joints[i].rest * reach) * turn;
    }
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            bend->a[k][l] = a.columns[l][k];
}

/* Is |A u| > limit |u| for all u? By Sylvester's rule for A' A - limit^2, each minor with room for
 * what the doubles are wrong by. */
static bool stretches(double a[3][3], double limit)
{
    double c[3][3], trace = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            c[i][j] = a[0][i] * a[0][j] + a[1][i] * a[1][j] + a[2][i] * a[2][j];
        trace += c[i][i];
        c[i][i] -= limit * limit;
    }
    double two = c[0][0] * c[1][1] - c[0][1] * c[1][0];
    double three = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
                   c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
                   c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
    const double little = 0x1p-30;
    return trace < 0x1p100 && c[0][0] > little * trace && two > little * trace * trace &&
           three > little * trace * trace * trace;
}

void pli_calm_bend(const PliCalm *calm, const PliShaped *pose, int32_t number, PliBend *bend)
{
    const PliCalmLeaf *leaf = &calm->leaves[number];
    Blend blend;
    *bend = (PliBend){{{0}}, 0, 0};
    take_targets(calm, pose, leaf, &blend);
    if (pose->skinning.has_joints)
        take_joints(calm, pose, leaf, &blend, bend);
    else {
        memcpy(bend->a, blend.f, sizeof blend.f);
        bend->most = blend.change;
    }
    bend->most += 2 * calm->slip / leaf->least;
    if (!pose->base.is_moved)
        return;
    double rows[3][3], offset[3], product[3][3];
    const double reach[3] = {calm->size, calm->size, calm->size};
    take_map(&pose->base.map, rows, offset);
    multiply(rows, bend->a, product);
    memcpy(bend->a, product, sizeof product);
    const double stretch = norm(rows), slip = 10 * PLI_UNIT * reach_moved(&pose->base.map, reach);
    bend->curve *= stretch;
    bend->most = stretch * bend->most + 2 * (slip + 0x1p-140) / leaf->least;
}

bool pli_calm_allows(const PliCalmLeaf *leaf, PliBend *bend)
{
    double limit =
        bend->most / leaf->firmness + bend->curve * ((double)leaf->bulge + leaf->mid_reach);
    return leaf->firmness > 0 && stretches(bend->a, limit * (1 + 0x1p-18));
}

static bool is_calm(const PliCalm *calm, const PliShaped *pose, int32_t number)
{
    const PliCalmLeaf *leaf = &calm->leaves[number];
    PliBend bend;
    if (!(leaf->firmness > 0))
        return false;
    pli_calm_bend(calm, pose, number, &bend);
    return pli_calm_allows(leaf, &bend);
}

static const PliCalmNear *find_near(const PliCalm *calm, int32_t a, int32_t b)
{
    const PliCalmLeaf *leaf = &calm->leaves[a];
    const PliCalmNear *nears = (const PliCalmNear *)calm->nears.items + leaf->near_first;
    for (int32_t i = 0; i < leaf->near_count; i++)
        if (nears[i].leaf == b)
            return &nears[i];
    return NULL;
}

static bool keeps_apart(PliCalm *calm, const PliShaped *pose, int32_t a, int32_t b,
                        PliSuspects *suspects)
{
    uint8_t *state = &calm->states[a];
    const PliCalmNear *near = *state == NOT_CALM ? NULL : find_near(calm, a, b);
    if (!near)
        return false;
    if (*state == NOT_ASKED)
        *state = is_calm(calm, pose, a) ? CALM : NOT_CALM;
    suspects->places = (const uint8_t *)calm->suspects.items + 2 * (size_t)near->first;
    suspects->count = near->count;
    return *state == CALM;
}

bool pli_calm_holds(PliCalm *calm, const PliShaped *pose, int32_t a, int32_t b,
                    PliSuspects *suspects)
{
    suspects->is_swapped = false;
    if (keeps_apart(calm, pose, a, b, suspects))
        return true;
    suspects->is_swapped = true;
    return a != b && keeps_apart(calm, pose, b, a, suspects);
}
