// This library as its users call it: a world, and bodies of one shape that borrow their vertices.
//
// There is no call that updates: a query does what it needs. So update() hands the arrays over and
// all_pairs() does all the work, finding the pairs of bodies among it, which the peers are told.
#include "pliant_world.h"

namespace
{
PliantShape *make_shape(const FreeMesh &mesh, const float *rest, const uint32_t *triangles)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = {rest, mesh.vertex_count, 0};
    def.triangles = {triangles, mesh.triangle_count};
    PliantShape *shape;
    bench_must(pliant_shape_create(&def, &shape));
    return shape;
}

// What a caller does who wants the order of the tree for the vertices: asks for it once, and keeps
// the mesh and all positions in it from then on.
class Order
{
  public:
    explicit Order(const PliantShape *shape)
        : from(pliant_shape_vertex_order(shape),
               pliant_shape_vertex_order(shape) + bench_shape_info(shape).vertex_count)
    {
    }

    std::vector<float> vertices(const float *given) const
    {
        std::vector<float> moved(3 * from.size());
        move(given, moved.data());
        return moved;
    }

    void move(const float *given, float *moved) const
    {
        for (size_t i = 0; i < from.size(); i++)
            std::copy_n(free_vertex(given, static_cast<uint32_t>(from[i])), 3, moved + 3 * i);
    }

    std::vector<uint32_t> triangles(const FreeMesh &mesh) const
    {
        std::vector<uint32_t> index(from.size());
        for (size_t i = 0; i < from.size(); i++)
            index[static_cast<size_t>(from[i])] = static_cast<uint32_t>(i);
        std::vector<uint32_t> moved(3 * static_cast<size_t>(mesh.triangle_count));
        for (size_t i = 0; i < moved.size(); i++)
            moved[i] = index[mesh.triangles[i]];
        return moved;
    }

  private:
    std::vector<int32_t> from; // the vertex that goes to each place
};

class PliantPeer : public PliantWorldPeer<FreePeer>
{
  public:
    PliantPeer(const FreePliantWay &way, const FreeScene &meshes, const float *const *rest_vertices)
        : PliantWorldPeer(way.cpu_mask, way.pool), used(way), scene(meshes)
    {
        PliantShape *shape = nullptr;
        for (size_t i = 0; i < scene.size(); i++) {
            if (i == 0 || scene[i].triangles != scene[i - 1].triangles) {
                pliant_shape_release(shape);
                shape = shape_of(scene[i], rest_vertices[i]);
            }
            bench_must(pliant_body_set_update_kind(world, add_body(shape), used.update_kind));
        }
        pliant_shape_release(shape);
    }

    const char *name() const override
    {
        return used.name;
    }

    void prepare(const float *const *vertices) override
    {
        if (!order)
            return;
        ordered.resize(bodies.size());
        for (size_t i = 0; i < bodies.size(); i++) {
            ordered[i].resize(3 * static_cast<size_t>(scene[i].vertex_count));
            order->move(vertices[i], ordered[i].data());
        }
    }

    void update(const float *const *vertices) override
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            if (scene[i].is_unchanged)
                continue;
            const float *data = order ? ordered[i].data() : vertices[i];
            bench_must(
                pliant_body_borrow_vertices(world, bodies[i], {data, scene[i].vertex_count, 0}));
        }
    }

  private:
    // The order of one mesh: scenes of several are not for those who adopt it.
    PliantShape *shape_of(const FreeMesh &mesh, const float *rest)
    {
        PliantShape *shape = make_shape(mesh, rest, mesh.triangles);
        if (!used.adopts_order)
            return shape;
        order = std::make_unique<Order>(shape);
        pliant_shape_release(shape);
        return make_shape(mesh, order->vertices(rest).data(), order->triangles(mesh).data());
    }

    FreePliantWay used;
    FreeScene scene;
    std::unique_ptr<Order> order; // if it is adopted
    std::vector<std::vector<float>> ordered;
};
} // namespace

std::unique_ptr<FreePeer> make_pliant(const FreePliantWay &way, const FreeScene &scene,
                                      const float *const *rest_vertices)
{
    return std::make_unique<PliantPeer>(way, scene, rest_vertices);
}
