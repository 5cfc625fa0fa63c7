/* Signs of points that are moved by infinitely little, against rational numbers: the oracle moves
 * the points, by powers of 2^-20, and computes the determinant. Coordinates are small integers, so
 * that most determinants are zero, and a power of 2^-20 is more than all higher ones together.
 *
 * usage: test_perturbed [cases]
 */
#include "geom/perturbed.h"
#include "scenes.h"

#include <gmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 20, SIZE = 4 };

typedef struct Rational3 {
    mpq_t x[3];
} Rational3;

static void set_point(Rational3 *point, const float *p)
{
    for (int k = 0; k < 3; k++)
        mpq_set_d(point->x[k], p[k]);
}

/* x += 2^(-BITS * power). */
static void move(mpq_t x, unsigned power)
{
    mpq_t by;
    mpq_init(by);
    mpq_set_ui(by, 1, 1);
    mpq_div_2exp(by, by, (mp_bitcnt_t)BITS * power);
    mpq_add(x, x, by);
    mpq_clear(by);
}

static void move_all(Rational3 *points, int count)
{
    for (int i = 0; i < count; i++)
        for (unsigned k = 0; k < 3; k++)
            move(points[i].x[k], k + 1);
}

/* The determinant of the rows a - d, b - d, c - d. */
static void determinant(const Rational3 p[4], mpq_t sum)
{
    mpq_t rows[3][3], product;
    mpq_init(product);
    mpq_set_ui(sum, 0, 1);
    for (int i = 0; i < 9; i++) {
        mpq_init(rows[i / 3][i % 3]);
        mpq_sub(rows[i / 3][i % 3], p[i / 3].x[i % 3], p[3].x[i % 3]);
    }
    for (int k = 0; k < 6; k++) {
        const int a = k % 3, b = (a + 1 + k / 3) % 3, c = 3 - a - b;
        mpq_mul(product, rows[0][a], rows[1][b]);
        mpq_mul(product, product, rows[2][c]);
        if (k < 3)
            mpq_add(sum, sum, product);
        else
            mpq_sub(sum, sum, product);
    }
    for (int i = 0; i < 9; i++)
        mpq_clear(rows[i / 3][i % 3]);
    mpq_clear(product);
}

static int determinant_sign(const Rational3 p[4])
{
    mpq_t sum;
    mpq_init(sum);
    determinant(p, sum);
    const int sign = mpq_sgn(sum);
    mpq_clear(sum);
    return sign > 0 ? 1 : sign < 0 ? -1 : 0;
}

/* ---- Each vertex moved ------------------------------------------------------------------------
 */

static int compare(const float *p, uint64_t p_label, const float *q, uint64_t q_label)
{
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k])
            return p[k] < q[k] ? -1 : 1;
    return p_label < q_label ? -1 : 1;
}

static int true_sign(const float points[4][3], const uint64_t labels[4])
{
    Rational3 moved[4];
    for (int i = 0; i < 4; i++) {
        unsigned rank = 0;
        for (int j = 0; j < 4; j++)
            rank += j != i && compare(points[j], labels[j], points[i], labels[i]) < 0;
        for (unsigned k = 0; k < 3; k++)
            mpq_init(moved[i].x[k]);
        set_point(&moved[i], points[i]);
        for (unsigned k = 0; k < 3; k++)
            move(moved[i].x[k], 1u << (3 * rank + k));
    }
    const int sign = determinant_sign(moved);
    for (int i = 0; i < 12; i++)
        mpq_clear(moved[i / 3].x[i % 3]);
    return sign;
}

static int64_t check_labeled(SceneRandom *random, const float points[4][3])
{
    PliCounts counts = {0};
    uint64_t labels[4];
    PliLabeled labeled[4];
    for (int i = 0; i < 4; i++) {
        labels[i] = 4 * scene_random_below(random, 100) + (uint64_t)i;
        labeled[i] = (PliLabeled){points[i], labels[i]};
    }
    return pli_perturbed_orient3d(&labeled[0], &labeled[1], &labeled[2], &labeled[3], &counts) !=
           true_sign(points, labels);
}

/* ---- All moved alike --------------------------------------------------------------------------
 */

