/* The second opinion on features that touch on their way: CGAL's algebraic kernel.
 *
 * Roots and signs at roots are CGAL's. Whether features touch at a root is decided in a plane: all
 * points are projected along an axis that the plane of the features is not parallel to, and
 * orientations are compared there. If there is no such axis, all that counts is on one line or at
 * one point, and intervals on an axis are compared. The other oracle does neither. */
#include "oracle_sweep.h"

#include <CGAL/Algebraic_kernel_d_1.h>
#include <CGAL/Gmpq.h>
#include <CGAL/Gmpz.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace
{

using Kernel = CGAL::Algebraic_kernel_d_1<CGAL::Gmpz>;
using Polynomial = Kernel::Polynomial_1;
using Root = Kernel::Algebraic_real_1;
using Bound = Kernel::Bound;
using Point = std::array<Polynomial, 3>;

const Kernel kernel;

/* ---- What is asked at a time ------------------------------------------------------------- */

struct Features {
    bool are_edges;
    std::array<Point, 4> points;
};

/* CGAL 5.5 shrinks the interval around the root, and does not expect that it becomes one point: a
 * precondition says so, unless NDEBUG leaves it out, where the answer is right without it. The root
 * is then a rational number, and the second call evaluates the polynomial there. */
int sign_at(const Polynomial &p, const Root &time)
{
    try {
        return static_cast<int>(kernel.sign_at_1_object()(p, time));
    } catch (const CGAL::Precondition_exception &) {
        return static_cast<int>(kernel.sign_at_1_object()(p, time));
    }
}

/* Twice the signed area of three points, projected along an axis. */
Polynomial area(const Features &f, int axis, int i, int j, int k)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const Point &a = f.points[i], &b = f.points[j], &c = f.points[k];
    return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
}

/* The same coordinate of the cross product of both edges. */
Polynomial edges_area(const Features &f, int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const auto &p = f.points;
    return (p[1][u] - p[0][u]) * (p[3][v] - p[2][v]) - (p[1][v] - p[0][v]) * (p[3][u] - p[2][u]);
}

int area_sign(const Features &f, int axis, int i, int j, int k, const Root &time)
{
    return sign_at(area(f, axis, i, j, k), time);
}

int compare_on_axis(const Features &f, int axis, int i, int j, const Root &time)
{
    return sign_at(f.points[i][axis] - f.points[j][axis], time);
}

bool is_between_on_axis(const Features &f, int axis, int i, int a, int b, const Root &time)
{
    return compare_on_axis(f, axis, i, a, time) * compare_on_axis(f, axis, i, b, time) <= 0;
}

bool are_collinear(const Features &f, int i, int j, int k, const Root &time)
{
    for (int axis = 0; axis < 3; axis++)
        if (area_sign(f, axis, i, j, k, time) != 0)
            return false;
    return true;
}

/* An axis along which two points differ, or -1. */
int axis_apart(const Features &f, int i, int j, const Root &time)
{
    for (int axis = 0; axis < 3; axis++)
        if (compare_on_axis(f, axis, i, j, time) != 0)
            return axis;
    return -1;
}

/* ---- A vertex and a triangle ------------------------------------------------------------- */

/* The corners are on one line. */
bool is_vertex_on_line(const Features &f, const Root &time)
{
    for (const auto &[i, j] : {std::pair(1, 2), std::pair(2, 3), std::pair(3, 1)}) {
        const int axis = axis_apart(f, i, j, time);
        if (axis < 0)
            continue;
        if (!are_collinear(f, i, j, 0, time))
            return false;
        return is_between_on_axis(f, axis, 0, 1, 2, time) ||
               is_between_on_axis(f, axis, 0, 2, 3, time);
    }
    return axis_apart(f, 0, 1, time) < 0;
}

bool is_vertex_on_triangle(const Features &f, const Root &time)
{
    for (int axis = 0; axis < 3; axis++) {
        const int turn = area_sign(f, axis, 1, 2, 3, time);
        if (turn != 0)
            return area_sign(f, axis, 1, 2, 0, time) * turn >= 0 &&
                   area_sign(f, axis, 2, 3, 0, time) * turn >= 0 &&
                   area_sign(f, axis, 3, 1, 0, time) * turn >= 0;
    }
    return is_vertex_on_line(f, time);
}

/* ---- Two edges --------------------------------------------------------------------------- */

