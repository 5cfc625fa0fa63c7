/* A hierarchical grid over two axes; the third axis is left for the sweep.
 *
 * A body is at the finest level whose cells are no smaller than it is, and so in about four cells
 * at most. Level 0 is the coarsest: one cell that holds everything infinite or too large for cells.
 * The invariant: the number of a cell is a function of the coordinate that never decreases, however
 * it is rounded. So of two boxes that overlap, the cell of the lower corner of their intersection
 * is among the cells of both, and their pair is found there. All else affects only the time.
 */
#ifndef PLI_GRID_H
#define PLI_GRID_H

#include "geom/box.h"

enum {
    PLI_GRID_LEVELS = 36,
    PLI_GRID_CELLS = 1 << 23, /* cells are numbered from minus this to this: exact in a float */
};

typedef struct PliGrid {
    int across[2], along; /* the axes of the cells, and that of the sweep */
    int level_count;
    bool is_finest;                      /* finer cells would be smaller than the small bodies */
    float limits[PLI_GRID_LEVELS];       /* a level holds sizes up to this; infinite for level 0 */
    PliFloat4 inverses[PLI_GRID_LEVELS]; /* one over the size of a cell: u, v, u, v */
    PliFloat4 origin;                    /* the middle of a cell at every level: u, v, u, v */
    float weights[2];                    /* the size of a body: its greater extent times weight */
} PliGrid;

/* The cells of a body: `low` and `span` more on each axis. */
typedef struct PliCellRange {
    int32_t low[2];
    uint16_t span[2];
    int32_t level; /* -1: in none */
} PliCellRange;

_Static_assert(sizeof(PliCellRange) == 16, "no padding: ranges are compared as bytes");

static inline bool pli_box_is_present(const PliBox *box)
{
    return (box->low[0] <= box->high[0]) & (box->low[1] <= box->high[1]) &
           (box->low[2] <= box->high[2]);
}

/* The cells of the corners of a box at a level; it is finite across: low u, low v, high u, high v.
 * Level 0 is not asked for: its one cell has number 0. */
static inline PliInt4 pli_grid_cells(const PliGrid *grid, int level, const PliBox *box)
{
    int u = grid->across[0], v = grid->across[1];
    PliFloat4 corners = {box->low[u], box->low[v], box->high[u], box->high[v]};
    PliFloat4 limit = {PLI_GRID_CELLS, PLI_GRID_CELLS, PLI_GRID_CELLS, PLI_GRID_CELLS};
    PliFloat4 largest = {FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX};
    /* Where the difference overflows, it is cut back to what the cells near it have. */
    PliFloat4 x = pli_max4(pli_min4(corners - grid->origin, largest), -largest);
    x = pli_max4(pli_min4(x * grid->inverses[level] + 0.5f, limit), -limit);
    PliInt4 cells = __builtin_convertvector(x, PliInt4);
    return cells + (__builtin_convertvector(cells, PliFloat4) > x); /* -1 where true: the floor */
}

/* The level of a present box. Its extent along the sweep does not matter. A box that is infinite
 * across, or whose extent is infinite or NaN, fits only level 0. */
static inline int pli_grid_level(const PliGrid *grid, const PliBox *box)
{
    int u = grid->across[0], v = grid->across[1];
    float x = (box->high[u] - box->low[u]) * grid->weights[0];
    float y = (box->high[v] - box->low[v]) * grid->weights[1];
    int level = grid->level_count - 1;
    while (level > 0 && !((x <= grid->limits[level]) & (y <= grid->limits[level])))
        level--;
    return level;
}

static inline PliCellRange pli_grid_range(const PliGrid *grid, const PliBox *box)
{
    if (!pli_box_is_present(box))
        return (PliCellRange){{0, 0}, {0, 0}, -1};
    int level = pli_grid_level(grid, box);
    if (level == 0)
        return (PliCellRange){{0, 0}, {0, 0}, 0};
    PliInt4 cells = pli_grid_cells(grid, level, box);
    return (PliCellRange){{cells[0], cells[1]},
                          {(uint16_t)(cells[2] - cells[0]), (uint16_t)(cells[3] - cells[1])},
                          level};
}

/* The key of a cell: level, then u, then v. Orders columns. */
static inline uint64_t pli_grid_key(int level, int32_t u, int32_t v)
{
    return (uint64_t)level << 50 | (uint64_t)(uint32_t)(u + PLI_GRID_CELLS) << 25 |
           (uint32_t)(v + PLI_GRID_CELLS);
}

static inline int pli_key_level(uint64_t key)
{
    return (int)(key >> 50);
}

static inline int32_t pli_key_cell(uint64_t key, int axis)
{
    return (int32_t)(key >> (axis == 0 ? 25 : 0) & 0x1ffffff) - PLI_GRID_CELLS;
}

/* ---- The choice of a grid ------------------------------------------------------------------- */

/* Decides when another grid is needed. Too large cells cost comparisons; too small ones are changed
 * often by moving bodies. */
typedef struct PliGridTuner {
    bool is_chosen;
    bool is_due;          /* another grid, at the next call */
    bool is_searching;    /* for a finer grid, for as long as that helps */
    int finer;            /* octaves below the first guess */
    int best_finer;       /* with the least cost so far */
    int32_t chosen_count; /* boxes when the grid was chosen */
    double cost;          /* comparisons per box and pair, at best */
    double moved;         /* newcomers since the last decision */
} PliGridTuner;

/* A grid for these boxes; `finer` octaves finer than the density suggests. */
PliGrid pli_grid_choose(const PliBox *boxes, int32_t count, int finer);

/* Before a sweep: returns whether there is another grid, which is then in `grid`. */
bool pli_grid_update(PliGridTuner *tuner, PliGrid *grid, const PliBox *boxes, int32_t count);

/* After a sweep: learns from its cost. */
void pli_grid_learn(PliGridTuner *tuner, const PliGrid *grid, double compared, double useful,
                    double newcomers);

#endif
