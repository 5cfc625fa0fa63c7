// FCL: a tree of boxes for each body, refit in every frame, and FCL's traversal of two trees.
//
// fcl::collide() copies both models before it traverses axis-aligned boxes, so the traversal that
// it would start is started here directly. Its leaf test is a virtual function, and is replaced by
// our exact test: FCL's own rounds, and in float32 finds 34 pairs too many in the 200 steps of the
// bumpy spheres.
#include "free_peers.h"

#include <pliant/triangles.h>

#include <fcl/math/bv/utility.h> // before the models, which call its fit()

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/traversal_recurse.h>

namespace
{
using Real = float; // refits a fifth faster than double, and the boxes are exact in both
using Box = fcl::AABB<Real>;
using Model = fcl::BVHModel<Box>;
using Point = fcl::Vector3<Real>;

struct FclBody {
    FreeMesh mesh;
    const float *vertices = nullptr; // borrowed until the next update
    Model model;
};

Point point_of(const float *vertices, int32_t i)
{
    const float *p = free_vertex(vertices, static_cast<uint32_t>(i));
    return Point(p[0], p[1], p[2]);
}

void build(FclBody *body, const FreeMesh &mesh, const float *rest)
{
    std::vector<Point> points;
    std::vector<fcl::Triangle> triangles;
    for (int32_t i = 0; i < mesh.vertex_count; i++)
        points.push_back(point_of(rest, i));
    for (int32_t i = 0; i < mesh.triangle_count; i++) {
        const uint32_t *index = free_indices(mesh, static_cast<uint32_t>(i));
        triangles.emplace_back(index[0], index[1], index[2]);
    }
    body->mesh = mesh;
    body->vertices = rest;
    body->model.beginModel(mesh.triangle_count, mesh.vertex_count);
    body->model.addSubModel(points, triangles);
    body->model.endModel();
}

// Vertex by vertex, since replaceSubModel() would have them in a vector of its own type first.
void refit(FclBody *body, const float *vertices)
{
    body->vertices = vertices;
    if (body->mesh.is_still)
        return;
    body->model.beginReplaceModel();
    for (int32_t i = 0; i < body->mesh.vertex_count; i++)
        body->model.replaceVertex(point_of(vertices, i));
    body->model.endReplaceModel(true, true);
}

class Traversal : public fcl::detail::MeshCollisionTraversalNode<Box>
{
  public:
    Traversal(const FclBody *a_, int32_t body_a_, const FclBody *b_, int32_t body_b_,
              std::vector<FreePair> *pairs_)
        : a(a_), b(b_), body_a(body_a_), body_b(body_b_), pairs(pairs_)
    {
        model1 = &a->model;
        model2 = &b->model;
    }

    void leafTesting(int node_a, int node_b) const override
    {
        const auto triangle_a = static_cast<uint32_t>(model1->getBV(node_a).primitiveId());
        const auto triangle_b = static_cast<uint32_t>(model2->getBV(node_b).primitiveId());
        float corners_a[9], corners_b[9];
        free_corners(a->mesh, a->vertices, triangle_a, corners_a);
        free_corners(b->mesh, b->vertices, triangle_b, corners_b);
        if (!pliant_triangles_intersect(corners_a, corners_b))
            return;
        found = true;
        if (pairs)
            pairs->push_back({body_a, body_b, triangle_a, triangle_b});
    }

    // Asked on the way back from every node.
    bool canStop() const override
    {
        return found && !pairs;
    }

    bool any() const
    {
        return found;
    }

  private:
    const FclBody *a, *b;
    int32_t body_a, body_b;
    std::vector<FreePair> *pairs; // null when the first pair will do
    mutable bool found = false;
};

class FclPeer : public FreePeer
{
  public:
    FclPeer(const FreeScene &scene, const float *const *rest_vertices) : bodies(scene.size())
    {
        for (size_t i = 0; i < bodies.size(); i++)
            build(&bodies[i], scene[i], rest_vertices[i]);
    }

    const char *name() const override
    {
        return "FCL";
    }

    void update(const float *const *vertices) override
    {
        for (size_t i = 0; i < bodies.size(); i++)
            refit(&bodies[i], vertices[i]);
    }

    void all_pairs(const FreeBodies &close) override
    {
        found.clear();
        for (const auto &[a, b] : close)
            traverse(a, b, &found);
    }

    bool first_pair(int body_a, int body_b) override
    {
        return traverse(body_a, body_b, nullptr);
    }

  private:
    bool traverse(int body_a, int body_b, std::vector<FreePair> *pairs)
    {
        Traversal traversal(&bodies[static_cast<size_t>(body_a)], body_a,
                            &bodies[static_cast<size_t>(body_b)], body_b, pairs);
        fcl::detail::CollisionTraversalNodeBase<Real> *node = &traversal;
        fcl::detail::collisionRecurse(node, 0, 0, nullptr);
        return traversal.any();
    }

    std::vector<FclBody> bodies;
};
} // namespace

std::unique_ptr<FreePeer> make_fcl(const FreeScene &scene, const float *const *rest_vertices)
{
    return std::make_unique<FclPeer>(scene, rest_vertices);
}
