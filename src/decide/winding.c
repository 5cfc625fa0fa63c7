/* How often the surface of a pose winds around a point p: the solid angle of the surface, seen from
 * p, divided by 4 pi (Jacobson, Kavan, Sorkine-Hornung, "Robust inside-outside segmentation using
 * generalized winding numbers", 2013).
 *
 * The ray from p upward along z crosses triangles; n is how often it leaves the surface less how
 * often it enters. If the surface is closed, n is the winding number. Otherwise the surface is
 * completed by a cone: each edge (a, b) of its boundary is joined to a point infinitely far below.
 * The surface less the cone is closed, and the ray, which goes upward, does not cross the cone. So
 * the winding number of both is n, and that of the surface is
 *
 *     w = n + sum of omega(a, b) / 4 pi,
 *
 * where omega is the solid angle of the triangle (a, b, far below). Only leaves that the ray
 * reaches are evaluated, and the vertices of the boundary.
 *
 * The angle. With v = a - p, let A = |v| + (v . down) = |v| - v_z and alpha = v_x + i v_y. Then
 * alpha / A is the stereographic projection of the direction of a, and
 *
 *     omega(a, b) / 2 = -arg(q),     q = A B + conj(alpha) beta
 *
 * (the formula of Van Oosterom and Strackee, 1983, in other words). The sum of the arguments is the
 * argument of the product of all q, if full turns are counted: so w is an integer plus the argument
 * of the product over 2 pi, which is at most 1/2, and no arc tangent is needed to know the nearest
 * integer. That is what decides: w is at least 1/2 or at most -1/2 if the nearest integer is not 0.
 *
 * The branch. q crosses the negative real axis where the ray crosses the edge, and there n jumps.
 * So if Re q < 0, the sign of Im q has to be the one that n was counted with: it is that of
 * orient2d(a, b, p) in x and y, decided exactly, and where it is 0, p is moved as in geom/line.c:
 * upward in y, then to the right.
 *
 * The error, with u = 2^-53. Coordinates of v are rounded once, |v| is within 4 u, and A is
 * evaluated without cancellation, |alpha|^2 / (|v| + v_z) if v_z > 0: within 8 u. So Re q is within
 * 20 u A B + 4 u S and Im q within 4 u S, where S = (|alpha_x| + |alpha_y|)(|beta_x| + |beta_y|),
 * not less than |alpha||beta|. The argument is then off by at most (|error of Re| + |error of Im|)
 * / |q| <= 20 u (A B + S) / max(|Re q|, |Im q|), up to a factor of 1 + 2^-40: 24 u is used. Where
 * the sign of Im q is replaced, that changes q by less than its error. Scaling q so that the
 * greater of its parts is 1 is off by 2 u in each part. A product P q has parts that are within 2 u
 * |P||q| sqrt 2 each. Together 8 u for each edge; 10 u is used. If q is 0, p is on the edge, and
 * the error is infinite.
 *
 * Products neither overflow nor underflow: |alpha| and A are 0 or between 2^-149 and 2^130, but for
 * an A of at least 2^-298 / 2^130. */
#include "decide/winding.h"
#include "decide/overlaps.h"
#include "geom/line.h"
#include "geom/orient.h"
#include "geom/vector.h"

/* ---- The ray --------------------------------------------------------------------------------- */

typedef struct Ray {
    PliPointSearch *search;
    const float *point;
    int64_t crossings; /* n */
} Ray;

/* Was a triangle crossed before? It is in several leaves if it is divided. */
static PliantResult note_crossed(PliPointSearch *search, int32_t triangle, bool *is_new)
{
    const int32_t *crossed = search->crossed.items;
    void *room;
    *is_new = true;
    for (int64_t i = 0; i < search->crossed.count && search->pose->pieces && *is_new; i++)
        *is_new = crossed[i] != triangle;
    if (!search->pose->pieces || !*is_new)
        return PLIANT_OK;
    PLI_TRY(pli_array_push(&search->crossed, search->worker->host, 1, &room));
    *(int32_t *)room = triangle;
    return PLIANT_OK;
}

