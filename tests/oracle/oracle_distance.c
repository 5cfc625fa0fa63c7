/* Squared distances in rational numbers: see oracle_distance.h. */
#include "oracle_distance.h"

#include <stdbool.h>

enum { MAX_POINTS = 6, MAX_UNKNOWNS = 4, AXES = 3 };

/* The points of two faces, and the closest points of their flats:
 *     a_0 + sum of s_i (a_i - a_0)   and   b_0 + sum of t_j (b_j - b_0). */
typedef struct Faces {
    int a[3], b[3], a_count, b_count;
    mpq_t points[MAX_POINTS][AXES];             /* of both hulls */
    mpq_t spans[MAX_UNKNOWNS][AXES];            /* a_i - a_0, and then b_0 - b_j */
    mpq_t rows[MAX_UNKNOWNS][MAX_UNKNOWNS + 1]; /* normal equations */
    mpq_t weights[MAX_UNKNOWNS];
    mpq_t gap[AXES], sum, term;
} Faces;

static void for_each_number(Faces *faces, void (*act)(mpq_ptr))
{
    for (int k = 0; k < AXES; k++) {
        for (int i = 0; i < MAX_POINTS; i++)
            act(faces->points[i][k]);
        for (int i = 0; i < MAX_UNKNOWNS; i++)
            act(faces->spans[i][k]);
        act(faces->gap[k]);
    }
    for (int i = 0; i < MAX_UNKNOWNS; i++) {
        for (int j = 0; j <= MAX_UNKNOWNS; j++)
            act(faces->rows[i][j]);
        act(faces->weights[i]);
    }
    act(faces->sum);
    act(faces->term);
}

static void init_number(mpq_ptr number)
{
    mpq_init(number);
}

static void clear_number(mpq_ptr number)
{
    mpq_clear(number);
}

static void set_dot(mpq_t to, mpq_t a[AXES], mpq_t b[AXES], mpq_t term)
{
    mpq_set_ui(to, 0, 1);
    for (int k = 0; k < AXES; k++) {
        mpq_mul(term, a[k], b[k]);
        mpq_add(to, to, term);
    }
}

/* The vectors that span the flats, and a_0 - b_0 in gap. */
static int find_spans(Faces *faces)
{
    int count = 0;
    for (int i = 1; i < faces->a_count; i++, count++)
        for (int k = 0; k < AXES; k++)
            mpq_sub(faces->spans[count][k], faces->points[faces->a[i]][k],
                    faces->points[faces->a[0]][k]);
    for (int i = 1; i < faces->b_count; i++, count++)
        for (int k = 0; k < AXES; k++)
            mpq_sub(faces->spans[count][k], faces->points[faces->b[0]][k],
                    faces->points[faces->b[i]][k]);
    for (int k = 0; k < AXES; k++)
        mpq_sub(faces->gap[k], faces->points[faces->a[0]][k], faces->points[faces->b[0]][k]);
    return count;
}

/* Solves the normal equations; false if they have no one solution. */
static bool solve(Faces *faces, int count)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++)
            set_dot(faces->rows[i][j], faces->spans[i], faces->spans[j], faces->term);
        set_dot(faces->rows[i][count], faces->spans[i], faces->gap, faces->term);
        mpq_neg(faces->rows[i][count], faces->rows[i][count]);
    }
    for (int pivot = 0; pivot < count; pivot++) {
        int best = pivot;
        while (best < count && mpq_sgn(faces->rows[best][pivot]) == 0)
            best++;
        if (best == count)
            return false;
        for (int j = 0; j <= count; j++)
            mpq_swap(faces->rows[pivot][j], faces->rows[best][j]);
        for (int i = 0; i < count; i++) {
            if (i == pivot)
                continue;
            mpq_div(faces->sum, faces->rows[i][pivot], faces->rows[pivot][pivot]);
            for (int j = pivot; j <= count; j++) {
                mpq_mul(faces->term, faces->sum, faces->rows[pivot][j]);
                mpq_sub(faces->rows[i][j], faces->rows[i][j], faces->term);
            }
        }
    }
    for (int i = 0; i < count; i++)
        mpq_div(faces->weights[i], faces->rows[i][count], faces->rows[i][i]);
    return true;
}

/* Are `count` weights and one minus their sum not negative? */
static bool is_in_face(Faces *faces, int first, int count)
{
    mpq_set_ui(faces->sum, 1, 1);
    for (int i = first; i < first + count; i++) {
        if (mpq_sgn(faces->weights[i]) < 0)
            return false;
        mpq_sub(faces->sum, faces->sum, faces->weights[i]);
    }
    return mpq_sgn(faces->sum) >= 0;
}

/* The squared distance of the points that were found. */
static void set_square(Faces *faces, int count, mpq_t square)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < AXES; k++) {
            mpq_mul(faces->term, faces->weights[i], faces->spans[i][k]);
            mpq_add(faces->gap[k], faces->gap[k], faces->term);
        }
    set_dot(square, faces->gap, faces->gap, faces->term);
}

static int choose(unsigned bits, int first, int *chosen)
{
    int count = 0;
    for (int i = 0; bits >> i; i++)
        if (bits >> i & 1)
            chosen[count++] = first + i;
    return count;
}

static int bit_count(unsigned bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

void oracle_squared_distance(const float *a, int a_count, const float *b, int b_count, mpq_t square,
                             unsigned *support)
{
    double points[2][9] = {{0}};
    for (int i = 0; i < 3 * a_count; i++)
        points[0][i] = (double)a[i];
    for (int i = 0; i < 3 * b_count; i++)
        points[1][i] = (double)b[i];
    oracle_squared_distance64(points[0], a_count, points[1], b_count, square, support);
}

void oracle_squared_distance64(const double *a, int a_count, const double *b, int b_count,
                               mpq_t square, unsigned *support)
{
    Faces faces;
    mpq_t here;
    bool has_any = false;
    mpq_init(here);
    for_each_number(&faces, init_number);
    for (int i = 0; i < a_count + b_count; i++)
        for (int k = 0; k < AXES; k++)
            mpq_set_d(faces.points[i][k], i < a_count ? a[3 * i + k] : b[3 * (i - a_count) + k]);
    *support = 0;
    for (unsigned bits = 1; bits < 1U << (a_count + b_count); bits++) {
        const unsigned a_bits = bits & ((1U << a_count) - 1), b_bits = bits >> a_count;
        if (a_bits == 0 || b_bits == 0)
            continue;
        faces.a_count = choose(a_bits, 0, faces.a);
        faces.b_count = choose(b_bits, a_count, faces.b);
        const int count = find_spans(&faces);
        if (!solve(&faces, count) || !is_in_face(&faces, 0, faces.a_count - 1) ||
            !is_in_face(&faces, faces.a_count - 1, faces.b_count - 1))
            continue;
        set_square(&faces, count, here);
        const int order = has_any ? mpq_cmp(here, square) : -1;
        if (order < 0)
            mpq_set(square, here);
        if (order < 0 || (order == 0 && bit_count(bits) < bit_count(*support)))
            *support = bits;
        has_any = true;
    }
    for_each_number(&faces, clear_number);
    mpq_clear(here);
}

int oracle_compare_distance(const mpq_t square, float distance)
{
    mpq_t other;
    mpq_init(other);
    mpq_set_d(other, (double)distance);
    mpq_mul(other, other, other);
    const int order = mpq_cmp(square, other);
    mpq_clear(other);
    return (order > 0) - (order < 0);
}
