/* Features on their way in whole numbers: see oracle_sweep.h. */
#include "oracle_sweep.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { AXES = 3, POINTS = 4, MAX_DEGREE = 4, MAX_POLYS = 1024 };

/* ---- Polynomials ------------------------------------------------------------------------------
 *
 * They are kept from call to call, so that their numbers need not be made anew, and are given back
 * all at once.
 */

typedef struct Poly {
    int degree; /* -1: zero */
    mpz_t c[MAX_DEGREE + 1];
} Poly;

static Poly polys[MAX_POLYS];
static int poly_count, made_count;
static mpz_t value, term, shifted[MAX_DEGREE + 1], bernstein;

static void make_numbers(void)
{
    mpz_inits(value, term, bernstein, NULL);
    for (int i = 0; i <= MAX_DEGREE; i++)
        mpz_init(shifted[i]);
}

static Poly *new_poly(void)
{
    if (poly_count == MAX_POLYS) {
        fprintf(stderr, "oracle_sweep: too many polynomials\n");
        abort();
    }
    Poly *p = &polys[poly_count++];
    if (poly_count > made_count) {
        made_count = poly_count;
        for (int i = 0; i <= MAX_DEGREE; i++)
            mpz_init(p->c[i]);
    }
    p->degree = -1;
    return p;
}

/* Lowers the degree to that of the highest coefficient that is not zero, below `count`. */
static Poly *trim(Poly *p, int count)
{
    p->degree = count - 1;
    while (p->degree >= 0 && mpz_sgn(p->c[p->degree]) == 0)
        p->degree--;
    return p;
}

static Poly *difference(const Poly *a, const Poly *b)
{
    Poly *p = new_poly();
    const int count = (a->degree > b->degree ? a->degree : b->degree) + 1;
    for (int i = 0; i < count; i++) {
        mpz_set_si(p->c[i], 0);
        if (i <= a->degree)
            mpz_add(p->c[i], p->c[i], a->c[i]);
        if (i <= b->degree)
            mpz_sub(p->c[i], p->c[i], b->c[i]);
    }
    return trim(p, count);
}

/* Adds a * b to p, whose coefficients are set up to MAX_DEGREE. */
static void add_product(Poly *p, const Poly *a, const Poly *b, bool is_negative)
{
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            (is_negative ? mpz_submul : mpz_addmul)(p->c[i + j], a->c[i], b->c[j]);
}

static Poly *new_zeros(void)
{
    Poly *p = new_poly();
    for (int i = 0; i <= MAX_DEGREE; i++)
        mpz_set_si(p->c[i], 0);
    return p;
}

static Poly *copy(const Poly *from)
{
    Poly *p = new_poly();
    p->degree = from->degree;
    for (int i = 0; i <= from->degree; i++)
        mpz_set(p->c[i], from->c[i]);
    return p;
}

static Poly *derivative(const Poly *from)
{
    Poly *p = new_poly();
    for (int i = 1; i <= from->degree; i++)
        mpz_mul_si(p->c[i - 1], from->c[i], i);
    p->degree = from->degree > 0 ? from->degree - 1 : -1;
    return p;
}

/* Divides by the greatest common divisor of the coefficients; signs stay. */
static void make_primitive(Poly *p)
{
    mpz_set_si(value, 0);
    for (int i = 0; i <= p->degree; i++)
        mpz_gcd(value, value, p->c[i]);
    for (int i = 0; i <= p->degree; i++)
        mpz_divexact(p->c[i], p->c[i], value);
}

/* m * a = quotient * b + rest, where m is a positive whole number and the rest has a lower degree
 * than b. */
static void divide(const Poly *a, const Poly *b, Poly **quotient, Poly **rest)
{
    Poly *q = new_zeros(), *r = copy(a);
    const mpz_t *lead = (const mpz_t *)&b->c[b->degree];
    const int sign = mpz_sgn(*lead);
    while (r->degree >= b->degree) {
        const int shift = r->degree - b->degree;
        mpz_abs(value, *lead);
        mpz_mul_si(term, r->c[r->degree], sign);
        for (int i = 0; i <= MAX_DEGREE; i++)
            mpz_mul(q->c[i], q->c[i], value);
        mpz_add(q->c[shift], q->c[shift], term);
        for (int i = 0; i <= r->degree; i++)
            mpz_mul(r->c[i], r->c[i], value);
        for (int i = 0; i <= b->degree; i++)
            mpz_submul(r->c[i + shift], term, b->c[i]);
        trim(r, r->degree);
    }
    *quotient = trim(q, MAX_DEGREE + 1);
    *rest = r;
}

