// pliant-bench-peers near: vertices near triangles, and edges near edges.
//
// A cloth on a sphere, both with caller-supplied vertices; somebody who walks along a wall, by
// joints; and a folded cloth alone.
#include "feature_runs.h"
#include "peers.h"

#include <cstdio>

namespace
{
int run_margin(const char *key, NearScene scene, int stride)
{
    scene.query.margin = scene.query.distance / 4;
    return feature_run_margin(key, scene.query, *scene.motion, stride);
}

#ifdef HAS_EMBREE
int run_supplied(const char *key, const NearScene &scene, int stride)
{
    double ratio;
    return feature_run_supplied(key, scene.query, *scene.motion,
                                {0, scene.motion->step_count(), stride}, &ratio);
}
#endif
} // namespace

extern "C" int peers_near(const BenchOptions *options)
{
    const bool is_quick = options->is_quick;
    int failed = run_margin("near.margin_cloth", near_cloth(), is_quick ? 20 : 4);
    failed |= run_margin("near.margin_self", near_folded_cloth(), is_quick ? 20 : 4);
    const NearScene cloth = near_cloth();
    failed |=
        feature_run_doubles("near.cloth.doubles", cloth.query, *cloth.motion, is_quick ? 4 : 1);
#ifdef HAS_EMBREE
    const FeatureQuery within = {false, 0.005f};
    failed |= run_supplied("near.cloth", near_cloth(), is_quick ? 5 : 1);
    failed |= feature_run_character("near.character", within, SCENE_MUSEUM, is_quick ? 10 : 2);
    failed |=
        feature_run_character("near.living_room", within, SCENE_LIVING_ROOM, is_quick ? 10 : 2);
    failed |= run_supplied("near.self", near_folded_cloth(), is_quick ? 5 : 1);
#else
    std::printf("pliant-bench-peers near: no Embree\n");
#endif
    return failed;
}
