/* Bodies that are blended: bounds and vertices as sums of what their shape has. See pose.h.
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
#include "geom/geom.h"
#include "pose/pose.h"

#include <float.h>
#include <string.h>

#define UNIT PLI_UNIT
#define TINY PLI_TINY
#define MOST PLI_MOST

/* ---- Memory ------------------------------------------------------------------------------------
 */

/* What there is beside the boxes. */
static PliMoreKind more_kind(PliantBoundKind kind)
{
    return kind == PLIANT_BOUND_BOX      ? PLI_MORE_NONE
           : kind == PLIANT_BOUND_SPHERE ? PLI_MORE_BALLS
                                         : PLI_MORE_SLABS;
}

static int32_t more_size(PliantBoundKind kind)
{
    return kind == PLIANT_BOUND_SPHERE ? 4 * PLI_GROUP : 2 * (pli_slab_count(kind) - 3) * PLI_GROUP;
}

PliantResult pli_blending_init(PliShaped *pose, const PliantHost *host)
{
    const PliBlends *blends = &pose->shape->blends;
    PliBlending *blending = &pose->blending;
    PliBounds *bounds = &pose->base.bounds;
    size_t words = (size_t)blends->word_count, terms = (size_t)blends->term_count;
    bounds->more_size = more_size(blends->bound_kind);
    bounds->more.item_size = (size_t)bounds->more_size * sizeof(float);
    /* Less than the shape itself takes: it cannot overflow. */
    size_t size = terms * (sizeof(float *) + 3 * sizeof(float)) + 3 * words * sizeof(uint64_t);
    void *memory = NULL;
    PliantResult result = pli_allocate(host, size, 1, &memory);
    if (result != PLIANT_OK || size == 0)
        return result;
    memset(memory, 0, size); /* touched, so that no frame has to wait for it */
    blending->memory = memory;
    blending->memory_size = size;
    blending->active = memory;
    blending->bound_active = blending->active + words;
    blending->changed = blending->bound_active + words;
    blending->terms = (const float **)(blending->changed + words);
    blending->weights = (float *)(blending->terms + terms);
    blending->bound_weights = blending->weights + terms;
    blending->term_weights = blending->bound_weights + terms;
    return PLIANT_OK;
}

void pli_blending_free(PliShaped *pose, const PliantHost *host)
{
    pli_release(host, pose->blending.memory, pose->blending.memory_size, 1);
}

/* ---- A new frame: weights ----------------------------------------------------------------------
 */

void pli_blending_set(PliShaped *pose, const float *weights)
{
    PliBlending *blending = &pose->blending;
    const int32_t count = pose->shape->blends.target_count;
    blending->has_weights = true;
    memcpy(blending->weights, weights, (size_t)count * sizeof *weights);
    for (int32_t first = 0; first < count; first += 64) {
        uint64_t active = 0;
        for (int32_t t = first; t < count && t < first + 64; t++)
            active |= (uint64_t)(weights[t] != 0) << (t - first);
        blending->active[first / 64] = active;
    }
}

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
static void set_weights(PliBlending *blending, const PliBlends *blends, const Between *between)
{
    float *weights = blending->term_weights; /* which nobody needs just now */
    memset(weights, 0, (size_t)blends->term_count * sizeof *weights);
    if (between) {
        weights[between->terms[0]] = between->weights[0];
        weights[between->terms[1]] = between->weights[1];
    } else if (blending->has_weights)
        memcpy(weights, blending->weights, (size_t)blends->target_count * sizeof *weights);
    if (blends->term_count > 0)
        set_bound_weights(blending, weights, blends->term_count);
}

/* ---- A new frame: margins ----------------------------------------------------------------------
 */

static bool has_base(const PliShaped *pose)
{
    return pose->shape->blends.morph_kind == PLIANT_MORPH_DISPLACEMENTS ||
           !pose->blending.has_weights;
}

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
    if (has_base(pose))
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

static bool are_same(const double *x, const double *y, int count)
{
    bool is_same = true;
    for (int i = 0; i < count; i++)
        is_same &= x[i] == y[i];
    return is_same;
}

/* Are bounds of the last frame made as those of this one are, but for weights? */
static void find_kept(PliShaped *pose)
{
    PliBlending *blending = &pose->blending;
    PliSkinning *skinning = &pose->skinning;
    const PliMargins *now = &skinning->margins, *last = &skinning->last_margins;
    const double margins[2] = {blending->margin, blending->box_margin};
    const int state = 1 + 2 * has_base(pose) + 4 * blending->is_bounded +
                      8 * blending->has_exact_boxes + 16 * skinning->has_joints;
    blending->is_kept = state == blending->last_state && !pose->base.is_map_new &&
                        are_same(margins, blending->last_margins, 2) && now->base == last->base &&
                        now->by_count == last->by_count && now->by_row == last->by_row &&
                        are_same(now->by_size, last->by_size, 3) &&
                        are_same(now->reach, last->reach, 3);
    blending->last_state = state;
    memcpy(blending->last_margins, margins, sizeof margins);
    skinning->last_margins = skinning->margins;
    pose->base.is_map_new = false;
}

