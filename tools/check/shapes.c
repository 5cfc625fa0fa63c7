/* Parts as shapes: see shapes.h. */
#include "check/shapes.h"
#include "check/facing.h"

#include <stdlib.h>
#include <string.h>

/* ---- What the library says --------------------------------------------------------------------
 */

/* The name of the function in front says nothing to a user of the command. */
static void hear(void *user, PliantResult result, const char *message)
{
    (void)result;
    Heard *heard = user;
    const char *colon = strstr(message, ": ");
    snprintf(heard->text, sizeof heard->text, "%s", colon ? colon + 2 : message);
}

PliantHost heard_host(Heard *heard)
{
    PliantHost host = pliant_host_default();
    host.report = hear;
    host.user = heard;
    return host;
}

bool heard_fail(const Heard *heard, PliantResult result, const char *part, char error[400])
{
    const char *said = heard->text[0] ? heard->text : pliant_result_text(result);
    return check_fail(error, "%s%s%s", part ? part : "", part ? ": " : "", said);
}

/* ---- One shape ------------------------------------------------------------------------------- */

static PliantTarget *make_targets(const ScenePart *part)
{
    const size_t size = 3 * (size_t)part->vertex_count;
    PliantTarget *targets = calloc((size_t)part->target_count + 1, sizeof *targets);
    for (int32_t t = 0; t < part->target_count && targets; t++)
        targets[t].vertices =
            (PliantVertices){part->targets + size * (size_t)t, part->vertex_count, 0};
    return targets;
}

/* The triangles of a part, turned over if need be. Allocated; NULL: no memory. */
static uint32_t *copy_triangles(const PartShape *item)
{
    const size_t count = 3 * (size_t)item->part->triangle_count;
    uint32_t *triangles = malloc(count * sizeof *triangles + 1);
    for (size_t i = 0; i < count && triangles; i++) {
        const size_t turned = i % 3 == 0 ? i : i - i % 3 + (3 - i % 3);
        triangles[i] = item->part->triangles[item->is_turned ? turned : i];
    }
    return triangles;
}

/* The shape of a part, with all that moves it, or of its triangles alone. */
static PliantResult make_shape_of(PartShape *item, const PliantHost *host, bool is_plain,
                                  const uint32_t *triangles, PliantShape **shape)
{
    const ScenePart *part = item->part;
    PliantShapeInfo info = pliant_shape_info_default();
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){part->vertices, part->vertex_count, 0};
    def.triangles = (PliantTriangles){triangles, part->triangle_count};
    def.host = host;
    PliantTarget *targets = make_targets(part);
    if (!targets)
        return PLIANT_OUT_OF_MEMORY;
    if (!is_plain) {
        def.morph_kind = PLIANT_MORPH_DISPLACEMENTS;
        def.targets = targets;
        def.target_count = part->target_count;
    }
    PliantSkin skin = pliant_skin_default();
    if (!is_plain && item->joint_count > 0) {
        skin.joint_count = item->joint_count;
        skin.influence_count = part->influence_count;
        skin.joints = part->joints;
        skin.weights = part->joint_weights;
        def.skin = &skin;
    }
    PliantResult result = pliant_shape_create(&def, shape);
    if (result == PLIANT_OK)
        result = pliant_shape_info(*shape, &info);
    item->is_closed = info.is_closed;
    free(targets);
    return result;
}

static PliantResult make_shape(PartShape *item, const PliantHost *host, bool is_plain,
                               PliantShape **shape)
{
    uint32_t *triangles = copy_triangles(item);
    const PliantResult result =
        triangles ? make_shape_of(item, host, is_plain, triangles, shape) : PLIANT_OUT_OF_MEMORY;
    free(triangles);
    return result;
}

/* ---- Pieces -----------------------------------------------------------------------------------
 */

