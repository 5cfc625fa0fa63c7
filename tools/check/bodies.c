/* Parts as shapes and bodies: see bodies.h. */
#include "check/bodies.h"

#include <stdlib.h>
#include <string.h>

/* Keeps what is wrong, without the name of the function in front: it says nothing to a user of the
 * command. A surface that is not closed is no failure of the command. */
static void hear(void *user, PliantResult result, const char *message)
{
    if (result == PLIANT_NOT_CLOSED)
        return;
    const char *colon = strstr(message, ": ");
    snprintf(user, sizeof((Bodies *)NULL)->message, "%s", colon ? colon + 2 : message);
}

bool bodies_fail(const Bodies *bodies, PliantResult result, const char *part, char error[400])
{
    const char *said = bodies->message[0] ? bodies->message : pliant_result_text(result);
    return check_fail(error, "%s%s%s", part ? part : "", part ? ": " : "", said);
}

static bool no_memory(char error[400])
{
    return check_fail(error, "there is no memory left");
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

static PliantTarget *make_targets(const ScenePart *part)
{
    const size_t size = 3 * (size_t)part->vertex_count;
    PliantTarget *targets = calloc((size_t)part->target_count + 1, sizeof *targets);
    for (int32_t t = 0; t < part->target_count && targets; t++)
        targets[t].vertices =
            (PliantVertices){part->targets + size * (size_t)t, part->vertex_count, 0};
    return targets;
}

/* The shape of a part, with all that moves it, or of its triangles alone. */
static PliantResult make_shape(const Bodies *bodies, const PartBody *item, bool is_plain,
                               PliantShape **shape)
{
    const ScenePart *part = item->part;
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){part->vertices, part->vertex_count, 0};
    def.triangles = (PliantTriangles){part->triangles, part->triangle_count};
    def.host = &bodies->host;
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
    free(targets);
    return result;
}

