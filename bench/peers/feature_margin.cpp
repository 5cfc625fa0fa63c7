// A solver that asks ten times in each step, with a margin and without, and one whose vertices are
// in double: part of `pliant-bench-peers near` and `sweep`. Vertices go from one step of the motion
// to the next along straight lines. Near queries follow the first tenth of a step. The iterations
// of a sweep come nearer to the end of the step, and search along each line once. The answers must
// be the same.
#include "feature_runs.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace
{
// Where vertices are, as a part of the step, and up to which time a sweep asks.
struct Call {
    float part, until;
};

std::vector<Call> calls_of(bool is_sweep)
{
    constexpr int CALLS = 10;
    std::vector<Call> calls;
    for (int i = 0; i < CALLS; i++)
        calls.push_back(is_sweep ? Call{1 - std::ldexp(0.1f, -(i / 2)), i % 2 ? 0.5f : 1}
                                 : Call{0.1f * static_cast<float>(i) / CALLS, 1});
    return calls;
}

// Vertices of all bodies between two steps, at their own addresses.
class Between
{
  public:
    explicit Between(const FreeMotion &motion) : first(motion), second(motion)
    {
        for (int i = 0; i < motion.body_count(); i++)
            bodies.emplace_back(3 * static_cast<size_t>(motion.mesh_of(i).vertex_count));
        for (const std::vector<float> &body : bodies)
            pointers.push_back(body.data());
        go_to(0);
    }

    void go_to(int step)
    {
        first.go_to(step);
        second.go_to(step + 1);
        move(0);
    }

    // Returns the farthest that a coordinate has moved.
    double move(float part)
    {
        double most = 0;
        for (size_t b = 0; b < bodies.size(); b++)
            for (size_t k = 0; k < bodies[b].size(); k++) {
                const float from = first.vertices()[b][k], to = second.vertices()[b][k];
                const float now = from + part * (to - from);
                most = std::max(most, std::fabs(double{now} - bodies[b][k]));
                bodies[b][k] = now;
            }
        return most;
    }

    const float *const *start() const
    {
        return first.vertices();
    }

    const float *const *now() const
    {
        return pointers.data();
    }

  private:
    FreeFrame first, second;
    std::vector<std::vector<float>> bodies;
    std::vector<const float *> pointers;
};

double time_find(FeaturePliant *world, const FeatureQuery &query, const Between &between,
                 bool is_moved, float until)
{
    const double start = bench_seconds();
    if (is_moved && query.is_sweep)
        world->update(between.start(), between.now());
    else if (is_moved)
        world->update(between.now(), nullptr);
    world->find(until);
    return bench_seconds() - start;
}

bool are_same(const FeatureAnswer &a, const FeatureAnswer &b)
{
    bool is_same = a.pairs.size() == b.pairs.size() && a.earliest == b.earliest;
    for (size_t i = 0; is_same && i < a.pairs.size(); i++)
        is_same =
            a.pairs[i].key() == b.pairs[i].key() && a.pairs[i].distance == b.pairs[i].distance;
    return is_same;
}
} // namespace

int feature_run_margin(const char *key, const FeatureQuery &query, const FreeMotion &motion,
                       int stride)
{
    const std::vector<Call> calls = calls_of(query.is_sweep);
    Between between(motion);
    FeatureQuery plain_query = query;
    plain_query.margin = 0;
    const auto plain = make_feature_pliant(plain_query, free_scene(motion), between.now()),
               kept = make_feature_pliant(query, free_scene(motion), between.now());
    std::vector<double> plain_times, kept_times;
    double most = 0;
    int different = 0, impacts = 0;
    int64_t allocations = 0;
    for (int turn = 0; turn < 2; turn++) {
        allocations = kept->allocations();
        for (int step = 0; step + 1 < motion.step_count(); step += stride) {
            double times[2] = {0, 0};
            between.go_to(step);
            for (size_t i = 0; i < calls.size(); i++) {
                const bool is_moved = i == 0 || calls[i].part != calls[i - 1].part;
                const double moved = between.move(calls[i].part);
                most = i > 0 ? std::max(most, moved) : most;
                times[0] += time_find(plain.get(), query, between, is_moved, calls[i].until);
                times[1] += time_find(kept.get(), query, between, is_moved, calls[i].until);
                different += !are_same(plain->answer(), kept->answer());
                impacts += turn == 0 && plain->answer().earliest <= 1;
            }
            if (turn == 1) {
                plain_times.push_back(times[0]);
                kept_times.push_back(times[1]);
            }
        }
    }
    allocations = kept->allocations() - allocations;
    const double without = 1e3 * free_median(plain_times), with = 1e3 * free_median(kept_times);
    std::printf("%s: %zu calls in a step, between which a coordinate moves by up to %.2f of the "
                "margin; %d calls with an impact, %d differ, %" PRId64 " allocations\n",
                key, calls.size(), most / query.margin, impacts, different, allocations);
    std::printf("  without a margin %9.4f  with one %9.4f ms a step\n", without, with);
    bench_figure((std::string(key) + ".faster").c_str(), without / with, "x");
    return different > 0 || (!query.is_sweep && allocations > 0);
}

int feature_run_doubles(const char *key, const FeatureQuery &query, const FreeMotion &motion,
                        int stride)
{
    FreeFrame first(motion), second(motion);
    const auto floats = make_feature_pliant(query, free_scene(motion), first.vertices());
    const auto doubles = make_feature_doubles(query, free_scene(motion), first.vertices());
    std::vector<double> ratios;
    int wrong = 0;
    size_t pairs[2] = {0, 0};
    for (int step = 0; step + 1 < motion.step_count(); step += stride) {
        double times[2];
        first.go_to(step);
        second.go_to(step + 1);
        const float *const *end = query.is_sweep ? second.vertices() : nullptr;
        doubles->take(first.vertices(), end);
        for (int i = 0; i < 2; i++) {
            FeaturePliant &peer = (step / stride + i) % 2 == 0 ? *floats : doubles->peer();
            const double start = bench_seconds();
            peer.update(first.vertices(), end);
            peer.find(1);
            times[(step / stride + i) % 2] = bench_seconds() - start;
        }
        const FeatureAnswer &of_floats = floats->answer(), &of_doubles = doubles->peer().answer();
        wrong += of_doubles.earliest > of_floats.earliest + 1e-3 && of_floats.earliest > 0;
        pairs[0] += of_floats.pairs.size();
        pairs[1] += of_doubles.pairs.size();
        if (step > 0)
            ratios.push_back(times[1] / times[0]);
    }
    std::printf("%s: %zu pairs of floats, %zu of doubles, %d times much later\n", key, pairs[0],
                pairs[1], wrong);
    bench_figure(key, free_median(ratios), "x");
    return wrong > 0 || static_cast<double>(pairs[1]) * 1.001 < static_cast<double>(pairs[0]);
}
