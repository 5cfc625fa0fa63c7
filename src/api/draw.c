/* Debug drawing: see pliant/draw.h. Boxes come from the bounds that queries use; triangles and
 * vertices from the leaves that have them (decide/corners.h). */
#include "api/checks.h"
#include "decide/corners.h"
#include "shape/topology.h"
#include "world/crew.h"
#include <pliant/draw.h>

#include <string.h>

#define DEF_SIZE PLI_RECORD_SIZE(PliantDrawDef, regions)

enum { MAX_DEPTH = 64 };

/* What is drawn. */
typedef struct Drawing {
    const PliCall *call;
    PliantWorld *world;
    PliantDrawDef def;
} Drawing;

/* ---- Boxes ----------------------------------------------------------------------------------- */

/* Edges join corners whose numbers differ in one bit. An empty box has none. */
static void draw_box(const Drawing *drawing, PliantDrawKind kind, PliantBody body,
                     const PliBox *box)
{
    for (int k = 0; k < 3; k++)
        if (!(box->low[k] <= box->high[k]))
            return;
    for (int corner = 0; corner < 8; corner++)
        for (int axis = 0; axis < 3; axis++) {
            float from[3], to[3];
            if (corner >> axis & 1)
                continue;
            for (int k = 0; k < 3; k++) {
                from[k] = corner >> k & 1 ? box->high[k] : box->low[k];
                to[k] = k == axis ? box->high[k] : from[k];
            }
            drawing->def.line(drawing->def.user, kind, body, from, to);
        }
}

/* The parts that are `depth` below a node: its children, if that is 1. */
static PliantResult draw_parts(const Drawing *drawing, PliantBody name, PliBounds *bounds,
                               int32_t part, int32_t depth)
{
    PliWorker *worker = &drawing->world->first.worker;
    if (part < 0)
        return PLIANT_OK;
    const PliBoxes *boxes = pli_bounds_of(bounds, part, worker, PLI_SIDE_A);
    if (!boxes)
        return PLIANT_OUT_OF_MEMORY;
    const PliBoxes children = *boxes; /* opening a child may move them */
    const PliTreeNode *node = &bounds->tree->nodes[part];
    for (int32_t c = 0; c < node->child_count; c++) {
        PliBox box;
        for (int k = 0; k < 3; k++) {
            box.low[k] = children.low[k][c];
            box.high[k] = children.high[k][c];
        }
        if (depth == 1)
            draw_box(drawing, PLIANT_DRAW_NODE, name, &box);
        else
            PLI_TRY(draw_parts(drawing, name, bounds, node->children[c], depth - 1));
    }
    return PLIANT_OK;
}

static PliantResult draw_bodies(const Drawing *drawing)
{
    PliantWorld *world = drawing->world;
    PliBody *bodies = world->bodies.items;
    const PliantDrawDef *def = &drawing->def;
    for (int32_t i = 0; i < world->bodies.count; i++) {
        PliBounds *bounds = &bodies[i].pose.bounds;
        if (!pli_body_is_seen(&bodies[i]) || !(def->draws_boxes || def->depth > 0))
            continue;
        const PliantBody name = pli_world_handle(world, i);
        pli_world_update_body(world, &bodies[i]);
        if (def->draws_boxes)
            draw_box(drawing, PLIANT_DRAW_BODY, name, &bounds->root);
        if (def->depth > 0 && bounds->tree->leaf_count > 0)
            PLI_TRY(draw_parts(drawing, name, bounds, pli_whole_tree(bounds->tree), def->depth));
        pli_world_count(world, &bodies[i], PLI_SIDE_A);
    }
    return PLIANT_OK;
}

/* ---- Contacts -------------------------------------------------------------------------------- */

/* Has the body of an answer, which is there, not been set since? */
static PliantResult check_stamp(const Drawing *drawing, PliantBody name, uint64_t stamp)
{
    return stamp == 0 ? PLIANT_OK
                      : pli_world_check_stamp(drawing->call, drawing->world, name, stamp);
}

