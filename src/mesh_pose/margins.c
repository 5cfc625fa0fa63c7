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
 *   - so does the sum of slab ends or centers, which are at most R themselves, and that of radii,
 *     which are at most R as well, their centers being the middles of boxes: 3 g R at most;
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
 *   - a center is rounded by 4 u Z, its radius times the stretch by 2 u Z, and the box around it by
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
 *     distance from a center by what other bounds are: less than 4 u R + 2^-147 in all, where the
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
#define MAX_VALUE PLI_MAX_MAGNITUDE

/* ---- Weights --------------------------------------------------------------------------------- */

/* The weights of all terms, for bounds: which are not zero, and which are others than before. */
static void set_bound_weights(PliMorphState *morph, const float *weights, int32_t count)
{
    for (int32_t first = 0; first < count; first += 64) {
        uint64_t active = 0, changed = 0;
        for (int32_t t = first; t < count && t < first + 64; t++) {
            active |= (uint64_t)(weights[t] != 0) << (t - first);
            changed |= (uint64_t)(weights[t] != morph->bound_weights[t]) << (t - first);
            morph->bound_weights[t] = weights[t];
        }
        morph->bound_active[first / 64] = active;
        morph->changed[first / 64] = changed;
    }
}

/* Two neighboring references, and no others, may be blended by what is between them: which two
 * bounds, and how. */
typedef struct Between {
    int32_t terms[2];
    float weights[2];
} Between;

/* The first of two neighbors that alone have weights, which are positive; or -1. */
static int32_t first_of_two(const PliMorphTables *morph_tables, const float *weights)
{
    int32_t first = -1, count = 0;
    for (int32_t t = 0; t < morph_tables->target_count; t++) {
        if (weights[t] == 0)
            continue;
        first = count == 0 ? t : first;
        count += t - first == count && weights[t] > 0 ? 1 : 3;
    }
    return count == 2 ? first : -1;
}

static bool find_between(const PliMorphTables *morph_tables, const float *weights, Between *between)
{
    const int32_t count = morph_tables->between_count;
    int32_t first = count > 0 ? first_of_two(morph_tables, weights) : -1;
    if (first < 0)
        return false;
    double sum = (double)weights[first] + weights[first + 1];
    if (sum < 0x1p-100) /* its parts could be denormal, and off by more than u */
        return false;
    double index = weights[first + 1] / sum * (count + 1);
    int32_t part = index < count ? (int32_t)index : count;
    int32_t before = morph_tables->target_count + first * count + part - 1;
    between->terms[0] = part == 0 ? first : before;
    between->terms[1] = part == count ? first + 1 : before + 1;
    between->weights[0] = (float)(sum * (1 - (index - part)));
    between->weights[1] = (float)(sum * (index - part));
    return true;
}

/* Of the targets as they are, of what is between two of them, or of none at rest. */
static void set_weights(PliMorphState *morph, const PliMorphTables *morph_tables,
                        const Between *between, PliWorker *worker)
{
    float *weights = worker->term_weights.items;
    if (morph_tables->term_count == 0)
        return;
    memset(weights, 0, (size_t)morph_tables->term_count * sizeof *weights);
    if (between) {
        weights[between->terms[0]] = between->weights[0];
        weights[between->terms[1]] = between->weights[1];
    } else if (morph->has_weights)
        memcpy(weights, morph->weights, (size_t)morph_tables->target_count * sizeof *weights);
    set_bound_weights(morph, weights, morph_tables->term_count);
}

/* ---- A new frame: margins -------------------------------------------------------------------- */

/* Adds a weighted reach, by axes. Where sums along diagonals could overflow, there is no weight so
 * small that it would make up for it. */
static void add_reach(const PliMorphTables *morph_tables, int32_t target, double weight,
                      double reach[3])
{
    const float *by_axes = morph_tables->reaches + 4 * ((size_t)target + 1);
    const bool is_far = !((double)by_axes[0] + by_axes[1] + by_axes[2] < MAX_VALUE);
    for (int k = 0; k < 3; k++)
        reach[k] += is_far ? INFINITY : weight * by_axes[k];
}

