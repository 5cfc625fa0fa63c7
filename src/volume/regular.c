/* Bodies in step with the pixels: see volume.h.
 *
 * Lines through a lattice are wrong to the same side everywhere only if the surface repeats itself
 * in step with the lattice. By Poisson's formula the sum over the lattice is off by the Fourier
 * transform of the thickness at points of the dual lattice, and a transform at the frequency k is
 * the transform of the derivative by 2 pi k. The derivative is the surface itself: it sits on
 * triangles, and weighs as much as these are large, seen from the side. So the error at k is
 *     1 / (2 pi k) * | sum over triangles of their areas seen from the side, times exp(i 2 pi k x)
 * | and that is small if the places of triangles, x modulo a pixel, are scattered: n of them add up
 * to the root of n. It is large if they are alike.
 *
 * Two bodies in common can be in step where each of them is not, if they repeat in step with each
 * other: an array of which only every other object is crossed. So frequencies of simple fractions
 * count as well, and places are taken modulo 6 pixels; and triangles that face one way and the
 * other do not cancel each other. Some leaves speak for all.
 *
 * That finds which bodies are measured twice, and says nothing of the error. That comes from
 * lattices of other pitches, moved by other parts of a pixel. The sum over a lattice that is moved
 * at random is right in the mean, whatever the body is (Cranley and Patterson, "Randomization of
 * Number Theoretic Methods for Multiple Integration", 1976). So LATTICES such sums, of pitches that
 * have no common multiple and of moves that have nothing to do with each other, have the truth as
 * their mean, and their deviation says how well that is known. */
#include "volume/volume.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Is a body in step? ---------------------------------------------------------------------- */

enum { PER_PIXEL = PLI_PHASES / PLI_PHASE_PIXELS };

/* At most about so many leaves are visited, and so many triangles in all. Those of one leaf are
 * neighbors: if there are enough leaves, one of each says as much. */
enum { MAX_LEAVES = 512, MAX_TRIANGLES = 512 };

/* Frequencies, in parts of one by PLI_PHASE_PIXELS. */
static const int FREQUENCIES[] = {3, 4, 6, 8, 9, 10, 12};
enum { FREQUENCY_COUNT = sizeof FREQUENCIES / sizeof *FREQUENCIES };

/* How many deviations a sum must be above what places at random would give, and what part of all.
 * Both only have to keep scattered bodies from being measured twice. */
static const double DEVIATIONS = 3, PART = 0.05;

/* Fewer leaves than this cannot show a pattern. They are taken to be in step if this part of them
 * is as narrow as a pixel, walls aside, of which measure.c knows all: then there is little to be
 * drawn. */
enum { FEW_LEAVES = 16 };
static const double NARROW = 0.25;

int64_t pli_phases_leaf_step(int64_t leaf_count)
{
    return 1 + leaf_count / MAX_LEAVES;
}

int32_t pli_phases_triangle_step(int64_t leaf_count)
{
    const int64_t step = leaf_count * PLI_LEAF_SIZE / MAX_TRIANGLES;
    return step < 1 ? 1 : step > PLI_LEAF_SIZE ? PLI_LEAF_SIZE : (int32_t)step;
}

/* Where a pixel coordinate is, modulo the period; 0 if it is too far away to say. */
static int phase_of(double x)
{
    const double steps = x * PER_PIXEL;
    if (!(steps > -0x1p30 && steps < 0x1p30))
        return 0;
    const int phase = ((int)steps - (steps < 0)) % PLI_PHASES;
    return phase < 0 ? phase + PLI_PHASES : phase;
}

/* A triangle in pixels, and in depths of the box along the lines. */
static void scale_corners(const PliPicture *picture, const float *row, double corners[3][3])
{
    for (int corner = 0; corner < 3; corner++)
        for (int side = 0; side < 3; side++) {
            const double at = (double)row[3 * corner + picture->axes[side]];
            corners[corner][side] = side == 2 ? at * picture->depth_scale
                                              : (at - picture->low[side]) * picture->scale[side];
        }
}

