// pliant-bench-peers distance: the least distance of two bodies that are apart.
//
// Two bumpy spheres whose every vertex moves in every frame, with caller-supplied vertices, swing
// to and fro without touching. Ours is handed the vertices and asked for the distance. The peer is
// FCL, which refits its trees. Every frame is played once, as a user
// would: first untimed, so that everyone has the memory that it needs, and then in turns. Making
// the vertices is not counted. Distances must agree within 1e-5.
#include "distance_runs.h"
#include "peers.h"

#include <cmath>
#include <cstdio>

namespace
{
// The bumpy spheres with centers 3.05 to 3.65 apart.
class ApartMotion : public FreeMotion
{
  public:
    explicit ApartMotion(int subdivisions) : scene(scene_bumpy(subdivisions))
    {
    }

    ApartMotion(const ApartMotion &) = delete;
    ApartMotion &operator=(const ApartMotion &) = delete;

    ~ApartMotion() override
    {
        scene_bumpy_free(&scene);
    }

    const SceneMesh &mesh() const override
    {
        return scene.sphere;
    }

    int body_count() const override
    {
        return 2;
    }

    int step_count() const override
    {
        return SCENE_BUMPY_STEPS;
    }

    void index(int body, int step, float *vertices) const override
    {
        const double pushed = (2.85 - 0.3) * step / (SCENE_BUMPY_STEPS - 1);
        const double apart = 0.5 + 0.3 * std::sin(0.05 * step) + pushed;
        scene_bumpy_vertices(&scene, body, step, vertices);
        for (int32_t i = 0; i < scene.sphere.vertex_count; i++)
            vertices[3 * static_cast<size_t>(i)] +=
                static_cast<float>(body == 0 ? -apart / 2 : apart / 2);
    }

  private:
    SceneBumpy scene;
};

class Ours : public DistancePeer
{
  public:
    Ours(const FreeScene &scene_, const float *const *rest_vertices) : scene(scene_)
    {
        bench_must(pliant_world_create(nullptr, &world));
        for (size_t i = 0; i < scene.size(); i++) {
            PliantShapeDef def = pliant_shape_def_default();
            def.vertices = {rest_vertices[i], scene[i].vertex_count, 0};
            def.triangles = {scene[i].triangles, scene[i].triangle_count};
            PliantShape *shape;
            bench_must(pliant_shape_create(&def, &shape));
            bench_must(pliant_body_create(world, shape, &bodies[i]));
            pliant_shape_release(shape);
        }
    }

    Ours(const Ours &) = delete;
    Ours &operator=(const Ours &) = delete;

    ~Ours() override
    {
        pliant_world_destroy(world);
    }

    const char *name() const override
    {
        return "pliant";
    }

    void update(const float *const *vertices) override
    {
        for (size_t i = 0; i < scene.size(); i++)
            bench_must(pliant_body_borrow_vertices(world, bodies[i],
                                                   {vertices[i], scene[i].vertex_count, 0}));
    }

    double least() override
    {
        PliantDistance distance = pliant_distance_default();
        bench_must(pliant_bodies_distance(world, bodies[0], bodies[1], nullptr, &distance));
        return static_cast<double>(distance.pair.distance);
    }

  private:
    FreeScene scene;
    PliantWorld *world = nullptr;
    PliantBody bodies[2];
};

struct Entry {
    std::unique_ptr<DistancePeer> peer;
    std::vector<double> times, updates;
    double distance = 0, worst = 0; // the greatest difference from ours
};

void time_frame(Entry *entry, const float *const *vertices)
{
    const double start = bench_seconds();
    entry->peer->update(vertices);
    const double updated = bench_seconds();
    entry->distance = entry->peer->least();
    entry->times.push_back(bench_seconds() - start);
    entry->updates.push_back(updated - start);
}

// The median of the peer's times over ours.
double print_entries(const std::vector<Entry> &entries, double near, double far)
{
    const double ours = free_median(entries[0].times);
    double best = INFINITY;
    std::printf("distance: %zu frames, from %.3f to %.3f apart\n", entries[0].times.size(), near,
                far);
    for (const Entry &entry : entries) {
        const double time = free_median(entry.times);
        std::printf("  %-12s update %9.4f  together %9.4f ms; differs by %.1e\n",
                    entry.peer->name(), 1e3 * free_median(entry.updates), 1e3 * time, entry.worst);
        best = &entry == entries.data() ? best : std::min(best, time);
    }
    return best / ours;
}
} // namespace

extern "C" int peers_distance(const BenchOptions *options)
{
    constexpr int SUBDIVISIONS = 5; // 20,480 triangles
    const ApartMotion motion(SUBDIVISIONS);
    FreeFrame frame(motion);
    const FreeScene scene = free_scene(motion);
    std::vector<Entry> entries(2);
    entries[0].peer = std::make_unique<Ours>(scene, frame.vertices());
    entries[1].peer = make_distance_fcl(scene, frame.vertices());
    const int stride = options->is_quick ? 10 : 2;
    double near = INFINITY, far = 0;
    for (int step = 0; step < motion.step_count(); step += stride) {
        frame.go_to(step);
        for (Entry &entry : entries) {
            entry.peer->update(frame.vertices());
            entry.peer->least();
        }
    }
    for (int step = 0; step < motion.step_count(); step += stride) {
        frame.go_to(step);
        for (Entry &entry : entries) {
            time_frame(&entry, frame.vertices());
            entry.worst = std::max(entry.worst, std::fabs(entry.distance - entries[0].distance));
        }
        near = std::min(near, entries[0].distance);
        far = std::max(far, entries[0].distance);
    }
    bench_figure("distance.vs_best_peer", print_entries(entries, near, far), "x");
    const auto is_off = [](const Entry &entry) { return entry.worst > 1e-5; };
    return std::any_of(entries.begin(), entries.end(), is_off) ? 1 : 0;
}
