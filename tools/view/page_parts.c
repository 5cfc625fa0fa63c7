/* The parts of the page: meshes at rest, what deforms them, and how they move. */
#include "view/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Meshes ---------------------------------------------------------------------------------- */

static void add_mesh(Page *page, const ScenePart *part)
{
    bool is_wide = part->vertex_count > 65536;
    fprintf(page->facts, ",\"positions\":%zu", page_bytes_align(&page->blob));
    page_bytes_floats(&page->blob, part->vertices, (size_t)part->vertex_count * 3);
    fprintf(page->facts, ",\"wide\":%s,\"indices\":%zu", is_wide ? "true" : "false",
            page_bytes_align(&page->blob));
    for (int64_t i = 0; i < (int64_t)part->triangle_count * 3; i++)
        (is_wide ? page_bytes_u32 : page_bytes_u16)(&page->blob, part->triangles[i]);
}

static bool is_moved(const float *delta)
{
    return delta[0] != 0 || delta[1] != 0 || delta[2] != 0;
}

/* Displacements as 16-bit shares of the longest coordinate: for a picture that is enough, and half
 * of what floats take. Only those of vertices that move, with their numbers, where that is less. */
static void add_target(Page *page, const char *name, const float *deltas, int32_t vertex_count)
{
    double most = 0;
    int32_t moved = 0;
    for (int32_t i = 0; i < vertex_count; i++) {
        moved += is_moved(deltas + (size_t)i * 3);
        for (int axis = 0; axis < 3; axis++)
            most = fmax(most, fabsf(deltas[(size_t)i * 3 + (size_t)axis]));
    }
    bool is_sparse = (int64_t)moved * 10 < (int64_t)vertex_count * 6;
    fputs("{\"name\":", page->facts);
    page_json_string(page->facts, name);
    fputs(",\"scale\":", page->facts);
    page_json_number(page->facts, most / 32767);
    fprintf(page->facts, ",\"count\":%d,\"indices\":", is_sparse ? moved : vertex_count);
    if (is_sparse)
        fprintf(page->facts, "%zu", page_bytes_align(&page->blob));
    else
        fputs("null", page->facts);
    for (int32_t i = 0; is_sparse && i < vertex_count; i++)
        if (is_moved(deltas + (size_t)i * 3))
            page_bytes_u32(&page->blob, (uint32_t)i);
    fprintf(page->facts, ",\"deltas\":%zu}", page_bytes_align(&page->blob));
    for (int32_t i = 0; i < vertex_count; i++) {
        const float *delta = deltas + (size_t)i * 3;
        for (int axis = 0; axis < 3 && (!is_sparse || is_moved(delta)); axis++)
            page_bytes_u16(&page->blob,
                           most > 0 ? (uint32_t)lrint(delta[axis] / most * 32767) & 0xffff : 0);
    }
}

static void add_targets(Page *page, const ScenePart *part)
{
    fputs(",\"targets\":[", page->facts);
    for (int32_t i = 0; i < part->target_count; i++) {
        if (i > 0)
            fputc(',', page->facts);
        add_target(page, part->target_names ? part->target_names[i] : "",
                   part->targets + (size_t)i * (size_t)part->vertex_count * 3, part->vertex_count);
    }
    fputc(']', page->facts);
}

/* Weights in 16 bits; the page makes their sum one again. */
static void add_influences(Page *page, const ScenePart *part)
{
    int64_t count = part->skin >= 0 ? (int64_t)part->influence_count * part->vertex_count : 0;
    fprintf(page->facts, ",\"skin\":%d,\"influences\":%d,\"joints\":%zu",
            count > 0 ? part->skin : -1, part->influence_count, page_bytes_align(&page->blob));
    for (int64_t i = 0; i < count; i++)
        page_bytes_u16(&page->blob, part->joints[i]);
    fprintf(page->facts, ",\"jointWeights\":%zu", page_bytes_align(&page->blob));
    for (int64_t i = 0; i < count; i++)
        page_bytes_u16(&page->blob, (uint32_t)lrint(fmin(part->joint_weights[i], 1.0) * 65535));
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

static void add_part(Page *page, const PageMotion *motion, int32_t i, const ReportPart *checked)
{
    const ScenePart *part = &page->scene->parts[i];
    fputs("{\"name\":", page->facts);
    page_json_string(page->facts, part->name);
    fprintf(page->facts, ",\"checked\":%s,\"closed\":%s,\"vertices\":%d,\"triangles\":%d",
            checked ? "true" : "false", checked && checked->is_closed ? "true" : "false",
            part->vertex_count, part->triangle_count);
    add_mesh(page, part);
    add_targets(page, part);
    add_influences(page, part);
    fputs(",\"transform\":", page->facts);
    page_motion_write(page, &motion->transforms[i]);
    fputs(",\"weights\":", page->facts);
    page_motion_write(page, &motion->weights[i]);
    fputs(",\"cached\":", page->facts);
    page_motion_write(page, &motion->cached[i]);
    if (motion->cached[i].size)
        add_box(page, motion->boxes[i]);
    fputc('}', page->facts);
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
        page_motion_write(page, &motion.skins[i]);
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
