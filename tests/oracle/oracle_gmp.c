/* The exact oracle: linear programming by exhaustion, in whole numbers.
 *
 * A point of both triangles is Σ α_i a_i = Σ β_j b_j with Σ α_i = 1, Σ β_j = 1 and all six weights
 * nonnegative. That is a system of five equations, M w = h, in six unknowns w >= 0. Its solutions
 * form a bounded polytope, and the map w -> Σ α_i a_i takes the polytope onto the intersection of
 * the triangles. So:
 *
 *   - The triangles share a point if and only if the polytope has a vertex, since a nonempty
 *     bounded polytope has one.
 *   - The intersection is the convex hull of the images of the vertices, so it lies inside a
 *     convex set if and only if every one of those images does.
 *
 * Each vertex is the basic solution of some basis: a largest possible set of independent columns
 * of M, all other unknowns being zero. There are never more than twenty bases, and any one can be
 * reached from any other by exchanging one column at a time through bases (the exchange property
 * of linear independence). The code walks over all of them and tests each basic solution. How
 * degenerate the triangles are shows in the rank of M only, and no step asks for it.
 *
 * The elimination is free of fractions: a tableau row holds the coefficients of
 *     den * (basic unknown) + Σ cell * (nonbasic unknown) = rhs
 * where den, cells and rhs are minors of (M | h) up to sign, so that each division is exact.
 */
#include "oracle.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    AXES = 3,
    CORNERS = 6, /* three of a, then three of b; one unknown weight each */
    ROWS = 2 + AXES,
    RHS = CORNERS, /* the column of right-hand sides */
    COLUMNS = CORNERS + 1,
    NONE = -1
};

/* Numbers are kept from call to call: to allocate them anew would take longer than the sums. */
struct workspace {
    bool ready;
    mpz_t corner[CORNERS][AXES];

    mpz_t cell[ROWS][COLUMNS];
    mpz_t den;
    int row_unknown[ROWS]; /* which unknown is basic in the row, NONE if the row is void */
    int unknown_slot[RHS]; /* which nonbasic unknown the column stands for, NONE if void */
    uint64_t seen;         /* one bit for each basis, numbered by its set of unknowns */

    mpz_t image[AXES];
    mpz_t span[AXES];
    mpz_t left, right;
};

static _Thread_local struct workspace the_workspace;

static void for_each_number(struct workspace *w, void (*act)(mpz_ptr))
{
    for (int axis = 0; axis < AXES; axis++) {
        for (int i = 0; i < CORNERS; i++)
            act(w->corner[i][axis]);
        act(w->image[axis]);
        act(w->span[axis]);
    }
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++)
            act(w->cell[row][column]);
    }
    act(w->den);
    act(w->left);
    act(w->right);
}

static void init_number(mpz_ptr number)
{
    mpz_init(number);
}

static void clear_number(mpz_ptr number)
{
    mpz_clear(number);
}

static struct workspace *get_workspace(void)
{
    struct workspace *w = &the_workspace;
    if (!w->ready)
        for_each_number(w, init_number);
    w->ready = true;
    return w;
}

void oracle_gmp_release(void)
{
    struct workspace *w = &the_workspace;
    if (w->ready)
        for_each_number(w, clear_number);
    w->ready = false;
}

/* ---- From floats to whole numbers -------------------------------------------------------- */

/* Floats are read as bits and never computed with, so that no compiler flag and no state of the
 * processor, such as flushing denormals to zero, can reach the answer.
 */
static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Orders as the float does; both zeros give 0. */
static int32_t order_key(float value)
{
    uint32_t bits = bits_of(value);
    int32_t size = (int32_t)(bits & 0x7fffffffu);
    return bits >> 31 ? -size : size;
}

struct scaled {
    long mantissa; /* odd, or 0 */
    int exponent;
};

/* The mantissa is made odd to keep numbers short: coordinates on a grid become small integers. */
static struct scaled split(float value)
{
    uint32_t bits = bits_of(value);
    int field = (int)(bits >> 23 & 0xffu);
    long mantissa = (long)(bits & 0x7fffffu);
    if (field > 0)
        mantissa += 0x800000;
    else
        field = 1; /* denormals have the exponent of the least normal number */
    if (mantissa == 0)
        return (struct scaled){0, 0};

