/* Poses that came before: see repeats.h.
 *
 * A table of hashes says which earlier sample may have the same pose; that one is posed again, and
 * compared. */
#include "check/repeats.h"

#include <stdlib.h>
#include <string.h>

int64_t repeats_sample(const CheckOptions *options, int64_t index)
{
    return options->shard - 1 + index * options->shard_count;
}

/* ---- Poses ----------------------------------------------------------------------------------- */

/* One of the arrays that a part is told; of no size if it is told none. */
typedef struct Told {
    const void *bytes;
    size_t size;
} Told;

enum { TOLD_COUNT = 4 };

static void list_told(const Scene *scene, int32_t number, const PartPose *pose,
                      Told told[TOLD_COUNT])
{
    const ScenePart *part = &scene->parts[number];
    const size_t joint_count = part->skin >= 0 ? (size_t)scene->skins[part->skin].joint_count : 0;
    told[0] = (Told){&pose->transform, sizeof pose->transform};
    told[1] = (Told){pose->joints, pose->joints ? joint_count * sizeof *pose->joints : 0};
    told[2] = (Told){pose->weights,
                     pose->weights ? (size_t)part->target_count * sizeof *pose->weights : 0};
    told[3] = (Told){pose->vertices,
                     pose->vertices ? 3 * (size_t)part->vertex_count * sizeof *pose->vertices : 0};
}

/* All of it is floats. */
static uint64_t hash_told(uint64_t hash, const Told *told)
{
    for (size_t at = 0; at < told->size; at += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, (const char *)told->bytes + at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static uint64_t hash_pose(const Scene *scene, const Plan *plan, const ScenePose *pose)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < plan->part_count; i++) {
        Told told[TOLD_COUNT];
        list_told(scene, plan->parts[i], scene_pose_part(pose, plan->parts[i]), told);
        for (int k = 0; k < TOLD_COUNT; k++)
            hash = hash_told(hash, &told[k]);
    }
    return hash;
}

static bool are_same(const Scene *scene, const Plan *plan, const ScenePose *a, const ScenePose *b)
{
    for (int32_t i = 0; i < plan->part_count; i++) {
        Told x[TOLD_COUNT], y[TOLD_COUNT];
        list_told(scene, plan->parts[i], scene_pose_part(a, plan->parts[i]), x);
        list_told(scene, plan->parts[i], scene_pose_part(b, plan->parts[i]), y);
        for (int k = 0; k < TOLD_COUNT; k++)
            if (x[k].size != y[k].size ||
                (x[k].size > 0 && memcmp(x[k].bytes, y[k].bytes, x[k].size) != 0))
                return false;
    }
    return true;
}

/* ---- The table ------------------------------------------------------------------------------- */

typedef struct Search {
    const Scene *scene;
    const Plan *plan;
    const CheckOptions *options;
    Repeats *repeats;
    ScenePose *pose, *other;
    uint64_t *hashes; /* of each index */
    int64_t *slots;   /* an index + 1, or 0 */
    size_t mask;
} Search;

/* The index of an earlier sample with the same pose, or this one, which is then in the table. */
static int64_t find_first(Search *search, int64_t index)
{
    char error[400];
    size_t slot = (size_t)search->hashes[index] & search->mask;
    for (int64_t first; (first = search->slots[slot] - 1) >= 0; slot = (slot + 1) & search->mask)
        if (search->hashes[first] == search->hashes[index] &&
            plan_pose(search->plan, search->options, repeats_sample(search->options, first),
                      search->other, error) &&
            are_same(search->scene, search->plan, search->pose, search->other))
            return first;
    search->slots[slot] = index + 1;
    return index;
}

static void find_all(Search *search)
{
    Repeats *repeats = search->repeats;
    char error[400];
    bool is_over = false;
    for (int64_t i = 0; i < repeats->count; i++) {
        repeats->firsts[i] = i;
        is_over |= search->options->stop && search->options->stop(search->options->user);
        if (!is_over && plan_pose(search->plan, search->options, repeats_sample(search->options, i),
                                  search->pose, error)) {
            search->hashes[i] = hash_pose(search->scene, search->plan, search->pose);
            repeats->firsts[i] = find_first(search, i);
        }
        repeats->times[repeats->firsts[i]]++;
        if (repeats->firsts[i] == i)
            repeats->uniques[repeats->unique_count++] = i;
    }
}

