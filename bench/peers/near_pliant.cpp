// This library as its users call it, with a host that counts: see near_runs.h.
#include "near_runs.h"

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

PliantShapeDef def_of(const SceneMesh &mesh, const float *rest)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = {rest, mesh.vertex_count, 0};
    def.triangles = {mesh.triangles, mesh.triangle_count};
    return def;
}

// Bodies in a world; how they move is left to those that are made of it.
class World : public NearPliant
{
  public:
    explicit World(const NearScene &scene)
    {
        PliantHost host = pliant_host_default();
        PliantWorldDef world_def = pliant_world_def_default();
        host.allocate = allocate;
        host.release = release;
        host.user = &allocation_count;
        world_def.host = &host;
        bench_must(pliant_world_create(&world_def, &world));
        def.distance = scene.distance;
        def.includes_self = scene.is_self;
        def.margin = scene.margin;
    }

    ~World() override
    {
        pliant_world_destroy(world);
    }

    World(const World &) = delete;
    World &operator=(const World &) = delete;

    void find() override
    {
        bench_must(pliant_world_near(world, &def, &near));
    }

    const std::vector<NearPair> &pairs() override
    {
        found.clear();
        for (int64_t i = 0; i < near.count; i++) {
            const PliantNearPair &item = near.items[i];
            NearPair pair = {};
            pair.body_a = number_of(item.body_a);
            pair.body_b = number_of(item.body_b);
            pair.kind = item.kind;
            pair.feature_a = item.feature_a;
            pair.feature_b = item.feature_b;
            pair.distance = item.distance;
            found.push_back(pair);
        }
        return found;
    }

    int64_t allocations() const override
    {
        return allocation_count;
    }

    double evaluated(size_t body) const override
    {
        PliantStats stats = pliant_stats_default();
        bench_must(pliant_body_stats(world, bodies[body], &stats));
        return 100 * static_cast<double>(stats.vertices_evaluated) / vertex_counts[body];
    }

  protected:
    void add_body(const PliantShapeDef &shape_def)
    {
        PliantShape *shape;
        PliantBody body;
        bench_must(pliant_shape_create(&shape_def, &shape));
        bench_must(pliant_body_create(world, shape, &body));
        pliant_shape_release(shape);
        bodies.push_back(body);
        vertex_counts.push_back(shape_def.vertices.count);
    }

    PliantWorld *world;
    std::vector<PliantBody> bodies;
    std::vector<int32_t> vertex_counts;

  private:
    int32_t number_of(PliantBody body) const
    {
        return body.index == bodies[0].index ? 0 : 1;
    }

    int64_t allocation_count = 0;
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs near = pliant_near_pairs_default(); // the world's, until its next query
};

class SuppliedWorld : public World
{
  public:
    SuppliedWorld(const NearScene &scene, const float *const *rest) : World(scene)
    {
        for (int i = 0; i < scene.motion->body_count(); i++)
            add_body(def_of(scene.motion->mesh_of(i), rest[i]));
    }

    const char *name() const override
    {
        return "pliant";
    }

    void update(const float *const *vertices) override
    {
        for (size_t i = 0; i < bodies.size(); i++)
            bench_must(
                pliant_body_borrow_vertices(world, bodies[i], {vertices[i], vertex_counts[i], 0}));
    }
};

// One avatar, and a room.
class JointsWorld : public World
{
  public:
    JointsWorld(const NearScene &scene, const CharacterPose &posed) : World(scene), pose(&posed)
    {
        const SceneSkin &avatar = posed.motion().skin();
        const SceneMesh &room = posed.motion().mesh_of(1);
        const PliantSkin skin = {sizeof skin, avatar.joint_count, avatar.influence_count,
                                 avatar.joints, avatar.weights};
        PliantShapeDef avatar_def = def_of(avatar.mesh, avatar.mesh.vertices);
        avatar_def.skin = &skin;
        add_body(avatar_def);
        add_body(def_of(room, room.vertices));
    }

    const char *name() const override
    {
        return "pliant-joints";
    }

    void update(const float *const *) override
    {
        bench_must(pliant_body_set_joints(world, bodies[0], pose->joints(0), SCENE_AVATAR_JOINTS));
        bench_must(pliant_body_set_transform(world, bodies[0], &pose->transform(0)));
    }

  private:
    const CharacterPose *pose;
};
} // namespace

std::unique_ptr<NearPliant> make_near_pliant(const NearScene &scene, const float *const *rest)
{
    return std::make_unique<SuppliedWorld>(scene, rest);
}

std::unique_ptr<NearPliant> make_near_joints(const NearScene &scene, const CharacterPose &pose)
{
    return std::make_unique<JointsWorld>(scene, pose);
}