/* PliTakeOverlap. */
static PliantResult cross(void *data, const float *row, int32_t triangle)
{
    Ray *ray = data;
    PliPointSearch *search = ray->search;
    bool is_above = false, is_new = false;
    const int step = pli_line_crosses(row, ray->point, &is_above, &search->counts);
    if (is_above)
        PLI_TRY(note_crossed(search, triangle, &is_new));
    if (is_new && search->features)
        is_new = pli_shell_of(search->features, triangle) != search->shell;
    ray->crossings += is_new ? step : 0;
    return PLIANT_OK;
}

/* The ray is a box without width. The point is of floats, so that boxes of pieces, which are
 * rounded to the nearest, have it if the pieces do. */
static PliantResult count_crossings(PliPointSearch *search, const float *point, int64_t *crossings)
{
    const PliBox box = {.low = {point[0], point[1], point[2]},
                        .high = {point[0], point[1], INFINITY}};
    Ray ray = {search, point, 0};
    search->crossed.count = 0;
    PLI_TRY(pli_point_search_visit_box(search, &box, cross, &ray));
    *crossings = ray.crossings;
    return PLIANT_OK;
}

/* ---- The cone -------------------------------------------------------------------------------- */

#define UNIT 0x1p-53

/* So many vertices or edges: of a soup, the boundary may be all of it. */
enum { CHECK_PERIOD = 4096 };

/* alpha and A of a vertex of the boundary. */
typedef struct Spoke {
    double x, y, a;
} Spoke;

static Spoke spoke_of(const float *vertex, const float *point)
{
    const PliVector v = pli_vector(vertex, point);
    const double flat = v.x * v.x + v.y * v.y, length = sqrt(flat + v.z * v.z);
    if (!(flat > 0) && v.z > 0)
        return (Spoke){-1, 0, 0};
    return (Spoke){v.x, v.y, v.z <= 0 ? length - v.z : flat / (length + v.z)};
}

/* The sign of orient2d(a, b, p), with p moved if it is 0. */
static int side_of(const float *a, const float *b, const float *point)
{
    PliCounts counts = {0};
    const int side = pli_orient2d(a, b, point, 0, 1, &counts);
    if (side != 0)
        return side;
    if (a[1] != b[1])
        return a[1] < b[1] ? -1 : 1;
    return a[0] < b[0] ? 1 : -1;
}

/* Multiplies by q of an edge, and counts full turns. */
static void turn(PliWinding *product, const Spoke *p, const Spoke *q, const float *a,
                 const float *b, const float *point)
{
    const double across = p->a * q->a;
    const double wide = (fabs(p->x) + fabs(p->y)) * (fabs(q->x) + fabs(q->y));
    double re = across + (p->x * q->x + p->y * q->y), im = p->x * q->y - p->y * q->x;
    if (re < 0)
        im = side_of(a, b, point) * (fabs(im) > 0 ? fabs(im) : UNIT * -re);
    const double most = fabs(re) > fabs(im) ? fabs(re) : fabs(im), scale = 1 / most;
    product->error += most > 0 ? UNIT * (10 + 24 * ((across + wide) * scale)) : INFINITY;
    if (!(most > 0))
        return;
    re *= scale;
    im *= scale;
    const double new_re = product->re * re - product->im * im;
    const double new_im = product->re * im + product->im * re;
    const bool is_back = product->re < 0 && re < 0 && new_im == 0; /* to the positive axis */
    if (product->im >= 0 && im >= 0 && (new_im < 0 || is_back))
        product->nearest--;
    else if (product->im < 0 && im < 0 && (new_im >= 0 || is_back))
        product->nearest++;
    const bool is_long = fabs(new_re) + fabs(new_im) > 0x1p500;
    product->re = is_long ? new_re * 0x1p-500 : new_re;
    product->im = is_long ? new_im * 0x1p-500 : new_im;
}

