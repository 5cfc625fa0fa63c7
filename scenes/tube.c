/* Tubes: see tube.h.
 *
 * A ring is in the plane across the line. So a tube does not cut itself as long as it is thinner
 * than its line is bent, and as the line does not come back to it. */
#include "tube.h"

#include <math.h> /* sqrt: exactly rounded everywhere */
#include <string.h>

static const double turn = 6.283185307179586;

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static void normalize(double a[3])
{
    const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int i = 0; i < 3; i++)
        a[i] /= length;
}

/* By differences, for which the line goes on a little at its ends. */
static void direction_at(const Tube *tube, double u, double along[3])
{
    const double step = 0x1p-16;
    double before[3];
    tube->middle(tube->data, u - step, before);
    tube->middle(tube->data, u + step, along);
    for (int i = 0; i < 3; i++)
        along[i] -= before[i];
    normalize(along);
}

static void place_on_tube(const void *data, double u, double v, double point[3])
{
    const Tube *tube = data;
    double along[3], aside[3], up[3];
    direction_at(tube, u, along);
    cross(tube->up, along, aside);
    normalize(aside);
    cross(along, aside, up);
    tube->middle(tube->data, u, point);
    const double radius = tube->radius(tube->data, u, turn * v);
    const double c = radius * scene_cos(turn * v), s = radius * scene_sin(turn * v);
    for (int i = 0; i < 3; i++)
        point[i] += c * aside[i] + s * up[i];
}

SceneMesh tube_open(const Tube *tube, int ring_count, int segment_count)
{
    return scene_rings(ring_count, segment_count, place_on_tube, tube);
}

SceneMesh tube_closed(const Tube *tube, int ring_count, int segment_count)
{
    const size_t count = (size_t)ring_count * (size_t)segment_count;
    const uint32_t rings = (uint32_t)ring_count, segments = (uint32_t)segment_count;
    SceneMesh mesh = {scene_allocate(count, 3 * sizeof(float)),
                      scene_allocate(2 * count, 3 * sizeof(uint32_t)), ring_count * segment_count,
                      2 * ring_count * segment_count};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t ring = i / segments, segment = i % segments;
        double point[3];
        place_on_tube(tube, (double)ring / rings, (double)segment / segments, point);
        for (int k = 0; k < 3; k++)
            mesh.vertices[3 * (size_t)i + (size_t)k] = (float)point[k];
        const uint32_t next = ring * segments + (segment + 1) % segments;
        const uint32_t below = (i + segments) % (uint32_t)count;
        const uint32_t next_below = (next + segments) % (uint32_t)count;
        const uint32_t both[6] = {i, next, next_below, i, next_below, below};
        memcpy(mesh.triangles + 6 * (size_t)i, both, sizeof both);
    }
    return mesh;
}

double tube_cap(double u, double part)
{
    const double from_end = u < 0.5 ? u : 1 - u, rest = 1 - from_end / part;
    return from_end <= 0 ? 0 : rest <= 0 ? 1 : sqrt(1 - rest * rest);
}

/* -1 to 1 from one whole number to the next. */
static double within(double x)
{
    return 2 * (x - (double)(int64_t)x) - 1;
}

double tube_thorn(double u, double angle, int ring_count, int row_count)
{
    const double along = u * ring_count;
    const double around = angle / turn * row_count + 0.5 * (double)((int64_t)along % 2);
    return scene_bump(within(along)) * scene_bump(within(around));
}
