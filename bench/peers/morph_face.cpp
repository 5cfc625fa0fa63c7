// The face and the hand, for pliant-bench-peers morph: a face that morphs by six of 150 local
// targets against the same face as a free body, with the blending counted. The hand is rigid in
// both worlds. Over the frames in which their boxes overlap.
#include "morph_runs.h"
#include "peers.h"
#include "pliant_world.h"

#include <cstdio>
#include <cstring>

namespace
{
// A face and a hand in a world of their own.
struct Intersecting {
    PliantWorld *world;
    PliantBody face, hand;
    PliantContacts contacts = pliant_contacts_default();
};

struct Scene {
    SceneMorph face;
    SceneMesh hand;
    float weights[SCENE_FACE_TARGETS];
    PliantTransform hand_transform;
    std::vector<float> blended;
    Intersecting morphing, free;
};

PliantBody add_body(PliantWorld *world, const PliantShapeDef &def)
{
    PliantShape *shape;
    PliantBody body;
    bench_must(pliant_shape_create(&def, &shape));
    bench_must(pliant_body_create(world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

Intersecting make_intersecting(const PliantShapeDef &face, const SceneMesh &hand)
{
    Intersecting intersecting{};
    bench_must(pliant_world_create(nullptr, &intersecting.world));
    intersecting.face = add_body(intersecting.world, face);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = {hand.vertices, hand.vertex_count, 0};
    def.triangles = {hand.triangles, hand.triangle_count};
    intersecting.hand = add_body(intersecting.world, def);
    return intersecting;
}

void make_scene(Scene *scene)
{
    scene->face = scene_face();
    scene->hand = scene_hand();
    scene->blended.resize(3 * static_cast<size_t>(scene->face.mesh.vertex_count));
    std::vector<PliantTarget> targets;
    PliantShapeDef def = morph_shape_def(scene->face, &targets);
    scene->morphing = make_intersecting(def, scene->hand);
    def.targets = nullptr;
    def.target_count = 0;
    scene->free = make_intersecting(def, scene->hand);
}

void free_scene_parts(Scene *scene)
{
    pliant_world_destroy(scene->morphing.world);
    pliant_world_destroy(scene->free.world);
    scene_morph_free(&scene->face);
    scene_mesh_free(&scene->hand);
}

void go_to(Scene *scene, int step)
{
    scene_face_weights(step, scene->weights);
    scene_hand_rows(step, scene->hand_transform.rows);
}

void intersect_by_weights(Scene *scene, PliantCollideKind query)
{
    Intersecting &m = scene->morphing;
    bench_must(pliant_body_set_weights(m.world, m.face, scene->weights, SCENE_FACE_TARGETS));
    bench_must(pliant_body_set_transform(m.world, m.hand, &scene->hand_transform));
    const PliantCollideDef def = bench_query(query);
    bench_must(pliant_world_collide(m.world, &def, &m.contacts));
}

void intersect_by_vertices(Scene *scene, PliantCollideKind query)
{
    Intersecting &m = scene->free;
    scene_morph_vertices(&scene->face, scene->weights, nullptr, scene->blended.data());
    bench_must(pliant_body_borrow_vertices(
        m.world, m.face, {scene->blended.data(), scene->face.mesh.vertex_count, 0}));
    bench_must(pliant_body_set_transform(m.world, m.hand, &scene->hand_transform));
    const PliantCollideDef def = bench_query(query);
    bench_must(pliant_world_collide(m.world, &def, &m.contacts));
}

// The first run, and the median of so many.
struct FaceTimes {
    double fresh, median;
};

// Bounds may be kept where no weight has changed: so no run comes after one of the same step.
template <class Intersect>
FaceTimes time_runs(Scene *scene, int step, PliantCollideKind query, const Intersect &intersect)
{
    std::vector<double> runs;
    for (double spent = 0; runs.size() < 7 || spent < 0.005; spent += runs.back()) {
        if (!runs.empty()) {
            go_to(scene, step - 1);
            intersect(scene, query);
        }
        go_to(scene, step);
        const double start = bench_seconds();
        intersect(scene, query);
        runs.push_back(bench_seconds() - start);
    }
    return {runs.front(), free_median(runs)};
}

bool are_equal(const Scene &scene)
{
    const PliantContacts &x = scene.morphing.contacts, &y = scene.free.contacts;
    std::vector<float> own(scene.blended.size());
    bench_must(pliant_body_vertices(scene.morphing.world, scene.morphing.face, own.data(),
                                    scene.face.mesh.vertex_count));
    const auto is_same = [](const PliantContact &a, const PliantContact &b) {
        return a.body_a.index == b.body_a.index && a.body_b.index == b.body_b.index &&
               a.triangle_a == b.triangle_a && a.triangle_b == b.triangle_b;
    };
    return x.count == y.count && std::equal(x.items, x.items + x.count, y.items, is_same) &&
           std::memcmp(own.data(), scene.blended.data(), own.size() * sizeof(float)) == 0;
}

bool boxes_overlap(PliantWorld *world)
{
    PliantBodyPairs pairs = pliant_body_pairs_default();
    bench_must(pliant_world_body_pairs(world, nullptr, &pairs));
    return pairs.count > 0;
}

// One query in all steps; false if the two differ.
bool run_query(Scene *scene, PliantCollideKind query, const char *key, int stride)
{
    std::vector<double> morphing, free, fresh_morphing, fresh_free;
    int64_t contact_count = 0;
    bool is_fine = true;
    for (int step = 1; step < SCENE_FACE_STEPS; step += stride) {
        const FaceTimes by_vertices = time_runs(scene, step, query, intersect_by_vertices);
        const FaceTimes by_weights = time_runs(scene, step, query, intersect_by_weights);
        is_fine &= query != PLIANT_ALL_PAIRS || are_equal(*scene);
        if (!boxes_overlap(scene->free.world))
            continue;
        contact_count = std::max(contact_count, scene->morphing.contacts.count);
        morphing.push_back(by_weights.median);
        free.push_back(by_vertices.median);
        fresh_morphing.push_back(by_weights.fresh);
        fresh_free.push_back(by_vertices.fresh);
    }
    const double ours = free_median(morphing), own_free = free_median(free);
    std::printf(
        "face, %s: morph %.4f ms (fresh %.4f), blended %.4f ms (fresh %.4f); %zu frames, at "
        "most %lld pairs%s\n",
        key, 1e3 * ours, 1e3 * free_median(fresh_morphing), 1e3 * own_free,
        1e3 * free_median(fresh_free), free.size(), static_cast<long long>(contact_count),
        is_fine ? "" : "  DIFFERENT");
    const std::string figure = query == PLIANT_ALL_PAIRS ? "morph.face" : "morph.face_first";
    bench_figure(figure.c_str(), own_free / ours, "x");
    bench_figure((figure + ".fresh").c_str(), free_median(fresh_free) / free_median(fresh_morphing),
                 "x");
    return is_fine;
}
} // namespace

int morph_face(const BenchOptions *options)
{
    Scene scene{};
    make_scene(&scene);
    const int stride = options->is_quick ? 10 : 2;
    bool is_fine = run_query(&scene, PLIANT_ALL_PAIRS, "all pairs", stride);
    is_fine &= run_query(&scene, PLIANT_FIRST_PAIRS, "first pair", stride);
    free_scene_parts(&scene);
    return is_fine ? 0 : 1;
}
