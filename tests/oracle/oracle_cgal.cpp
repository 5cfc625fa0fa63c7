/* The second opinion: the intersection tests of the CGAL library with its exact predicates.
 *
 * CGAL's test of two triangles presumes that neither has zero area, and its tests of segments that
 * neither has zero length. So each input is first made the thing it really is, a triangle, a
 * segment or a point, by exact tests; then the test made for that pair of kinds is called. All nine
 * combinations exist for this kernel, and each is evaluated in intervals first and with exact
 * numbers where the intervals leave a doubt.
 *
 * The exact numbers rest on the same arithmetic library as the other oracle. To take that away too,
 * define CGAL_NO_GMP as 1 for this file: CGAL then uses long numbers of its own, a little slower.
 * Those shift negative integers to the left, which a checker for undefined behavior objects to.
 */
#include "oracle.h"
#include "oracle_common.h"
#include "oracle_distance.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>
#include <CGAL/squared_distance_3.h>

#include <algorithm>
#include <variant>
#include <vector>

namespace
{

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Segment = Kernel::Segment_3;
using Triangle = Kernel::Triangle_3;
using Shape = std::variant<Point, Segment, Triangle>;

/* Every float is also a double, so nothing is lost here. */
Point corner(const float *t, int i)
{
    return Point(t[3 * i], t[3 * i + 1], t[3 * i + 2]);
}

Shape shape_of(const float *t)
{
    const Point p = corner(t, 0), q = corner(t, 1), r = corner(t, 2);
    if (!CGAL::collinear(p, q, r))
        return Triangle(p, q, r);

    /* In lexicographic order, points of one line stand as they do along the line. */
    const auto [first, last] = std::minmax({p, q, r}, Kernel::Less_xyz_3());
    if (first == last)
        return first;
    return Segment(first, last);
}

} // namespace

extern "C" int oracle_cgal_intersect(const float a[9], const float b[9])
{
    const auto test = [](const auto &x, const auto &y) { return CGAL::do_intersect(x, y); };
    return std::visit(test, shape_of(a), shape_of(b));
}

namespace
{

using Exact = CGAL::Exact_predicates_exact_constructions_kernel;

Exact::Point_3 exact_corner(const float *t, int i)
{
    return Exact::Point_3(t[3 * i], t[3 * i + 1], t[3 * i + 2]);
}

int compare(const Exact::FT &square, float distance)
{
    const Exact::FT length(distance);
    return CGAL::compare(square, length * length);
}

} // namespace

extern "C" int oracle_cgal_vertex_triangle(const float *vertex, const float *triangle,
                                           float distance)
{
    const Exact::Triangle_3 t(exact_corner(triangle, 0), exact_corner(triangle, 1),
                              exact_corner(triangle, 2));
    return t.is_degenerate()
               ? ORACLE_NONE
               : compare(CGAL::squared_distance(exact_corner(vertex, 0), t), distance);
}

extern "C" int oracle_cgal_edge_edge(const float *a, const float *b, float distance)
{
    const Exact::Segment_3 s(exact_corner(a, 0), exact_corner(a, 1)),
        t(exact_corner(b, 0), exact_corner(b, 1));
    return s.is_degenerate() || t.is_degenerate() ? ORACLE_NONE
                                                  : compare(CGAL::squared_distance(s, t), distance);
}

/* ---- Common parts --------------------------------------------------------------------------- */

namespace
{

/* The points of what CGAL may return. */
struct Points {
    std::vector<Exact::Point_3> operator()(const Exact::Point_3 &p) const
    {
        return {p};
    }
    std::vector<Exact::Point_3> operator()(const Exact::Segment_3 &s) const
    {
        return {s.source(), s.target()};
    }
    std::vector<Exact::Point_3> operator()(const Exact::Triangle_3 &t) const
    {
        return {t[0], t[1], t[2]};
    }
    std::vector<Exact::Point_3> operator()(const std::vector<Exact::Point_3> &all) const
    {
        return all;
    }
    template <class Other> std::vector<Exact::Point_3> operator()(const Other &) const
    {
        return {};
    }
};

Exact::Triangle_3 exact_triangle(const float *t)
{
    return Exact::Triangle_3(exact_corner(t, 0), exact_corner(t, 1), exact_corner(t, 2));
}

} // namespace

extern "C" int oracle_cgal_common(const float a[9], const float b[9], double points[][3])
{
    const Exact::Triangle_3 s = exact_triangle(a), t = exact_triangle(b);
    if (s.is_degenerate() || t.is_degenerate())
        return -1;
    const auto common = CGAL::intersection(s, t);
    if (!common)
        return 0;
    const std::vector<Exact::Point_3> all =
        boost::apply_visitor([](const auto &part) { return Points()(part); }, *common);
    for (std::size_t i = 0; i < all.size() && i < ORACLE_COMMON_POINTS; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = CGAL::to_double(CGAL::exact(all[i])[k]);
    return static_cast<int>(all.size());
}
