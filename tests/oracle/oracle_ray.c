/* The oracle of rays: see oracle_ray.h. */
#include "oracle_ray.h"

#include <math.h>

enum { EQUATIONS = 4, UNKNOWNS = 4, RIGHT = UNKNOWNS };

/* Kept from call to call: to allocate numbers takes longer than the sums. */
static struct {
    bool is_ready;
    mpq_t input[EQUATIONS][UNKNOWNS + 1], cells[EQUATIONS][UNKNOWNS + 1];
    mpq_t factor, product, limit;
} work;

static void for_all(void (*act)(mpq_ptr))
{
    for (int row = 0; row < EQUATIONS; row++)
        for (int column = 0; column <= UNKNOWNS; column++) {
            act(work.input[row][column]);
            act(work.cells[row][column]);
        }
    act(work.factor);
    act(work.product);
    act(work.limit);
}

static void init_number(mpq_ptr number)
{
    mpq_init(number);
}

static void clear_number(mpq_ptr number)
{
    mpq_clear(number);
}

void oracle_ray_release(void)
{
    if (work.is_ready)
        for_all(clear_number);
    work.is_ready = false;
}

/* Rows: the weights sum to one; then, along each axis, the point of the triangle is that of the
 * ray. Columns: three weights, the parameter, the right-hand side. */
static void fill(const float *origin, const float *direction, const float *triangle)
{
    if (!work.is_ready)
        for_all(init_number);
    work.is_ready = true;
    for (int i = 0; i < 3; i++)
        mpq_set_si(work.input[0][i], 1, 1);
    mpq_set_si(work.input[0][3], 0, 1);
    mpq_set_si(work.input[0][RIGHT], 1, 1);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            mpq_set_d(work.input[1 + k][i], triangle[3 * i + k]);
        mpq_set_d(work.input[1 + k][3], -(double)direction[k]);
        mpq_set_d(work.input[1 + k][RIGHT], origin[k]);
    }
}

/* Subtracts `factor` times a row from another, from a column on. */
static void subtract_row(int from, int row, int first)
{
    mpq_set(work.factor, work.cells[row][first]);
    for (int column = first; column <= UNKNOWNS; column++) {
        mpq_mul(work.product, work.factor, work.cells[from][column]);
        mpq_sub(work.cells[row][column], work.cells[row][column], work.product);
    }
}

static bool bring_pivot(int row, int column)
{
    int found = row;
    while (found < EQUATIONS && mpq_sgn(work.cells[found][column]) == 0)
        found++;
    if (found == EQUATIONS)
        return false;
    for (int c = 0; c <= UNKNOWNS && found != row; c++)
        mpq_swap(work.cells[found][c], work.cells[row][c]);
    mpq_inv(work.factor, work.cells[row][column]);
    for (int c = column; c <= UNKNOWNS; c++)
        mpq_mul(work.cells[row][c], work.cells[row][c], work.factor);
    return true;
}

/* Is there a solution with these unknowns alone, none of which is negative? Sets `t` if there is.
 * Gauss and Jordan: columns that are not in the set are skipped. If columns depend on others, there
 * is an answer with fewer of them. */
typedef enum Answer { NO, YES, DEPENDENT } Answer;

static Answer solve(unsigned set, mpq_t t)
{
    int row = 0, t_row = -1;
    for (int i = 0; i < EQUATIONS; i++)
        for (int column = 0; column <= UNKNOWNS; column++)
            mpq_set(work.cells[i][column], work.input[i][column]);
    for (int column = 0; column < UNKNOWNS; column++) {
        if (!(set >> column & 1))
            continue;
        if (row == EQUATIONS || !bring_pivot(row, column))
            return DEPENDENT;
        for (int other = 0; other < EQUATIONS; other++)
            if (other != row && mpq_sgn(work.cells[other][column]) != 0)
                subtract_row(row, other, column);
        t_row = column == 3 ? row : t_row;
        row++;
    }
    for (int i = 0; i < EQUATIONS; i++)
        if (i < row ? mpq_sgn(work.cells[i][RIGHT]) < 0 : mpq_sgn(work.cells[i][RIGHT]) != 0)
            return NO;
    if (t_row < 0)
        mpq_set_si(t, 0, 1);
    else
        mpq_set(t, work.cells[t_row][RIGHT]);
    return YES;
}

/* The least parameter of all solutions. If no columns depend on others there is one at most, which
 * has all unknowns; else it is among those with fewer. */
static bool find_least(mpq_t t)
{
    const unsigned all = (1u << UNKNOWNS) - 1;
    const Answer answer = solve(all, t);
    bool is_found = answer == YES;
    mpq_t other;
    mpq_init(other);
    for (unsigned set = 1; set < all && answer == DEPENDENT; set++)
        if (solve(set, other) == YES && (!is_found || mpq_cmp(other, t) < 0)) {
            mpq_set(t, other);
            is_found = true;
        }
    mpq_clear(other);
    return is_found;
}

bool oracle_ray(const float origin[3], const float direction[3], float max, const float triangle[9],
                mpq_t t)
{
    fill(origin, direction, triangle);
    const bool is_found = find_least(t);
    if (!is_found || isinf(max))
        return is_found;
    mpq_set_d(work.limit, max);
    return mpq_cmp(t, work.limit) <= 0;
}