/* What the map means for bounds, and which there are beside boxes. */
static PliMoreKind update_map(PliShaped *pose, double reach, int32_t term_count, bool is_between)
{
    PliBlending *blending = &pose->blending;
    const PliMoreKind kind = more_kind(pose->shape->blends.bound_kind);
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

void pli_blending_update(PliShaped *pose)
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
    set_weights(blending, blends, is_between ? &between : NULL);
    const PliMoreKind kind = pose->skinning.has_joints
                                 ? update_joints(pose, reach, term_count)
                                 : update_map(pose, reach_of_axes, term_count, is_between);
    pose->base.bounds.more_kind = blending->is_bounded ? kind : PLI_MORE_NONE;
    pose->base.bounds.more_size =
        blending->is_bounded && kind != PLI_MORE_NONE ? more_size(blends->bound_kind) : 0;
    find_kept(pose);
}

/* ---- Bounds, where a node is reached -----------------------------------------------------------
 */

/* Lists the active terms that a part has, which follow each other from `first` on. Returns how many
 * there are. */
static int32_t gather(const PliShaped *pose, const uint64_t *mask, const uint64_t *active,
                      const float *weights, const float *first, size_t size)
{
    const PliBlending *blending = &pose->blending;
    int32_t count = 0, before = 0;
    const int32_t word_count = pose->shape->blends.word_count;
    for (int32_t w = 0; w < word_count; w++) {
        const uint64_t all = mask[w];
        const bool is_dense = (all & (all + 1)) == 0; /* nothing is left out */
        for (uint64_t both = all & active[w]; both; both &= both - 1) {
            int bit = __builtin_ctzll(both);
            int32_t rank = is_dense ? bit : __builtin_popcountll(all & (((uint64_t)1 << bit) - 1));
            blending->terms[count] = first + size * (size_t)(before + rank);
            blending->term_weights[count++] = weights[64 * w + bit];
        }
        if (w + 1 < word_count)
            before += __builtin_popcountll(all);
    }
    return count;
}

/* Sums of low ends and of high ends: a negative weight makes one of the other. */
static void blend_slabs(const PliShaped *pose, const float *base, int32_t term_count,
                        int32_t slab_count, const PliKernels *kernels, float *ends)
{
    const PliBlending *blending = &pose->blending;
    const int32_t half = PLI_GROUP * slab_count;
    for (int side = 0; side < 2; side++) {
        for (int32_t t = 0; t < term_count; t++) {
            bool is_negative = blending->term_weights[t] < 0;
            if (side == 0)
                blending->terms[t] += is_negative ? half : 0;
            else
                blending->terms[t] += is_negative ? -half : half;
        }
        kernels->blend(base ? base + side * half : NULL, blending->terms, blending->term_weights,
                       term_count, half, ends + side * half);
    }
}

/* Children that are not there have no bounds, and so meet nothing. Of a sum without any term, it
 * has to be said. */
static void drop_absent(int32_t child_count, PliBoxes *boxes)
{
    for (int k = 0; k < 3; k++)
        for (int32_t i = child_count; i < 8; i++)
            boxes->low[k][i] = boxes->high[k][i] = NAN;
}

/* The tighter of two boxes each; where one is NaN, the other. */
static void tighten(const PliBoxes *by, PliBoxes *boxes)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++) {
            float low = boxes->low[k][i], high = boxes->high[k][i];
            boxes->low[k][i] = low > by->low[k][i] ? low : by->low[k][i];
            boxes->high[k][i] = high < by->high[k][i] ? high : by->high[k][i];
        }
    }
}

/* Nothing is known of where the children are. */
static void open_everywhere(PliBoxes *boxes)
{
    for (int k = 0; k < 3; k++) {
        for (int32_t i = 0; i < 8; i++) {
            boxes->low[k][i] = -INFINITY;
            boxes->high[k][i] = INFINITY;
        }
    }
}

/* By the margin of pieces. */
static void widen(PliBoxes *boxes, float margin)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++) {
            boxes->low[k][i] -= margin;
            boxes->high[k][i] += margin;
        }
    }
}

/* From slabs along the axes, low ends and high ends, to boxes where they are now. */
static void move_axes(const PliShaped *pose, const PliKernels *kernels, PliBoxes *boxes)
{
    float *low = (float *)boxes, *high = low + 3 * PLI_GROUP;
    const float margin = pose->blending.box_margin;
    for (int i = 0; i < 3 * PLI_GROUP && margin > 0; i++) {
        low[i] -= margin;
        high[i] += margin;
    }
    if (pose->base.is_moved)
        kernels->move_boxes(&pose->base.map, boxes);
}

