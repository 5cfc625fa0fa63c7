/* What of one body is in boxes: see pliant/world.h and pliant/sweep.h. */
#include "world/in_boxes.h"
#include "api/checks.h"
#include "world/crew.h"

#define DEF_SIZE PLI_RECORD_SIZE(PliantBoxTrianglesDef, user)
#define TRIANGLES_SIZE PLI_RECORD_SIZE(PliantBoxTriangles, end_corners)

/* What is asked. */
typedef struct Asked {
    const PliCall *call;
    PliantWorld *world;
    PliBody *body;
    bool has_end;
    const PliantBox *boxes;
    int32_t box_count;
    int64_t limit; /* of triangles; 0: there is none */
} Asked;

static PliantResult find(void *data)
{
    const Asked *asked = data;
    PliControl *control = &asked->world->control;
    control->total = 1;
    if (asked->limit > 0 && !asked->body->pose.pieces) /* pieces are found several times */
        control->max_count = asked->limit;
    return pli_world_find_in_boxes(asked->call, asked->world, asked->body, asked->has_end,
                                   asked->boxes, asked->box_count);
}

static PliantResult find_in_boxes(const PliCall *call, PliantWorld *world, PliantBody handle,
                                  bool has_end, const PliantBox *boxes, int32_t box_count,
                                  const PliantBoxTrianglesDef *given, PliantBoxTriangles *triangles)
{
    PliantBoxTrianglesDef def = pliant_box_triangles_def_default();
    const PliTrianglesInBoxes *found = &world->in_boxes;
    PLI_CHECK_BODY(call, world, "body", handle, body);
    PLI_CHECK(call, box_count >= 0, PLIANT_BAD_ARGUMENT, "box_count is %" PRId32, box_count);
    PLI_CHECK(call, boxes || box_count == 0, PLIANT_BAD_ARGUMENT, "boxes is NULL");
    PLI_CHECK_OUTPUT(call, "triangles", "pliant_box_triangles_default", triangles, TRIANGLES_SIZE);
    PLI_READ_DEF(call, "pliant_box_triangles_def_default", given, &def, DEF_SIZE);
    PLI_CHECK_LIMIT(call, "def.max_triangle_count", def.max_triangle_count);
    PLI_TRY(pli_world_ask_one(
        world, def.progress, def.user, find,
        &(Asked){call, world, body, has_end, boxes, box_count, def.max_triangle_count}));
    PliantBoxTriangles answer = {.items = found->triangles.items,
                                 .count = found->triangles.count,
                                 .stamp = pli_world_stamp(world),
                                 .corners = found->corners.items};
    if (has_end && answer.count > 0)
        answer.end_corners = answer.corners + PLI_ROW_SIZE * answer.count;
    if (def.max_triangle_count > 0 && answer.count > def.max_triangle_count) {
        answer.count = def.max_triangle_count;
        answer.is_limit_reached = true;
    }
    pli_record_write(triangles, TRIANGLES_SIZE, &answer, sizeof answer);
    return PLIANT_OK;
}

PliantResult pliant_body_triangles_in_boxes(PliantWorld *world, PliantBody body,
                                            const PliantBox *boxes, int32_t box_count,
                                            const PliantBoxTrianglesDef *def,
                                            PliantBoxTriangles *triangles)
{
    PLI_ASK_WORLD(world);
    return find_in_boxes(&call, world, body, false, boxes, box_count, def, triangles);
}

PliantResult pliant_body_moving_triangles_in_boxes(PliantWorld *world, PliantBody body,
                                                   const PliantBox *boxes, int32_t box_count,
                                                   const PliantBoxTrianglesDef *def,
                                                   PliantBoxTriangles *triangles)
{
    PLI_ASK_WORLD(world);
    return find_in_boxes(&call, world, body, true, boxes, box_count, def, triangles);
}

/* What is asked of boxes. */
typedef struct AskedBoxes {
    PliBody *body;
    PliBoxParts *open;
} AskedBoxes;

static PliantResult open_boxes(void *data)
{
    const AskedBoxes *asked = data;
    return pli_world_open_boxes(asked->body, asked->open);
}

PliantResult pliant_body_boxes_in_boxes(PliantWorld *world, PliantBody handle,
                                        const PliantBox *near, int32_t near_count, PliantBox *boxes,
                                        int32_t capacity, int32_t *count)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK(&call, near_count >= 0, PLIANT_BAD_ARGUMENT, "near_count is %" PRId32, near_count);
    PLI_CHECK(&call, near || near_count == 0, PLIANT_BAD_ARGUMENT, "near is NULL");
    PLI_CHECK(&call, capacity >= 1, PLIANT_BAD_ARGUMENT, "capacity is %" PRId32, capacity);
    PLI_CHECK(&call, boxes, PLIANT_BAD_ARGUMENT, "boxes is NULL");
    PLI_CHECK(&call, count, PLIANT_BAD_ARGUMENT, "count is NULL");
    PLI_TRY(pli_array_reserve_spare(&world->in_boxes.near, &world->host, capacity));
    PliBoxParts open = {.world = world,
                        .pose = &body->pose,
                        .near = near,
                        .near_count = near_count,
                        .parts = world->in_boxes.near.items,
                        .boxes = boxes,
                        .capacity = capacity};
    PLI_TRY(pli_world_ask_one(world, NULL, NULL, open_boxes, &(AskedBoxes){body, &open}));
    *count = open.count;
    return PLIANT_OK;
}
