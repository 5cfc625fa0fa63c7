// pliant_sweep_pairs() against additive CCD on the same candidates: part of `pliant-bench-peers
// sweep`. Every candidate is decided once by each, some thousand at a time and in turns. The first
// turn of each scene is not timed.
#include "sweep_runs.h"

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace
{
constexpr int64_t IN_TURN = 2048;

// Two bumpy spheres at first contact and later.
constexpr int BUMPY_FROM = 50, BUMPY_TO = 90, SUBDIVISIONS = 5;

struct Tally {
    double our_seconds = 0, their_seconds = 0;
    int64_t found = 0, decided = 0, timed = 0, touching = 0, false_positives = 0, missed = 0,
            late = 0;
    PliantSweepCounts counts = pliant_sweep_counts_default();

    double ratio() const
    {
        return their_seconds / our_seconds;
    }
};

// Candidates of one kind, and what both say about them.
class Duel
{
  public:
    Duel(const SweepMesh &of, PliantFeatures kind, const SweepCandidates &candidates)
        : mesh(&of), pairs(candidates.pairs.data()),
          count(static_cast<int64_t>(candidates.pairs.size() / 4)),
          ours(static_cast<size_t>(count)), theirs(static_cast<size_t>(count))
    {
        def.kind = kind;
        def.start = mesh->start.data();
        def.end = mesh->end.data();
        def.vertex_count = static_cast<int32_t>(mesh->vertex_count());
    }

    void run(Tally *tally)
    {
        for (int64_t from = 0; from < count; from += IN_TURN) {
            const int64_t to = std::min(count, from + IN_TURN);
            const bool is_timed = tally->decided > 0, is_ours_first = turns++ % 2 == 0;
            for (bool is_ours : {is_ours_first, !is_ours_first}) {
                const double start = bench_seconds();
                if (is_ours)
                    run_ours(from, to, &tally->counts);
                else
                    run_theirs(from, to);
                if (is_timed)
                    (is_ours ? tally->our_seconds : tally->their_seconds) +=
                        bench_seconds() - start;
            }
            tally->decided += to - from;
            tally->timed += is_timed ? to - from : 0;
        }
        compare(tally);
    }

  private:
    void run_ours(int64_t from, int64_t to, PliantSweepCounts *counts)
    {
        def.pairs = pairs + 4 * from;
        def.pair_count = to - from;
        bench_must(pliant_sweep_pairs(&def, &ours[static_cast<size_t>(from)], to - from, counts));
    }

    SweepWay way(uint32_t vertex) const
    {
        return {free_vertex(def.start, vertex), free_vertex(def.end, vertex)};
    }

    void run_theirs(int64_t from, int64_t to)
    {
        const bool are_edges = def.kind == PLIANT_EDGE_EDGE;
        for (int64_t i = from; i < to; i++) {
            const uint32_t *pair = pairs + 4 * i;
            const SweepWay ways[4] = {way(pair[0]), way(pair[1]), way(pair[2]), way(pair[3])};
            theirs[static_cast<size_t>(i)] = are_edges
                                                 ? additive_edges(ways, ways + 2, 1)
                                                 : additive_vertex_triangle(ways[0], ways + 1, 1);
        }
    }

    void compare(Tally *tally) const
    {
        for (size_t i = 0; i < ours.size(); i++) {
            const bool are_touching = ours[i] <= 1, is_reported = theirs[i] <= 1;
            tally->touching += are_touching;
            tally->false_positives += is_reported && !are_touching;
            tally->missed += are_touching && !is_reported;
            tally->late += is_reported && theirs[i] > double{ours[i]} * (1 + 1e-6);
        }
    }

    const SweepMesh *mesh;
    const uint32_t *pairs;
    int64_t count, turns = 0;
    PliantSweepPairs def = pliant_sweep_pairs_default();
    std::vector<float> ours;
    std::vector<double> theirs;
};

void print(const std::string &scene, PliantFeatures kind, const Tally &tally)
{
    const char *called = kind == PLIANT_EDGE_EDGE ? "ee" : "vf";
    const std::string figure = "sweep.pairs." + scene + "." + called;
    const double each = 1e9 / static_cast<double>(tally.timed);
    std::printf(
        "%s: %" PRId64 " of %" PRId64 " candidates, %.4f %% touch (%" PRId64
        "); pliant %.1f, additive %.1f ns each; %.2f %% filtered, %" PRId64
        " exact; additive: %" PRId64 " false positives, %" PRId64 " missed, %" PRId64 " late\n",
        figure.c_str(), tally.decided, tally.found,
        100 * static_cast<double>(tally.touching) / static_cast<double>(tally.decided),
        tally.touching, each * tally.our_seconds, each * tally.their_seconds,
        100 * static_cast<double>(tally.counts.filtered) / static_cast<double>(tally.counts.pairs),
        tally.counts.exact, tally.false_positives, tally.missed, tally.late);
    bench_figure((figure + ".pliant").c_str(), each * tally.our_seconds, "ns");
    bench_figure((figure + ".additive").c_str(), each * tally.their_seconds, "ns");
    bench_figure((figure + ".touching").c_str(),
                 100 * static_cast<double>(tally.touching) / static_cast<double>(tally.decided),
                 "%");
    bench_figure((figure + ".false_positives").c_str(), static_cast<double>(tally.false_positives),
                 "");
    bench_figure((figure + ".missed").c_str(), static_cast<double>(tally.missed), "");
    bench_figure((figure + ".ratio").c_str(), tally.ratio(), "x");
    std::fflush(stdout);
}

// About the axis along which the bodies come together. Both icospheres have edges in the same
// planes, where additive CCD needs millions of steps for edges that slide along each other: no
// pairs to measure it by.
void turn(float *vertices, size_t size)
{
    constexpr float COSINE = 0.8f, SINE = 0.6f;
    for (size_t i = 0; i < size; i += 3) {
        const float y = vertices[i + 1], z = vertices[i + 2];
        vertices[i + 1] = COSINE * y - SINE * z;
        vertices[i + 2] = SINE * y + COSINE * z;
    }
}

// Two bodies at a step and the next one, in common arrays.
SweepMesh mesh_at(const FreeMotion &motion, int step)
{
    SweepMesh mesh;
    const SceneMesh &sphere = motion.mesh();
    const size_t size = 3 * static_cast<size_t>(sphere.vertex_count);
    mesh.start.resize(2 * size);
    mesh.end.resize(2 * size);
    mesh.first_of_second = size / 3;
    for (int body = 0; body < 2; body++) {
        motion.index(body, step, &mesh.start[static_cast<size_t>(body) * size]);
        motion.index(body, step + 1, &mesh.end[static_cast<size_t>(body) * size]);
        for (int64_t i = 0; i < 3 * int64_t{sphere.triangle_count}; i++)
            mesh.triangles.push_back(sphere.triangles[i] +
                                     static_cast<uint32_t>(body * sphere.vertex_count));
    }
    turn(&mesh.start[size], size);
    turn(&mesh.end[size], size);
    mesh.edges = sweep_edges(mesh.triangles);
    return mesh;
}

void run_mesh(const SweepMesh &mesh, PliantFeatures kind, int64_t at_most, Tally *tally)
{
    const SweepCandidates candidates = sweep_candidates(mesh, kind, at_most);
    tally->found += candidates.found;
    if (!candidates.pairs.empty())
        Duel(mesh, kind, candidates).run(tally);
}

// All ratios, and whether an answer is wrong.
struct Results {
    std::vector<double> ratios;
    int64_t false_positives = 0;
    bool has_failed = false;

    void add(const std::string &scene, PliantFeatures kind, const Tally &tally)
    {
        print(scene, kind, tally);
        ratios.push_back(tally.ratio());
        false_positives += tally.false_positives;
        has_failed |= tally.missed > 0 || tally.late > 0;
    }
};

void run_bumpy(bool is_quick, Results *results)
{
    const std::unique_ptr<FreeMotion> motion = free_bumpy(scene_icosphere(SUBDIVISIONS));
    Tally tallies[2];
    constexpr PliantFeatures kinds[2] = {PLIANT_VERTEX_TRIANGLE, PLIANT_EDGE_EDGE};
    for (int step = BUMPY_FROM; step < BUMPY_TO; step += is_quick ? 10 : 2) {
        const SweepMesh mesh = mesh_at(*motion, step);
        for (int i = 0; i < 2; i++)
            run_mesh(mesh, kinds[i], INT64_MAX, &tallies[i]);
    }
    for (int i = 0; i < 2; i++)
        results->add("bumpy", kinds[i], tallies[i]);
}
} // namespace

