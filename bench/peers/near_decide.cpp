// Closest points in double, as a user of the peers would write them: see near_runs.h. After
// Ericson, Real-Time Collision Detection, 5.1.5 and 5.1.9. Not exact, but the differences are of
// the order of 1e-15.
#include "near_runs.h"

#include <cmath>

namespace
{
struct Vector {
    double x, y, z;
};

Vector between(const float *p, const float *q)
{
    return {static_cast<double>(p[0]) - q[0], static_cast<double>(p[1]) - q[1],
            static_cast<double>(p[2]) - q[2]};
}

double dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// a - s b - t c.
Vector combine(Vector a, double s, Vector b, double t, Vector c)
{
    return {a.x - s * b.x - t * c.x, a.y - s * b.y - t * c.y, a.z - s * b.z - t * c.z};
}

double clamped(double s)
{
    return s < 0 ? 0 : s > 1 ? 1 : s;
}

// The point a + s (b - a) + t (c - a) of a triangle.
struct Place {
    double s, t;
};

Place closest_place(Vector ab, Vector ac, Vector ap)
{
    const double b_p = dot(ab, ap), c_p = dot(ac, ap);
    if (b_p <= 0 && c_p <= 0)
        return {0, 0};
    const double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
    const double b_b = b_p - bb, c_b = c_p - bc; // the same from corner b
    if (b_b >= 0 && c_b <= b_b)
        return {1, 0};
    const double b_c = b_p - bc, c_c = c_p - cc; // and from corner c
    if (c_c >= 0 && b_c <= c_c)
        return {0, 1};
    const double c = b_p * c_b - b_b * c_p;
    if (c <= 0 && b_p >= 0 && b_b <= 0)
        return {b_p / bb, 0};
    const double b = b_c * c_p - b_p * c_c;
    if (b <= 0 && c_p >= 0 && c_c <= 0)
        return {0, c_p / cc};
    const double a = b_b * c_c - b_c * c_b, up = c_b - b_b, down = b_c - c_c;
    if (a <= 0 && up >= 0 && down >= 0) {
        const double t = up / (up + down);
        return {1 - t, t};
    }
    const double one = 1 / (a + b + c);
    return {b * one, c * one};
}

bool decide(Vector r, float distance, NearPair *pair)
{
    const double square = dot(r, r);
    if (square > static_cast<double>(distance) * distance)
        return false;
    const double length = std::sqrt(square), one = length > 0 ? 1 / length : 0;
    pair->distance = static_cast<float>(length);
    pair->normal[0] = static_cast<float>(r.x * one);
    pair->normal[1] = static_cast<float>(r.y * one);
    pair->normal[2] = static_cast<float>(r.z * one);
    return true;
}

void set_weights(NearPair *pair, double w0, double w1, double w2, double w3)
{
    pair->weights[0] = static_cast<float>(w0);
    pair->weights[1] = static_cast<float>(w1);
    pair->weights[2] = static_cast<float>(w2);
    pair->weights[3] = static_cast<float>(w3);
}
} // namespace

bool near_vertex_triangle(const float *vertex, const float *const corners[3], float distance,
                          NearPair *pair)
{
    const Vector ab = between(corners[1], corners[0]), ac = between(corners[2], corners[0]),
                 ap = between(vertex, corners[0]);
    const Place place = closest_place(ab, ac, ap);
    if (!decide(combine(ap, place.s, ab, place.t, ac), distance, pair))
        return false;
    set_weights(pair, 1, -(1 - place.s - place.t), -place.s, -place.t);
    return true;
}

bool near_edges(const float *const a[2], const float *const b[2], float distance, NearPair *pair)
{
    const Vector e = between(a[1], a[0]), f = between(b[1], b[0]), w = between(a[0], b[0]);
    const double ee = dot(e, e), ff = dot(f, f), ef = dot(e, f), ew = dot(e, w), fw = dot(f, w);
    const double sum = ee * ff - ef * ef;
    double s = sum > 1e-14 * ee * ff ? clamped((ef * fw - ew * ff) / sum) : 0;
    double t = ff > 0 ? (ef * s + fw) / ff : 0;
    if (t < 0 || t > 1) {
        t = clamped(t);
        s = ee > 0 ? clamped((ef * t - ew) / ee) : 0;
    }
    if (!decide(combine(w, -s, e, t, f), distance, pair))
        return false;
    set_weights(pair, 1 - s, s, -(1 - t), -t);
    return true;
}