/* Twice the signed area of what is seen of a triangle along an axis. */
static double area_along(double corners[3][3], int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return (corners[1][u] - corners[0][u]) * (corners[2][v] - corners[0][v]) -
           (corners[1][v] - corners[0][v]) * (corners[2][u] - corners[0][u]);
}

static double width_of(double corners[3][3], int side)
{
    const double a = corners[0][side], b = corners[1][side], c = corners[2][side];
    const double low = a < b ? a : b, high = a < b ? b : a;
    return (high > c ? high : c) - (low < c ? low : c);
}

void pli_phases_add(PliPhases *phases, const PliPicture *picture, const float *rows, int32_t count,
                    int32_t step)
{
    double sums[4] = {0};
    for (int32_t i = (int32_t)(phases->leaf_count % step); i < count; i += step) {
        const float *row = rows + (size_t)PLI_ROW_SIZE * (size_t)i;
        if (!pli_is_finite(row, PLI_ROW_SIZE))
            continue;
        double corners[3][3];
        scale_corners(picture, row, corners);
        const double areas[2] = {area_along(corners, 0), area_along(corners, 1)};
        const bool is_wall = fabs(area_along(corners, 2)) <= fabs(areas[0]) + fabs(areas[1]);
        for (int side = 0; side < 2; side++) {
            /* the transform of one that is wide is smaller, and its middle does not stand for it */
            const double width = width_of(corners, side);
            const double weight = fabs(areas[side]) / (1 + width * width);
            const double middle = (corners[0][side] + corners[1][side] + corners[2][side]) / 3;
            const int which = 2 * side + (areas[side] > 0);
            phases->sums[which][phase_of(middle)] += weight;
            phases->all[which] += fabs(areas[side]);
            phases->narrow[which] += is_wall ? 0 : weight;
            sums[which] += weight;
        }
    }
    for (int which = 0; which < 4; which++) /* triangles of a leaf are neighbors and count once */
        phases->squares[which] += sums[which] * sums[which];
    phases->leaf_count++;
}

/* Cosines of a turn, in steps of one phase: the same on every machine. */
static const double COSINES[PLI_PHASES] = {
    1.0,
    0.9914448613738104,
    0.9659258262890683,
    0.9238795325112867,
    0.8660254037844387,
    0.7933533402912352,
    0.7071067811865476,
    0.6087614290087207,
    0.5000000000000001,
    0.38268343236508984,
    0.25881904510252074,
    0.1305261922200517,
    0.0,
    -0.1305261922200517,
    -0.25881904510252074,
    -0.38268343236508984,
    -0.5000000000000001,
    -0.6087614290087207,
    -0.7071067811865476,
    -0.7933533402912352,
    -0.8660254037844387,
    -0.9238795325112867,
    -0.9659258262890683,
    -0.9914448613738104,
    -1.0,
    -0.9914448613738104,
    -0.9659258262890683,
    -0.9238795325112867,
    -0.8660254037844387,
    -0.7933533402912352,
    -0.7071067811865476,
    -0.6087614290087207,
    -0.5000000000000001,
    -0.38268343236508984,
    -0.25881904510252074,
    -0.1305261922200517,
    0.0,
    0.1305261922200517,
    0.25881904510252074,
    0.38268343236508984,
    0.5000000000000001,
    0.6087614290087207,
    0.7071067811865476,
    0.7933533402912352,
    0.8660254037844387,
    0.9238795325112867,
    0.9659258262890683,
    0.9914448613738104,
};

/* The square of the transform at a frequency. */
static double power(const double sums[PLI_PHASES], int frequency)
{
    double real = 0, imaginary = 0;
    for (int i = 0, angle = 0; i < PLI_PHASES; i++) {
        const int quarter_before = angle - PLI_PHASES / 4;
        real += sums[i] * COSINES[angle];
        imaginary +=
            sums[i] * COSINES[quarter_before < 0 ? quarter_before + PLI_PHASES : quarter_before];
        angle += frequency;
        angle -= angle < PLI_PHASES ? 0 : PLI_PHASES;
    }
    return real * real + imaginary * imaginary;
}

