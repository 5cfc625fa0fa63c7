// pliant-bench-peers paper: the experiments of Larsson and Akenine-Moller, "Collision Detection for
// Continuously Deforming Bodies", 2001, step by step, for bench/plots.
//
// Two bumpy spheres (their Figure 3), spheres of seven sizes (Table 1), 27 bodies (Figure 4), each
// with the three updates that they compare, as this library does them, and with the method of van
// den Bergen. Lines for scripts:
//
//     row fig3 STEP NAME MS_ALL_PAIRS MS_FIRST_PAIR
//     row table1 TRIANGLES NAME FIRST_STEP MS_FIRST_CONTACT MS_WORST WORST_PAIRS
//     row fig4 STEP NAME MS_ALL_PAIRS
//
// All times are of update and query together. Everyone must find the same pairs.
#include "free_runs.h"
#include "peers.h"

#include <cstdio>

namespace
{
using Peers = std::vector<std::unique_ptr<FreePeer>>;

// Those that the paper has, by the names of free_makers(); Bergen is the last.
Peers enter(const FreeMotion &motion, const std::vector<std::string> &names)
{
    Peers peers;
    FreeFrame rest(motion);
    for (const FreeMaker &maker : free_makers()) {
        if (maker.role == FreeRole::Library)
            continue;
        auto peer = maker.make(free_scene(motion), rest.vertices());
        if (std::find(names.begin(), names.end(), peer->name()) != names.end())
            peers.push_back(std::move(peer));
    }
    return peers;
}

const std::vector<std::string> all_updates = {"pliant", "pliant-bottom-up", "pliant-top-down",
                                              "Bergen"};
const std::vector<std::string> best_update = {"pliant", "Bergen"};

// One frame through all; false if they differ.
bool time_all(const Peers &peers, const FreeFrame &frame, std::vector<FreeTimes> *times,
              std::vector<FreeAnswers> *answers)
{
    times->resize(peers.size());
    answers->resize(peers.size());
    for (size_t i = 0; i < peers.size(); i++)
        (*times)[i] = free_time(peers[i].get(), frame, &(*answers)[i]);
    bool is_fine = true;
    for (const FreeAnswers &mine : *answers)
        is_fine &= free_agree(mine, answers->back());
    return is_fine;
}

// Every step, with both queries or one.
int run_steps(const char *key, const FreeMotion &motion, int stride, bool has_first)
{
    const Peers peers = enter(motion, all_updates);
    FreeFrame frame(motion);
    std::vector<FreeTimes> times;
    std::vector<FreeAnswers> answers;
    bool is_fine = true;
    for (int step = 0; step < motion.step_count(); step += stride) {
        frame.go_to(step);
        is_fine &= time_all(peers, frame, &times, &answers);
        for (size_t i = 0; i < peers.size(); i++) {
            std::printf("row %s %d %s %.4f", key, step, peers[i]->name(), 1e3 * times[i].total);
            if (has_first)
                std::printf(" %.4f", 1e3 * times[i].first);
            std::printf("\n");
        }
    }
    return is_fine ? 0 : 1;
}

// ---- Sizes ------------------------------------------------------------------------------------

// One step, long enough for a figure of its own.
double settled_time(FreePeer *peer, FreeFrame *frame, int step)
{
    frame->go_to(step);
    std::vector<double> runs;
    FreeAnswers unused;
    for (int i = 0; i < 9; i++)
        runs.push_back(free_time(peer, *frame, &unused).total);
    return free_median(runs);
}

// Where a peer reached what Table 1 speaks of.
struct Landmarks {
    int worst_step = 0;
    double worst_time = 0;
    size_t worst_pairs = 0;
};

int run_size(SceneMesh sphere, int stride)
{
    const auto motion = free_bumpy(sphere);
    const Peers peers = enter(*motion, best_update);
    FreeFrame frame(*motion);
    std::vector<FreeTimes> times;
    std::vector<FreeAnswers> answers;
    std::vector<Landmarks> marks(peers.size());
    int contact_step = -1;
    bool is_fine = true;
    for (int step = 0; step < motion->step_count(); step += stride) {
        frame.go_to(step);
        is_fine &= time_all(peers, frame, &times, &answers);
        if (contact_step < 0 && !answers.back().pairs.empty())
            contact_step = step;
        for (size_t i = 0; i < peers.size(); i++)
            if (times[i].total > marks[i].worst_time)
                marks[i] = {step, times[i].total, answers[i].pairs.size()};
    }
    for (size_t i = 0; i < peers.size(); i++)
        std::printf("row table1 %d %s %d %.4f %.4f %zu\n", static_cast<int>(sphere.triangle_count),
                    peers[i]->name(), contact_step,
                    1e3 * settled_time(peers[i].get(), &frame, contact_step),
                    1e3 * settled_time(peers[i].get(), &frame, marks[i].worst_step),
                    marks[i].worst_pairs);
    return is_fine ? 0 : 1;
}

// The paper's numbers of triangles, each from the solid that has it.
const struct {
    SceneSolid solid;
    int subdivisions;
} sizes[] = {
    {SCENE_ICOSAHEDRON, 3}, // 1,280
    {SCENE_ICOSAHEDRON, 4}, // 5,120
    {SCENE_OCTAHEDRON, 5},  // 8,192
    {SCENE_TETRAHEDRON, 6}, // 16,384
    {SCENE_ICOSAHEDRON, 5}, // 20,480
    {SCENE_OCTAHEDRON, 6},  // 32,768
    {SCENE_TETRAHEDRON, 7}, // 65,536
};
} // namespace

int peers_paper(const BenchOptions *options)
{
    const int stride = options->is_quick ? 10 : 1;
    int failed = run_steps("fig3", *free_bumpy(scene_icosphere(5)), stride, true);
    for (const auto &size : sizes)
        failed |= run_size(scene_sphere(size.solid, size.subdivisions), stride);
    failed |= run_steps("fig4", *free_crowd(4), stride, false);
    return failed;
}
