/* The choice of a grid: the sizes of cells, and the axis of the sweep. See grid.h.
 *
 * Sizes are in units of the median extent along each axis, so that cells have the shape of the
 * bodies. The finest cells are as large as the density allows: large enough that a body seldom
 * changes cells, small enough that it is compared with few bodies that it does not overlap. Larger
 * bodies get levels of their own, each four times as coarse. A size with few bodies gets no level:
 * these join the next coarser one, and the last few are at level 0.
 */
#include "broad/grid.h"
#include "base/sort.h"

#include <string.h>

enum {
    SAMPLES = 256,
    OCTAVES = 64,
    LEVEL_OCTAVES = 2,
    LEVEL_BODIES = 32, /* fewer are not worth a level: every smaller body looks into each level */
};

/* Comparisons for a body in one column, and bodies in a cube of the size of a cell. Measured on
 * cubes of 10^4 and 10^6 bodies. */
static const double wanted_comparisons = 5, wanted_in_cube = 32;

typedef struct Sample {
    int count;
    float lows[3][SAMPLES], extents[3][SAMPLES];
} Sample;

static void sort_floats(float *values, int count)
{
    uint64_t keys[SAMPLES], scratch[SAMPLES];
    for (int i = 0; i < count; i++)
        keys[i] = pli_rank_of(values[i]);
    pli_sort_keys(keys, scratch, count, 32);
    for (int i = 0; i < count; i++)
        values[i] = pli_float_of((uint32_t)keys[i]);
}

static bool is_bounded(const PliBox *box)
{
    bool is_bounded = pli_box_is_present(box);
    for (int k = 0; k < 3; k++)
        is_bounded = is_bounded && box->high[k] - box->low[k] < INFINITY; /* not if NaN */
    return is_bounded;
}

/* Samples boxes at steps of the golden ratio, which is in step with no period in the array. */
static void read_sample(const PliBox *boxes, int32_t count, Sample *sample)
{
    sample->count = 0;
    for (uint64_t i = 0; i < SAMPLES && count > 0; i++) {
        uint64_t fraction = i * 0x9e3779b97f4a7c15u >> 32;
        const PliBox *box = &boxes[fraction * (uint64_t)count >> 32];
        if (!is_bounded(box))
            continue;
        for (int k = 0; k < 3; k++) {
            sample->lows[k][sample->count] = box->low[k];
            sample->extents[k][sample->count] = box->high[k] - box->low[k];
        }
        sample->count++;
    }
    for (int k = 0; k < 3; k++) {
        sort_floats(sample->lows[k], sample->count);
        sort_floats(sample->extents[k], sample->count);
    }
}

/* What the sample says of each axis: the unit, the median extent in units, and over how many
 * units nine bodies of ten are spread. */
typedef struct Axes {
    double units[3], extents[3], spreads[3];
    double small[3]; /* the extent, in units, that one body of ten does not have */
} Axes;

static Axes measure(const Sample *sample)
{
    Axes axes;
    double widest = 0, longest = 0;
    int tail = sample->count / 20;
    for (int k = 0; k < 3; k++) {
        axes.extents[k] = sample->extents[k][sample->count / 2];
        axes.spreads[k] = (double)sample->lows[k][sample->count - 1 - tail] - sample->lows[k][tail];
        widest = axes.extents[k] > widest ? axes.extents[k] : widest;
        longest = axes.spreads[k] > longest ? axes.spreads[k] : longest;
    }
    /* Points have no size of their own: then any unit will do. Flat bodies have a unit all the
     * same, so that one among them that is not flat does not count as huge. */
    double least = widest > 0 ? widest / 1024 : longest > 0 ? longest / 1024 : 1;
    for (int k = 0; k < 3; k++) {
        double unit = axes.extents[k] > least ? axes.extents[k] : least;
        unit = unit > 1e-30 ? unit : 1e-30; /* one over it is a float */
        axes.units[k] = unit;
        axes.extents[k] /= unit;
        axes.small[k] = sample->extents[k][sample->count / 10] / unit;
        axes.spreads[k] /= unit;
    }
    return axes;
}

