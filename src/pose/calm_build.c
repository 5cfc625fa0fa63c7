/* What is known of the neighbourhood of each leaf at rest: see calm.h.
 *
 * All of this is computed in doubles and kept in floats. What has to be an upper bound is rounded
 * up by far more than the doubles can be wrong, and firmness down. Shares and slopes may be any
 * numbers: what they leave over is measured with the floats that are kept.
 */
#include "pose/calm.h"

#include <string.h>

enum {
    MOST_NEAR = 48,                                      /* leaves */
    MOST_VERTICES = (MOST_NEAR + 1) * 3 * PLI_LEAF_SIZE, /* of these */
    MOST_TIES = MOST_NEAR * PLI_LEAF_SIZE,
    MOST_JOINTS = 32,
};

static const double UP = 1 + 0x1p-20, DOWN = 1 - 0x1p-20;

/* A leaf is no firmer than that, and no less bulging, in lengths of its longest edge: what is
 * better is not looked at closely. */
static const double GOOD_K = 0.25, GOOD_E = 3;

/* Pairs worse than this are suspects. There are so many of them at most, or the next row counts. */
static const double SUSPECT_K[] = {0.12, 0.06, 0.03}, SUSPECT_E[] = {6, 12, 24};
enum { MOST_SUSPECTS = 24, MOST_BAD = 1024 };

/* Of the longest edge of a triangle, squared: within these, floats that are squares of lengths
 * neither vanish nor overflow. Of anything smaller or larger nothing is known. */
static const double LEAST_SQUARE = 0x1p-80, MOST_SQUARE = 0x1p80;

/* How much larger boxes are taken, to find what is near: a part of their own size. What comes near
 * without having been so is looked at as if nothing were known. */
static const float GROWTH = 0.125f;

/* ---- Vectors ------------------------------------------------------------------------------------
 */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *c)
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double square_of(const double *a, const double *b)
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return dot(d, d);
}

static double distance(const double *a, const double *b)
{
    return sqrt(square_of(a, b));
}

/* The direction from a to b; false if it has none. */
static bool direct(const double *a, const double *b, double *direction)
{
    double length = distance(a, b);
    for (int k = 0; k < 3; k++)
        direction[k] = (b[k] - a[k]) / length;
    return length > 0;
}

/* ---- Firmness of two triangles ------------------------------------------------------------------
 */

typedef struct Triangle {
    uint32_t vertices[3];
    float rows[9];
    double corners[3][3];
    double longest; /* edge, squared */
    float low[3], high[3];
} Triangle;

/* K and E of calm.h: the worst so far. */
typedef struct Firmness {
    double k, e;
} Firmness;

static void worsen(Firmness *firmness, double k, double e)
{
    firmness->k = k < firmness->k ? k : firmness->k;
    firmness->e = e > firmness->e ? e : firmness->e;
}

static void take_triangle(const PliantShape *shape, int32_t position, Triangle *triangle)
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
        double square = square_of(triangle->corners[i], triangle->corners[(i + 1) % 3]);
        triangle->longest = square > triangle->longest ? square : triangle->longest;
    }
}

