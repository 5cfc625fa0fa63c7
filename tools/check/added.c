/* What is new of a depth: see added.h. */
#include "check/added.h"
#include "check/cut_depth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Depths are found to 1 %, and distances are floats. */
#define TOLERANCE 0.01
#define ROUNDING 1e-6

bool added_is_more(const Measured *measured, double more, double depth)
{
    return more > TOLERANCE * depth && more > ROUNDING * measured->report->size;
}

static bool is_self(const Measured *measured)
{
    return measured->pair->a == measured->pair->b;
}

static double distance(const double *p, const double *q)
{
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                (p[2] - q[2]) * (p[2] - q[2]));
}

static void deepen(float *depth, double other)
{
    *depth = other > *depth ? (float)other : *depth;
}

/* ---- The baseline ------------------------------------------------------------------------------
 */

bool added_make(FacePair *known, int32_t a_count, int32_t b_count, bool is_of_one)
{
    if (!known->depths[0])
        known->depths[0] = calloc((size_t)a_count + 1, sizeof *known->depths[0]);
    if (!known->depths[1] && !is_of_one)
        known->depths[1] = calloc((size_t)b_count + 1, sizeof *known->depths[1]);
    return known->depths[0] && (is_of_one || known->depths[1]);
}

static void spread_to(const PliantRegionPart *from, const float *vertices, int32_t vertex,
                      float *depths)
{
    const float *p = vertices + 3 * (size_t)vertex;
    const double deepest[3] = {from->deepest[0], from->deepest[1], from->deepest[2]};
    deepen(&depths[vertex], from->depth - distance(deepest, (const double[]){p[0], p[1], p[2]}));
}

/* From the deepest point of a side that counts, to its vertices and to the corners of the triangle
 * that it is on: one that is so far from it is less deep by that at most. Depths of vertices are
 * distances from the nearest wall, and this may be more. */
static void spread(const Measured *measured, const PliantRegions *regions, int side,
                   const float *vertices, float *depths)
{
    const uint32_t *triangles = measured_body(measured, side)->shape->part->triangles;
    for (int64_t i = 0; i < 2 * regions->count; i++) {
        const PliantRegionPart *of = &regions->items[i / 2].parts[i % 2];
        if (!cut_side_counts(&regions->items[i / 2], (int)(i % 2)) || of->deepest_triangle < 0 ||
            (!is_self(measured) && i % 2 != side))
            continue;
        for (int64_t k = 0; k < of->vertex_count; k++)
            spread_to(of, vertices, regions->vertices[of->first_vertex + k], depths);
        for (size_t c = 0; c < 3; c++)
            spread_to(of, vertices, (int32_t)triangles[3 * (size_t)of->deepest_triangle + c],
                      depths);
    }
}

/* What is inside has a depth, also without a curve around it. */
static PliantResult read_inside(const Measured *measured, int side, float *vertices, float *depths)
{
    const int32_t count = measured_body(measured, side)->shape->part->vertex_count;
    float *distances = malloc(((size_t)count + 1) * sizeof *distances);
    const PliantResult result =
        distances ? bodies_distances(measured->bodies, measured_body(measured, 1 - side), INFINITY,
                                     vertices, count, distances, NULL)
                  : PLIANT_OUT_OF_MEMORY;
    for (int32_t v = 0; v < count && result == PLIANT_OK; v++)
        deepen(&depths[v], -(double)distances[v]);
    free(distances);
    return result;
}

static PliantResult read_side(const Measured *measured, const PliantRegions *regions, int side,
                              float *depths)
{
    float *vertices = NULL;
    PliantResult result =
        bodies_vertices(measured->bodies, measured_body(measured, side), &vertices);
    if (result == PLIANT_OK)
        spread(measured, regions, side, vertices, depths);
    if (result == PLIANT_OK && !is_self(measured))
        result = read_inside(measured, side, vertices, depths);
    free(vertices);
    return result;
}

static bool find_cut(const Measured *measured, const PliantRegions *regions, Cut *cut,
                     char error[400])
{
    const CutQuery query = {.parts = {measured->pair->a, measured->pair->b}};
    return cut_find_vertices(measured->bodies, &query, regions, cut, error);
}

bool added_read_pose(const Measured *measured, const PliantRegions *regions, FacePair *known,
                     char error[400])
{
    PliantResult result = PLIANT_OK;
    Cut cut;
    if (!find_cut(measured, regions, &cut, error))
        return false;
    for (int k = 0; k < 2 - is_self(measured) && result == PLIANT_OK; k++) {
        known->depths[k] = cut.depths[k];
        cut.depths[k] = NULL;
        result = read_side(measured, regions, k, known->depths[k]);
    }
    if (is_self(measured))
        cut.depths[1] = NULL;
    cut_free(&cut);
    return result == PLIANT_OK || measured_fail(measured, result, error);
}

