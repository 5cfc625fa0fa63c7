// The floor of `pliant-bench-peers free`: one pass over all vertices, at the speed of memory.
//
// x y z repeat every three floats, so in three vectors of any width each lane always sees the same
// axis: the pass is nothing but loads, minima and maxima, and lanes are sorted out once at the end.
#include "free_peers.h"

#include <cstring>
#include <limits>

namespace
{
#define FREE_INLINE inline __attribute__((always_inline))

// Passed by reference and only between inlined functions, so that no calling convention for wide
// vectors matters.
template <int Lanes> struct Wide {
    typedef float Vector __attribute__((vector_size(Lanes * sizeof(float))));
};

// The box seen so far, one for each lane of three vectors.
template <int Lanes> struct LaneBoxes {
    typename Wide<Lanes>::Vector low[3], high[3];
};

template <int Lanes> FREE_INLINE void start(LaneBoxes<Lanes> *boxes)
{
    const float big = std::numeric_limits<float>::infinity();
    for (int k = 0; k < 3; k++) {
        boxes->low[k] = big - typename Wide<Lanes>::Vector{};
        boxes->high[k] = -boxes->low[k];
    }
}

// Three vectors from anywhere.
template <int Lanes> FREE_INLINE void take(LaneBoxes<Lanes> *boxes, const float *from)
{
    for (int k = 0; k < 3; k++) {
        typename Wide<Lanes>::Vector v;
        std::memcpy(&v, from + k * Lanes, sizeof v);
        boxes->low[k] = v < boxes->low[k] ? v : boxes->low[k];
        boxes->high[k] = v > boxes->high[k] ? v : boxes->high[k];
    }
}

template <int Lanes> FREE_INLINE void finish(const LaneBoxes<Lanes> *boxes, float box[6])
{
    float low[3 * Lanes], high[3 * Lanes];
    std::memcpy(low, boxes->low, sizeof low);
    std::memcpy(high, boxes->high, sizeof high);
    for (int i = 0; i < 3 * Lanes; i++) {
        const int axis = i % 3;
        box[axis] = i < 3 || low[i] < box[axis] ? low[i] : box[axis];
        box[axis + 3] = i < 3 || high[i] > box[axis + 3] ? high[i] : box[axis + 3];
    }
}

// At least Lanes vertices. Two sets of boxes, since a minimum waits for the one before it; the last
// block overlaps what came before it rather than the end of the array.
template <int Lanes>
FREE_INLINE void wide_box(const float *vertices, int32_t vertex_count, float box[6])
{
    const size_t count = 3 * static_cast<size_t>(vertex_count), block = 3 * Lanes;
    LaneBoxes<Lanes> even, odd;
    start<Lanes>(&even);
    start<Lanes>(&odd);
    size_t i = 0;
    for (; i + 2 * block <= count; i += 2 * block) {
        take<Lanes>(&even, vertices + i);
        take<Lanes>(&odd, vertices + i + block);
    }
    if (i + block <= count)
        take<Lanes>(&even, vertices + i);
    take<Lanes>(&odd, vertices + count - block);
    for (int k = 0; k < 3; k++) {
        even.low[k] = odd.low[k] < even.low[k] ? odd.low[k] : even.low[k];
        even.high[k] = odd.high[k] > even.high[k] ? odd.high[k] : even.high[k];
    }
    finish<Lanes>(&even, box);
}

#ifdef __x86_64__
__attribute__((target("avx512f"))) void box_512(const float *vertices, int32_t vertex_count,
                                                float box[6])
{
    wide_box<16>(vertices, vertex_count, box);
}

__attribute__((target("avx2"))) void box_256(const float *vertices, int32_t vertex_count,
                                             float box[6])
{
    wide_box<8>(vertices, vertex_count, box);
}
#endif
} // namespace

void free_floor(const float *vertices, int32_t vertex_count, float box[6])
{
#ifdef __x86_64__
    if (vertex_count >= 16 && __builtin_cpu_supports("avx512f"))
        return box_512(vertices, vertex_count, box);
    if (vertex_count >= 8 && __builtin_cpu_supports("avx2"))
        return box_256(vertices, vertex_count, box);
#endif
    if (vertex_count >= 4)
        wide_box<4>(vertices, vertex_count, box);
    else
        wide_box<1>(vertices, vertex_count, box);
}
