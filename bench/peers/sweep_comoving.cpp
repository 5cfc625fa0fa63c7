// Bodies that move together, against the same bodies without what is common to their motion: part
// of `pliant-bench-peers sweep`. Both have the same impacts at the same times.
#include "sweep_runs.h"

#include <cmath>
#include <cstdio>

namespace
{
constexpr int SUBDIVISIONS = 4; // 5,120 triangles
constexpr int STEPS = 40;

using Vertices = std::vector<std::vector<float>>;

std::vector<const float *> pointers_to(const Vertices &vertices)
{
    std::vector<const float *> pointers;
    for (const std::vector<float> &body : vertices)
        pointers.push_back(body.data());
    return pointers;
}

// The crowd at first contact, with a tenth of its own motion: centers are so far apart that no
// bodies intersect in any frame, and no farther.
class Cluster
{
  public:
    Cluster() : scene(scene_crowd(SUBDIVISIONS)), world(make_free())
    {
        for (ScenePath &path : scene.paths)
            for (double &reach : path.reach)
                reach *= 0.1;
        scale_centers(0.8);
        while (is_intersecting())
            scale_centers(1 + 1.0 / 256);
    }

    Cluster(const Cluster &) = delete;
    Cluster &operator=(const Cluster &) = delete;

    ~Cluster()
    {
        scene_crowd_free(&scene);
    }

    FreeScene meshes() const
    {
        const SceneMesh &sphere = scene.sphere;
        return FreeScene(SCENE_CROWD_BODIES,
                         {sphere.vertex_count, sphere.triangle_count, sphere.triangles, false});
    }

    // Of the centers of neighbors.
    double spacing() const
    {
        double least = INFINITY;
        for (int body = 1; body < SCENE_CROWD_BODIES; body++) {
            double square = 0;
            for (int k = 0; k < 3; k++) {
                const double along = scene.paths[body].center[k] - scene.paths[0].center[k];
                square += along * along;
            }
            least = std::min(least, std::sqrt(square));
        }
        return least;
    }

    Vertices at(int step) const
    {
        Vertices vertices(SCENE_CROWD_BODIES);
        for (int body = 0; body < SCENE_CROWD_BODIES; body++) {
            std::vector<float> &own = vertices[static_cast<size_t>(body)];
            own.resize(3 * static_cast<size_t>(scene.sphere.vertex_count));
            scene_crowd_vertices(&scene, body, step, own.data());
        }
        return vertices;
    }

  private:
    std::unique_ptr<FreePeer> make_free() const
    {
        const Vertices rest = at(0);
        return make_pliant({"pliant", PLIANT_CPU_ALL, PLIANT_UPDATE_HYBRID, false, nullptr},
                           meshes(), pointers_to(rest).data());
    }

    void scale_centers(double by)
    {
        for (ScenePath &path : scene.paths)
            for (double &center : path.center)
                center *= by;
    }

    bool is_intersecting() const
    {
        for (int step = 0; step <= STEPS; step++) {
            const Vertices vertices = at(step);
            world->update(pointers_to(vertices).data());
            if (world->touching({}) > 0)
                return true;
        }
        return false;
    }

    SceneCrowd scene;
    std::unique_ptr<FreePeer> world;
};

// The end of a step with the common motion and without. Both are rounded alike, so that relative
// motions are the same.
struct Ends {
    Vertices together, alone;

    Ends(const Cluster &cluster, int step, float by) : together(cluster.at(step)), alone(together)
    {
        for (size_t body = 0; body < together.size(); body++)
            for (size_t i = 0; i < together[body].size(); i++) {
                together[body][i] += by;
                alone[body][i] = together[body][i] - by;
            }
    }
};

double time_sweep(FeaturePeer *world, const Vertices &start, const Vertices &end, double *earliest)
{
    const std::vector<const float *> starts = pointers_to(start), ends = pointers_to(end);
    const double before = bench_seconds();
    world->update(starts.data(), ends.data());
    world->find(1);
    const double seconds = bench_seconds() - before;
    *earliest = world->answer().earliest;
    return seconds;
}
} // namespace

int sweep_run_comoving(bool is_quick)
{
    const Cluster cluster;
    const Vertices rest = cluster.at(0);
    const auto together = make_feature_pliant({true}, cluster.meshes(), pointers_to(rest).data()),
               alone = make_feature_pliant({true}, cluster.meshes(), pointers_to(rest).data());
    const auto by = static_cast<float>(100 * cluster.spacing() / std::sqrt(3.0));
    std::vector<double> together_times, alone_times;
    int impacts = 0, differences = 0;
    for (bool is_timed : {false, true})
        for (int step = 0; step < STEPS; step += is_quick ? 8 : 1) {
            const Vertices start = cluster.at(step);
            const Ends ends(cluster, step + 1, by);
            double first, second;
            const double together_time = time_sweep(together.get(), start, ends.together, &first);
            const double alone_time = time_sweep(alone.get(), start, ends.alone, &second);
            if (!is_timed)
                continue;
            together_times.push_back(together_time);
            alone_times.push_back(alone_time);
            impacts += first <= 1;
            differences += first != second;
        }
    const double ours = free_median(together_times), without = free_median(alone_times);
    std::printf("sweep.comoving: %d bodies, centers %.3f apart, moved by %.1f; %zu steps, %d with "
                "an impact%s; together %.4f, without the common motion %.4f ms\n",
                SCENE_CROWD_BODIES, cluster.spacing(), 100 * cluster.spacing(),
                together_times.size(), impacts, differences ? ", DIFFERENT TIMES" : "", 1e3 * ours,
                1e3 * without);
    bench_figure("sweep.comoving.together", 1e3 * ours, "ms");
    bench_figure("sweep.comoving.alone", 1e3 * without, "ms");
    bench_figure("sweep.comoving", ours / without, "x");
    return differences > 0;
}
