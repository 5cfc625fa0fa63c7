/* Depths of regions: boxes of any tessellation and solids that are sunk in a floor, whose depth is
 * known; solids of all kinds, bodies of four boxes that overlap and boxes without a lid, whose
 * depth is bounded by many points. The depth that is returned must be that of its point, no point
 * may be deeper than the upper bound, and the two bounds must be within the tolerance. Of a box
 * without a lid the bounds may be apart: where the winding number is close to 1/2, a search ends
 * early.
 *
 * usage: test_depth [cases]
 */
#include "solids.h"
#include "world/world.h"
#include <pliant/pliant.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Totals {
    int64_t regions, points, samples, loose, failures;
    double worst; /* of max_depth over depth, less one */
} Totals;

static double any(SceneRandom *random, double low, double high)
{
    return low + (high - low) * scene_random(random);
}

/* ---- An oracle of distances ----------------------------------------------------------------- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The closest point of a triangle by its region: Ericson, "Real-time collision detection", 2005,
 * describes these cases. */
static double distance_from(const double p[3], const float *t[3])
{
    double ab[3], ac[3], ap[3], best = INFINITY;
    for (int k = 0; k < 3; k++) {
        ab[k] = (double)t[1][k] - t[0][k];
        ac[k] = (double)t[2][k] - t[0][k];
        ap[k] = p[k] - t[0][k];
    }
    const double aa = dot(ab, ab), bb = dot(ab, ac), cc = dot(ac, ac), d = dot(ab, ap),
                 e = dot(ac, ap), det = aa * cc - bb * bb;
    const double s = (cc * d - bb * e) / det, u = (aa * e - bb * d) / det;
    if (det > 0 && s >= 0 && u >= 0 && s + u <= 1) {
        double rest[3];
        for (int k = 0; k < 3; k++)
            rest[k] = ap[k] - s * ab[k] - u * ac[k];
        best = sqrt(dot(rest, rest));
    }
    for (int i = 0; i < 3; i++) {
        const float *a = t[i], *b = t[(i + 1) % 3];
        double edge[3], from[3], rest[3];
        for (int k = 0; k < 3; k++) {
            edge[k] = (double)b[k] - a[k];
            from[k] = p[k] - a[k];
        }
        const double length = dot(edge, edge);
        const double along = length > 0 ? fmin(fmax(dot(edge, from) / length, 0), 1) : 0;
        for (int k = 0; k < 3; k++)
            rest[k] = from[k] - along * edge[k];
        best = fmin(best, sqrt(dot(rest, rest)));
    }
    return best;
}

static double mesh_distance(const SceneMesh *mesh, const double p[3])
{
    double least = INFINITY;
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        const float *corners[3];
        for (int k = 0; k < 3; k++)
            corners[k] = mesh->vertices + 3 * (size_t)mesh->triangles[3 * i + k];
        least = fmin(least, distance_from(p, corners));
    }
    return least;
}

typedef struct Box {
    double low[3], high[3];
} Box;

/* What a part is deep in. */
typedef struct Other {
    const SceneMesh *mesh;
    const Box *boxes; /* that it consists of, each with a surface of its own; or NULL */
    bool is_open;
} Other;

enum { BOXES = 4 };

