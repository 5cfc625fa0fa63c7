// CGAL's self-intersections of each part, beside what free_cgal.cpp does for different parts.
#include "job.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>

namespace
{
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;

struct Surface {
    Mesh mesh;
    std::vector<uint32_t> sources; // of each vertex of the mesh: that of the part
};

Mesh::Vertex_index add_vertex(Surface *surface, uint32_t source)
{
    surface->sources.push_back(source);
    return surface->mesh.add_vertex(Kernel::Point_3(0, 0, 0));
}

Surface make_surface(const FreeMesh &part)
{
    Surface surface;
    for (uint32_t i = 0; i < static_cast<uint32_t>(part.vertex_count); i++)
        add_vertex(&surface, i);
    for (uint32_t i = 0; i < static_cast<uint32_t>(part.triangle_count); i++) {
        const uint32_t *t = free_indices(part, i);
        const auto face = surface.mesh.add_face(Mesh::Vertex_index(t[0]), Mesh::Vertex_index(t[1]),
                                                Mesh::Vertex_index(t[2]));
        if (face == Mesh::null_face())
            surface.mesh.add_face(add_vertex(&surface, t[0]), add_vertex(&surface, t[1]),
                                  add_vertex(&surface, t[2]));
    }
    return surface;
}

class CgalSelf : public FreePeer
{
  public:
    CgalSelf(const FreeScene &scene, const float *const *rest_vertices)
        : others(make_cgal(scene, rest_vertices))
    {
        for (const FreeMesh &part : scene)
            surfaces.push_back(make_surface(part));
    }

    const char *name() const override
    {
        return "CGAL";
    }

    void update(const float *const *vertices) override
    {
        others->update(vertices);
        for (size_t i = 0; i < surfaces.size(); i++)
            for (size_t k = 0; k < surfaces[i].sources.size(); k++) {
                const float *v = free_vertex(vertices[i], surfaces[i].sources[k]);
                surfaces[i].mesh.point(Mesh::Vertex_index(static_cast<uint32_t>(k))) =
                    Kernel::Point_3(v[0], v[1], v[2]);
            }
    }

    void all_pairs(const FreeBodies &pairs) override
    {
        found.clear();
        for (const auto &pair : pairs)
            if (pair.first == pair.second)
                intersect(pair.first);
            else
                add({pair});
    }

    bool first_pair(int, int) override
    {
        return false; // nobody asks
    }

  private:
    void add(const FreeBodies &one)
    {
        others->all_pairs(one);
        found.insert(found.end(), others->pairs().begin(), others->pairs().end());
    }

    void intersect(int part)
    {
        std::vector<std::pair<Mesh::Face_index, Mesh::Face_index>> pairs;
        CGAL::Polygon_mesh_processing::self_intersections(surfaces[static_cast<size_t>(part)].mesh,
                                                          std::back_inserter(pairs));
        for (const auto &[a, b] : pairs)
            found.push_back({part, part, a, b});
    }

    std::unique_ptr<FreePeer> others;
    std::vector<Surface> surfaces;
};
} // namespace

std::unique_ptr<FreePeer> make_cgal_with_self(const FreeScene &scene,
                                              const float *const *rest_vertices)
{
    return std::make_unique<CgalSelf>(scene, rest_vertices);
}