/* The joint that moves most of a vertex, or NULL. */
static const char *joint_of(const Scene *scene, const ScenePart *part, int32_t vertex)
{
    const size_t first = (size_t)vertex * (size_t)part->influence_count;
    int32_t most = -1;
    for (int32_t i = 0; i < part->influence_count && part->skin >= 0; i++)
        if (most < 0 ||
            part->joint_weights[first + (size_t)i] > part->joint_weights[first + (size_t)most])
            most = i;
    return most < 0
               ? NULL
               : scene->nodes[scene->skins[part->skin].joints[part->joints[first + (size_t)most]]]
                     .name;
}

/* Joints with less than this part of the share of the first are not of the place. */
#define LEAST_SHARE (1.0 / 3)

static bool is_of_place(const char *joint, const Report *baseline, const ReportShare *shares,
                        int32_t count)
{
    for (int32_t i = 0; i < count && joint; i++)
        if (shares[i].share >= LEAST_SHARE * shares[0].share &&
            strcmp(baseline->joints[shares[i].joint], joint) == 0)
            return true;
    return count == 0 && !joint;
}

void added_read_place(const Scene *scene, const ScenePart *part, const Report *baseline,
                      const ReportRegion *region, bool is_of_one, float *depths)
{
    const int32_t side = is_of_one ? 2 : region->inner;
    for (int32_t v = 0; v < part->vertex_count; v++)
        if (is_of_place(joint_of(scene, part, v), baseline, region->shares[side],
                        region->share_counts[side]))
            deepen(&depths[v], region->depth + region->known_depth);
}

/* ---- How much of a cut is new ----------------------------------------------------------
 */

typedef struct Box {
    double low[3], high[3];
} Box;

static void add_point(Box *box, const PliantCurvePoint *point)
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], point->position[k]);
        box->high[k] = fmax(box->high[k], point->position[k]);
    }
}

/* New points, and those before and behind them. */
static void add_curve(const Measured *measured, const PliantCurvePoint *points,
                      const PliantCurve *curve, Box *box)
{
    const int64_t count = curve->point_count, around = curve->is_closed ? count : 0;
    for (int64_t i = 0; i < count; i++) {
        if (points[i].edge >= 0 && measure_is_of(measured->known, &points[i]))
            continue;
        add_point(box, &points[i]);
        if (i > 0 || around)
            add_point(box, &points[(i + count - 1) % count]);
        if (i + 1 < count || around)
            add_point(box, &points[(i + 1) % count]);
    }
}

double added_extent(const Measured *measured, const PliantRegions *regions,
                    const PliantRegion *region)
{
    Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int64_t c = 0; c < region->curve_count; c++) {
        const PliantCurve *curve = &regions->curves[region->first_curve + c];
        add_curve(measured, regions->points + curve->first_point, curve, &box);
    }
    return box.low[0] <= box.high[0] ? distance(box.low, box.high) : 0;
}

/* ---- How much of a place is new ----------------------------------------------------------------
 */

void added_free(Added *added)
{
    if (added->is_found)
        cut_free(&added->cut);
    added->is_found = false;
}

/* Weights of a point of a triangle: by areas. False: it has none. */
static bool find_weights(const float corners[9], const double point[3], double weights[3])
{
    double e[3][3], dots[5] = {0, 0, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        e[0][k] = (double)corners[3 + k] - corners[k];
        e[1][k] = (double)corners[6 + k] - corners[k];
        e[2][k] = point[k] - corners[k];
        dots[0] += e[0][k] * e[0][k];
        dots[1] += e[0][k] * e[1][k];
        dots[2] += e[1][k] * e[1][k];
        dots[3] += e[0][k] * e[2][k];
        dots[4] += e[1][k] * e[2][k];
    }
    const double area = dots[0] * dots[2] - dots[1] * dots[1];
    weights[1] = (dots[3] * dots[2] - dots[4] * dots[1]) / area;
    weights[2] = (dots[4] * dots[0] - dots[3] * dots[1]) / area;
    weights[0] = 1 - weights[1] - weights[2];
    return area > 0;
}

static PliantResult read_corners(const Bodies *bodies, int32_t part, int32_t triangle,
                                 float corners[9])
{
    return pliant_body_corners(bodies->world, bodies->items[part].body, &triangle, 1, corners, 1);
}

/* How deep a point was inside the other part, at rest. */
static PliantResult find_inside(const Measured *measured, int side, const double at[3], double *was)
{
    float point[3] = {(float)at[0], (float)at[1], (float)at[2]}, distance = INFINITY;
    const PliantResult result = bodies_distances(
        measured->rest, &measured->rest->items[side == 0 ? measured->pair->b : measured->pair->a],
        INFINITY, point, 1, &distance, NULL);
    *was = fmax(*was, -(double)distance);
    return result;
}

