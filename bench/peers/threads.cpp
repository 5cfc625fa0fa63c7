// pliant-bench-peers threads: does a second thread gain us as much as it gains Embree?
//
// Four entrants: this library with one worker and with two, and Embree with one thread and with
// two. Each plays all frames in order, every frame once, in a pass of its own, and passes are taken
// in turns. An entrant is made anew for each pass: the threads of Embree are those of the process.
// Embree refits and collides with all of its threads inside of each call, and calls are made one
// after the other. All pairs must be equal. A figure is the ratio of Embree's time to ours with two
// threads, over that ratio with one.
#include "free_runs.h"
#include "peers.h"

#include <cstdio>

namespace
{
#ifdef HAS_EMBREE
using Make = std::function<std::unique_ptr<FreePeer>(const FreeScene &, const float *const *)>;

struct Entrant {
    const char *name;
    Make make;
    std::vector<double> passes; // seconds a frame
    FreeAnswers answers;        // in the last frame
};

std::vector<Entrant> enter(PliantPool *pool)
{
    const auto ours = [](PliantPool *used) {
        return [used](const FreeScene &scene, const float *const *rest) {
            const FreePliantWay way = {"Pliant", PLIANT_CPU_ALL, PLIANT_UPDATE_HYBRID, false, used};
            return make_pliant(way, scene, rest);
        };
    };
    const auto embree = [](int threads) {
        return [threads](const FreeScene &scene, const float *const *rest) {
            return make_embree_threads(threads, scene, rest);
        };
    };
    return {{"one worker", ours(nullptr), {}, {}},
            {"two workers", ours(pool), {}, {}},
            {"Embree, one thread", embree(1), {}, {}},
            {"Embree, two threads", embree(2), {}, {}}};
}

void play(Entrant *entrant, const FreeMotion &motion, const std::vector<int> &steps)
{
    FreeFrame frame(motion);
    const std::unique_ptr<FreePeer> peer = entrant->make(free_scene(motion), frame.vertices());
    double seconds = 0;
    for (size_t i = 0; i < steps.size(); i++) {
        frame.go_to(steps[i]);
        peer->prepare(frame.vertices());
        const double start = bench_seconds();
        peer->update(frame.vertices());
        peer->all_pairs(frame.close());
        if (i > 0) // the first one touches new memory
            seconds += bench_seconds() - start;
    }
    entrant->passes.push_back(seconds / static_cast<double>(steps.size() - 1));
    entrant->answers = free_answers(peer->pairs());
}

int run(const char *key, const FreeMotion &motion, int frame_count, int pass_count,
        PliantPool *pool)
{
    std::vector<Entrant> entrants = enter(pool);
    std::vector<int> steps;
    for (int i = 0; i < frame_count; i++)
        steps.push_back(motion.step_count() - frame_count + i);
    for (int pass = 0; pass < pass_count; pass++)
        for (Entrant &entrant : entrants)
            play(&entrant, motion, steps);
    double times[4];
    for (size_t i = 0; i < entrants.size(); i++) {
        times[i] = free_median(entrants[i].passes);
        std::printf("threads.%s: %-20s %8.3f ms a frame, %zu pairs in the last\n", key,
                    entrants[i].name, 1e3 * times[i], entrants[i].answers.pairs.size());
        if (!free_agree(entrants[i].answers, entrants[0].answers)) {
            std::fprintf(stderr, "threads.%s: %s has other pairs\n", key, entrants[i].name);
            return 1;
        }
    }
    const double one = times[2] / times[0], two = times[3] / times[1];
    std::printf("threads.%s: against Embree with one thread %.2f x, with two %.2f x\n", key, one,
                two);
    bench_figure((std::string("threads.") + key + ".embree_gain").c_str(), times[2] / times[3],
                 "x");
    bench_figure((std::string("threads.") + key + ".vs_embree_kept").c_str(), two / one, "x");
    return 0;
}
#endif
} // namespace

extern "C" int peers_threads(const BenchOptions *options)
{
#ifdef HAS_EMBREE
    const bool is_quick = options->is_quick;
    PliantPoolDef def = pliant_pool_def_default();
    PliantPool *pool;
    def.worker_count = 2;
    bench_must(pliant_pool_create(&def, &pool));
    int failed = run("crowd", *free_crowd(4), is_quick ? 40 : 150, is_quick ? 3 : 5, pool);
    failed |=
        run("big", *free_bumpy(scene_icosphere(8)), is_quick ? 8 : 24, is_quick ? 3 : 5, pool);
    pliant_pool_destroy(pool);
    return failed;
#else
    (void)options;
    std::printf("pliant-bench-peers threads: no Embree\n");
    return 0;
#endif
}