static bool is_in_box(const Box *box, const double p[3])
{
    for (int k = 0; k < 3; k++)
        if (p[k] <= box->low[k] || p[k] >= box->high[k])
            return false;
    return true;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All planes of all boxes divide space into cells: how far is the closest that is in no box? */
static double distance_out_of_boxes(const Box boxes[BOXES], const double p[3])
{
    enum { PLANES = 2 * BOXES + 2 };
    double planes[3][PLANES], least = INFINITY;
    for (int k = 0; k < 3; k++) {
        planes[k][0] = -100;
        planes[k][1] = 100;
        for (int i = 0; i < BOXES; i++) {
            planes[k][2 + 2 * i] = boxes[i].low[k];
            planes[k][3 + 2 * i] = boxes[i].high[k];
        }
        qsort(planes[k], PLANES, sizeof(double), compare);
    }
    for (int cell = 0; cell < (PLANES - 1) * (PLANES - 1) * (PLANES - 1); cell++) {
        const int at[3] = {cell % (PLANES - 1), cell / (PLANES - 1) % (PLANES - 1),
                           cell / (PLANES - 1) / (PLANES - 1)};
        double middle[3], square = 0;
        bool is_in = false;
        for (int k = 0; k < 3; k++) {
            const double low = planes[k][at[k]], high = planes[k][at[k] + 1];
            const double from = fmax(fmax(low - p[k], p[k] - high), 0);
            middle[k] = (low + high) / 2;
            square += from * from;
            is_in |= low == high; /* no cell */
        }
        for (int i = 0; i < BOXES; i++)
            is_in |= is_in_box(&boxes[i], middle);
        least = is_in ? least : fmin(least, sqrt(square));
    }
    return least;
}

static double distance_out(const Other *other, const double p[3])
{
    return other->boxes ? distance_out_of_boxes(other->boxes, p) : mesh_distance(other->mesh, p);
}

/* The sum of the solid angles of all triangles (Van Oosterom and Strackee, 1983). */
static double winding_of(const SceneMesh *mesh, const double p[3])
{
    double sum = 0;
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        double v[3][3], lengths[3];
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++)
                v[c][k] = mesh->vertices[3 * (size_t)mesh->triangles[3 * i + c] + (size_t)k] - p[k];
            lengths[c] = sqrt(dot(v[c], v[c]));
        }
        const double product[3] = {v[1][1] * v[2][2] - v[1][2] * v[2][1],
                                   v[1][2] * v[2][0] - v[1][0] * v[2][2],
                                   v[1][0] * v[2][1] - v[1][1] * v[2][0]};
        sum += 2 * atan2(dot(v[0], product),
                         lengths[0] * lengths[1] * lengths[2] + dot(v[0], v[1]) * lengths[2] +
                             dot(v[1], v[2]) * lengths[0] + dot(v[2], v[0]) * lengths[1]);
    }
    return sum / (4 * 3.14159265358979323846);
}

/* At least 1/2 inside. */
static double insideness(const Other *other, const double p[3])
{
    if (other->boxes)
        return distance_out_of_boxes(other->boxes, p) > 0;
    if (other->is_open)
        return fabs(winding_of(other->mesh, p));
    const float point[3] = {(float)p[0], (float)p[1], (float)p[2]};
    return solid_winding(other->mesh, point) != 0;
}

/* ---- Regions of two meshes ------------------------------------------------------------------ */

#define PIECE_SIZE 0.4F

/* If faces are to be covered, they are not divided into triangles of their own. */
static PliantRegions find(const SceneMesh meshes[2], float tolerance, bool covers_faces,
                          PliantWorld **world)
{
    PliantContacts contacts = pliant_contacts_default();
    PliantRegions regions = pliant_regions_default();
    PliantRegionsDef def = pliant_regions_def_default();
    def.depth_tolerance = tolerance;
    def.with_vertex_depths = true;
    def.piece_size = PIECE_SIZE;
    if (pliant_world_create(NULL, world) != PLIANT_OK)
        exit(1);
    if (covers_faces)
        (*world)->regions.max_corners = 3;
    for (int i = 0; i < 2; i++) {
        PliantBody body;
        PliantShape *shape = solid_shape(&meshes[i]);
        if (pliant_body_create(*world, shape, &body) != PLIANT_OK)
            exit(1);
        pliant_shape_release(shape);
    }
    if (pliant_world_collide(*world, NULL, &contacts) != PLIANT_OK ||
        pliant_contacts_regions(*world, &contacts, &def, &regions) != PLIANT_OK)
        exit(1);
    return regions;
}