/* At rest, a point of a triangle was as deep as each corner, less its distance from that. */
static PliantResult find_rest(const Measured *measured, int side, int32_t triangle,
                              const double weights[3], const double depths[3], double *was)
{
    const int32_t part = side == 0 ? measured->pair->a : measured->pair->b;
    float corners[9];
    double at[3] = {0, 0, 0};
    const PliantResult result = read_corners(measured->rest, part, triangle, corners);
    if (result != PLIANT_OK)
        return result;
    for (int i = 0; i < 9; i++)
        at[i % 3] += weights[i / 3] * corners[i];
    for (int c = 0; c < 3; c++) {
        const double p[3] = {corners[3 * c], corners[3 * c + 1], corners[3 * c + 2]};
        *was = fmax(*was, depths[c] - distance(at, p));
    }
    return is_self(measured) ? PLIANT_OK : find_inside(measured, side, at, was);
}

/* How deep a point of a triangle was, at least. Of a stored report, as deep as each corner. */
static PliantResult find_was(const Measured *measured, int side, int32_t triangle,
                             const double point[3], double *was)
{
    const int32_t part = side == 0 ? measured->pair->a : measured->pair->b;
    const uint32_t *numbers =
        measured_body(measured, side)->shape->part->triangles + 3 * (size_t)triangle;
    double weights[3], depths[3];
    float corners[9];
    PliantResult result = read_corners(measured->bodies, part, triangle, corners);
    *was = 0;
    if (result != PLIANT_OK || !find_weights(corners, point, weights))
        return result;
    for (int c = 0; c < 3; c++)
        depths[c] = added_was(measured, side, (int32_t)numbers[c]);
    if (measured->rest)
        return find_rest(measured, side, triangle, weights, depths, was);
    *was = fmin(depths[0], fmin(depths[1], depths[2]));
    return PLIANT_OK;
}

/* A vertex of the region's side that is deeper than it was by more than what is given, or -1. */
static int32_t most_added(const Added *added, const PliantRegionPart *part, int side, double *most)
{
    const float *depths = added->cut.depths[side];
    int32_t found = -1;
    for (int64_t i = 0; i < part->vertex_count; i++) {
        const int32_t v = added->regions->vertices[part->first_vertex + i];
        const double more = (double)depths[v] - added_was(added->measured, side, v);
        if (more > *most) {
            *most = more;
            found = v;
        }
    }
    return found;
}

/* A triangle of the region that has the vertex, and which corner; or -1. */
static int32_t triangle_at(const Added *added, const PliantRegionPart *part, int side,
                           int32_t vertex, int *corner)
{
    const uint32_t *triangles = measured_body(added->measured, side)->shape->part->triangles;
    for (int64_t i = 0; i < part->triangle_count; i++) {
        const int32_t t = added->regions->triangles[part->first_triangle + i];
        for (*corner = 0; *corner < 3; ++*corner)
            if (triangles[3 * (size_t)t + (size_t)*corner] == (uint32_t)vertex)
                return t;
    }
    return -1;
}

/* The region's points are then at a vertex. Within one part they stay: what a vertex is deep in is
 * not all of the part. */
static PliantResult move_to(const Added *added, const PliantRegionPart *part, int32_t vertex,
                            ReportRegion *out)
{
    const Measured *measured = added->measured;
    PliantClosestPoints closest = pliant_closest_points_default();
    float corners[9];
    int corner = 0;
    const int32_t t = triangle_at(added, part, out->inner, vertex, &corner);
    if (t < 0 || is_self(measured))
        return PLIANT_OK;
    PliantResult result = read_corners(
        measured->bodies, out->inner == 0 ? measured->pair->a : measured->pair->b, t, corners);
    if (result == PLIANT_OK)
        result = pliant_body_closest_points(
            measured->bodies->world, measured_body(measured, 1 - out->inner)->body,
            (PliantVertices){corners + 3 * (size_t)corner, 1, 0}, NULL, &closest);
    if (result != PLIANT_OK || closest.items[0].triangle < 0)
        return result;
    out->deepest_triangle = t;
    out->closest_triangle = closest.items[0].triangle;
    for (int k = 0; k < 3; k++) {
        out->deepest[k] = corners[3 * corner + k];
        out->closest[k] = closest.items[0].position[k];
    }
    return PLIANT_OK;
}

bool added_reduce(Added *added, const PliantRegion *region, ReportRegion *out, char error[400])
{
    const Measured *measured = added->measured;
    const PliantRegionPart *part = &region->parts[out->inner];
    double depth = out->depth, was = 0;
    if (!measured->known->depths[0])
        return true;
    PliantResult result = find_was(measured, out->inner, out->deepest_triangle, out->deepest, &was);
    if (result != PLIANT_OK)
        return measured_fail(measured, result, error);
    double more = depth - was;
    if (!added->is_found && !find_cut(measured, added->regions, &added->cut, error))
        return false;
    added->is_found = true;
    const int32_t vertex = most_added(added, part, out->inner, &more);
    if (vertex >= 0) {
        depth = added->cut.depths[out->inner][vertex];
        result = move_to(added, part, vertex, out);
    }
    out->depth = added_is_more(measured, more, depth) ? more : 0;
    out->known_depth = depth - out->depth;
    return result == PLIANT_OK || measured_fail(measured, result, error);
}
