// Characters in motion, and our bodies that follow joints: see character_runs.h.
#include "character_runs.h"
#include "pliant_world.h"

#include <cstring>

// ---- Scenes in motion -------------------------------------------------------------------------

namespace
{
// Scenes have their matrices in arrays, which are what transforms have in them.
static_assert(sizeof(PliantTransform) == sizeof(float[3][4]), "nothing but the rows");

float (*rows_of(PliantTransform *transforms))[3][4]
{
    return reinterpret_cast<float(*)[3][4]>(transforms);
}

const float (*rows_of(const PliantTransform *transforms))[3][4]
{
    return reinterpret_cast<const float(*)[3][4]>(transforms);
}

SceneMesh make_room(SceneRoom room, double longest)
{
    SceneMesh mesh = room == SCENE_MUSEUM ? scene_museum() : scene_living_room();
    if (longest > 0)
        scene_mesh_cut(&mesh, longest);
    return mesh;
}

class WalkMotion : public CharacterMotion
{
  public:
    WalkMotion(SceneRoom in, double longest) : CharacterMotion(make_room(in, longest), 1), where(in)
    {
    }

    int step_count() const override
    {
        return SCENE_WALK_STEPS;
    }

    void pose(int, int step, PliantTransform *joints, PliantTransform *transform) const override
    {
        scene_walk_pose(&skin(), where, step, rows_of(joints), transform->rows);
    }

  private:
    SceneRoom where;
};

// If there are fewer than a hundred, they are from all over the museum.
class VisitorMotion : public CharacterMotion
{
  public:
    explicit VisitorMotion(int visitor_count) : CharacterMotion(scene_museum(), visitor_count)
    {
    }

    int step_count() const override
    {
        return SCENE_VISITOR_STEPS;
    }

    void pose(int body, int step, PliantTransform *joints,
              PliantTransform *transform) const override
    {
        scene_visitor_pose(&skin(), body * (SCENE_VISITORS / avatar_count()), step, rows_of(joints),
                           transform->rows);
    }
};
} // namespace

CharacterMotion::CharacterMotion(SceneMesh surroundings, int avatar_count)
    : avatar(scene_avatar()), room(surroundings), avatars(avatar_count)
{
}

CharacterMotion::~CharacterMotion()
{
    scene_skin_free(&avatar);
    scene_mesh_free(&room);
}

void CharacterMotion::index(int body, int step, float *vertices) const
{
    if (is_unchanged(body)) {
        std::copy_n(room.vertices, 3 * static_cast<size_t>(room.vertex_count), vertices);
        return;
    }
    PliantTransform joints[SCENE_AVATAR_JOINTS], transform;
    pose(body, step, joints, &transform);
    scene_skin_vertices(&avatar, rows_of(static_cast<const PliantTransform *>(joints)),
                        transform.rows, vertices);
}

std::unique_ptr<CharacterMotion> character_walk(SceneRoom room, double longest)
{
    return std::make_unique<WalkMotion>(room, longest);
}

std::unique_ptr<CharacterMotion> character_crowd(int avatar_count)
{
    return std::make_unique<VisitorMotion>(avatar_count);
}

CharacterPose::CharacterPose(const CharacterMotion &motion)
    : moving(&motion), all_joints(SCENE_AVATAR_JOINTS * static_cast<size_t>(motion.avatar_count())),
      transforms(static_cast<size_t>(motion.avatar_count()))
{
    go_to(0);
}

void CharacterPose::go_to(int step)
{
    at = step;
    for (size_t i = 0; i < transforms.size(); i++)
        moving->pose(static_cast<int>(i), step, all_joints.data() + i * SCENE_AVATAR_JOINTS,
                     &transforms[i]);
}

void CharacterPose::skin(size_t body, float *vertices) const
{
    scene_skin_vertices(&moving->skin(), rows_of(joints(body)), transform(body).rows, vertices);
}

// ---- Ours -------------------------------------------------------------------------------------

PliantShape *make_avatar_shape(const SceneSkin &skin)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = {skin.mesh.vertices, skin.mesh.vertex_count, 0};
    def.triangles = {skin.mesh.triangles, skin.mesh.triangle_count};
    const PliantSkin joints = {sizeof joints, skin.joint_count, skin.influence_count, skin.joints,
                               skin.weights};
    def.skin = &joints;
    PliantShape *shape;
    bench_must(pliant_shape_create(&def, &shape));
    return shape;
}

namespace
{
PliantShape *make_room_shape(const SceneMesh &room)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = {room.vertices, room.vertex_count, 0};
    def.triangles = {room.triangles, room.triangle_count};
    PliantShape *shape;
    bench_must(pliant_shape_create(&def, &shape));
    return shape;
}

class PliantCharacterPeer : public PliantWorldPeer<CharacterPeer>
{
  public:
    PliantCharacterPeer(const char *called, const CharacterPose &posed)
        : PliantWorldPeer(PLIANT_CPU_ALL), own_name(called), pose(&posed),
          pose_before(posed.motion())
    {
        const CharacterMotion &motion = posed.motion();
        avatar_count = static_cast<size_t>(motion.avatar_count());
        PliantShape *avatar = make_avatar_shape(motion.skin());
        PliantShape *room = make_room_shape(motion.mesh_of(motion.avatar_count()));
        for (size_t i = 0; i < avatar_count; i++)
            add_body(avatar);
        add_body(room);
        pliant_shape_release(avatar);
        pliant_shape_release(room);
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
        for (size_t i = 0; i < avatar_count; i++) {
            bench_must(pliant_body_vertices(world, bodies[i], own.data(),
                                            pose->motion().mesh().vertex_count));
            if (std::memcmp(own.data(), vertices[i], own.size() * sizeof(float)) != 0)
                return false;
        }
        return true;
    }

    double evaluated() const override
    {
        double sum = 0;
        for (size_t i = 0; i < avatar_count; i++) {
            PliantStats stats = pliant_stats_default();
            bench_must(pliant_body_stats(world, bodies[i], &stats));
            sum += static_cast<double>(stats.vertices_evaluated);
        }
        return 100 * sum / static_cast<double>(avatar_count) / pose->motion().mesh().vertex_count;
    }

  private:
    void take(const CharacterPose &posed)
    {
        for (size_t i = 0; i < avatar_count; i++) {
            bench_must(
                pliant_body_set_joints(world, bodies[i], posed.joints(i), SCENE_AVATAR_JOINTS));
            bench_must(pliant_body_set_transform(world, bodies[i], &posed.transform(i)));
        }
    }

    const char *own_name;
    const CharacterPose *pose;
    CharacterPose pose_before; // at the step before, if it was needed
    size_t avatar_count;
};
} // namespace

std::unique_ptr<CharacterPeer> make_character(const char *name, const CharacterPose &pose)
{
    return std::make_unique<PliantCharacterPeer>(name, pose);
}

std::unique_ptr<FreePeer> make_skinned(const char *name, const CharacterPose &pose,
                                       const float *const *rest_vertices)
{
    return make_posed({name, PLIANT_CPU_ALL, PLIANT_UPDATE_HYBRID, false},
                      free_scene(pose.motion()), rest_vertices,
                      [&pose](size_t body, float *vertices) { pose.skin(body, vertices); });
}
