/* A new frame of a body that morphs or is at rest: what weights and transform mean for its bounds.
 * See margins.h.
 *
 * The method is that of Larsson and Akenine-Moller, "Efficient collision detection for models
 * deformed by morphing", 2003, with any weights: where one is negative, the ends of an interval
 * change places.
 *
 * Boxes. A vertex is base + w0 * d0 + w1 * d1 + ..., in float32. The end of a box is the same sum
 * of ends. Every operation is monotone as it rounds, and so the box holds the vertex as it is, to
 * the bit, without a margin.
 *
 * Other bounds. The slabs of k-DOPs along diagonals, balls, and boxes between two references are
 * not the vertex's own expression, and get a margin. With u = 2^-24, m terms, and R the sum over
 * the axes of reach(base) + |w0| reach(d0) + ..., where a reach is the greatest absolute coordinate
 * of a vertex that a triangle has:
 *   - a vertex differs from its sum in real numbers by at most g R along all axes together, where
 *     g = (m + 1) u / (1 - (m + 1) u), which is at most 1.004 (m + 1) u for the most targets; and
 * by m 2^-150 for each axis where a product underflows;
 *   - so does the sum of slab ends or centres, which are at most R themselves, and that of radii,
 *     which are at most R as well, their centres being the middles of boxes: 3 g R at most;
 *   - slab ends are sums of up to three coordinates, rounded twice: 2 u R; what is between two
 *     references was rounded once, and the two weights once each: 3 u R. Where such a value is
 *     denormal it is off by 2^-150 instead, which its weight may multiply: R has 2^-126 more for
 *     each between two references; a radius is rounded up when it is made.
 * Together less than (4 (m + 1) + 16) u R + (8 m + 16) 2^-149, the margin at rest.
 * Moved by a map of which A is the sum of all |coefficients| and T that of all |offsets|,
 * Z = A R + T is more than any coordinate in the world:
 *   - the map rounds a vertex by at most 4 u Z along all axes together;
 *   - a slab of the world is a sum of three slabs of the body, whose factors sum to at most A, and
 *     an offset: each factor is rounded once, by u of it or by 2^-150, and the sum four times, less
 *     than 8 u Z + 3 R 2^-150; the margin is taken from the offset, u Z;
 *   - a centre is rounded by 4 u Z, its radius times the stretch by 2 u Z, and the box around it by
 *     3 u Z.
 * Together less than 32 u Z + 4 R 2^-149, with the margin at rest times A, which is no less than
 * any stretch; underflow of products, at most a dozen times 2^-150, is covered by 64 (1 + A)
 * 2^-149.
 *
 * All of this holds while nothing overflows: no slab end that is stored, and no sum. Where one of
 * the reaches or Z is not below 10^36, k-DOPs are left with their boxes, which are the vertex's own
 * expression; balls have no bounds at all then, and are slow. Where a margin is not far below the
 * size of a body, as it is far from the origin, k-DOPs have the tighter of both boxes.
 *
 * Pieces of triangles. The bounds at rest of a shape whose triangles are divided are those of its
 * pieces' corners, which are averages of vertices, and no vertex's own expression: boxes have a
 * margin too, the one of the world. There are no terms, and m is 0.
 *   - the corner of a piece, in double and then rounded, is off by at most 1.01 u of each
 *     coordinate, u R along all axes together, and 2^-150 for each; its sum along a diagonal or its
 *     distance from a centre by what other bounds are: less than 4 u R + 2^-147 in all, where the
 *     margin at rest has more than 50 u R + 16 2^-149;
 *   - what has to be held is the same average of vertices that were moved and rounded. Each of them
 *     is at most 4 u Z along all axes together from where it is in real numbers, and so is their
 *     average; slabs and balls are as far off as above; a box is moved by the vertex's expression,
 *     which rounds by 4 u Z, and widened, which rounds by 2 u Z: less than the 32 u Z there are.
 * Where nothing is bounded, the pieces are anywhere.
 *
 * R and m are rounded up to powers of two, m at least to 8. So margins change seldom, and where one
 * is what it was in the last frame, and so are the weights of a node's terms and the map, so are
 * its bounds.
 */
