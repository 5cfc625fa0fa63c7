// pliant-bench-peers volume: how much a rabbit of 50,000 triangles and a reptile of 110,000 have in
// common, by layers and by CGAL, which cuts both meshes along each other, exactly, and measures
// what is inside of both.
//
// CGAL's answer is the truth. Ours is held to a thousandth of it, in each of some frames in which
// both are turned together, so that what they have in common stays and what is seen of it changes.
// The resolution is the coarsest of those tried from which on no finer one is further off: none is
// chosen for its luck. Our time has the update of both bodies in it, whose vertices are new; CGAL's
// starts from meshes that are made already. Both on one thread.
#include "peers.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Surface_mesh.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace
{
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;

constexpr int PAIR = 3;
constexpr double ASKED = 1e-3;
constexpr int FRAMES = 9;

// ---- CGAL ----------------------------------------------------------------------------------

Mesh make_mesh(const SceneMesh &from)
{
    Mesh mesh;
    for (int32_t i = 0; i < from.vertex_count; i++) {
        const float *p = from.vertices + 3 * static_cast<size_t>(i);
        mesh.add_vertex({p[0], p[1], p[2]});
    }
    for (int32_t t = 0; t < from.triangle_count; t++) {
        const uint32_t *c = from.triangles + 3 * static_cast<size_t>(t);
        mesh.add_face(Mesh::Vertex_index(c[0]), Mesh::Vertex_index(c[1]), Mesh::Vertex_index(c[2]));
    }
    return mesh;
}

struct Truth {
    double volume, seconds;
};

// Meshes are copied, as both are cut.
Truth cut_once(const SceneStatuePair &pair)
{
    Mesh a = make_mesh(pair.meshes[0]), b = make_mesh(pair.meshes[1]), common;
    const double start = bench_seconds();
    const bool is_fine =
        CGAL::Polygon_mesh_processing::corefine_and_compute_intersection(a, b, common);
    const double volume = CGAL::Polygon_mesh_processing::volume(common);
    const double seconds = bench_seconds() - start;
    if (!is_fine) {
        std::fprintf(stderr, "bench: CGAL found no mesh for what is in common\n");
        std::exit(1);
    }
    return {volume, seconds};
}

// The better of two runs.
Truth time_cgal(const SceneStatuePair &pair)
{
    const Truth first = cut_once(pair), second = cut_once(pair);
    return {first.volume, std::min(first.seconds, second.seconds)};
}

// ---- Ours ----------------------------------------------------------------------------------

class Bodies
{
  public:
    explicit Bodies(const SceneStatuePair &both) : pair(both)
    {
        bench_must(pliant_world_create(nullptr, &world));
        for (int i = 0; i < 2; i++)
            add_body(i);
    }

    Bodies(const Bodies &) = delete;
    Bodies &operator=(const Bodies &) = delete;

    ~Bodies()
    {
        pliant_world_destroy(world);
    }

    // Writes both bodies' vertices anew, which is not timed. Returns the seconds of all else.
    double run(int frame, const PliantVolumeDef &def, PliantVolume *volume)
    {
        for (int i = 0; i < 2; i++)
            std::copy(frames[frame][i].begin(), frames[frame][i].end(), vertices[i].begin());
        const double start = bench_seconds();
        for (int i = 0; i < 2; i++)
            bench_must(pliant_body_borrow_vertices(
                world, bodies[i], {vertices[i].data(), pair.meshes[i].vertex_count, 0}));
        bench_must(pliant_bodies_volume(world, bodies[0], bodies[1], &def, volume));
        return bench_seconds() - start;
    }

  private:
    void add_body(int i)
    {
        const SceneMesh &mesh = pair.meshes[i];
        PliantShapeDef def = pliant_shape_def_default();
        def.vertices = {mesh.vertices, mesh.vertex_count, 0};
        def.triangles = {mesh.triangles, mesh.triangle_count};
        PliantShape *shape;
        bench_must(pliant_shape_create(&def, &shape));
        bench_must(pliant_body_create(world, shape, &bodies[i]));
        pliant_shape_release(shape);
        vertices[i].resize(3 * static_cast<size_t>(mesh.vertex_count));
        for (int frame = 0; frame < FRAMES; frame++)
            turn(mesh, 0.07 * frame, &frames[frame][i]);
    }

    static void turn(const SceneMesh &mesh, double angle, std::vector<float> *turned)
    {
        const double axis[3] = {0.36, 0.48, 0.8};
        double rows[3][3];
        scene_rotation(axis, angle, rows);
        for (int32_t i = 0; i < mesh.vertex_count; i++) {
            const float *p = mesh.vertices + 3 * static_cast<size_t>(i);
            for (const auto &row : rows)
                turned->push_back(
                    static_cast<float>(row[0] * p[0] + row[1] * p[1] + row[2] * p[2]));
        }
    }

    const SceneStatuePair &pair;
    PliantWorld *world = nullptr;
    PliantBody bodies[2] = {};
    std::vector<float> frames[FRAMES][2], vertices[2];
};

// Of all frames.
struct Ours {
    PliantView view;
    double volume, seconds;         // medians
    double estimate, mean, largest; // errors, as parts of the truth: that estimated, and true ones
};

Ours time_ours(Bodies *bodies, const Truth &truth, const PliantVolumeDef &def, int rounds)
{
    Ours ours{};
    std::vector<double> times, volumes;
    PliantVolume volume = pliant_volume_default();
    for (int i = -1; i < rounds * FRAMES; i++) {
        const double seconds = bodies->run((i + FRAMES) % FRAMES, def, &volume);
        if (i < 0)
            continue;
        const double error = std::fabs(volume.volume - truth.volume) / truth.volume;
        times.push_back(seconds);
        volumes.push_back(volume.volume);
        ours.estimate = std::max(ours.estimate, volume.error / truth.volume);
        ours.mean += error / (rounds * FRAMES);
        ours.largest = std::max(ours.largest, error);
    }
    ours.view = volume.view;
    ours.volume = bench_median(volumes.data(), rounds * FRAMES);
    ours.seconds = bench_median(times.data(), rounds * FRAMES);
    return ours;
}

void print_ours(const Ours &ours, const Truth &truth)
{
    std::printf("  %4d x %4d: %9.3f ms, %.9f; errors: estimated %.1e, true %.1e, %.1e at most; "
                "CGAL takes %.0f times as long\n",
                ours.view.width, ours.view.height, 1e3 * ours.seconds, ours.volume, ours.estimate,
                ours.mean, ours.largest, truth.seconds / ours.seconds);
    std::fflush(stdout);
}

// From fine to coarse, as long as all are good enough. Returns the last that is.
Ours coarsest(Bodies *bodies, const Truth &truth, int rounds)
{
    PliantVolumeDef def = pliant_volume_def_default();
    Ours best{};
    bool is_good = true;
    for (int resolution : {1024, 768, 512, 384, 320, 256, 224, 192, 160, 128, 96, 64}) {
        def.resolution = resolution;
        const Ours ours = time_ours(bodies, truth, def, rounds);
        print_ours(ours, truth);
        is_good = is_good && ours.largest <= ASKED;
        if (is_good)
            best = ours;
    }
    return best;
}

// What somebody does who does not know the truth.
Ours by_estimate(Bodies *bodies, const Truth &truth)
{
    PliantVolumeDef def = pliant_volume_def_default();
    def.relative_error = ASKED;
    return time_ours(bodies, truth, def, 1);
}
} // namespace

int peers_volume(const BenchOptions *options)
{
    const int rounds = options->is_quick ? 1 : 3;
    SceneStatuePair pair = scene_statue_pair(PAIR);
    const Truth truth = time_cgal(pair);
    std::printf("a rabbit of %d triangles and a reptile of %d: by CGAL %.3f s, %.9f in common\n",
                pair.meshes[0].triangle_count, pair.meshes[1].triangle_count, truth.seconds,
                truth.volume);
    Bodies bodies(pair);
    const Ours ours = coarsest(&bodies, truth, rounds);
    std::printf("  by the estimate:\n");
    const Ours estimated = by_estimate(&bodies, truth);
    print_ours(estimated, truth);
    const bool is_fine = ours.seconds > 0 && estimated.largest <= ASKED;
    if (ours.seconds > 0) {
        std::printf("  a thousandth from %d x %d on\n", ours.view.width, ours.view.height);
        bench_figure("volume.vs_cgal", truth.seconds / ours.seconds, "x");
    }
    bench_figure("volume.estimated_vs_cgal", truth.seconds / estimated.seconds, "x");
    scene_statue_pair_free(&pair);
    return is_fine ? 0 : 1;
}
