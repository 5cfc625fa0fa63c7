/* Roots of polynomials: see roots.h. */
#include "geom/roots.h"
#include "geom/numbers.h"

#include <math.h>
#include <string.h>

/* A sign that double does not tell. */
enum { UNKNOWN = 2 };

/* ---- Polynomials --------------------------------------------------------------------------- */

void pli_poly_close(PliPoly *poly, int count)
{
    int32_t top = INT32_MIN;
    poly->degree = -1;
    for (int i = 0; i < count; i++) {
        const PliBig *c = &poly->c[i];
        if (c->sign == 0)
            continue;
        poly->degree = i;
        top = c->exponent + c->count > top ? c->exponent + c->count : top;
    }
    for (int i = 0; i <= poly->degree; i++)
        poly->d[i] = pli_big_scaled(&poly->c[i], top);
}

static void copy_poly(PliPoly *to, const PliPoly *from)
{
    to->degree = from->degree;
    for (int i = 0; i <= from->degree; i++) {
        pli_big_copy(&to->c[i], &from->c[i]);
        to->d[i] = from->d[i];
    }
}

/* A polynomial in double from `low` to `high`, of [0, 1]. Its value in the middle m, by Horner, has
 * at most 7 rounding factors and the errors of d: it is within 2^-49 times the sum M of |d_i|
 * high^i, and 4 * 2^-800, of the real one. Within half of the width w, it changes by at most w / 2
 * times the sum of i |d_i| high^(i - 1). The middle is rounded: the half is more by 2^-53 of high.
 * All of this is itself within 2^-48 of what it bounds. */
static int sign_between(const PliPoly *p, double low, double high)
{
    const double middle = low + (high - low) / 2, half = (high - low) * 0.5 + high * 0x1p-52;
    double value = 0, most = 0, slope = 0;
    for (int i = p->degree; i >= 0; i--) {
        value = value * middle + p->d[i];
        slope = slope * high + most;
        most = most * high + fabs(p->d[i]);
    }
    const double error = (most * 0x1p-48 + slope * half) * (1 + 0x1p-40) + 0x1p-700;
    return value > error ? 1 : value < -error ? -1 : UNKNOWN;
}

/* product = a * b, of which the result may be one; sum += product. */
static void add_product(PliBig *sum, const PliBig *a, const PliBig *b)
{
    PliBig product;
    pli_big_multiply(&product, a, b);
    pli_big_add(sum, sum, &product);
}

static void subtract_product(PliBig *sum, const PliBig *a, const PliBig *b)
{
    PliBig product;
    pli_big_multiply(&product, a, b);
    pli_big_subtract(sum, sum, &product);
}

/* big *= factor. */
static void scale(PliBig *big, float factor)
{
    PliBig number;
    pli_big_set(&number, factor);
    pli_big_multiply(big, big, &number);
}

/* ---- Points -------------------------------------------------------------------------------- */

/* A float; the root of a linear polynomial; or one root of a quadratic with two. */
typedef struct Point {
    double low, high; /* bounds; only of a float */
    const PliPoly *poly;
    const PliBig *discriminant; /* of a quadratic */
    int side;                   /* s, the sign of the square root */
    PliBig x;                   /* a float */
} Point;

static void set_float(Point *point, float x)
{
    point->poly = NULL;
    point->low = point->high = x;
    pli_big_set(&point->x, x);
}

static int sign_at_float(const PliPoly *p, const PliBig *x)
{
    PliBig value;
    pli_big_copy(&value, &p->c[p->degree]);
    for (int i = p->degree - 1; i >= 0; i--) {
        pli_big_multiply(&value, &value, x);
        pli_big_add(&value, &value, &p->c[i]);
    }
    return value.sign;
}

/* At -g0 / g1: the sum of p_i (-g0)^i g1^(n - i) has the sign of p there, times that of g1^n. */
static int sign_at_ratio(const PliPoly *p, const PliPoly *g)
{
    const PliBig *g1 = &g->c[1];
    PliBig x, power, value;
    pli_big_copy(&x, &g->c[0]);
    pli_big_copy(&power, g1);
    pli_big_copy(&value, &p->c[p->degree]);
    pli_big_negate(&x);
    for (int i = p->degree - 1; i >= 0; i--) {
        pli_big_multiply(&value, &value, &x);
        add_product(&value, &p->c[i], &power);
        if (i > 0)
            pli_big_multiply(&power, &power, g1);
    }
    return p->degree % 2 ? value.sign * g1->sign : value.sign;
}

