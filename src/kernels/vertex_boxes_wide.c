/* Boxes around listed vertices. See vertex_boxes.h.
 *
 * A vertex is three floats and a register holds four: it is loaded with the float behind it, which
 * is ignored. Nothing may be read behind the last vertex of all. Single numbers ascend, so it can
 * only be the last of them, and is loaded on its own. Two vertices share a register where registers
 * have eight lanes or more.
 *
 * A block of consecutive vertices without gaps is read as whole registers. Three registers hold as
 * many vertices as they have lanes; a lane then always holds the same coordinate. The coordinates
 * are brought together at the end. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

/* The third float of the last vertex is the last that is there. */
static inline Float4 load_last(const char *at)
{
    float p[3];
    memcpy(p, at, sizeof p);
    return (Float4){p[0], p[1], p[2], p[2]};
}

static inline Float4 load_vertex(const char *at)
{
    Float4 v;
    memcpy(&v, at, sizeof v);
    return v;
}

/* ---- Vertices one by one -------------------------------------------------------------------- */

#if PLI_LANES == 4

/* The bounds of one vertex, or of two side by side where registers are wide enough. */
typedef struct Bounds {
    Float4 low, high;
} Bounds;

static inline void add_one(Bounds *bounds, Float4 v)
{
    bounds->low = PLI_MIN(v, bounds->low);
    bounds->high = PLI_MAX(v, bounds->high);
}

static inline void add_ends(Bounds *bounds, Float4 low, Float4 high)
{
    bounds->low = PLI_MIN(low, bounds->low);
    bounds->high = PLI_MAX(high, bounds->high);
}

static inline void add_pair(Bounds *bounds, const char *p, const char *q)
{
    add_one(bounds, load_vertex(p));
    add_one(bounds, load_vertex(q));
}

static inline Bounds no_bounds(void)
{
    const PliBox empty = pli_box_empty();
    return (Bounds){empty.low, empty.high};
}

static inline Bounds together(Bounds x, Bounds y)
{
    return (Bounds){PLI_MIN(x.low, y.low), PLI_MAX(x.high, y.high)};
}

static inline PliBox box_of(Bounds bounds)
{
    return (PliBox){bounds.low, bounds.high};
}

#else

typedef struct Bounds {
    __m256 low, high;
} Bounds;

static inline void add_both(Bounds *bounds, __m256 v)
{
    bounds->low = _mm256_min_ps(v, bounds->low);
    bounds->high = _mm256_max_ps(v, bounds->high);
}

static inline __m256 twice(Float4 v)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256((__m128)v), (__m128)v, 1);
}

static inline void add_one(Bounds *bounds, Float4 v)
{
    add_both(bounds, twice(v));
}

static inline void add_ends(Bounds *bounds, Float4 low, Float4 high)
{
    bounds->low = _mm256_min_ps(twice(low), bounds->low);
    bounds->high = _mm256_max_ps(twice(high), bounds->high);
}

static inline void add_pair(Bounds *bounds, const char *p, const char *q)
{
    __m256 first = _mm256_castps128_ps256(_mm_loadu_ps((const float *)p));
    add_both(bounds, _mm256_insertf128_ps(first, _mm_loadu_ps((const float *)q), 1));
}

static inline Bounds no_bounds(void)
{
    return (Bounds){_mm256_set1_ps(INFINITY), _mm256_set1_ps(-INFINITY)};
}

static inline Bounds together(Bounds x, Bounds y)
{
    return (Bounds){_mm256_min_ps(x.low, y.low), _mm256_max_ps(x.high, y.high)};
}

static inline PliBox box_of(Bounds bounds)
{
    __m128 low =
        _mm_min_ps(_mm256_castps256_ps128(bounds.low), _mm256_extractf128_ps(bounds.low, 1));
    __m128 high =
        _mm_max_ps(_mm256_castps256_ps128(bounds.high), _mm256_extractf128_ps(bounds.high, 1));
    return (PliBox){(PliFloat4)low, (PliFloat4)high};
}

