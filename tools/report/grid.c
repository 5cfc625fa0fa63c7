/* Aligned columns that fit. See grid.h. */
#include "report/grid.h"
#include "report/text.h"

#include <stdarg.h>
#include <stdlib.h>

#define MAX_COLUMNS 16
#define LEAST_WIDTH 6 /* of a column that is squeezed: a few letters and the ellipsis */
#define GAP 2

const char *style_code(Style style)
{
    static const char *const codes[] = {"\033[0m",  "\033[1m",    "\033[32m", "\033[33m",
                                        "\033[31m", "\033[1;31m", "\033[2m"};
    return codes[style];
}

/* ---- Filling -----------------------------------------------------------------------------------
 */

void grid_row(Grid *grid, Style style)
{
    GridRow *rows = realloc(grid->rows, ((size_t)grid->row_count + 1) * sizeof *rows);
    if (rows)
        grid->rows = rows;
    char **cells = calloc((size_t)grid->column_count, sizeof *cells);
    if (!rows || !cells) {
        grid->has_failed = true;
        free(cells);
        return;
    }
    grid->rows[grid->row_count++] = (GridRow){.style = style, .cells = cells};
}

void grid_cell(Grid *grid, const char *format, ...)
{
    if (grid->has_failed)
        return;
    GridRow *row = &grid->rows[grid->row_count - 1];
    va_list arguments;
    va_start(arguments, format);
    if (row->cell_count >= grid->column_count ||
        vasprintf(&row->cells[row->cell_count], format, arguments) < 0) {
        if (row->cell_count < grid->column_count)
            row->cells[row->cell_count] = NULL;
        grid->has_failed = true;
    } else {
        row->cell_count++;
    }
    va_end(arguments);
}

void grid_free(Grid *grid)
{
    for (int i = 0; i < grid->row_count; i++) {
        for (int k = 0; k < grid->rows[i].cell_count; k++)
            free(grid->rows[i].cells[k]);
        free(grid->rows[i].cells);
    }
    free(grid->rows);
    grid->rows = NULL;
    grid->row_count = 0;
}

/* ---- Widths ------------------------------------------------------------------------------------
 */

static const char *cell_of(const GridRow *row, int column)
{
    return column < row->cell_count ? row->cells[column] : "";
}

/* What each column would like; 0 is one that is not shown. */
static void natural_widths(const Grid *grid, int *widths)
{
    for (int k = 0; k < grid->column_count; k++) {
        widths[k] = 0;
        for (int i = 0; i < grid->row_count; i++) {
            int width = text_width(cell_of(&grid->rows[i], k));
            widths[k] = width > widths[k] ? width : widths[k];
        }
        int title = text_width(grid->columns[k].title);
        if (widths[k] > 0 && widths[k] < title)
            widths[k] = title;
    }
}

static int64_t total_of(const Grid *grid, const int *widths)
{
    int64_t total = -GAP;
    for (int k = 0; k < grid->column_count; k++)
        total += widths[k] ? (int64_t)widths[k] + GAP : 0;
    return total;
}

/* Takes from the widest of those that can give, until it fits or none has more than its least. */
static void squeeze(const Grid *grid, int *widths, int width, bool is_comfortable)
{
    for (int64_t over = total_of(grid, widths) - width; over > 0;) {
        int widest = -1;
        for (int k = 0; k < grid->column_count; k++) {
            int least = is_comfortable ? grid->columns[k].comfortable : LEAST_WIDTH;
            if (grid->columns[k].comfortable > 0 && widths[k] > least &&
                (widest < 0 || widths[k] > widths[widest]))
                widest = k;
        }
        if (widest < 0)
            return;
        /* Halving what is over keeps this short where a name is very long. */
        int least = is_comfortable ? grid->columns[widest].comfortable : LEAST_WIDTH;
        int64_t given = over / 2 + 1;
        if (given > (widths[widest] - least) / 2 + 1)
            given = (widths[widest] - least) / 2 + 1;
        if (widths[widest] - given < least)
            given = widths[widest] - least;
        widths[widest] -= (int)given;
        over -= given;
    }
}

/* Drops the next column, if there is one that may go. */
static bool drop(const Grid *grid, int *widths)
{
    int next = -1;
    for (int k = 0; k < grid->column_count; k++)
        if (widths[k] > 0 && grid->columns[k].goes > 0 &&
            (next < 0 || grid->columns[k].goes < grid->columns[next].goes))
            next = k;
    if (next >= 0)
        widths[next] = 0;
    return next >= 0;
}

static void fit(const Grid *grid, int *widths, int width)
{
    int natural[MAX_COLUMNS];
    natural_widths(grid, natural);
    for (;;) { /* what a dropped column leaves goes back to the others */
        for (int k = 0; k < grid->column_count; k++)
            widths[k] = natural[k];
        if (width <= 0)
            return;
        squeeze(grid, widths, width, true);
        if (total_of(grid, widths) <= width || !drop(grid, natural))
            break;
    }
    squeeze(grid, widths, width, false);
}

/* ---- Writing -----------------------------------------------------------------------------------
 */

static void put_row(const Grid *grid, const int *widths, const char *const *cells, Style style,
                    FILE *out)
{
    bool is_first = true;
    int last = grid->column_count - 1;
    while (last > 0 && (widths[last] == 0 || !cells[last][0]))
        last--; /* no spaces at the end of a line */
    for (int k = 0; k <= last; k++) {
        if (widths[k] == 0)
            continue;
        if (!is_first)
            fprintf(out, "%*s", GAP, "");
        if (is_first && style != STYLE_PLAIN)
            fputs(style_code(style), out);
        bool is_end = k == last && !grid->columns[k].is_right && text_width(cells[k]) <= widths[k];
        text_write_cell(cells[k], is_end ? 0 : widths[k], grid->columns[k].is_right, out);
        if (style != STYLE_PLAIN && (style == STYLE_DIM ? k == last : is_first))
            fputs(style_code(STYLE_PLAIN), out);
        is_first = false;
    }
    putc('\n', out);
}

bool grid_write(const Grid *grid, bool has_color, int width, FILE *out)
{
    int widths[MAX_COLUMNS] = {0};
    const char *cells[MAX_COLUMNS] = {""};
    if (grid->has_failed || grid->column_count < 1 || grid->column_count > MAX_COLUMNS)
        return false;
    fit(grid, widths, width);
    for (int k = 0; k < grid->column_count; k++)
        cells[k] = grid->columns[k].title;
    put_row(grid, widths, cells, has_color ? STYLE_DIM : STYLE_PLAIN, out);
    for (int i = 0; i < grid->row_count; i++) {
        for (int k = 0; k < grid->column_count; k++)
            cells[k] = cell_of(&grid->rows[i], k);
        put_row(grid, widths, cells, has_color ? grid->rows[i].style : STYLE_PLAIN, out);
    }
    return !ferror(out);
}