    int exponent = field - 150;
    for (; mantissa % 2 == 0; mantissa /= 2)
        exponent++;
    return (struct scaled){bits >> 31 ? -mantissa : mantissa, exponent};
}

/* Reads one axis of all the points and scales it by the power of two that makes every value whole.
 * Each axis may have its own scale: stretching space along the axes moves no point into or out of
 * a convex hull and changes no sign of a determinant.
 */
static void load_axis(struct workspace *w, const float *const *points, int count, int axis)
{
    struct scaled value[CORNERS];
    int least = INT16_MAX;
    for (int i = 0; i < count; i++) {
        value[i] = split(points[i][axis]);
        if (value[i].mantissa != 0 && value[i].exponent < least)
            least = value[i].exponent;
    }
    for (int i = 0; i < count; i++) {
        mpz_set_si(w->corner[i][axis], value[i].mantissa);
        if (value[i].mantissa != 0)
            mpz_mul_2exp(w->corner[i][axis], w->corner[i][axis],
                         (mp_bitcnt_t)(value[i].exponent - least));
    }
}

/* ---- The tableau ------------------------------------------------------------------------- */

/* The rows Σα = 1 and Σβ = 1 come first because their ones make the cheapest pivots. */
static void fill_tableau(struct workspace *w)
{
    for (int i = 0; i < CORNERS; i++) {
        bool of_a = i < 3;
        mpz_set_si(w->cell[0][i], of_a ? 1 : 0);
        mpz_set_si(w->cell[1][i], of_a ? 0 : 1);
        for (int axis = 0; axis < AXES; axis++) {
            mpz_set(w->cell[2 + axis][i], w->corner[i][axis]);
            if (!of_a)
                mpz_neg(w->cell[2 + axis][i], w->cell[2 + axis][i]);
        }
        w->unknown_slot[i] = i;
    }
    for (int row = 0; row < ROWS; row++) {
        mpz_set_si(w->cell[row][RHS], row < 2 ? 1 : 0);
        w->row_unknown[row] = NONE;
    }
    mpz_set_si(w->den, 1);
    w->seen = 0;
}

static bool column_in_use(const struct workspace *w, int column)
{
    return column == RHS || w->unknown_slot[column] != NONE;
}

/* target = (target * pivot - across * down) / den, which leaves no remainder. */
static void eliminate_cell(struct workspace *w, mpz_ptr target, mpz_srcptr pivot, mpz_srcptr across,
                           mpz_srcptr down)
{
    mpz_mul(w->left, target, pivot);
    mpz_submul(w->left, across, down);
    mpz_divexact(target, w->left, w->den);
}

/* The unknown of the slot becomes basic in the row, and the one that was basic there takes over
 * the slot. To do the same exchange twice restores the tableau.
 */
static void exchange(struct workspace *w, int row, int slot)
{
    mpz_srcptr pivot = w->cell[row][slot];
    for (int i = 0; i < ROWS; i++) {
        if (i == row)
            continue;
        for (int j = 0; j < COLUMNS; j++) {
            if (j != slot && column_in_use(w, j))
                eliminate_cell(w, w->cell[i][j], pivot, w->cell[i][slot], w->cell[row][j]);
        }
        mpz_neg(w->cell[i][slot], w->cell[i][slot]);
    }
    mpz_swap(w->den, w->cell[row][slot]);

    int leaving = w->row_unknown[row];
    w->row_unknown[row] = w->unknown_slot[slot];
    w->unknown_slot[slot] = leaving;
}

/* Finds a first basis, row by row. A row without a nonzero cell follows from the rows before it,
 * if its right-hand side is zero too, and is void; or else contradicts them. Returns false for a
 * contradiction, that is, if M w = h has no solution of any sign.
 */
static bool find_first_basis(struct workspace *w)
{
    for (int row = 0; row < ROWS; row++) {
        int slot = 0;
        while (slot < RHS && (!column_in_use(w, slot) || mpz_sgn(w->cell[row][slot]) == 0))
            slot++;
        if (slot < RHS)
            exchange(w, row, slot);
        else if (mpz_sgn(w->cell[row][RHS]) != 0)
            return false;
    }
    return true;
}

