/* Pairs that are certainly farther, PLI_LANES at a time. The same operations in the same order as
 * in far_c.c. See far.h. */
#include "kernels/kernels.h"
#include "kernels/wide_points.h"

typedef uint32_t Uints __attribute__((vector_size(4 * PLI_LANES)));

static inline Vec between(Vec p, Vec q)
{
    return (Vec){p.x - q.x, p.y - q.y, p.z - q.z};
}

static inline Floats dot(Vec a, Vec b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

/* a - s * b. */
static inline Vec minus(Vec a, Floats s, Vec b)
{
    return (Vec){a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
}

static inline Floats clamped(Floats s)
{
    return smaller(larger(s, all_same(0)), all_same(1));
}

static inline Floats inverse(Floats x)
{
    const Floats y = (Floats)(PLI_FAR_INVERSE - (Uints)x);
    return y * (2 - x * y);
}

/* As in far_c.c. */
typedef struct Gap {
    Vec g;
    Floats depth, span;
} Gap;

PLI_ALWAYS_INLINE Gap between_edges(const Vec p[2], const Vec q[2])
{
    const Vec e = between(p[1], p[0]), f = between(q[1], q[0]), w = between(p[0], q[0]);
    const Floats ee = dot(e, e), ff = dot(f, f), ef = dot(e, f), ew = dot(e, w), fw = dot(f, w);
    Floats s = clamped((ef * fw - ew * ff) * inverse(ee * ff - ef * ef));
    const Floats t = clamped((ef * s + fw) * inverse(ff));
    s = clamped((ef * t - ew) * inverse(ee));
    const Vec g = minus(minus(w, -s, e), t, f);
    return (Gap){g, (dot(w, g) + smaller(dot(e, g), all_same(0))) - larger(dot(f, g), all_same(0)),
                 (ee + ff) + dot(w, w)};
}

PLI_ALWAYS_INLINE Gap between_vertex_and_triangle(Vec p, const Vec triangle[3])
{
    const Vec ab = between(triangle[1], triangle[0]), ac = between(triangle[2], triangle[0]),
              ap = between(p, triangle[0]);
    const Floats bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac), bp = dot(ab, ap),
                 cp = dot(ac, ap);
    const Floats area = inverse(bb * cc - bc * bc), s_plane = (cc * bp - bc * cp) * area,
                 t_plane = (bb * cp - bc * bp) * area;
    const Floats ab_s = clamped(bp * inverse(bb)), ab_way = ab_s * (ab_s * bb - 2 * bp);
    const Floats ac_t = clamped(cp * inverse(cc)), ac_way = ac_t * (ac_t * cc - 2 * cp);
    const Floats side = (bb - 2 * bc) + cc, along = (cp - bp) - (bc - bb),
                 bc_t = clamped(along * inverse(side)),
                 bc_way = (bb - 2 * bp) + bc_t * (bc_t * side - 2 * along);
    const Ints is_ac = ac_way < ab_way, is_bc = bc_way < choose(is_ac, ac_way, ab_way),
               is_plane = (s_plane >= 0) & (t_plane >= 0) & (s_plane + t_plane <= 1);
    const Floats none = all_same(0);
    const Floats s = choose(is_plane, s_plane, choose(is_bc, 1 - bc_t, choose(is_ac, none, ab_s))),
                 t = choose(is_plane, t_plane, choose(is_bc, bc_t, choose(is_ac, ac_t, none)));
    const Vec g = minus(minus(ap, s, ab), t, ac);
    return (Gap){g, dot(ap, g) - larger(larger(dot(ab, g), dot(ac, g)), none),
                 (bb + cc) + dot(ap, ap)};
}

PLI_ALWAYS_INLINE Ints is_far(const Gap *gap, float square)
{
    const Floats limit = all_same(square) + PLI_FAR_ERROR * gap->span,
                 bound = larger(dot(gap->g, gap->g) * limit, all_same(PLI_FAR_LEAST));
    return (gap->depth > 0) & (gap->span < PLI_FAR_MOST) & (gap->depth * gap->depth > bound);
}

/* ---- Rows to columns ------------------------------------------------------------------------- */

/* A corner for each lane: its point, and its vertex. */
PLI_ALWAYS_INLINE Vec load_corners(const PliCorner *features, const uint32_t *indices, int corner,
                                   Ints *vertex)
{
    enum { FLOATS = sizeof(PliCorner) / sizeof(float) };
    Floats columns[4];
    load_columns((const float *)(const void *)features, FLOATS * PLI_FEATURE_CORNERS, indices, 2,
                 FLOATS * corner, columns);
    *vertex = (Ints)columns[3];
    return (Vec){columns[0], columns[1], columns[2]};
}

/* A row for each lane, by three vectors of four floats that are all within it. */
PLI_ALWAYS_INLINE void load_triangles(const float *rows, const uint32_t *indices, Vec triangle[3])
{
    Floats first[4], second[4], third[4];
    load_columns(rows, PLI_ROW_SIZE, indices, 2, 0, first);
    load_columns(rows, PLI_ROW_SIZE, indices, 2, 4, second);
    load_columns(rows, PLI_ROW_SIZE, indices, 2, 5, third);
    triangle[0] = (Vec){first[0], first[1], first[2]};
    triangle[1] = (Vec){first[3], second[0], second[1]};
    triangle[2] = (Vec){second[2], second[3], third[3]};
}

static inline Ints are_neighbors(const Ints a[2], const Ints b[2])
{
    return (a[0] == b[0]) | (a[0] == b[1]) | (a[1] == b[0]) | (a[1] == b[1]);
}

/* ---- All pairs ------------------------------------------------------------------------------- */

/* Lanes whose pairs are dropped, as bits. */
PLI_ALWAYS_INLINE uint32_t drop_vector(const PliFarPairs *in, const uint32_t *pairs, float square,
                                       bool are_edges, bool is_self)
{
    Ints a[2], b[2], is_dropped;
    Vec p[2], q[3];
    Gap gap;
    p[0] = load_corners(in->features, pairs, 0, &a[0]);
    if (are_edges) {
        p[1] = load_corners(in->features, pairs, 1, &a[1]);
        q[0] = load_corners(in->features, pairs + 1, 0, &b[0]);
        q[1] = load_corners(in->features, pairs + 1, 1, &b[1]);
        gap = between_edges(p, q);
        is_dropped = is_far(&gap, square);
        if (is_self)
            is_dropped |= are_neighbors(a, b);
        return int_lanes(is_dropped);
    }
    load_triangles(in->rows, pairs + 1, q);
    gap = between_vertex_and_triangle(p[0], q);
    is_dropped = is_far(&gap, square);
    if (is_self) {
        Floats corners[4];
        load_columns((const float *)(const void *)in->vertices, 4, pairs + 1, 2, 0, corners);
        is_dropped |=
            (a[0] == (Ints)corners[0]) | (a[0] == (Ints)corners[1]) | (a[0] == (Ints)corners[2]);
    }
    return int_lanes(is_dropped);
}

/* Lists first and the next ones whose bits are set, and returns the end of the list. */
static inline uint32_t *list_lanes(uint32_t *end, uint32_t first, uint32_t bits)
{
#if PLI_LANES == 16
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                  numbers = _mm512_add_epi32(lanes, _mm512_set1_epi32((int)first));
    _mm512_storeu_si512(end, _mm512_maskz_compress_epi32((__mmask16)bits, numbers));
    return end + __builtin_popcount(bits);
#else
    for (; bits; bits &= bits - 1)
        *end++ = first + (uint32_t)__builtin_ctz(bits);
    return end;
#endif
}

PLI_ALWAYS_INLINE int32_t drop_all(const PliFarPairs *in, bool are_edges, bool is_self,
                                   uint32_t *left)
{
    const float square = (in->distance * in->distance) * PLI_FAR_DISTANCE;
    const uint32_t all = (1u << PLI_LANES) - 1;
    uint32_t *end = left;
    int32_t first = 0;
    for (; first + PLI_LANES <= in->count; first += PLI_LANES)
        end = list_lanes(end, (uint32_t)first,
                         all & ~drop_vector(in, in->pairs + 2 * first, square, are_edges, is_self));

    /* The last vector may be part empty: its spare lanes repeat the last pair. */
    const int32_t rest = in->count - first;
    if (rest > 0) {
        uint32_t padded[2 * PLI_LANES];
        for (int32_t i = 0; i < PLI_LANES; i++)
            memcpy(padded + 2 * i, in->pairs + 2 * (first + (i < rest ? i : rest - 1)),
                   2 * sizeof *padded);
        end = list_lanes(end, (uint32_t)first,
                         ((1u << rest) - 1) & ~drop_vector(in, padded, square, are_edges, is_self));
    }
    return (int32_t)(end - left);
}

int32_t PLI_NAME(pli_drop_far)(const PliFarPairs *pairs, uint32_t *left)
{
    if (pairs->rows)
        return pairs->is_self ? drop_all(pairs, false, true, left)
                              : drop_all(pairs, false, false, left);
    return pairs->is_self ? drop_all(pairs, true, true, left) : drop_all(pairs, true, false, left);
}

/* The vertices at the ends of sixteen edges, and of the first ones again. */
enum { AROUND = PLI_LEAF_SIZE + PLI_LEAF_SIZE / 2 };

static inline void load_around(int32_t vertices[2][AROUND], int first, Ints lanes[2])
{
    memcpy(&lanes[0], vertices[0] + first, sizeof lanes[0]);
    memcpy(&lanes[1], vertices[1] + first, sizeof lanes[1]);
}

void PLI_NAME(pli_mask_neighbors)(const PliCorner *features, PliExclusionMask *mask)
{
    enum { HALF = PLI_LEAF_SIZE / 2 };
    int32_t vertices[2][AROUND];
    for (int i = 0; i < AROUND; i++)
        for (int k = 0; k < 2; k++)
            vertices[k][i] =
                (int32_t)features[PLI_FEATURE_CORNERS * (i % PLI_LEAF_SIZE) + k].vertex;
    for (int after = 1; after <= HALF; after++) {
        uint32_t bits = after == HALF ? 0xff00 : 0;
        for (int lane = 0; lane < PLI_LEAF_SIZE; lane += PLI_LANES) {
            Ints a[2], b[2];
            load_around(vertices, lane, a);
            load_around(vertices, lane + after, b);
            bits |= int_lanes(are_neighbors(a, b)) << lane;
        }
        mask->a[after - 1] = (uint16_t)bits;
    }
}