/* The greatest common divisor, of any sign and scale. */
static const Poly *common_factor(const Poly *a, const Poly *b)
{
    while (b->degree >= 0) {
        Poly *quotient, *rest;
        divide(a, b, &quotient, &rest);
        make_primitive(rest);
        a = b;
        b = rest;
    }
    return a;
}

/* ---- Times: numbers from 0 to 1 that are roots ------------------------------------------- */

/* The number a / 2^k; or the one root of poly, which has no double root, that is between a / 2^k
 * and (a + 1) / 2^k, neither of which is a root. */
typedef struct Time {
    const Poly *poly;
    bool is_exact;
    int sign; /* of poly at the lower end */
    mpz_t a;
    unsigned long k;
} Time;

/* The sign of p at a / 2^k: Horner's scheme, multiplied by 2^k at each step. */
static int sign_at_number(const Poly *p, const mpz_t a, unsigned long k)
{
    if (p->degree < 0)
        return 0;
    mpz_set(value, p->c[p->degree]);
    for (int i = p->degree - 1; i >= 0; i--) {
        mpz_mul(value, value, a);
        mpz_mul_2exp(term, p->c[i], k * (unsigned long)(p->degree - i));
        mpz_add(value, value, term);
    }
    return mpz_sgn(value);
}

/* Halves the interval, or finds that the root is its middle. */
static void refine(Time *time)
{
    mpz_mul_2exp(time->a, time->a, 1);
    mpz_add_ui(time->a, time->a, 1);
    time->k++;
    const int sign = sign_at_number(time->poly, time->a, time->k);
    time->is_exact = sign == 0;
    if (sign != 0 && sign != time->sign)
        mpz_sub_ui(time->a, time->a, 1);
}

/* The sign of p between a / 2^k and (a + 1) / 2^k if all its Bernstein coefficients there have that
 * sign or are zero; otherwise 0, which means nothing. */
