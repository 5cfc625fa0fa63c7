// A cloth over a sphere, and one that is folded: see feature_runs.h.
#include "feature_runs.h"

namespace
{
class ClothMotion : public FreeMotion
{
  public:
    explicit ClothMotion(SceneCloth cloth) : scene(cloth) // becomes its own
    {
    }

    ClothMotion(const ClothMotion &) = delete;
    ClothMotion &operator=(const ClothMotion &) = delete;

    ~ClothMotion() override
    {
        scene_cloth_free(&scene);
    }

    const SceneMesh &mesh() const override
    {
        return scene.meshes[0];
    }

    const SceneMesh &mesh_of(int body) const override
    {
        return scene.meshes[body];
    }

    int body_count() const override
    {
        return scene.body_count;
    }

    int step_count() const override
    {
        return SCENE_CLOTH_STEPS;
    }

    void index(int body, int step, float *vertices) const override
    {
        scene_cloth_vertices(&scene, body, step, vertices);
    }

  private:
    SceneCloth scene;
};

NearScene near_scene(SceneCloth cloth)
{
    const bool is_self = cloth.body_count == 1;
    return {std::make_unique<ClothMotion>(cloth),
            {false, static_cast<float>(SCENE_CLOTH_DISTANCE), is_self}};
}
} // namespace

NearScene near_cloth()
{
    return near_scene(scene_draped_cloth());
}

NearScene near_folded_cloth()
{
    return near_scene(scene_folded_cloth(1.35));
}