static void fail(Totals *totals, const char *what, int64_t number, const PliantRegionPart *part,
                 double truth)
{
    totals->failures++;
    printf("%" PRId64 ": %s: depth %.9g to %.9g, but %.9g\n", number, what, (double)part->depth,
           (double)part->max_depth, truth);
}

/* What every part must be. Coordinates are below 4: 1e-5 is more than what floats of that size, and
 * distances in double, are off. */
enum { POINTS = 24 };
static const double margin = 1e-5;

static void check_part(const PliantRegion *region, int side, const Other *other, float tolerance,
                       int64_t number, Totals *totals)
{
    const PliantRegionPart *part = &region->parts[side];
    const double deepest[3] = {part->deepest[0], part->deepest[1], part->deepest[2]};
    totals->regions++;
    if (part->deepest_triangle < 0)
        return;
    const double truth = distance_out(other, deepest), within = insideness(other, deepest);
    if (truth < part->depth - 1e-6 || truth > part->depth + margin)
        fail(totals, "the deepest point is elsewhere", number, part, truth);
    if (part->depth > margin &&
        (region->is_inside[side] ? within < 0.5 - 1e-9 : within > 0.5 + 1e-9))
        fail(totals, "the deepest point is on the other side", number, part, truth);
    if (part->max_depth > part->depth * (1 + (double)tolerance) + margin) {
        totals->loose++;
        if (!other->is_open)
            fail(totals, "bounds are apart", number, part, truth);
    } else if (part->depth > margin)
        totals->worst = fmax(totals->worst, (double)part->max_depth / part->depth - 1);
}

/* A vertex of a part, or any point of a triangle of it. Where the other surface is open, that may
 * be on the right side of it. */
static void pick_point(const PliantRegions *regions, const PliantRegionPart *part,
                       const SceneMesh *mesh, bool is_vertex, SceneRandom *random, double p[3])
{
    const int32_t triangle =
        regions->triangles[part->first_triangle +
                           scene_random_below(random, (uint32_t)part->triangle_count)];
    const uint32_t *t = mesh->triangles + 3 * (size_t)triangle;
    double u = scene_random(random), v = scene_random(random);
    if (is_vertex && part->vertex_count > 0)
        t = (const uint32_t *)regions->vertices + part->first_vertex +
            scene_random_below(random, (uint32_t)part->vertex_count);
    u = u + v > 1 ? 1 - u : u;
    v = u + v > 1 ? 1 - v : v;
    for (int k = 0; k < 3; k++)
        p[k] = is_vertex ? mesh->vertices[3 * t[0] + (uint32_t)k]
                         : (1 - u - v) * mesh->vertices[3 * t[0] + (uint32_t)k] +
                               u * mesh->vertices[3 * t[1] + (uint32_t)k] +
                               v * mesh->vertices[3 * t[2] + (uint32_t)k];
}

/* Points of a part: none that counts may be deeper than the upper bound. */
static void sample_part(const PliantRegions *regions, const PliantRegion *region, int side,
                        const SceneMesh *mesh, const Other *other, SceneRandom *random,
                        int64_t number, Totals *totals)
{
    const PliantRegionPart *part = &region->parts[side];
    if (other->is_open && (part->deepest_triangle < 0 || part->vertex_count == 0))
        return;
    for (int i = 0; i < POINTS && part->triangle_count > 0; i++) {
        double p[3];
        pick_point(regions, part, mesh, other->is_open || i % 4 == 0, random, p);
        const double depth = distance_out(other, p);
        if (depth <= part->max_depth + margin)
            continue;
        const double within = insideness(other, p);
        if (region->is_inside[side] ? within > 0.5 + 1e-9 : within < 0.5 - 1e-9)
            fail(totals, "a point is deeper", number, part, depth);
    }
    totals->points += POINTS;
}