static PliantResult make_body(Bodies *bodies, PartBody *item, PliantWorld *world, bool is_plain,
                              PliantBody *body)
{
    PliantShape *shape = NULL;
    PliantResult result = make_shape(bodies, item, is_plain, &shape);
    if (result == PLIANT_OK)
        result = pliant_body_create(world, shape, body);
    PliantShapeInfo info = pliant_shape_info_default();
    if (result == PLIANT_OK)
        result = pliant_shape_info(shape, &info);
    item->is_closed = info.is_closed;
    pliant_shape_release(shape);
    return result;
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

static bool make_room(PartBody *item, bool has_vertices)
{
    const ScenePart *part = item->part;
    item->joints = calloc((size_t)item->joint_count + 1, sizeof *item->joints);
    item->weights = calloc((size_t)part->target_count + 1, sizeof *item->weights);
    if (has_vertices)
        item->vertices = calloc((size_t)part->vertex_count, 3 * sizeof *item->vertices);
    return item->joints && item->weights && (item->vertices || !has_vertices);
}

static PliantResult make_both(Bodies *bodies, PartBody *item)
{
    PliantResult result = make_body(bodies, item, bodies->sources, false, &item->source);
    item->body = item->source;
    if (result == PLIANT_OK && bodies->is_eager)
        result = make_body(bodies, item, bodies->world, true, &item->body);
    if (result == PLIANT_OK && bodies->is_eager)
        result = pliant_body_set_update_kind(bodies->world, item->body, PLIANT_UPDATE_BOTTOM_UP);
    return result;
}

static bool make_item(Bodies *bodies, const Scene *scene, int32_t number, char error[400])
{
    PartBody *item = &bodies->items[bodies->count++];
    const ScenePart *part = &scene->parts[number];
    *item = (PartBody){
        .part = part,
        .scene_part = number,
        .joint_count = part->skin >= 0 ? scene->skins[part->skin].joint_count : 0,
        .transform = pliant_transform_identity(),
    };
    if (!make_room(item, part->cached >= 0 || bodies->is_eager))
        return no_memory(error);
    PliantResult result = make_both(bodies, item);
    return result == PLIANT_OK || bodies_fail(bodies, result, part->name, error);
}

static PliantResult make_worlds(Bodies *bodies)
{
    PliantWorldDef def = pliant_world_def_default();
    def.host = &bodies->host;
    PliantResult result = pliant_world_create(&def, &bodies->world);
    bodies->sources = bodies->world;
    if (result == PLIANT_OK && bodies->is_eager) {
        bodies->sources = NULL;
        result = pliant_world_create(&def, &bodies->sources);
    }
    return result;
}

bool bodies_make(Bodies *bodies, const Scene *scene, const int32_t *parts, int32_t part_count,
                 bool is_eager, char error[400])
{
    *bodies = (Bodies){.is_eager = is_eager};
    bodies->host = pliant_host_default();
    bodies->host.report = hear;
    bodies->host.user = bodies->message;
    bodies->items = calloc((size_t)part_count + 1, sizeof *bodies->items);
    PliantResult result = make_worlds(bodies);
    bool is_made = bodies->items && result == PLIANT_OK;
    if (!is_made)
        no_memory(error);
    for (int32_t i = 0; i < part_count && is_made; i++)
        is_made = make_item(bodies, scene, parts[i], error);
    if (!is_made)
        bodies_free(bodies);
    return is_made;
}

void bodies_free(Bodies *bodies)
{
    for (int32_t i = 0; i < bodies->count && bodies->items; i++) {
        free(bodies->items[i].joints);
        free(bodies->items[i].weights);
        free(bodies->items[i].vertices);
    }
    free(bodies->items);
    if (bodies->sources != bodies->world)
        pliant_world_destroy(bodies->sources);
    pliant_world_destroy(bodies->world);
    *bodies = (Bodies){0};
}

/* ---- Poses ----------------------------------------------------------------------------------- */

/* Keeps what is told; is it something new? */
static bool is_news(bool is_posed, void *kept, const void *told, size_t size)
{
    if (size == 0 || (is_posed && memcmp(kept, told, size) == 0))
        return false;
    memcpy(kept, told, size);
    return true;
}

static PliantResult report(const Bodies *bodies, PartBody *item, const PartPose *pose)
{
    PliantWorld *world = bodies->sources;
    const ScenePart *part = item->part;
    const bool is_posed = item->is_posed && !bodies->is_eager;
    const size_t vertex_size = 3 * sizeof(float) * (size_t)part->vertex_count;
    PliantResult result = PLIANT_OK;
    item->is_posed = true;
    if (is_news(is_posed, &item->transform, &pose->transform, sizeof item->transform))
        result = pliant_body_set_transform(world, item->source, &item->transform);
    if (result == PLIANT_OK && pose->vertices &&
        is_news(is_posed, item->vertices, pose->vertices, vertex_size))
        result = pliant_body_set_vertices(world, item->source,
                                          (PliantVertices){item->vertices, part->vertex_count, 0});
    if (result == PLIANT_OK && pose->weights &&
        is_news(is_posed, item->weights, pose->weights, sizeof(float) * (size_t)part->target_count))
        result = pliant_body_set_weights(world, item->source, item->weights, part->target_count);
    if (result == PLIANT_OK && pose->joints &&
        is_news(is_posed, item->joints, pose->joints,
                sizeof(PliantTransform) * (size_t)item->joint_count))
        result = pliant_body_set_joints(world, item->source, item->joints, item->joint_count);
    return result;
}

/* What a library without lazy bodies does: all vertices, each time. */
static PliantResult evaluate(const Bodies *bodies, const PartBody *item)
{
    PliantResult result = pliant_body_vertices(bodies->sources, item->source, item->vertices,
                                               item->part->vertex_count);
    if (result == PLIANT_OK)
        result =
            pliant_body_set_vertices(bodies->world, item->body,
                                     (PliantVertices){item->vertices, item->part->vertex_count, 0});
    return result;
}

bool bodies_pose(Bodies *bodies, const ScenePose *pose, char error[400])
{
    for (int32_t i = 0; i < bodies->count; i++) {
        PartBody *item = &bodies->items[i];
        PliantResult result = report(bodies, item, scene_pose_part(pose, item->scene_part));
        if (result == PLIANT_OK && bodies->is_eager)
            result = evaluate(bodies, item);
        if (result != PLIANT_OK)
            return bodies_fail(bodies, result, item->part->name, error);
    }
    return true;
}
