// pliant-bench-peers paper-morph: the experiments of Larsson and Akenine-Moller, "Efficient
// collision detection for models deformed by morphing", 2003, for bench/plots.
//
// Their morph method against the hybrid method of 2001: here our bodies that morph, and our free
// bodies with the blending counted. Lines for scripts:
//
//     row fig5 STEP NAME MS_ALL_PAIRS MS_FIRST_PAIR
//     row fig8 TRIANGLES NAME MS_ALL_PAIRS MS_FIRST_PAIR
//
// Those of Figure 8 are averages over the steps, as theirs are. Both must find the same pairs.
#include "morph_runs.h"
#include "peers.h"

#include <cstdio>

namespace
{
using Peers = std::vector<std::unique_ptr<FreePeer>>;

Peers enter(const MorphPose &pose, const FreeFrame &rest)
{
    Peers peers;
    peers.push_back(make_morph("morph", PLIANT_CPU_ALL, pose));
    peers.push_back(make_blended("hybrid", pose, rest.vertices()));
    return peers;
}

// All steps, each peer's times in its own list; false if they differ.
bool time_steps(const MorphMotion &motion, int stride, std::vector<std::vector<FreeTimes>> *times)
{
    MorphPose pose(motion);
    FreeFrame frame(motion);
    const Peers peers = enter(pose, frame);
    bool is_fine = true;
    times->assign(peers.size(), {});
    for (int step = 0; step < motion.step_count(); step += stride) {
        FreeAnswers answers[2];
        pose.go_to(step);
        frame.go_to(step);
        for (size_t i = 0; i < peers.size(); i++)
            (*times)[i].push_back(free_time(peers[i].get(), frame, &answers[i]));
        is_fine &= free_agree(answers[0], answers[1]) && free_agree(answers[1], answers[0]);
    }
    return is_fine;
}

const char *const names[] = {"morph", "hybrid"};

int run_passing(int stride)
{
    std::vector<std::vector<FreeTimes>> times;
    const bool is_fine = time_steps(*morph_passing(), stride, &times);
    for (size_t i = 0; i < times.size(); i++)
        for (size_t t = 0; t < times[i].size(); t++)
            std::printf("row fig5 %zu %s %.5f %.5f\n", t * static_cast<size_t>(stride), names[i],
                        1e3 * times[i][t].total, 1e3 * times[i][t].first);
    return is_fine ? 0 : 1;
}

double average(const std::vector<FreeTimes> &times, double FreeTimes::*part)
{
    double sum = 0;
    for (const FreeTimes &t : times)
        sum += t.*part;
    return sum / static_cast<double>(times.size());
}

int run_dolphins(int size, int stride)
{
    std::vector<std::vector<FreeTimes>> times;
    const bool is_fine = time_steps(*morph_dolphins(size), stride, &times);
    for (size_t i = 0; i < times.size(); i++)
        std::printf("row fig8 %d %s %.5f %.5f\n", static_cast<int>(scene_dolphin_triangles(size)),
                    names[i], 1e3 * average(times[i], &FreeTimes::total),
                    1e3 * average(times[i], &FreeTimes::first));
    return is_fine ? 0 : 1;
}
} // namespace

int peers_paper_morph(const BenchOptions *options)
{
    int failed = run_passing(options->is_quick ? 20 : 2);
    for (int size = 0; size < SCENE_DOLPHIN_SIZES; size++)
        failed |= run_dolphins(size, options->is_quick ? 80 : 8);
    return failed;
}
