/* Depth and regions of a row: see measure.h. */
#include "check/measure.h"
#include "check/added.h"
#include "check/coincide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool measured_fail(const Measured *measured, PliantResult result, char error[400])
{
    return heard_fail(&measured->bodies->heard, result,
                      measured_body(measured, 0)->shape->part->name, error);
}

/* ---- Pairs of triangles ------------------------------------------------------------------------
 */

/* Some pairs of triangles, as they are now. */
enum { CHUNK = 32 };
typedef struct Corners {
    float a[CHUNK][9], b[CHUNK][9];
} Corners;

static bool fetch(const Measured *measured, const PliantContact *contacts, int32_t count,
                  Corners *corners, char error[400])
{
    int32_t triangles[2][CHUNK];
    for (int32_t i = 0; i < count; i++) {
        triangles[0][i] = contacts[i].triangle_a;
        triangles[1][i] = contacts[i].triangle_b;
    }
    PliantWorld *world = measured->bodies->world;
    PliantResult result = pliant_body_corners(world, measured_body(measured, 0)->body, triangles[0],
                                              count, corners->a[0], count);
    if (result == PLIANT_OK)
        result = pliant_body_corners(world, measured_body(measured, 1)->body, triangles[1], count,
                                     corners->b[0], count);
    return result == PLIANT_OK || measured_fail(measured, result, error);
}

typedef bool IsSo(const float *a, const float *b);

/* Is it so of some pair that is not known? */
static bool find_any(const Measured *measured, const PliantContact *contacts, int64_t count,
                     IsSo *is_so, bool *is_any, char error[400])
{
    PliantContact news[CHUNK];
    Corners corners;
    int32_t chunk = 0;
    *is_any = false;
    for (int64_t i = 0; i < count && !*is_any; i++) {
        if (!found_is_known(measured->known, contacts[i].triangle_a, contacts[i].triangle_b))
            news[chunk++] = contacts[i];
        if (chunk < CHUNK && i + 1 < count)
            continue;
        if (!fetch(measured, news, chunk, &corners, error))
            return false;
        for (int32_t k = 0; k < chunk && !*is_any; k++)
            *is_any = is_so(corners.a[k], corners.b[k]);
        chunk = 0;
    }
    return true;
}

bool measure_goes_through(const Measured *measured, const PliantContact *contacts, int64_t count,
                          bool *goes_through, char error[400])
{
    return find_any(measured, contacts, count, triangle_goes_through, goes_through, error);
}

bool measure_curve_has(const FacePair *faces, const PliantRegions *regions,
                       const PliantRegion *region, bool is_of)
{
    for (int64_t c = 0; c < region->curve_count; c++) {
        const PliantCurve *curve = &regions->curves[region->first_curve + c];
        for (int64_t i = 0; i < curve->point_count; i++) {
            const PliantCurvePoint *point = &regions->points[curve->first_point + i];
            if (point->edge >= 0 && measure_is_of(faces, point) == is_of)
                return true;
        }
    }
    return false;
}

/* ---- Joints ------------------------------------------------------------------------------------
 */

/* Adds the weights of a vertex to those of its joints, which are nodes. */
static void add_vertex(const Scene *scene, const ScenePart *part, int32_t vertex, double *sums)
{
    for (int32_t i = 0; i < part->influence_count; i++) {
        const size_t at = (size_t)vertex * (size_t)part->influence_count + (size_t)i;
        sums[scene->skins[part->skin].joints[part->joints[at]]] += part->joint_weights[at];
    }
}

/* The vertices of a side; of one that has none inside, the corners of its triangles. */
static void add_side(const Scene *scene, const ScenePart *part, const PliantRegions *regions,
                     const PliantRegionPart *side, double *sums)
{
    for (int64_t i = 0; i < side->vertex_count; i++)
        add_vertex(scene, part, regions->vertices[side->first_vertex + i], sums);
    for (int64_t i = 0; i < side->triangle_count && side->vertex_count == 0; i++) {
        const int32_t triangle = regions->triangles[side->first_triangle + i];
        for (size_t k = 0; k < 3; k++)
            add_vertex(scene, part, (int32_t)part->triangles[3 * (size_t)triangle + k], sums);
    }
}

/* Joints with less than this are not named. */
#define LEAST_SHARE 0.05