static void open_boxes(const PliShaped *pose, const float *base, int32_t term_count,
                       const PliKernels *kernels, PliBoxes *boxes)
{
    blend_slabs(pose, base, term_count, 3, kernels, (float *)boxes);
    move_axes(pose, kernels, boxes);
    if (pose->shape->pieces)
        widen(boxes, pose->blending.margin);
}

/* The first three slabs are those of a box, which is the vertex's own expression. */
static void take_boxes(const PliShaped *pose, const float *ends, int32_t slab_count,
                       const PliKernels *kernels, PliBoxes *boxes)
{
    memcpy(boxes->low, ends, sizeof boxes->low);
    memcpy(boxes->high, ends + (size_t)PLI_GROUP * (size_t)slab_count, sizeof boxes->high);
    move_axes(pose, kernels, boxes);
}

static void open_slabs(const PliShaped *pose, const float *base, int32_t term_count,
                       const PliKernels *kernels, PliBoxes *boxes, float *more)
{
    const int32_t slab_count = pli_slab_count(pose->shape->blends.bound_kind);
    float ends[18 * PLI_GROUP];
    PliBoxes exact;
    blend_slabs(pose, base, term_count, slab_count, kernels, ends);
    if (!pose->blending.is_bounded) {
        take_boxes(pose, ends, slab_count, kernels, boxes);
        return;
    }
    kernels->sum_slabs(ends, pose->blending.sums, slab_count, boxes, more);
    if (!pose->blending.has_exact_boxes)
        return;
    take_boxes(pose, ends, slab_count, kernels, &exact);
    tighten(&exact, boxes);
}

/* Sums of centres and of radii. */
static void blend_balls(const PliShaped *pose, const float *base, int32_t term_count,
                        const PliKernels *kernels, float *balls)
{
    const PliBlending *blending = &pose->blending;
    kernels->blend(base, blending->terms, blending->term_weights, term_count, 3 * PLI_GROUP, balls);
    for (int32_t t = 0; t < term_count; t++) {
        blending->terms[t] += 3 * PLI_GROUP;
        blending->term_weights[t] = fabsf(blending->term_weights[t]);
    }
    kernels->blend(base ? base + 3 * PLI_GROUP : NULL, blending->terms, blending->term_weights,
                   term_count, PLI_GROUP, balls + 3 * PLI_GROUP);
}

static void open_balls(const PliShaped *pose, const float *base, int32_t term_count,
                       const PliKernels *kernels, PliBoxes *boxes, float *balls)
{
    const PliBlending *blending = &pose->blending;
    float *radii = balls + 3 * PLI_GROUP;
    blend_balls(pose, base, term_count, kernels, balls);
    for (int i = 0; i < PLI_GROUP; i++) {
        const float c[3] = {balls[i], balls[PLI_GROUP + i], balls[2 * PLI_GROUP + i]};
        const PliFloat4 *m = pose->base.map.columns;
        radii[i] = (radii[i] * blending->stretch + blending->margin) * (1 + 16 * (float)UNIT);
        for (int k = 0; k < 3; k++) {
            float at = ((m[0][k] * c[0] + m[1][k] * c[1]) + m[2][k] * c[2]) + m[3][k];
            balls[PLI_GROUP * k + i] = at;
            boxes->low[k][i] = at - radii[i];
            boxes->high[k][i] = at + radii[i];
        }
    }
}

/* What follows joints, from where the terms alone have it. */
static void open_joints(const PliShaped *pose, int32_t node, bool has_base, int32_t term_count,
                        const PliKernels *kernels, PliBoxes *boxes, float *balls)
{
    const PliantBoundKind kind = pose->shape->blends.bound_kind;
    float moves[18 * PLI_GROUP];
    const bool is_moved = term_count > 0 || !has_base;
    if (is_moved && kind == PLIANT_BOUND_SPHERE)
        blend_balls(pose, NULL, term_count, kernels, moves);
    else if (is_moved)
        blend_slabs(pose, NULL, term_count, pli_slab_count(kind), kernels, moves);
    pli_skinning_open(pose, node, is_moved ? moves : NULL, !has_base, kernels, boxes, balls);
}

/* Bounds of the last frame, if nothing that they are made of has changed. */
static bool is_kept(const PliShaped *pose, int32_t node, const uint64_t *mask)
{
    const PliBounds *bounds = &pose->base.bounds;
    uint32_t age = bounds->frame - bounds->places[node].stamp;
    if (!pose->blending.is_kept || (age != 2 && age != 3))
        return false;
    uint64_t changed = 0;
    for (int32_t w = 0; w < pose->shape->blends.word_count; w++)
        changed |= mask[w] & pose->blending.changed[w];
    return changed == 0;
}