/* How far apart two triangles are along a direction, or less than nothing. */
static double gap_along(const Triangle *s, const Triangle *t, const double *direction)
{
    double square = dot(direction, direction);
    if (!(square > 0))
        return 0;
    double s_low = INFINITY, s_high = -INFINITY, t_low = INFINITY, t_high = -INFINITY;
    for (int i = 0; i < 3; i++) {
        double a = dot(direction, s->corners[i]), b = dot(direction, t->corners[i]);
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
static double least_distance(const Triangle *s, const Triangle *t)
{
    const Triangle *both[2] = {s, t};
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
        cross(edges[side][0], edges[side][1], normal);
        along = gap_along(s, t, normal);
        gap = along > gap ? along : gap;
        for (int i = 0; i < 3; i++) {
            cross(normal, edges[side][i], direction);
            along = gap_along(s, t, direction);
            gap = along > gap ? along : gap;
        }
    }
    for (int i = 0; i < 9; i++) {
        cross(edges[0][i / 3], edges[1][i % 3], direction);
        double along = gap_along(s, t, direction);
        gap = along > gap ? along : gap;
    }
    return gap - 0x1p-44 * size;
}

/* Sixteen triangles as the first look at a pair wants them. */
typedef float Sixteen __attribute__((vector_size(64)));
typedef int32_t SixteenInts __attribute__((vector_size(64)));
typedef struct Row {
    Sixteen low[3], high[3], longest;
    float all_low[3], all_high[3], all_longest; /* the box of all, and the longest edge, squared */
    bool is_known; /* all edges are of a size that can be worked with */
} Row;

static void take_row(const Triangle *triangles, int32_t count, Row *row)
{
    for (int32_t j = 0; j < PLI_LEAF_SIZE; j++) {
        const Triangle *t = &triangles[j < count ? j : 0];
        for (int k = 0; k < 3; k++) {
            row->low[k][j] = t->low[k];
            row->high[k][j] = t->high[k];
        }
        row->longest[j] = (float)(t->longest * UP);
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
static uint32_t bits_of_zeros(SixteenInts mask)
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

/* What a gap has to be, squared, so that a pair is no worse than good: these times h_s^2 + h_t^2,
 * and the square of that. */
typedef struct Needed {
    float by_k, by_e;
} Needed;

/* Most pairs are far apart: by the gap between their boxes they are good. Returns a bit for each of
 * sixteen that may not be. Floats are off by 2^-21 of what they are at most, and of the
 * coordinates. */
static uint32_t not_firm(const Triangle *s, const Row *row, Needed needed, float size)
{
    const float own = (float)(s->longest * UP), slack = 0x1p-21f * size;
    float all = 0, longest = row->all_longest + own;
    for (int i = 0; i < 3; i++) {
        float up = row->all_low[i] - s->high[i], down = s->low[i] - row->all_high[i];
        float here = (up > down ? up : down) - slack;
        all += here > 0 ? here * here : 0;
    }
    if (all >= needed.by_k * longest && all >= (longest * needed.by_e) * (longest * needed.by_e))
        return 0;
    Sixteen gap = {0};
    for (int i = 0; i < 3; i++) {
        Sixteen up = row->low[i] - s->high[i], down = s->low[i] - row->high[i];
        SixteenInts is_up = up > down;
        Sixteen here = (Sixteen)((is_up & (SixteenInts)up) | (~is_up & (SixteenInts)down)) - slack;
        gap += (Sixteen)((here > 0) & (SixteenInts)(here * here));
    }
    const Sixteen h = row->longest + own;
    return bits_of_zeros((gap >= needed.by_k * h) & (gap >= (h * needed.by_e) * (h * needed.by_e)));
}

/* The distance of a corner from the line of the others. */
static double altitude(const Triangle *t, int i)
{
    const double *p = t->corners[(i + 1) % 3], *q = t->corners[(i + 2) % 3];
    double edge[3], arm[3], product[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = q[k] - p[k];
        arm[k] = t->corners[i][k] - p[k];
    }
    cross(edge, arm, product);
    return sqrt(dot(product, product) / dot(edge, edge));
}

/* The greatest cosine of an angle between a ray and one of a sector, all unit vectors. */
static double nearest_cosine(const double *ray, const double *from, const double *to)
{
    double normal[3], inner[3];
    cross(from, to, normal);
    double square = dot(normal, normal), height = dot(ray, normal);
    double most = dot(ray, from), other = dot(ray, to);
    most = other > most ? other : most;
    if (!(square >
          0x1p-30)) /* nearly no angle, or nearly a straight one: where its plane is, is vague */
        return 1;
    for (int k = 0; k < 3; k++)
        inner[k] = ray[k] - height / square * normal[k];
    double first[3], second[3];
    cross(from, inner, first);
    cross(inner, to, second);
    if (dot(first, normal) < -0x1p-40 || dot(second, normal) < -0x1p-40)
        return most;
    double flat = sqrt(dot(inner, inner));
    return flat > most ? flat : most;
}

/* 1 / C of calm.h for a triangle with edges in these directions, by its widest angle; each is a
 * direction from a corner to the next. */
static double evenness(double cosines[3])
{
    double least = cosines[0] < cosines[1] ? cosines[0] : cosines[1];
    least = cosines[2] < least ? cosines[2] : least;
    double square = (1 + least - 0x1p-36) / 2;
    return sqrt(square > 0 ? square : 0);
}

static double evenness_of(const double *p, const double *q, const double *r)
{
    const double a = square_of(p, q), b = square_of(q, r), c = square_of(r, p);
    double cosines[3] = {(a + c - b) / (2 * sqrt(a * c)), (a + b - c) / (2 * sqrt(a * b)),
                         (b + c - a) / (2 * sqrt(b * c))};
    return evenness(cosines);
}

/* The part of a direction that is across another, as a direction. */
static double across(const double *ray, const double *hinge, double *direction)
{
    double part = dot(ray, hinge), square = 0;
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
    const double sine = across(t_near, s_near, s_in), cosine = dot(s_near, t_near);
    across(s_near, t_near, t_in);
    /* Away from the sector, s and t go on as in its plane, if these are 1. */
    const double s_flat = -dot(s_out, s_in), t_flat = -dot(t_out, t_in);
    const double s_x = dot(s_far, s_near), s_y = -s_sine * s_flat;
    const double t_x = dot(t_far, t_near), t_y = t_sine * t_flat;
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
static double firmness_bridged(const Triangle *s, int i, const Triangle *t, int j,
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
static void firmness_at_vertex(const Triangle *s, int i, const Triangle *t, int j,
                               Firmness *firmness)
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
    double s_cosine = dot(rays[0], rays[1]), t_cosine = dot(rays[2], rays[3]);
    double least = s_cosine < t_cosine ? s_cosine : t_cosine;
    /* sin(g / 2) and cos(c): cosines are off by 2^-40 at most where this is of use. */
    double sine = (1 - most - 0x1p-36) / 2, cosine = (1 + least - 0x1p-36) / 2;
    double s_rise = s->longest / altitude(s, i), t_rise = t->longest / altitude(t, j);
    sine = sqrt(sine > 0 ? sine : 0);
    double k = sine * sqrt(cosine > 0 ? cosine : 0);
    double bridged = k < GOOD_K && sine > 0 ? firmness_bridged(s, i, t, j, rays) : 0;
    worsen(firmness, bridged > k ? bridged : k, (s_rise > t_rise ? s_rise : t_rise) / (2 * sine));
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
    double square = dot(edge, edge), part = dot(arm, edge) / square;
    for (int k = 0; k < 3; k++)
        up[k] = arm[k] - part * edge[k];
    double height = sqrt(dot(up, up));
    for (int k = 0; k < 3; k++)
        stand.upward[k] = up[k] / height;
    stand.lean = (fabs(1 - part) * sqrt(dot(arm, arm)) + fabs(part) * distance(r, q)) / height;
    stand.rise = (longest + (fabs(1 - part) + fabs(part)) * square) / (2 * height);
    return stand;
}

/* They share corners i and i2 of s, which are j and j2 of t. */
static void firmness_at_edge(const Triangle *s, int i, int i2, const Triangle *t, int j, int j2,
                             Firmness *firmness)
{
    const double *p = s->corners[i], *q = s->corners[i2];
    Stand a = stand_on(p, q, s->corners[3 - i - i2], s->longest);
    Stand b = stand_on(p, q, t->corners[3 - j - j2], t->longest);
    double lean = a.lean > b.lean ? a.lean : b.lean, rise = a.rise > b.rise ? a.rise : b.rise;
    double square = (1 - dot(a.upward, b.upward) - 0x1p-36) / 2; /* of sin(g / 2) */
    if (square > 0 && lean < 1e6)
        worsen(firmness, 1 / sqrt(1 + lean * lean / square),
               sqrt(rise * rise / square + square_of(p, q) / 4));
    else
        firmness->k = 0;
}

static bool has_three_corners(const Triangle *t)
{
    return t->vertices[0] != t->vertices[1] && t->vertices[0] != t->vertices[2] &&
           t->vertices[1] != t->vertices[2] && pli_is_finite(t->rows, 9);
}

/* Worsens it by two triangles; K is 0 if they meet. */
static void take_pair(const Triangle *s, const Triangle *t, Firmness *firmness)
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
        worsen(firmness, d > 0 ? 1 / sqrt(1 + h / (3 * d * d)) : 0, h / (6 * d));
    } else if (pli_triangles_meet_beyond_shared(s->rows, s->vertices, t->rows, t->vertices,
                                                &counts))
        firmness->k = 0;
    else if (shared == 1)
        firmness_at_vertex(s, at[0][0], t, at[0][1], firmness);
    else
        firmness_at_edge(s, at[0][0], at[1][0], t, at[0][1], at[1][1], firmness);
}

/* A pair that is worse than good. */
typedef struct BadPair {
    double k, e;
    uint8_t near, own, other; /* which of the leaves near it, and the places in both */
} BadPair;

typedef struct BadPairs {
    BadPair items[MOST_BAD];
    int32_t count;
    bool are_too_many;
} BadPairs;

static void add_bad(BadPairs *bad, const Firmness *firmness, int32_t near, int32_t own,
                    int32_t other)
{
    bad->are_too_many |= bad->count == MOST_BAD;
    if (!bad->are_too_many)
        bad->items[bad->count++] =
            (BadPair){firmness->k, firmness->e, (uint8_t)near, (uint8_t)own, (uint8_t)other};
}

static int32_t take_triangles(const PliantShape *shape, int32_t leaf, Triangle *triangles)
{
    PliRange range = shape->tree.leaves[leaf];
    for (int32_t j = 0; j < range.count; j++)
        take_triangle(shape, range.first + j, &triangles[j]);
    return range.count;
}

/* All pairs of a triangle of a leaf with one of a leaf near it, or of itself if that is the first.
 */
static void take_leaf(const PliantShape *shape, const Triangle *own, int32_t own_count,
                      int32_t near, int32_t leaf, const Row *row, const Firmness *good, float size,
                      BadPairs *bad)
{
    Triangle others[PLI_LEAF_SIZE];
    uint32_t taken = 0;
    const PliRange range = shape->tree.leaves[leaf];
    const float k = (float)(good->k * good->k);
    const Needed needed = {1.01f * k / (3 * (1 - k)), 1.01f / (float)(6 * good->e + 1e-30)};
    for (int32_t i = 0; i < own_count && !bad->are_too_many; i++) {
        uint32_t bits = not_firm(&own[i], row, needed, size) & ((1u << range.count) - 1);
        bits &= near == 0 ? ~0u << (i + 1) : ~0u;
        for (; bits; bits &= bits - 1) {
            int32_t j = __builtin_ctz(bits);
            Firmness here = {1, 0};
            if (!(taken >> j & 1))
                take_triangle(shape, range.first + j, &others[j]);
            taken |= 1u << j;
            take_pair(&own[i], &others[j], &here);
            if (!(here.k >= good->k && here.e <= good->e))
                add_bad(bad, &here, near, i, j);
        }
    }
}

static bool is_suspect(const BadPair *pair, int row, double longest)
{
    return !(pair->k >= SUSPECT_K[row] && pair->e <= SUSPECT_E[row] * longest);
}

/* The first row of which there are few enough suspects, or -1. */
static int choose_row(const BadPairs *bad, double longest)
{
    for (int row = 0; row < 3 && !bad->are_too_many; row++) {
        int32_t count = 0;
        for (int32_t i = 0; i < bad->count; i++)
            count += is_suspect(&bad->items[i], row, longest);
        if (count <= MOST_SUSPECTS)
            return row;
    }
    return -1;
}

typedef struct Builder {
    float columns[3][MOST_VERTICES + 16]
        __attribute__((aligned(64))); /* `values` as parts of the greatest */
    const PliantShape *shape;
    const PliantHost *host;
    PliCalm *calm;
    PliBox *boxes;         /* of all leaves, then all nodes, at rest */
    int32_t *stack;        /* of nodes */
    int32_t *marks;        /* of each vertex: its place among those at hand, or -1 */
    int32_t *move_firsts;  /* of each vertex: its moves by targets */
    int32_t *move_targets; /* the target of each */
    int32_t *move_places;  /* and where it is among all of that target's */

    /* The neighbourhood at hand; the leaf's own vertices come first. */
    int32_t vertex_count, own_count;
    uint32_t vertices[MOST_VERTICES];
    double places[MOST_VERTICES][3]; /* less the centre */
    double values[MOST_VERTICES][3]; /* of what is fitted at the time */
    Row *rows;                       /* of each leaf */
    BadPairs *bad;
    float *nearness; /* the square of the least distance over that of theirs, of each of the leaf's
                        own with all: a row of row_size */
    int32_t row_size;
    int32_t tie_count;
    int32_t ties[MOST_TIES][2]; /* two others, of a triangle with one of the leaf's own */
    double inverse[3][3];       /* of the sum of squares of places */
} Builder;

/* ---- What is near -------------------------------------------------------------------------------
 */

static void join(PliBox *box, const PliBox *other)
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = other->low[k] < box->low[k] ? other->low[k] : box->low[k];
        box->high[k] = other->high[k] > box->high[k] ? other->high[k] : box->high[k];
    }
}

