// The peers of `pliant-bench-peers free`: those that keep deforming bodies ready for questions,
// each behind the same calls. Every vertex of every body moves in every frame.
//
// All peers read the same float32 positions and, where their interface lets them, decide candidates
// with the same exact test, so that what is compared is how fast they find the pairs and not which
// rounding they chose. One thread each.
#ifndef BENCH_FREE_PEERS_H
#define BENCH_FREE_PEERS_H

#include <pliant/pliant.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

// What a body is made of. The triangles, three indices each, are borrowed for the life of the peer;
// null: all vertices in turn, which not every peer takes.
struct FreeMesh {
    int32_t vertex_count, triangle_count;
    const uint32_t *triangles;
    bool is_unchanged; // its vertices are always those at rest: nobody has to update it
};

// One for each body.
using FreeScene = std::vector<FreeMesh>;

// Two triangles that intersect.
struct FreePair {
    int32_t body_a, body_b;
    uint32_t triangle_a, triangle_b;
};

// Pairs of bodies, the lesser first.
using FreeBodies = std::vector<std::pair<int, int>>;

class FreePeer
{
  public:
    virtual ~FreePeer() = default;
    virtual const char *name() const = 0;

    // Comes before update() with the same arrays, and is not timed: for a caller who has always
    // kept the vertices in another order.
    virtual void prepare(const float *const *)
    {
    }

    // Other triangles, and another number of them: comes before update(), and is not timed. Only
    // for peers that keep nothing about triangles from one update to the next.
    virtual void remesh(const FreeScene &)
    {
    }

    // Comes before a frame is run again, and is not timed: a peer that would save work if it were
    // given one frame twice goes back to the frame before.
    virtual void rewind()
    {
    }

    // New world positions of every body, three floats a vertex. The arrays stay valid, and as they
    // are, until the next update.
    virtual void update(const float *const *vertices) = 0;

    // For a peer that leaves its work to the query: the part of it that comes before any two bodies
    // are compared. False if update() has done it all.
    virtual bool update_alone()
    {
        return false;
    }

    // Finds every pair of triangles that intersects, for the given pairs of bodies. Embree also
    // takes a body twice, for self-collision: then of pairs that intersect beyond what they share,
    // once each.
    virtual void all_pairs(const FreeBodies &bodies) = 0;

    // What all_pairs() found, in any order. Not timed, and so the place to convert it.
    virtual const std::vector<FreePair> &pairs()
    {
        return found;
    }

    // Is there any contact? As early as the peer can stop.
    virtual bool first_pair(int body_a, int body_b) = 0;

    // How many of the pairs of bodies are in contact?
    virtual int touching(const FreeBodies &bodies)
    {
        int count = 0;
        for (const auto &[a, b] : bodies)
            count += first_pair(a, b);
        return count;
    }

  protected:
    std::vector<FreePair> found;
};

// Each builds its trees for the rest positions, which are borrowed for the time of the call.
std::unique_ptr<FreePeer> make_embree(const FreeScene &scene, const float *const *rest_vertices);

// Bytes that Embree has allocated now, in all of its devices.
int64_t embree_bytes();

// The same with so many threads, for each build, refit and rtcCollide.
std::unique_ptr<FreePeer> make_embree_threads(int threads, const FreeScene &scene,
                                              const float *const *rest_vertices);
std::unique_ptr<FreePeer> make_fcl(const FreeScene &scene, const float *const *rest_vertices);
std::unique_ptr<FreePeer> make_bullet(const FreeScene &scene, const float *const *rest_vertices);
std::unique_ptr<FreePeer> make_cgal(const FreeScene &scene, const float *const *rest_vertices);
std::unique_ptr<FreePeer> make_bergen(const FreeScene &scene, const float *const *rest_vertices);

// Embree with trees that are made anew at each update, and so never older than the triangles.
enum class FreeBuild {
    Fast, // along a curve through space
    Good, // by the surface area heuristic
};

std::unique_ptr<FreePeer> make_embree_anew(FreeBuild build, const FreeScene &scene,
                                           const float *const *rest_vertices);

// This library, in the ways in which it can be used.
struct FreePliantWay {
    const char *name;
    uint32_t cpu_mask;
    PliantUpdateKind update_kind;
    bool adopts_order; // the caller keeps the vertices in the order of the tree
    PliantPool *pool;  // or null, for one worker
};

std::unique_ptr<FreePeer> make_pliant(const FreePliantWay &way, const FreeScene &scene,
                                      const float *const *rest_vertices);

// The same, with vertices that it works out itself at each update: of each body that is not still.
using FreePosing = std::function<void(size_t body, float *vertices)>;

std::unique_ptr<FreePeer> make_posed(const FreePliantWay &way, const FreeScene &scene,
                                     const float *const *rest_vertices, FreePosing posing);

// Its soups: bodies whose triangles are nothing but all vertices in turn.
struct FreeSoupWay {
    const char *name;
    uint32_t cpu_mask;
    PliantSoupKind kind;
};

std::unique_ptr<FreePeer> make_soup(const FreeSoupWay &way, const FreeScene &scene);

// The floor: what no method that reads every vertex can beat. One pass over the vertices of a
// body that takes their box: lowest x y z, highest x y z. vertex_count > 0.
void free_floor(const float *vertices, int32_t vertex_count, float box[6]);

// The three indices of a triangle.
inline const uint32_t *free_indices(const FreeMesh &mesh, uint32_t triangle)
{
    return mesh.triangles + 3 * static_cast<size_t>(triangle);
}

inline const float *free_vertex(const float *vertices, uint32_t index)
{
    return vertices + 3 * static_cast<size_t>(index);
}

// Where the corners of a triangle are.
struct FreeCorners {
    const float *a, *b, *c;
};

inline FreeCorners free_corners_of(const FreeMesh &mesh, const float *vertices, uint32_t triangle)
{
    if (!mesh.triangles) {
        const float *first = vertices + 9 * static_cast<size_t>(triangle);
        return {first, first + 3, first + 6};
    }
    const uint32_t *index = free_indices(mesh, triangle);
    return {free_vertex(vertices, index[0]), free_vertex(vertices, index[1]),
            free_vertex(vertices, index[2])};
}

// Copies the corners of a triangle out, as the exact test wants them.
inline void free_corners(const FreeMesh &mesh, const float *vertices, uint32_t triangle,
                         float corners[9])
{
    const auto [a, b, c] = free_corners_of(mesh, vertices, triangle);
    for (int k = 0; k < 3; k++) {
        corners[k] = a[k];
        corners[3 + k] = b[k];
        corners[6 + k] = c[k];
    }
}

// The box of a triangle: lower and upper ends for each axis.
inline void free_triangle_box(const FreeMesh &mesh, const float *vertices, uint32_t triangle,
                              float lower[3], float upper[3])
{
    const auto [a, b, c] = free_corners_of(mesh, vertices, triangle);
    for (int k = 0; k < 3; k++) {
        lower[k] = std::min(std::min(a[k], b[k]), c[k]);
        upper[k] = std::max(std::max(a[k], b[k]), c[k]);
    }
}

#endif
