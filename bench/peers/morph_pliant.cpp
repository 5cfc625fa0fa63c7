// Our bodies that morph, and our free bodies that are blended: see morph_runs.h.
#include "morph_runs.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace
{
void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    std::fprintf(stderr, "bench: %s\n", pliant_result_text(result));
    std::exit(1);
}

class PliantMorphPeer : public MorphPeer
{
  public:
    PliantMorphPeer(const char *called, uint32_t cpu_mask, const MorphPose &posed)
        : own_name(called), pose(&posed), pose_before(posed.motion()),
          body_count(posed.motion().body_count())
    {
        std::vector<PliantTarget> targets;
        const PliantShapeDef shape_def = morph_shape_def(pose->motion().morph(), &targets);
        PliantShape *shape;
        must(pliant_shape_create(&shape_def, &shape));
        PliantWorldDef def = pliant_world_def_default();
        def.cpu_mask = cpu_mask;
        must(pliant_world_create(&def, &world));
        for (int i = 0; i < body_count; i++)
            add_body(shape, i);
        pliant_shape_release(shape);
    }

    PliantMorphPeer(const PliantMorphPeer &) = delete;
    PliantMorphPeer &operator=(const PliantMorphPeer &) = delete;

    ~PliantMorphPeer() override
    {
        pliant_world_destroy(world);
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
        PliantContacts unused;
        must(pliant_world_collide(world, last_query, &unused));
    }

    void update(const float *const *) override
    {
        take(*pose);
    }

    bool update_alone() override
    {
        const PliantBodyPair *close;
        int64_t count;
        must(pliant_world_body_pairs(world, &close, &count));
        return true;
    }

    void all_pairs(const FreeBodies &) override
    {
        last_query = PLIANT_ALL_PAIRS;
        must(pliant_world_collide(world, last_query, &contacts));
    }

    const std::vector<FreePair> &pairs() override
    {
        found.clear();
        for (int64_t i = 0; i < contacts.count; i++) {
            const PliantContact &contact = contacts.items[i];
            found.push_back({numbers[contact.body_a.index], numbers[contact.body_b.index],
                             static_cast<uint32_t>(contact.triangle_a),
                             static_cast<uint32_t>(contact.triangle_b)});
        }
        return found;
    }

    bool first_pair(int body_a, int body_b) override
    {
        PliantContacts first;
        must(pliant_bodies_collide(world, bodies[static_cast<size_t>(body_a)],
                                   bodies[static_cast<size_t>(body_b)], PLIANT_FIRST_PAIRS,
                                   &first));
        return first.count > 0;
    }

    int touching(const FreeBodies &) override
    {
        PliantContacts first;
        last_query = PLIANT_FIRST_PAIRS;
        must(pliant_world_collide(world, last_query, &first));
        return static_cast<int>(first.count);
    }

    bool has_vertices(const float *const *vertices) const override
    {
        std::vector<float> own(3 * static_cast<size_t>(pose->motion().mesh().vertex_count));
        for (size_t i = 0; i < bodies.size(); i++) {
            must(pliant_body_vertices(world, bodies[i], own.data()));
            if (std::memcmp(own.data(), vertices[i], own.size() * sizeof(float)) != 0)
                return false;
        }
        return true;
    }

    double evaluated() const override
    {
        PliantStats stats;
        must(pliant_world_stats(world, &stats));
        return 100 * static_cast<double>(stats.vertices_evaluated) / body_count /
               pose->motion().mesh().vertex_count;
    }

  private:
    void take(const MorphPose &posed)
    {
        const int32_t target_count = posed.motion().morph().target_count;
        for (size_t i = 0; i < bodies.size(); i++) {
            must(pliant_body_set_weights(world, bodies[i], posed.weights(i), target_count));
            must(pliant_body_set_transform(world, bodies[i], &posed.transform(i)));
        }
    }

    void add_body(PliantShape *shape, int number)
    {
        PliantBody body;
        must(pliant_body_create(world, shape, &body));
        bodies.push_back(body);
        if (numbers.size() <= body.index)
            numbers.resize(size_t{body.index} + 1);
        numbers[body.index] = number;
    }

    const char *own_name;
    const MorphPose *pose;
    MorphPose pose_before; // at the step before, if it was needed
    int body_count;
    PliantQuery last_query = PLIANT_ALL_PAIRS;
    PliantWorld *world = nullptr;
    std::vector<PliantBody> bodies;
    std::vector<int32_t> numbers; // of the body with each index
    PliantContacts contacts{nullptr, 0};
};

class BlendedPeer : public FreePeer
{
  public:
    BlendedPeer(const char *called, const MorphPose &posed, const float *const *rest_vertices)
        : own_name(called), pose(&posed), storage(static_cast<size_t>(posed.motion().body_count())),
          inner(make_pliant({called, PLIANT_CPU_ALL, PLIANT_UPDATE_HYBRID, false},
                            free_scene(posed.motion()), rest_vertices))
    {
        for (auto &body : storage) {
            body.resize(3 * static_cast<size_t>(posed.motion().mesh().vertex_count));
            pointers.push_back(body.data());
        }
    }

    const char *name() const override
    {
        return own_name;
    }

    void update(const float *const *) override
    {
        for (size_t i = 0; i < storage.size(); i++)
            scene_morph_vertices(&pose->motion().morph(), pose->weights(i), pose->transform(i).rows,
                                 storage[i].data());
        inner->update(pointers.data());
    }

    bool update_alone() override
    {
        return inner->update_alone();
    }

    void all_pairs(const FreeBodies &bodies) override
    {
        inner->all_pairs(bodies);
    }

    const std::vector<FreePair> &pairs() override
    {
        return inner->pairs();
    }

    bool first_pair(int body_a, int body_b) override
    {
        return inner->first_pair(body_a, body_b);
    }

    int touching(const FreeBodies &bodies) override
    {
        return inner->touching(bodies);
    }

  private:
    const char *own_name;
    const MorphPose *pose;
    std::vector<std::vector<float>> storage;
    std::vector<const float *> pointers;
    std::unique_ptr<FreePeer> inner;
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
    return std::make_unique<BlendedPeer>(name, pose, rest_vertices);
}