static PliBox *box_of(const Builder *builder, int32_t part)
{
    return &builder->boxes[part < 0 ? ~part : builder->shape->tree.leaf_count + part];
}

/* The box of a leaf, and a row of its triangles. */
static PliBox box_of_leaf(const Builder *builder, int32_t leaf)
{
    Triangle triangles[PLI_LEAF_SIZE];
    triangles[0] = (Triangle){.longest = 0}; /* no leaf is empty, but that is not to be seen here */
    const int32_t count = take_triangles(builder->shape, leaf, triangles);
    PliBox box = {{0}, {0}};
    take_row(triangles, count, &builder->rows[leaf]);
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const Triangle *t = &triangles[i];
            box.low[k] = i == 0 || t->low[k] < box.low[k] ? t->low[k] : box.low[k];
            box.high[k] = i == 0 || t->high[k] > box.high[k] ? t->high[k] : box.high[k];
        }
    return box;
}

/* Boxes at rest, a part of their own size larger. */
static void make_boxes(const Builder *builder)
{
    const PliTree *tree = &builder->shape->tree;
    for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++) {
        PliBox box = box_of_leaf(builder, leaf);
        float size = 0;
        for (int k = 0; k < 3; k++)
            size = box.high[k] - box.low[k] > size ? box.high[k] - box.low[k] : size;
        for (int k = 0; k < 3; k++) {
            box.low[k] -= GROWTH * size;
            box.high[k] += GROWTH * size;
        }
        builder->boxes[leaf] = box;
    }
    for (int32_t node = tree->node_count - 1; node >= 0; node--) {
        const PliTreeNode *here = &tree->nodes[node];
        PliBox *box = box_of(builder, node);
        *box = *box_of(builder, here->children[0]);
        for (int32_t i = 1; i < here->child_count; i++)
            join(box, box_of(builder, here->children[i]));
    }
}

