/* Cuts: see cut.h. */
#include "check/cut.h"
#include "check/cut_depth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Bodies ---------------------------------------------------------------------------------- */

struct Cuts {
    Shapes shapes; /* of all parts: a part's number is that of its body */
    Bodies bodies;
};

static bool make_shapes(const Scene *scene, Shapes *shapes, char error[400])
{
    int32_t *parts = calloc((size_t)scene->part_count + 1, sizeof *parts);
    if (!parts)
        return check_no_memory(error);
    for (int32_t p = 0; p < scene->part_count; p++)
        parts[p] = p;
    const bool is_made = shapes_make(shapes, scene, parts, scene->part_count, false, NULL, error);
    free(parts);
    return is_made;
}

Cuts *cuts_create(const Scene *scene, char error[400])
{
    Cuts *cuts = calloc(1, sizeof *cuts);
    if (!cuts) {
        check_no_memory(error);
        return NULL;
    }
    if (make_shapes(scene, &cuts->shapes, error)) {
        if (bodies_make(&cuts->bodies, &cuts->shapes, NULL, error))
            return cuts;
        shapes_free(&cuts->shapes);
    }
    free(cuts);
    return NULL;
}

void cuts_free(Cuts *cuts)
{
    if (!cuts)
        return;
    bodies_free(&cuts->bodies);
    shapes_free(&cuts->shapes);
    free(cuts);
}

bool cuts_pose(Cuts *cuts, const ScenePose *pose, char error[400])
{
    return bodies_pose(&cuts->bodies, pose, error);
}

bool cuts_vertices(Cuts *cuts, int32_t part, float *vertices, char error[400])
{
    const PartBody *item = &cuts->bodies.items[part];
    const PliantResult result = pliant_body_vertices(cuts->bodies.world, item->body, vertices,
                                                     item->shape->part->vertex_count);
    return result == PLIANT_OK ||
           heard_fail(&cuts->bodies.heard, result, item->shape->part->name, error);
}

/* ---- Distances -------------------------------------------------------------------------------
 */

bool cuts_distances(Cuts *cuts, int32_t part, int32_t from, float reach, float *distances,
                    char error[400])
{
    const Bodies *bodies = &cuts->bodies;
    const PartBody *item = &bodies->items[part];
    float *vertices = NULL;
    PliantResult result = bodies_vertices(bodies, item, &vertices);
    if (result == PLIANT_OK)
        result = bodies_distances(bodies, &bodies->items[from], reach, vertices,
                                  item->shape->part->vertex_count, distances, NULL);
    free(vertices);
    return result == PLIANT_OK ||
           heard_fail(&bodies->heard, result, bodies->items[from].shape->part->name, error);
}

/* ---- Segments -------------------------------------------------------------------------------- */

static bool contact_counts(const CutWork *work, const PliantContact *contact)
{
    return work->is_all || found_is_known(&work->news, contact->triangle_a, contact->triangle_b);
}

static void add_segment(Cut *cut, const PliantContact *contact, const PliantIntersectionPoint *from,
                        const PliantIntersectionPoint *to, bool is_flat)
{
    CutSegment *segment = &cut->segments[cut->segment_count++];
    *segment =
        (CutSegment){.triangles = {contact->triangle_a, contact->triangle_b}, .is_flat = is_flat};
    for (int k = 0; k < 3; k++) {
        segment->ends[0][k] = from->position[k];
        segment->ends[1][k] = to->position[k];
    }
}

/* Two points are a segment; more are the corners of a polygon. */
static PliantResult find_segments(const CutWork *work, const PliantContacts *contacts)
{
    PliantIntersections all = pliant_intersections_default();
    PliantResult result = pliant_contacts_intersections(work->bodies->world, contacts, NULL, &all);
    if (result != PLIANT_OK)
        return result;
    work->cut->segments = malloc(((size_t)all.point_count + 1) * sizeof *work->cut->segments);
    if (!work->cut->segments)
        return PLIANT_OUT_OF_MEMORY;
    for (int64_t i = 0; i < all.count; i++) {
        const PliantIntersectionPoint *points = all.points + all.items[i].first_point;
        const int32_t count = all.items[i].point_count;
        const int32_t edge_count = count == 2 ? 1 : count;
        if (count < 2 || !contact_counts(work, &contacts->items[i]))
            continue;
        for (int32_t k = 0; k < edge_count; k++)
            add_segment(work->cut, &contacts->items[i], &points[k], &points[(k + 1) % count],
                        count > 2);
    }
    return PLIANT_OK;
}

