/* The parts of the page: meshes at rest, what deforms them, and how they move. */
#include "view/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Meshes ---------------------------------------------------------------------------------- */

/* A part, as the values below see it. */
typedef struct Meshed {
    const ScenePart *part;
    const double (*box)[3];
    const float *deltas;  /* of a target */
    const int32_t *moved; /* vertices that the target moves; NULL: all */
    double most;          /* the longest coordinate of the deltas */
} Meshed;

static int64_t position_at(const void *from, size_t row, size_t column)
{
    const Meshed *meshed = from;
    return page_place(meshed->part->vertices[row * 3 + column], meshed->box[0][column],
                      meshed->box[1][column]);
}

static int64_t corner_at(const void *from, size_t row, size_t column)
{
    return ((const Meshed *)from)->part->triangles[row * 3 + column];
}

static int64_t joint_at(const void *from, size_t row, size_t column)
{
    const ScenePart *part = ((const Meshed *)from)->part;
    return part->joints[row * (size_t)part->influence_count + column];
}

/* In 16 bits; the page makes their sum one again. */
static int64_t weight_at(const void *from, size_t row, size_t column)
{
    const ScenePart *part = ((const Meshed *)from)->part;
    const double weight = part->joint_weights[row * (size_t)part->influence_count + column];
    return weight > 0 ? lrint(fmin(weight, 1.0) * 65535) : 0;
}

static void add_columns(Page *page, const char *name, PageValue *value, const Meshed *meshed,
                        size_t row_count, size_t column_count)
{
    fprintf(page->facts, ",\"%s\":%zu", name, page->blob.count);
    page_bytes_columns(&page->blob, value, meshed, row_count, column_count, 1);
}

/* ---- Targets --------------------------------------------------------------------------------- */

static bool is_moved(const float *delta)
{
    return delta[0] != 0 || delta[1] != 0 || delta[2] != 0;
}

static int64_t vertex_at(const void *from, size_t row, size_t column)
{
    (void)column;
    return ((const Meshed *)from)->moved[row];
}

/* Displacements as 16-bit shares of the longest coordinate. */
static int64_t delta_at(const void *from, size_t row, size_t column)
{
    const Meshed *meshed = from;
    const double delta = meshed->deltas[(size_t)meshed->moved[row] * 3 + column];
    return meshed->most > 0 && isfinite(delta) ? lrint(delta / meshed->most * 32767) : 0;
}

/* Only those of vertices that move, with their numbers. */
static void add_target(Page *page, const char *name, Meshed *meshed, int32_t *moved)
{
    int32_t count = 0;
    meshed->most = 0;
    for (int32_t i = 0; i < meshed->part->vertex_count; i++) {
        const float *delta = meshed->deltas + (size_t)i * 3;
        if (is_moved(delta))
            moved[count++] = i;
        for (int axis = 0; axis < 3; axis++)
            if (isfinite(delta[axis]))
                meshed->most = fmax(meshed->most, fabsf(delta[axis]));
    }
    meshed->moved = moved;
    fputs("{\"name\":", page->facts);
    page_json_string(page->facts, name);
    fputs(",\"scale\":", page->facts);
    page_json_number(page->facts, meshed->most / 32767);
    fprintf(page->facts, ",\"count\":%d", count);
    add_columns(page, "indices", vertex_at, meshed, (size_t)count, 1);
    add_columns(page, "deltas", delta_at, meshed, (size_t)count, 3);
    fputc('}', page->facts);
}