bool pli_blending_open(PliBounds *bounds, int32_t node, const PliKernels *kernels)
{
    const PliShaped *pose = (PliShaped *)bounds;
    const PliBlends *blends = &pose->shape->blends;
    const PliBlending *blending = &pose->blending;
    const uint64_t *mask = blends->node_masks + (size_t)node * (size_t)blends->word_count;
    if (is_kept(pose, node, mask))
        return false;
    const size_t size = (size_t)blends->group_count * PLI_GROUP;
    const float *first = blends->bounds + size * (size_t)blends->node_firsts[node];
    const float *base = has_base(pose) ? first : NULL;
    const int32_t slot = bounds->places[node].slot;
    PliBoxes *boxes = pli_boxes_at(bounds, slot);
    int32_t count =
        gather(pose, mask, blending->bound_active, blending->bound_weights, first + size, size);
    float *more = bounds->more_size > 0 ? pli_more_at(bounds, slot) : NULL;
    const PliMoreKind kind = more_kind(blends->bound_kind);
    const bool has_joints = pose->skinning.has_joints;
    const bool has_own_boxes = !has_joints && !pose->shape->pieces && kind != PLI_MORE_BALLS;
    if (!blending->is_bounded && !has_own_boxes)
        open_everywhere(boxes);
    else if (has_joints)
        open_joints(pose, node, base, count, kernels, boxes, more);
    else if (kind == PLI_MORE_NONE)
        open_boxes(pose, base, count, kernels, boxes);
    else if (kind == PLI_MORE_SLABS)
        open_slabs(pose, base, count, kernels, boxes, pli_more_at(bounds, slot));
    else
        open_balls(pose, base, count, kernels, boxes, pli_more_at(bounds, slot));
    if (!blending->is_bounded || has_joints || (!base && count == 0))
        drop_absent(bounds->tree->nodes[node].child_count, boxes);
    return true;
}

/* ---- Vertices, where a leaf is reached ---------------------------------------------------------
 */

void pli_blending_fetch(const PliShaped *pose, int32_t leaf, const PliKernels *kernels, float *rows,
                        PliLeafBoxes *boxes)
{
    const PliBlends *blends = &pose->shape->blends;
    const PliBlending *blending = &pose->blending;
    const PliRange range = pose->shape->tree.leaves[leaf];
    const int32_t group_count = pli_table_groups(blends->tables[leaf]);
    const float *base = blends->points + PLI_GROUP * (size_t)blends->tables[leaf].first;
    const size_t size = PLI_GROUP * (size_t)group_count;
    const uint64_t *mask = blends->leaf_masks + (size_t)leaf * (size_t)blends->word_count;
    int32_t count = gather(pose, mask, blending->active, blending->weights,
                           base + (blends->has_base_tables ? size : 0), size);
    PliBlendedLeaf blended = {.base = has_base(pose) ? base : NULL,
                              .terms = blending->terms,
                              .weights = blending->term_weights,
                              .term_count = count,
                              .group_count = group_count / 3,
                              .triangle_count = range.count,
                              .corners = blends->leaf_corners + 3 * (size_t)range.first,
                              .map = pose->base.is_moved ? &pose->base.map : NULL};
    if (pose->skinning.has_joints)
        pli_skinning_leaf(pose, leaf, &blended);
    kernels->fetch_blended(&blended, rows, boxes);
}

void pli_blending_ask(const PliShaped *pose, int32_t later, int32_t next)
{
    enum { LINE = 64, MOST_BYTES = 1024 };
    const PliBlends *blends = &pose->shape->blends;
    __builtin_prefetch(&blends->tables[later]);
    __builtin_prefetch(blends->leaf_corners + 3 * (size_t)pose->shape->tree.leaves[next].first);
    const char *table =
        (const char *)(blends->points + PLI_GROUP * (size_t)blends->tables[next].first);
    for (int i = 0; i < MOST_BYTES; i += LINE)
        __builtin_prefetch(table + i);
}

void pli_blending_vertices(const PliShaped *pose, float *vertices)
{
    const PliBlends *blends = &pose->shape->blends;
    size_t size = 3 * (size_t)pose->shape->header->vertex_count * sizeof *vertices;
    if (has_base(pose))
        memcpy(vertices, pose->shape->vertices, size);
    else
        memset(vertices, 0, size);
    for (int32_t t = 0; t < blends->target_count && pose->blending.has_weights; t++) {
        const float weight = pose->blending.weights[t];
        if (weight == 0)
            continue;
        for (int32_t m = blends->target_firsts[t]; m < blends->target_firsts[t + 1]; m++)
            for (size_t k = 0; k < 3; k++)
                vertices[3 * (size_t)blends->target_vertices[m] + k] +=
                    weight * blends->target_moves[3 * (size_t)m + k];
    }
}
