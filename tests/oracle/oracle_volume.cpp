/* The second opinion on volumes: CGAL cuts the two meshes with each other, with exact numbers, and
 * says how large what they have in common is. */
#include "oracle_volume.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Surface_mesh.h>

#include <vector>

namespace
{

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;
namespace pmp = CGAL::Polygon_mesh_processing;

/* False if it is no manifold. */
bool make_mesh(const OracleMesh &from, Mesh &mesh)
{
    std::vector<Mesh::Vertex_index> names;
    for (int i = 0; i < from.vertex_count; i++) {
        const float *v = from.vertices + 3 * i;
        names.push_back(mesh.add_vertex(Kernel::Point_3(v[0], v[1], v[2])));
    }
    for (int i = 0; i < from.triangle_count; i++) {
        const unsigned *t = from.triangles + 3 * i;
        if (mesh.add_face(names[t[0]], names[t[1]], names[t[2]]) == Mesh::null_face())
            return false;
    }
    return CGAL::is_closed(mesh);
}

} // namespace

extern "C" int oracle_cgal_common_volume(const OracleMesh *a, const OracleMesh *b, double *volume)
{
    Mesh first, second, common;
    if (!make_mesh(*a, first) || !make_mesh(*b, second))
        return 0;
    if (!pmp::corefine_and_compute_intersection(first, second, common))
        return 0;
    *volume = common.is_empty() ? 0 : CGAL::to_double(pmp::volume(common));
    return 1;
}
