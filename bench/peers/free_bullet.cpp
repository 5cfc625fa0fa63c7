// Bullet's GImpact: a tree of float boxes for each body, refit in every frame, and the traversal of
// two trees, whose candidates our exact test decides.
//
// btGImpactMeshShape has quantized trees compiled in: slower to refit, and blind once a body leaves
// the box in which it was built. The float tree is in the library as well, and is used here as the
// shape uses its own, with the vertices read where they are. It lists all candidates before the
// first can be tested, so there is no early end.
#include "free_peers.h"

#include <pliant/triangles.h>

#include <BulletCollision/Gimpact/btGImpactBvh.h>

#include <algorithm>
#include <cmath>

namespace
{
// The triangles of a body, as the tree asks for them.
class BulletBody : public btPrimitiveManagerBase
{
  public:
    BulletBody(const FreeMesh &made_of, const float *rest) : mesh(made_of)
    {
        tree.setPrimitiveManager(this);
        index(rest);
        tree.buildSet();
    }

    // The tree has a pointer to this.
    BulletBody(const BulletBody &) = delete;
    BulletBody &operator=(const BulletBody &) = delete;

    void update(const float *new_vertices)
    {
        if (mesh.is_unchanged) {
            vertices = new_vertices;
            return;
        }
        index(new_vertices);
        tree.update();
    }

    bool is_trimesh() const override
    {
        return true;
    }

    int get_primitive_count() const override
    {
        return mesh.triangle_count;
    }

    void get_primitive_box(int triangle, btAABB &box) const override
    {
        float lower[3], upper[3];
        free_triangle_box(mesh, vertices, static_cast<uint32_t>(triangle), lower, upper);
        box.m_min.setValue(lower[0] - margin, lower[1] - margin, lower[2] - margin);
        box.m_max.setValue(upper[0] + margin, upper[1] + margin, upper[2] + margin);
    }

    void get_primitive_triangle(int triangle, btPrimitiveTriangle &result) const override
    {
        const auto [a, b, c] = free_corners_of(mesh, vertices, static_cast<uint32_t>(triangle));
        result.m_vertices[0].setValue(a[0], a[1], a[2]);
        result.m_vertices[1].setValue(b[0], b[1], b[2]);
        result.m_vertices[2].setValue(c[0], c[1], c[2]);
        result.m_margin = margin;
    }

    FreeMesh mesh;
    const float *vertices = nullptr; // borrowed until the next update
    btGImpactBvh tree;

  private:
    // The traversal compares centers and half sizes in float32, with at most about four roundings
    // of half an ulp of the largest coordinate on each side; boxes that only just touch would be
    // lost without this margin of eight.
    void index(const float *new_vertices)
    {
        vertices = new_vertices;
        float box[6], largest = 0;
        free_floor(vertices, mesh.vertex_count, box);
        for (float end : box)
            largest = std::max(largest, std::fabs(end));
        margin = std::ldexp(largest, -21);
    }

    float margin = 0;
};

class BulletPeer : public FreePeer
{
  public:
    BulletPeer(const FreeScene &scene, const float *const *rest_vertices)
    {
        for (size_t i = 0; i < scene.size(); i++)
            bodies.push_back(std::make_unique<BulletBody>(scene[i], rest_vertices[i]));
    }

    const char *name() const override
    {
        return "Bullet";
    }

    void update(const float *const *vertices) override
    {
        for (size_t i = 0; i < bodies.size(); i++)
            bodies[i]->update(vertices[i]);
    }

    void all_pairs(const FreeBodies &close) override
    {
        found.clear();
        for (const auto &[a, b] : close)
            decide(a, b, &found);
    }

    bool first_pair(int body_a, int body_b) override
    {
        return decide(body_a, body_b, nullptr);
    }

  private:
    bool decide(int body_a, int body_b, std::vector<FreePair> *pairs)
    {
        BulletBody *a = bodies[static_cast<size_t>(body_a)].get();
        BulletBody *b = bodies[static_cast<size_t>(body_b)].get();
        candidates.resizeNoInitialize(0); // keeps its memory
        const btTransform &here = btTransform::getIdentity();
        btGImpactBvh::find_collision(&a->tree, here, &b->tree, here, candidates);
        bool any = false;
        for (int i = 0; i < candidates.size() && (pairs || !any); i++) {
            const auto triangle_a = static_cast<uint32_t>(candidates[i].m_index1);
            const auto triangle_b = static_cast<uint32_t>(candidates[i].m_index2);
            float corners_a[9], corners_b[9];
            free_corners(a->mesh, a->vertices, triangle_a, corners_a);
            free_corners(b->mesh, b->vertices, triangle_b, corners_b);
            if (!pliant_triangles_intersect(corners_a, corners_b))
                continue;
            any = true;
            if (pairs)
                pairs->push_back({body_a, body_b, triangle_a, triangle_b});
        }
        return any;
    }

    std::vector<std::unique_ptr<BulletBody>> bodies;
    btPairSet candidates;
};
} // namespace

std::unique_ptr<FreePeer> make_bullet(const FreeScene &scene, const float *const *rest_vertices)
{
    return std::make_unique<BulletPeer>(scene, rest_vertices);
}