static PliantResult fetch(const Drawing *drawing, PliBody *body, int32_t triangle, float *corners)
{
    uint64_t keys[2];
    PLI_CHECK(drawing->call, triangle >= 0 && triangle < body->pose.number_count, PLIANT_BAD_INDEX,
              "an answer has triangle %" PRId32 ", the body has %" PRId32 " triangles", triangle,
              body->pose.number_count);
    return pli_fetch_corners(&body->pose, &triangle, 1, keys, &drawing->world->first.worker,
                             corners);
}

static PliantResult draw_triangle(const Drawing *drawing, PliantBody name, int32_t triangle)
{
    float corners[PLI_ROW_SIZE] = {0};
    PLI_CHECK_BODY(drawing->call, drawing->world, "a body of an answer", name, body);
    PLI_TRY(check_stamp(drawing, name, drawing->def.contacts->stamp));
    PLI_TRY(fetch(drawing, body, triangle, corners));
    drawing->def.triangle(drawing->def.user, PLIANT_DRAW_CONTACT, name, corners);
    return PLIANT_OK;
}

static PliantResult draw_contacts(const Drawing *drawing)
{
    const PliantContacts *contacts = drawing->def.contacts;
    const PliantDrawDef *def = &drawing->def;
    for (int64_t i = 0; contacts && contacts->items && def->triangle && i < contacts->count; i++) {
        const PliantContact *contact = &contacts->items[i];
        PLI_TRY(draw_triangle(drawing, contact->body_a, contact->triangle_a));
        PLI_TRY(draw_triangle(drawing, contact->body_b, contact->triangle_b));
    }
    return PLIANT_OK;
}

/* ---- Pairs of features ----------------------------------------------------------------------- */

/* Where a vertex is: of a mesh, as a corner of one of its triangles. */
static PliantResult place(const Drawing *drawing, PliantBody name, uint64_t stamp, uint32_t vertex,
                          float *position)
{
    PLI_CHECK_BODY(drawing->call, drawing->world, "a body of an answer", name, body);
    PLI_TRY(check_stamp(drawing, name, stamp));
    const PliSoup *soup = pli_soup_of(&body->pose);
    const PliVertexView *view = soup ? &soup->vertices : &body->mesh.vertices;
    float corners[PLI_ROW_SIZE] = {0};
    PLI_CHECK(drawing->call, (int64_t)vertex < view->count, PLIANT_BAD_INDEX,
              "an answer has vertex %" PRIu32 ", the body has %" PRId64, vertex,
              (int64_t)view->count);
    if (soup) {
        memcpy(position, view->data + view->stride * vertex, 3 * sizeof *position);
        pli_pose_move(&body->pose, position, 1);
        return PLIANT_OK;
    }
    const PliantShape *shape = body->mesh.shape;
    const PliRings *rings = NULL;
    PLI_TRY(pli_topology_rings(body->mesh.shape, &rings));
    const uint32_t group = shape->groups ? shape->groups[vertex] : vertex;
    int32_t at = rings->firsts[group];
    while (at < rings->firsts[group + 1] && shape->triangles[rings->corners[at]] != vertex)
        at++;
    PLI_CHECK(drawing->call, at < rings->firsts[group + 1], PLIANT_BAD_INDEX,
              "an answer has vertex %" PRIu32 ", which no triangle has", vertex);
    PLI_TRY(fetch(drawing, body, rings->corners[at] / 3, corners));
    memcpy(position, corners + 3 * (rings->corners[at] % 3), 3 * sizeof *position);
    return PLIANT_OK;
}

/* Two features: their vertices, those of body a first. */
typedef struct Pair {
    PliantDrawKind kind;
    PliantBody names[2];
    PliantFeatures features;
    const uint32_t *vertices;
    const float *weights;
} Pair;