static void add_targets(Page *page, Meshed *meshed)
{
    const ScenePart *part = meshed->part;
    int32_t *moved = malloc(sizeof *moved * ((size_t)part->vertex_count + 1));
    page->blob.is_lost |= !moved;
    fputs(",\"targets\":[", page->facts);
    for (int32_t i = 0; moved && i < part->target_count; i++) {
        if (i > 0)
            fputc(',', page->facts);
        meshed->deltas = part->targets + (size_t)i * (size_t)part->vertex_count * 3;
        add_target(page, part->target_names ? part->target_names[i] : "", meshed, moved);
    }
    fputc(']', page->facts);
    free(moved);
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static void add_box(Page *page, double box[2][3])
{
    fputs(",\"box\":[", page->facts);
    for (int i = 0; i < 6; i++) {
        if (i > 0)
            fputc(',', page->facts);
        page_json_number(page->facts, box[i / 3][i % 3]);
    }
    fputc(']', page->facts);
}

static void add_meshed(Page *page, const ScenePart *part, double box[2][3])
{
    Meshed meshed = {.part = part, .box = (const double(*)[3])box};
    const bool is_skinned = part->skin >= 0 && part->cached < 0 && part->influence_count > 0;
    const size_t vertices = (size_t)part->vertex_count;
    const size_t influences = is_skinned ? (size_t)part->influence_count : 0;
    add_columns(page, "positions", position_at, &meshed, vertices, 3);
    add_columns(page, "indices", corner_at, &meshed, (size_t)part->triangle_count, 3);
    add_targets(page, &meshed);
    fprintf(page->facts, ",\"skin\":%d,\"influences\":%zu", is_skinned ? part->skin : -1,
            influences);
    add_columns(page, "joints", joint_at, &meshed, vertices, influences);
    add_columns(page, "jointWeights", weight_at, &meshed, vertices, influences);
}

/* The greatest coordinate of a box. */
static double reach_of(double box[2][3])
{
    double most = 0;
    for (int i = 0; i < 6; i++)
        if (isfinite(box[i / 3][i % 3]))
            most = fmax(most, fabs(box[i / 3][i % 3]));
    return most;
}

static void add_part(Page *page, const PageMotion *motion, int32_t i, const ReportPart *checked)
{
    const ScenePart *part = &page->scene->parts[i];
    fputs("{\"name\":", page->facts);
    page_json_string(page->facts, part->name);
    fprintf(page->facts,
            ",\"checked\":%s,\"closed\":%s,\"list\":%d,\"vertices\":%d,\"triangles\":%d",
            checked ? "true" : "false", checked && checked->is_closed ? "true" : "false",
            checked ? checked->list : 0, part->vertex_count, part->triangle_count);
    add_box(page, motion->boxes[i]);
    add_meshed(page, part, motion->boxes[i]);
    page_add_paint(page, part);
    fputs(",\"transform\":", page->facts);
    page_motion_write(page, &motion->transforms[i], PAGE_MATRICES, reach_of(motion->boxes[i]));
    fputs(",\"weights\":", page->facts);
    page_motion_write(page, &motion->weights[i], PAGE_WEIGHTS, 0);
    fputs(",\"cached\":", page->facts);
    page_motion_write(page, &motion->cached[i], PAGE_CACHED, 0);
    fputc('}', page->facts);
}

static double reach_of_skin(const Scene *scene, const PageMotion *motion, int32_t skin)
{
    double most = 0;
    for (int32_t i = 0; i < scene->part_count; i++)
        if (scene->parts[i].skin == skin)
            most = fmax(most, reach_of(motion->boxes[i]));
    return most;
}

static const ReportPart *tested_part(const Page *page, int32_t part)
{
    for (int32_t i = 0; i < page->report->part_count; i++)
        if (page->part_of[i] == part)
            return &page->report->parts[i];
    return NULL;
}

bool page_add_parts(Page *page)
{
    const Scene *scene = page->scene;
    PageMotion motion;
    bool is_made = page_motion_create(page, &motion);
    fputs(",\"skins\":[", page->facts);
    for (int32_t i = 0; is_made && i < scene->skin_count; i++) {
        fprintf(page->facts, "%s{\"joints\":%d,\"motion\":", i > 0 ? "," : "",
                scene->skins[i].joint_count);
        page_motion_write(page, &motion.skins[i], PAGE_MATRICES, reach_of_skin(scene, &motion, i));
        fputc('}', page->facts);
    }
    fputs("],\"parts\":[", page->facts);
    for (int32_t i = 0; is_made && i < scene->part_count; i++) {
        if (i > 0)
            fputc(',', page->facts);
        add_part(page, &motion, i, tested_part(page, i));
    }
    fputc(']', page->facts);
    page_motion_free(scene, &motion);
    return is_made;
}
