// pliant-bench-peers free: deforming bodies whose every vertex moves in every frame.
//
// The same vertices for all, made beforehand. Timed are the update and the queries, in turns: each
// frame goes through every peer before the next. CGAL is the oracle: everyone's pairs are compared
// with its. Medians over the frames in which boxes of bodies overlap, and ratios of such medians;
// the best peer is the library whose update and query together are shortest in that run.
#include "free_runs.h"
#include "peers.h"

#include <cctype>
#include <cinttypes>
#include <cstdio>

namespace
{
// One scene as it is run.
struct Run {
    std::string key;
    std::unique_ptr<FreeMotion> motion;
    std::vector<int> steps;
    int repetitions;
    int contact_step; // the first with pairs of triangles, timed once more; or -1
};

struct Entrant {
    FreeRole role;
    std::unique_ptr<FreePeer> peer;
    std::vector<FreeTimes> times;
    int64_t different_frames = 0;
    FreeAnswers answers; // in the last frame

    std::string key() const
    {
        std::string lower;
        for (const char *c = peer->name(); *c; c++)
            lower += static_cast<char>(std::tolower(*c));
        return lower;
    }
};

using Entrants = std::vector<Entrant>;

Entrants enter(const Run &run)
{
    Entrants entrants;
    FreeFrame rest(*run.motion);
    for (const FreeMaker &maker : free_makers()) {
        entrants.emplace_back();
        entrants.back().role = maker.role;
        entrants.back().peer = maker.make(free_scene(*run.motion), rest.vertices());
    }
    return entrants;
}

// ---- Frames -----------------------------------------------------------------------------------

// One frame through everyone, each held against the oracle.
void time_frame(Entrants *entrants, const FreeFrame &frame)
{
    for (Entrant &entrant : *entrants)
        entrant.times.push_back(free_time(entrant.peer.get(), frame, &entrant.answers));
    for (Entrant &entrant : *entrants)
        entrant.different_frames += !free_agree(entrant.answers, entrants->back().answers);
}

// What frames have in common besides the entrants' times.
struct Summary {
    std::vector<double> floor;
    size_t max_pairs = 0;
};

// Once through all frames, so that what is timed touches no memory for the first time.
void warm_up(const Run &run, Entrants *entrants, FreeFrame *frame)
{
    for (int step : run.steps) {
        frame->go_to(step);
        for (Entrant &entrant : *entrants) {
            entrant.peer->prepare(frame->vertices());
            entrant.peer->update(frame->vertices());
            entrant.peer->all_pairs(frame->close());
        }
    }
}

Summary time_frames(const Run &run, Entrants *entrants)
{
    Summary summary;
    FreeFrame frame(*run.motion);
    warm_up(run, entrants, &frame);
    for (int repetition = 0; repetition < run.repetitions; repetition++) {
        for (int step : run.steps) {
            frame.go_to(step);
            if (frame.close().empty())
                continue;
            summary.floor.push_back(free_time_floor(*run.motion, frame));
            time_frame(entrants, frame);
            summary.max_pairs = std::max(summary.max_pairs, entrants->back().answers.pairs.size());
        }
    }
    return summary;
}

// The times at the first contact alone, after a check that it is where it is said to be.
Entrants time_contact(const Run &run, bool *is_first)
{
    Entrants entrants = enter(run);
    FreeFrame frame(*run.motion);
    frame.go_to(run.contact_step - 1);
    time_frame(&entrants, frame);
    *is_first = entrants.back().answers.pairs.empty();
    for (Entrant &entrant : entrants)
        entrant.times.clear();
    frame.go_to(run.contact_step);
    for (int repetition = 0; repetition < 5 * run.repetitions; repetition++)
        time_frame(&entrants, frame);
    *is_first &= !entrants.back().answers.pairs.empty();
    return entrants;
}

// ---- Figures ----------------------------------------------------------------------------------

const Entrant *find(const Entrants &entrants, const char *key)
{
    for (const Entrant &entrant : entrants)
        if (entrant.key() == key)
            return &entrant;
    return nullptr;
}

double total_of(const Entrant &entrant)
{
    return free_median(entrant.times, &FreeTimes::total);
}

double best_library(const Entrants &entrants, double FreeTimes::*part)
{
    double best = free_median(entrants.back().times, part);
    for (const Entrant &entrant : entrants)
        if (entrant.role == FreeRole::Library)
            best = std::min(best, free_median(entrant.times, part));
    return best;
}

// How many times as fast as the best library is the entrant of that key, if there is one?
void print_against_best(const std::string &figure, const Entrants &entrants, const char *key,
                        double FreeTimes::*part = &FreeTimes::total)
{
    if (const Entrant *entrant = find(entrants, key))
        bench_figure(figure.c_str(),
                     best_library(entrants, part) / free_median(entrant->times, part), "x");
}

void print_against_floor(const std::string &figure, const Entrants &entrants, const char *key,
                         double floor)
{
    if (const Entrant *entrant = find(entrants, key))
        bench_figure(figure.c_str(), free_median(entrant->times, &FreeTimes::update) / floor, "x");
}

void print_entrant(const std::string &scene, const Entrant &entrant)
{
    const double update = 1e3 * free_median(entrant.times, &FreeTimes::update);
    const double all = 1e3 * free_median(entrant.times, &FreeTimes::all);
    const double total = 1e3 * total_of(entrant);
    const double first = 1e3 * free_median(entrant.times, &FreeTimes::first);
    const double fresh = 1e3 * free_median(entrant.times, &FreeTimes::fresh);
    std::printf("  %-16s update %9.4f  all pairs %9.4f  together %9.4f (fresh %9.4f)  first pair "
                "%9.4f ms%s\n",
                entrant.peer->name(), update, all, total, fresh, first,
                entrant.different_frames ? "  DIFFERENT PAIRS" : "");
    const std::string key = scene + entrant.key();
    bench_figure((key + ".update").c_str(), update, "ms");
    bench_figure((key + ".all").c_str(), all, "ms");
    bench_figure((key + ".total").c_str(), total, "ms");
    bench_figure((key + ".fresh").c_str(), fresh, "ms");
    bench_figure((key + ".first").c_str(), first, "ms");
    bench_figure((key + ".different_frames").c_str(), static_cast<double>(entrant.different_frames),
                 "frames");
}

void print_ratios(const Run &run, const Entrants &entrants, double floor)
{
    const std::string scene = run.key + ".";
    print_against_best("free." + scene + "vs_best_peer", entrants, "pliant");
    print_against_best("free." + scene + "fresh_vs_best_peer", entrants, "pliant",
                       &FreeTimes::fresh);
    print_against_best("free.avx2." + scene + "vs_best_peer", entrants, "pliant-avx2");
    print_against_floor("free." + scene + "update_vs_floor", entrants, "pliant", floor);
    print_against_floor("free." + scene + "adopted_vs_floor", entrants, "pliant-adopted", floor);
    print_against_floor("free.avx2." + scene + "update_vs_floor", entrants, "pliant-avx2", floor);
    const Entrant *ours = find(entrants, "pliant"), *bergen = find(entrants, "bergen");
    if (!ours)
        return;
    const double ratio = total_of(*bergen) / total_of(*ours);
    bench_figure(("free." + scene + "hybrid_vs_bottom_up").c_str(), ratio, "x");
    if (run.key == "s1")
        bench_figure("free.hybrid_vs_bottom_up", ratio, "x");
}

// What was written here must agree with the oracle; what was not is only reported.
bool agree(const Entrants &entrants)
{
    bool is_fine = true;
    for (const Entrant &entrant : entrants)
        is_fine &= entrant.role == FreeRole::Library || entrant.different_frames == 0;
    return is_fine;
}

int run_contact(const Run &run)
{
    bool is_first;
    const Entrants entrants = time_contact(run, &is_first);
    std::printf("%s at step %d, %s: %zu pairs of triangles\n", run.key.c_str(), run.contact_step,
                is_first ? "the first contact" : "NOT THE FIRST CONTACT",
                entrants.back().answers.pairs.size());
    for (const Entrant &entrant : entrants)
        print_entrant("free." + run.key + ".first_contact.", entrant);
    print_against_best("free." + run.key + ".first_contact_vs_best_peer", entrants, "pliant");
    print_against_best("free.avx2." + run.key + ".first_contact_vs_best_peer", entrants,
                       "pliant-avx2");
    return is_first && agree(entrants) ? 0 : 1;
}

int run_scene(const Run &run)
{
    Entrants entrants = enter(run);
    const Summary summary = time_frames(run, &entrants);
    std::printf("%s: %d bodies of %" PRId32
                " triangles, %zu frames with boxes that overlap, at most "
                "%zu pairs of triangles\n",
                run.key.c_str(), run.motion->body_count(), run.motion->mesh().triangle_count,
                summary.floor.size(), summary.max_pairs);
    const double floor = free_median(summary.floor);
    std::printf("  %-16s update %9.4f ms\n", "floor", 1e3 * floor);
    bench_figure(("free." + run.key + ".floor").c_str(), 1e3 * floor, "ms");
    for (const Entrant &entrant : entrants)
        print_entrant("free." + run.key + ".", entrant);
    print_ratios(run, entrants, floor);
    const int failed = agree(entrants) ? 0 : 1;
    return run.contact_step < 0 ? failed : failed | run_contact(run);
}

// ---- Scenes -----------------------------------------------------------------------------------

// Every `stride`th step, the last one among them: that is the hardest of the two spheres.
std::vector<int> steps_of(const FreeMotion &motion, int stride)
{
    std::vector<int> steps;
    for (int step = motion.step_count() - 1; step >= 0; step -= stride)
        steps.insert(steps.begin(), step);
    return steps;
}

int run_bumpy(const char *key, int subdivisions, int stride, int repetitions, int contact_step)
{
    Run run{key, free_bumpy(scene_icosphere(subdivisions)), {}, repetitions, contact_step};
    run.steps = steps_of(*run.motion, stride);
    return run_scene(run);
}

int run_crowd(const char *key, int subdivisions, int stride, int repetitions)
{
    Run run{key, free_crowd(subdivisions), {}, repetitions, -1};
    run.steps = steps_of(*run.motion, stride);
    return run_scene(run);
}
} // namespace

int peers_free(const BenchOptions *options)
{
    constexpr int S1_CONTACT = 55;
    bool is_quick = options->is_quick;
    int failed = run_bumpy("s1", 5, is_quick ? 20 : 4, is_quick ? 1 : 3, S1_CONTACT);
    failed |= run_crowd("crowd", 4, is_quick ? 100 : 20, is_quick ? 1 : 3);
    if (!is_quick) {
        failed |= run_bumpy("1k", 3, 10, 3, -1);
        failed |= run_bumpy("5k", 4, 10, 3, -1);
        failed |= run_bumpy("82k", 6, 20, 3, -1);
        failed |= run_bumpy("328k", 7, 20, 3, -1);
        failed |= run_bumpy("big", 8, 20, 3, -1);
    }
    return failed;
}
