/* Regions of scenes against CGAL: number of curves and of regions, areas on both sides, and which
 * vertices are on the wrong side. And the same with the bodies swapped: parts have to be the same,
 * and normals negative, to the bit. And the same as self-intersections of one body. */
#include "oracle_volume.h"
#include "solids.h"
#include "twos.h"
#include <pliant/pliant.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Totals {
    int64_t checked, undecided, curves, regions, failures;
    double worst; /* relative difference of areas */
} Totals;

static void *must(void *block)
{
    if (!block)
        exit(1);
    return block;
}

/* The regions of two meshes, in this order or in the other. The world is the caller's. */
static PliantRegions find(const Two *two, bool is_swapped, PliantWorld **world)
{
    PliantContacts contacts = pliant_contacts_default();
    PliantRegions regions = pliant_regions_default();
    if (pliant_world_create(NULL, world) != PLIANT_OK)
        exit(1);
    for (int i = 0; i < 2; i++) {
        PliantBody body;
        PliantShape *shape = solid_shape(&two->meshes[is_swapped ? 1 - i : i]);
        if (pliant_body_create(*world, shape, &body) != PLIANT_OK)
            exit(1);
        pliant_shape_release(shape);
    }
    if (pliant_world_collide(*world, NULL, &contacts) != PLIANT_OK ||
        pliant_contacts_regions(*world, &contacts, NULL, &regions) != PLIANT_OK)
        exit(1);
    return regions;
}

static bool are_same_numbers(const PliantRegionPart *p, const PliantRegionPart *q)
{
    bool are_same = true;
    for (int k = 0; k < 3; k++)
        are_same &= p->area_normal[k] == q->area_normal[k] && p->centroid[k] == q->centroid[k] &&
                    p->deepest[k] == q->deepest[k] && p->closest[k] == q->closest[k];
    return are_same;
}

static bool is_same_part(const PliantRegions *a, const PliantRegionPart *p, const PliantRegions *b,
                         const PliantRegionPart *q)
{
    return p->triangle_count == q->triangle_count && p->vertex_count == q->vertex_count &&
           memcmp(a->triangles + p->first_triangle, b->triangles + q->first_triangle,
                  (size_t)p->triangle_count * sizeof *a->triangles) == 0 &&
           memcmp(a->vertices + p->first_vertex, b->vertices + q->first_vertex,
                  (size_t)p->vertex_count * sizeof *a->vertices) == 0 &&
           p->area == q->area && p->depth == q->depth && p->max_depth == q->max_depth &&
           are_same_numbers(p, q) && p->deepest_triangle == q->deepest_triangle &&
           p->closest_triangle == q->closest_triangle;
}

/* Has the other answer this region, with its parts swapped? */
static bool is_there_swapped(const PliantRegions *regions, const PliantRegion *region,
                             const PliantRegions *others)
{
    for (int64_t i = 0; i < others->count; i++) {
        const PliantRegion *other = &others->items[i];
        bool is_same = other->curve_count == region->curve_count;
        for (int k = 0; k < 3; k++)
            is_same &= other->normal[k] == -region->normal[k];
        for (int k = 0; k < 2; k++)
            is_same =
                is_same && is_same_part(regions, &region->parts[k], others, &other->parts[1 - k]);
        if (is_same)
            return true;
    }
    return false;
}

static int64_t count_unlike(const PliantRegions *regions, const PliantRegions *swapped)
{
    int64_t count = regions->count != swapped->count;
    for (int64_t i = 0; i < regions->count; i++)
        count += !is_there_swapped(regions, &regions->items[i], swapped);
    return count;
}

/* Vertices whose side is not that of the oracle. */
static int64_t count_wrong_vertices(const Two *two, const PliantRegions *regions,
                                    const OracleRegions *truth)
{
    int64_t count = 0;
    for (int side = 0; side < 2; side++) {
        const int32_t vertex_count = two->meshes[side].vertex_count;
        int8_t *inside = must(calloc((size_t)vertex_count, 1));
        for (int64_t i = 0; i < regions->count; i++) {
            const PliantRegionPart *part = &regions->items[i].parts[side];
            for (int64_t k = 0; k < part->vertex_count; k++)
                inside[regions->vertices[part->first_vertex + k]] = 1;
        }
        for (int32_t v = 0; v < vertex_count; v++)
            count += truth->inside[side][v] >= 0 && inside[v] != truth->inside[side][v];
        free(inside);
    }
    return count;
}

static int64_t count_open(const PliantRegions *regions)
{
    int64_t count = 0;
    for (int64_t i = 0; i < regions->curve_count; i++)
        count += !regions->curves[i].is_closed;
    return count;
}

static double area_difference(const PliantRegions *regions, const OracleRegions *truth)
{
    double worst = 0;
    for (int side = 0; side < 2; side++) {
        double sum = 0;
        for (int64_t i = 0; i < regions->count; i++)
            sum += regions->items[i].parts[side].area;
        worst = fmax(worst, fabs(sum - truth->areas[side]) / fmax(truth->areas[side], 1e-3));
    }
    return worst;
}

/* ---- As one body -------------------------------------------------------------------------------
 */

static PliantRegions find_self(const SceneMesh *mesh, PliantWorld **world)
{
    PliantContacts contacts = pliant_contacts_default();
    PliantRegions regions = pliant_regions_default();
    PliantShape *shape = solid_shape(mesh);
    PliantBody body;
    if (pliant_world_create(NULL, world) != PLIANT_OK ||
        pliant_body_create(*world, shape, &body) != PLIANT_OK ||
        pliant_bodies_collide(*world, body, body, NULL, &contacts) != PLIANT_OK ||
        pliant_contacts_regions(*world, &contacts, NULL, &regions) != PLIANT_OK)
        exit(1);
    pliant_shape_release(shape);
    return regions;
}