/* The sweep goes along the axis that tells most bodies apart. */
static void choose_axes(PliGrid *grid, const Axes *axes)
{
    grid->along = 0;
    for (int k = 1; k < 3; k++)
        if (axes->spreads[k] > axes->spreads[grid->along])
            grid->along = k;
    grid->across[0] = grid->along == 0 ? 1 : 0;
    grid->across[1] = grid->along == 2 ? 1 : 2;
}

static double share(double size, double spread)
{
    return size < spread ? size / spread : 1;
}

/* The size of the finest cells, in units. */
static double finest_cell(const PliGrid *grid, const Axes *axes, double count)
{
    double beside = count * share(axes->extents[grid->along], axes->spreads[grid->along]);
    double u = axes->spreads[grid->across[0]], v = axes->spreads[grid->across[1]];
    double size = 2,
           most = u > v ? u : v; /* at least two units: bodies of one sort vary a little */
    while (size < most) {
        double next = size * 1.25, compared = beside, in_cube = count;
        for (int k = 0; k < 3; k++)
            in_cube *= share(next, axes->spreads[k]);
        for (int k = 0; k < 2; k++) {
            int axis = grid->across[k];
            compared *= share(next + axes->extents[axis], axes->spreads[axis]);
        }
        if (compared > wanted_comparisons || in_cube > wanted_in_cube)
            break;
        size = next;
    }
    return size;
}

/* How many bodies are of a size up to `finest`, up to twice that, and so on; the last are all
 * others. */
static void count_octaves(const PliGrid *grid, const PliBox *boxes, int32_t count, float finest,
                          int64_t octaves[OCTAVES + 1])
{
    memset(octaves, 0, (OCTAVES + 1) * sizeof *octaves);
    for (int32_t i = 0; i < count; i++) {
        if (!pli_box_is_present(&boxes[i]))
            continue;
        float size = 0;
        for (int k = 0; k < 2; k++) {
            int axis = grid->across[k];
            float extent = (boxes[i].high[axis] - boxes[i].low[axis]) * grid->weights[k];
            size = extent <= size ? size : extent; /* NaN goes through */
        }
        int octave = 0;
        for (float limit = finest; octave < OCTAVES && !(size <= limit); limit *= 2)
            octave++;
        octaves[octave]++;
    }
}

static void add_level(PliGrid *grid, float limit, const Axes *axes)
{
    int level = grid->level_count++;
    grid->limits[level] = limit;
    for (int k = 0; k < 4; k++) {
        /* Never zero, or infinity times it would be NaN and have no cell. */
        float inverse = (float)(1 / (limit * axes->units[grid->across[k % 2]]));
        grid->inverses[level][k] = inverse > FLT_MIN ? inverse : FLT_MIN;
    }
}

/* Adds levels from the finest on, and reverses their order at the end. */
static void choose_levels(PliGrid *grid, const Axes *axes, float finest,
                          const int64_t octaves[OCTAVES + 1])
{
    int64_t bodies = 0;
    float limit = finest;
    grid->level_count = 0;
    add_level(grid, limit, axes);
    for (int octave = 1, width = 0; octave < OCTAVES; octave++) {
        limit *= 2;
        bodies += octaves[octave];
        width++;
        bool is_worth_it = width >= LEVEL_OCTAVES && bodies >= LEVEL_BODIES;
        if (is_worth_it && grid->level_count < PLI_GRID_LEVELS - 1) {
            add_level(grid, limit, axes);
            bodies = width = 0;
        }
    }
    add_level(grid, INFINITY, axes);
    for (int a = 0, b = grid->level_count - 1; a < b; a++, b--) {
        float swapped = grid->limits[a];
        PliFloat4 inverse = grid->inverses[a];
        grid->limits[a] = grid->limits[b];
        grid->inverses[a] = grid->inverses[b];
        grid->limits[b] = swapped;
        grid->inverses[b] = inverse;
    }
}