/* The depth that is told of a point. */
static void check_sample(const PliantRegion *region, int side, const Other *other, const float *at,
                         float depth, int64_t number, Totals *totals)
{
    const PliantRegionPart *part = &region->parts[side];
    const double p[3] = {at[0], at[1], at[2]};
    totals->samples++;
    if (part->deepest_triangle < 0) {
        if (depth > margin && part->max_depth == 0 && !other->is_open)
            fail(totals, "a sample of a part without depth", number, part, depth);
        return;
    }
    if (fabs((double)depth) <= margin)
        return;
    const double truth = distance_out(other, p), within = insideness(other, p);
    const bool is_in = region->is_inside[side] ? within >= 0.5 : within < 0.5;
    if (fabs(within - 0.5) > 1e-9 && is_in != (depth > 0))
        fail(totals, "a sample is on the other side", number, part, depth);
    if (is_in && fabs(truth - depth) > margin)
        fail(totals, "a sample has another depth", number, part, truth);
    if (depth > part->max_depth + margin && number % 8 != 7) /* else see check_samples() */
        fail(totals, "a sample is deeper", number, part, depth);
}

static double area_of(const float *a, const float *b, const float *c)
{
    double edges[2][3], square = 0;
    for (int k = 0; k < 3; k++) {
        edges[0][k] = (double)b[k] - a[k];
        edges[1][k] = (double)c[k] - a[k];
    }
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        const double across = edges[0][u] * edges[1][v] - edges[0][v] * edges[1][u];
        square += across * across;
    }
    return sqrt(square) / 2;
}

static bool is_short(const PliantRegionPiece *piece)
{
    for (int i = 0; i < 3; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const double along = (double)piece->corners[(i + 1) % 3][k] - piece->corners[i][k];
            square += along * along;
        }
        if (sqrt(square) > (double)PIECE_SIZE + margin)
            return false;
    }
    return true;
}

static double triangle_area(const SceneMesh *mesh, int32_t triangle)
{
    const float *corners[3];
    for (int i = 0; i < 3; i++)
        corners[i] = mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + i];
    return area_of(corners[0], corners[1], corners[2]);
}

/* Depths of vertices, and pieces: some of them are checked, and the area of all, which are the
 * part. Where faces are not divided, or curves cross, pieces are whole triangles. */
static void check_samples(const PliantRegions *regions, int64_t index, int side,
                          const SceneMesh *mesh, const Other *other, bool covers_faces,
                          int64_t number, Totals *totals)
{
    const PliantRegion *region = &regions->items[index];
    const PliantRegionPart *part = &region->parts[side];
    double area = 0, of_triangle = 0;
    int64_t count = 0;
    int32_t triangle = -1;
    for (int64_t i = 0; i < part->vertex_count; i += 1 + part->vertex_count / POINTS)
        check_sample(region, side, other,
                     mesh->vertices + 3 * (size_t)regions->vertices[part->first_vertex + i],
                     regions->vertex_depths[part->first_vertex + i], number, totals);
    for (int64_t i = 0; i < regions->piece_count; i++) {
        const PliantRegionPiece *piece = &regions->pieces[i];
        if (piece->region != index || piece->part != side)
            continue;
        of_triangle = piece->triangle == triangle ? of_triangle : 0;
        triangle = piece->triangle;
        const double here = area_of(piece->corners[0], piece->corners[1], piece->corners[2]);
        area += here;
        of_triangle += here;
        if (of_triangle > triangle_area(mesh, triangle) * (1 + 1e-3) + margin)
            fail(totals, "a triangle is there twice", number, part, of_triangle);
        if (!is_short(piece))
            fail(totals, "a piece is long", number, part, 0);
        if (count++ % 16 == number % 16)
            check_sample(region, side, other, piece->corners[number % 3], piece->depths[number % 3],
                         number, totals);
    }
    if (part->deepest_triangle >= 0 && !other->is_open && !other->boxes && !covers_faces &&
        fabs(area - part->area) > 1e-3 * part->area + margin)
        fail(totals, "pieces are not the part", number, part, area / part->area);
}