static int32_t list_shares(const double *sums, int32_t count, ReportShare *shares)
{
    double all = 0;
    int32_t found = 0;
    for (int32_t j = 0; j < count; j++)
        all += sums[j];
    for (; found < REPORT_MAX_SHARES && all > 0; found++) {
        int32_t most = -1;
        for (int32_t j = 0; j < count; j++) {
            bool is_listed = false;
            for (int32_t k = 0; k < found; k++)
                is_listed |= shares[k].joint == j;
            if (!is_listed && (most < 0 || sums[j] > sums[most]))
                most = j;
        }
        if (most < 0 || sums[most] < LEAST_SHARE * all)
            break;
        shares[found] = (ReportShare){most, sums[most] / all};
    }
    return found;
}

/* Of both sides together those count that are inside: what else is cut off may be anything. */
static bool share_joints(const Measured *measured, const PliantRegions *regions,
                         const PliantRegion *region, ReportRegion *out)
{
    const int32_t count = measured->scene->node_count;
    double *sums = calloc(3 * (size_t)count + 1, sizeof *sums);
    if (!sums)
        return false;
    double *both = sums + 2 * (size_t)count;
    for (int k = 0; k < 2; k++) {
        const ScenePart *part = measured_body(measured, k)->shape->part;
        if (part->skin >= 0)
            add_side(measured->scene, part, regions, &region->parts[k], sums + k * (size_t)count);
    }
    for (int k = 0; k < 2; k++)
        for (int32_t j = 0; j < count && (k == out->inner || region->is_inside[k]); j++)
            both[j] += sums[(size_t)k * (size_t)count + (size_t)j];
    for (int k = 0; k < 3; k++)
        out->share_counts[k] = list_shares(sums + (size_t)k * (size_t)count, count, out->shares[k]);
    free(sums);
    return true;
}

/* ---- Regions -----------------------------------------------------------------------------------
 */

double measure_extent(const PliantRegions *regions, const PliantRegion *region)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double sum = 0;
    for (int64_t c = 0; c < region->curve_count; c++) {
        const PliantCurve *curve = &regions->curves[region->first_curve + c];
        for (int64_t i = 0; i < curve->point_count; i++)
            for (int k = 0; k < 3; k++) {
                const double x = regions->points[curve->first_point + i].position[k];
                low[k] = x < low[k] ? x : low[k];
                high[k] = x > high[k] ? x : high[k];
            }
    }
    for (int k = 0; k < 3; k++)
        sum += high[k] > low[k] ? (high[k] - low[k]) * (high[k] - low[k]) : 0;
    return sqrt(sum);
}

int measure_inner_side(const PliantRegion *region)
{
    int inner = -1;
    bool is_inside = false;
    for (int k = 0; k < 2; k++) {
        const PliantRegionPart *side = &region->parts[k];
        if (side->deepest_triangle < 0)
            continue;
        const bool is_more = inner < 0 || side->depth > region->parts[inner].depth;
        if (inner < 0 || (region->is_inside[k] ? is_more || !is_inside : !is_inside && !is_more))
            inner = k;
        is_inside |= region->is_inside[k];
    }
    return inner;
}

static bool is_closed(const Measured *measured, int side)
{
    return measured_body(measured, side)->shape->is_closed;
}

static bool write_region(const Measured *measured, const PliantRegions *regions,
                         const PliantRegion *region, int inner, ReportRegion *out)
{
    const PliantRegionPart *side = &region->parts[inner];
    *out = (ReportRegion){.depth = side->depth,
                          .max_depth = side->max_depth,
                          .areas = {region->parts[0].area, region->parts[1].area},
                          .inner = inner,
                          .is_solid = is_closed(measured, 1 - inner),
                          .is_poking = region->parts[1 - inner].triangle_count > 0 &&
                                       !region->is_inside[1 - inner],
                          .shown = -1,
                          .deepest_triangle = side->deepest_triangle,
                          .closest_triangle = side->closest_triangle};
    for (int k = 0; k < 3; k++) {
        out->deepest[k] = side->deepest[k];
        out->closest[k] = side->closest[k];
    }
    return share_joints(measured, regions, region, out);
}

/* Deepest first. Regions that only touch are all of depth 0, and may have one triangle in common:
 * what else tells them apart decides, since qsort() has an order of its own on each platform. */
static int compare_regions(const void *a, const void *b)
{
    const ReportRegion *x = a, *y = b;
    const double pairs[][2] = {{y->depth, x->depth},
                               {y->known_depth, x->known_depth},
                               {x->deepest_triangle, y->deepest_triangle},
                               {x->closest_triangle, y->closest_triangle},
                               {x->inner, y->inner},
                               {x->areas[0], y->areas[0]},
                               {x->areas[1], y->areas[1]},
                               {x->deepest[0], y->deepest[0]},
                               {x->deepest[1], y->deepest[1]},
                               {x->deepest[2], y->deepest[2]}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] != pairs[i][1])
            return pairs[i][0] < pairs[i][1] ? -1 : 1;
    return 0;
}