#include "mesh_pose/margins.h"
#include "geom/geom.h"
#include "mesh_pose/mesh_pose.h"

#include <float.h>
#include <string.h>

#define UNIT PLI_UNIT
#define TINY PLI_TINY
#define MOST PLI_MOST

/* ---- Weights ----------------------------------------------------------------------------------
 */

/* The weights of all terms, for bounds: which are not zero, and which are others than before. */
static void set_bound_weights(PliBlending *blending, const float *weights, int32_t count)
{
    for (int32_t first = 0; first < count; first += 64) {
        uint64_t active = 0, changed = 0;
        for (int32_t t = first; t < count && t < first + 64; t++) {
            active |= (uint64_t)(weights[t] != 0) << (t - first);
            changed |= (uint64_t)(weights[t] != blending->bound_weights[t]) << (t - first);
            blending->bound_weights[t] = weights[t];
        }
        blending->bound_active[first / 64] = active;
        blending->changed[first / 64] = changed;
    }
}

/* Two neighbouring references, and no others, may be blended by what is between them: which two
 * bounds, and how. */
typedef struct Between {
    int32_t terms[2];
    float weights[2];
} Between;

/* The first of two neighbours that alone have weights, which are positive; or -1. */
static int32_t first_of_two(const PliBlends *blends, const float *weights)
{
    int32_t first = -1, count = 0;
    for (int32_t t = 0; t < blends->target_count; t++) {
        if (weights[t] == 0)
            continue;
        first = count == 0 ? t : first;
        count += t - first == count && weights[t] > 0 ? 1 : 3;
    }
    return count == 2 ? first : -1;
}

static bool find_between(const PliBlends *blends, const float *weights, Between *between)
{
    const int32_t count = blends->between_count;
    int32_t first = count > 0 ? first_of_two(blends, weights) : -1;
    if (first < 0)
        return false;
    double sum = (double)weights[first] + weights[first + 1];
    if (sum < 0x1p-100) /* its parts could be denormal, and off by more than u */
        return false;
    double place = weights[first + 1] / sum * (count + 1);
    int32_t part = place < count ? (int32_t)place : count;
    int32_t before = blends->target_count + first * count + part - 1;
    between->terms[0] = part == 0 ? first : before;
    between->terms[1] = part == count ? first + 1 : before + 1;
    between->weights[0] = (float)(sum * (1 - (place - part)));
    between->weights[1] = (float)(sum * (place - part));
    return true;
}

/* Of the targets as they are, of what is between two of them, or of none at rest. */
static void set_weights(PliBlending *blending, const PliBlends *blends, const Between *between,
                        PliWorker *worker)
{
    float *weights = worker->term_weights.items;
    if (blends->term_count == 0)
        return;
    memset(weights, 0, (size_t)blends->term_count * sizeof *weights);
    if (between) {
        weights[between->terms[0]] = between->weights[0];
        weights[between->terms[1]] = between->weights[1];
    } else if (blending->has_weights)
        memcpy(weights, blending->weights, (size_t)blends->target_count * sizeof *weights);
    set_bound_weights(blending, weights, blends->term_count);
}

/* ---- A new frame: margins ----------------------------------------------------------------------
 */

/* Adds a weighted reach, by axes. Where sums along diagonals could overflow, there is no weight so
 * small that it would make up for it. */
static void add_reach(const PliBlends *blends, int32_t target, double weight, double reach[3])
{
    const float *by_axes = blends->reaches + 4 * ((size_t)target + 1);
    const bool is_far = !((double)by_axes[0] + by_axes[1] + by_axes[2] < MOST);
    for (int k = 0; k < 3; k++)
        reach[k] += is_far ? INFINITY : weight * by_axes[k];
}

/* R by axes, and how many terms there are. What is between two references reaches no farther than
 * both together; FLT_MIN stands for its rounding where it is denormal. */
