// Whole scenes: the first impact of each step, and bodies that move together. Parts of
// `pliant-bench-peers sweep`.
//
// Every step goes from one frame to the next, and is played once, as a user would: first
// untimed, so that everyone has the memory that it needs, and then in turns. Update and sweep are
// timed, and medians over the steps are divided. Making the vertices of spheres and cloths is not
// counted. The peer's avatar is skinned in its update, which is counted.
#include "near_runs.h"
#include "sweep_runs.h"

#include <cmath>
#include <cstdio>

namespace
{
// ---- Against the peer -------------------------------------------------------------------------

// Those who take part, and what they took.
struct Field {
    std::unique_ptr<SweepPliant> ours;
    std::unique_ptr<SweepPeer> peer;
    std::vector<double> our_times, peer_times, our_updates, peer_updates;
    std::vector<double> evaluated; // of the first body, in per cent
    int impacts = 0, false_positives = 0, late = 0;
    double worst = 0; // by how much the peer was early at most, where both have an impact
};

double time_step(SweepPeer *peer, const float *const *start, const float *const *end,
                 std::vector<double> *updates, std::vector<double> *totals)
{
    const double before = bench_seconds();
    peer->update(start, end);
    const double updated = bench_seconds();
    const double earliest = peer->earliest();
    totals->push_back(bench_seconds() - before);
    updates->push_back(updated - before);
    return earliest;
}

void compare(double ours, double theirs, Field *field)
{
    field->impacts += ours <= 1;
    field->false_positives += theirs <= 1 && !(ours <= 1);
    field->late += theirs > ours * (1 + 1e-6);
    if (ours <= 1)
        field->worst = std::max(field->worst, ours - theirs);
}

// A frame and the next one. What was the end of a step is the start of the following one.
class Steps
{
  public:
    explicit Steps(const FreeMotion &motion) : frames{FreeFrame(motion), FreeFrame(motion)}
    {
    }

    void go_to(int step)
    {
        if (is_made[step % 2] != step)
            frames[step % 2].go_to(step);
        frames[(step + 1) % 2].go_to(step + 1);
        is_made[step % 2] = step;
        is_made[(step + 1) % 2] = step + 1;
        at = step;
    }

    const float *const *start() const
    {
        return frames[at % 2].vertices();
    }

    const float *const *end() const
    {
        return frames[(at + 1) % 2].vertices();
    }

  private:
    FreeFrame frames[2];
    int is_made[2] = {-1, -1};
    int at = 0;
};

struct Window {
    int from, to, stride;
};

// Plays the steps; go_to() makes one.
template <class GoTo> void play(Field *field, Window window, const Steps &steps, const GoTo &go_to)
{
    for (int step = window.from; step < window.to; step += window.stride) {
        go_to(step);
        field->ours->update(steps.start(), steps.end());
        field->ours->earliest();
        field->peer->update(steps.start(), steps.end());
        field->peer->earliest();
    }
    for (int step = window.from; step < window.to; step += window.stride) {
        go_to(step);
        const double ours = time_step(field->ours.get(), steps.start(), steps.end(),
                                      &field->our_updates, &field->our_times);
        const double theirs = time_step(field->peer.get(), steps.start(), steps.end(),
                                        &field->peer_updates, &field->peer_times);
        compare(ours, theirs, field);
    }
}

// Returns the ratio.
double print_field(const char *key, const Field &field)
{
    const std::string figure = std::string("sweep.") + key + ".";
    const double ours = 1e3 * free_median(field.our_times),
                 theirs = 1e3 * free_median(field.peer_times);
    std::printf("sweep.%s: %zu steps, %d with an impact; the peer: %d false positives, %d late, at "
                "most %.1e early\n",
                key, field.our_times.size(), field.impacts, field.false_positives, field.late,
                field.worst);
    std::printf("  %-16s update %9.4f  together %9.4f ms\n", field.ours->name(),
                1e3 * free_median(field.our_updates), ours);
    std::printf("  %-16s update %9.4f  together %9.4f ms\n", field.peer->name(),
                1e3 * free_median(field.peer_updates), theirs);
    bench_figure((figure + "pliant.total").c_str(), ours, "ms");
    bench_figure((figure + "embree.update").c_str(), 1e3 * free_median(field.peer_updates), "ms");
    bench_figure((figure + "embree.total").c_str(), theirs, "ms");
    bench_figure((figure + "false_positives").c_str(), field.false_positives, "steps");
    bench_figure((figure + "early").c_str(), field.worst, "of a step");
    bench_figure((figure + "vs_best_peer").c_str(), theirs / ours, "x");
    std::fflush(stdout);
    return theirs / ours;
}

double run_supplied(const char *key, const FreeMotion &motion, Window window, int *failed)
{
    Steps steps(motion);
    Field field;
    steps.go_to(window.from);
    field.ours = make_sweep_pliant(free_scene(motion), steps.start(), 0);
    field.peer = make_sweep_embree(free_scene(motion), steps.start(), {}, {});
    play(&field, window, steps, [&steps](int step) { steps.go_to(step); });
    *failed |= field.late > 0;
    return print_field(key, field);
}

void run_character(const char *key, SceneRoom room, int stride, int *failed)
{
    const std::unique_ptr<CharacterMotion> motion = character_walk(room, 0);
    CharacterPose start(*motion), end(*motion);
    const Steps steps(*motion); // of which only the room is used
    Field field;
    field.ours = make_sweep_joints(start, end);
    field.peer = make_sweep_embree(
        free_scene(*motion), steps.start(),
        [&start](size_t body, float *vertices) { start.skin(body, vertices); },
        [&end](size_t body, float *vertices) { end.skin(body, vertices); });
    play(&field, {0, motion->step_count() - 1, stride}, steps, [&](int step) {
        field.evaluated.push_back(field.ours->evaluated(0)); // of the step before
        start.go_to(step);
        end.go_to(step + 1);
    });
    *failed |= field.late > 0;
    print_field(key, field);
    field.evaluated.erase(field.evaluated.begin());
    bench_figure((std::string("sweep.") + key + ".evaluated").c_str(), free_median(field.evaluated),
                 "%");
}
} // namespace

int sweep_run_steps(bool is_quick)
{
    constexpr int SUBDIVISIONS = 5; // 20,480 triangles
    int failed = 0;
    const std::unique_ptr<FreeMotion> bumpy = free_bumpy(scene_icosphere(SUBDIVISIONS));
    const NearScene cloth = near_cloth();
    const double of_bumpy = run_supplied("bumpy", *bumpy, {18, 58, is_quick ? 4 : 1}, &failed);
    const double of_cloth = run_supplied(
        "cloth", *cloth.motion, {0, cloth.motion->step_count() - 1, is_quick ? 8 : 1}, &failed);
    bench_figure("sweep.step_vs_best_peer", std::min(of_bumpy, of_cloth), "x");
    run_character("character", SCENE_MUSEUM, is_quick ? 10 : 2, &failed);
    run_character("living_room", SCENE_LIVING_ROOM, is_quick ? 10 : 2, &failed);
    return failed;
}
