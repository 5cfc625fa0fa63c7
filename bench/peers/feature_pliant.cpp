// This library as its users call it, with a host that counts: see feature_runs.h.
#include "feature_runs.h"

#include <cstdlib>

namespace
{
void *allocate(void *user, size_t size, size_t alignment)
{
    ++*static_cast<int64_t *>(user);
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void release(void *, void *block, size_t, size_t)
{
    std::free(block);
}

// Bodies in a world, with ends if they are swept; how they move is left to those that are made of
// it.
class World : public FeaturePliant
{
  public:
    explicit World(const FeatureQuery &asked) : query(asked)
    {
        PliantHost host = pliant_host_default();
        PliantWorldDef world_def = pliant_world_def_default();
        host.allocate = allocate;
        host.release = release;
        host.user = &allocation_count;
        world_def.host = &host;
        bench_must(pliant_world_create(&world_def, &world));
        near_def.distance = query.distance;
        near_def.includes_self = query.is_self;
        near_def.margin = sweep_def.margin = query.margin;
    }

    ~World() override
    {
        pliant_world_destroy(world);
    }

    World(const World &) = delete;
    World &operator=(const World &) = delete;

    void find(float until) override
    {
        sweep_def.max_time = until;
        if (query.is_sweep)
            bench_must(pliant_world_sweep(world, &sweep_def, &impacts));
        else
            bench_must(pliant_world_near(world, &near_def, &near));
    }

    const FeatureAnswer &answer() override
    {
        found.pairs.clear();
        for (int64_t i = 0; i < near.count; i++) {
            const PliantNearPair &item = near.items[i];
            NearPair pair = {};
            pair.body_a = number_of(item.body_a);
            pair.body_b = number_of(item.body_b);
            pair.kind = item.kind;
            pair.feature_a = item.feature_a;
            pair.feature_b = item.feature_b;
            pair.distance = item.distance;
            found.pairs.push_back(pair);
        }
        found.earliest = impacts.count > 0 ? double{impacts.items[0].time} : INFINITY;
        return found;
    }

    int64_t allocations() const override
    {
        return allocation_count;
    }

    double evaluated(size_t body) const override
    {
        double sum = 0, all = 0;
        for (PliantBody of : {bodies[body], ends[body]}) {
            PliantStats stats = pliant_stats_default();
            if (of.index == 0)
                continue;
            bench_must(pliant_body_stats(world, of, &stats));
            sum += static_cast<double>(stats.vertices_evaluated);
            all += vertex_counts[body];
        }
        return 100 * sum / all;
    }

  protected:
    void add_body(const FreeMesh &mesh, const float *rest, const PliantSkin *skin)
    {
        PliantShapeDef def = pliant_shape_def_default();
        PliantShape *shape;
        PliantBody body, end = {};
        def.vertices = {rest, mesh.vertex_count, 0};
        def.triangles = {mesh.triangles, mesh.triangle_count};
        def.skin = skin;
        bench_must(pliant_shape_create(&def, &shape));
        bench_must(pliant_body_create(world, shape, &body));
        if (query.is_sweep && !mesh.is_unchanged)
            bench_must(pliant_body_create_end(world, body, &end));
        pliant_shape_release(shape);
        bodies.push_back(body);
        ends.push_back(end);
        vertex_counts.push_back(mesh.vertex_count);
    }

    FeatureQuery query;
    PliantWorld *world;
    std::vector<PliantBody> bodies, ends; // an end of index 0: there is none
    std::vector<int32_t> vertex_counts;

  private:
    int32_t number_of(PliantBody body) const
    {
        return body.index == bodies[0].index ? 0 : 1;
    }

    int64_t allocation_count = 0;
    PliantNearDef near_def = pliant_near_def_default();
    PliantSweepDef sweep_def = pliant_sweep_def_default();
    PliantNearPairs near = pliant_near_pairs_default(); // the world's, until its next query
    PliantImpacts impacts = pliant_impacts_default();   // likewise
    FeatureAnswer found;
};

class SuppliedWorld : public World
{
  public:
    SuppliedWorld(const FeatureQuery &asked, const FreeScene &scene, const float *const *rest)
        : World(asked)
    {
        for (size_t i = 0; i < scene.size(); i++)
            add_body(scene[i], rest[i], nullptr);
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
            if (ends[i].index != 0)
                bench_must(pliant_body_borrow_vertices(world, ends[i], {end[i], count, 0}));
        }
    }
};

class DoubleWorld : public SuppliedWorld, public FeatureDoubles
{
  public:
    using SuppliedWorld::SuppliedWorld;

    FeaturePliant &peer() override
    {
        return *this;
    }

    void take(const float *const *start, const float *const *end) override
    {
        doubles.resize(2 * bodies.size());
        for (size_t i = 0; i < doubles.size(); i++) {
            const float *from = i % 2 == 0 ? start[i / 2] : end ? end[i / 2] : start[i / 2];
            doubles[i].resize(3 * static_cast<size_t>(vertex_counts[i / 2]));
            for (size_t k = 0; k < doubles[i].size(); k++)
                doubles[i][k] = from[k] * (1 + 0x1p-28 * static_cast<double>(k % 7));
        }
    }

    void update(const float *const *, const float *const *) override
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            const int32_t count = vertex_counts[i];
            bench_must(
                pliant_body_borrow_vertices64(world, bodies[i], {doubles[2 * i].data(), count, 0}));
            if (ends[i].index != 0)
                bench_must(pliant_body_borrow_vertices64(world, ends[i],
                                                         {doubles[2 * i + 1].data(), count, 0}));
        }
    }

  private:
    std::vector<std::vector<double>> doubles;
};

class JointsWorld : public World
{
  public:
    JointsWorld(const FeatureQuery &asked, const CharacterPose &at_start,
                const CharacterPose &at_end)
        : World(asked), poses{&at_start, &at_end}
    {
        const CharacterMotion &motion = at_start.motion();
        const SceneSkin &avatar = motion.skin();
        const FreeScene scene = free_scene(motion);
        const PliantSkin skin = {sizeof skin, avatar.joint_count, avatar.influence_count,
                                 avatar.joints, avatar.weights};
        add_body(scene[0], avatar.mesh.vertices, &skin);
        add_body(scene[1], motion.mesh_of(1).vertices, nullptr);
    }

    const char *name() const override
    {
        return "pliant-joints";
    }

    void update(const float *const *, const float *const *) override
    {
        const PliantBody both[2] = {bodies[0], ends[0]};
        for (int i = 0; i < (query.is_sweep ? 2 : 1); i++) {
            bench_must(
                pliant_body_set_joints(world, both[i], poses[i]->joints(0), SCENE_AVATAR_JOINTS));
            bench_must(pliant_body_set_transform(world, both[i], &poses[i]->transform(0)));
        }
    }

  private:
    const CharacterPose *poses[2];
};
} // namespace

std::unique_ptr<FeaturePliant> make_feature_pliant(const FeatureQuery &query,
                                                   const FreeScene &scene, const float *const *rest)
{
    return std::make_unique<SuppliedWorld>(query, scene, rest);
}

std::unique_ptr<FeatureDoubles>
make_feature_doubles(const FeatureQuery &query, const FreeScene &scene, const float *const *rest)
{
    return std::make_unique<DoubleWorld>(query, scene, rest);
}

std::unique_ptr<FeaturePliant>
make_feature_joints(const FeatureQuery &query, const CharacterPose &start, const CharacterPose &end)
{
    return std::make_unique<JointsWorld>(query, start, end);
}
