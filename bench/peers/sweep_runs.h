// What touches on the way from one step to the next: what `pliant-bench-peers sweep` measures.
// Vertices move along straight lines, from time 0 to time 1.
#ifndef BENCH_SWEEP_RUNS_H
#define BENCH_SWEEP_RUNS_H

#include "character_runs.h"

#include <string>

// ---- Additive CCD -----------------------------------------------------------------------------

// Where a vertex is at both ends.
struct SweepWay {
    const float *start, *end;
};

// Additive CCD after Li, Kaufman and Jiang, "Codimensional Incremental Potential Contact", 2021. A
// time before which a vertex and a triangle, or two edges, do not touch, if they come as near as a
// tenth of their first distance by `until`; otherwise infinity. 0 if they touch at the start.
double additive_vertex_triangle(SweepWay vertex, const SweepWay corners[3], double until);
double additive_edges(const SweepWay a[2], const SweepWay b[2], double until);

// ---- Pairs of features ------------------------------------------------------------------------

// One step of one or more meshes in common arrays.
struct SweepMesh {
    std::string name;
    std::vector<float> start, end; // three for each vertex
    std::vector<uint32_t> triangles, edges;
    size_t first_of_second = 0; // vertex of the second; 0: all candidates, within one mesh

    size_t vertex_count() const
    {
        return start.size() / 3;
    }
};

// The edges of the triangles, each once.
std::vector<uint32_t> sweep_edges(const std::vector<uint32_t> &triangles);

// Those steps of simulations in a folder of assets that are there. Coordinates are rounded to
// float32.
std::vector<SweepMesh> sweep_assets(const char *assets);

// Features whose boxes of whole ways overlap, of four vertices each, as pliant_sweep_pairs() takes
// them: without those that share a vertex.
struct SweepCandidates {
    std::vector<uint32_t> pairs;
    int64_t found; // before all but every so many were left out
};

// At most so many, evenly chosen.
SweepCandidates sweep_candidates(const SweepMesh &mesh, PliantFeatures kind, int64_t at_most);

// pliant_sweep_pairs() against additive CCD. Returns 1 if an answer is wrong.
int sweep_run_pairs(bool is_quick);

// ---- Steps of whole scenes --------------------------------------------------------------------

class SweepPeer
{
  public:
    virtual ~SweepPeer() = default;
    virtual const char *name() const = 0;

    // Where all vertices of all bodies are at both ends. They stay so until the next update.
    virtual void update(const float *const *start, const float *const *end) = 0;

    // When is the first touch? Infinity if there is none.
    virtual double earliest() = 0;
};

// This library.
class SweepPliant : public SweepPeer
{
  public:
    // The part of a body's vertices that the last sweep evaluated at both ends, in per cent.
    virtual double evaluated(size_t body) const = 0;

    // The same as earliest(), up to a time.
    virtual double earliest_until(float until) = 0;
};

std::unique_ptr<SweepPliant> make_sweep_pliant(const FreeScene &scene, const float *const *rest,
                                               float margin);

// One avatar, and a room; joints are set at both ends in each update().
std::unique_ptr<SweepPliant> make_sweep_joints(const CharacterPose &start,
                                               const CharacterPose &end);

// Embree: refitted with boxes of whole ways, rtcCollide, and additive CCD. The vertices of bodies
// that change are made by `start` and `end` in each update(), unless these are empty.
std::unique_ptr<SweepPeer> make_sweep_embree(const FreeScene &scene, const float *const *rest,
                                             FreePosing start, FreePosing end);

// The first impact of each step, ours against Embree, where that is. Returns 1 if an answer is
// wrong.
int sweep_run_steps(bool is_quick);

// Ten sweeps in a step, with a margin and without. Returns 1 if an answer is wrong.
int sweep_run_margin(bool is_quick);

// Bodies that move together. Returns 1 if an answer is wrong.
int sweep_run_comoving(bool is_quick);

#endif
