// Features within a distance: what `pliant-bench-peers near` measures. Vertices near triangles and
// edges near edges, each pair once.
#ifndef BENCH_NEAR_RUNS_H
#define BENCH_NEAR_RUNS_H

#include "character_runs.h"

#include <tuple>

// ---- Scenes in motion -------------------------------------------------------------------------

// A scene, and what is asked of it.
struct NearScene {
    std::unique_ptr<FreeMotion> motion;
    float distance;
    bool is_self; // of one body, which is searched alone
    float margin = 0;
};

// A cloth of 40,000 triangles covers a bumpy sphere of 81,920 triangles and hangs down around it.
// It lies on the bumps. Every vertex of both moves in every step. Asked for: 0.5 % of the length
// of the cloth's shorter side.
NearScene near_cloth();

// The same cloth, folded three times. Its layers wave, and come as close as a third of the distance
// and not nearer.
NearScene near_folded_cloth();

// ---- Pairs ------------------------------------------------------------------------------------

struct NearPair {
    int32_t body_a, body_b;
    int32_t kind; // PliantFeatures
    int32_t feature_a, feature_b;
    float distance;
    float normal[3];
    float weights[4];

    auto key() const
    {
        return std::make_tuple(body_a, body_b, kind, feature_a, feature_b);
    }
};

// The closest points of a vertex and a triangle, and of two edges, in double. If they are no
// farther apart than `distance`, writes the distance, the normal and the weights.
bool near_vertex_triangle(const float *vertex, const float *const corners[3], float distance,
                          NearPair *pair);
bool near_edges(const float *const a[2], const float *const b[2], float distance, NearPair *pair);

// ---- Who takes part ---------------------------------------------------------------------------

class NearPeer
{
  public:
    virtual ~NearPeer() = default;
    virtual const char *name() const = 0;

    // As in FreePeer.
    virtual void update(const float *const *vertices) = 0;

    // Finds all pairs.
    virtual void find() = 0;

    // What find() found, in any order. Not timed, and so the place to convert it.
    virtual const std::vector<NearPair> &pairs()
    {
        return found;
    }

  protected:
    std::vector<NearPair> found;
};

// This library. It counts what it allocates.
class NearPliant : public NearPeer
{
  public:
    // Allocations since it was made.
    virtual int64_t allocations() const = 0;

    // The part of a body's vertices that the last find() evaluated, in per cent.
    virtual double evaluated(size_t body) const = 0;
};

// With caller-supplied vertices, or joints that are set in each update().
std::unique_ptr<NearPliant> make_near_pliant(const NearScene &scene, const float *const *rest);
std::unique_ptr<NearPliant> make_near_joints(const NearScene &scene, const CharacterPose &pose);

// Embree: refitted with wider boxes, rtcCollide, and the decisions above. The vertices of bodies
// that change are made by `posing` in each update(), unless it is empty.
std::unique_ptr<NearPeer> make_near_embree(const NearScene &scene, const float *const *rest,
                                           FreePosing posing);

// Asks ten times in each step, with a margin and without. The step is a tenth of one of the motion.
// Returns 1 if pairs differ, or if memory was allocated.
int near_run_margin(const char *key, NearScene scene, int stride);

#endif
