// The peers of `pliant-bench-peers free`: other libraries that keep deforming bodies ready for
// questions, each behind the same four calls. Every vertex of every body moves in every frame.
//
// All peers read the same float32 positions and, where their interface lets them, decide candidates
// with the same exact test, so that what is compared is how fast they find the pairs and not which
// rounding they chose. One thread each.
#ifndef BENCH_FREE_PEERS_H
#define BENCH_FREE_PEERS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

// Bodies of one mesh. The triangles, three indices each, are borrowed for the life of the peer.
struct FreeScene {
    int body_count;
    int32_t vertex_count, triangle_count;
    const uint32_t *triangles;
};

// Two triangles that meet.
struct FreePair {
    int32_t body_a, body_b;
    uint32_t triangle_a, triangle_b;
};

class FreePeer
{
  public:
    virtual ~FreePeer() = default;
    virtual const char *name() const = 0;

    // New world positions of every body, three floats a vertex. The arrays stay valid, and as they
    // are, until the next update.
    virtual void update(const float *const *vertices) = 0;

    // Every pair of triangles that meets, for the given pairs of bodies, in any order; what was in
    // `pairs` is dropped and its memory used again.
    virtual void all_pairs(const int (*body_pairs)[2], int body_pair_count,
                           std::vector<FreePair> *pairs) = 0;

    // Is there any contact? As early as the peer can stop.
    virtual bool first_pair(int body_a, int body_b) = 0;
};

// Each builds its trees for the rest positions, which are borrowed for the time of the call.
std::unique_ptr<FreePeer> make_embree(const FreeScene &scene, const float *const *rest_vertices);
std::unique_ptr<FreePeer> make_fcl(const FreeScene &scene, const float *const *rest_vertices);
std::unique_ptr<FreePeer> make_bullet(const FreeScene &scene, const float *const *rest_vertices);
std::unique_ptr<FreePeer> make_cgal(const FreeScene &scene, const float *const *rest_vertices);

// The floor: what no method that looks at every vertex can beat. One pass over the vertices of a
// body that takes their box: lowest x y z, highest x y z. vertex_count > 0.
void free_floor(const float *vertices, int32_t vertex_count, float box[6]);

// The three indices of a triangle.
inline const uint32_t *free_indices(const FreeScene &scene, uint32_t triangle)
{
    return scene.triangles + 3 * static_cast<size_t>(triangle);
}

inline const float *free_vertex(const float *vertices, uint32_t index)
{
    return vertices + 3 * static_cast<size_t>(index);
}

// Copies the corners of a triangle out, as the exact test wants them.
inline void free_corners(const FreeScene &scene, const float *vertices, uint32_t triangle,
                         float corners[9])
{
    const uint32_t *index = free_indices(scene, triangle);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            corners[3 * i + k] = free_vertex(vertices, index[i])[k];
}

// The box of a triangle: lower and upper ends for each axis.
inline void free_triangle_box(const FreeScene &scene, const float *vertices, uint32_t triangle,
                              float lower[3], float upper[3])
{
    const uint32_t *index = free_indices(scene, triangle);
    const float *a = free_vertex(vertices, index[0]);
    const float *b = free_vertex(vertices, index[1]);
    const float *c = free_vertex(vertices, index[2]);
    for (int k = 0; k < 3; k++) {
        lower[k] = std::min(std::min(a[k], b[k]), c[k]);
        upper[k] = std::max(std::max(a[k], b[k]), c[k]);
    }
}

#endif