PliGrid pli_grid_choose(const PliBox *boxes, int32_t count, int finer)
{
    PliGrid grid = {.across = {0, 1}, .along = 2, .level_count = 1, .limits = {INFINITY}};
    Sample sample;
    read_sample(boxes, count, &sample);
    if (sample.count == 0)
        return grid;

    Axes axes = measure(&sample);
    choose_axes(&grid, &axes);
    for (int k = 0; k < 2; k++)
        grid.weights[k] = (float)(1 / axes.units[grid.across[k]]);
    /* So the borders of cells do not cut bodies that lie on a line or plane along the axes. */
    for (int k = 0; k < 4; k++) {
        int axis = grid.across[k % 2], middle = sample.count / 2;
        grid.origin[k] = sample.lows[axis][middle] + sample.extents[axis][middle] / 2;
    }
    double finest = finest_cell(&grid, &axes, count);
    for (int i = 0; i < finer; i++)
        finest /= 2;
    double small[2] = {axes.small[grid.across[0]], axes.small[grid.across[1]]};
    grid.is_finest = finest <= 2 * (small[0] > small[1] ? small[0] : small[1]);
    int64_t octaves[OCTAVES + 1];
    count_octaves(&grid, boxes, count, (float)finest, octaves);
    choose_levels(&grid, &axes, (float)finest, octaves);
    return grid;
}

/* ---- Is it still good? ---------------------------------------------------------------------- */

enum { SEARCH_STEP = 4, FINEST_SEARCH = 24, FAIR_COST = 8 };

/* Is the difference worth sorting everything again? */
static bool differs(const PliGrid *a, const PliGrid *b)
{
    if (a->along != b->along || a->level_count != b->level_count)
        return true;
    for (int level = 1; level < a->level_count; level++)
        for (int k = 0; k < 2; k++) {
            float ratio = a->inverses[level][k] / b->inverses[level][k];
            if (!(ratio > 0.6f && ratio < 1.7f))
                return true;
        }
    return false;
}

bool pli_grid_update(PliGridTuner *tuner, PliGrid *grid, const PliBox *boxes, int32_t count)
{
    bool has_grown = count / 2 > tuner->chosen_count || count < tuner->chosen_count / 2;
    if (!tuner->is_chosen || has_grown)
        *tuner = (PliGridTuner){.is_chosen = true,
                                .is_due = true,
                                .is_searching = true,
                                .chosen_count = count,
                                .cost = INFINITY};
    bool is_due = tuner->is_due, has_moved = tuner->moved > 8.0 * count;
    if (!is_due && !has_moved)
        return false;
    tuner->is_due = false;
    tuner->moved = 0;
    PliGrid other = pli_grid_choose(boxes, count, tuner->finer);
    if (!is_due && !differs(grid, &other))
        return false;
    *grid = other;
    return true;
}

/* A finer grid may not help until its cells are as small as the small bodies. So the search goes on
 * until then, and returns to the best grid. */
static void search_on(PliGridTuner *tuner, const PliGrid *grid, double cost)
{
    if (cost < 0.7 * tuner->cost) {
        tuner->cost = cost;
        tuner->best_finer = tuner->finer;
    }
    tuner->is_searching =
        tuner->cost > FAIR_COST && !grid->is_finest && tuner->finer < FINEST_SEARCH;
    int next = tuner->is_searching ? tuner->finer + SEARCH_STEP : tuner->best_finer;
    tuner->is_due = next != tuner->finer;
    tuner->finer = next;
}

void pli_grid_learn(PliGridTuner *tuner, const PliGrid *grid, double compared, double useful,
                    double newcomers)
{
    double cost = compared / (useful + 1);
    tuner->moved += newcomers;
    if (tuner->is_searching)
        search_on(tuner, grid, cost);
    else if (!tuner->is_due)
        tuner->is_chosen = cost <= 2 * tuner->cost + 0.5 * FAIR_COST;
}