static PliantResult find_spokes(PliPointSearch *search, const PliPosedBoundary *boundary,
                                const float *point)
{
    const float(*points)[3] = boundary->points.items;
    PLI_TRY(pli_array_reserve_spare(&search->spokes, search->worker->host, boundary->points.count));
    Spoke *spokes = search->spokes.items;
    for (int64_t i = 0; i < boundary->points.count; i++) {
        if (i % CHECK_PERIOD == CHECK_PERIOD - 1)
            PLI_TRY(pli_worker_check(search->worker));
        spokes[i] = spoke_of(points[i], point);
    }
    return PLIANT_OK;
}

PliantResult pli_point_search_wind(PliPointSearch *search, const PliPosedBoundary *boundary,
                                   const float *point, PliWinding *winding)
{
    PliWinding product = {.re = 1}; /* in registers: nothing else can point to it */
    PLI_TRY(count_crossings(search, point, &product.nearest));
    PLI_TRY(find_spokes(search, boundary, point));
    const Spoke *spokes = search->spokes.items;
    const float(*points)[3] = boundary->points.items;
    const int32_t(*edges)[2] = boundary->edges.items;
    for (int64_t i = 0; i < boundary->edges.count; i++) {
        const int32_t a = edges[i][0], b = edges[i][1];
        if (i % CHECK_PERIOD == CHECK_PERIOD - 1)
            PLI_TRY(pli_worker_check(search->worker));
        turn(&product, &spokes[a], &spokes[b], points[a], points[b], point);
    }
    *winding = product;
    return PLIANT_OK;
}

/* ---- The number ------------------------------------------------------------------------------ */

bool pli_winding_is_undecided(const PliWinding *winding)
{
    /* An angle below 1 is less than twice its tangent. */
    return winding->error >= 1 ||
           (winding->re < 0 && fabs(winding->im) <= 2 * winding->error * -winding->re);
}

/* The arc tangent of y / x, for 0 <= y <= x, x > 0. With c the nearest multiple of 1/8, arctan(y /
 * x) = arctan(c) + arctan(r), and |r| <= 1/16: what the series leaves out is less than 2^-72. All
 * is within 4 u. */
static double arctan(double y, double x)
{
    static const double of_eighths[] = {0,
                                        0.12435499454676144,
                                        0.24497866312686414,
                                        0.35877067027057225,
                                        0.46364760900080612,
                                        0.55859931534356244,
                                        0.64350110879328439,
                                        0.71882999962162455,
                                        0.78539816339744831};
    const int k = (int)(8 * (y / x) + 0.5);
    const double c = 0.125 * k, r = (y - c * x) / (x + c * y), square = r * r;
    double sum = 0;
    for (int n = 15; n >= 3; n -= 2)
        sum = (1.0 / n - sum) * square;
    return of_eighths[k] + (r - r * sum);
}

double pli_winding_error(const PliWinding *winding)
{
    return winding->error > 0 ? winding->error * (0.16 + 0x1p-50) + 0x1p-50 : 0;
}

double pli_winding_number(const PliWinding *winding)
{
    static const double half_turn = 3.1415926535897932;
    const double x = fabs(winding->re), y = fabs(winding->im);
    double angle = y <= x ? arctan(y, x) : half_turn / 2 - arctan(x, y);
    angle = winding->re < 0 ? half_turn - angle : angle;
    return (double)winding->nearest - (winding->im < 0 ? -angle : angle) / (2 * half_turn);
}

/* ---- Inside? -----------------------------------------------------------------------------------
 *
 * Edges in a row that are far away are replaced by their chord. That adds triangles to the surface,
 * from the beginning of the row to each of its edges. Their solid angle is at most their area over
 * the square of their distance, so that the number changes by no more than that over 4 pi. Nothing
 * is told if the ray may cross them, which it does not if it is beside their box or begins above
 * it. If the number is farther from 1/2 than all rows together may have changed it, the point is
 * inside or not for certain, whatever is rounded. */

/* Can a run be replaced, seen from a point? The number then changes by at most *change. The area is
 * at least twice that of the triangles. */
static bool is_far(const PliBoundaryRun *run, const float *point, double *change)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double below = (double)run->low[k] - point[k],
                     above = (double)point[k] - run->high[k],
                     gap = pli_greater(0, pli_greater(below, above));
        square += gap * gap;
    }
    const bool is_under = point[0] >= run->low[0] && point[0] <= run->high[0] &&
                          point[1] >= run->low[1] && point[1] <= run->high[1] &&
                          point[2] <= run->high[2];
    *change = 0.04 * run->area / square;
    return !is_under && square > 0 && *change < 0x1p-8;
}

