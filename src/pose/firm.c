/* How much each pair of triangles of a mesh stands, before they can meet: see calm.h.
 *
 * In doubles, and rounded by far more than these can be wrong.
 */
#include "pose/calm_build.h"

#include <string.h>

/* Of the longest edge of a triangle, squared: within these, floats that are squares of lengths
 * neither vanish nor overflow. Of anything smaller or larger nothing is known. */
static const double LEAST_SQUARE = 0x1p-80, MOST_SQUARE = 0x1p80;

/* The direction from a to b; false if it has none. */
static bool direct(const double *a, const double *b, double *direction)
{
    double length = pli_distance(a, b);
    for (int k = 0; k < 3; k++)
        direction[k] = (b[k] - a[k]) / length;
    return length > 0;
}

/* ---- Firmness of two triangles ------------------------------------------------------------------
 */

void pli_firm_triangle(const PliantShape *shape, int32_t position, PliFirmTriangle *triangle)
{
    const uint32_t *vertices = shape->triangles + 3 * (size_t)shape->tree.order[position];
    for (int i = 0; i < 3; i++) {
        triangle->vertices[i] = vertices[i];
        for (int k = 0; k < 3; k++) {
            float x = shape->vertices[3 * (size_t)vertices[i] + (size_t)k];
            triangle->rows[3 * i + k] = x;
            triangle->corners[i][k] = x;
            triangle->low[k] = i == 0 || x < triangle->low[k] ? x : triangle->low[k];
            triangle->high[k] = i == 0 || x > triangle->high[k] ? x : triangle->high[k];
        }
    }
    triangle->longest = 0;
    for (int i = 0; i < 3; i++) {
        double square = pli_square_of(triangle->corners[i], triangle->corners[(i + 1) % 3]);
        triangle->longest = square > triangle->longest ? square : triangle->longest;
    }
}

/* How far apart two triangles are along a direction, or less than nothing. */
static double gap_along(const PliFirmTriangle *s, const PliFirmTriangle *t, const double *direction)
{
    double square = pli_dot(direction, direction);
    if (!(square > 0))
        return 0;
    double s_low = INFINITY, s_high = -INFINITY, t_low = INFINITY, t_high = -INFINITY;
    for (int i = 0; i < 3; i++) {
        double a = pli_dot(direction, s->corners[i]), b = pli_dot(direction, t->corners[i]);
        s_low = a < s_low ? a : s_low;
        s_high = a > s_high ? a : s_high;
        t_low = b < t_low ? b : t_low;
        t_high = b > t_high ? b : t_high;
    }
    double up = t_low - s_high, down = s_low - t_high;
    return (up > down ? up : down) / sqrt(square);
}

/* A distance that two triangles have at least: along what separates triangles that are apart, their
 * normals, those of their edges in their planes, the line of their midpoints and what is across an
 * edge of each. Gaps are differences of numbers that may be far from zero, and so have an error of
 * their own. */
static double least_distance(const PliFirmTriangle *s, const PliFirmTriangle *t)
{
    const PliFirmTriangle *both[2] = {s, t};
    double gap, size = 0, edges[2][3][3], direction[3];
    for (int k = 0; k < 3; k++) {
        direction[k] = 0;
        for (int i = 0; i < 3; i++) {
            direction[k] += t->corners[i][k] - s->corners[i][k];
            size += fabs(s->corners[i][k]) + fabs(t->corners[i][k]);
            for (int side = 0; side < 2; side++)
                edges[side][i][k] = both[side]->corners[(i + 1) % 3][k] - both[side]->corners[i][k];
        }
    }
    gap = gap_along(s, t, direction);
    for (int side = 0; side < 2; side++) {
        double normal[3], along;
        pli_cross(edges[side][0], edges[side][1], normal);
        along = gap_along(s, t, normal);
        gap = along > gap ? along : gap;
        for (int i = 0; i < 3; i++) {
            pli_cross(normal, edges[side][i], direction);
            along = gap_along(s, t, direction);
            gap = along > gap ? along : gap;
        }
    }
    for (int i = 0; i < 9; i++) {
        pli_cross(edges[0][i / 3], edges[1][i % 3], direction);
        double along = gap_along(s, t, direction);
        gap = along > gap ? along : gap;
    }
    return gap - 0x1p-44 * size;
}

