// This library as its users call it: bodies, their ends, and a sweep. See sweep_runs.h.
#include "sweep_runs.h"

#include <cmath>

namespace
{
PliantShapeDef def_of(const FreeMesh &mesh, const float *rest)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = {rest, mesh.vertex_count, 0};
    def.triangles = {mesh.triangles, mesh.triangle_count};
    return def;
}

// Bodies in a world; how they move is left to those that are made of it.
class World : public SweepPliant
{
  public:
    World()
    {
        bench_must(pliant_world_create(nullptr, &world));
    }

    ~World() override
    {
        pliant_world_destroy(world);
    }

    World(const World &) = delete;
    World &operator=(const World &) = delete;

    double earliest() override
    {
        return earliest_until(1);
    }

    double earliest_until(float until) override
    {
        PliantImpacts impacts = pliant_impacts_default();
        def.max_time = until;
        bench_must(pliant_world_sweep(world, &def, &impacts));
        return impacts.count > 0 ? double{impacts.items[0].time} : INFINITY;
    }

    double evaluated(size_t body) const override
    {
        double sum = 0;
        for (PliantBody of : {bodies[body], ends[body]}) {
            PliantStats stats = pliant_stats_default();
            bench_must(pliant_body_stats(world, of, &stats));
            sum += static_cast<double>(stats.vertices_evaluated);
        }
        return 100 * sum / (2.0 * vertex_counts[body]);
    }

  protected:
    void add_body(const PliantShapeDef &shape_def, bool is_unchanged)
    {
        PliantShape *shape;
        PliantBody body, end = {};
        bench_must(pliant_shape_create(&shape_def, &shape));
        bench_must(pliant_body_create(world, shape, &body));
        if (!is_unchanged)
            bench_must(pliant_body_create_end(world, body, &end));
        pliant_shape_release(shape);
        bodies.push_back(body);
        ends.push_back(end);
        vertex_counts.push_back(shape_def.vertices.count);
    }

    PliantWorld *world;
    PliantSweepDef def = pliant_sweep_def_default();
    std::vector<PliantBody> bodies, ends;
    std::vector<int32_t> vertex_counts;
};

class SuppliedWorld : public World
{
  public:
    SuppliedWorld(const FreeScene &scene, const float *const *rest, float margin)
    {
        def.margin = margin;
        for (size_t i = 0; i < scene.size(); i++)
            add_body(def_of(scene[i], rest[i]), false);
    }

    const char *name() const override
    {
        return "pliant";
    }

    void update(const float *const *start, const float *const *end) override
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            const int32_t count = vertex_counts[i];
            bench_must(pliant_body_borrow_vertices(world, bodies[i], {start[i], count, 0}));
            bench_must(pliant_body_borrow_vertices(world, ends[i], {end[i], count, 0}));
        }
    }
};

class JointsWorld : public World
{
  public:
    JointsWorld(const CharacterPose &at_start, const CharacterPose &at_end)
        : poses{&at_start, &at_end}
    {
        const SceneSkin &avatar = at_start.motion().skin();
        const FreeScene scene = free_scene(at_start.motion());
        const PliantSkin skin = {sizeof skin, avatar.joint_count, avatar.influence_count,
                                 avatar.joints, avatar.weights};
        PliantShapeDef avatar_def = def_of(scene[0], avatar.mesh.vertices);
        avatar_def.skin = &skin;
        add_body(avatar_def, false);
        add_body(def_of(scene[1], at_start.motion().mesh_of(1).vertices), true);
    }

    const char *name() const override
    {
        return "pliant-joints";
    }

    void update(const float *const *, const float *const *) override
    {
        const PliantBody both[2] = {bodies[0], ends[0]};
        for (int i = 0; i < 2; i++) {
            bench_must(
                pliant_body_set_joints(world, both[i], poses[i]->joints(0), SCENE_AVATAR_JOINTS));
            bench_must(pliant_body_set_transform(world, both[i], &poses[i]->transform(0)));
        }
    }

  private:
    const CharacterPose *poses[2];
};
} // namespace

std::unique_ptr<SweepPliant> make_sweep_pliant(const FreeScene &scene, const float *const *rest,
                                               float margin)
{
    return std::make_unique<SuppliedWorld>(scene, rest, margin);
}

std::unique_ptr<SweepPliant> make_sweep_joints(const CharacterPose &start, const CharacterPose &end)
{
    return std::make_unique<JointsWorld>(start, end);
}
