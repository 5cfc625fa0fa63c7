// Our own free bodies, whose vertices are worked out from a pose at each update: see free_peers.h.
#include "free_peers.h"

namespace
{
class PosedPeer : public FreePeer
{
  public:
    PosedPeer(const FreePliantWay &way, const FreeScene &scene, const float *const *rest_vertices,
              FreePosing posed)
        : own_name(way.name), posing(std::move(posed)),
          inner(make_pliant(way, scene, rest_vertices))
    {
        for (const FreeMesh &mesh : scene)
            storage.emplace_back(mesh.is_unchanged ? 0
                                                   : 3 * static_cast<size_t>(mesh.vertex_count));
        for (const std::vector<float> &vertices : storage)
            pointers.push_back(vertices.data());
    }

    const char *name() const override
    {
        return own_name;
    }

    void update(const float *const *) override
    {
        for (size_t body = 0; body < storage.size(); body++)
            if (!storage[body].empty())
                posing(body, storage[body].data());
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
    FreePosing posing;
    std::vector<std::vector<float>> storage; // nothing for bodies that are still
    std::vector<const float *> pointers;
    std::unique_ptr<FreePeer> inner;
};
} // namespace

std::unique_ptr<FreePeer> make_posed(const FreePliantWay &way, const FreeScene &scene,
                                     const float *const *rest_vertices, FreePosing posing)
{
    return std::make_unique<PosedPeer>(way, scene, rest_vertices, std::move(posing));
}
