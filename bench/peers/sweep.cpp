// pliant-bench-peers sweep: what touches on the way from one step to the next, and when.
#include "peers.h"
#include "sweep_runs.h"

#include <cstdio>

extern "C" int peers_sweep(const BenchOptions *options)
{
    constexpr int SUBDIVISIONS = 5; // 20,480 triangles
    const bool is_quick = options->is_quick;
    const std::unique_ptr<FreeMotion> bumpy = free_bumpy(scene_icosphere(SUBDIVISIONS));
    const NearScene cloth = near_cloth();
    int failed = sweep_run_pairs(is_quick);
    failed |= sweep_run_comoving(is_quick);
    failed |=
        feature_run_margin("sweep.margin_bumpy", {true, 0, false, 0.01f}, *bumpy, is_quick ? 8 : 1);
    failed |= feature_run_margin("sweep.margin_cloth", {true, 0, false, cloth.query.distance / 4},
                                 *cloth.motion, is_quick ? 20 : 4);
    failed |= feature_run_doubles("sweep.cloth.doubles", {true}, *cloth.motion, is_quick ? 4 : 1);
#ifdef HAS_EMBREE
    double of_bumpy, of_cloth;
    failed |=
        feature_run_supplied("sweep.bumpy", {true}, *bumpy, {18, 58, is_quick ? 4 : 1}, &of_bumpy);
    failed |=
        feature_run_supplied("sweep.cloth", {true}, *cloth.motion,
                             {0, cloth.motion->step_count() - 1, is_quick ? 8 : 1}, &of_cloth);
    bench_figure("sweep.step_vs_best_peer", std::min(of_bumpy, of_cloth), "x");
    failed |= feature_run_character("sweep.character", {true}, SCENE_MUSEUM, is_quick ? 10 : 2);
    failed |=
        feature_run_character("sweep.living_room", {true}, SCENE_LIVING_ROOM, is_quick ? 10 : 2);
#else
    std::printf("pliant-bench-peers sweep: no Embree\n");
#endif
    return failed;
}