/* A region that is not deeper than this part of the model, or this part of the deepest one, is only
 * counted. */
#define SMALL_OF_MODEL 0.001
#define SMALL_OF_DEEPEST (1.0 / 6)

static void keep_large(const Report *report, ReportRow *row)
{
    int32_t kept = 0;
    qsort(row->regions, (size_t)row->region_count, sizeof *row->regions, compare_regions);
    while (kept < row->region_count && kept < REPORT_MAX_REGIONS &&
           (kept == 0 || (row->regions[kept].depth > SMALL_OF_MODEL * report->size &&
                          row->regions[kept].depth > SMALL_OF_DEEPEST * row->depth)))
        kept++;
    row->small_count = row->region_count - kept;
    row->region_count = kept;
    ReportRegion *smaller = realloc(row->regions, ((size_t)kept + 1) * sizeof *smaller);
    row->regions = smaller ? smaller : row->regions;
}

/* All of them, or those that are new: those whose curve goes through a triangle that is not of the
 * baseline. An edge that is new may also go through one that is: see measure_row(). Then no point
 * of a curve tells what is new, and all of a curve counts. */
static bool read_regions(const Measured *measured, Added *added, bool is_all, ReportRow *row,
                         char error[400])
{
    const PliantRegions *regions = added->regions;
    free(row->regions);
    row->region_count = 0;
    row->regions = calloc((size_t)regions->count + 1, sizeof *row->regions);
    if (!row->regions)
        return check_no_memory(error);
    for (int64_t i = 0; i < regions->count; i++) {
        const PliantRegion *region = &regions->items[i];
        const int inner = measure_inner_side(region);
        if (!is_all && !measure_curve_has(measured->known, regions, region, false))
            continue;
        const bool is_joined = measure_curve_has(measured->known, regions, region, true);
        if (inner < 0) {
            const double extent = is_joined && !is_all ? added_extent(measured, regions, region)
                                                       : measure_extent(regions, region);
            row->cut = extent > row->cut ? extent : row->cut;
            continue;
        }
        ReportRegion *out = &row->regions[row->region_count++];
        if (!write_region(measured, regions, region, inner, out))
            return check_no_memory(error);
        if (is_joined && !added_reduce(added, region, out, error))
            return false;
        row->depth = out->depth > row->depth ? out->depth : row->depth;
        row->max_depth = out->max_depth > row->max_depth ? out->max_depth : row->max_depth;
        row->is_solid |= out->is_solid && out->depth > 0;
    }
    return true;
}

/* ---- Vertices --------------------------------------------------------------------------------
 *
 * Where a part intersects itself, curves on the other one can cross each other, and then divide it
 * into nothing that could be measured; and a part that touches another from inside has no curve at
 * all. A closed part still has an inside: the vertices of the other that are in it say how deep
 * that is, at least. */

/* All vertices of one side, and how far they are from the other, which is closed: negative inside.
 * Both arrays are to be freed, also after a failure. */
typedef struct Inside {
    float *vertices, *distances;
    PliantClosestPoints closest;
} Inside;

static PliantResult find_inside(const Measured *measured, int side, Inside *inside)
{
    const PartBody *body = measured_body(measured, side);
    const int32_t count = body->shape->part->vertex_count;
    const PliantResult result = bodies_vertices(measured->bodies, body, &inside->vertices);
    inside->distances = malloc(((size_t)count + 1) * sizeof *inside->distances);
    if (result != PLIANT_OK || !inside->distances)
        return result == PLIANT_OK ? PLIANT_OUT_OF_MEMORY : result;
    return bodies_distances(measured->bodies, measured_body(measured, 1 - side), INFINITY,
                            inside->vertices, count, inside->distances, &inside->closest);
}

static void free_inside(const Inside *inside)
{
    free(inside->vertices);
    free(inside->distances);
}

/* A vertex on a surface is this far inside of it at most, as a part of the model: distances are
 * floats. */
#define ROUNDING 1e-6

/* Writes what the vertices of one side tell: joints of those that are more than half as deep as the
 * deepest. False: nothing is inside. */