/* ---- The walk over the bases ------------------------------------------------------------- */

static bool basic_solution_is_nonnegative(const struct workspace *w)
{
    int sign = mpz_sgn(w->den);
    for (int row = 0; row < ROWS; row++) {
        if (mpz_sgn(w->cell[row][RHS]) * sign < 0)
            return false;
    }
    return true;
}

/* Whether the row sets a sum of nonnegative terms equal to a negative number. One such row in any
 * basis proves that there is no vertex and spares the rest of the walk.
 */
static bool row_is_impossible(const struct workspace *w, int row)
{
    int sign = mpz_sgn(w->den);
    if (mpz_sgn(w->cell[row][RHS]) * sign >= 0)
        return false;
    for (int slot = 0; slot < RHS; slot++) {
        if (column_in_use(w, slot) && mpz_sgn(w->cell[row][slot]) * sign < 0)
            return false;
    }
    return true;
}

static bool some_row_is_impossible(const struct workspace *w)
{
    for (int row = 0; row < ROWS; row++) {
        if (row_is_impossible(w, row))
            return true;
    }
    return false;
}

/* The point Σ α_i a_i of the basic solution, times den. */
static void find_image(struct workspace *w)
{
    for (int axis = 0; axis < AXES; axis++) {
        mpz_set_si(w->image[axis], 0);
        for (int row = 0; row < ROWS; row++) {
            int unknown = w->row_unknown[row];
            if (unknown != NONE && unknown < 3)
                mpz_addmul(w->image[axis], w->cell[row][RHS], w->corner[unknown][axis]);
        }
    }
}

/* With P the image and Q the far end, both seen from the near end: whether P = t Q, 0 <= t <= 1.
 * That is so if they are parallel and P is in the box between the origin and Q; for Q = 0 the box
 * alone says it.
 */
static bool image_is_on_span(struct workspace *w)
{
    for (int axis = 0; axis < AXES; axis++) {
        int next = (axis + 1) % AXES;
        mpz_mul(w->left, w->image[axis], w->span[next]);
        mpz_mul(w->right, w->image[next], w->span[axis]);
        if (mpz_cmp(w->left, w->right) != 0)
            return false;
        mpz_sub(w->right, w->span[axis], w->image[axis]);
        if (mpz_sgn(w->image[axis]) * mpz_sgn(w->right) < 0)
            return false;
    }
    return true;
}

/* Whether the image of the basic solution is in the hull of the given set of corners of a. One
 * corner is taken for a segment of no length.
 */
static bool image_is_in_hull(struct workspace *w, unsigned corners)
{
    if (corners == 0)
        return false;
    if (corners == 7)
        return true;

    int near = corners & 1 ? 0 : corners & 2 ? 1 : 2;
    int far = corners & 4 ? 2 : corners & 2 ? 1 : 0;
    find_image(w);
    for (int axis = 0; axis < AXES; axis++) {
        mpz_submul(w->image[axis], w->den, w->corner[near][axis]);
        mpz_sub(w->span[axis], w->corner[far][axis], w->corner[near][axis]);
        mpz_mul(w->span[axis], w->span[axis], w->den);
    }
    return image_is_on_span(w);
}

static uint64_t mark_of_basis(const struct workspace *w)
{
    unsigned members = 0;
    for (int row = 0; row < ROWS; row++) {
        if (w->row_unknown[row] != NONE)
            members |= 1u << w->row_unknown[row];
    }
    return UINT64_C(1) << members;
}

static bool exchange_leads_to_new_basis(struct workspace *w, int row, int slot)
{
    if (w->row_unknown[row] == NONE || w->unknown_slot[slot] == NONE)
        return false;
    if (mpz_sgn(w->cell[row][slot]) == 0)
        return false;
    int stays = w->row_unknown[row];
    w->row_unknown[row] = w->unknown_slot[slot];
    uint64_t mark = mark_of_basis(w);
    w->row_unknown[row] = stays;
    return (w->seen & mark) == 0;
}

enum finding { NOTHING_YET, VERTEX_OUTSIDE, NO_VERTEX_AT_ALL };