#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Four sets of bounds, so that none has to wait for another. */
typedef struct Sets {
    Bounds x, y, z, w;
} Sets;

ALWAYS_INLINE void add_eight(Sets *vertex_lists, const char *data, size_t stride,
                             const uint32_t *numbers)
{
    add_pair(&vertex_lists->x, data + stride * numbers[0], data + stride * numbers[1]);
    add_pair(&vertex_lists->y, data + stride * numbers[2], data + stride * numbers[3]);
    add_pair(&vertex_lists->z, data + stride * numbers[4], data + stride * numbers[5]);
    add_pair(&vertex_lists->w, data + stride * numbers[6], data + stride * numbers[7]);
}

/* Some vertices may be added twice, which does not change a box. */
ALWAYS_INLINE void add_singles(Sets *vertex_lists, const char *data, size_t stride, uint32_t last,
                               const uint32_t *numbers, int32_t count)
{
    if (PLI_UNLIKELY(count > 0 && numbers[count - 1] == last))
        add_one(&vertex_lists->x, load_last(data + stride * numbers[--count]));
    int32_t i = 0;
    for (; i + 8 <= count; i += 8)
        add_eight(vertex_lists, data, stride, numbers + i);
    if (i == count)
        return;
    if (count >= 8) {
        add_eight(vertex_lists, data, stride, numbers + count - 8);
        return;
    }
    for (; i < count; i++)
        add_one(&vertex_lists->x, load_vertex(data + stride * numbers[i]));
}

/* ---- Blocks ------------------------------------------------------------------------------------
 *
 * The bounds of WIDE vertices side by side, in three registers each. */

#if PLI_LANES == 4

typedef Float4 Wide;
enum { WIDE = 4 };
#define WIDE_MIN(x, y) PLI_MIN(x, y)
#define WIDE_MAX(x, y) PLI_MAX(x, y)
#define DOWN(x, fill, n) __builtin_shufflevector(x, fill, n, n + 1, n + 2, n + 3)

#else

typedef float Wide __attribute__((vector_size(32)));
enum { WIDE = 8 };
#define WIDE_MIN(x, y) (Wide) _mm256_min_ps((__m256)(x), (__m256)(y))
#define WIDE_MAX(x, y) (Wide) _mm256_max_ps((__m256)(x), (__m256)(y))
#define DOWN(x, fill, n)                                                                           \
    __builtin_shufflevector(x, fill, n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7)

#endif

typedef struct Block {
    Wide low[3], high[3];
} Block;