static bool boxes_meet(const PliBox *a, const PliBox *b)
{
    bool meets = true;
    for (int k = 0; k < 3; k++)
        meets &= a->low[k] <= b->high[k] && b->low[k] <= a->high[k];
    return meets;
}

/* The leaves near one, itself the first of them. Returns how many, or -1 if they are too many. */
static int32_t find_near(const Builder *builder, int32_t leaf, int32_t *near)
{
    const PliTree *tree = &builder->shape->tree;
    const PliBox *box = &builder->boxes[leaf];
    int32_t count = 0, waiting = 0;
    near[count++] = leaf;
    if (tree->node_count > 0)
        builder->stack[waiting++] = 0;
    while (waiting > 0) {
        const PliTreeNode *node = &tree->nodes[builder->stack[--waiting]];
        for (int32_t i = 0; i < node->child_count; i++) {
            int32_t child = node->children[i];
            if (!boxes_meet(box, box_of(builder, child)) || ~child == leaf)
                continue;
            if (child >= 0)
                builder->stack[waiting++] = child;
            else if (count > MOST_NEAR)
                return -1;
            else
                near[count++] = ~child;
        }
    }
    return count;
}

/* ---- What vertices follow -----------------------------------------------------------------------
 */

static void take_vertices(Builder *builder, int32_t leaf)
{
    PliRange range = builder->shape->tree.leaves[leaf];
    for (int32_t i = 0; i < 3 * range.count; i++) {
        int32_t triangle = builder->shape->tree.order[range.first + i / 3];
        uint32_t vertex = builder->shape->triangles[3 * (size_t)triangle + (size_t)(i % 3)];
        if (builder->marks[vertex] >= 0)
            continue;
        builder->marks[vertex] = builder->vertex_count;
        builder->vertices[builder->vertex_count++] = vertex;
    }
}

/* Of a triangle that has one vertex with the leaf in common, the way across e is by way of all its
 * edges (see calm.h): so the two others have to keep to (1) as well. */
static void take_ties(Builder *builder, const int32_t *near, int32_t near_count)
{
    builder->tie_count = 0;
    for (int32_t i = 1; i < near_count; i++) {
        PliRange range = builder->shape->tree.leaves[near[i]];
        for (int32_t j = 0; j < range.count; j++) {
            int32_t triangle = builder->shape->tree.order[range.first + j], others[3], count = 0;
            for (size_t k = 0; k < 3; k++) {
                int32_t v = builder->marks[builder->shape->triangles[3 * (size_t)triangle + k]];
                if (v >= builder->own_count)
                    others[count++] = v;
            }
            if (count == 2)
                memcpy(builder->ties[builder->tie_count++], others, 2 * sizeof *others);
        }
    }
}

static double square_between(const Builder *builder, int32_t v, int32_t w)
{
    return square_of(builder->places[v], builder->places[w]);
}

/* The square of the least distance of those that (1) is about. */
static double least_square(const Builder *builder)
{
    double least = INFINITY;
    for (int32_t v = 0; v < builder->own_count; v++)
        for (int32_t w = v + 1; w < builder->vertex_count; w++) {
            double square = square_between(builder, v, w);
            least = square < least ? square : least;
        }
    for (int32_t i = 0; i < builder->tie_count; i++) {
        double square = square_between(builder, builder->ties[i][0], builder->ties[i][1]);
        least = square < least ? square : least;
    }
    return least;
}

