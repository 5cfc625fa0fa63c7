/* Where everything is at every sample, for the page: what a body would be told, not vertices.
 *
 * The page morphs and skins by itself, so that a sample of a character costs its joint matrices
 * (48 bytes a joint) and not its vertices (12 bytes each, hundreds of times as much). Parts with
 * one skin share its matrices.
 */
#include "view/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void track_free(PageTrack *track)
{
    page_bytes_free(&track->blocks);
    page_bytes_free(&track->of_sample);
    free(track->corner_places);
}

static bool track_init(PageTrack *track, size_t size)
{
    track->size = size;
    track->index_count = 64;
    track->corner_places = calloc(track->index_count, sizeof *track->corner_places);
    return track->corner_places != NULL;
}

static uint64_t hash_of(const uint8_t *bytes, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a: any spread does, since contents are compared */
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

/* Where a block is, or would go. */
static uint32_t *index_of(PageTrack *track, const uint8_t *block)
{
    size_t at = hash_of(block, track->size) & (track->index_count - 1);
    const uint8_t *blocks = track->blocks.items; /* NULL: there are none, and no place is taken */
    while (blocks && track->corner_places[at]) {
        if (memcmp(blocks + (track->corner_places[at] - 1) * track->size, block, track->size) == 0)
            break;
        at = (at + 1) & (track->index_count - 1);
    }
    return &track->corner_places[at];
}

static void grow_places(PageTrack *track)
{
    uint32_t *corner_places = calloc(track->index_count * 2, sizeof *corner_places);
    if (!corner_places) {
        track->blocks.is_lost = true;
        return;
    }
    free(track->corner_places);
    track->corner_places = corner_places;
    track->index_count *= 2;
    for (uint32_t i = 0; i < track->block_count; i++)
        *index_of(track, track->blocks.items + i * track->size) = i + 1;
}

/* The next sample's value. `block` has the track's size, or has been lost. */
static void track_add(PageTrack *track, const PageBytes *block)
{
    if (block->is_lost || !track->corner_places)
        track->blocks.is_lost = true;
    if (track->blocks.is_lost)
        return;
    uint32_t *index = index_of(track, block->items);
    uint32_t number = *index;
    if (!number) {
        page_bytes_add(&track->blocks, block->items, block->count);
        if (track->blocks.is_lost)
            return;
        *index = number = ++track->block_count;
        if (track->block_count * (size_t)2 >= track->index_count)
            grow_places(track);
    }
    number--;
    page_bytes_add(&track->of_sample, &number, sizeof number);
}

/* ---- What is recorded ------------------------------------------------------------------------ */

static void record_floats(PageTrack *track, const float *values, PageBytes *scratch)
{
    scratch->count = 0;
    page_bytes_add(scratch, values, track->size);
    track_add(track, scratch);
}

static void record_cached(PageTrack *track, const float *vertices, double box[2][3],
                          PageBytes *scratch)
{
    scratch->count = 0;
    for (size_t i = 0; i < track->size / sizeof(uint16_t); i++) {
        const uint16_t place = page_place(vertices[i], box[0][i % 3], box[1][i % 3]);
        page_bytes_add(scratch, &place, sizeof place);
    }
    track_add(track, scratch);
}

static void record_part(const ScenePart *part, int32_t i, const PartPose *pose, PageMotion *motion,
                        PageBytes *scratch)
{
    record_floats(&motion->transforms[i], &pose->transform.rows[0][0], scratch);
    if (motion->weights[i].size)
        record_floats(&motion->weights[i], pose->weights ? pose->weights : part->weights, scratch);
    if (motion->cached[i].size)
        record_cached(&motion->cached[i], pose->vertices ? pose->vertices : part->vertices,
                      motion->boxes[i], scratch);
}

/* A skin's matrices are those that any part of it is told. */
static void record_skins(const Scene *scene, const ScenePose *pose, PageMotion *motion,
                         PageBytes *scratch)
{
    for (int32_t skin = 0; skin < scene->skin_count; skin++) {
        for (int32_t i = 0; motion->skins[skin].size && i < scene->part_count; i++) {
            const PartPose *part = scene_pose_part(pose, i);
            if (scene->parts[i].skin != skin || !part->joints)
                continue;
            record_floats(&motion->skins[skin], &part->joints[0].rows[0][0], scratch);
            break;
        }
    }
}

bool page_pose(Page *page, int64_t sample, ScenePose *pose)
{
    if (page->report->sample_count > 0)
        return check_pose(page->scene, page->options, page->report, sample, pose, page->error);
    SceneError error = {0};
    if (scene_pose_at(pose, -1, 0, &error))
        return true;
    memcpy(page->error, error.text, sizeof error.text);
    return false;
}

static bool record(Page *page, ScenePose *pose, PageMotion *motion)
{
    const Scene *scene = page->scene;
    PageBytes scratch = {0};
    bool is_posed = true;
    int64_t count = page->report->sample_count > 0 ? page->report->sample_count : 1;
    for (int64_t sample = 0; is_posed && sample < count; sample++) {
        is_posed = page_pose(page, sample, pose);
        for (int32_t i = 0; is_posed && i < scene->part_count; i++)
            record_part(&scene->parts[i], i, scene_pose_part(pose, i), motion, &scratch);
        if (is_posed)
            record_skins(scene, pose, motion, &scratch);
    }
    page_bytes_free(&scratch);
    return is_posed;
}

/* ---- Tracks for a scene ---------------------------------------------------------------------- */

static void widen(double box[2][3], const float *vertices, int64_t count)
{
    for (int64_t i = 0; i < count * 3; i++) {
        double at = vertices[i];
        if (isfinite(at) && at < box[0][i % 3])
            box[0][i % 3] = at;
        if (isfinite(at) && at > box[1][i % 3])
            box[1][i % 3] = at;
    }
}

static void box_of_part(const Scene *scene, const ScenePart *part, double box[2][3])
{
    for (int axis = 0; axis < 3; axis++) {
        box[0][axis] = INFINITY;
        box[1][axis] = -INFINITY;
    }
    widen(box, part->vertices, part->vertex_count);
    for (int32_t frame = 0; part->cached >= 0 && frame < scene->cache.frame_count; frame++) {
        size_t first = (size_t)frame * (size_t)scene->cache.vertex_count + (size_t)part->cached;
        widen(box, scene->cache.vertices + first * 3, part->vertex_count);
    }
}

static bool make_part_tracks(const Scene *scene, int32_t i, PageMotion *motion)
{
    const ScenePart *part = &scene->parts[i];
    box_of_part(scene, part, motion->boxes[i]);
    if (!track_init(&motion->transforms[i], sizeof(PliantTransform)))
        return false;
    if (part->target_count > 0 &&
        !track_init(&motion->weights[i], sizeof(float) * (size_t)part->target_count))
        return false;
    if (part->cached < 0 || part->vertex_count == 0)
        return true;
    return track_init(&motion->cached[i], sizeof(uint16_t) * 3 * (size_t)part->vertex_count);
}

static bool make_tracks(const Scene *scene, PageMotion *motion)
{
    size_t parts = (size_t)scene->part_count + 1, skins = (size_t)scene->skin_count + 1;
    motion->skins = calloc(skins, sizeof *motion->skins);
    motion->transforms = calloc(parts, sizeof *motion->transforms);
    motion->weights = calloc(parts, sizeof *motion->weights);
    motion->cached = calloc(parts, sizeof *motion->cached);
    motion->boxes = calloc(parts, sizeof *motion->boxes);
    if (!motion->skins || !motion->transforms || !motion->weights || !motion->cached ||
        !motion->boxes)
        return false;
    for (int32_t i = 0; i < scene->skin_count; i++) {
        int32_t count = scene->skins[i].joint_count;
        if (count > 0 && !track_init(&motion->skins[i], sizeof(PliantTransform) * (size_t)count))
            return false;
    }
    for (int32_t i = 0; i < scene->part_count; i++)
        if (!make_part_tracks(scene, i, motion))
            return false;
    return true;
}

bool page_motion_create(Page *page, PageMotion *motion)
{
    *motion = (PageMotion){0};
    snprintf(page->error, 400, "there is no memory left");
    ScenePose *pose = scene_pose_create(page->scene);
    bool is_made = pose && make_tracks(page->scene, motion) && record(page, pose, motion);
    scene_pose_free(pose);
    return is_made;
}

/* ---- What is written ------------------------------------------------------------------------- */

/* Numbers as multiples of a step: of what turns and stretches, and of what moves. */
typedef struct Steps {
    const PageTrack *track;
    size_t width;
    bool is_matrix;
    double steps[2]; /* the second: of the last of each four, in matrices */
} Steps;

static bool is_place(const Steps *steps, size_t column)
{
    return steps->is_matrix && column % 4 == 3;
}

static double number_at(const Steps *steps, size_t row, size_t column)
{
    float number;
    memcpy(&number, steps->track->blocks.items + (row * steps->width + column) * sizeof number,
           sizeof number);
    return isfinite(number) ? number : 0;
}

static int64_t step_at(const void *from, size_t row, size_t column)
{
    const Steps *steps = from;
    const double step = steps->steps[is_place(steps, column)];
    return step > 0 ? llrint(number_at(steps, row, column) / step) : 0;
}

/* A vertex is a sum of three products and a place: with steps of 2^-17 it is off by no more than
 * 2^-16 of how far the greatest coordinate gets, which a picture does not show. Numbers stay below
 * 2^30, where they are steps of their own size. */
static void choose_steps(Steps *steps, double reach)
{
    double most[2] = {0, 0};
    for (size_t row = 0; row < steps->track->block_count; row++)
        for (size_t column = 0; column < steps->width; column++) {
            double *kind = &most[is_place(steps, column)];
            *kind = fmax(*kind, fabs(number_at(steps, row, column)));
        }
    steps->steps[0] = most[0] / (1 << 17);
    steps->steps[1] = fmax(most[0] * reach / (1 << 17), most[1] / (1 << 30));
}

static int64_t place_at(const void *from, size_t row, size_t column)
{
    const Steps *steps = from;
    uint16_t place;
    memcpy(&place, steps->track->blocks.items + (row * steps->width + column) * sizeof place,
           sizeof place);
    return place;
}

static int64_t block_of(const void *from, size_t row, size_t column)
{
    const PageTrack *track = from;
    uint32_t block;
    (void)column;
    memcpy(&block, track->of_sample.items + row * sizeof block, sizeof block);
    return block;
}

/* A thing that never moves has one block, and needs no table. */
static void write_table(Page *page, const PageTrack *track)
{
    if (track->block_count < 2) {
        fputs("{\"table\":null", page->facts);
        return;
    }
    fprintf(page->facts, "{\"table\":%zu", page->blob.count);
    page_bytes_columns(&page->blob, block_of, track, track->of_sample.count / sizeof(uint32_t), 1,
                       1);
}

void page_motion_write(Page *page, const PageTrack *track, PageMotionKind kind, double reach)
{
    if (track->blocks.is_lost || track->of_sample.is_lost)
        page->blob.is_lost = true;
    if (track->block_count == 0 || page->blob.is_lost) {
        fputs("null", page->facts);
        return;
    }
    const bool is_cached = kind == PAGE_CACHED;
    Steps steps = {.track = track,
                   .width = track->size / (is_cached ? sizeof(uint16_t) : sizeof(float)),
                   .is_matrix = kind == PAGE_MATRICES};
    if (!is_cached)
        choose_steps(&steps, reach);
    write_table(page, track);
    fprintf(page->facts, ",\"blocks\":%zu,\"count\":%u,\"steps\":[", page->blob.count,
            track->block_count);
    page_json_number(page->facts, steps.steps[0]);
    fputc(',', page->facts);
    page_json_number(page->facts, steps.steps[1]);
    fputs("]}", page->facts);
    page_bytes_columns(&page->blob, is_cached ? place_at : step_at, &steps, track->block_count,
                       steps.width, 2);
}

void page_motion_free(const Scene *scene, PageMotion *motion)
{
    for (int32_t i = 0; motion->skins && i < scene->skin_count; i++)
        track_free(&motion->skins[i]);
    PageTrack *of_parts[] = {motion->transforms, motion->weights, motion->cached};
    for (size_t kind = 0; kind < sizeof of_parts / sizeof of_parts[0]; kind++) {
        for (int32_t i = 0; of_parts[kind] && i < scene->part_count; i++)
            track_free(&of_parts[kind][i]);
        free(of_parts[kind]);
    }
    free(motion->skins);
    free(motion->boxes);
}