bool pli_phases_are_regular(const PliPhases *phases)
{
    for (int which = 0; which < 4; which++) {
        const double scattered = DEVIATIONS * DEVIATIONS * phases->squares[which];
        const double part = PART * PART * phases->all[which] * phases->all[which];
        if (phases->leaf_count < FEW_LEAVES && phases->narrow[which] > NARROW * phases->all[which])
            return true;
        for (int i = 0; i < FREQUENCY_COUNT; i++) {
            const double here = power(phases->sums[which], FREQUENCIES[i]);
            if (here > scattered && here > part)
                return true;
        }
    }
    return false;
}

/* ---- Other lattices -------------------------------------------------------------------------- */

/* Pitches in pixels and moves in pitches, across and up: any numbers without a pattern will do. */
static const double PITCHES[PLI_LATTICES][2] = {
    {1.0607, 1.1873}, {0.9389, 1.0841}, {1.2289, 0.8963}, {0.8731, 1.2763},
    {1.1467, 0.9619}, {1.0193, 1.3127}, {1.3411, 1.0331},
};
static const double MOVES[PLI_LATTICES][2] = {
    {0.3719, 0.8347}, {0.9091, 0.2467}, {0.1447, 0.5881}, {0.6653, 0.0713},
    {0.5309, 0.4133}, {0.0271, 0.6967}, {0.7829, 0.9473},
};

/* A lattice has at least so many lines each way: fewer would say little, and these cost little. */
enum { MIN_LINES = 48 };

static float float_at_most(double x)
{
    return (float)(x < -(double)FLT_MAX ? -(double)FLT_MAX : x);
}

static float float_at_least(double x)
{
    return (float)(x > (double)FLT_MAX ? (double)FLT_MAX : x);
}

PliantView pli_lattice_view(const PliantView *view, int number)
{
    PliantView other = *view;
    for (int side = 0; side < 2; side++) {
        const int axis = pli_view_axis(view, side);
        const double low = view->box.low[axis], high = view->box.high[axis];
        const int32_t count = side == 0 ? view->width : view->height;
        const int32_t least = count < MIN_LINES ? MIN_LINES : count;
        const double most = PLIANT_MAX_PIXELS - 2;
        double pitch = PITCHES[number][side] * ((high - low) / least);
        pitch = pitch * most < high - low ? (high - low) / most : pitch;
        const double begin = low - MOVES[number][side] * pitch;
        const int32_t lines = (int32_t)((high - begin) / pitch) + 1;
        other.box.low[axis] = float_at_most(begin);
        other.box.high[axis] = float_at_least(begin + lines * pitch);
        if (other.box.low[axis] > view->box.low[axis])
            other.box.low[axis] = view->box.low[axis];
        if (other.box.high[axis] < view->box.high[axis])
            other.box.high[axis] = view->box.high[axis];
        if (side == 0)
            other.width = lines;
        else
            other.height = lines;
    }
    return other;
}

double pli_lattices_error(const double volumes[PLI_LATTICES], double volume)
{
    double mean = 0, squares = 0;
    for (int i = 0; i < PLI_LATTICES; i++)
        mean += volumes[i] / PLI_LATTICES;
    for (int i = 0; i < PLI_LATTICES; i++)
        squares += (volumes[i] - mean) * (volumes[i] - mean);
    /* Of the mean of seven, so many deviations are exceeded once in 10,000 times by Student's
     * distribution with six degrees of freedom. */
    const double quantile = 8.0;
    return fabs(volume - mean) +
           quantile * sqrt(squares / (PLI_LATTICES - 1.0) / (double)PLI_LATTICES);
}