/* ---- Boxes ------------------------------------------------------------------------------------
 */

/* A box whose faces have n by n squares, of two triangles each. Each face has vertices of its own
 * position but shares them with its neighbors. */
static SceneMesh make_box(const Box *box, int n)
{
    const int side = n + 1;
    int32_t *names = scene_allocate((size_t)side * (size_t)side * (size_t)side, sizeof *names);
    SceneMesh mesh = {.vertices = scene_allocate((size_t)(6 * n * n + 2) * 3, sizeof(float)),
                      .triangles = scene_allocate((size_t)(12 * n * n) * 3, sizeof(uint32_t))};
    for (int axis = 0; axis < 3; axis++)
        for (int end = 0; end < 2; end++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    uint32_t corners[4];
                    for (int c = 0; c < 4; c++) {
                        int at[3];
                        at[axis] = end * n;
                        at[(axis + 1) % 3] = i + (c == 1 || c == 2);
                        at[(axis + 2) % 3] = j + (c >= 2);
                        int32_t *name = &names[(at[0] * side + at[1]) * side + at[2]];
                        if (*name == 0) {
                            for (int k = 0; k < 3; k++)
                                mesh.vertices[3 * mesh.vertex_count + k] =
                                    (float)(box->low[k] + (box->high[k] - box->low[k]) * at[k] / n);
                            *name = ++mesh.vertex_count;
                        }
                        corners[c] = (uint32_t)*name - 1;
                    }
                    const int order[2][6] = {{0, 2, 1, 0, 3, 2}, {0, 1, 2, 0, 2, 3}};
                    for (int c = 0; c < 6; c++)
                        mesh.triangles[3 * mesh.triangle_count + c] = corners[order[end][c]];
                    mesh.triangle_count += 2;
                }
    free(names);
    return mesh;
}

/* The greatest distance from the surface of `b` of a point on that of `a` that is inside of it. On
 * a face of a, each coordinate can be chosen for itself. */
static double box_depth(const Box *a, const Box *b)
{
    double greatest = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int end = 0; end < 2; end++) {
            double least = INFINITY;
            for (int k = 0; k < 3; k++) {
                double at =
                    k == axis ? (end ? a->high[k] : a->low[k]) : (b->low[k] + b->high[k]) / 2;
                at = k == axis ? at : fmin(fmax(at, a->low[k]), a->high[k]);
                least = fmin(least, fmin(at - b->low[k], b->high[k] - at));
            }
            greatest = fmax(greatest, least);
        }
    return greatest;
}

/* Boxes that intersect: coordinates are multiples of 1/64, and exact. */
static void check_boxes(int64_t number, Totals *totals)
{
    SceneRandom random = {(uint64_t)number};
    Box boxes[2];
    SceneMesh meshes[2];
    PliantWorld *world;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            const int low = (int)scene_random_below(&random, 96) - 64;
            boxes[i].low[k] = low / 64.0;
            boxes[i].high[k] = (low + 8 + (int)scene_random_below(&random, 96)) / 64.0;
        }
        meshes[i] = make_box(&boxes[i], 1 + (int)scene_random_below(&random, 4));
    }
    const float tolerance = number % 3 == 0 ? 0.001f : 0.01f;
    const PliantRegions regions = find(meshes, tolerance, number % 8 == 7, &world);
    for (int side = 0; side < 2; side++) {
        double lower = 0, upper = 0;
        for (int64_t i = 0; i < regions.count; i++) {
            const PliantRegionPart *part = &regions.items[i].parts[side];
            const Other other = {.mesh = &meshes[1 - side]};
            check_part(&regions.items[i], side, &other, tolerance, number, totals);
            lower = fmax(lower, part->depth);
            upper = fmax(upper, part->max_depth);
            if (i + 1 < regions.count)
                continue;
            const double truth = box_depth(&boxes[side], &boxes[1 - side]);
            if (lower > truth + 1e-6 || upper < truth - 1e-6)
                fail(totals, "boxes", number, part, truth);
        }
    }
    pliant_world_destroy(world);
    for (int i = 0; i < 2; i++)
        scene_mesh_free(&meshes[i]);
}

