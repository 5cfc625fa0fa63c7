// Whole scenes, ours against Embree: pairs within a distance in each frame, or the first impact on
// the way from each frame to the next. Parts of `pliant-bench-peers near` and `sweep`.
//
// Every step is played once, as a user would: first untimed, so that everyone has the memory that
// it needs, and then in turns, ours and the peer's. Update and query are timed, and medians over
// the steps are divided. Making the vertices of spheres and cloths is not counted. The peer's
// avatar is skinned in its update, which is counted. Pairs must be equal in every frame, and
// distances nearly so; additive CCD may be early and not late. In the timed frames ours may not
// allocate for pairs.
#include "feature_runs.h"

#include <cinttypes>
#include <cstdio>

namespace
{
// One who takes part, and what it took.
struct Entrant {
    std::unique_ptr<FeaturePeer> peer;
    std::vector<double> updates, totals;
};

struct Field {
    FeatureQuery query;
    FeaturePliant *ours; // the first entrant
    Entrant entrants[2];
    std::vector<double> evaluated; // of the first body, in per cent
    int64_t allocations = 0;

    // Of near queries.
    size_t max_pairs = 0, pair_count = 0;
    int different_frames = 0;
    double worst_distance = 0; // the greatest difference of distances, relative to the one asked

    // Of sweeps.
    int impacts = 0, false_positives = 0, late = 0;
    double worst = 0; // by how much the peer was early at most, where both have an impact

    Field(const FeatureQuery &asked, std::unique_ptr<FeaturePliant> pliant,
          std::unique_ptr<FeaturePeer> embree)
        : query(asked), ours(pliant.get())
    {
        entrants[0].peer = std::move(pliant);
        entrants[1].peer = std::move(embree);
    }
};

// A frame and, for sweeps, the next one. What was the end of a step is the start of the following
// one.
class Steps
{
  public:
    Steps(const FeatureQuery &query, const FreeMotion &motion)
        : has_ends(query.is_sweep), frames{FreeFrame(motion), FreeFrame(motion)}
    {
    }

