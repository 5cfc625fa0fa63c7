// pliant-bench-peers near: vertices near triangles, and edges near edges.
//
// A cloth on a sphere, both with caller-supplied vertices; somebody who walks along a wall, by
// joints; and a folded cloth alone. Every frame is played once, as a user would: first
// untimed, so that everyone has the memory that it needs, and then in turns, ours and the peer's.
// Update and all pairs are timed, and medians over the frames are divided. Making the vertices of
// the cloth and the sphere is not counted. The peer's avatar is skinned in its update, which is
// counted. Pairs must be equal in every frame, and distances nearly so. In the timed frames ours
// may not allocate.
#include "near_runs.h"
#include "peers.h"

#include <cinttypes>
#include <cmath>
#include <cstdio>

namespace
{
#ifdef HAS_EMBREE
// Those who take part, and what they took.
struct Field {
    std::unique_ptr<NearPliant> ours;
    std::unique_ptr<NearPeer> peer;
    std::vector<double> our_times, peer_times, our_updates, peer_updates;
    std::vector<double> evaluated; // of the first body, in per cent
    size_t max_pairs = 0, pair_count = 0;
    int different_frames = 0;
    double worst_distance = 0; // the greatest difference of distances, relative to the one asked
};

void time_peer(NearPeer *peer, const float *const *vertices, std::vector<double> *updates,
               std::vector<double> *totals)
{
    const double start = bench_seconds();
    peer->update(vertices);
    const double updated = bench_seconds();
    peer->find();
    totals->push_back(bench_seconds() - start);
    updates->push_back(updated - start);
}

std::vector<NearPair> sorted(std::vector<NearPair> pairs)
{
    std::sort(pairs.begin(), pairs.end(),
              [](const NearPair &a, const NearPair &b) { return a.key() < b.key(); });
    return pairs;
}

void compare(const NearScene &scene, Field *field)
{
    const std::vector<NearPair> ours = sorted(field->ours->pairs()),
                                theirs = sorted(field->peer->pairs());
    field->max_pairs = std::max(field->max_pairs, theirs.size());
    field->pair_count += theirs.size();
    bool is_same = ours.size() == theirs.size();
    for (size_t i = 0; is_same && i < ours.size(); i++) {
        is_same = ours[i].key() == theirs[i].key();
        const double difference = std::fabs(double{ours[i].distance} - theirs[i].distance);
        field->worst_distance = std::max(field->worst_distance, difference / scene.distance);
    }
    field->different_frames += !is_same;
}

// Plays the steps; go_to() makes a frame.
template <class GoTo>
int64_t play(const NearScene &scene, Field *field, const std::vector<int> &steps, FreeFrame *frame,
             const GoTo &go_to)
{
    for (int step : steps) {
        go_to(step);
        field->ours->update(frame->vertices());
        field->ours->find();
        field->peer->update(frame->vertices());
        field->peer->find();
    }
    const int64_t before = field->ours->allocations();
    for (int step : steps) {
        go_to(step);
        time_peer(field->ours.get(), frame->vertices(), &field->our_updates, &field->our_times);
        field->evaluated.push_back(field->ours->evaluated(0));
        time_peer(field->peer.get(), frame->vertices(), &field->peer_updates, &field->peer_times);
        compare(scene, field);
    }
    return field->ours->allocations() - before;
}

int print_field(const char *key, const NearScene &scene, const Field &field, int64_t allocations)
{
    const std::string figure = std::string("near.") + key + ".";
    const size_t frames = field.our_times.size();
    const double ours = 1e3 * free_median(field.our_times),
                 theirs = 1e3 * free_median(field.peer_times);
    std::printf("near.%s: %" PRId32 " triangles", key, scene.motion->mesh().triangle_count);
    if (!scene.is_self)
        std::printf(" and %" PRId32, scene.motion->mesh_of(1).triangle_count);
    std::printf(", within %g; %zu frames, %zu pairs of features (at most %zu)%s; distances differ "
                "by %.1e of that; %" PRId64 " allocations\n",
                static_cast<double>(scene.distance), frames, field.pair_count / frames,
                field.max_pairs, field.different_frames ? ", DIFFERENT PAIRS" : "",
                field.worst_distance, allocations);
    std::printf("  %-16s update %9.4f  together %9.4f ms\n", field.ours->name(),
                1e3 * free_median(field.our_updates), ours);
    std::printf("  %-16s update %9.4f  together %9.4f ms\n", field.peer->name(),
                1e3 * free_median(field.peer_updates), theirs);
    bench_figure((figure + "pliant.total").c_str(), ours, "ms");
    bench_figure((figure + "embree.update").c_str(), 1e3 * free_median(field.peer_updates), "ms");
    bench_figure((figure + "embree.total").c_str(), theirs, "ms");
    bench_figure((figure + "pairs").c_str(), static_cast<double>(field.pair_count / frames), "");
    bench_figure((figure + "different_frames").c_str(), field.different_frames, "frames");
    bench_figure((figure + "allocations").c_str(), static_cast<double>(allocations), "");
    bench_figure((figure + "vs_best_peer").c_str(), theirs / ours, "x");
    std::fflush(stdout);
    return field.different_frames > 0 || allocations > 0 || field.worst_distance > 1e-5;
}

// Every so many steps of a motion.
std::vector<int> steps_of(const FreeMotion &motion, int stride)
{
    std::vector<int> steps;
    for (int step = 0; step < motion.step_count(); step += stride)
        steps.push_back(step);
    return steps;
}

int run_supplied(const char *key, const NearScene &scene, int stride)
{
    FreeFrame frame(*scene.motion);
    Field field;
    field.ours = make_near_pliant(scene, frame.vertices());
    field.peer = make_near_embree(scene, frame.vertices(), {});
    const int64_t allocations = play(scene, &field, steps_of(*scene.motion, stride), &frame,
                                     [&frame](int step) { frame.go_to(step); });
    return print_field(key, scene, field, allocations);
}

int run_character(const char *key, SceneRoom room, int stride)
{
    std::unique_ptr<CharacterMotion> motion = character_walk(room, 0);
    CharacterPose pose(*motion);
    const NearScene scene = {std::move(motion), 0.005f, false};
    FreeFrame frame(*scene.motion);
    Field field;
    field.ours = make_near_joints(scene, pose);
    field.peer = make_near_embree(scene, frame.vertices(), [&pose](size_t body, float *vertices) {
        pose.skin(body, vertices);
    });
    const int64_t allocations = play(scene, &field, steps_of(*scene.motion, stride), &frame,
                                     [&pose](int step) { pose.go_to(step); });
    const int failed = print_field(key, scene, field, allocations);
    bench_figure((std::string("near.") + key + ".evaluated").c_str(), free_median(field.evaluated),
                 "%");
    return failed;
}
#endif
} // namespace

extern "C" int peers_near(const BenchOptions *options)
{
    const bool is_quick = options->is_quick;
    int failed = near_run_margin("margin_cloth", near_cloth(), is_quick ? 20 : 4);
    failed |= near_run_margin("margin_self", near_folded_cloth(), is_quick ? 20 : 4);
#ifdef HAS_EMBREE
    failed |= run_supplied("cloth", near_cloth(), is_quick ? 5 : 1);
    failed |= run_character("character", SCENE_MUSEUM, is_quick ? 10 : 2);
    failed |= run_character("living_room", SCENE_LIVING_ROOM, is_quick ? 10 : 2);
    return failed | run_supplied("self", near_folded_cloth(), is_quick ? 5 : 1);
#else
    std::printf("pliant-bench-peers near: no Embree\n");
    return failed;
#endif
}