/* Tests the basis in the tableau and from there all others not yet seen, until one settles
 * the question. Leaves the tableau as it was if none does.
 */
static enum finding walk(struct workspace *w, unsigned corners)
{
    w->seen |= mark_of_basis(w);
    if (some_row_is_impossible(w))
        return NO_VERTEX_AT_ALL;
    if (basic_solution_is_nonnegative(w) && !image_is_in_hull(w, corners))
        return VERTEX_OUTSIDE;

    for (int row = 0; row < ROWS; row++) {
        for (int slot = 0; slot < RHS; slot++) {
            if (!exchange_leads_to_new_basis(w, row, slot))
                continue;
            exchange(w, row, slot);
            enum finding found = walk(w, corners);
            if (found != NOTHING_YET)
                return found;
            exchange(w, row, slot);
        }
    }
    return NOTHING_YET;
}

/* ---- The questions ----------------------------------------------------------------------- */

static bool apart_along(const float *a, const float *b, int axis)
{
    int32_t a_least = INT32_MAX, a_most = INT32_MIN;
    int32_t b_least = INT32_MAX, b_most = INT32_MIN;
    for (int i = axis; i < 9; i += AXES) {
        int32_t ka = order_key(a[i]);
        int32_t kb = order_key(b[i]);
        a_least = ka < a_least ? ka : a_least;
        a_most = ka > a_most ? ka : a_most;
        b_least = kb < b_least ? kb : b_least;
        b_most = kb > b_most ? kb : b_most;
    }
    return a_most < b_least || b_most < a_least;
}

/* Whether the triangles share a point outside the hull of the given set of corners of a. */
static bool intersect_outside(const float *a, const float *b, unsigned corners)
{
    for (int axis = 0; axis < AXES; axis++) {
        if (apart_along(a, b, axis))
            return false;
    }
    struct workspace *w = get_workspace();
    const float *points[CORNERS] = {a, a + 3, a + 6, b, b + 3, b + 6};
    for (int axis = 0; axis < AXES; axis++)
        load_axis(w, points, CORNERS, axis);
    fill_tableau(w);
    return find_first_basis(w) && walk(w, corners) == VERTEX_OUTSIDE;
}

int oracle_gmp_intersect(const float a[9], const float b[9])
{
    return intersect_outside(a, b, 0);
}

int oracle_gmp_intersect_beyond(const float a[9], const float b[9], int shared_count,
                                const int shared[3])
{
    unsigned corners = 0;
    for (int i = 0; i < shared_count; i++)
        corners |= 1u << shared[i];
    return intersect_outside(a, b, corners);
}

/* corner[0..n-1] become their differences from corner[n]. */
static void subtract_last_point(struct workspace *w, int n)
{
    for (int i = 0; i < n; i++) {
        for (int axis = 0; axis < n; axis++)
            mpz_sub(w->corner[i][axis], w->corner[i][axis], w->corner[n][axis]);
    }
}

/* left = the minor of rows 0 and 1 in columns i and j. */
static void find_minor(struct workspace *w, int i, int j)
{
    mpz_mul(w->left, w->corner[0][i], w->corner[1][j]);
    mpz_submul(w->left, w->corner[0][j], w->corner[1][i]);
}

int oracle_gmp_orient3d(const float a[3], const float b[3], const float c[3], const float d[3])
{
    struct workspace *w = get_workspace();
    const float *points[] = {a, b, c, d};
    for (int axis = 0; axis < 3; axis++)
        load_axis(w, points, 4, axis);
    subtract_last_point(w, 3);

    mpz_set_si(w->right, 0);
    for (int axis = 0; axis < 3; axis++) {
        find_minor(w, (axis + 1) % 3, (axis + 2) % 3);
        mpz_addmul(w->right, w->left, w->corner[2][axis]);
    }
    return mpz_sgn(w->right);
}

int oracle_gmp_orient2d(const float a[2], const float b[2], const float c[2])
{
    struct workspace *w = get_workspace();
    const float *points[] = {a, b, c};
    for (int axis = 0; axis < 2; axis++)
        load_axis(w, points, 3, axis);
    subtract_last_point(w, 2);
    find_minor(w, 0, 1);
    return mpz_sgn(w->left);
}