static void fill_nearness(Builder *builder, double least)
{
    builder->row_size = (builder->vertex_count + 15) / 16 * 16;
    for (int32_t v = 0; v < builder->own_count; v++) {
        float *row = builder->nearness + (size_t)v * (size_t)builder->row_size;
        for (int32_t w = 0; w < builder->row_size; w++)
            row[w] = w == v || w >= builder->vertex_count
                         ? 0
                         : (float)(UP * least / square_between(builder, v, w));
    }
}

/* Places about the centre of the leaf's own vertices, and how far apart they are. */
static void place_vertices(Builder *builder, PliCalmLeaf *leaf)
{
    const float *rest = builder->shape->vertices;
    double sums[3] = {0}, reach = 0, own_reach = 0;
    for (int32_t v = 0; v < builder->own_count; v++)
        for (size_t k = 0; k < 3; k++)
            sums[k] += rest[3 * (size_t)builder->vertices[v] + k];
    for (int k = 0; k < 3; k++)
        leaf->centre[k] = (float)(sums[k] / builder->own_count);
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        double *place = builder->places[v];
        for (size_t k = 0; k < 3; k++)
            place[k] = (double)rest[3 * (size_t)builder->vertices[v] + k] - leaf->centre[k];
        double square = dot(place, place);
        reach = square > reach ? square : reach;
        own_reach = v < builder->own_count ? reach : own_reach;
    }
    double least = least_square(builder);
    fill_nearness(builder, least);
    leaf->reach = (float)(sqrt(reach) * UP);
    leaf->mid_reach = (float)((sqrt(reach) + sqrt(own_reach)) / 2 * UP);
    leaf->least = (float)(sqrt(least) * DOWN);
}

/* For fits by least squares. A patch is nearly flat, so that across it little is known: a part of
 * the whole is added, so that slopes stay small there. */
static void prepare_fits(Builder *builder)
{
    double m[3][3] = {{0}};
    for (int32_t v = 0; v < builder->vertex_count; v++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                m[i][j] += builder->places[v][i] * builder->places[v][j];
    double more = (m[0][0] + m[1][1] + m[2][2]) * 0x1p-7;
    for (int i = 0; i < 3; i++)
        m[i][i] += more;
    double rows[3][3], determinant;
    for (int i = 0; i < 3; i++)
        cross(m[(i + 1) % 3], m[(i + 2) % 3], rows[i]);
    determinant = dot(m[0], rows[0]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            builder->inverse[i][j] = determinant > 0 ? rows[j][i] / determinant : 0;
}

/* The mean of one coordinate of the values, and their slope. */
static void fit(const Builder *builder, int k, float *mean, float slope[3])
{
    double sum = 0, middle[3] = {0}, sums[3] = {0};
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        sum += builder->values[v][k];
        for (int i = 0; i < 3; i++) {
            middle[i] += builder->places[v][i];
            sums[i] += builder->values[v][k] * builder->places[v][i];
        }
    }
    sum /= builder->vertex_count;
    for (int i = 0; i < 3; i++)
        sums[i] -= sum * middle[i];
    *mean = (float)sum;
    for (int i = 0; i < 3; i++)
        slope[i] = (float)dot(builder->inverse[i], sums);
}

/* The square of the greatest difference of values over that of places, of ties. */
static double steepest_tie(const Builder *builder, int count)
{
    double most = 0;
    for (int32_t i = 0; i < builder->tie_count; i++) {
        const int32_t v = builder->ties[i][0], w = builder->ties[i][1];
        double square = 0;
        for (int k = 0; k < count; k++) {
            double change = builder->values[v][k] - builder->values[w][k];
            square += change * change;
        }
        square /= square_between(builder, v, w);
        most = square > most ? square : most;
    }
    return most;
}

/* The greatest |difference of values| / |difference of places|, of a vertex of the leaf and any
 * other, and of ties; of the first `count` coordinates, none of which is larger than `size`. In
 * floats values are parts of `size`, and off by 2^-24 of it: differences by twice as much, along
 * each axis. Whatever underflows is far less. */
static double steepest(Builder *builder, int count, double size, double least)
{
    const int32_t row_size = builder->row_size;
    if (size == 0)
        return 0;
    for (int k = 0; k < count; k++)
        for (int32_t v = 0; v < row_size; v++)
            builder->columns[k][v] =
                v < builder->vertex_count ? (float)(builder->values[v][k] / size) : 0;
    Sixteen most = {0};
    for (int32_t v = 0; v < builder->own_count; v++) {
        const float *nearness = builder->nearness + (size_t)v * (size_t)row_size;
        for (int32_t w = v / 16 * 16; w < row_size; w += 16) {
            Sixteen square = {0}, by, column;
            for (int k = 0; k < count; k++) {
                memcpy(&column, builder->columns[k] + w, sizeof column);
                column -= builder->columns[k][v];
                square += column * column;
            }
            memcpy(&by, nearness + w, sizeof by);
            square *= by;
            SixteenInts is_more = square > most;
            most = (Sixteen)((is_more & (SixteenInts)square) | (~is_more & (SixteenInts)most));
        }
    }
    double greatest = 0, tie = sqrt(steepest_tie(builder, count));
    for (int j = 0; j < 16; j++)
        greatest = (double)most[j] > greatest ? (double)most[j] : greatest;
    greatest = sqrt(greatest) * size / least;
    return (greatest > tie ? greatest : tie) * UP + 0x1p-21 * size / least;
}

static double weight_of(const PliSkins *skins, uint32_t vertex, int32_t joint)
{
    for (int32_t i = skins->skin_firsts[vertex]; i < skins->skin_firsts[vertex + 1]; i++)
        if (skins->skin_joints[i] == joint)
            return skins->skin_weights[i];
    return 0;
}

/* All joints of the vertices at hand, or -1 if they are too many. */
static int32_t find_joints(const Builder *builder, int32_t *joints)
{
    const PliSkins *skins = &builder->shape->skins;
    int32_t count = 0;
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        uint32_t vertex = builder->vertices[v];
        for (int32_t i = skins->skin_firsts[vertex]; i < skins->skin_firsts[vertex + 1]; i++) {
            int32_t k = 0;
            while (k < count && joints[k] != skins->skin_joints[i])
                k++;
            if (k == MOST_JOINTS)
                return -1;
            joints[k] = skins->skin_joints[i];
            count += k == count;
        }
    }
    return count;
}