int sweep_run_pairs(bool is_quick)
{
    Results results;
    run_bumpy(is_quick, &results);
    const char *assets = std::getenv("PLIANT_ASSETS");
    if (!assets)
        std::printf("sweep: no PLIANT_ASSETS, steps of simulations are left out\n");
    for (const SweepMesh &mesh : assets ? sweep_assets(assets) : std::vector<SweepMesh>())
        for (PliantFeatures kind : {PLIANT_VERTEX_TRIANGLE, PLIANT_EDGE_EDGE}) {
            Tally tally;
            run_mesh(mesh, kind, is_quick ? 300000 : 3000000, &tally);
            if (tally.timed > 0)
                results.add(mesh.name, kind, tally);
        }
    const std::vector<double> &ratios = results.ratios;
    const double logs = std::accumulate(ratios.begin(), ratios.end(), 0.0,
                                        [](double sum, double r) { return sum + std::log(r); });
    bench_figure("sweep.pair_vs_additive", std::exp(logs / static_cast<double>(ratios.size())),
                 "x"); // the geometric mean
    bench_figure("sweep.pair_vs_additive.least", *std::min_element(ratios.begin(), ratios.end()),
                 "x");
    bench_figure("sweep.pair.false_positives", static_cast<double>(results.false_positives), "");
    return results.has_failed;
}
