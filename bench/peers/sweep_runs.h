// What touches on the way from one step to the next: what `pliant-bench-peers sweep` measures.
// Vertices move along straight lines, from time 0 to time 1.
#ifndef BENCH_SWEEP_RUNS_H
#define BENCH_SWEEP_RUNS_H

#include "feature_runs.h"

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

// Bodies that move together. Returns 1 if an answer is wrong.
int sweep_run_comoving(bool is_quick);

#endif
