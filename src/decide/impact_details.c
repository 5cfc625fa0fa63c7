/* Where features touch: see impact_details.h. Nothing here decides anything. */
#include "decide/impact_details.h"
#include "geom/closest.h"

#include <string.h>

typedef struct Vector {
    double x[3];
} Vector;

static Vector minus(Vector a, Vector b)
{
    return (Vector){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

static Vector cross(Vector a, Vector b)
{
    return (Vector){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                     a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static double dot(Vector a, Vector b)
{
    return (a.x[0] * b.x[0] + a.x[1] * b.x[1]) + a.x[2] * b.x[2];
}

static double clamped(double s)
{
    return s > 0 ? s < 1 ? s : 1 : 0;
}

/* The four points at the time, less the first one, and how far they go. */
typedef struct Points {
    Vector at[4], way[4];
} Points;

static Points points_of(const PliImpactPairs *pairs, float time)
{
    Points points;
    Vector first = {{0}};
    for (int i = 0; i < 4; i++) {
        const float *start = pairs->start + 3 * (size_t)pairs->pairs[i],
                    *end = pairs->end + 3 * (size_t)pairs->pairs[i];
        for (int k = 0; k < 3; k++) {
            points.way[i].x[k] = (double)end[k] - start[k];
            points.at[i].x[k] = start[k] + points.way[i].x[k] * (double)time;
        }
        if (i == 0)
            first = points.at[0];
        points.at[i] = minus(points.at[i], first);
    }
    return points;
}

/* By closest points of what is rounded: for features that have no normal, or hardly any, or that
 * are apart. Their coordinates are less the first point, and so may be beyond floats. Returns what
 * is between them; if they touch, their normal. */
static Vector set_closest_weights(const PliImpactPairs *pairs, const Points *points,
                                  double *weights, bool *is_touching)
{
    float at[12];
    PliClosest closest = {0};
    PliCounts unused = {0};
    bool is_huge = false;
    for (int i = 0; i < 12; i++)
        is_huge |= fabs(points->at[i / 3].x[i % 3]) > 0x1p120;
    for (int i = 0; i < 12; i++)
        at[i] = (float)(points->at[i / 3].x[i % 3] * (is_huge ? 0x1p-16 : 1));
    if (pairs->kind == PLI_EDGE_EDGE)
        pli_edge_edge_closest(at, at + 6, INFINITY, &closest, &unused);
    else
        pli_vertex_triangle_closest(at, at + 3, INFINITY, &closest, &unused);
    for (int i = 0; i < 4; i++)
        weights[i] = closest.weights[i];
    *is_touching = closest.distance == 0;
    return (Vector){{closest.normal[0], closest.normal[1], closest.normal[2]}};
}

/* Weights of the four points, as in PliantImpact: e, f and g as in geom/impact.h. Returns the
 * normal.
 *
 * The time is rounded, so that points are off by 2^-24 of their way, and solving for s and r makes
 * this 1 / sin times as much, of the angle between e and f. Where that is below 2^-4 the closest
 * points are taken, which are never farther from each other than the features are. */
static Vector set_weights(const PliImpactPairs *pairs, const Points *points, double *weights)
{
    const bool are_edges = pairs->kind == PLI_EDGE_EDGE;
    const Vector *p = points->at;
    const Vector e = are_edges ? minus(p[1], p[0]) : minus(p[2], p[1]),
                 f = are_edges ? minus(p[2], p[3]) : minus(p[3], p[1]),
                 g = are_edges ? minus(p[2], p[0]) : minus(p[0], p[1]);
    const Vector n = cross(e, f);
    const double square = dot(n, n), least = 0x1p-8 * dot(e, e) * dot(f, f);
    if (!(square > least)) { /* too thin, or too parallel */
        bool is_touching;
        set_closest_weights(pairs, points, weights, &is_touching);
        return n;
    }
    double s = clamped(dot(cross(g, f), n) / square), r = clamped(dot(cross(e, g), n) / square);
    if (!are_edges && s + r > 1) { /* the weight along the shorter side moves the point least */
        if (dot(e, e) > dot(f, f))
            r = 1 - s;
        else
            s = 1 - r;
    }
    weights[0] = are_edges ? 1 - s : 1;
    weights[1] = are_edges ? s : -(1 - (s + r));
    weights[2] = are_edges ? -(1 - r) : -s;
    weights[3] = -r;
    return n;
}

PliantImpact pli_impact_details(const PliImpactPairs *pairs, bool is_swapped, bool is_near,
                                float time)
{
    const Points points = points_of(pairs, time);
    double weights[4];
    bool is_touching = true;
    const Vector n = is_near ? set_closest_weights(pairs, &points, weights, &is_touching)
                             : set_weights(pairs, &points, weights);
    Vector way = {{0}}; /* of the one point, seen from the other */
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            way.x[k] += weights[i] * points.way[i].x[k];
    const double length = sqrt(dot(n, n)),
                 sign = (is_touching && dot(n, way) > 0) != is_swapped ? -1 : 1;
    PliantImpact impact = {.time = time};
    for (int k = 0; k < 3; k++)
        impact.normal[k] = length > 0 ? (float)(sign * n.x[k] / length) : 0;
    for (int i = 0; i < 4; i++)
        impact.weights[i] = (float)(is_swapped ? -weights[(i + 1) % 4] : weights[i]);
    return impact;
}