/* Of four points, the first so many are moved. */
static int true_moved_sign(const float points[4][3], int first, int count)
{
    Rational3 moved[4];
    for (int i = 0; i < 12; i++)
        mpq_init(moved[i / 3].x[i % 3]);
    for (int i = 0; i < 4; i++)
        set_point(&moved[i], points[i]);
    move_all(moved + first, count);
    const int sign = determinant_sign(moved);
    for (int i = 0; i < 12; i++)
        mpq_clear(moved[i / 3].x[i % 3]);
    return sign;
}

static int64_t check_moved(const float points[4][3])
{
    PliCounts counts = {0};
    const float *p = points[0], *q = points[1], *r = points[2], *s = points[3];
    int64_t wrong = 0;
    wrong += pli_moved_side(s, p, PLI_MOVED_FIRST, &counts) != true_moved_sign(points, 3, 1);
    wrong += pli_moved_side(s, p, PLI_MOVED_SECOND, &counts) != true_moved_sign(points, 0, 3);
    wrong +=
        pli_moved_orient3d(p, q, r, s, PLI_MOVED_FIRST, &counts) != true_moved_sign(points, 0, 2);
    wrong +=
        pli_moved_orient3d(p, q, r, s, PLI_MOVED_SECOND, &counts) != true_moved_sign(points, 2, 2);
    return wrong;
}

/* Where the edge crosses the plane of a triangle: height over fall. False if it is in the plane. */
static bool crossing(const float *p, const float *q, const float *t, PliMoved moved, mpq_t at)
{
    Rational3 points[5];
    mpq_t heights[2];
    for (int i = 0; i < 15; i++)
        mpq_init(points[i / 3].x[i % 3]);
    for (int i = 0; i < 3; i++)
        set_point(&points[i], t + 3 * i);
    set_point(&points[3], p);
    set_point(&points[4], q);
    if (moved == PLI_MOVED_FIRST)
        move_all(points + 3, 2);
    if (moved == PLI_MOVED_SECOND)
        move_all(points, 3);
    for (int i = 0; i < 2; i++) {
        mpq_init(heights[i]);
        determinant(points, heights[i]);
        for (int k = 0; k < 3; k++)
            mpq_set(points[3].x[k], points[4].x[k]);
    }
    mpq_sub(heights[1], heights[0], heights[1]);
    const bool is_there = mpq_sgn(heights[1]) != 0;
    if (is_there)
        mpq_div(at, heights[0], heights[1]);
    for (int i = 0; i < 15; i++)
        mpq_clear(points[i / 3].x[i % 3]);
    mpq_clear(heights[0]);
    mpq_clear(heights[1]);
    return is_there;
}

static int64_t check_crossings(const float points[8][3])
{
    int64_t wrong = 0;
    mpq_t a, b;
    mpq_init(a);
    mpq_init(b);
    for (PliMoved moved = PLI_MOVED_FIRST; moved <= PLI_MOVED_SECOND; moved++) {
        const float *p = points[0], *q = points[1], *s = points[2], *t = points[5];
        int truth = 0;
        if (crossing(p, q, s, moved, a) && crossing(p, q, t, moved, b))
            truth = mpq_cmp(a, b);
        truth = truth > 0 ? 1 : truth < 0 ? -1 : 0;
        wrong += pli_compare_crossings(p, q, s, t, moved) != truth;
    }
    mpq_clear(a);
    mpq_clear(b);
    return wrong;
}

int main(int argc, char **argv)
{
    const int64_t count = argc > 1 ? strtoll(argv[1], NULL, 10) : 5000;
    SceneRandom random = {17};
    int64_t wrong[3] = {0, 0, 0};
    for (int64_t i = 0; i < count; i++) {
        float points[8][3];
        for (int k = 0; k < 24; k++)
            points[k / 3][k % 3] = (float)scene_random_below(&random, i % 2 ? 2 : SIZE);
        wrong[0] += check_labeled(&random, (const float(*)[3])points);
        wrong[1] += check_moved((const float(*)[3])points);
        wrong[2] += check_crossings((const float(*)[3])points);
    }
    printf("perturbed: %" PRId64 " cases, %" PRId64 " wrong signs with labels, %" PRId64
           " of what is moved, %" PRId64 " wrong orders\n",
           count, wrong[0], wrong[1], wrong[2]);
    return wrong[0] + wrong[1] + wrong[2] != 0;
}
