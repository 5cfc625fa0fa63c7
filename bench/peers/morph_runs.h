// Bodies that morph: what `pliant-bench-peers morph` and `paper-morph` share.
//
// A morphing scene is a free scene too: its vertices are blended beforehand and handed to the
// peers. Our bodies get the weights and transforms instead.
#ifndef BENCH_MORPH_RUNS_H
#define BENCH_MORPH_RUNS_H

#include "free_runs.h"

// ---- Scenes in motion -------------------------------------------------------------------------

class MorphMotion : public FreeMotion
{
  public:
    explicit MorphMotion(SceneMorph made) : model(made)
    {
    }

    MorphMotion(const MorphMotion &) = delete;
    MorphMotion &operator=(const MorphMotion &) = delete;

    ~MorphMotion() override
    {
        scene_morph_free(&model);
    }

    const SceneMorph &morph() const
    {
        return model;
    }

    const SceneMesh &mesh() const override
    {
        return model.mesh;
    }

    // The weights and the transform of a body.
    virtual void pose(int body, int step, float *weights, PliantTransform *transform) const = 0;

    void index(int body, int step, float *vertices) const override;

  private:
    SceneMorph model;
};

std::unique_ptr<MorphMotion> morph_dolphins(int size);
std::unique_ptr<MorphMotion> morph_passing();

// All bodies at one step, by weights and transforms.
class MorphPose
{
  public:
    explicit MorphPose(const MorphMotion &motion);

    void go_to(int step);

    int step() const
    {
        return at;
    }

    const MorphMotion &motion() const
    {
        return *moving;
    }

    const float *weights(size_t body) const
    {
        return all_weights.data() + body * target_count;
    }

    const PliantTransform &transform(size_t body) const
    {
        return transforms[body];
    }

  private:
    const MorphMotion *moving;
    int at = 0;
    size_t target_count;
    std::vector<float> all_weights;
    std::vector<PliantTransform> transforms;
};

// ---- Ours -------------------------------------------------------------------------------------

// Bodies that morph, posed as `pose` says at each update(). The vertices are not read.
class MorphPeer : public FreePeer
{
  public:
    // Are these the vertices that answers speak of, to the bit?
    virtual bool has_vertices(const float *const *vertices) const = 0;

    // The part of all vertices that the last query made, in per cent.
    virtual double evaluated() const = 0;
};

std::unique_ptr<MorphPeer> make_morph(const char *name, uint32_t cpu_mask, const MorphPose &pose);

// Our own free bodies, with vertices that are blended at each update().
std::unique_ptr<FreePeer> make_blended(const char *name, const MorphPose &pose,
                                       const float *const *rest_vertices);

// A shape with the targets of a scene, or without.
PliantShapeDef morph_shape_def(const SceneMorph &morph, std::vector<PliantTarget> *targets);

#endif