void pli_firm_row(const PliFirmTriangle *triangles, int32_t count, PliFirmRow *row)
{
    for (int32_t j = 0; j < PLI_LEAF_SIZE; j++) {
        const PliFirmTriangle *t = &triangles[j < count ? j : 0];
        for (int k = 0; k < 3; k++) {
            row->low[k][j] = t->low[k];
            row->high[k][j] = t->high[k];
        }
        row->longest[j] = (float)(t->longest * PLI_UP);
    }
    row->is_known = true;
    for (int32_t j = 0; j < count; j++)
        row->is_known &= triangles[j].longest > LEAST_SQUARE && triangles[j].longest < MOST_SQUARE;
    row->all_longest = 0;
    for (int32_t j = 0; j < PLI_LEAF_SIZE; j++) {
        bool is_more = !(row->longest[j] <= row->all_longest); /* or it is no number */
        row->all_longest = is_more ? row->longest[j] : row->all_longest;
        for (int k = 0; k < 3; k++) {
            float low = row->low[k][j], high = row->high[k][j];
            row->all_low[k] = j == 0 || !(low >= row->all_low[k]) ? low : row->all_low[k];
            row->all_high[k] = j == 0 || !(high <= row->all_high[k]) ? high : row->all_high[k];
        }
    }
}

/* A bit for each of sixteen that is not all ones. */
static uint32_t bits_of_zeros(PliSixteenInts mask)
{
    typedef int8_t SixteenBytes __attribute__((vector_size(16)));
    SixteenBytes bytes = __builtin_convertvector(mask, SixteenBytes);
    uint64_t halves[2];
    memcpy(halves, &bytes, sizeof halves);
    for (int i = 0; i < 2; i++) /* one bit of each byte, all moved into the highest byte */
        halves[i] =
            (~halves[i] & UINT64_C(0x8040201008040201)) * UINT64_C(0x0101010101010101) >> 56;
    return (uint32_t)(halves[0] | halves[1] << 8);
}

PliFirmNeed pli_firm_need(const PliFirmness *good)
{
    const float k = (float)(good->k * good->k);
    return (PliFirmNeed){1.01f * k / (3 * (1 - k)), 1.01f / (float)(6 * good->e + 1e-30)};
}

/* Most pairs are far apart: by the gap between their boxes they are good. Returns a bit for each of
 * sixteen that may not be. Floats are off by 2^-21 of what they are at most, and of the
 * coordinates. */
uint32_t pli_firm_first_look(const PliFirmTriangle *s, const PliFirmRow *row, PliFirmNeed needed,
                             float size)
{
    const float own = (float)(s->longest * PLI_UP), slack = 0x1p-21f * size;
    float all = 0, longest = row->all_longest + own;
    for (int i = 0; i < 3; i++) {
        float up = row->all_low[i] - s->high[i], down = s->low[i] - row->all_high[i];
        float here = (up > down ? up : down) - slack;
        all += here > 0 ? here * here : 0;
    }
    if (all >= needed.by_k * longest && all >= (longest * needed.by_e) * (longest * needed.by_e))
        return 0;
    PliSixteen gap = {0};
    for (int i = 0; i < 3; i++) {
        PliSixteen up = row->low[i] - s->high[i], down = s->low[i] - row->high[i];
        PliSixteenInts is_up = up > down;
        PliSixteen here =
            (PliSixteen)((is_up & (PliSixteenInts)up) | (~is_up & (PliSixteenInts)down)) - slack;
        gap += (PliSixteen)((here > 0) & (PliSixteenInts)(here * here));
    }
    const PliSixteen h = row->longest + own;
    return bits_of_zeros((gap >= needed.by_k * h) & (gap >= (h * needed.by_e) * (h * needed.by_e)));
}

/* The distance of a corner from the line of the others. */
static double altitude(const PliFirmTriangle *t, int i)
{
    const double *p = t->corners[(i + 1) % 3], *q = t->corners[(i + 2) % 3];
    double edge[3], arm[3], product[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = q[k] - p[k];
        arm[k] = t->corners[i][k] - p[k];
    }
    pli_cross(edge, arm, product);
    return sqrt(pli_dot(product, product) / pli_dot(edge, edge));
}

/* The greatest cosine of an angle between a ray and one of a sector, all unit vectors. */
static double nearest_cosine(const double *ray, const double *from, const double *to)
{
    double normal[3], inner[3];
    pli_cross(from, to, normal);
    double square = pli_dot(normal, normal), height = pli_dot(ray, normal);
    double most = pli_dot(ray, from), other = pli_dot(ray, to);
    most = other > most ? other : most;
    if (!(square > 0x1p-30)) /* nearly no angle, or a straight one: where its plane is, is vague */
        return 1;
    for (int k = 0; k < 3; k++)
        inner[k] = ray[k] - height / square * normal[k];
    double first[3], second[3];
    pli_cross(from, inner, first);
    pli_cross(inner, to, second);
    if (pli_dot(first, normal) < -0x1p-40 || pli_dot(second, normal) < -0x1p-40)
        return most;
    double flat = sqrt(pli_dot(inner, inner));
    return flat > most ? flat : most;
}

