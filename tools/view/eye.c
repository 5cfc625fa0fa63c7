/* From where a picture is seen: see eye.h. */
#include "view/eye.h"

#include <math.h>

/* A lens as of a portrait: the tangent of half of what is seen across the shorter side, and how
 * much of that the model takes. */
#define HALF_VIEW 0.23
#define FILLED 0.92

/* So that no corner of the model is farther off the screen than the raster can tell. */
#define MAX_MAGNIFIED 800.0

static bool is_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

double points_size(Points points)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t i = 0; i < points.count; i++)
        for (int k = 0; k < 3 && is_finite(points.items + 3 * i); k++) {
            low[k] = fmin(low[k], points.items[3 * i + k]);
            high[k] = fmax(high[k], points.items[3 * i + k]);
        }
    return low[0] <= high[0] ? hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2])
                             : 0;
}

void eye_turn(Eye *eye, double yaw_degrees, double pitch_degrees)
{
    const double yaw = yaw_degrees * (M_PI / 180), pitch = pitch_degrees * (M_PI / 180);
    const double rows[3][3] = {
        {cos(yaw), 0, -sin(yaw)},
        {-sin(pitch) * sin(yaw), cos(pitch), -sin(pitch) * cos(yaw)},
        {cos(pitch) * sin(yaw), sin(pitch), cos(pitch) * cos(yaw)},
    };
    for (int i = 0; i < 9; i++)
        eye->rows[i / 3][i % 3] = rows[i / 3][i % 3];
}

/* A point as the eye has it: right, up, toward it. */
static void see(const Eye *eye, const float *p, double seen[3])
{
    for (int k = 0; k < 3; k++)
        seen[k] = eye->rows[k][0] * p[0] + eye->rows[k][1] * p[1] + eye->rows[k][2] * p[2];
}

/* Half of what is seen to the right and up, at a distance of one. */
static void half_views(const Eye *eye, double halves[2])
{
    const double shorter = eye->width < eye->height ? eye->width : eye->height;
    halves[0] = HALF_VIEW * eye->width / shorter / eye->zoom;
    halves[1] = HALF_VIEW * eye->height / shorter / eye->zoom;
}

/* The box of all that is finite, as the eye has it. False if there is nothing. */
static bool find_box(const Eye *eye, Points points, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int64_t i = 0; i < points.count; i++) {
        double seen[3];
        see(eye, points.items + 3 * i, seen);
        for (int k = 0; k < 3 && is_finite(points.items + 3 * i); k++) {
            low[k] = fmin(low[k], seen[k]);
            high[k] = fmax(high[k], seen[k]);
        }
    }
    return low[0] <= high[0];
}

/* The least distance from which all points are seen along an axis of the screen. */
static double distance_along(const Eye *eye, Points points, int axis, double half)
{
    double far = 0;
    for (int64_t i = 0; i < points.count; i++) {
        double seen[3];
        see(eye, points.items + 3 * i, seen);
        if (is_finite(points.items + 3 * i))
            far =
                fmax(far, fabs(seen[axis] - eye->middle[axis]) / half + (seen[2] - eye->middle[2]));
    }
    return far;
}

/* Where points are along an axis of the screen, at a distance of one. */
static void extent_along(const Eye *eye, Points points, int axis, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < points.count; i++) {
        double seen[3];
        see(eye, points.items + 3 * i, seen);
        const double at =
            (seen[axis] - eye->middle[axis]) / (eye->distance - (seen[2] - eye->middle[2]));
        if (is_finite(points.items + 3 * i)) {
            *low = fmin(*low, at);
            *high = fmax(*high, at);
        }
    }
}

/* Moves the middle so that there is as much room on one side as on the other. */
static void center(Eye *eye, Points points, int axis)
{
    double low, high;
    extent_along(eye, points, axis, &low, &high);
    eye->middle[axis] += 0.5 * (low + high) * eye->distance;
}

/* So far away that all of the model is seen, and none of it is beside the eye; and so that it is in
 * the middle. Each of the two changes the other: three rounds leave no difference that is seen. */
bool eye_place(Eye *eye, Points all)
{
    double low[3], high[3], halves[2];
    const double zoom = eye->zoom;
    if (!find_box(eye, all, low, high))
        return false;
    eye->zoom = 1;
    for (int k = 0; k < 3; k++)
        eye->middle[k] = 0.5 * (low[k] + high[k]);
    const double size = hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    half_views(eye, halves);
    for (int round = 0; round < 3; round++) {
        for (int axis = 0; axis < 2 && round > 0; axis++)
            center(eye, all, axis);
        eye->distance = high[2] - eye->middle[2] + 0.5 * (size > 0 ? size : 1);
        for (int axis = 0; axis < 2; axis++)
            eye->distance =
                fmax(eye->distance, distance_along(eye, all, axis, FILLED * halves[axis]));
    }
    eye->zoom = zoom;
    return true;
}

void eye_frame(Eye *eye, Points points, double size, double share)
{
    double low[3], high[3], halves[2], least = INFINITY;
    if (!find_box(eye, points, low, high))
        return;
    for (int k = 0; k < 3; k++)
        eye->middle[k] = 0.5 * (low[k] + high[k]);
    eye->distance = 2 * (size > 0 ? size : 1);
    eye->zoom = 1;
    half_views(eye, halves);
    for (int axis = 0; axis < 2; axis++) {
        double first, last;
        center(eye, points, axis);
        extent_along(eye, points, axis, &first, &last);
        least = fmin(least, share * 2 * halves[axis] / (last - first));
    }
    eye->zoom = fmin(least, MAX_MAGNIFIED);
}

void eye_project(const Eye *eye, const float *point, double place[3])
{
    double seen[3], halves[2];
    half_views(eye, halves);
    see(eye, point, seen);
    place[2] = eye->distance - (seen[2] - eye->middle[2]);
    const double x = (seen[0] - eye->middle[0]) / place[2] / halves[0],
                 y = (seen[1] - eye->middle[1]) / place[2] / halves[1];
    place[0] = (x + 1) / 2 * eye->width;
    place[1] = (1 - y) / 2 * eye->height;
}

Rectangle eye_rectangle(const Eye *eye, Points points)
{
    Rectangle box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int64_t i = 0; i < points.count; i++) {
        double place[3];
        eye_project(eye, points.items + 3 * i, place);
        if (!is_finite(points.items + 3 * i))
            continue;
        box.left = fmin(box.left, place[0]);
        box.right = fmax(box.right, place[0]);
        box.top = fmin(box.top, place[1]);
        box.bottom = fmax(box.bottom, place[1]);
    }
    return box;
}

double eye_pixel(const Eye *eye)
{
    double halves[2];
    half_views(eye, halves);
    return 2 * halves[1] * eye->distance / eye->height;
}

void eye_position(const Eye *eye, double position[3])
{
    for (int k = 0; k < 3; k++)
        position[k] = eye->rows[0][k] * eye->middle[0] + eye->rows[1][k] * eye->middle[1] +
                      eye->rows[2][k] * (eye->middle[2] + eye->distance);
}
