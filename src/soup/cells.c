/* Cells of a box along a curve: see cells.h. */
#include "soup/cells.h"
#include <pliant/experiments.h>

/* `axes` has the axis that is halved at each step, first to last. */
static void fill_tables(PliCells *cells, const PliBox *box, const int *axes, int32_t bits,
                        uint32_t *room)
{
    int32_t axis_bits[3] = {0};
    for (int32_t i = 0; i < bits; i++)
        axis_bits[axes[i]]++;
    cells->bits = bits;
    cells->low = box->low;
    for (int k = 0; k < 3; k++) {
        const int32_t count = 1 << axis_bits[k];
        cells->tables[k] = room;
        cells->scale[k] = (float)count / (box->high[k] - box->low[k]);
        cells->most[k] = (float)(count - 1);
        for (int32_t index = 0; index < count; index++) {
            uint32_t number = 0;
            int32_t left = axis_bits[k];
            for (int32_t i = 0; i < bits; i++)
                number = number << 1 | (axes[i] == k ? (uint32_t)index >> --left & 1 : 0);
            *room++ = number;
        }
    }
    cells->low[3] = cells->scale[3] = cells->most[3] = 0;
}

/* The longest side that can be halved once more, or -1. */
static int longest(const float sides[3], const int32_t axis_bits[3])
{
    int axis = -1;
    for (int k = 0; k < 3; k++)
        if (sides[k] > 0 && axis_bits[k] < PLI_MAX_AXIS_BITS &&
            (axis < 0 || sides[k] > sides[axis]))
            axis = k;
    return axis;
}

void pli_cells_halve(PliCells *cells, const PliBox *box, int32_t bits, uint32_t *room)
{
    int axes[3 * PLI_MAX_AXIS_BITS];
    int32_t axis_bits[3] = {0}, done = 0;
    float sides[3];
    for (int k = 0; k < 3; k++)
        sides[k] = box->high[k] - box->low[k];
    while (done < bits) {
        int axis = longest(sides, axis_bits);
        if (axis < 0)
            break;
        sides[axis] /= 2;
        axis_bits[axis]++;
        axes[done++] = axis;
    }
    fill_tables(cells, box, axes, done, room);
}

void pli_cells_octants(PliCells *cells, const PliBox *box, int32_t levels, uint32_t *room)
{
    int axes[3 * PLIANT_MAX_SOUP_LEVELS];
    for (int32_t i = 0; i < 3 * levels; i++)
        axes[i] = i % 3;
    fill_tables(cells, box, axes, 3 * levels, room);
}
