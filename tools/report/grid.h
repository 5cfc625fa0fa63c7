/* grid: rows of cells, aligned, that fit a terminal.
 *
 * Columns without a single cell are left out. Where there is no room, those that can be squeezed
 * are, to a width that still reads well; then columns are dropped, the least important first; then
 * squeezing goes on.
 */
#ifndef TOOLS_GRID_H
#define TOOLS_GRID_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum Style {
    STYLE_PLAIN,
    STYLE_BOLD,
    STYLE_GREEN,
    STYLE_YELLOW,
    STYLE_RED,
    STYLE_ALARM, /* red and bold */
    STYLE_DIM    /* of the whole row; others are of its first cell */
} Style;

/* What switches a style on, and STYLE_PLAIN all off. */
const char *style_code(Style style);

typedef struct GridColumn {
    const char *title;
    bool is_right;   /* numbers */
    int comfortable; /* it may be squeezed to this width; 0: it keeps its own */
    int goes;        /* it is the n-th to go where there is no room; 0: it stays */
} GridColumn;

typedef struct GridRow {
    Style style;
    int cell_count;
    char **cells;
} GridRow;

typedef struct Grid {
    const GridColumn *columns;
    int column_count, row_count;
    GridRow *rows;
    bool has_failed; /* no memory */
} Grid;

/* A row, then its cells, one call each, from the left; those that are not given are empty. */
void grid_row(Grid *grid, Style style);
void grid_cell(Grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* In `width` columns, 0: as wide as it likes. False if the stream or memory failed. */
bool grid_write(const Grid *grid, bool has_color, int width, FILE *out);

void grid_free(Grid *grid);

#endif