static void reach_of_all(const PliShaped *pose, const Between *between, double reach[3],
                         int32_t *term_count)
{
    const PliBlends *blends = &pose->shape->blends;
    const float *weights = pose->blending.weights;
    reach[0] = reach[1] = reach[2] = 0;
    *term_count = 0;
    if (pli_morph_has_base(pose))
        add_reach(blends, -1, 1, reach);
    for (int32_t t = 0; t < blends->target_count && pose->blending.has_weights; t++) {
        if (weights[t] == 0)
            continue;
        add_reach(blends, t, fabs((double)weights[t]), reach);
        ++*term_count;
    }
    if (between) {
        const double both = (double)between->weights[0] + between->weights[1];
        const int32_t first = first_of_two(blends, weights);
        add_reach(blends, first, both, reach);
        add_reach(blends, first + 1, both, reach);
        reach[0] += both * FLT_MIN;
    }
}

float pli_rounded_up(double x)
{
    return (float)(x * (1 + 0x1p-22) + TINY);
}

double pli_power_above(double x)
{
    int exponent = 0;
    (void)frexp(x, &exponent);
    return ldexp(1, exponent);
}

/* For numbers of terms that are rounded up to powers of two, eight at least. */
double pli_margin_at_rest(double reach, int32_t term_count)
{
    const double terms = pli_power_above(term_count > 7 ? term_count : 7);
    return (4 * (terms + 1) + 16) * UNIT * reach + (8 * terms + 16) * TINY;
}

/* The square of the greatest stretch is no more than any row of |M^T M| or |M M^T| sums to
 * (Gershgorin), which is exact for turning and scaling. */
double pli_stretch_of(double rows[3][3])
{
    double by_columns = 0, by_rows = 0;
    for (int i = 0; i < 3; i++) {
        double column = 0, row = 0;
        for (int j = 0; j < 3; j++) {
            double c = 0, r = 0;
            for (int k = 0; k < 3; k++) {
                c += rows[k][i] * rows[k][j];
                r += rows[i][k] * rows[j][k];
            }
            column += fabs(c);
            row += fabs(r);
        }
        by_columns = column > by_columns ? column : by_columns;
        by_rows = row > by_rows ? row : by_rows;
    }
    return sqrt(by_columns < by_rows ? by_columns : by_rows);
}

