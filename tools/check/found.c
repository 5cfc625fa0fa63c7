/* Rows and faces, and what is new among them: see found.h. */
#include "check/found.h"

#include "check/added.h"
#include "check/plan.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sets of faces --------------------------------------------------------------------------- */

static size_t word_count(int32_t face_count)
{
    return (size_t)face_count / 64 + 1;
}

bool face_pair_make(FacePair *faces, int32_t a_count, int32_t b_count, bool is_self)
{
    if (!faces->a)
        faces->a = calloc(word_count(a_count), sizeof *faces->a);
    if (!faces->b)
        faces->b = is_self ? faces->a : calloc(word_count(b_count), sizeof *faces->b);
    return faces->a && faces->b;
}

void face_pair_free(FacePair *faces)
{
    if (faces->b != faces->a)
        free(faces->b);
    free(faces->a);
    free(faces->depths[0]);
    free(faces->depths[1]);
    *faces = (FacePair){0};
}

/* The faces of a set, rising. */
static bool list_faces(const FaceSet *set, int32_t face_count, int32_t **faces, int64_t *count)
{
    int64_t found = 0;
    for (size_t w = 0; w < word_count(face_count) && set; w++)
        found += __builtin_popcountll(set[w]);
    *faces = found ? malloc((size_t)found * sizeof **faces) : NULL;
    if (!*faces)
        return found == 0;
    for (int32_t f = 0; f < face_count; f++)
        if (faces_have(set, f))
            (*faces)[(*count)++] = f;
    return true;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

bool found_add_row(Found *found, const ReportRow *row)
{
    if (found->row_count == found->row_capacity) {
        const int64_t capacity = found->row_capacity ? 2 * found->row_capacity : 16;
        ReportRow *rows = realloc(found->rows, (size_t)capacity * sizeof *rows);
        if (!rows)
            return false;
        found->rows = rows;
        found->row_capacity = capacity;
    }
    found->rows[found->row_count++] = *row;
    return true;
}

void found_add_clearance(Found *found, double distance, int64_t sample)
{
    if (distance < 0 || (found->clearance >= 0 &&
                         (distance > found->clearance ||
                          (distance == found->clearance && sample > found->clearance_sample))))
        return;
    found->clearance = distance;
    found->clearance_sample = sample;
}

static void add_bits(FaceSet *set, const FaceSet *other, int32_t face_count)
{
    for (size_t w = 0; w < word_count(face_count); w++)
        set[w] |= other[w];
}

static bool append_rows(Found *found, const Found *other)
{
    const int64_t count = found->row_count + other->row_count;
    ReportRow *rows = realloc(found->rows, (size_t)count * sizeof *rows);
    if (!rows)
        return false;
    memcpy(rows + found->row_count, other->rows, (size_t)other->row_count * sizeof *rows);
    found->rows = rows;
    found->row_count = found->row_capacity = count;
    return true;
}

bool found_merge(Found *found, Found *other, const Report *report, const ReportPair *pair)
{
    found_add_clearance(found, other->clearance, other->clearance_sample);
    if (other->row_count == 0)
        return true;
    if (found->row_count == 0) {
        found_free(found);
        *found = *other;
        *other = (Found){0};
        return true;
    }
    if (!append_rows(found, other))
        return false;
    if (!other->touched.a) {
        found_free(other);
        return true;
    }
    if (!face_pair_make(&found->touched, report->parts[pair->a].triangle_count,
                        report->parts[pair->b].triangle_count, pair->a == pair->b))
        return false;
    add_bits(found->touched.a, other->touched.a, report->parts[pair->a].triangle_count);
    if (pair->a != pair->b)
        add_bits(found->touched.b, other->touched.b, report->parts[pair->b].triangle_count);
    found_free(other);
    return true;
}

/* The rows of several workers follow each other; those of one rise. */
static int compare_samples(const void *a, const void *b)
{
    const ReportRow *x = a, *y = b;
    return (x->sample > y->sample) - (x->sample < y->sample);
}

static void sort_rows(const Found *found)
{
    for (int64_t r = 1; r < found->row_count; r++)
        if (found->rows[r].sample < found->rows[r - 1].sample) {
            qsort(found->rows, (size_t)found->row_count, sizeof *found->rows, compare_samples);
            return;
        }
}

bool found_settle(Found *found, const Report *report, ReportPair *pair)
{
    sort_rows(found);
    pair->rows = found->rows;
    pair->row_count = found->row_count;
    found->rows = NULL;
    found->row_count = found->row_capacity = 0;
    pair->clearance = found->clearance;
    pair->clearance_sample = found->clearance >= 0 ? found->clearance_sample : 0;
    if (!list_faces(found->touched.a, report->parts[pair->a].triangle_count, &pair->a_faces,
                    &pair->a_face_count))
        return false;
    return pair->a == pair->b || list_faces(found->touched.b, report->parts[pair->b].triangle_count,
                                            &pair->b_faces, &pair->b_face_count);
}

void found_free(Found *found)
{
    face_pair_free(&found->touched);
    for (int64_t i = 0; i < found->row_count && found->rows; i++)
        free(found->rows[i].regions);
    free(found->rows);
    *found = (Found){.clearance = -1};
}

/* ---- A stored report as baseline ---------------------------------------------------------------
 */

static int32_t part_named(const Report *report, const char *name)
{
    for (int32_t p = 0; p < report->part_count; p++)
        if (strcmp(report->parts[p].name, name) == 0)
            return p;
    return -1;
}

/* The numbers of the baseline's parts in the report, or -1. */
static bool match_parts(const Report *baseline, const Report *report, int32_t *matches,
                        char error[400])
{
    for (int32_t p = 0; p < baseline->part_count; p++) {
        const ReportPart *part = &baseline->parts[p];
        matches[p] = part_named(report, part->name);
        if (matches[p] < 0)
            continue;
        const int32_t count = report->parts[matches[p]].triangle_count;
        if (count != part->triangle_count)
            return check_fail(error,
                              "the baseline is of another model: \"%s\" has %d triangles there, "
                              "and %d here",
                              part->name, (int)part->triangle_count, (int)count);
    }
    return true;
}

/* Numbers that a file had: those that are no triangle of the part are left alone. */
static void add_faces(FaceSet *set, const int32_t *faces, int64_t count, int32_t face_count)
{
    for (int64_t i = 0; i < count; i++)
        if (faces[i] >= 0 && faces[i] < face_count)
            faces_add(set, faces[i]);
}

/* How deep it was, in which place of which part: `parts` are the scene's of a and b. */
static bool read_depths(const Report *baseline, const ReportPair *pair, const Scene *scene,
                        const ScenePart *const parts[2], bool is_turned, FacePair *here)
{
    const bool is_self = pair->a == pair->b;
    if (!added_make(here, parts[is_turned]->vertex_count, parts[!is_turned]->vertex_count, is_self))
        return false;
    for (int64_t i = 0; i < pair->row_count; i++)
        for (int32_t r = 0; r < pair->rows[i].region_count; r++) {
            const ReportRegion *region = &pair->rows[i].regions[r];
            const int32_t side = is_self ? 0 : region->inner;
            added_read_place(scene, parts[side], baseline, region, is_self,
                             here->depths[is_turned ? 1 - side : side]);
        }
    return true;
}

static bool read_pair(const ReportPair *pair, const Report *report, int32_t a, int32_t b,
                      FacePair *here)
{
    const int32_t low = a < b ? a : b, high = a < b ? b : a;
    const int32_t a_count = report->parts[a].triangle_count,
                  b_count = report->parts[b].triangle_count;
    const bool is_turned = b < a;
    if (!face_pair_make(here, report->parts[low].triangle_count, report->parts[high].triangle_count,
                        a == b))
        return false;
    for (int64_t i = 0; i < pair->row_count; i++)
        if (pair->rows[i].contained != CONTAINED_NONE)
            here->contained |=
                (pair->rows[i].contained == CONTAINED_A) != is_turned ? CONTAINED_A : CONTAINED_B;
    add_faces(is_turned ? here->b : here->a, pair->a_faces, pair->a_face_count, a_count);
    add_faces(is_turned ? here->a : here->b, pair->b_faces, pair->b_face_count, b_count);
    return true;
}

bool found_read_baseline(const Report *baseline, const Report *report, const Scene *scene,
                         const int32_t *parts, FacePair *known, char error[400])
{
    int32_t *matches = calloc((size_t)baseline->part_count + 1, sizeof *matches);
    bool is_read = matches != NULL;
    if (!is_read)
        check_fail(error, "there is no memory left");
    if (is_read)
        is_read = match_parts(baseline, report, matches, error);
    for (int32_t i = 0; i < baseline->pair_count && is_read; i++) {
        const ReportPair *pair = &baseline->pairs[i];
        const int32_t a = matches[pair->a], b = matches[pair->b];
        if (a < 0 || b < 0 || (a == b && !report->has_self))
            continue;
        FacePair *here = &known[plan_pair_of(report->part_count, report->has_self, a < b ? a : b,
                                             a < b ? b : a)];
        const ScenePart *const sides[2] = {&scene->parts[parts[a]], &scene->parts[parts[b]]};
        if (!read_pair(pair, report, a, b, here) ||
            (pair->row_count > 0 && !read_depths(baseline, pair, scene, sides, b < a, here)))
            is_read = check_fail(error, "there is no memory left");
    }
    free(matches);
    return is_read;
}