static bool is_close(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), 1e-3);
}

/* The same part, with its numbers counted from others. Depths may differ by the tolerance: the
 * order of the search is another. */
static bool is_shifted_part(const PliantRegions *a, const PliantRegionPart *p,
                            const PliantRegions *b, const PliantRegionPart *q, int32_t triangles,
                            int32_t vertices, bool has_one_depth)
{
    bool is_same = p->triangle_count == q->triangle_count && p->vertex_count == q->vertex_count &&
                   is_close(p->area, q->area) &&
                   (!has_one_depth || (q->depth <= p->max_depth && p->depth <= q->max_depth));
    for (int64_t i = 0; i < p->triangle_count && is_same; i++)
        is_same =
            a->triangles[p->first_triangle + i] == b->triangles[q->first_triangle + i] + triangles;
    for (int64_t i = 0; i < p->vertex_count && is_same; i++)
        is_same = a->vertices[p->first_vertex + i] == b->vertices[q->first_vertex + i] + vertices;
    return is_same;
}

/* How many regions of two bodies are none if they are one body? */
static int64_t count_unlike_self(const Two *two, const PliantRegions *regions)
{
    SceneMesh both = solid_join(&two->meshes[0], &two->meshes[1]);
    PliantWorld *world;
    const PliantRegions self = find_self(&both, &world);
    const bool has_one_depth = regions->count == 1 && strcmp(two->name, "solids") != 0;
    int64_t count = self.count != regions->count || self.curve_count != regions->curve_count;
    for (int64_t i = 0; i < regions->count; i++) {
        bool is_there = false;
        for (int64_t j = 0; j < self.count && !is_there; j++)
            is_there = is_shifted_part(&self, &self.items[j].parts[0], regions,
                                       &regions->items[i].parts[0], 0, 0, has_one_depth) &&
                       is_shifted_part(&self, &self.items[j].parts[1], regions,
                                       &regions->items[i].parts[1], two->meshes[0].triangle_count,
                                       two->meshes[0].vertex_count, has_one_depth);
        count += !is_there;
    }
    pliant_world_destroy(world);
    scene_mesh_free(&both);
    return count;
}

static void check(const Two *two, int64_t number, Totals *totals)
{
    const SceneMesh *meshes = two->meshes;
    OracleMesh given[2];
    OracleRegions truth;
    for (int i = 0; i < 2; i++) {
        given[i] = (OracleMesh){meshes[i].vertices, meshes[i].triangles, meshes[i].vertex_count,
                                meshes[i].triangle_count};
        truth.inside[i] = must(calloc((size_t)meshes[i].vertex_count, 1));
    }
    PliantWorld *worlds[2];
    const PliantRegions regions = find(two, false, &worlds[0]);
    const PliantRegions swapped = find(two, true, &worlds[1]);
    const int64_t unlike = count_unlike(&regions, &swapped);
    if (oracle_cgal_regions(&given[0], &given[1], &truth)) {
        const int64_t wrong = count_wrong_vertices(two, &regions, &truth);
        const double difference = area_difference(&regions, &truth);
        totals->checked++;
        totals->curves += truth.curve_count;
        totals->regions += truth.region_count;
        totals->worst = fmax(totals->worst, difference);
        if (regions.curve_count != truth.curve_count || count_open(&regions) > 0 ||
            regions.count != truth.region_count || wrong > 0 || !(difference < 1e-6)) {
            totals->failures++;
            printf("%s %" PRId64 ": %" PRId64 " curves, %" PRId64 " open, in %" PRId64
                   " regions; the oracle has %d in %d; %" PRId64
                   " vertices are wrong, areas differ by %.2g\n",
                   two->name, number, regions.curve_count, count_open(&regions), regions.count,
                   truth.curve_count, truth.region_count, wrong, difference);
        }
    } else {
        totals->undecided++;
    }
    if (unlike > 0) {
        totals->failures++;
        printf("%s %" PRId64 ": %" PRId64 " of %" PRId64 " regions differ if bodies are swapped\n",
               two->name, number, unlike, regions.count);
    }
    const int64_t unlike_self = count_unlike_self(two, &regions);
    if (unlike_self > 0) {
        totals->failures++;
        printf("%s %" PRId64 ": %" PRId64 " of %" PRId64 " regions differ as one body\n", two->name,
               number, unlike_self, regions.count);
    }
    for (int i = 0; i < 2; i++) {
        free(truth.inside[i]);
        pliant_world_destroy(worlds[i]);
    }
}

int main(int argc, char **argv)
{
    const int64_t count = argc > 1 ? strtoll(argv[1], NULL, 10) : 100;
    Totals totals = {0};
    for (int64_t i = 0; i < count; i++) {
        Two two = two_make(i);
        check(&two, i, &totals);
        two_free(&two);
    }
    printf("regions: %" PRId64 " pairs compared, %" PRId64 " without an answer, %" PRId64
           " curves, %" PRId64 " regions, areas at most %.1e apart, %" PRId64 " failures\n",
           totals.checked, totals.undecided, totals.curves, totals.regions, totals.worst,
           totals.failures);
    return totals.failures != 0 || totals.checked * 2 < count;
}