static double stretch_of_map(const PliMap *map)
{
    double rows[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rows[i][j] = map->columns[j][i];
    return pli_stretch_of(rows);
}

/* Sets the margins, if they can be relied on. */
static void set_margins(PliShaped *pose, double reach, int32_t term_count, bool is_between)
{
    PliBlending *blending = &pose->blending;
    double size = 0, offset = 0;
    blending->margin = blending->box_margin = 0;
    blending->has_exact_boxes = true;
    blending->is_bounded = reach < MOST;
    if (!blending->is_bounded)
        return;
    reach = pli_power_above(reach);
    double margin = pli_margin_at_rest(reach, term_count);
    blending->box_margin = is_between ? pli_rounded_up(margin) : 0;
    if (pose->shape->blends.bound_kind == PLIANT_BOUND_BOX && !pose->shape->pieces)
        return;
    for (int k = 0; k < 3; k++) {
        offset += fabs((double)pose->base.map.columns[3][k]);
        for (int j = 0; j < 3; j++)
            size += fabs((double)pose->base.map.columns[j][k]);
    }
    blending->is_bounded = size < MOST && size * reach + offset < MOST;
    if (!blending->is_bounded)
        return;
    margin =
        32 * UNIT * (size * reach + offset) + size * margin + (4 * reach + 64 * (1 + size)) * TINY;
    blending->margin = pli_rounded_up(margin);
    /* A sixteenth of a thousandth: far less than the parts of any tree that is worth it. */
    blending->has_exact_boxes = margin > 0x1p-14 * size * reach && !pose->shape->pieces;
}

/* ---- A new frame: slabs of the world -----------------------------------------------------------
 */

static void set_slab_sums(PliShaped *pose)
{
    const PliantBoundKind kind = pose->shape->blends.bound_kind;
    for (int32_t s = 0; s < pli_slab_count(kind); s++) {
        const float *n = pli_slabs_of(kind)[s];
        double direction[3] = {0}, offset = 0;
        for (int k = 0; k < 3; k++) {
            offset += (double)n[k] * pose->base.map.columns[3][k];
            for (int j = 0; j < 3; j++)
                direction[j] += (double)n[k] * pose->base.map.columns[j][k];
        }
        PliSlabSum *sum = &pose->blending.sums[s];
        sum->low_offset = (float)offset - pose->blending.margin;
        sum->high_offset = (float)offset + pose->blending.margin;
        pli_split_direction(kind, direction, sum);
    }
}

/* Are the bounds of the last frame made as those of this one are, but for weights? */
static bool is_same_basis(const PliBoundBasis *now, const PliBoundBasis *last)
{
    return last->is_made && now->has_base == last->has_base &&
           now->is_bounded == last->is_bounded && now->has_exact_boxes == last->has_exact_boxes &&
           now->has_joints == last->has_joints && now->margin == last->margin &&
           now->box_margin == last->box_margin &&
           memcmp(&now->skin, &last->skin, sizeof now->skin) == 0;
}

static void find_kept(PliShaped *pose)
{
    PliBlending *blending = &pose->blending;
    const PliBoundBasis now = {.is_made = true,
                               .has_base = pli_morph_has_base(pose),
                               .is_bounded = blending->is_bounded,
                               .has_exact_boxes = blending->has_exact_boxes,
                               .has_joints = pose->skinning.has_joints,
                               .margin = blending->margin,
                               .box_margin = blending->box_margin,
                               .skin = pose->skinning.margins};
    blending->is_kept = !pose->base.is_map_new && is_same_basis(&now, &blending->basis);
    blending->basis = now;
    pose->base.is_map_new = false;
}

/* What the map means for bounds, and which there are beside boxes. */
static PliMoreKind update_map(PliShaped *pose, double reach, int32_t term_count, bool is_between)
{
    PliBlending *blending = &pose->blending;
    const PliMoreKind kind = pli_morph_extra_kind(pose->shape->blends.bound_kind);
    set_margins(pose, reach, term_count, is_between);
    if (kind == PLI_MORE_SLABS && blending->is_bounded)
        set_slab_sums(pose);
    if (kind == PLI_MORE_BALLS)
        blending->stretch = pli_rounded_up(stretch_of_map(&pose->base.map));
    return kind;
}

/* The same of joints and the map together: there are boxes and balls. */
static PliMoreKind update_joints(PliShaped *pose, const double reach[3], int32_t term_count)
{
    PliBlending *blending = &pose->blending;
    blending->is_bounded = pli_skinning_update(pose, reach, term_count);
    blending->margin = blending->box_margin = 0;
    blending->has_exact_boxes = false;
    return pose->shape->blends.bound_kind == PLIANT_BOUND_SPHERE ? PLI_MORE_BALLS : PLI_MORE_NONE;
}

void pli_blending_update(PliShaped *pose, PliWorker *worker)
{
    const PliBlends *blends = &pose->shape->blends;
    PliBlending *blending = &pose->blending;
    Between between = {{0}, {0}};
    int32_t term_count;
    bool is_between = blending->has_weights && find_between(blends, blending->weights, &between);
    double reach[3];
    reach_of_all(pose, is_between ? &between : NULL, reach, &term_count);
    const double reach_of_axes = reach[0] + reach[1] + reach[2];
    is_between &= reach_of_axes < MOST;
    set_weights(blending, blends, is_between ? &between : NULL, worker);
    const PliMoreKind kind = pose->skinning.has_joints
                                 ? update_joints(pose, reach, term_count)
                                 : update_map(pose, reach_of_axes, term_count, is_between);
    pose->base.bounds.more_kind = blending->is_bounded ? kind : PLI_MORE_NONE;
    pose->base.bounds.more_size = blending->is_bounded && kind != PLI_MORE_NONE
                                      ? pli_morph_extra_size(blends->bound_kind)
                                      : 0;
    find_kept(pose);
}
