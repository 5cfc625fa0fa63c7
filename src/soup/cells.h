/* Grids: the cells of a box, numbered along a space-filling curve. */
#ifndef PLI_CELLS_H
#define PLI_CELLS_H

#include "geom/box.h"

/* A box is halved a number of times, each time across one axis. The first halving gives the highest
 * bit of a cell's number, so that cells with close numbers are close to each other. With equal
 * numbers of bits for each axis in turn this is the Morton order. */
typedef struct PliCells {
    PliFloat4 low, scale, most; /* the cell along x is (x - low) * scale, clamped to 0 .. most */
    const uint32_t *tables[3];  /* the bits of the number, by the cell along each axis */
    int32_t bits;               /* of the number */
} PliCells;

enum { PLI_MOST_AXIS_BITS = 10 };

/* Halves the box across its longest side `bits` times, or fewer if no side has an extent left.
 * `room` is for three tables of 2^min(bits, PLI_MOST_AXIS_BITS). */
void pli_cells_halve(PliCells *cells, const PliBox *box, int32_t bits, uint32_t *room);

/* Halves the box across all three axes, `levels` times. `room` is for three tables of 2^levels. */
void pli_cells_octants(PliCells *cells, const PliBox *box, int32_t levels, uint32_t *room);

static inline uint32_t pli_cell_of(const PliCells *cells, PliFloat4 point)
{
    const PliFloat4 none = {0, 0, 0, 0};
    PliFloat4 place = pli_max4((point - cells->low) * cells->scale, none); /* NaN becomes 0 */
    PliInt4 at = __builtin_convertvector(pli_min4(place, cells->most), PliInt4);
    return cells->tables[0][at[0]] | cells->tables[1][at[1]] | cells->tables[2][at[2]];
}

#endif
