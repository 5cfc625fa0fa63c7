// Decisions about distances in double, as a user of the peers would write them: see feature_runs.h.
// Not exact, but the differences are of the order of 1e-15.
#include "closest.h"
#include "feature_runs.h"

#include <cmath>

namespace
{
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
    const auto [s, t] = closest_on_edges(e, f, w);
    if (!decide(combine(w, -s, e, t, f), distance, pair))
        return false;
    set_weights(pair, 1 - s, s, -(1 - t), -t);
    return true;
}