/* An end of the last edge. */
typedef struct End {
    int32_t number;
    Spoke spoke;
} End;

static void turn_to(PliWinding *product, End *at, int32_t a, int32_t b, const float (*points)[3],
                    const float *point)
{
    const Spoke p = at->number == a ? at->spoke : spoke_of(points[a], point);
    *at = (End){b, spoke_of(points[b], point)};
    turn(product, &p, &at->spoke, points[a], points[b], point);
}

PliantResult pli_point_search_is_inside(PliPointSearch *search, const PliPosedBoundary *boundary,
                                        const float *point, bool *is_inside)
{
    const float(*points)[3] = boundary->points.items;
    const int32_t(*edges)[2] = boundary->edges.items, *chain = boundary->chain.items;
    const PliBoundaryRun *runs = boundary->runs.items;
    PliWinding product = {.re = 1}, winding;
    double changes = 0;
    End at = {.number = -1};
    if (boundary->runs.count > 0)
        PLI_TRY(count_crossings(search, point, &product.nearest));
    for (int64_t i = 0; i < boundary->runs.count; i++) {
        const PliBoundaryRun *run = &runs[i];
        const int32_t *row = chain + run->first;
        double change;
        if (i % CHECK_PERIOD == CHECK_PERIOD - 1)
            PLI_TRY(pli_worker_check(search->worker));
        if (is_far(run, point, &change)) {
            const int32_t a = edges[row[0]][0], b = edges[row[run->count - 1]][1];
            if (a != b)
                turn_to(&product, &at, a, b, points, point);
            changes += change;
            continue;
        }
        for (int32_t k = 0; k < run->count; k++)
            turn_to(&product, &at, edges[row[k]][0], edges[row[k]][1], points, point);
    }
    const double from_half = fabs(pli_winding_number(&product)) - 0.5;
    *is_inside = from_half > 0;
    if (boundary->runs.count > 0 &&
        fabs(from_half) > (changes + pli_winding_error(&product)) * (1 + 0x1p-20) + 0x1p-40)
        return PLIANT_OK;
    PLI_TRY(pli_point_search_wind(search, boundary, point, &winding));
    *is_inside = pli_winding_is_inside(&winding);
    return PLIANT_OK;
}

/* ---- How it changes ----------------------------------------------------------------------------
 *
 * The solid angle of a surface is the magnetic potential of a current along its boundary, so its
 * gradient is the law of Biot and Savart: the integral of dl x r / |r|^3. It is at most the sum
 * over edges of length / d^2, where d is the least distance of the edge. Within `distance` of the
 * point, edges are nearer by that much. So the number changes by at most distance / 4 pi times the
 * sum of length / (d - distance)^2. */

PliantResult pli_posed_boundary_change(const PliPosedBoundary *boundary, PliWorker *worker,
                                       const float *point, double distance, double *change)
{
    const float(*points)[3] = boundary->points.items;
    const int32_t(*edges)[2] = boundary->edges.items;
    double sum = 0;
    *change = INFINITY;
    for (int64_t i = 0; i < boundary->edges.count; i++) {
        if (i % CHECK_PERIOD == CHECK_PERIOD - 1)
            PLI_TRY(pli_worker_check(worker));
        const float *a = points[edges[i][0]], *b = points[edges[i][1]];
        double edge[3], from[3];
        for (int k = 0; k < 3; k++) {
            edge[k] = (double)b[k] - a[k];
            from[k] = (double)point[k] - a[k];
        }
        const double apart = sqrt(pli_edge_square(from, edge)) * (1 - 0x1p-20) - distance;
        if (!(apart > 0))
            return PLIANT_OK;
        sum += sqrt(pli_dot3(edge, edge)) / (apart * apart);
    }
    *change = distance * sum * (0.0796 * (1 + 0x1p-20)); /* 1 / 4 pi is 0.07957... */
    return PLIANT_OK;
}
