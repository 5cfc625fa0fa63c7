// Soups of this library as their users call them: nothing is made beforehand, and every frame hands
// over where the triangles are now.
#include "pliant_world.h"

namespace
{
class SoupPeer : public PliantWorldPeer<FreePeer>
{
  public:
    SoupPeer(const FreeSoupWay &way, const FreeScene &meshes)
        : PliantWorldPeer(way.cpu_mask), own_name(way.name), scene(meshes)
    {
        PliantSoupDef def = pliant_soup_def_default();
        PliantExperiments experiments = pliant_experiments_default();
        experiments.soup_kind = way.kind;
        def.experiments = &experiments;
        for (size_t i = 0; i < scene.size(); i++) {
            PliantBody body;
            bench_must(pliant_body_create_soup(world, &def, &body));
            number_body(body);
        }
    }

    const char *name() const override
    {
        return own_name;
    }

    void remesh(const FreeScene &meshes) override
    {
        scene = meshes;
    }

    void update(const float *const *vertices) override
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            PliantPrimitives now = pliant_primitives_default();
            now.vertices = {vertices[i], scene[i].vertex_count, 0};
            now.count = scene[i].triangle_count;
            now.corners = scene[i].triangles;
            bench_must(pliant_body_borrow_primitives(world, bodies[i], &now));
        }
    }

  private:
    const char *own_name;
    FreeScene scene;
};
} // namespace

std::unique_ptr<FreePeer> make_soup(const FreeSoupWay &way, const FreeScene &scene)
{
    return std::make_unique<SoupPeer>(way, scene);
}