/* At a root of g = g2 t^2 + g1 t + g0. From the highest coefficient on, r1 t + r0 is what is left
 * of p there, times a power of g2: times t it is r1 t^2 + r0 t, and times g2, since g2 t^2 = -g1 t
 * - g0,
 *
 *     (g2 r0 - g1 r1) t - g0 r1.
 *
 * In the end, 2 g2 (r1 t + r0) = (2 g2 r0 - g1 r1) + s r1 sqrt(discriminant). */
static int sign_at_surd(const PliPoly *p, const Point *point)
{
    const PliBig *g0 = &point->poly->c[0], *g1 = &point->poly->c[1], *g2 = &point->poly->c[2];
    PliBig r0, r1, power, next;
    int sign = 1;
    pli_big_copy(&r1, &p->c[p->degree]); /* of degree 1 at least: nothing to reduce yet */
    pli_big_copy(&r0, &p->c[p->degree - 1]);
    pli_big_set(&power, 1);
    for (int i = p->degree - 2; i >= 0; i--) {
        pli_big_multiply(&power, &power, g2);
        sign *= g2->sign;
        pli_big_multiply(&next, g2, &r0);
        subtract_product(&next, g1, &r1);
        pli_big_multiply(&r0, g0, &r1);
        pli_big_negate(&r0);
        add_product(&r0, &p->c[i], &power);
        pli_big_copy(&r1, &next);
    }
    pli_big_multiply(&next, g2, &r0);
    scale(&next, 2);
    subtract_product(&next, g1, &r1);
    const int a = next.sign, b = r1.sign * point->side;
    sign *= g2->sign;
    if (a * b >= 0)
        return sign * (a ? a : b);
    pli_big_multiply(&next, &next, &next);
    pli_big_multiply(&r1, &r1, &r1);
    return sign * a *
           pli_big_compare_products(&next, &(PliBig){1, 0, 1, {1}}, &r1, point->discriminant);
}

static int sign_at(const PliPoly *p, const Point *point)
{
    if (p->degree < 1)
        return p->degree < 0 ? 0 : p->c[0].sign;
    if (!point->poly) {
        const int sign = sign_between(p, point->low, point->high);
        return sign == UNKNOWN ? sign_at_float(p, &point->x) : sign;
    }
    return point->poly->degree == 1 ? sign_at_ratio(p, point->poly) : sign_at_surd(p, point);
}

/* ---- Sequences ----------------------------------------------------------------------------- */

static int changes_of(const int *signs, int count)
{
    int changes = 0, last = 0;
    for (int i = 0; i < count; i++) {
        changes += signs[i] * last < 0;
        last = signs[i] ? signs[i] : last;
    }
    return changes;
}

/* How many roots are above a point, and whether it is a root. */
static int count_above(const PliChain *chain, const Point *point, bool *is_root)
{
    int signs[4];
    for (int i = 0; i < chain->count; i++)
        signs[i] = sign_at(&chain->f[i], point);
    signs[chain->count] = chain->last;
    *is_root = signs[0] == 0;
    return changes_of(signs, chain->count + 1) - chain->infinity;
}

/* The same for a double of [0, 1], by doubles: -1 if they do not tell. */
static int guess_above(const PliChain *chain, double x)
{
    int signs[4];
    for (int i = 0; i < chain->count; i++)
        if ((signs[i] = sign_between(&chain->f[i], x, x)) == UNKNOWN)
            return -1;
    signs[chain->count] = chain->last;
    return changes_of(signs, chain->count + 1) - chain->infinity;
}

/* The sign of root - point. */
static int compare(const PliRoot *root, const Point *point)
{
    bool is_root;
    const int above = count_above(root->chain, point, &is_root);
    if (above > root->above)
        return 1;
    return is_root && above == root->above ? 0 : -1;
}

static void set_derivative(PliPoly *derivative, const PliPoly *p)
{
    for (int i = 1; i <= p->degree; i++) {
        pli_big_copy(&derivative->c[i - 1], &p->c[i]);
        scale(&derivative->c[i - 1], (float)i);
    }
    pli_poly_close(derivative, p->degree);
}

static void close_chain(PliChain *chain)
{
    int signs[4];
    for (int i = 0; i < chain->count; i++) {
        const PliPoly *f = &chain->f[i];
        signs[i] = f->degree < 0 ? 0 : f->c[f->degree].sign;
    }
    signs[chain->count] = chain->last;
    chain->infinity = changes_of(signs, chain->count + 1);
}