static inline Wide load_wide(const float *from)
{
    Wide v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void add_block(Block *block, const float *vertices)
{
    for (int v = 0; v < PLI_BLOCK; v += WIDE) {
        Wide x = load_wide(vertices + 3 * v), y = load_wide(vertices + 3 * v + WIDE),
             z = load_wide(vertices + 3 * v + 2 * WIDE);
        block->low[0] = WIDE_MIN(x, block->low[0]);
        block->high[0] = WIDE_MAX(x, block->high[0]);
        block->low[1] = WIDE_MIN(y, block->low[1]);
        block->high[1] = WIDE_MAX(y, block->high[1]);
        block->low[2] = WIDE_MIN(z, block->low[2]);
        block->high[2] = WIDE_MAX(z, block->high[2]);
    }
}

/* DOWN() is lane l from lane l + n, for a constant n, with `fill` from beyond; UP() from l - n.
 *
 * Lane l of the first register is coordinate l % 3. In the others lanes have to be moved for that,
 * each both ways, so that none is left out. Then the lanes of a coordinate are brought together at
 * the bottom. */
#define UP(x, fill, n) DOWN(fill, x, WIDE - n)
#define FOLD(of_two, r, fill, folded)                                                              \
    do {                                                                                           \
        enum { NEXT = WIDE % 3 == 1 ? 2 : 1, AFTER = 3 - NEXT };                                   \
        Wide m = of_two(r[0], of_two(of_two(DOWN(r[1], fill, NEXT), UP(r[1], fill, AFTER)),        \
                                     of_two(DOWN(r[2], fill, AFTER), UP(r[2], fill, NEXT))));      \
        if (WIDE == 8) {                                                                           \
            Wide above = DOWN(m, fill, WIDE * 3 / 4);                                              \
            m = of_two(m, above);                                                                  \
        }                                                                                          \
        Wide next = DOWN(m, fill, 3);                                                              \
        m = of_two(m, next);                                                                       \
        memcpy(&folded, &m, sizeof folded);                                                        \
    } while (0)

/* The blocks of a list. */
static inline void add_blocks(Bounds *bounds, const float *vertices, const uint32_t *numbers,
                              int32_t count)
{
    const Wide none = INFINITY - (Wide){0};
    Block block = {{none, none, none}, {-none, -none, -none}}, other = block;
    int32_t b = 0;
    for (; b + 2 <= count; b += 2) { /* two at a time, so that one need not wait for the other */
        add_block(&block, vertices + 3 * (size_t)numbers[b]);
        add_block(&other, vertices + 3 * (size_t)numbers[b + 1]);
    }
    if (b < count)
        add_block(&block, vertices + 3 * (size_t)numbers[b]);
    for (int r = 0; r < 3; r++) {
        block.low[r] = WIDE_MIN(other.low[r], block.low[r]);
        block.high[r] = WIDE_MAX(other.high[r], block.high[r]);
    }
    Float4 lowest, highest;
    FOLD(WIDE_MIN, block.low, none, lowest);
    FOLD(WIDE_MAX, block.high, -none, highest);
    add_ends(bounds, lowest, highest);
}

/* The same where there are gaps: vertex by vertex. */
static inline void add_blocks_with_gaps(Sets *vertex_lists, const char *data, size_t stride,
                                        uint32_t last, const uint32_t *numbers, int32_t count)
{
    for (int32_t b = 0; b < count; b++) {
        uint32_t n = numbers[b];
        const uint32_t all[PLI_BLOCK] = {n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7};
        add_singles(vertex_lists, data, stride, last, all, PLI_BLOCK);
    }
}

/* Are all ends finite? The fourth lane is unspecified. */
static inline bool is_finite(PliBox box)
{
    PliInt4 is_less = (box.low > -INFINITY) & (box.high < INFINITY);
    return is_less[0] & is_less[1] & is_less[2];
}

/* ---- Lists ----------------------------------------------------------------------------------- */

ALWAYS_INLINE void box_lists(const PliVertexView *vertices, size_t stride, const uint32_t *numbers,
                             const PliVertexList *lists, int32_t list_count, PliBox *boxes)
{
    const uint32_t last = vertices->count - 1;
    for (int32_t i = 0; i < list_count; i++) {
        const PliVertexList list = lists[i];
        const uint32_t *blocks = numbers + list.first, *singles = blocks + list.block_count;
        const Bounds none = no_bounds();
        Sets vertex_lists = {none, none, none, none};
        if (list.block_count > 0 && stride == 3 * sizeof(float))
            add_blocks(&vertex_lists.x, (const float *)vertices->data, blocks, list.block_count);
        else
            add_blocks_with_gaps(&vertex_lists, vertices->data, stride, last, blocks,
                                 list.block_count);
        add_singles(&vertex_lists, vertices->data, stride, last, singles, list.single_count);
        boxes[i] = box_of(together(together(vertex_lists.x, vertex_lists.y),
                                   together(vertex_lists.z, vertex_lists.w)));
        if (PLI_UNLIKELY(!is_finite(boxes[i])))
            pli_box_lists_c(vertices, numbers, &lists[i], 1, &boxes[i]);
    }
}

void PLI_NAME(pli_box_lists)(const PliVertexView *vertices, const uint32_t *numbers,
                             const PliVertexList *lists, int32_t list_count, PliBox *boxes)
{
    /* Without gaps, a vertex is found without a multiplication. */
    if (vertices->stride == 3 * sizeof(float))
        box_lists(vertices, 3 * sizeof(float), numbers, lists, list_count, boxes);
    else
        box_lists(vertices, vertices->stride, numbers, lists, list_count, boxes);
}