bool do_parallel_edges_touch(const Features &f, const Root &time)
{
    for (const auto &[i, j, other] : {std::array{0, 1, 2}, std::array{2, 3, 0}}) {
        const int axis = axis_apart(f, i, j, time);
        if (axis < 0)
            continue;
        if (!are_collinear(f, i, j, other, time))
            return false;
        return is_between_on_axis(f, axis, 0, 2, 3, time) ||
               is_between_on_axis(f, axis, 1, 2, 3, time) ||
               is_between_on_axis(f, axis, 2, 0, 1, time);
    }
    return axis_apart(f, 0, 2, time) < 0;
}

bool do_edges_touch(const Features &f, const Root &time)
{
    for (int axis = 0; axis < 3; axis++)
        if (sign_at(edges_area(f, axis), time) != 0)
            return area_sign(f, axis, 0, 1, 2, time) * area_sign(f, axis, 0, 1, 3, time) <= 0 &&
                   area_sign(f, axis, 2, 3, 0, time) * area_sign(f, axis, 2, 3, 1, time) <= 0;
    return do_parallel_edges_touch(f, time);
}

/* ---- Times ------------------------------------------------------------------------------- */

bool do_touch(const Features &f, const Root &time)
{
    return f.are_edges ? do_edges_touch(f, time) : is_vertex_on_triangle(f, time);
}

void add_roots(const Polynomial &p, std::vector<Root> &times)
{
    std::vector<std::pair<Root, Kernel::Multiplicity_type>> roots;
    if (p.degree() < 1)
        return;
    kernel.solve_1_object()(p, std::back_inserter(roots));
    for (const auto &root : roots)
        if (root.first >= Bound(0) && root.first <= Bound(1))
            times.push_back(root.first);
}

Polynomial volume(const Features &f)
{
    std::array<Point, 3> d;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            d[i][k] = f.points[i + 1][k] - f.points[0][k];
    Polynomial sum(CGAL::Gmpz(0));
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        sum += d[0][k] * (d[1][u] * d[2][v] - d[1][v] * d[2][u]);
    }
    return sum;
}

/* Everything whose sign is asked for above, where the four points are in one plane throughout. */
std::vector<Root> times_in_plane(const Features &f)
{
    std::vector<Root> times = {Root(0)};
    for (int axis = 0; axis < 3; axis++) {
        for (const auto &[i, j, k] :
             {std::array{0, 1, 2}, std::array{0, 1, 3}, std::array{0, 2, 3}, std::array{1, 2, 3}})
            add_roots(area(f, axis, i, j, k), times);
        add_roots(edges_area(f, axis), times);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++)
                add_roots(f.points[i][axis] - f.points[j][axis], times);
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

/* Floats from 0 to 1 are ordered as their bits are. */
float round_down(const Root &time)
{
    const auto as_float = [](std::uint32_t bits) {
        float value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    };
    std::uint32_t low = 0, high = 0x3f800001;
    while (high - low > 1) {
        const std::uint32_t middle = low + (high - low) / 2;
        (time < Bound(static_cast<double>(as_float(middle))) ? high : low) = middle;
    }
    return as_float(low);
}

Polynomial path(float start, float end, int shift)
{
    const auto whole = [shift](float x) {
        const CGAL::Gmpq product =
            CGAL::Gmpq(static_cast<double>(x)) * CGAL::Gmpq(CGAL::Gmpz(1) << shift);
        return product.numerator();
    };
    return Polynomial(whole(start), whole(end) - whole(start));
}

} // namespace

extern "C" bool oracle_cgal_sweep(bool are_edges, const float start[12], const float end[12],
                                  float *time)
{
    Features f;
    int shift = 0;
    f.are_edges = are_edges;
    *time = std::numeric_limits<float>::infinity();
    for (int i = 0; i < 24; i++) {
        const float x = i < 12 ? start[i] : end[i - 12];
        int exponent;
        if (!std::isfinite(x))
            return false;
        std::frexp(x, &exponent);
        shift = std::max(shift, 24 - exponent);
    }
    for (int i = 0; i < 12; i++)
        f.points[i / 3][i % 3] = path(start[i], end[i], shift);
    const Polynomial p = volume(f);
    std::vector<Root> times;
    if (p.is_zero())
        times = times_in_plane(f);
    else
        add_roots(p, times);
    for (const Root &root : times)
        if (do_touch(f, root)) {
            *time = round_down(root);
            return true;
        }
    return false;
}
