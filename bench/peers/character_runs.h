// Characters: what `pliant-bench-peers character` measures.
//
// People who follow joints, in a room that stays as it is, which is the last of the bodies. As a
// free scene, their vertices are skinned beforehand and handed to the peers; ours get the matrices.
#ifndef BENCH_CHARACTER_RUNS_H
#define BENCH_CHARACTER_RUNS_H

#include "free_runs.h"

// ---- Scenes in motion -------------------------------------------------------------------------

class CharacterMotion : public FreeMotion
{
  public:
    // The room becomes its own.
    CharacterMotion(SceneMesh room, int avatar_count);
    ~CharacterMotion() override;

    CharacterMotion(const CharacterMotion &) = delete;
    CharacterMotion &operator=(const CharacterMotion &) = delete;

    const SceneSkin &skin() const
    {
        return avatar;
    }

    const SceneMesh &mesh() const override
    {
        return avatar.mesh;
    }

    const SceneMesh &mesh_of(int body) const override
    {
        return is_unchanged(body) ? room : avatar.mesh;
    }

    bool is_unchanged(int body) const override
    {
        return body == avatars;
    }

    int body_count() const override
    {
        return avatars + 1;
    }

    int avatar_count() const
    {
        return avatars;
    }

    // The joints and the transform of an avatar.
    virtual void pose(int body, int step, PliantTransform *joints,
                      PliantTransform *transform) const = 0;

    void index(int body, int step, float *vertices) const override;

  private:
    SceneSkin avatar;
    SceneMesh room;
    int avatars;
};

// With no edge longer than that, if it is not 0.
std::unique_ptr<CharacterMotion> character_walk(SceneRoom room, double longest);
std::unique_ptr<CharacterMotion> character_crowd(int avatar_count);

// All avatars at one step, by joints and transforms.
class CharacterPose
{
  public:
    explicit CharacterPose(const CharacterMotion &motion);

    void go_to(int step);

    int step() const
    {
        return at;
    }

    const CharacterMotion &motion() const
    {
        return *moving;
    }

    const PliantTransform *joints(size_t body) const
    {
        return all_joints.data() + body * SCENE_AVATAR_JOINTS;
    }

    const PliantTransform &transform(size_t body) const
    {
        return transforms[body];
    }

    // All vertices of an avatar, by the loop of its own.
    void skin(size_t body, float *vertices) const;

  private:
    const CharacterMotion *moving;
    int at = 0;
    std::vector<PliantTransform> all_joints, transforms;
};

// ---- Ours -------------------------------------------------------------------------------------

// Bodies that follow joints, posed as `pose` says at each update(). The vertices are not read.
class CharacterPeer : public FreePeer
{
  public:
    // Are these the vertices that answers speak of, to the bit?
    virtual bool has_vertices(const float *const *vertices) const = 0;

    // The part of all avatars' vertices that the last query made, in per cent.
    virtual double evaluated() const = 0;
};

// The shape of somebody who follows joints; the caller's.
PliantShape *make_avatar_shape(const SceneSkin &skin);

std::unique_ptr<CharacterPeer> make_character(const char *name, const CharacterPose &pose);

// Our own free bodies, with vertices that are skinned at each update().
std::unique_ptr<FreePeer> make_skinned(const char *name, const CharacterPose &pose,
                                       const float *const *rest_vertices);

#endif
