// CGAL: the boxes of all triangles, made anew in every frame, box_intersection_d, and the exact
// test of CGAL's kernel. It shares no code with the others' tests, and so is the oracle of
// everyone's pairs, as long as every triangle has an area, which that test asks for.
#include "free_peers.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/intersections.h>

namespace
{
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Triangle = Kernel::Triangle_3;

// Ranges below this are scanned rather than divided. The default of 10 is five times slower on two
// spheres of 20,480 triangles.
constexpr std::ptrdiff_t CUTOFF = 1000;

// A box as box_intersection_d asks for one. Ties are broken by id(), which has to differ between
// the boxes of two bodies too: pairs with equal ids and equal lower ends would be lost.
struct TriangleBox {
    using NT = float;
    using ID = uint64_t;

    static int dimension()
    {
        return 3;
    }

    NT min_coord(int axis) const
    {
        return lower[axis];
    }

    NT max_coord(int axis) const
    {
        return upper[axis];
    }

    ID id() const
    {
        return static_cast<ID>(body) << 32 | triangle;
    }

    float lower[3], upper[3];
    uint32_t body, triangle;
};

struct CgalBody {
    const float *vertices = nullptr;        // borrowed until the next update
    std::vector<TriangleBox> boxes;         // in the order of the triangles
    std::vector<const TriangleBox *> order; // what box_intersection_d sorts
};

void copy_boxes(CgalBody *body, const FreeMesh &mesh, uint32_t number, const float *vertices)
{
    const auto count = static_cast<size_t>(mesh.triangle_count);
    body->vertices = vertices;
    body->boxes.resize(count);
    body->order.resize(count);
    for (size_t i = 0; i < count; i++) {
        TriangleBox *box = &body->boxes[i];
        box->body = number;
        box->triangle = static_cast<uint32_t>(i);
        free_triangle_box(mesh, vertices, box->triangle, box->lower, box->upper);
        body->order[i] = box;
    }
}

// box_intersection_d has no way to stop but this.
struct Found {
};

class CgalPeer : public FreePeer
{
  public:
    CgalPeer(const FreeScene &meshes, const float *const *rest_vertices)
        : scene(meshes), bodies(meshes.size())
    {
        for (size_t i = 0; i < bodies.size(); i++)
            copy_boxes(&bodies[i], scene[i], static_cast<uint32_t>(i), rest_vertices[i]);
    }

    const char *name() const override
    {
        return "CGAL";
    }

    void remesh(const FreeScene &meshes) override
    {
        scene = meshes;
    }

    void update(const float *const *vertices) override
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            bodies[i].vertices = vertices[i];
            if (!scene[i].is_unchanged)
                copy_boxes(&bodies[i], scene[i], static_cast<uint32_t>(i), vertices[i]);
        }
    }

    void all_pairs(const FreeBodies &close) override
    {
        found.clear();
        for (const auto &[body_a, body_b] : close) {
            const int a = body_a, b = body_b; // a lambda takes no names of a binding
            intersect(a, b, [&](const TriangleBox *box_a, const TriangleBox *box_b) {
                found.push_back({a, b, box_a->triangle, box_b->triangle});
            });
        }
    }

    bool first_pair(int body_a, int body_b) override
    {
        try {
            intersect(body_a, body_b,
                      [](const TriangleBox *, const TriangleBox *) { throw Found(); });
        } catch (const Found &) {
            return true;
        }
        return false;
    }

  private:
    Triangle triangle_of(const TriangleBox *box) const
    {
        float c[9];
        free_corners(scene[box->body], bodies[box->body].vertices, box->triangle, c);
        return Triangle(Point(c[0], c[1], c[2]), Point(c[3], c[4], c[5]), Point(c[6], c[7], c[8]));
    }

    // Calls `report` for each pair of triangles that intersects.
    template <class Report> void intersect(int body_a, int body_b, Report report)
    {
        auto &a = bodies[static_cast<size_t>(body_a)].order;
        auto &b = bodies[static_cast<size_t>(body_b)].order;
        CGAL::box_intersection_d(
            a.begin(), a.end(), b.begin(), b.end(),
            [&](const TriangleBox *box_a, const TriangleBox *box_b) {
                if (CGAL::do_intersect(triangle_of(box_a), triangle_of(box_b)))
                    report(box_a, box_b);
            },
            CUTOFF);
    }

    FreeScene scene;
    std::vector<CgalBody> bodies;
};
} // namespace

std::unique_ptr<FreePeer> make_cgal(const FreeScene &scene, const float *const *rest_vertices)
{
    return std::make_unique<CgalPeer>(scene, rest_vertices);
}
