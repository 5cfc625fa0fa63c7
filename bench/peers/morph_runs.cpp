// Morphing scenes in motion: see morph_runs.h.
#include "morph_runs.h"

namespace
{
class DolphinMotion : public MorphMotion
{
  public:
    explicit DolphinMotion(int size) : MorphMotion(scene_dolphin(size))
    {
    }

    int body_count() const override
    {
        return SCENE_DOLPHINS;
    }

    int step_count() const override
    {
        return SCENE_DOLPHIN_STEPS;
    }

    void pose(int body, int step, float *weights, PliantTransform *transform) const override
    {
        scene_dolphin_weights(body, step, weights);
        scene_dolphin_rows(body, step, transform->rows);
    }
};

class PassingMotion : public MorphMotion
{
  public:
    PassingMotion() : MorphMotion(scene_passing())
    {
    }

    int body_count() const override
    {
        return 2;
    }

    int step_count() const override
    {
        return SCENE_PASSING_STEPS;
    }

    void pose(int body, int step, float *weights, PliantTransform *transform) const override
    {
        scene_passing_weights(step, weights);
        scene_passing_rows(body, step, transform->rows);
    }
};
} // namespace

void MorphMotion::index(int body, int step, float *vertices) const
{
    std::vector<float> weights(static_cast<size_t>(model.target_count));
    PliantTransform transform;
    pose(body, step, weights.data(), &transform);
    scene_morph_vertices(&model, weights.data(), transform.rows, vertices);
}

std::unique_ptr<MorphMotion> morph_dolphins(int size)
{
    return std::make_unique<DolphinMotion>(size);
}

std::unique_ptr<MorphMotion> morph_passing()
{
    return std::make_unique<PassingMotion>();
}

MorphPose::MorphPose(const MorphMotion &motion)
    : moving(&motion), target_count(static_cast<size_t>(motion.morph().target_count)),
      all_weights(target_count * static_cast<size_t>(motion.body_count())),
      transforms(static_cast<size_t>(motion.body_count()))
{
    go_to(0);
}

void MorphPose::go_to(int step)
{
    at = step;
    for (size_t i = 0; i < transforms.size(); i++)
        moving->pose(static_cast<int>(i), step, all_weights.data() + i * target_count,
                     &transforms[i]);
}