/* ---- One cut --------------------------------------------------------------------------------- */

static PliantResult make_depths(Cut *cut, const CutWork *work)
{
    for (int k = 0; k < 2; k++)
        cut->depths[k] =
            k == 1 && cut_is_self(work)
                ? cut->depths[0]
                : calloc((size_t)work->sides[k]->shape->part->vertex_count + 1, sizeof(float));
    return cut->depths[0] && cut->depths[1] ? PLIANT_OK : PLIANT_OUT_OF_MEMORY;
}

static PliantResult read_vertices(CutWork *work, int side)
{
    if (side == 0 || !cut_is_self(work))
        return bodies_vertices(work->bodies, work->sides[side], &work->vertices[side]);
    work->vertices[1] = work->vertices[0];
    return PLIANT_OK;
}

static PliantResult read_news(const CutQuery *query, CutWork *work)
{
    const bool is_self = cut_is_self(work);
    work->is_all = !query->pairs;
    if (work->is_all)
        return PLIANT_OK;
    if (!face_pair_make(&work->news, work->sides[0]->shape->part->triangle_count,
                        work->sides[1]->shape->part->triangle_count, is_self))
        return PLIANT_OUT_OF_MEMORY;
    for (int64_t i = 0; i < query->pair_count; i++) {
        faces_add(work->news.a, query->pairs[2 * i]);
        faces_add(work->news.b, query->pairs[2 * i + 1]);
    }
    return PLIANT_OK;
}

static PliantResult find(CutWork *work, bool is_segments_only)
{
    PliantWorld *world = work->bodies->world;
    PliantContacts contacts = pliant_contacts_default();
    PliantRegions regions = pliant_regions_default();
    PliantResult result =
        pliant_bodies_collide(world, work->sides[0]->body, work->sides[1]->body, NULL, &contacts);
    if (result == PLIANT_OK)
        result = find_segments(work, &contacts);
    if (result != PLIANT_OK || is_segments_only)
        return result;
    PliantRegionsDef def = pliant_regions_def_default();
    def.with_vertex_depths = true;
    result = pliant_contacts_regions(world, &contacts, &def, &regions);
    if (result == PLIANT_OK)
        result = cut_find_depths(work, &regions);
    if (result != PLIANT_OK)
        return result;
    def.with_vertex_depths = false;
    def.piece_size = (float)cut_piece_size(work, &regions);
    if (!(def.piece_size > 0) || regions.count == 0)
        return PLIANT_OK;
    result = pliant_contacts_regions(world, &contacts, &def, &regions);
    return result == PLIANT_OK ? cut_read_pieces(work, &regions) : result;
}

static PliantResult begin(Bodies *bodies, const CutQuery *query, Cut *cut, CutWork *work)
{
    *work = (CutWork){.bodies = bodies,
                      .sides = {&bodies->items[query->parts[0]], &bodies->items[query->parts[1]]},
                      .spacing = query->spacing,
                      .depth_spacing = query->depth_spacing,
                      .cut = cut};
    *cut = (Cut){0};
    PliantResult result = make_depths(cut, work);
    for (int k = 0; k < 2 && result == PLIANT_OK; k++)
        result = read_vertices(work, k);
    return result == PLIANT_OK ? read_news(query, work) : result;
}

static bool end(CutWork *work, PliantResult result, char error[400])
{
    free(work->vertices[0]);
    if (!cut_is_self(work))
        free(work->vertices[1]);
    face_pair_free(&work->news);
    if (result == PLIANT_OK)
        return true;
    cut_free(work->cut);
    return heard_fail(&work->bodies->heard, result, work->sides[0]->shape->part->name, error);
}

bool cuts_find(Cuts *cuts, const CutQuery *query, Cut *cut, char error[400])
{
    CutWork work;
    PliantResult result = begin(&cuts->bodies, query, cut, &work);
    if (result == PLIANT_OK)
        result = find(&work, query->is_segments_only);
    return end(&work, result, error);
}

bool cut_find_vertices(Bodies *bodies, const CutQuery *query, const PliantRegions *regions,
                       Cut *cut, char error[400])
{
    CutWork work;
    PliantResult result = begin(bodies, query, cut, &work);
    if (result == PLIANT_OK)
        result = cut_find_depths(&work, regions);
    return end(&work, result, error);
}

void cut_free(Cut *cut)
{
    free(cut->segments);
    free(cut->regions);
    free(cut->points);
    free(cut->pieces);
    free(cut->depths[0]);
    if (cut->depths[1] != cut->depths[0])
        free(cut->depths[1]);
    *cut = (Cut){0};
}