static bool read_inside(const Measured *measured, int side, const Inside *inside, double *sums,
                        ReportRegion *region)
{
    const ScenePart *part = measured_body(measured, side)->shape->part;
    const double least = ROUNDING * measured->report->size;
    int32_t deepest = -1;
    double depth = 0, known = 0;
    for (int32_t i = 0; i < part->vertex_count; i++) {
        if (!(-(double)inside->distances[i] > least))
            continue;
        const double was = added_was(measured, side, i), more = -(double)inside->distances[i] - was;
        if (deepest < 0 || more > depth) {
            deepest = i;
            depth = more;
            known = was;
        }
    }
    if (deepest < 0)
        return false;
    if (!added_is_more(measured, depth, depth + known)) {
        known = -(double)inside->distances[deepest];
        depth = 0;
    }
    for (int32_t i = 0; i < part->vertex_count && part->skin >= 0; i++)
        if (inside->distances[i] <= inside->distances[deepest] / 2)
            add_vertex(measured->scene, part, i, sums);
    *region = (ReportRegion){.depth = depth,
                             .max_depth = -(double)inside->distances[deepest],
                             .known_depth = known,
                             .inner = side,
                             .is_solid = true,
                             .shown = -1,
                             .deepest_triangle = -1,
                             .closest_triangle = inside->closest.items[deepest].triangle};
    for (int k = 0; k < 3; k++) {
        region->deepest[k] = inside->vertices[3 * (size_t)deepest + (size_t)k];
        region->closest[k] = inside->closest.items[deepest].position[k];
    }
    return true;
}

/* Adds a region of all vertices of one side that are inside the other. A surface that turns out not
 * to be closed has none, and that is no failure. */
static bool add_vertices(const Measured *measured, int side, ReportRow *row, char error[400])
{
    const int32_t node_count = measured->scene->node_count;
    Inside inside = {0};
    ReportRegion region;
    double *sums = calloc((size_t)node_count + 1, sizeof *sums);
    ReportRegion *larger =
        realloc(row->regions, ((size_t)row->region_count + 1) * sizeof *row->regions);
    row->regions = larger ? larger : row->regions;
    PliantResult result =
        sums && larger ? find_inside(measured, side, &inside) : PLIANT_OUT_OF_MEMORY;
    if (result == PLIANT_OK && read_inside(measured, side, &inside, sums, &region) &&
        (region.depth > row->depth || (region.known_depth > 0 && row->region_count == 0))) {
        region.share_counts[2] = list_shares(sums, node_count, region.shares[2]);
        region.share_counts[side] = region.share_counts[2];
        memcpy(region.shares[side], region.shares[2], sizeof region.shares[2]);
        row->regions[row->region_count++] = region;
        row->depth = region.depth;
        row->max_depth = region.max_depth > row->max_depth ? region.max_depth : row->max_depth;
        row->is_solid = true;
    }
    free(sums);
    free_inside(&inside);
    return result == PLIANT_OK || measured_fail(measured, result, error);
}

/* Of the deepest region, with what was there before. */
static double whole_depth(const ReportRow *row)
{
    double depth = 0;
    for (int32_t i = 0; i < row->region_count; i++)
        depth = fmax(depth, row->regions[i].depth + row->regions[i].known_depth);
    return depth;
}

bool measure_row(const Measured *measured, const PliantContacts *contacts,
                 const PliantRegions *regions, ReportRow *row, char error[400])
{
    Added added = {measured, regions, false, {0}};
    row_clear_measure(row);
    row->is_measured = true;
    bool is_read = read_regions(measured, &added, !measured->known->a, row, error);
    /* Something new goes through, but no triangle that is gone through is new. */
    if (is_read && row->goes_through && row->region_count == 0 && row->cut == 0)
        is_read = read_regions(measured, &added, true, row, error);
    added_free(&added);
    if (!is_read)
        return false;
    const double deepest = row->region_count > 0 ? whole_depth(row) : 0;
    const bool is_vague = deepest == 0 || (row->goes_through && row->cut > deepest);
    for (int k = 0; k < 2 && measured->pair->a != measured->pair->b && is_vague; k++)
        if (is_closed(measured, 1 - k) && !add_vertices(measured, k, row, error))
            return false;
    keep_large(measured->report, row);
    return row->depth > 0 || find_any(measured, contacts->items, contacts->count,
                                      triangles_coincide, &row->is_coincident, error);
}

/* ---- What is contained -------------------------------------------------------------------------
 */

bool measure_contained(const Measured *measured, ReportRow *row, char error[400])
{
    const int inner = row->contained == CONTAINED_A ? 0 : 1;
    const int32_t count = measured_body(measured, inner)->shape->part->vertex_count;
    Inside inside = {0};
    const PliantResult result = find_inside(measured, inner, &inside);
    row_clear_measure(row);
    for (int32_t i = 0; i < count && result == PLIANT_OK; i++)
        if (-inside.distances[i] > row->depth)
            row->depth = row->max_depth = -inside.distances[i];
    row->is_measured = row->is_solid = true;
    free_inside(&inside);
    return result == PLIANT_OK || measured_fail(measured, result, error);
}
