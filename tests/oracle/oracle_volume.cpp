/* The second opinion on volumes: CGAL cuts the two meshes with each other, with exact numbers, and
 * says how large what they have in common is. */
#include "oracle_volume.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>

#include <map>
#include <set>
#include <utility>
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

/* ---- Regions ------------------------------------------------------------------------------- */

namespace
{

using Point = Kernel::Point_3;
using Face = Mesh::Face_index;
using Edge = Mesh::Edge_index;
using Vertex = Mesh::Vertex_index;
using Side = CGAL::Side_of_triangle_mesh<Mesh, Kernel>;

/* The pieces of a mesh between curves. */
struct Pieces {
    Mesh::Property_map<Edge, bool> is_on_curve;
    Mesh::Property_map<Face, std::size_t> piece_of;
    std::size_t count = 0;
    std::vector<bool> is_bounded, is_inside;
    std::vector<std::size_t> parents; /* of all pieces of both meshes */
};

void find_pieces(Mesh &mesh, const Mesh &other, Pieces &pieces)
{
    pieces.piece_of = mesh.add_property_map<Face, std::size_t>("f:piece").first;
    pieces.count = pmp::connected_components(
        mesh, pieces.piece_of, CGAL::parameters::edge_is_constrained_map(pieces.is_on_curve));
    pieces.is_bounded.assign(pieces.count, false);
    pieces.is_inside.assign(pieces.count, false);
    Side side(other);
    std::vector<bool> is_known(pieces.count, false);
    for (Face face : mesh.faces()) {
        const std::size_t piece = pieces.piece_of[face];
        const auto around = mesh.halfedge(face);
        for (auto half : CGAL::halfedges_around_face(around, mesh))
            if (pieces.is_on_curve[mesh.edge(half)])
                pieces.is_bounded[piece] = true;
        if (is_known[piece])
            continue;
        is_known[piece] = true;
        std::vector<Point> p;
        for (auto vertex : CGAL::vertices_around_face(around, mesh))
            p.push_back(mesh.point(vertex));
        pieces.is_inside[piece] = side(CGAL::centroid(p[0], p[1], p[2])) == CGAL::ON_BOUNDED_SIDE;
    }
}

std::size_t find(std::vector<std::size_t> &parents, std::size_t i)
{
    while (parents[i] != i)
        i = parents[i];
    return i;
}

/* The inner pieces on both sides of each edge of a curve, by the points of its ends, belong
 * together. */
int count_regions(const Mesh *meshes[2], const Pieces pieces[2])
{
    std::vector<std::size_t> parents(pieces[0].count + pieces[1].count);
    for (std::size_t i = 0; i < parents.size(); i++)
        parents[i] = i;
    std::map<std::pair<Point, Point>, std::size_t> seen;
    for (int i = 0; i < 2; i++)
        for (Edge edge : meshes[i]->edges()) {
            if (!pieces[i].is_on_curve[edge])
                continue;
            for (int k = 0; k < 2; k++) {
                const auto half = meshes[i]->halfedge(edge, k);
                const std::size_t piece = pieces[i].piece_of[meshes[i]->face(half)];
                if (!pieces[i].is_inside[piece])
                    continue;
                Point p = meshes[i]->point(meshes[i]->source(half)),
                      q = meshes[i]->point(meshes[i]->target(half));
                if (q < p)
                    std::swap(p, q);
                const std::size_t number = piece + (i ? pieces[0].count : 0);
                const auto found = seen.insert({{p, q}, number}).first;
                parents[find(parents, number)] = find(parents, found->second);
            }
        }
    std::set<std::size_t> roots;
    for (const auto &entry : seen)
        roots.insert(find(parents, entry.second));
    return (int)roots.size();
}

/* Curves by their edges: all are loops if each vertex has two of them. */
bool count_curves(const Mesh &mesh, const Pieces &pieces, int &count)
{
    std::map<Vertex, std::vector<Vertex>> next;
    for (Edge edge : mesh.edges())
        if (pieces.is_on_curve[edge]) {
            next[mesh.vertex(edge, 0)].push_back(mesh.vertex(edge, 1));
            next[mesh.vertex(edge, 1)].push_back(mesh.vertex(edge, 0));
        }
    std::set<Vertex> seen;
    count = 0;
    for (const auto &entry : next) {
        if (entry.second.size() != 2)
            return false;
        if (!seen.insert(entry.first).second)
            continue;
        count++;
        for (Vertex at = entry.first;;) {
            const auto &ends = next[at];
            if (seen.insert(ends[0]).second)
                at = ends[0];
            else if (seen.insert(ends[1]).second)
                at = ends[1];
            else
                break;
        }
    }
    return true;
}

} // namespace

extern "C" int oracle_cgal_regions(const OracleMesh *a, const OracleMesh *b, OracleRegions *regions)
{
    const OracleMesh *given[2] = {a, b};
    Mesh meshes[2], whole[2];
    Pieces pieces[2];
    for (int i = 0; i < 2; i++) {
        if (!make_mesh(*given[i], meshes[i]) || !make_mesh(*given[i], whole[i]))
            return 0;
        pieces[i].is_on_curve = meshes[i].add_property_map<Edge, bool>("e:curve", false).first;
    }
    pmp::corefine(meshes[0], meshes[1],
                  CGAL::parameters::edge_is_constrained_map(pieces[0].is_on_curve),
                  CGAL::parameters::edge_is_constrained_map(pieces[1].is_on_curve));
    for (int i = 0; i < 2; i++)
        find_pieces(meshes[i], whole[1 - i], pieces[i]);
    if (!count_curves(meshes[0], pieces[0], regions->curve_count))
        return 0;
    const Mesh *both[2] = {&meshes[0], &meshes[1]};
    regions->region_count = count_regions(both, pieces);
    for (int i = 0; i < 2; i++) {
        regions->areas[i] = 0;
        for (Face face : meshes[i].faces()) {
            const std::size_t piece = pieces[i].piece_of[face];
            if (pieces[i].is_bounded[piece] && pieces[i].is_inside[piece])
                regions->areas[i] += CGAL::to_double(pmp::face_area(face, meshes[i]));
        }
        for (int v = 0; v < given[i]->vertex_count; v++) {
            const auto half = meshes[i].halfedge(Vertex(v));
            const std::size_t piece =
                half == Mesh::null_halfedge() ? 0 : pieces[i].piece_of[meshes[i].face(half)];
            regions->inside[i][v] = half == Mesh::null_halfedge() || !pieces[i].is_bounded[piece]
                                        ? -1
                                        : pieces[i].is_inside[piece];
        }
    }
    return 1;
}