/* cos(w) of calm.h: w is half of the widest angle of a triangle. */
static double evenness_of(const double *p, const double *q, const double *r)
{
    const double a = pli_square_of(p, q), b = pli_square_of(q, r), c = pli_square_of(r, p);
    const double cosines[3] = {(a + c - b) / (2 * sqrt(a * c)), (a + b - c) / (2 * sqrt(a * b)),
                               (b + c - a) / (2 * sqrt(b * c))};
    double least = cosines[0] < cosines[1] ? cosines[0] : cosines[1];
    least = cosines[2] < least ? cosines[2] : least;
    double square = (1 + least - 0x1p-36) / 2;
    return sqrt(square > 0 ? square : 0);
}

/* The part of a direction that is across another, as a direction. */
static double across(const double *ray, const double *hinge, double *direction)
{
    double part = pli_dot(ray, hinge), square = 0;
    for (int k = 0; k < 3; k++) {
        direction[k] = ray[k] - part * hinge[k];
        square += direction[k] * direction[k];
    }
    double length = sqrt(square);
    for (int k = 0; k < 3; k++)
        direction[k] /= length;
    return length;
}

/* K by way of the sector between two near rays, one of s and one of t, all from p. */
static double firmness_across(const double *s_far, const double *s_near, const double *t_near,
                              const double *t_far)
{
    double s_out[3], s_in[3], t_out[3], t_in[3];
    const double s_sine = across(s_far, s_near, s_out), t_sine = across(t_far, t_near, t_out);
    const double sine = across(t_near, s_near, s_in), cosine = pli_dot(s_near, t_near);
    across(s_near, t_near, t_in);
    /* Away from the sector, s and t go on as in its plane, if these are 1. */
    const double s_flat = -pli_dot(s_out, s_in), t_flat = -pli_dot(t_out, t_in);
    const double s_x = pli_dot(s_far, s_near), s_y = -s_sine * s_flat;
    const double t_x = pli_dot(t_far, t_near), t_y = t_sine * t_flat;
    /* In that plane: s_near is (1, 0), t_near is (cosine, sine). Each two neighbours, and then all
     * three, are less than half a turn if their last ray is to the left of their first. */
    const double last_x = t_x * cosine - t_y * sine, last_y = t_x * sine + t_y * cosine;
    const double most = 0x1p-20;
    if (!(s_flat > 0 && t_flat > 0 && sine > most && s_x * sine - s_y * cosine > most &&
          last_y > most && s_x * last_y - s_y * last_x > most))
        return 0;
    return (s_flat < t_flat ? s_flat : t_flat) - 0x1p-36;
}

/* The best of the ways across, between a corner of s and one of t. */
static double firmness_bridged(const PliFirmTriangle *s, int i, const PliFirmTriangle *t, int j,
                               double rays[4][3])
{
    const double *p = s->corners[i];
    double best = 0;
    double even = evenness_of(s->corners[0], s->corners[1], s->corners[2]);
    double other = evenness_of(t->corners[0], t->corners[1], t->corners[2]);
    even = other < even ? other : even;
    for (int way = 0; way < 4; way++) {
        const int a = way / 2, b = way % 2;
        double here = firmness_across(rays[1 - a], rays[a], rays[2 + b], rays[3 - b]);
        if (!(here * even > best))
            continue;
        double between = evenness_of(p, s->corners[(i + 1 + a) % 3], t->corners[(j + 1 + b) % 3]);
        here *= between < even ? between : even;
        best = here > best ? here : best;
    }
    return best;
}