static void look_at_joint(Builder *builder, double least, PliCalmJoint *joint)
{
    for (int32_t v = 0; v < builder->vertex_count; v++)
        builder->values[v][0] =
            weight_of(&builder->shape->skins, builder->vertices[v], joint->joint);
    fit(builder, 0, &joint->share, joint->slope);
    double size = 0, square = 0;
    for (int k = 0; k < 3; k++)
        square += (double)joint->slope[k] * joint->slope[k];
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        const double *p = builder->places[v];
        double *rest = builder->values[v];
        *rest -= joint->share +
                 (joint->slope[0] * p[0] + joint->slope[1] * p[1] + joint->slope[2] * p[2]);
        size = fabs(*rest) > size ? fabs(*rest) : size;
    }
    joint->steepness = (float)(sqrt(square) * UP);
    joint->size = (float)(size * UP);
    joint->rest = (float)(steepest(builder, 1, size, least) * UP);
}

static PliantResult look_at_joints(Builder *builder, PliCalmLeaf *leaf)
{
    int32_t joints[MOST_JOINTS], count = find_joints(builder, joints);
    if (count < 0) {
        leaf->firmness = 0;
        return PLIANT_OK;
    }
    void *room;
    PliantResult result = pli_array_push(&builder->calm->joints, builder->host, count, &room);
    if (result != PLIANT_OK)
        return result;
    PliCalmJoint *items = room;
    for (int32_t i = 0; i < count; i++) {
        items[i].joint = joints[i];
        look_at_joint(builder, leaf->least, &items[i]);
    }
    double off = 0;
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        double *sum = builder->values[v];
        *sum = -1;
        for (int32_t i = 0; i < count; i++)
            *sum += weight_of(&builder->shape->skins, builder->vertices[v], joints[i]);
        off = fabs(*sum) > off ? fabs(*sum) : off;
    }
    leaf->sum_change = (float)(steepest(builder, 1, off, leaf->least) * UP);
    leaf->joint_first = (int32_t)(builder->calm->joints.count - count);
    leaf->joint_count = count;
    return PLIANT_OK;
}

/* The displacements of the vertices at hand by a target; false if there are none. */
static bool take_moves(Builder *builder, int32_t target)
{
    bool has_moves = false;
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        uint32_t vertex = builder->vertices[v];
        memset(builder->values[v], 0, sizeof builder->values[v]);
        for (int32_t i = builder->move_firsts[vertex]; i < builder->move_firsts[vertex + 1]; i++) {
            if (builder->move_targets[i] != target)
                continue;
            const float *move =
                builder->shape->blends.target_moves + 3 * (size_t)builder->move_places[i];
            for (int k = 0; k < 3; k++)
                builder->values[v][k] = move[k];
            has_moves = true;
        }
    }
    return has_moves;
}

static void look_at_target(Builder *builder, double least, PliCalmTarget *target)
{
    for (int k = 0; k < 3; k++)
        fit(builder, k, &target->at[k], target->slopes[k]);
    double size = 0;
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        const double *p = builder->places[v];
        double *value = builder->values[v];
        for (int k = 0; k < 3; k++)
            value[k] -= target->at[k] + (target->slopes[k][0] * p[0] + target->slopes[k][1] * p[1] +
                                         target->slopes[k][2] * p[2]);
        size = dot(value, value) > size ? dot(value, value) : size;
    }
    target->size = (float)(sqrt(size) * UP);
    target->rest = (float)(steepest(builder, 3, sqrt(3) * sqrt(size), least) * UP);
}

static PliantResult look_at_targets(Builder *builder, PliCalmLeaf *leaf)
{
    PliArray *targets = &builder->calm->targets;
    leaf->target_first = (int32_t)targets->count;
    for (int32_t t = 0; t < builder->shape->header->target_count; t++) {
        if (!take_moves(builder, t))
            continue;
        void *room;
        PliantResult result = pli_array_push(targets, builder->host, 1, &room);
        if (result != PLIANT_OK)
            return result;
        PliCalmTarget *target = room;
        target->target = t;
        look_at_target(builder, leaf->least, target);
    }
    leaf->target_count = (int32_t)targets->count - leaf->target_first;
    return PLIANT_OK;
}

/* ---- All leaves ---------------------------------------------------------------------------------
 */

static PliantResult look_at_vertices(Builder *builder, PliCalmLeaf *leaf)
{
    place_vertices(builder, leaf);
    prepare_fits(builder);
    PliantResult result = PLIANT_OK;
    if (builder->shape->header->joint_count > 0)
        result = look_at_joints(builder, leaf);
    if (result == PLIANT_OK)
        result = look_at_targets(builder, leaf);
    return result;
}