/* b^2 - 4 a c. */
static void set_discriminant(PliBig *discriminant, const PliPoly *p)
{
    PliBig ac;
    pli_big_multiply(discriminant, &p->c[1], &p->c[1]);
    pli_big_multiply(&ac, &p->c[2], &p->c[0]);
    scale(&ac, 4);
    pli_big_subtract(discriminant, discriminant, &ac);
}

/* 18 a b c d - 4 b^3 d + b^2 c^2 - 4 a c^3 - 27 a^2 d^2 = b c (18 a d + b c) - 4 (b^3 d + a c^3) -
 * 27 (a d)^2. */
static int cubic_discriminant(const PliPoly *p)
{
    const PliBig *a = &p->c[3], *b = &p->c[2], *c = &p->c[1], *d = &p->c[0];
    PliBig ad, bc, sum, term, other;
    pli_big_multiply(&ad, a, d);
    pli_big_multiply(&bc, b, c);
    pli_big_copy(&sum, &ad);
    scale(&sum, 18);
    pli_big_add(&sum, &sum, &bc);
    pli_big_multiply(&sum, &sum, &bc);
    pli_big_multiply(&term, b, b);
    pli_big_multiply(&other, b, d);
    pli_big_multiply(&term, &term, &other);
    pli_big_multiply(&other, c, c);
    pli_big_multiply(&other, &other, a);
    add_product(&term, &other, c);
    scale(&term, 4);
    pli_big_subtract(&sum, &sum, &term);
    pli_big_multiply(&ad, &ad, &ad);
    scale(&ad, 27);
    return pli_big_compare(&sum, &ad);
}

/* (2 b^2 - 6 a c) t + (b c - 9 a d), times the sign of a. */
static void set_remainder(PliPoly *remainder, const PliPoly *p)
{
    const PliBig *a = &p->c[3], *b = &p->c[2], *c = &p->c[1], *d = &p->c[0];
    PliBig term;
    pli_big_multiply(&remainder->c[1], b, b);
    scale(&remainder->c[1], 2);
    pli_big_multiply(&term, a, c);
    scale(&term, 6);
    pli_big_subtract(&remainder->c[1], &remainder->c[1], &term);
    pli_big_multiply(&remainder->c[0], b, c);
    pli_big_multiply(&term, a, d);
    scale(&term, 9);
    pli_big_subtract(&remainder->c[0], &remainder->c[0], &term);
    if (a->sign < 0) {
        pli_big_negate(&remainder->c[0]);
        pli_big_negate(&remainder->c[1]);
    }
    pli_poly_close(remainder, 2);
}

/* ---- Finding roots ------------------------------------------------------------------------- */

/* Narrows the bounds of a root of [0, 1] as far as doubles tell. Positive doubles are ordered like
 * their bits. */
static void narrow(PliRoot *root)
{
    uint64_t low = 0, high, middle;
    memcpy(&high, &(double){1}, sizeof high);
    while (high - low > 1) {
        double x;
        middle = low + (high - low) / 2;
        memcpy(&x, &middle, sizeof x);
        const int above = guess_above(root->chain, x);
        if (above < 0)
            break;
        if (above > root->above)
            low = middle;
        else
            high = middle;
    }
    memcpy(&root->low, &low, sizeof low);
    memcpy(&root->high, &high, sizeof high);
}

/* Adds the roots of a chain that are from 0 to 1. */
static void add_roots(PliRoots *roots, const PliChain *chain)
{
    Point end;
    bool is_root;
    set_float(&end, 0);
    const int above_0 = count_above(chain, &end, &is_root), first = above_0 + is_root;
    set_float(&end, 1);
    const int above_1 = count_above(chain, &end, &is_root);
    for (int above = above_1; above < first; above++) {
        PliRoot *root = &roots->items[roots->count++];
        *root = (PliRoot){.chain = chain, .above = above, .low = 0, .high = 1};
        if (above == above_1 && is_root)
            root->low = 1;
        else if (above == above_0)
            root->high = 0;
        else
            narrow(root);
    }
}

static void start_chain(PliChain *chain, const PliPoly *p)
{
    copy_poly(&chain->f[0], p);
    set_derivative(&chain->f[1], p);
    chain->count = 2;
    chain->last = 0;
}

/* The root of c1 t + c0, in a chain whose coefficients of f0 are there. */
static void add_linear(PliRoots *roots, PliChain *chain)
{
    pli_poly_close(&chain->f[0], 2);
    set_derivative(&chain->f[1], &chain->f[0]);
    chain->count = 2;
    chain->last = 0;
    close_chain(chain);
    add_roots(roots, chain);
}

