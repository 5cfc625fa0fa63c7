// A solver that asks ten times in each step, with a margin and without: part of
// `pliant-bench-peers near`. Vertices go from one step of the motion to the next along straight
// lines. The pairs must be the same.
#include "near_runs.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>

namespace
{
constexpr int CALLS = 10;
constexpr float PART = 0.1f; // of a step of the motion

// Vertices of all bodies between two steps, at their own addresses.
class Between
{
  public:
    explicit Between(const FreeMotion &scene_motion) : motion(&scene_motion)
    {
        for (int i = 0; i < motion->body_count(); i++) {
            const size_t count = 3 * static_cast<size_t>(motion->mesh_of(i).vertex_count);
            for (auto *bodies : {&first, &second, &now})
                bodies->emplace_back(count);
        }
        for (const std::vector<float> &body : now)
            pointers.push_back(body.data());
        go_to(0);
    }

    void go_to(int step)
    {
        for (size_t i = 0; i < now.size(); i++) {
            motion->index(static_cast<int>(i), step, first[i].data());
            motion->index(static_cast<int>(i), step + 1, second[i].data());
        }
        move(0);
    }

    // Returns the farthest that a vertex is from the first step.
    double move(float t)
    {
        double most = 0;
        for (size_t i = 0; i < now.size(); i++)
            for (size_t k = 0; k < now[i].size(); k++) {
                now[i][k] = first[i][k] + t * (second[i][k] - first[i][k]);
                most = std::max(most, std::fabs(double{now[i][k]} - first[i][k]));
            }
        return most;
    }

    const float *const *vertices() const
    {
        return pointers.data();
    }

  private:
    const FreeMotion *motion;
    std::vector<std::vector<float>> first, second, now;
    std::vector<const float *> pointers;
};

double time_find(NearPliant *world, const float *const *vertices)
{
    const double start = bench_seconds();
    world->update(vertices);
    world->find();
    return bench_seconds() - start;
}

bool are_same(NearPliant *a, NearPliant *b)
{
    const std::vector<NearPair> &x = a->pairs(), &y = b->pairs();
    bool is_same = x.size() == y.size();
    for (size_t i = 0; is_same && i < x.size(); i++)
        is_same = x[i].key() == y[i].key() && x[i].distance == y[i].distance;
    return is_same;
}
} // namespace

int near_run_margin(const char *key, NearScene scene, int stride)
{
    Between between(*scene.motion);
    const std::unique_ptr<NearPliant> plain = make_near_pliant(scene, between.vertices());
    scene.margin = scene.distance / 4;
    const std::unique_ptr<NearPliant> kept = make_near_pliant(scene, between.vertices());
    std::vector<double> plain_times, kept_times;
    double most = 0;
    int different = 0;
    int64_t allocations = 0;
    for (int turn = 0; turn < 2; turn++) {
        allocations = kept->allocations();
        for (int step = 0; step + 1 < scene.motion->step_count(); step += stride) {
            double times[2] = {0, 0};
            between.go_to(step);
            for (int call = 0; call < CALLS; call++) {
                most = std::max(most, between.move(PART * static_cast<float>(call) / CALLS));
                times[0] += time_find(plain.get(), between.vertices());
                times[1] += time_find(kept.get(), between.vertices());
                different += turn == 0 && !are_same(plain.get(), kept.get());
            }
            if (turn == 1) {
                plain_times.push_back(times[0] / CALLS);
                kept_times.push_back(times[1] / CALLS);
            }
        }
    }
    allocations = kept->allocations() - allocations;
    const double without = 1e3 * free_median(plain_times), with = 1e3 * free_median(kept_times);
    std::printf("near.%s: %d calls in a step, in which a coordinate moves by up to %.2f of the "
                "distance; %d calls differ, %" PRId64 " allocations\n",
                key, CALLS, most / scene.distance, different, allocations);
    std::printf("  without a margin %9.4f  with one of 0.25 %9.4f ms\n", without, with);
    bench_figure((std::string("near.") + key + ".faster").c_str(), without / with, "x");
    return different > 0 || allocations > 0;
}
