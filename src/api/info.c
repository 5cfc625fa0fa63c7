/* What bodies are, and where: see pliant/world.h. */
#include "api/layers.h"
#include "base/cpu.h"
#include "decide/corners.h"

#define INFO_SIZE PLI_RECORD_SIZE(PliantBodyInfo, has_self)

static PliantTransform transform_of(const PliPose *pose)
{
    PliantTransform transform;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            transform.rows[i][j] = pose->transform.columns[j][i];
    return transform;
}

static int64_t vertex_count_of(PliBody *body)
{
    const PliSoup *soup = pli_soup_of(&body->pose);
    return soup ? soup->vertices.count : body->mesh.vertices.count;
}

PliantResult pliant_body_info(const PliantWorld *world, PliantBody handle, PliantBodyInfo *info)
{
    PLI_READ_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK_OUTPUT(&call, "info", "pliant_body_info_default", info, INFO_SIZE);
    const int32_t number = pli_world_number(world, body);
    const bool is_soup = pli_soup_of(&body->pose);
    const PliantBodyInfo found = {.kind = is_soup ? PLIANT_BODY_SOUP : PLIANT_BODY_MESH,
                                  .shape = pli_shape_of(&body->pose),
                                  .user_data = body->user_data,
                                  .transform = transform_of(&body->pose),
                                  .vertex_count = (int32_t)vertex_count_of(body),
                                  .triangle_count = body->pose.number_count,
                                  .categories = ((const uint32_t *)world->categories.items)[number],
                                  .collides_with =
                                      ((const uint32_t *)world->collides_with.items)[number],
                                  .has_self = !body->is_self_left_out};
    pli_record_write(info, INFO_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

/* In modes of its own, like all that computes. */
static PLI_NOINLINE PliantBox find_box(PliantWorld *world, PliBody *body)
{
    pli_world_start(world, NULL, NULL);
    pli_world_update_body(world, body);
    const PliBox *root = &body->pose.bounds.root;
    PliantBox box = pli_nothing();
    if (root->low[0] <= root->high[0] && root->low[1] <= root->high[1] &&
        root->low[2] <= root->high[2])
        for (int k = 0; k < 3; k++) {
            box.low[k] = root->low[k];
            box.high[k] = root->high[k];
        }
    return box;
}

PliantResult pliant_body_box(PliantWorld *world, PliantBody handle, PliantBox *box)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK(&call, box, PLIANT_BAD_ARGUMENT, "box is NULL");
    PliFpMode caller = pli_fp_enter();
    *box = find_box(world, body);
    pli_fp_leave(caller);
    return PLIANT_OK;
}

PliantResult pliant_body_vertices(const PliantWorld *world, PliantBody handle, float *vertices,
                                  int64_t capacity)
{
    PLI_READ_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    const int64_t count = vertex_count_of(body);
    PLI_CHECK(&call, capacity >= count, PLIANT_BAD_ARGUMENT,
              "capacity is %" PRId64 ", the body has %" PRId64 " vertices", capacity, count);
    PLI_CHECK(&call, vertices || count == 0, PLIANT_BAD_ARGUMENT, "vertices is NULL");
    PliFpMode caller = pli_fp_enter();
    pli_pose_vertices(&body->pose, vertices);
    pli_fp_leave(caller);
    return PLIANT_OK;
}

static PLI_NOINLINE PliantResult count_nonfinite(const PliantWorld *world, PliBody *body,
                                                 int64_t *count)
{
    PliWorker reader;
    const PliantResult result = pli_world_reader_start(world, body, &reader);
    if (result == PLIANT_OK)
        *count = body->pose.kind->count_nonfinite(&body->pose, &reader);
    pli_worker_free(&reader);
    return result;
}

PliantResult pliant_body_nonfinite_count(const PliantWorld *world, PliantBody handle,
                                         int64_t *count)
{
    PLI_READ_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK(&call, count, PLIANT_BAD_ARGUMENT, "count is NULL");
    PliFpMode caller = pli_fp_enter();
    const PliantResult result = count_nonfinite(world, body, count);
    pli_fp_leave(caller);
    return result;
}

/* So many triangles need no memory of the host. */
enum { FEW = 256 };

static PliantResult fetch_with_keys(PliPose *pose, const int32_t *triangles, int32_t count,
                                    PliWorker *reader, float *corners)
{
    uint64_t few[2 * FEW];
    void *many = NULL;
    const size_t room = count > FEW && !pli_soup_of(pose) ? 2 * (size_t)count : 0;
    PLI_TRY(pli_allocate(reader->host, room, sizeof(uint64_t), &many));
    const PliantResult result =
        pli_fetch_corners(pose, triangles, count, many ? many : few, reader, corners);
    pli_release(reader->host, many, room, sizeof(uint64_t));
    return result;
}

/* By a worker of its own, so that such calls can run at the same time. */
static PliantResult fetch_corners(const PliantWorld *world, PliBody *body, const int32_t *triangles,
                                  int32_t count, float *corners)
{
    PliWorker reader;
    PliantResult result = pli_world_reader_start(world, body, &reader);
    if (result == PLIANT_OK)
        result = fetch_with_keys(&body->pose, triangles, count, &reader, corners);
    pli_worker_free(&reader);
    return result;
}

PliantResult pliant_body_corners(const PliantWorld *world, PliantBody handle,
                                 const int32_t *triangles, int64_t count, float *corners,
                                 int64_t capacity)
{
    PLI_READ_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK(&call, count >= 0, PLIANT_BAD_ARGUMENT, "count is %" PRId64, count);
    PLI_CHECK(&call, count <= INT32_MAX, PLIANT_TOO_LARGE, "count is %" PRId64, count);
    PLI_CHECK(&call, capacity >= count, PLIANT_BAD_ARGUMENT,
              "capacity is %" PRId64 ", count is %" PRId64, capacity, count);
    PLI_CHECK(&call, triangles || count == 0, PLIANT_BAD_ARGUMENT, "triangles is NULL");
    PLI_CHECK(&call, corners || count == 0, PLIANT_BAD_ARGUMENT, "corners is NULL");
    for (int64_t i = 0; i < count; i++)
        PLI_CHECK(&call, triangles[i] >= 0 && triangles[i] < body->pose.number_count,
                  PLIANT_BAD_INDEX,
                  "triangles[%" PRId64 "] is %" PRId32 ", the body has %" PRId32 " triangles", i,
                  triangles[i], body->pose.number_count);
    if (count == 0)
        return PLIANT_OK;
    PliFpMode caller = pli_fp_enter();
    PliantResult result = fetch_corners(world, body, triangles, (int32_t)count, corners);
    pli_fp_leave(caller);
    return result;
}
