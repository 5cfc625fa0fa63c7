/* Signs that are never zero: see perturbed.h. */
#include "geom/perturbed.h"
#include "geom/big.h"
#include "geom/orient.h"

/* ---- Ranks ---------------------------------------------------------------------------------- */

static bool is_before(const PliLabeled *a, const PliLabeled *b)
{
    if (pli_is_same_point(a->position, b->position))
        return a->label < b->label;
    return pli_is_before(a->position, b->position);
}

/* Sorts four by rank. Returns whether the number of exchanges is odd. */
static bool sort_by_rank(const PliLabeled *rows[4])
{
    bool is_odd = false;
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && is_before(rows[j], rows[j - 1]); j--) {
            const PliLabeled *later = rows[j - 1];
            rows[j - 1] = rows[j];
            rows[j] = later;
            is_odd = !is_odd;
        }
    return is_odd;
}

/* ---- Coefficients --------------------------------------------------------------------------- */

/* A power of e is a set of coordinates, at most one of each row and of each column: bit 3 i + j for
 * coordinate j of row i. What is left are `count` rows and columns, of which the last is that of
 * ones. */
typedef struct Minor {
    int count;
    int rows[4], columns[4];
    bool is_odd; /* the permutation that takes rows to columns */
} Minor;

/* False if no term of the determinant has that power. */
static bool find_minor(unsigned power, Minor *minor)
{
    enum { ONES = 3, NONE = -1 };
    int column_of[4] = {NONE, NONE, NONE, NONE};
    bool is_taken[4] = {false, false, false, false};
    for (int bit = 0; bit < 9; bit++) {
        if (!(power >> bit & 1))
            continue;
        if (column_of[bit / 3] != NONE || is_taken[bit % 3])
            return false;
        column_of[bit / 3] = bit % 3;
        is_taken[bit % 3] = true;
    }
    *minor = (Minor){0};
    for (int row = 0, column = 0; row < 4; row++) {
        if (column_of[row] != NONE)
            continue;
        while (is_taken[column])
            column++;
        minor->rows[minor->count] = row;
        minor->columns[minor->count++] = column;
        column_of[row] = column++;
    }
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            minor->is_odd ^= column_of[i] > column_of[j];
    return true;
}

static int minor_sign(const Minor *minor, const PliLabeled *const rows[4], PliCounts *counts)
{
    const float *p[3]; /* rows that are not there are not read */
    for (int i = 0; i < 3; i++)
        p[i] = rows[minor->rows[i]]->position;
    const int u = minor->columns[0], v = minor->columns[1];
    if (minor->count == 1)
        return 1;
    if (minor->count == 2)
        return (p[0][u] > p[1][u]) - (p[0][u] < p[1][u]);
    return pli_orient2d(p[0], p[1], p[2], u, v, counts);
}

/* The sign of the lowest power with a coefficient that is not zero: at the latest that of three
 * coordinates, whose coefficient is 1 or -1. */
static PLI_NOINLINE int lowest_sign(const PliLabeled *rows[4], PliCounts *counts)
{
    const bool is_odd = sort_by_rank(rows);
    for (unsigned power = 1; power < 1u << 9; power++) {
        Minor minor;
        if (!find_minor(power, &minor))
            continue;
        const int sign = minor_sign(&minor, rows, counts);
        if (sign != 0)
            return minor.is_odd != is_odd ? -sign : sign;
    }
    return 1; /* not reached */
}

int pli_perturbed_orient3d(const PliLabeled *a, const PliLabeled *b, const PliLabeled *c,
                           const PliLabeled *d, PliCounts *counts)
{
    const int sign = pli_orient3d(a->position, b->position, c->position, d->position, counts);
    if (PLI_LIKELY(sign != 0))
        return sign;
    const PliLabeled *rows[4] = {a, b, c, d};
    return lowest_sign(rows, counts);
}

/* ---- One surface moved as a whole ------------------------------------------------------------ */

/* The point is n . (t_0 - p) below, with n the normal of the triangle. Moved by m, it is n . m less
 * below; if the triangle is moved, n . m more. */
int pli_moved_side(const float *point, const float *triangle, PliMoved moved, PliCounts *counts)
{
    const float *t[3] = {triangle, triangle + 3, triangle + 6};
    int sign = pli_orient3d(t[0], t[1], t[2], point, counts);
    for (int k = 0; k < 3 && sign == 0; k++)
        sign = (int)moved * pli_orient2d(t[1], t[2], t[0], (k + 1) % 3, (k + 2) % 3, counts);
    return sign;
}

/* With r and s moved by m, the determinant becomes more by m . ((p - q) x (r - s)). */
int pli_moved_orient3d(const float *p, const float *q, const float *r, const float *s,
                       PliMoved moved, PliCounts *counts)
{
    const int sign = pli_orient3d(p, q, r, s, counts);
    if (PLI_LIKELY(sign != 0))
        return sign;
    PliBigVector e, f;
    pli_big_between(e, p, q);
    pli_big_between(f, r, s);
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        const int component = pli_big_compare_products(&e[u], &f[v], &e[v], &f[u]);
        if (component != 0)
            return (int)moved * component;
    }
    return 0;
}

/* ---- The order of crossings ------------------------------------------------------------------ */

/* A triangle and an edge from p to q. */
typedef struct Crossed {
    PliBigVector normal;
    PliBig height; /* of p above the plane: normal . (p - t_0) */
    PliBig fall;   /* what p is higher than q: normal . (p - q) */
} Crossed;

static void set_crossed(Crossed *crossed, const float *p, const float *q, const float *t)
{
    PliBigVector e, f;
    pli_big_between(e, t + 3, t);
    pli_big_between(f, t + 6, t);
    pli_big_cross(crossed->normal, e, f);
    pli_big_between(e, p, t);
    pli_big_dot(&crossed->height, crossed->normal, e);
    pli_big_between(e, p, q);
    pli_big_dot(&crossed->fall, crossed->normal, e);
}

/* The crossings are at height / fall, and products of these are of degree 6. If the triangles are
 * moved by m, the heights are less by normal . m: what comes first is then decided by the first
 * component of n_t / fall_t - n_s / fall_s that is not zero. */
int pli_compare_crossings(const float *p, const float *q, const float *s, const float *t,
                          PliMoved moved)
{
    Crossed a, b;
    set_crossed(&a, p, q, s);
    set_crossed(&b, p, q, t);
    const int signs = a.fall.sign * b.fall.sign;
    int order = pli_big_compare_products(&a.height, &b.fall, &b.height, &a.fall);
    for (int k = 0; k < 3 && order == 0; k++)
        order = (int)moved * pli_big_compare_products(&b.normal[k], &a.fall, &a.normal[k], &b.fall);
    return signs * order;
}