/* Writes down the leaves near one, each with its suspects. */
static PliantResult put_near(Builder *builder, PliCalmLeaf *leaf, const int32_t *near,
                             int32_t near_count, const BadPairs *bad, int row, double longest)
{
    PliCalm *calm = builder->calm;
    void *room;
    PliantResult result = pli_array_push(&calm->nears, builder->host, near_count, &room);
    leaf->near_first = (int32_t)(calm->nears.count - near_count);
    for (int32_t n = 0, i = 0; n < near_count && result == PLIANT_OK; n++) {
        PliCalmNear *here = (PliCalmNear *)calm->nears.items + leaf->near_first + n;
        *here = (PliCalmNear){near[n], (int32_t)(calm->suspects.count / 2), 0};
        for (; i < bad->count && bad->items[i].near == n && result == PLIANT_OK; i++) {
            const BadPair *pair = &bad->items[i];
            if (!is_suspect(pair, row, longest))
                continue;
            result = pli_array_push(&calm->suspects, builder->host, 2, &room);
            if (result != PLIANT_OK)
                break;
            ((uint8_t *)room)[0] = pair->own;
            ((uint8_t *)room)[1] = pair->other;
            here->count++;
        }
    }
    leaf->near_count = near_count;
    return result;
}

static double longest_of(const Triangle *triangles, int32_t count)
{
    double longest = 0;
    for (int32_t i = 0; i < count; i++)
        longest = triangles[i].longest > longest ? triangles[i].longest : longest;
    return sqrt(longest);
}

static PliantResult look_at_near(Builder *builder, PliCalmLeaf *leaf, const int32_t *near,
                                 int32_t near_count)
{
    Triangle own[PLI_LEAF_SIZE];
    BadPairs *bad = builder->bad;
    const int32_t own_count = take_triangles(builder->shape, near[0], own);
    const double longest = longest_of(own, own_count);
    const float *reaches = builder->shape->blends.reaches;
    Firmness firmness = {GOOD_K, GOOD_E * longest};
    const Firmness good = firmness;
    bad->count = 0;
    bad->are_too_many = false;
    for (int32_t i = 0; i < near_count; i++)
        if (!builder->rows[near[i]].is_known)
            return PLIANT_OK;
    for (int32_t i = 0; i < near_count; i++)
        take_leaf(builder->shape, own, own_count, i, near[i], &builder->rows[near[i]], &good,
                  reaches[0] + reaches[1] + reaches[2], bad);
    int row = choose_row(bad, longest);
    if (row < 0)
        return PLIANT_OK;
    for (int32_t i = 0; i < bad->count; i++)
        if (!is_suspect(&bad->items[i], row, longest))
            worsen(&firmness, bad->items[i].k, bad->items[i].e);
    PliantResult result = put_near(builder, leaf, near, near_count, bad, row, longest);
    if (result != PLIANT_OK)
        return result;
    leaf->firmness = (float)(firmness.k * DOWN);
    leaf->bulge = (float)(firmness.e * UP);
    take_ties(builder, near, near_count);
    return look_at_vertices(builder, leaf);
}

static bool has_marked(const Builder *builder, int32_t leaf)
{
    PliRange range = builder->shape->tree.leaves[leaf];
    for (int32_t i = 0; i < 3 * range.count; i++) {
        int32_t triangle = builder->shape->tree.order[range.first + i / 3];
        if (builder->marks[builder->shape->triangles[3 * (size_t)triangle + (size_t)(i % 3)]] >= 0)
            return true;
    }
    return false;
}

/* Takes the vertices of those leaves that hang together with the first one, and moves these to the
 * front. Returns how many they are. What is near but hangs on something else, a finger beside
 * another or an arm at the waist, goes its own way, and nothing is known of both together. */
static int32_t take_connected(Builder *builder, int32_t *near, int32_t near_count)
{
    int32_t taken = 0;
    builder->vertex_count = 0;
    for (int32_t next = 0; next < near_count; next++) {
        while (next < near_count && next > 0 && !has_marked(builder, near[next]))
            next++;
        if (next == near_count)
            break;
        int32_t leaf = near[next];
        near[next] = near[taken];
        near[taken++] = leaf;
        take_vertices(builder, leaf);
        if (taken == 1)
            builder->own_count = builder->vertex_count;
        next = taken - 1;
    }
    return taken;
}

static PliantResult look_at_leaf(Builder *builder, int32_t number)
{
    PliCalmLeaf *leaf = &builder->calm->leaves[number];
    int32_t near[MOST_NEAR + 1], near_count = find_near(builder, number, near);
    *leaf = (PliCalmLeaf){0};
    if (near_count > 0)
        near_count = take_connected(builder, near, near_count);
    PliantResult result =
        near_count > 0 ? look_at_near(builder, leaf, near, near_count) : PLIANT_OK;
    for (int32_t v = 0; v < builder->vertex_count; v++)
        builder->marks[builder->vertices[v]] = -1;
    builder->vertex_count = 0;
    return result;
}
/* Which targets move each vertex. */
static void turn_moves(Builder *builder)
{
    const PliBlends *blends = &builder->shape->blends;
    const int32_t vertex_count = builder->shape->header->vertex_count;
    int32_t *firsts = builder->move_firsts;
    memset(firsts, 0, ((size_t)vertex_count + 1) * sizeof *firsts);
    for (int32_t i = 0; i < builder->shape->header->move_count; i++)
        firsts[blends->target_vertices[i] + 1]++;
    for (int32_t v = 0; v < vertex_count; v++)
        firsts[v + 1] += firsts[v];
    for (int32_t t = 0; t < blends->target_count; t++)
        for (int32_t i = blends->target_firsts[t]; i < blends->target_firsts[t + 1]; i++) {
            int32_t place = firsts[blends->target_vertices[i]]++;
            builder->move_targets[place] = t;
            builder->move_places[place] = i;
        }
    for (int32_t v = vertex_count; v > 0; v--)
        firsts[v] = firsts[v - 1];
    firsts[0] = 0;
}