static void find_quadratic(PliRoots *roots, const PliPoly *p)
{
    PliChain *chain = &roots->chains[0];
    PliBig discriminant;
    set_discriminant(&discriminant, p);
    if (discriminant.sign < 0)
        return;
    start_chain(chain, p);
    if (discriminant.sign > 0) {
        chain->last = p->c[2].sign;
        close_chain(chain);
        add_roots(roots, chain);
        return;
    }
    copy_poly(&chain->f[0], &chain->f[1]); /* 2 a t + b */
    add_linear(roots, chain);
}

/* Of a cubic with a double root, or a triple one. */
static void find_double(PliRoots *roots, const PliPoly *p, const PliPoly *remainder)
{
    const PliBig *a = &p->c[3], *b = &p->c[2], *q0 = &remainder->c[0], *q1 = &remainder->c[1];
    PliPoly *first = &roots->chains[0].f[0], *second = &roots->chains[1].f[0];
    if (remainder->degree < 1) {
        pli_big_copy(&first->c[0], b);
        pli_big_copy(&first->c[1], a);
        scale(&first->c[1], 3);
        add_linear(roots, &roots->chains[0]);
        return;
    }
    pli_big_copy(&first->c[0], q0);
    pli_big_copy(&first->c[1], q1);
    pli_big_multiply(&second->c[1], a, q1);
    pli_big_multiply(&second->c[0], a, q0);
    scale(&second->c[0], -2);
    add_product(&second->c[0], b, q1);
    add_linear(roots, &roots->chains[0]);
    add_linear(roots, &roots->chains[1]);
}

static void find_cubic(PliRoots *roots, const PliPoly *p)
{
    PliChain *chain = &roots->chains[0];
    const int discriminant = cubic_discriminant(p);
    start_chain(chain, p);
    set_remainder(&chain->f[2], p);
    if (discriminant == 0) {
        find_double(roots, p, &chain->f[2]);
        return;
    }
    chain->count = 3;
    chain->last = p->c[3].sign * discriminant;
    close_chain(chain);
    add_roots(roots, chain);
}

void pli_roots_find(PliRoots *roots, const PliPoly *poly)
{
    roots->count = 0;
    if (poly->degree == 1) {
        copy_poly(&roots->chains[0].f[0], poly);
        add_linear(roots, &roots->chains[0]);
    } else if (poly->degree == 2) {
        find_quadratic(roots, poly);
    } else if (poly->degree == 3) {
        find_cubic(roots, poly);
    }
}

/* ---- What is asked of a root --------------------------------------------------------------- */

/* g has two roots: the sign is that of its first coefficient outside of them. */
static int sign_of_two(const PliRoot *root, const PliPoly *g, const PliBig *discriminant)
{
    const int sign = g->c[2].sign;
    Point point = {.poly = g, .discriminant = discriminant, .side = -sign};
    const int first = compare(root, &point);
    if (first <= 0)
        return first == 0 ? 0 : sign;
    point.side = sign;
    return sign * compare(root, &point);
}

static int sign_of_quadratic(const PliRoot *root, const PliPoly *g)
{
    PliBig discriminant;
    set_discriminant(&discriminant, g);
    if (discriminant.sign > 0)
        return sign_of_two(root, g, &discriminant);
    if (discriminant.sign < 0)
        return g->c[2].sign;
    PliPoly half;
    set_derivative(&half, g);
    return compare(root, &(Point){.poly = &half}) == 0 ? 0 : g->c[2].sign;
}

int pli_root_sign(const PliRoot *root, const PliPoly *g)
{
    if (g->degree < 1)
        return g->degree < 0 ? 0 : g->c[0].sign;
    const int sign = sign_between(g, root->low, root->high);
    if (sign != UNKNOWN)
        return sign;
    if (root->chain->f[0].degree == 1)
        return sign_at_ratio(g, &root->chain->f[0]);
    if (g->degree == 1)
        return g->c[1].sign * compare(root, &(Point){.poly = g});
    return sign_of_quadratic(root, g);
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The bits of the greatest float that is not above x, of [0, 1]. */
static uint32_t bits_below(double x)
{
    const float below = pli_time_below(x);
    uint32_t bits;
    memcpy(&bits, &below, sizeof bits);
    return bits;
}

float pli_root_floor(const PliRoot *root)
{
    uint32_t low = bits_below(root->low), high = bits_below(root->high);
    while (low < high) {
        const uint32_t middle = high - (high - low) / 2;
        Point point;
        set_float(&point, float_of(middle));
        if (compare(root, &point) >= 0)
            low = middle;
        else
            high = middle - 1;
    }
    return float_of(low);
}