static int sign_between(const Poly *p, const mpz_t a, unsigned long k)
{
    static const unsigned long choose[MAX_DEGREE + 1][MAX_DEGREE + 1] = {
        {1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
    const int n = p->degree;
    bool is_any[2] = {false, false};
    /* 2^(k n) p((a + u) / 2^k) as a polynomial in u */
    for (int i = 0; i <= n; i++)
        mpz_mul_2exp(shifted[i], p->c[i], k * (unsigned long)(n - i));
    for (int i = 0; i < n; i++)
        for (int j = n - 1; j >= i; j--)
            mpz_addmul(shifted[j], a, shifted[j + 1]);
    /* Coefficient j, times choose(n, j), is the sum of choose(n - i, j - i) times shifted[i]. */
    for (int j = 0; j <= n; j++) {
        mpz_set_si(bernstein, 0);
        for (int i = 0; i <= j; i++)
            mpz_addmul_ui(bernstein, shifted[i], choose[n - i][j - i]);
        is_any[0] |= mpz_sgn(bernstein) < 0;
        is_any[1] |= mpz_sgn(bernstein) > 0;
    }
    return is_any[0] == is_any[1] ? 0 : is_any[1] ? 1 : -1;
}

/* The sign of p at a time, which is exact. */
static int sign_at(const Poly *p, Time *time)
{
    if (p->degree <= 0)
        return p->degree < 0 ? 0 : mpz_sgn(p->c[0]);
    if (time->is_exact)
        return sign_at_number(p, time->a, time->k);
    int sign = sign_between(p, time->a, time->k);
    if (sign != 0)
        return sign;
    /* A common factor divides time->poly: it has no root at the ends of the interval, and between
     * them none but this one, which is no double root. */
    const int mark = poly_count;
    const Poly *factor = common_factor(time->poly, p);
    const int low = sign_at_number(factor, time->a, time->k);
    mpz_add_ui(time->a, time->a, 1);
    const int high = sign_at_number(factor, time->a, time->k);
    mpz_sub_ui(time->a, time->a, 1);
    poly_count = mark;
    if (low != high)
        return 0;
    while (sign == 0) {
        refine(time);
        sign = time->is_exact ? sign_at_number(p, time->a, time->k)
                              : sign_between(p, time->a, time->k);
    }
    return sign;
}

/* Negative, zero or positive: x is before y, is y, or is after it. */
static int compare_times(Time *x, Time *y)
{
    while (true) {
        if (x->k < y->k && !x->is_exact) {
            refine(x);
            continue;
        }
        if (y->k < x->k && !y->is_exact) {
            refine(y);
            continue;
        }
        /* To the same denominator. */
        const unsigned long k = x->k > y->k ? x->k : y->k;
        mpz_mul_2exp(value, x->a, k - x->k);
        mpz_mul_2exp(term, y->a, k - y->k);
        const int order = mpz_cmp(value, term);
        if (order != 0)
            return order;
        /* The lower end of an interval is before what is in it. */
        if (x->is_exact || y->is_exact)
            return (int)y->is_exact - (int)x->is_exact;
        /* One interval, where the polynomial of y has no other root. */
        if (sign_at(y->poly, x) == 0)
            return 0;
        if (!x->is_exact)
            refine(x);
    }
}

/* ---- Sturm sequences --------------------------------------------------------------------- */

typedef struct Chain {
    const Poly *polys[MAX_DEGREE + 2];
    int count;
} Chain;

static void set_chain(Chain *chain, const Poly *p)
{
    chain->polys[0] = p;
    chain->polys[1] = derivative(p);
    chain->count = 1;
    while (chain->polys[chain->count]->degree >= 0) {
        Poly *quotient, *rest;
        divide(chain->polys[chain->count - 1], chain->polys[chain->count], &quotient, &rest);
        make_primitive(rest);
        for (int i = 0; i <= rest->degree; i++)
            mpz_neg(rest->c[i], rest->c[i]);
        chain->polys[++chain->count] = rest;
    }
}

/* How often signs change along the sequence at a / 2^k. */
static int count_changes(const Chain *chain, const mpz_t a, unsigned long k)
{
    int changes = 0, last = 0;
    for (int i = 0; i < chain->count; i++) {
        const int sign = sign_at_number(chain->polys[i], a, k);
        changes += sign * last < 0;
        last = sign ? sign : last;
    }
    return changes;
}

typedef struct Roots {
    Time times[MAX_DEGREE + 1];
    int count;
} Roots;

static Roots roots;
static Time best, zero_time;

static void add_root(const Poly *p, const mpz_t a, unsigned long k, int sign)
{
    Time *time = &roots.times[roots.count++];
    time->poly = p;
    time->is_exact = sign == 0;
    time->sign = sign;
    mpz_set(time->a, a);
    time->k = k;
}

/* Adds the roots from a / 2^k (without it) to (a + 1) / 2^k (with it), in ascending order.
 * `changes` are those at both ends. */
static void isolate(const Chain *chain, const mpz_t a, unsigned long k, const int changes[2])
{
    const Poly *p = chain->polys[0];
    if (changes[0] == changes[1])
        return;
    mpz_t low, high;
    mpz_init(low);
    mpz_init(high);
    mpz_add_ui(high, a, 1);
    const int sign = sign_at_number(p, a, k), sign_high = sign_at_number(p, high, k);
    if (changes[0] - changes[1] == 1 && sign_high == 0) {
        add_root(p, high, k, 0);
    } else if (changes[0] - changes[1] == 1 && sign != 0) {
        add_root(p, a, k, sign);
    } else {
        mpz_mul_2exp(low, a, 1);
        mpz_add_ui(high, low, 1);
        const int middle = count_changes(chain, high, k + 1);
        isolate(chain, low, k + 1, (const int[2]){changes[0], middle});
        isolate(chain, high, k + 1, (const int[2]){middle, changes[1]});
    }
    mpz_clear(low);
    mpz_clear(high);
}

/* Sets `roots` to those of p from 0 to 1, in ascending order. p must not be zero throughout. */
static void find_roots(const Poly *p)
{
    mpz_t at;
    Chain chain;
    roots.count = 0;
    if (p->degree < 1)
        return;
    mpz_init_set_si(at, 0);
    if (sign_between(p, at, 0) == 0 || sign_at_number(p, at, 0) == 0 ||
        sign_at_number(p, (mpz_set_si(at, 1), at), 0) == 0) {
        set_chain(&chain, p);
        const Poly *factor = chain.polys[chain.count - 1];
        if (factor->degree > 0) {
            Poly *quotient, *rest;
            divide(p, factor, &quotient, &rest);
            make_primitive(quotient);
            set_chain(&chain, quotient);
        }
        mpz_set_si(at, 1);
        const int end = count_changes(&chain, at, 0);
        mpz_set_si(at, 0);
        if (sign_at_number(chain.polys[0], at, 0) == 0)
            add_root(chain.polys[0], at, 0, 0);
        isolate(&chain, at, 0, (const int[2]){count_changes(&chain, at, 0), end});
    }
    mpz_clear(at);
}

/* ---- Rounding ---------------------------------------------------------------------------- */

/* The greatest float that is not above a / 2^k, or that is below it. */
static float round_down(const mpz_t a, unsigned long k, bool is_below)
{
    if (mpz_sgn(a) == 0)
        return is_below ? -0x1p-149F : 0;
    const long top = (long)mpz_sizeinbase(a, 2) - (long)k; /* it is below 2^top */
    const long unit = top - 24 > -149 ? top - 24 : -149;
    /* a / 2^k / 2^unit, rounded down */
    const long shift = -(long)k - unit;
    bool is_whole = true;
    if (shift >= 0) {
        mpz_mul_2exp(value, a, (unsigned long)shift);
    } else {
        is_whole = mpz_divisible_2exp_p(a, (unsigned long)-shift);
        mpz_fdiv_q_2exp(value, a, (unsigned long)-shift);
    }
    const float rounded = ldexpf((float)mpz_get_si(value), (int)unit);
    return is_below && is_whole ? nextafterf(rounded, -1) : rounded;
}

static float round_time(Time *time)
{
    while (!time->is_exact) {
        const float low = round_down(time->a, time->k, false);
        mpz_add_ui(time->a, time->a, 1);
        const float high = round_down(time->a, time->k, true);
        mpz_sub_ui(time->a, time->a, 1);
        if (low == high)
            return low;
        refine(time);
    }
    return round_down(time->a, time->k, false);
}

/* ---- Vectors of polynomials -------------------------------------------------------------- */

typedef struct Vector {
    const Poly *x[AXES];
} Vector;

static Vector from_to(const Vector *a, const Vector *b)
{
    Vector v;
    for (int k = 0; k < AXES; k++)
        v.x[k] = difference(b->x[k], a->x[k]);
    return v;
}

static Vector cross(const Vector *a, const Vector *b)
{
    Vector v;
    for (int k = 0; k < AXES; k++) {
        const int i = (k + 1) % AXES, j = (k + 2) % AXES;
        Poly *p = new_zeros();
        add_product(p, a->x[i], b->x[j], false);
        add_product(p, a->x[j], b->x[i], true);
        v.x[k] = trim(p, MAX_DEGREE + 1);
    }
    return v;
}

static const Poly *dot(const Vector *a, const Vector *b)
{
    Poly *p = new_zeros();
    for (int k = 0; k < AXES; k++)
        add_product(p, a->x[k], b->x[k], false);
    return trim(p, MAX_DEGREE + 1);
}

static bool is_zero_at(const Vector *v, Time *time)
{
    for (int k = 0; k < AXES; k++)
        if (sign_at(v->x[k], time) != 0)
            return false;
    return true;
}

/* ---- Features ---------------------------------------------------------------------------- */

/* Whether a point is on a segment, of any length: it is if `cross` is zero and `between` is not
 * positive. */
typedef struct OnSegment {
    Vector cross;
    const Poly *between;
} OnSegment;

enum { MAX_SIDES = 4, MAX_SEGMENTS = 4 };

typedef struct Features {
    bool are_edges;
    Vector points[POINTS];
    Vector normal; /* of the triangle, or of both edges */
    /* Where the normal is not zero, and the four points are in one plane: the features touch if
     * none of these is negative. */
    const Poly *sides[MAX_SIDES];
    int side_count;
    /* Where the normal is zero: they touch if one of these points is on its segment. */
    OnSegment segments[MAX_SEGMENTS];
    int segment_count;
} Features;

/* Sets the points as whole numbers, all multiplied by the same power of two. */
static void set_points(Features *f, const double start[12], const double end[12])
{
    int exponents[24], least = 1000;
    int64_t numbers[24];
    for (int i = 0; i < 24; i++) {
        numbers[i] = (int64_t)ldexp(frexp(i < 12 ? start[i] : end[i - 12], &exponents[i]), 53);
        exponents[i] -= 53;
        while (numbers[i] != 0 && numbers[i] % 2 == 0) {
            numbers[i] /= 2;
            exponents[i]++;
        }
        if (numbers[i] != 0 && exponents[i] < least)
            least = exponents[i];
    }
    for (int i = 0; i < 12; i++) {
        Poly *p = new_poly();
        for (int j = 0; j < 2; j++) {
            mpz_set_d(p->c[j], (double)numbers[i + 12 * j]);
            if (numbers[i + 12 * j] != 0)
                mpz_mul_2exp(p->c[j], p->c[j], (unsigned long)(exponents[i + 12 * j] - least));
        }
        mpz_sub(p->c[1], p->c[1], p->c[0]);
        f->points[i / AXES].x[i % AXES] = trim(p, 2);
    }
}

/* Sets the normal, and returns the volume of the four points. */
static const Poly *set_normal(Features *f)
{
    const Vector *p = f->points;
    const Vector u = f->are_edges ? from_to(&p[0], &p[1]) : from_to(&p[1], &p[2]);
    const Vector v = f->are_edges ? from_to(&p[2], &p[3]) : from_to(&p[1], &p[3]);
    const Vector w = f->are_edges ? from_to(&p[0], &p[2]) : from_to(&p[1], &p[0]);
    f->normal = cross(&u, &v);
    return dot(&f->normal, &w);
}

/* The normal times the cross product of a to b and c to d. */
static const Poly *side(const Features *f, int a, int b, int c, int d)
{
    const Vector u = from_to(&f->points[a], &f->points[b]),
                 v = from_to(&f->points[c], &f->points[d]), w = cross(&u, &v);
    return dot(&f->normal, &w);
}

static void set_sides(Features *f)
{
    f->side_count = f->are_edges ? 4 : 3;
    if (!f->are_edges) {
        /* The vertex 0 is to the left of each edge. */
        f->sides[0] = side(f, 1, 2, 1, 0);
        f->sides[1] = side(f, 2, 3, 2, 0);
        f->sides[2] = side(f, 3, 1, 3, 0);
        return;
    }
    /* Lines cross where x0 + s (x1 - x0) = x2 + t (x3 - x2). The cross product of both sides with
     * x3 - x2, times the normal, is s |normal|^2 = side(0, 2, 2, 3); likewise for the others:
     * 1 - s, t and 1 - t. */
    f->sides[0] = side(f, 0, 2, 2, 3);
    f->sides[1] = side(f, 2, 1, 2, 3);
    f->sides[2] = side(f, 0, 2, 0, 1);
    f->sides[3] = side(f, 3, 0, 0, 1);
}

static void add_segment(Features *f, int point, int a, int b)
{
    OnSegment *s = &f->segments[f->segment_count++];
    const Vector u = from_to(&f->points[a], &f->points[point]),
                 v = from_to(&f->points[b], &f->points[point]);
    s->cross = cross(&u, &v);
    s->between = dot(&u, &v);
}

static void set_segments(Features *f)
{
    f->segment_count = 0;
    if (f->are_edges) {
        add_segment(f, 0, 2, 3);
        add_segment(f, 1, 2, 3);
        add_segment(f, 2, 0, 1);
        add_segment(f, 3, 0, 1);
    } else {
        add_segment(f, 0, 1, 2);
        add_segment(f, 0, 2, 3);
        add_segment(f, 0, 3, 1);
    }
}

/* Do the features touch at this time, at which the four points are in one plane? */
static bool do_touch(Features *f, Time *time)
{
    if (!is_zero_at(&f->normal, time)) {
        for (int i = 0; i < f->side_count; i++)
            if (sign_at(f->sides[i], time) < 0)
                return false;
        return true;
    }
    if (f->segment_count == 0)
        set_segments(f);
    for (int i = 0; i < f->segment_count; i++)
        if (is_zero_at(&f->segments[i].cross, time) && sign_at(f->segments[i].between, time) <= 0)
            return true;
    return false;
}

/* ---- The first time ---------------------------------------------------------------------- */

/* The volume is not zero throughout: they touch only at its roots. */
static bool find_in_space(Features *f, const Poly *volume, float *time)
{
    find_roots(volume);
    if (roots.count == 0)
        return false;
    set_sides(f);
    for (int i = 0; i < roots.count; i++)
        if (do_touch(f, &roots.times[i])) {
            *time = round_time(&roots.times[i]);
            return true;
        }
    return false;
}

/* Makes `best` the first root of p at which they touch, if it is before `best`. */
static void try_roots(Features *f, const Poly *p, bool *is_found)
{
    if (p->degree < 1)
        return;
    find_roots(p);
    for (int i = 0; i < roots.count; i++) {
        Time *time = &roots.times[i];
        if (*is_found && compare_times(time, &best) >= 0)
            return;
        if (!do_touch(f, time))
            continue;
        best.poly = time->poly;
        best.is_exact = time->is_exact;
        best.sign = time->sign;
        mpz_set(best.a, time->a);
        best.k = time->k;
        *is_found = true;
        return;
    }
}

/* All points are in one plane throughout: between two roots of what do_touch() asks for, all signs
 * stay, and so does its answer. */
static bool find_in_plane(Features *f, float *time)
{
    bool is_found = false;
    set_sides(f);
    set_segments(f);
    if (do_touch(f, &zero_time)) {
        *time = 0;
        return true;
    }
    for (int k = 0; k < AXES; k++)
        try_roots(f, f->normal.x[k], &is_found);
    for (int i = 0; i < f->side_count; i++)
        try_roots(f, f->sides[i], &is_found);
    for (int i = 0; i < f->segment_count; i++) {
        for (int k = 0; k < AXES; k++)
            try_roots(f, f->segments[i].cross.x[k], &is_found);
        try_roots(f, f->segments[i].between, &is_found);
    }
    if (is_found)
        *time = round_time(&best);
    return is_found;
}

/* Is one feature beside the other, along an axis, at both ends and hence all the time? */
static bool are_beside(bool are_edges, const double start[12], const double end[12])
{
    const int a_count = are_edges ? 2 : 1;
    for (int k = 0; k < AXES; k++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < POINTS; i++) {
            const int s = i >= a_count;
            const double x = start[AXES * i + k], y = end[AXES * i + k];
            low[s] = fmin(low[s], fmin(x, y));
            high[s] = fmax(high[s], fmax(x, y));
        }
        if (high[0] < low[1] || high[1] < low[0])
            return true;
    }
    return false;
}

bool oracle_sweep(bool are_edges, const float start[12], const float end[12], float *time)
{
    double from[12], to[12];
    for (int i = 0; i < 12; i++) {
        from[i] = (double)start[i];
        to[i] = (double)end[i];
    }
    return oracle_sweep64(are_edges, from, to, time);
}

bool oracle_sweep64(bool are_edges, const double start[12], const double end[12], float *time)
{
    *time = INFINITY;
    for (int i = 0; i < 12; i++)
        if (!isfinite(start[i]) || !isfinite(end[i]))
            return false;
    if (are_beside(are_edges, start, end))
        return false;
    if (made_count == 0) {
        make_numbers();
        mpz_init(best.a);
        mpz_init(zero_time.a);
        zero_time.is_exact = true;
        for (int i = 0; i <= MAX_DEGREE; i++)
            mpz_init(roots.times[i].a);
    }
    Features f = {.are_edges = are_edges};
    poly_count = 0;
    set_points(&f, start, end);
    const Poly *volume = set_normal(&f);
    return volume->degree < 0 ? find_in_plane(&f, time) : find_in_space(&f, volume, time);
}

void oracle_sweep_release(void)
{
    if (made_count == 0)
        return;
    for (; made_count > 0; made_count--)
        for (int i = 0; i <= MAX_DEGREE; i++)
            mpz_clear(polys[made_count - 1].c[i]);
    for (int i = 0; i <= MAX_DEGREE; i++) {
        mpz_clear(shifted[i]);
        mpz_clear(roots.times[i].a);
    }
    mpz_clears(value, term, bernstein, best.a, zero_time.a, NULL);
}
