// Additive CCD in double: see sweep_runs.h.
//
// What moves is taken relative to the mean of the four motions. The sum of the greatest speeds of
// both features bounds how fast the distance shrinks, so that after 0.9 of distance / speed they
// are still apart. Steps are added up until the distance is a tenth of the first one, or until the
// rest of the time is too short to close it. The latter is the only change to the paper, which
// waits until the time is over: it saves a distance for most pairs.
#include "closest.h"
#include "sweep_runs.h"

#include <cmath>

namespace
{
constexpr double RESCALING = 0.1; // s of the paper

// What would be closed in this part of the step is contact: distances of features that touch at the
// start, and go on touching, are not zero but rounded.
constexpr double AT_ONCE = 1e-12;

// Distances are rounded; so much is no reason to say that they cannot be closed.
constexpr double ROUNDING = 1 - 1e-12;

Vector moved(Vector at, double t, Vector by)
{
    return {at.x + t * by.x, at.y + t * by.y, at.z + t * by.z};
}

Vector minus(Vector a, Vector b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

Vector mean(const Vector motions[4])
{
    return {0.25 * (motions[0].x + motions[1].x + motions[2].x + motions[3].x),
            0.25 * (motions[0].y + motions[1].y + motions[2].y + motions[3].y),
            0.25 * (motions[0].z + motions[1].z + motions[2].z + motions[3].z)};
}

// The squared speeds of the four vertices beside their mean.
struct Speeds {
    double squares[4];

    explicit Speeds(const Vector motions[4])
    {
        const Vector common = mean(motions);
        for (int i = 0; i < 4; i++) {
            const Vector own = minus(motions[i], common);
            squares[i] = dot(own, own);
        }
    }
};

// square(t) is the squared distance at a time.
template <class Square> double advance(double speed, double until, const Square &square)
{
    double t = 0, distance = std::sqrt(square(0.0));
    if (distance <= AT_ONCE * speed || distance == 0)
        return 0;
    const double enough = RESCALING * distance;
    while (ROUNDING * distance <= (until - t) * speed) {
        const double next = t + (1 - RESCALING) * distance / speed;
        distance = std::sqrt(square(next));
        if (t > 0 && distance < enough)
            return t;
        t = next;
    }
    return INFINITY;
}
} // namespace

double additive_vertex_triangle(SweepWay vertex, const SweepWay corners[3], double until)
{
    const Vector motions[4] = {
        between(vertex.end, vertex.start), between(corners[0].end, corners[0].start),
        between(corners[1].end, corners[1].start), between(corners[2].end, corners[2].start)};
    const Speeds speeds(motions);
    const double speed =
        std::sqrt(speeds.squares[0]) +
        std::sqrt(std::max(std::max(speeds.squares[1], speeds.squares[2]), speeds.squares[3]));
    const float *a = corners[0].start;
    const Vector ab = between(corners[1].start, a), ac = between(corners[2].start, a),
                 ap = between(vertex.start, a);
    const Vector ab_by = minus(motions[2], motions[1]), ac_by = minus(motions[3], motions[1]),
                 ap_by = minus(motions[0], motions[1]);
    return advance(speed, until, [&](double t) {
        const Vector b = moved(ab, t, ab_by), c = moved(ac, t, ac_by), p = moved(ap, t, ap_by);
        const Place place = closest_place(b, c, p);
        const Vector r = combine(p, place.s, b, place.t, c);
        return dot(r, r);
    });
}

double additive_edges(const SweepWay a[2], const SweepWay b[2], double until)
{
    const Vector motions[4] = {between(a[0].end, a[0].start), between(a[1].end, a[1].start),
                               between(b[0].end, b[0].start), between(b[1].end, b[1].start)};
    const Speeds speeds(motions);
    const double speed = std::sqrt(std::max(speeds.squares[0], speeds.squares[1])) +
                         std::sqrt(std::max(speeds.squares[2], speeds.squares[3]));
    const Vector e = between(a[1].start, a[0].start), f = between(b[1].start, b[0].start),
                 w = between(a[0].start, b[0].start);
    const Vector e_by = minus(motions[1], motions[0]), f_by = minus(motions[3], motions[2]),
                 w_by = minus(motions[0], motions[2]);
    return advance(speed, until, [&](double t) {
        const Vector e_then = moved(e, t, e_by), f_then = moved(f, t, f_by),
                     w_then = moved(w, t, w_by);
        const Place place = closest_on_edges(e_then, f_then, w_then);
        const Vector r = combine(w_then, -place.s, e_then, place.t, f_then);
        return dot(r, r);
    });
}