/* R by axes, and how many terms there are. What is between two references reaches no farther than
 * both together; FLT_MIN stands for its rounding where it is denormal. */
static void reach_of_all(const PliMeshPose *pose, const Between *between, double reach[3],
                         int32_t *term_count)
{
    const PliMorphTables *morph_tables = &pose->shape->morph_tables;
    const float *weights = pose->morph.weights;
    reach[0] = reach[1] = reach[2] = 0;
    *term_count = 0;
    if (pli_morph_has_base(pose))
        add_reach(morph_tables, -1, 1, reach);
    for (int32_t t = 0; t < morph_tables->target_count && pose->morph.has_weights; t++) {
        if (weights[t] == 0)
            continue;
        add_reach(morph_tables, t, fabs((double)weights[t]), reach);
        ++*term_count;
    }
    if (between) {
        const double both = (double)between->weights[0] + between->weights[1];
        const int32_t first = first_of_two(morph_tables, weights);
        add_reach(morph_tables, first, both, reach);
        add_reach(morph_tables, first + 1, both, reach);
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

static double stretch_of_transform(const PliTransform *transform)
{
    double rows[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rows[i][j] = transform->columns[j][i];
    return pli_stretch_of(rows);
}

/* Sets the margins, if they can be relied on. */
static void set_margins(PliMeshPose *pose, double reach, int32_t term_count, bool is_between)
{
    PliMorphState *morph = &pose->morph;
    double size = 0, offset = 0;
    morph->margin = morph->box_margin = 0;
    morph->has_exact_boxes = true;
    morph->is_bounded = reach < MAX_VALUE;
    if (!morph->is_bounded)
        return;
    reach = pli_power_above(reach);
    double margin = pli_margin_at_rest(reach, term_count);
    morph->box_margin = is_between ? pli_rounded_up(margin) : 0;
    if (pose->shape->morph_tables.bound_kind == PLIANT_BOUND_BOX && !pose->shape->pieces)
        return;
    for (int k = 0; k < 3; k++) {
        offset += fabs((double)pose->base.transform.columns[3][k]);
        for (int j = 0; j < 3; j++)
            size += fabs((double)pose->base.transform.columns[j][k]);
    }
    morph->is_bounded = size < MAX_VALUE && size * reach + offset < MAX_VALUE;
    if (!morph->is_bounded)
        return;
    margin =
        32 * UNIT * (size * reach + offset) + size * margin + (4 * reach + 64 * (1 + size)) * TINY;
    morph->margin = pli_rounded_up(margin);
    /* A sixteenth of a thousandth: far less than the parts of any tree that is worth it. */
    morph->has_exact_boxes = margin > 0x1p-14 * size * reach && !pose->shape->pieces;
}

/* ---- A new frame: slabs of the world --------------------------------------------------------- */

static void set_slab_sums(PliMeshPose *pose)
{
    const PliantBoundKind kind = pose->shape->morph_tables.bound_kind;
    for (int32_t s = 0; s < pli_slab_count(kind); s++) {
        const float *n = pli_slabs_of(kind)[s];
        double direction[3] = {0}, offset = 0;
        for (int k = 0; k < 3; k++) {
            offset += (double)n[k] * pose->base.transform.columns[3][k];
            for (int j = 0; j < 3; j++)
                direction[j] += (double)n[k] * pose->base.transform.columns[j][k];
        }
        PliSlabSum *sum = &pose->morph.sums[s];
        sum->low_offset = (float)offset - pose->morph.margin;
        sum->high_offset = (float)offset + pose->morph.margin;
        pli_split_direction(pli_slab_count(kind), direction, sum);
    }
}

static bool are_same(const double *x, const double *y, int count)
{
    bool is_same = true;
    for (int i = 0; i < count; i++)
        is_same &= x[i] == y[i];
    return is_same;
}

static bool is_same_margins(const PliMargins *x, const PliMargins *y)
{
    return x->base == y->base && x->by_count == y->by_count && x->by_row == y->by_row &&
           are_same(x->by_size, y->by_size, 3) && are_same(x->reach, y->reach, 3);
}

/* Are the bounds of the last frame made as those of this one are, but for weights? */
static bool is_same_basis(const PliBoundBasis *now, const PliBoundBasis *last)
{
    return last->is_made && now->has_base == last->has_base &&
           now->is_bounded == last->is_bounded && now->has_exact_boxes == last->has_exact_boxes &&
           now->has_joints == last->has_joints && now->margin == last->margin &&
           now->box_margin == last->box_margin && is_same_margins(&now->skin, &last->skin);
}

static void find_kept(PliMeshPose *pose)
{
    PliMorphState *morph = &pose->morph;
    const PliBoundBasis now = {.is_made = true,
                               .has_base = pli_morph_has_base(pose),
                               .is_bounded = morph->is_bounded,
                               .has_exact_boxes = morph->has_exact_boxes,
                               .has_joints = pose->skin.has_joints,
                               .margin = morph->margin,
                               .box_margin = morph->box_margin,
                               .skin = pose->skin.margins};
    morph->is_kept = !pose->base.is_transform_new && is_same_basis(&now, &morph->basis);
    morph->basis = now;
    pose->base.is_transform_new = false;
}

/* What the map means for bounds, and which there are beside boxes. */
static PliExtraKind update_transform(PliMeshPose *pose, double reach, int32_t term_count,
                                     bool is_between)
{
    PliMorphState *morph = &pose->morph;
    const PliExtraKind kind = pli_morph_extra_kind(pose->shape->morph_tables.bound_kind);
    set_margins(pose, reach, term_count, is_between);
    if (kind == PLI_EXTRA_SLABS && morph->is_bounded)
        set_slab_sums(pose);
    if (kind == PLI_EXTRA_BALLS)
        morph->stretch = pli_rounded_up(stretch_of_transform(&pose->base.transform));
    return kind;
}

/* The same of joints and the map together: there are boxes and balls. */
static PliExtraKind update_joints(PliMeshPose *pose, const double reach[3], int32_t term_count,
                                  const PliKernels *kernels)
{
    PliMorphState *morph = &pose->morph;
    morph->is_bounded = pli_skin_update(pose, reach, term_count, kernels);
    morph->margin = morph->box_margin = 0;
    morph->has_exact_boxes = false;
    return pose->shape->morph_tables.bound_kind == PLIANT_BOUND_SPHERE ? PLI_EXTRA_BALLS
                                                                       : PLI_EXTRA_NONE;
}

void pli_morph_update(PliMeshPose *pose, PliWorker *worker)
{
    const PliMorphTables *morph_tables = &pose->shape->morph_tables;
    PliMorphState *morph = &pose->morph;
    Between between = {{0}, {0}};
    int32_t term_count;
    bool is_between = morph->has_weights && find_between(morph_tables, morph->weights, &between);
    double reach[3];
    reach_of_all(pose, is_between ? &between : NULL, reach, &term_count);
    const double reach_of_axes = reach[0] + reach[1] + reach[2];
    is_between &= reach_of_axes < MAX_VALUE;
    set_weights(morph, morph_tables, is_between ? &between : NULL, worker);
    const PliExtraKind kind = pose->skin.has_joints
                                  ? update_joints(pose, reach, term_count, worker->kernels)
                                  : update_transform(pose, reach_of_axes, term_count, is_between);
    pose->base.bounds.extra_kind = morph->is_bounded ? kind : PLI_EXTRA_NONE;
    pose->base.bounds.extra_size = morph->is_bounded && kind != PLI_EXTRA_NONE
                                       ? pli_morph_extra_size(morph_tables->bound_kind)
                                       : 0;
    find_kept(pose);
}