static bool search_all(Search *search, size_t slot_count)
{
    Repeats *repeats = search->repeats;
    const size_t count = (size_t)repeats->count;
    repeats->firsts = calloc(count, sizeof *repeats->firsts);
    repeats->times = calloc(count, sizeof *repeats->times);
    repeats->uniques = calloc(count, sizeof *repeats->uniques);
    search->pose = scene_pose_create(search->scene);
    search->other = scene_pose_create(search->scene);
    search->hashes = calloc(count, sizeof *search->hashes);
    search->slots = calloc(slot_count, sizeof *search->slots);
    const bool is_made = repeats->firsts && repeats->times && repeats->uniques && search->pose &&
                         search->other && search->hashes && search->slots;
    if (is_made)
        find_all(search);
    scene_pose_free(search->pose);
    scene_pose_free(search->other);
    free(search->hashes);
    free(search->slots);
    return is_made;
}

/* So many samples are 36 minutes. A small file can ask for more of them than there is memory. */
enum { MAX_SAMPLES = 1 << 16 };

bool repeats_find(Repeats *repeats, const Scene *scene, const Plan *plan,
                  const CheckOptions *options, int64_t count)
{
    size_t slot_count = 16;
    *repeats = (Repeats){.count = count, .unique_count = count};
    if (options->is_every_pose || count < 2 || count > MAX_SAMPLES)
        return true;
    while (slot_count < 2 * (size_t)count)
        slot_count *= 2;
    repeats->unique_count = 0;
    Search search = {.scene = scene,
                     .plan = plan,
                     .options = options,
                     .repeats = repeats,
                     .mask = slot_count - 1};
    return search_all(&search, slot_count);
}

void repeats_free(Repeats *repeats)
{
    free(repeats->firsts);
    free(repeats->times);
    free(repeats->uniques);
    *repeats = (Repeats){0};
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Of each index: the first later one with the same pose, or -1. */
static int64_t *list_next(const Repeats *repeats)
{
    int64_t *next = malloc(((size_t)repeats->count + 1) * sizeof *next);
    int64_t *last = malloc(((size_t)repeats->count + 1) * sizeof *last);
    for (int64_t i = 0; i < repeats->count && next && last; i++) {
        next[i] = -1;
        last[i] = i;
        if (repeats->firsts[i] == i)
            continue;
        next[last[repeats->firsts[i]]] = i;
        last[repeats->firsts[i]] = i;
    }
    if (!last) {
        free(next);
        next = NULL;
    }
    free(last);
    return next;
}

static int64_t index_of(const CheckOptions *options, int64_t sample)
{
    return (sample - (options->shard - 1)) / options->shard_count;
}

static bool add_rows(const int64_t *next, const CheckOptions *options, Found *found)
{
    const int64_t count = found->row_count;
    for (int64_t r = 0; r < count; r++) {
        ReportRow row = found->rows[r];
        for (int64_t i = next[index_of(options, row.sample)]; i >= 0; i = next[i]) {
            row.sample = repeats_sample(options, i);
            if (!found_add_row(found, &row))
                return false;
        }
    }
    return true;
}

/* They share the triangles. */
static bool add_contacts(const int64_t *next, const CheckOptions *options, const Report *report,
                         CheckContacts *contacts)
{
    const int64_t count = contacts->count;
    for (int64_t c = 0; c < count; c++) {
        CheckContact contact = contacts->items[c];
        if (report->pairs[contact.pair].kind == PAIR_RIGID)
            continue;
        for (int64_t i = next[index_of(options, contact.sample)]; i >= 0; i = next[i]) {
            contact.sample = repeats_sample(options, i);
            if (!contacts_make_room(contacts, 0))
                return false;
            contacts->items[contacts->count++] = contact;
        }
    }
    contacts_sort(contacts);
    return true;
}

bool repeats_add(const Repeats *repeats, const CheckOptions *options, const Report *report,
                 Found *found, CheckContacts *contacts)
{
    if (repeats->unique_count == repeats->count)
        return true;
    int64_t *next = list_next(repeats);
    bool is_added = next != NULL;
    for (int32_t i = 0; i < report->pair_count && is_added; i++)
        if (report->pairs[i].kind != PAIR_RIGID)
            is_added = add_rows(next, options, &found[i]);
    if (is_added && contacts)
        is_added = add_contacts(next, options, report, contacts);
    free(next);
    return is_added;
}
