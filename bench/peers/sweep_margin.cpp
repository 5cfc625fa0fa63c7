// A solver that asks ten times in each step, with a margin and without: part of
// `pliant-bench-peers sweep`. Its iterations come nearer to the end of the step, and it searches
// along each line once. The earliest times must be the same.
#include "near_runs.h"
#include "sweep_runs.h"

#include <cmath>
#include <cstdio>

namespace
{
constexpr int ITERATIONS = 5;

// The ends that a solver has: of iteration i all vertices are a tenth, divided by 2^i, short of
// where they will be.
class Ends
{
  public:
    explicit Ends(const FreeMotion &motion) : start(motion), end(motion)
    {
        for (int i = 0; i < motion.body_count(); i++)
            bodies.emplace_back(3 * static_cast<size_t>(motion.mesh_of(i).vertex_count));
        for (const std::vector<float> &body : bodies)
            pointers.push_back(body.data());
    }

    void go_to(int step)
    {
        start.go_to(step);
        end.go_to(step + 1);
    }

    void iterate(int i)
    {
        const float part = 1 - std::ldexp(0.1f, -i);
        for (size_t b = 0; b < bodies.size(); b++)
            for (size_t k = 0; k < bodies[b].size(); k++) {
                const float from = start.vertices()[b][k], to = end.vertices()[b][k];
                bodies[b][k] = from + part * (to - from);
            }
    }

    const float *const *starts() const
    {
        return start.vertices();
    }

    const float *const *ends() const
    {
        return pointers.data();
    }

  private:
    FreeFrame start, end;
    std::vector<std::vector<float>> bodies;
    std::vector<const float *> pointers;
};

// The end of an iteration, and half of the way there.
double time_two(SweepPliant *world, const Ends &ends, double found[2])
{
    const double before = bench_seconds();
    world->update(ends.starts(), ends.ends());
    found[0] = world->earliest_until(1);
    found[1] = world->earliest_until(0.5f);
    return bench_seconds() - before;
}

int run(const char *key, const FreeMotion &motion, float margin, int stride)
{
    Ends ends(motion);
    ends.go_to(0);
    const std::unique_ptr<SweepPliant> plain =
                                           make_sweep_pliant(free_scene(motion), ends.starts(), 0),
                                       kept = make_sweep_pliant(free_scene(motion), ends.starts(),
                                                                margin);
    std::vector<double> plain_times, kept_times;
    int different = 0, impacts = 0;
    for (int turn = 0; turn < 2; turn++)
        for (int step = 0; step + 1 < motion.step_count(); step += stride) {
            double times[2] = {0, 0};
            ends.go_to(step);
            for (int i = 0; i < ITERATIONS; i++) {
                double found[2][2];
                ends.iterate(i);
                times[0] += time_two(plain.get(), ends, found[0]);
                times[1] += time_two(kept.get(), ends, found[1]);
                different += found[0][0] != found[1][0] || found[0][1] != found[1][1];
                impacts += turn == 0 && found[0][0] <= 1;
            }
            if (turn == 1) {
                plain_times.push_back(times[0]);
                kept_times.push_back(times[1]);
            }
        }
    const double without = 1e3 * free_median(plain_times), with = 1e3 * free_median(kept_times);
    std::printf("sweep.%s: %d sweeps in a step, %d iterations with an impact, %d differ\n", key,
                2 * ITERATIONS, impacts, different);
    std::printf("  without a margin %9.4f  with one %9.4f ms a step\n", without, with);
    bench_figure((std::string("sweep.") + key + ".faster").c_str(), without / with, "x");
    return different > 0;
}
} // namespace

int sweep_run_margin(bool is_quick)
{
    constexpr int SUBDIVISIONS = 5; // 20,480 triangles
    const std::unique_ptr<FreeMotion> bumpy = free_bumpy(scene_icosphere(SUBDIVISIONS));
    const NearScene cloth = near_cloth();
    int failed = run("margin_bumpy", *bumpy, 0.01f, is_quick ? 8 : 1);
    failed |= run("margin_cloth", *cloth.motion, cloth.distance / 4, is_quick ? 20 : 4);
    return failed;
}
