// Our bodies that morph, and our free bodies that are blended: see morph_runs.h.
#include "morph_runs.h"
#include "pliant_world.h"

#include <cstring>

namespace
{
class PliantMorphPeer : public PliantWorldPeer<MorphPeer>
{
  public:
    PliantMorphPeer(const char *called, uint32_t cpu_mask, const MorphPose &posed)
        : PliantWorldPeer(cpu_mask), own_name(called), pose(&posed), pose_before(posed.motion())
    {
        std::vector<PliantTarget> targets;
        const PliantShapeDef shape_def = morph_shape_def(pose->motion().morph(), &targets);
        PliantShape *shape;
        bench_must(pliant_shape_create(&shape_def, &shape));
        for (int i = 0; i < posed.motion().body_count(); i++)
            add_body(shape);
        pliant_shape_release(shape);
    }

    const char *name() const override
    {
        return own_name;
    }

    void rewind() override
    {
        if (pose_before.step() != pose->step() - 1)
            pose_before.go_to(pose->step() - 1);
        take(pose_before);
        PliantContacts unused = pliant_contacts_default();
        const PliantCollideDef def = bench_query(last_query);
        bench_must(pliant_world_collide(world, &def, &unused));
    }

    void update(const float *const *) override
    {
        take(*pose);
    }

    bool has_vertices(const float *const *vertices) const override
    {
        std::vector<float> own(3 * static_cast<size_t>(pose->motion().mesh().vertex_count));
        for (size_t i = 0; i < bodies.size(); i++) {
            bench_must(pliant_body_vertices(world, bodies[i], own.data(),
                                            pose->motion().mesh().vertex_count));
            if (std::memcmp(own.data(), vertices[i], own.size() * sizeof(float)) != 0)
                return false;
        }
        return true;
    }

    double evaluated() const override
    {
        PliantStats stats = pliant_stats_default();
        bench_must(pliant_world_stats(world, &stats));
        return 100 * static_cast<double>(stats.vertices_evaluated) /
               static_cast<double>(bodies.size()) / pose->motion().mesh().vertex_count;
    }

  private:
    void take(const MorphPose &posed)
    {
        const int32_t target_count = posed.motion().morph().target_count;
        for (size_t i = 0; i < bodies.size(); i++) {
            bench_must(pliant_body_set_weights(world, bodies[i], posed.weights(i), target_count));
            bench_must(pliant_body_set_transform(world, bodies[i], &posed.transform(i)));
        }
    }

    const char *own_name;
    const MorphPose *pose;
    MorphPose pose_before; // at the step before, if it was needed
};
} // namespace

PliantShapeDef morph_shape_def(const SceneMorph &morph, std::vector<PliantTarget> *targets)
{
    targets->clear();
    for (int32_t i = 0; i < morph.target_count; i++) {
        const SceneTarget &target = morph.targets[i];
        targets->push_back({{target.vertices, target.count, 0}, target.indices});
    }
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = {morph.mesh.vertices, morph.mesh.vertex_count, 0};
    def.triangles = {morph.mesh.triangles, morph.mesh.triangle_count};
    def.morph_kind = morph.has_references ? PLIANT_MORPH_REFERENCES : PLIANT_MORPH_DISPLACEMENTS;
    def.targets = targets->data();
    def.target_count = morph.target_count;
    return def;
}

std::unique_ptr<MorphPeer> make_morph(const char *name, uint32_t cpu_mask, const MorphPose &pose)
{
    return std::make_unique<PliantMorphPeer>(name, cpu_mask, pose);
}

std::unique_ptr<FreePeer> make_blended(const char *name, const MorphPose &pose,
                                       const float *const *rest_vertices)
{
    return make_posed({name, PLIANT_CPU_ALL, PLIANT_UPDATE_HYBRID, false},
                      free_scene(pose.motion()), rest_vertices,
                      [&pose](size_t body, float *vertices) {
                          scene_morph_vertices(&pose.motion().morph(), pose.weights(body),
                                               pose.transform(body).rows, vertices);
                      });
}
