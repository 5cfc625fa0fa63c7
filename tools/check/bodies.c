/* Shapes as bodies: see bodies.h. */
#include "check/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Bodies ---------------------------------------------------------------------------------- */

static bool make_room(PartBody *item, bool has_vertices)
{
    const ScenePart *part = item->shape->part;
    item->joints = calloc((size_t)item->shape->joint_count + 1, sizeof *item->joints);
    item->weights = calloc((size_t)part->target_count + 1, sizeof *item->weights);
    if (has_vertices)
        item->vertices = calloc((size_t)part->vertex_count, 3 * sizeof *item->vertices);
    return item->joints && item->weights && (item->vertices || !has_vertices);
}

static PliantResult make_both(const Bodies *bodies, PartBody *item)
{
    PliantResult result = pliant_body_create(bodies->sources, item->shape->shape, &item->source);
    item->body = item->source;
    if (result == PLIANT_OK && bodies->is_eager)
        result = pliant_body_create(bodies->world, item->shape->plain, &item->body);
    if (result == PLIANT_OK && bodies->is_eager)
        result = pliant_body_set_update_kind(bodies->world, item->body, PLIANT_UPDATE_BOTTOM_UP);
    return result;
}

static bool make_item(Bodies *bodies, const PartShape *shape, char error[400])
{
    PartBody *item = &bodies->items[bodies->count++];
    *item = (PartBody){.shape = shape, .transform = pliant_transform_identity()};
    if (!make_room(item, shape->part->cached >= 0 || bodies->is_eager))
        return check_no_memory(error);
    PliantResult result = make_both(bodies, item);
    return result == PLIANT_OK || heard_fail(&bodies->heard, result, shape->part->name, error);
}

static PliantResult make_worlds(Bodies *bodies, PliantPool *pool)
{
    PliantHost host = heard_host(&bodies->heard);
    PliantWorldDef def = pliant_world_def_default();
    def.host = &host;
    pliant_pool_attach(pool, &host);
    PliantResult result = pliant_world_create(&def, &bodies->world);
    bodies->sources = bodies->world;
    if (result == PLIANT_OK && bodies->is_eager) {
        bodies->sources = NULL;
        result = pliant_world_create(&def, &bodies->sources);
    }
    return result;
}

bool bodies_make(Bodies *bodies, const Shapes *shapes, PliantPool *pool, char error[400])
{
    *bodies = (Bodies){.is_eager = shapes->is_eager};
    bodies->items = calloc((size_t)shapes->count + 1, sizeof *bodies->items);
    PliantResult result = make_worlds(bodies, pool);
    bool is_made = bodies->items && result == PLIANT_OK;
    if (!is_made)
        check_no_memory(error);
    for (int32_t i = 0; i < shapes->count && is_made; i++)
        is_made = make_item(bodies, &shapes->items[i], error);
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
    const ScenePart *part = item->shape->part;
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
                sizeof(PliantTransform) * (size_t)item->shape->joint_count))
        result =
            pliant_body_set_joints(world, item->source, item->joints, item->shape->joint_count);
    return result;
}

/* What a library without lazy bodies does: all vertices, each time. */
static PliantResult evaluate(const Bodies *bodies, const PartBody *item)
{
    PliantResult result = pliant_body_vertices(bodies->sources, item->source, item->vertices,
                                               item->shape->part->vertex_count);
    if (result == PLIANT_OK)
        result = pliant_body_set_vertices(
            bodies->world, item->body,
            (PliantVertices){item->vertices, item->shape->part->vertex_count, 0});
    return result;
}

bool bodies_pose(Bodies *bodies, const ScenePose *pose, char error[400])
{
    for (int32_t i = 0; i < bodies->count; i++) {
        PartBody *item = &bodies->items[i];
        PliantResult result = report(bodies, item, scene_pose_part(pose, item->shape->scene_part));
        if (result == PLIANT_OK && bodies->is_eager)
            result = evaluate(bodies, item);
        if (result != PLIANT_OK)
            return heard_fail(&bodies->heard, result, item->shape->part->name, error);
    }
    return true;
}

/* ---- Vertices -------------------------------------------------------------------------------- */

PliantResult bodies_vertices(const Bodies *bodies, const PartBody *item, float **vertices)
{
    const int32_t count = item->shape->part->vertex_count;
    *vertices = malloc((3 * (size_t)count + 1) * sizeof **vertices);
    return *vertices ? pliant_body_vertices(bodies->world, item->body, *vertices, count)
                     : PLIANT_OUT_OF_MEMORY;
}

bool point_is_finite(const float *point)
{
    return isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
}

PliantResult bodies_distances(const Bodies *bodies, const PartBody *from, float reach,
                              float *points, int32_t count, float *distances,
                              PliantClosestPoints *closest)
{
    PliantClosestDef def = pliant_closest_def_default();
    PliantClosestPoints found = pliant_closest_points_default();
    def.max_distance = reach;
    def.is_signed = true;
    for (int32_t i = 0; i < count; i++) {
        float *point = points + 3 * (size_t)i;
        distances[i] = point_is_finite(point) ? 0 : INFINITY;
        if (isinf(distances[i]))
            memset(point, 0, 3 * sizeof *point);
    }
    const PliantResult result = pliant_body_closest_points(
        bodies->world, from->body, (PliantVertices){points, count, 0}, &def, &found);
    for (int32_t i = 0; i < count && result == PLIANT_OK; i++)
        if (!isinf(distances[i]))
            distances[i] = found.items[i].triangle >= 0 ? found.items[i].distance : INFINITY;
    if (closest)
        *closest = found;
    return result;
}