/* A ball, a torus or any other solid in the floor, which is a box: its lowest vertex is the deepest
 * point. Sunk by hardly anything or by half. */
static void check_sunk(int64_t number, Totals *totals)
{
    SceneRandom random = {(uint64_t)number};
    static const Box floor = {{-4, -4, -4}, {4, 4, 0}};
    SceneMesh meshes[2];
    PliantWorld *world;
    double rows[3][3], lowest = INFINITY, reach = 0;
    const SolidKind kind = number % 2   ? (SolidKind)scene_random_below(&random, SOLID_KIND_COUNT)
                           : number % 4 ? SOLID_torus
                                        : SOLID_round;
    meshes[0] = solid_random(kind, &random);
    solid_random_rotation(&random, rows);
    scene_mesh_move(&meshes[0], rows, (const double[3]){0, 0, 0});
    for (int32_t i = 0; i < meshes[0].vertex_count; i++)
        reach = fmax(reach, -(double)meshes[0].vertices[3 * i + 2]);
    const double sunk = number % 3 ? any(&random, 0, reach) : any(&random, 0, 1e-3);
    solid_place(&meshes[0], 1,
                (const double[3]){any(&random, -2, 2), any(&random, -2, 2), reach - sunk});
    for (int32_t i = 0; i < meshes[0].vertex_count; i++)
        lowest = fmin(lowest, meshes[0].vertices[3 * i + 2]);
    meshes[1] = make_box(&floor, 1 + (int)scene_random_below(&random, 6));
    const float tolerance = 0.01f;
    const PliantRegions regions = find(meshes, tolerance, false, &world);
    const PliantRegionPart *deepest = NULL;
    for (int64_t i = 0; i < regions.count; i++) {
        const PliantRegionPart *part = &regions.items[i].parts[0];
        for (int side = 0; side < 2; side++) {
            const Other other = {.mesh = &meshes[1 - side]};
            check_part(&regions.items[i], side, &other, tolerance, number, totals);
        }
        deepest = !deepest || part->depth > deepest->depth ? part : deepest;
    }
    if (deepest && (deepest->depth > -lowest + 1e-6 || deepest->max_depth < -lowest - 1e-6) &&
        kind != SOLID_pair && kind != SOLID_rack) /* of which one may be below, and not touch */
        fail(totals, "sunk", number, deepest, -lowest);
    pliant_world_destroy(world);
    for (int i = 0; i < 2; i++)
        scene_mesh_free(&meshes[i]);
}

/* ---- Solids ------------------------------------------------------------------------------------
 */

/* A solid of any kind, anywhere near the origin. */
static SceneMesh any_solid(SceneRandom *random)
{
    double rows[3][3], position[3];
    const SolidKind kind = (SolidKind)scene_random_below(random, SOLID_KIND_COUNT);
    SceneMesh mesh = solid_random(kind, random);
    solid_random_rotation(random, rows);
    for (int k = 0; k < 3; k++)
        position[k] = any(random, -0.5, 0.5);
    scene_mesh_move(&mesh, rows, position);
    return mesh;
}

/* Both parts of all regions of two meshes; what a part of the one is deep in is others[1 - side].
 * The meshes are freed. */