/* A line between the sums of the weighted vertices. */
static PliantResult draw_pair(const Drawing *drawing, const Pair *pair, uint64_t stamp)
{
    static const int a_counts[] = {1, 3, 2, 0, 1, 1, 2}, counts[] = {4, 4, 4, 0, 2, 3, 3};
    float ends[2][3];
    double sums[2][3] = {{0}};
    PLI_CHECK(drawing->call, (unsigned)pair->features < 7, PLIANT_BAD_ARGUMENT,
              "an answer has the kind %d", (int)pair->features);
    if (counts[pair->features] == 0)
        return PLIANT_OK;
    for (int i = 0; i < counts[pair->features]; i++) {
        const int side = i >= a_counts[pair->features];
        float position[3] = {0};
        PLI_TRY(place(drawing, pair->names[side], stamp, pair->vertices[i], position));
        for (int k = 0; k < 3; k++)
            sums[side][k] += (double)pair->weights[i] * (double)position[k];
    }
    for (int k = 0; k < 6; k++)
        ends[k / 3][k % 3] = (float)(k < 3 ? sums[0][k] : -sums[1][k % 3]);
    drawing->def.line(drawing->def.user, pair->kind, pair->names[0], ends[0], ends[1]);
    return PLIANT_OK;
}

static PliantResult draw_pairs(const Drawing *drawing)
{
    const PliantNearPairs *near = drawing->def.near_pairs;
    const PliantImpacts *impacts = drawing->def.impacts;
    for (int64_t i = 0; near && i < near->count; i++) {
        const PliantNearPair *item = &near->items[i];
        const Pair pair = {PLIANT_DRAW_NEAR,
                           {item->body_a, item->body_b},
                           item->kind,
                           item->vertices,
                           item->weights};
        PLI_TRY(draw_pair(drawing, &pair, near->stamp));
    }
    for (int64_t i = 0; impacts && i < impacts->count; i++) {
        const PliantImpact *item = &impacts->items[i];
        const Pair pair = {PLIANT_DRAW_IMPACT,
                           {item->body_a, item->body_b},
                           item->kind,
                           item->vertices,
                           item->weights};
        PLI_TRY(draw_pair(drawing, &pair, impacts->stamp));
    }
    return PLIANT_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void draw_curves(const Drawing *drawing)
{
    const PliantRegions *regions = drawing->def.regions;
    const PliantBody nobody = {0, 0};
    for (int64_t c = 0; regions && c < regions->curve_count; c++) {
        const PliantCurve *curve = &regions->curves[c];
        const PliantCurvePoint *points = regions->points + curve->first_point;
        const int64_t lines = curve->is_closed ? curve->point_count : curve->point_count - 1;
        for (int64_t i = 0; i < lines; i++)
            drawing->def.line(drawing->def.user, PLIANT_DRAW_REGION, nobody, points[i].position,
                              points[(i + 1) % curve->point_count].position);
    }
}

static PliantResult draw(void *data)
{
    const Drawing *drawing = data;
    PLI_TRY(draw_contacts(drawing));
    if (!drawing->def.line)
        return PLIANT_OK;
    PLI_TRY(draw_bodies(drawing));
    PLI_TRY(draw_pairs(drawing));
    draw_curves(drawing);
    return PLIANT_OK;
}

PliantResult pliant_world_draw(PliantWorld *world, const PliantDrawDef *def)
{
    PLI_ASK_WORLD(world);
    Drawing drawing = {.call = &call, .world = world, .def = pliant_draw_def_default()};
    PLI_CHECK(&call, def, PLIANT_BAD_ARGUMENT, "def is NULL");
    PLI_READ_DEF(&call, "pliant_draw_def_default", def, &drawing.def, DEF_SIZE);
    PLI_CHECK(&call, drawing.def.depth >= 0 && drawing.def.depth <= MAX_DEPTH, PLIANT_BAD_ARGUMENT,
              "def.depth is %" PRId32 ": 0 to %d", drawing.def.depth, (int)MAX_DEPTH);
    return pli_world_ask_one(world, NULL, NULL, draw, &drawing);
}
