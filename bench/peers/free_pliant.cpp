// This library as its users meet it: a world, and bodies of one shape that borrow their vertices.
//
// There is no call that updates: a query does what it needs. So update() hands the arrays over and
// all_pairs() does all the work, finding the pairs of bodies among it, which the peers are told.
#include "free_peers.h"

#include <cstdio>
#include <cstdlib>

namespace
{
void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    std::fprintf(stderr, "bench: %s\n", pliant_result_text(result));
    std::exit(1);
}

PliantShape *make_shape(const FreeScene &scene, const float *rest, const uint32_t *triangles)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = {rest, scene.vertex_count, 0};
    def.triangles = {triangles, scene.triangle_count};
    PliantShape *shape;
    must(pliant_shape_create(&def, &shape));
    return shape;
}

// What a caller does who wants the order of the tree for the vertices: asks for it once, and keeps
// the mesh and all positions in it from then on.
class Order
{
  public:
    explicit Order(const PliantShape *shape)
        : from(pliant_shape_vertex_order(shape),
               pliant_shape_vertex_order(shape) + pliant_shape_info(shape).vertex_count)
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

    std::vector<uint32_t> triangles(const FreeScene &scene) const
    {
        std::vector<uint32_t> place(from.size());
        for (size_t i = 0; i < from.size(); i++)
            place[static_cast<size_t>(from[i])] = static_cast<uint32_t>(i);
        std::vector<uint32_t> moved(3 * static_cast<size_t>(scene.triangle_count));
        for (size_t i = 0; i < moved.size(); i++)
            moved[i] = place[scene.triangles[i]];
        return moved;
    }

  private:
    std::vector<int32_t> from; // the vertex that goes to each place
};

class PliantPeer : public FreePeer
{
  public:
    PliantPeer(const FreePliantWay &way, const FreeScene &mesh, const float *const *rest_vertices)
        : used(way), scene(mesh)
    {
        PliantShape *shape = make_shape(scene, rest_vertices[0], scene.triangles);
        if (used.adopts_order) {
            order = std::make_unique<Order>(shape);
            pliant_shape_release(shape);
            shape = make_shape(scene, order->vertices(rest_vertices[0]).data(),
                               order->triangles(scene).data());
        }
        PliantWorldDef def = pliant_world_def_default();
        def.cpu_mask = used.cpu_mask;
        must(pliant_world_create(&def, &world));
        for (int i = 0; i < scene.body_count; i++)
            add_body(shape, i);
        pliant_shape_release(shape);
    }

    PliantPeer(const PliantPeer &) = delete;
    PliantPeer &operator=(const PliantPeer &) = delete;

    ~PliantPeer() override
    {
        pliant_world_destroy(world);
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
            ordered[i].resize(3 * static_cast<size_t>(scene.vertex_count));
            order->move(vertices[i], ordered[i].data());
        }
    }

    void update(const float *const *vertices) override
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            const float *data = order ? ordered[i].data() : vertices[i];
            must(pliant_body_borrow_vertices(world, bodies[i], {data, scene.vertex_count, 0}));
        }
    }

    // To say which bodies are near each other takes the box of each, and with it the upper bounds.
    bool update_alone() override
    {
        const PliantBodyPair *pairs_of_bodies;
        int64_t count;
        must(pliant_world_body_pairs(world, &pairs_of_bodies, &count));
        return true;
    }

    void all_pairs(const FreeBodies &) override
    {
        must(pliant_world_collide(world, PLIANT_ALL_PAIRS, &contacts));
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
        must(pliant_world_collide(world, PLIANT_FIRST_PAIRS, &first));
        return static_cast<int>(first.count);
    }

  private:
    void add_body(PliantShape *shape, int number)
    {
        PliantBody body;
        must(pliant_body_create(world, shape, &body));
        must(pliant_body_set_update_kind(world, body, used.update_kind));
        bodies.push_back(body);
        if (numbers.size() <= body.index)
            numbers.resize(size_t{body.index} + 1);
        numbers[body.index] = number;
    }

    FreePliantWay used;
    FreeScene scene;
    PliantWorld *world = nullptr;
    std::vector<PliantBody> bodies;
    std::vector<int32_t> numbers; // of the body with each index
    std::unique_ptr<Order> order; // if it is adopted
    std::vector<std::vector<float>> ordered;
    PliantContacts contacts{nullptr, 0}; // the world's, until its next query
};
} // namespace

std::unique_ptr<FreePeer> make_pliant(const FreePliantWay &way, const FreeScene &scene,
                                      const float *const *rest_vertices)
{
    return std::make_unique<PliantPeer>(way, scene, rest_vertices);
}
