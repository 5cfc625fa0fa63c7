// What `pliant-bench-peers near` and `sweep` share: pairs of features, each a vertex and a triangle
// or two edges, within a distance or with a time of impact.
#ifndef BENCH_FEATURE_RUNS_H
#define BENCH_FEATURE_RUNS_H

#include "character_runs.h"

#include <cmath>
#include <tuple>

// ---- Scenes in motion -------------------------------------------------------------------------

// A question about a scene: pairs within a distance, or the first time of impact in a step.
struct FeatureQuery {
    bool is_sweep;
    float distance = 0;
    bool is_self = false; // of one body, which is searched alone
    float margin = 0;
};

struct NearScene {
    std::unique_ptr<FreeMotion> motion;
    FeatureQuery query;
};

// The draped cloth of scenes.h within its distance, and the folded cloth within itself.
NearScene near_cloth();
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

// What a query found: all pairs in any order, or the first time of impact, if there is one.
struct FeatureAnswer {
    std::vector<NearPair> pairs;
    double earliest = INFINITY;
};

// The closest points of a vertex and a triangle, and of two edges, in double. If they are no
// farther apart than `distance`, writes the distance, the normal and the weights.
bool near_vertex_triangle(const float *vertex, const float *const corners[3], float distance,
                          NearPair *pair);
bool near_edges(const float *const a[2], const float *const b[2], float distance, NearPair *pair);

// ---- Who takes part ---------------------------------------------------------------------------

class FeaturePeer
{
  public:
    virtual ~FeaturePeer() = default;
    virtual const char *name() const = 0;

    // Where all vertices of all bodies are at both ends of a step; only sweeps read the second.
    // They stay so until the next update.
    virtual void update(const float *const *start, const float *const *end) = 0;

    // Asks; sweeps up to a time.
    virtual void find(float until) = 0;

    // What find() found. Not timed, and so the place to convert it.
    virtual const FeatureAnswer &answer() = 0;
};

// This library. It counts what it allocates.
class FeaturePliant : public FeaturePeer
{
  public:
    // Allocations since it was made.
    virtual int64_t allocations() const = 0;

    // The part of a body's vertices that the last find() evaluated, in per cent.
    virtual double evaluated(size_t body) const = 0;
};

// With caller-supplied vertices, or one avatar and a room; joints are set in each update(). Near
// queries read the first pose only.
std::unique_ptr<FeaturePliant>
make_feature_pliant(const FeatureQuery &query, const FreeScene &scene, const float *const *rest);
std::unique_ptr<FeaturePliant> make_feature_joints(const FeatureQuery &query,
                                                   const CharacterPose &start,
                                                   const CharacterPose &end);

// As make_feature_pliant(), with vertices in double: a little beside the floats, whenever these are
// given to take(), as by a solver that holds doubles. update() borrows what was taken last.
class FeatureDoubles
{
  public:
    virtual ~FeatureDoubles() = default;
    virtual FeaturePliant &peer() = 0;
    virtual void take(const float *const *start, const float *const *end) = 0;
};

std::unique_ptr<FeatureDoubles>
make_feature_doubles(const FeatureQuery &query, const FreeScene &scene, const float *const *rest);

// Embree: refitted with boxes that are wider by the distance, or boxes of whole ways; rtcCollide;
// then the decisions above, or additive CCD. The vertices of bodies that change are made by `start`
// and `end` in each update(), unless these are empty.
std::unique_ptr<FeaturePeer> make_feature_embree(const FeatureQuery &query, const FreeScene &scene,
                                                 const float *const *rest, FreePosing start,
                                                 FreePosing end);

// Asks ten times in each step, with the margin of the query and without. Returns 1 if answers
// differ, or if memory was allocated for near queries.
int feature_run_margin(const char *key, const FeatureQuery &query, const FreeMotion &motion,
                       int stride);

// The time of vertices in double over that of floats, each step asked once, in turns. Returns 1 if
// doubles lack a pair of the floats' that is nearer by more than rounding, or are later.
int feature_run_doubles(const char *key, const FeatureQuery &query, const FreeMotion &motion,
                        int stride);

// ---- Ours against the peer ----------------------------------------------------------------------

struct FeatureWindow {
    int from, to, stride; // steps
};

// All return 1 if an answer is wrong, or if ours allocated in a near query. `ratio` is how many
// times as long as ours the peer takes.
int feature_run_supplied(const char *key, const FeatureQuery &query, const FreeMotion &motion,
                         FeatureWindow window, double *ratio);
int feature_run_character(const char *key, const FeatureQuery &query, SceneRoom room, int stride);

#endif