/* The least vertex that is known to be of the same piece. */
static uint32_t root_of(uint32_t *same, uint32_t vertex)
{
    while (same[vertex] != vertex)
        vertex = same[vertex] = same[same[vertex]];
    return vertex;
}

static PliantResult find_pieces(PartShape *item)
{
    const ScenePart *part = item->part;
    const int64_t corner_count = 3 * (int64_t)part->triangle_count;
    uint32_t *same = malloc(((size_t)part->vertex_count + 1) * sizeof *same);
    bool *is_listed = calloc((size_t)part->vertex_count + 1, sizeof *is_listed);
    item->pieces = malloc(((size_t)part->triangle_count + 1) * sizeof *item->pieces);
    const bool is_made = same && is_listed && item->pieces;
    for (int32_t v = 0; is_made && v < part->vertex_count; v++)
        same[v] = (uint32_t)v;
    for (int64_t i = 0; is_made && i < corner_count; i++) {
        const uint32_t a = root_of(same, part->triangles[i - i % 3]);
        const uint32_t b = root_of(same, part->triangles[i]);
        same[a < b ? b : a] = a < b ? a : b;
    }
    for (int32_t t = 0; is_made && t < part->triangle_count; t++) {
        const uint32_t root = root_of(same, part->triangles[3 * (int64_t)t]);
        if (!is_listed[root])
            item->pieces[item->piece_count++] = t;
        is_listed[root] = true;
    }
    free(is_listed);
    free(same);
    return is_made ? PLIANT_OK : PLIANT_OUT_OF_MEMORY;
}

/* ---- All of them ----------------------------------------------------------------------------- */

typedef struct Making {
    Shapes *shapes;
    PliantPool *pool; /* that a shape is made with; NULL: its own task is all there is */
} Making;

/* PliantTask */
static void make_item(void *data, int32_t index, int32_t worker)
{
    const Making *making = data;
    PartShape *item = &making->shapes->items[index];
    PliantHost host = heard_host(&item->heard);
    (void)worker;
    pliant_pool_attach(making->pool, &host);
    item->result = make_shape(item, &host, false, &item->shape);
    if (item->result == PLIANT_OK && making->shapes->is_eager)
        item->result = make_shape(item, &host, true, &item->plain);
    if (item->result == PLIANT_OK)
        item->result = find_pieces(item);
}

bool shapes_make(Shapes *shapes, const Scene *scene, const int32_t *parts, int32_t part_count,
                 bool is_eager, PliantPool *pool, char error[400])
{
    *shapes = (Shapes){.is_eager = is_eager};
    shapes->items = calloc((size_t)part_count + 1, sizeof *shapes->items);
    if (!shapes->items)
        return check_no_memory(error);
    shapes->count = part_count;
    for (int32_t i = 0; i < part_count; i++) {
        const ScenePart *part = &scene->parts[parts[i]];
        shapes->items[i] = (PartShape){
            .part = part,
            .scene_part = parts[i],
            .joint_count =
                part->skin >= 0 && part->cached < 0 ? scene->skins[part->skin].joint_count : 0,
        };
    }
    if (!facing_find(scene, shapes, error)) {
        shapes_free(shapes);
        return false;
    }
    Making making = {shapes, part_count == 1 ? pool : NULL};
    pliant_pool_run(pool, make_item, &making, part_count);
    for (int32_t i = 0; i < part_count; i++) {
        const PartShape *item = &shapes->items[i];
        if (item->result != PLIANT_OK) {
            heard_fail(&item->heard, item->result, item->part->name, error);
            shapes_free(shapes);
            return false;
        }
    }
    return true;
}

void shapes_free(Shapes *shapes)
{
    for (int32_t i = 0; i < shapes->count; i++) {
        pliant_shape_release(shapes->items[i].shape);
        pliant_shape_release(shapes->items[i].plain);
        free(shapes->items[i].pieces);
    }
    free(shapes->items);
    *shapes = (Shapes){0};
}