    void go_to(int step)
    {
        at = step;
        make(step);
        if (has_ends)
            make(step + 1);
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
    void make(int step)
    {
        if (made[step % 2] != step)
            frames[step % 2].go_to(step);
        made[step % 2] = step;
    }

    bool has_ends;
    FreeFrame frames[2];
    int made[2] = {-1, -1};
    int at = 0;
};

void time_step(Entrant *entrant, const Steps &steps)
{
    const double start = bench_seconds();
    entrant->peer->update(steps.start(), steps.end());
    const double updated = bench_seconds();
    entrant->peer->find(1);
    entrant->totals.push_back(bench_seconds() - start);
    entrant->updates.push_back(updated - start);
}

std::vector<NearPair> sorted(std::vector<NearPair> pairs)
{
    std::sort(pairs.begin(), pairs.end(),
              [](const NearPair &a, const NearPair &b) { return a.key() < b.key(); });
    return pairs;
}

void compare_pairs(Field *field, const FeatureAnswer &our_answer, const FeatureAnswer &their_answer)
{
    const std::vector<NearPair> ours = sorted(our_answer.pairs),
                                theirs = sorted(their_answer.pairs);
    field->max_pairs = std::max(field->max_pairs, theirs.size());
    field->pair_count += theirs.size();
    bool is_same = ours.size() == theirs.size();
    for (size_t i = 0; is_same && i < ours.size(); i++) {
        is_same = ours[i].key() == theirs[i].key();
        const double difference = std::fabs(double{ours[i].distance} - theirs[i].distance);
        field->worst_distance = std::max(field->worst_distance, difference / field->query.distance);
    }
    field->different_frames += !is_same;
}

void compare_times(Field *field, double ours, double theirs)
{
    field->impacts += ours <= 1;
    field->false_positives += theirs <= 1 && !(ours <= 1);
    field->late += theirs > ours * (1 + 1e-6);
    if (ours <= 1)
        field->worst = std::max(field->worst, ours - theirs);
}

// Plays the steps; go_to() makes one.
template <class GoTo>
void play(Field *field, FeatureWindow window, const Steps &steps, const GoTo &go_to)
{
    for (int step = window.from; step < window.to; step += window.stride) {
        go_to(step);
        for (Entrant &entrant : field->entrants) {
            entrant.peer->update(steps.start(), steps.end());
            entrant.peer->find(1);
        }
    }
    const int64_t before = field->ours->allocations();
    for (int step = window.from; step < window.to; step += window.stride) {
        go_to(step);
        time_step(&field->entrants[0], steps);
        field->evaluated.push_back(field->ours->evaluated(0));
        time_step(&field->entrants[1], steps);
        const FeatureAnswer &ours = field->entrants[0].peer->answer(),
                            &theirs = field->entrants[1].peer->answer();
        if (field->query.is_sweep)
            compare_times(field, ours.earliest, theirs.earliest);
        else
            compare_pairs(field, ours, theirs);
    }
    field->allocations = field->ours->allocations() - before;
}

int print_pairs(const std::string &key, const Field &field)
{
    const size_t frames = field.entrants[0].totals.size();
    std::printf("%s: within %g; %zu frames, %zu pairs of features (at most %zu)%s; distances "
                "differ by %.1e of that; %" PRId64 " allocations\n",
                key.c_str(), static_cast<double>(field.query.distance), frames,
                field.pair_count / frames, field.max_pairs,
                field.different_frames ? ", DIFFERENT PAIRS" : "", field.worst_distance,
                field.allocations);
    bench_figure((key + ".pairs").c_str(), static_cast<double>(field.pair_count / frames), "");
    bench_figure((key + ".different_frames").c_str(), field.different_frames, "frames");
    bench_figure((key + ".allocations").c_str(), static_cast<double>(field.allocations), "");
    return field.different_frames > 0 || field.allocations > 0 || field.worst_distance > 1e-5;
}

int print_times(const std::string &key, const Field &field)
{
    std::printf("%s: %zu steps, %d with an impact; the peer: %d false positives, %d late, at most "
                "%.1e early\n",
                key.c_str(), field.entrants[0].totals.size(), field.impacts, field.false_positives,
                field.late, field.worst);
    bench_figure((key + ".false_positives").c_str(), field.false_positives, "steps");
    bench_figure((key + ".early").c_str(), field.worst, "of a step");
    return field.late > 0;
}

int print_field(const std::string &key, const Field &field, double *ratio)
{
    double updates[2], totals[2];
    const int failed = field.query.is_sweep ? print_times(key, field) : print_pairs(key, field);
    for (int i = 0; i < 2; i++) {
        updates[i] = 1e3 * free_median(field.entrants[i].updates);
        totals[i] = 1e3 * free_median(field.entrants[i].totals);
        std::printf("  %-16s update %9.4f  together %9.4f ms\n", field.entrants[i].peer->name(),
                    updates[i], totals[i]);
    }
    *ratio = totals[1] / totals[0];
    bench_figure((key + ".pliant.total").c_str(), totals[0], "ms");
    bench_figure((key + ".embree.update").c_str(), updates[1], "ms");
    bench_figure((key + ".embree.total").c_str(), totals[1], "ms");
    bench_figure((key + ".vs_best_peer").c_str(), *ratio, "x");
    std::fflush(stdout);
    return failed;
}
} // namespace

int feature_run_supplied(const char *key, const FeatureQuery &query, const FreeMotion &motion,
                         FeatureWindow window, double *ratio)
{
    Steps steps(query, motion);
    steps.go_to(window.from);
    Field field(query, make_feature_pliant(query, free_scene(motion), steps.start()),
                make_feature_embree(query, free_scene(motion), steps.start(), {}, {}));
    play(&field, window, steps, [&steps](int step) { steps.go_to(step); });
    return print_field(key, field, ratio);
}

int feature_run_character(const char *key, const FeatureQuery &query, SceneRoom room, int stride)
{
    const std::unique_ptr<CharacterMotion> motion = character_walk(room, 0);
    CharacterPose start(*motion), end(*motion);
    const Steps steps(query, *motion); // of which only the room is used
    const auto skin_start = [&start](size_t body, float *to) { start.skin(body, to); };
    const auto skin_end = [&end](size_t body, float *to) { end.skin(body, to); };
    Field field(query, make_feature_joints(query, start, end),
                make_feature_embree(query, free_scene(*motion), steps.start(), skin_start,
                                    query.is_sweep ? FreePosing(skin_end) : FreePosing()));
    play(&field, {0, motion->step_count() - query.is_sweep, stride}, steps, [&](int step) {
        start.go_to(step);
        if (query.is_sweep)
            end.go_to(step + 1);
    });
    double ratio;
    const int failed = print_field(key, field, &ratio);
    bench_figure((std::string(key) + ".evaluated").c_str(), free_median(field.evaluated), "%");
    return failed;
}