static PliantResult look_at_all(Builder *builder, PliArena *arena)
{
    const PliShapeHeader *header = builder->shape->header;
    const PliTree *tree = &builder->shape->tree;
    const size_t vertex_count = (size_t)header->vertex_count, moves = (size_t)header->move_count;
    void *boxes = NULL, *stack = NULL, *marks = NULL, *firsts = NULL, *targets = NULL;
    void *places = NULL, *nearness = NULL, *bad = NULL, *rows = NULL;
    const size_t part_count = (size_t)tree->leaf_count + (size_t)tree->node_count;
    PliantResult result = pli_arena_take(arena, part_count, sizeof(PliBox), &boxes);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, (size_t)tree->node_count, sizeof(int32_t), &stack);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, (size_t)3 * PLI_LEAF_SIZE * (MOST_VERTICES + 16),
                                sizeof(float), &nearness);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, (size_t)tree->leaf_count, sizeof(Row), &rows);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, 1, sizeof(BadPairs), &bad);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, vertex_count, sizeof(int32_t), &marks);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, vertex_count + 1, sizeof(int32_t), &firsts);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, moves, sizeof(int32_t), &targets);
    if (result == PLIANT_OK)
        result = pli_arena_take(arena, moves, sizeof(int32_t), &places);
    if (result != PLIANT_OK)
        return result;
    builder->boxes = boxes;
    builder->stack = stack;
    builder->nearness = nearness;
    builder->bad = bad;
    builder->rows = rows;
    builder->marks = marks;
    builder->move_firsts = firsts;
    builder->move_targets = targets;
    builder->move_places = places;
    memset(marks, 0xff, vertex_count * sizeof(int32_t));
    turn_moves(builder);
    make_boxes(builder);
    for (int32_t leaf = 0; leaf < tree->leaf_count && result == PLIANT_OK; leaf++)
        result = look_at_leaf(builder, leaf);
    return result;
}

static PliantResult allocate_calm(const PliantShape *shape, const PliantHost *host, PliCalm **calm)
{
    const size_t leaf_count = (size_t)shape->tree.leaf_count;
    void *block = NULL, *leaves = NULL, *states = NULL, *maps = NULL;
    const size_t joint_count = (size_t)shape->header->joint_count;
    PliantResult result = pli_allocate(host, 1, sizeof(PliCalm), &block);
    if (result != PLIANT_OK)
        return result;
    result = pli_allocate(host, leaf_count, sizeof(PliCalmLeaf), &leaves);
    if (result == PLIANT_OK)
        result = pli_allocate(host, leaf_count, 1, &states);
    if (result == PLIANT_OK)
        result = pli_allocate(host, joint_count, sizeof(PliCalmMap), &maps);
    if (result != PLIANT_OK) {
        pli_release(host, states, leaf_count, 1);
        pli_release(host, leaves, leaf_count, sizeof(PliCalmLeaf));
        pli_release(host, block, 1, sizeof(PliCalm));
        return result;
    }
    *calm = block;
    **calm = (PliCalm){.leaves = leaves,
                       .states = states,
                       .maps = maps,
                       .nears = {.item_size = sizeof(PliCalmNear)},
                       .suspects = {.item_size = 1},
                       .joints = {.item_size = sizeof(PliCalmJoint)},
                       .targets = {.item_size = sizeof(PliCalmTarget)}};
    return PLIANT_OK;
}

PliantResult pli_calm_create(const PliantShape *shape, const PliantHost *host, PliCalm **calm)
{
    PliCalm *fresh = NULL;
    void *room = NULL;
    PliArena arena;
    PliantResult result = allocate_calm(shape, host, &fresh);
    if (result != PLIANT_OK)
        return result;
    pli_arena_init(&arena, host);
    result = pli_arena_take(&arena, 1, sizeof(Builder), &room);
    if (result == PLIANT_OK) {
        Builder *builder = room;
        builder->vertex_count = 0;
        builder->shape = shape;
        builder->host = host;
        builder->calm = fresh;
        result = look_at_all(builder, &arena);
    }
    pli_arena_free(&arena);
    if (result == PLIANT_OK)
        *calm = fresh;
    else
        pli_calm_free(fresh, shape, host);
    return result;
}

void pli_calm_free(PliCalm *calm, const PliantShape *shape, const PliantHost *host)
{
    if (!calm)
        return;
    const size_t leaf_count = (size_t)shape->tree.leaf_count;
    pli_array_free(&calm->nears, host);
    pli_array_free(&calm->suspects, host);
    pli_array_free(&calm->joints, host);
    pli_array_free(&calm->targets, host);
    pli_release(host, calm->leaves, leaf_count, sizeof(PliCalmLeaf));
    pli_release(host, calm->states, leaf_count, 1);
    pli_release(host, calm->maps, (size_t)shape->header->joint_count, sizeof(PliCalmMap));
    pli_release(host, calm, 1, sizeof(PliCalm));
}

size_t pli_calm_bytes(const PliCalm *calm, const PliantShape *shape)
{
    if (!calm)
        return 0;
    return sizeof *calm + pli_array_bytes(&calm->nears) + pli_array_bytes(&calm->suspects) +
           pli_array_bytes(&calm->joints) + pli_array_bytes(&calm->targets) +
           (size_t)shape->tree.leaf_count * (sizeof(PliCalmLeaf) + 1) +
           (size_t)shape->header->joint_count * sizeof(PliCalmMap);
}