/* They share corner i of s, which is corner j of t. */
static void firmness_at_vertex(const PliFirmTriangle *s, int i, const PliFirmTriangle *t, int j,
                               PliFirmness *firmness)
{
    double rays[4][3];
    const double *p = s->corners[i];
    if (!direct(p, s->corners[(i + 1) % 3], rays[0]) ||
        !direct(p, s->corners[(i + 2) % 3], rays[1]) ||
        !direct(p, t->corners[(j + 1) % 3], rays[2]) ||
        !direct(p, t->corners[(j + 2) % 3], rays[3])) {
        firmness->k = 0;
        return;
    }
    double most = -1;
    for (int r = 0; r < 4; r++) {
        const int other = r < 2 ? 2 : 0;
        double cosine = nearest_cosine(rays[r], rays[other], rays[other + 1]);
        most = cosine > most ? cosine : most;
    }
    double s_cosine = pli_dot(rays[0], rays[1]), t_cosine = pli_dot(rays[2], rays[3]);
    double least = s_cosine < t_cosine ? s_cosine : t_cosine;
    /* sin(g / 2) and cos(c): cosines are off by 2^-40 at most where this is of use. */
    double sine = (1 - most - 0x1p-36) / 2, cosine = (1 + least - 0x1p-36) / 2;
    double s_rise = s->longest / altitude(s, i), t_rise = t->longest / altitude(t, j);
    sine = sqrt(sine > 0 ? sine : 0);
    double k = sine * sqrt(cosine > 0 ? cosine : 0);
    double bridged = k < PLI_GOOD_K && sine > 0 ? firmness_bridged(s, i, t, j, rays) : 0;
    pli_firm_worsen(firmness, bridged > k ? bridged : k,
                    (s_rise > t_rise ? s_rise : t_rise) / (2 * sine));
}

/* How a triangle stands on its edge pq: the direction of its third corner r from there, C, and what
 * M is multiplied by. */
typedef struct Stand {
    double upward[3], lean, rise;
} Stand;

static Stand stand_on(const double *p, const double *q, const double *r, double longest)
{
    Stand stand;
    double edge[3], arm[3], up[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = q[k] - p[k];
        arm[k] = r[k] - p[k];
    }
    double square = pli_dot(edge, edge), part = pli_dot(arm, edge) / square;
    for (int k = 0; k < 3; k++)
        up[k] = arm[k] - part * edge[k];
    double height = sqrt(pli_dot(up, up));
    for (int k = 0; k < 3; k++)
        stand.upward[k] = up[k] / height;
    stand.lean =
        (fabs(1 - part) * sqrt(pli_dot(arm, arm)) + fabs(part) * pli_distance(r, q)) / height;
    stand.rise = (longest + (fabs(1 - part) + fabs(part)) * square) / (2 * height);
    return stand;
}

/* They share corners i and i2 of s, which are j and j2 of t. */
static void firmness_at_edge(const PliFirmTriangle *s, int i, int i2, const PliFirmTriangle *t,
                             int j, int j2, PliFirmness *firmness)
{
    const double *p = s->corners[i], *q = s->corners[i2];
    Stand a = stand_on(p, q, s->corners[3 - i - i2], s->longest);
    Stand b = stand_on(p, q, t->corners[3 - j - j2], t->longest);
    double lean = a.lean > b.lean ? a.lean : b.lean, rise = a.rise > b.rise ? a.rise : b.rise;
    double square = (1 - pli_dot(a.upward, b.upward) - 0x1p-36) / 2; /* of sin(g / 2) */
    if (square > 0 && lean < 1e6)
        pli_firm_worsen(firmness, 1 / sqrt(1 + lean * lean / square),
                        sqrt(rise * rise / square + pli_square_of(p, q) / 4));
    else
        firmness->k = 0;
}

static bool has_three_corners(const PliFirmTriangle *t)
{
    return t->vertices[0] != t->vertices[1] && t->vertices[0] != t->vertices[2] &&
           t->vertices[1] != t->vertices[2] && pli_is_finite(t->rows, 9);
}

/* Worsens it by two triangles; K is 0 if they meet. */
void pli_firm_take_pair(const PliFirmTriangle *s, const PliFirmTriangle *t, PliFirmness *firmness)
{
    PliCounts counts = {0};
    int shared = 0, at[2][2] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (s->vertices[i] == t->vertices[j]) {
                if (shared < 2) {
                    at[shared][0] = i;
                    at[shared][1] = j;
                }
                shared++;
            }
    if (!has_three_corners(s) || !has_three_corners(t)) {
        firmness->k = 0;
        return;
    }
    if (shared == 3) /* one over the other, which is never a contact */
        return;
    if (shared == 0) {
        double d = least_distance(s, t), h = s->longest + t->longest;
        pli_firm_worsen(firmness, d > 0 ? 1 / sqrt(1 + h / (3 * d * d)) : 0, h / (6 * d));
    } else if (pli_triangles_meet_beyond_shared(s->rows, s->vertices, t->rows, t->vertices,
                                                &counts))
        firmness->k = 0;
    else if (shared == 1)
        firmness_at_vertex(s, at[0][0], t, at[0][1], firmness);
    else
        firmness_at_edge(s, at[0][0], at[1][0], t, at[0][1], at[1][1], firmness);
}