static void check_pair(SceneMesh meshes[2], const Other others[2], SceneRandom *random,
                       int64_t number, Totals *totals)
{
    PliantWorld *world;
    const float tolerance = 0.01f;
    const PliantRegions regions = find(meshes, tolerance, number % 8 == 7, &world);
    for (int64_t i = 0; i < regions.count; i++)
        for (int side = 0; side < 2; side++) {
            check_part(&regions.items[i], side, &others[1 - side], tolerance, number, totals);
            check_samples(&regions, i, side, &meshes[side], &others[1 - side], number % 8 == 7,
                          number, totals);
            if (regions.count == 1) /* else a point may be of another region */
                sample_part(&regions, &regions.items[i], side, &meshes[side], &others[1 - side],
                            random, number, totals);
        }
    pliant_world_destroy(world);
    for (int i = 0; i < 2; i++)
        scene_mesh_free(&meshes[i]);
}

static void check_solids(int64_t number, Totals *totals)
{
    SceneRandom random = {(uint64_t)number};
    SceneMesh meshes[2];
    const Other others[2] = {{.mesh = &meshes[0]}, {.mesh = &meshes[1]}};
    for (int i = 0; i < 2; i++)
        meshes[i] = any_solid(&random);
    check_pair(meshes, others, &random, number, totals);
}

static Box any_box(SceneRandom *random, bool is_on_grid)
{
    Box box;
    for (int k = 0; k < 3; k++) {
        double low = any(random, -1, 0.3), size = any(random, 0.2, 1);
        if (is_on_grid) {
            low = floor(8 * low) / 8;
            size = ceil(8 * size) / 8;
        }
        box.low[k] = (float)low;
        box.high[k] = (float)(box.low[k] + size);
    }
    return box;
}

/* A body of four boxes, which overlap, and a solid. */
static void check_shells(int64_t number, Totals *totals)
{
    SceneRandom random = {(uint64_t)number};
    SceneMesh meshes[2];
    Box boxes[BOXES];
    const Other others[2] = {{.mesh = &meshes[0]}, {.mesh = &meshes[1], .boxes = boxes}};
    meshes[0] = any_solid(&random);
    for (int i = 0; i < BOXES; i++) {
        boxes[i] = any_box(&random, number % 4 == 1);
        const SceneMesh box = make_box(&boxes[i], 1 + (int)scene_random_below(&random, 3));
        if (i == 0) {
            meshes[1] = box;
            continue;
        }
        SceneMesh before = meshes[1], added = box;
        meshes[1] = solid_join(&before, &added);
        scene_mesh_free(&before);
        scene_mesh_free(&added);
    }
    check_pair(meshes, others, &random, number, totals);
}

/* A box without a lid, and a solid. */
static void check_open(int64_t number, Totals *totals)
{
    SceneRandom random = {(uint64_t)number};
    SceneMesh meshes[2];
    const Other others[2] = {{.mesh = &meshes[0]}, {.mesh = &meshes[1], .is_open = true}};
    const int n = 1 + (int)scene_random_below(&random, 4);
    const Box box = any_box(&random, false);
    meshes[0] = any_solid(&random);
    meshes[1] = make_box(&box, n);
    meshes[1].triangle_count -= 2 * n * n;
    check_pair(meshes, others, &random, number, totals);
}

int main(int argc, char **argv)
{
    static void (*const checks[])(int64_t number, Totals * totals) = {
        check_boxes, check_solids, check_sunk, check_shells, check_open};
    enum { CHECKS = sizeof checks / sizeof *checks };
    const int64_t count = argc > 1 ? strtoll(argv[1], NULL, 10) : 1000;
    Totals totals = {0};
    for (int64_t i = 0; i < count; i++)
        checks[i % CHECKS](i / CHECKS, &totals);
    printf("depth: %" PRId64 " cases, %" PRId64 " parts, %" PRId64 " points, %" PRId64
           " samples, bounds at most %.2g apart but for %" PRId64 " parts, %" PRId64 " failures\n",
           count, totals.regions, totals.points, totals.samples, totals.worst, totals.loose,
           totals.failures);
    return totals.failures != 0 || totals.loose > 1 + totals.regions / 1000;
}
