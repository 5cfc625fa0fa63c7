/* The check itself: see check.h.
 *
 * For each sample bodies are told where they are, and two kinds of question are asked: one for all
 * pairs of different parts, and one for the self-collision of each part. What comes back is in
 * groups, one for each pair of parts that touch; each becomes a row. */
#include "check/bodies.h"
#include "check/found.h"
#include "check/plan.h"
#include "check/touched.h"

#include <stdlib.h>
#include <string.h>

/* Two places of touched triangles. */
typedef struct PlacePair {
    int32_t a, b;
} PlacePair;

typedef struct Check {
    const Scene *scene;
    const CheckOptions *options;
    Plan plan;
    Bodies bodies;
    ScenePose *pose;
    Report *report;
    CheckContacts *contacts; /* or NULL */
    Found *found;            /* by pair of parts */
    Touched *touched;        /* by part */
    PlacePair *new_pairs;    /* of a group */
    int64_t new_count, new_capacity;
    int64_t sample; /* -1: the baseline */
    char *error;
} Check;

static bool no_memory(const Check *check)
{
    return check_fail(check->error, "there is no memory left");
}

/* ---- Contacts -------------------------------------------------------------------------------- */

void check_contacts_free(CheckContacts *contacts)
{
    free(contacts->items);
    free(contacts->triangles);
    *contacts = (CheckContacts){0};
}

/* Room for one more contact of so many pairs of triangles. */
static bool make_room_for_hit(CheckContacts *contacts, int64_t pair_count)
{
    if (contacts->count == contacts->capacity) {
        const int64_t capacity = contacts->capacity ? 2 * contacts->capacity : 64;
        CheckContact *items = realloc(contacts->items, (size_t)capacity * sizeof *items);
        if (!items)
            return false;
        contacts->items = items;
        contacts->capacity = capacity;
    }
    int64_t capacity = contacts->triangle_capacity ? contacts->triangle_capacity : 1024;
    while (capacity < contacts->triangle_count + 2 * pair_count)
        capacity *= 2;
    if (capacity == contacts->triangle_capacity)
        return true;
    int32_t *triangles = realloc(contacts->triangles, (size_t)capacity * sizeof *triangles);
    if (!triangles)
        return false;
    contacts->triangles = triangles;
    contacts->triangle_capacity = capacity;
    return true;
}

/* A group is put where its pair of parts comes among those of the sample. */
static bool keep_contact(Check *check, int32_t pair)
{
    CheckContacts *contacts = check->contacts;
    const ReportPair *parts = &check->report->pairs[pair];
    if (!make_room_for_hit(contacts, check->new_count))
        return no_memory(check);
    const CheckContact contact = {check->sample, pair, contacts->triangle_count, check->new_count};
    for (int64_t i = 0; i < check->new_count; i++) {
        const PlacePair *corner_places = &check->new_pairs[i];
        contacts->triangles[contacts->triangle_count++] =
            check->touched[parts->a].triangles[corner_places->a];
        contacts->triangles[contacts->triangle_count++] =
            check->touched[parts->b].triangles[corner_places->b];
    }
    int64_t at = contacts->count++;
    for (; at > 0 && contacts->items[at - 1].sample == contact.sample &&
           contacts->items[at - 1].pair > pair;
         at--)
        contacts->items[at] = contacts->items[at - 1];
    contacts->items[at] = contact;
    return true;
}

/* ---- Groups of contacts ------------------------------------------------------------------------
 */

/* All pairs of triangles that two parts, or one part alone, have at a moment. */
typedef struct Group {
    int32_t pair; /* of the report */
    const PliantContact *contacts;
    int64_t count;
} Group;

typedef bool TakeGroup(Check *check, const Group *group);

static bool make_faces(const Check *check, const Group *group, FacePair *faces)
{
    const ReportPair *pair = &check->report->pairs[group->pair];
    const ReportPart *parts = check->report->parts;
    return face_pair_make(faces, parts[pair->a].triangle_count, parts[pair->b].triangle_count,
                          pair->a == pair->b) ||
           no_memory(check);
}

static void add_faces(const Group *group, FacePair *faces)
{
    for (int64_t i = 0; i < group->count; i++) {
        faces_add(faces->a, group->contacts[i].triangle_a);
        faces_add(faces->b, group->contacts[i].triangle_b);
    }
}

/* TakeGroup, of the baseline. */
static bool read_known(Check *check, const Group *group)
{
    FacePair *known = &check->found[group->pair].known;
    if (!make_faces(check, group, known))
        return false;
    add_faces(group, known);
    return true;
}

static bool make_room_for_new(Check *check, int64_t count)
{
    if (count <= check->new_capacity)
        return true;
    PlacePair *larger = realloc(check->new_pairs, (size_t)count * sizeof *larger);
    if (!larger)
        return no_memory(check);
    check->new_pairs = larger;
    check->new_capacity = count;
    return true;
}

/* The pairs of a group that are not known, by the places of their triangles. */
static bool list_new(Check *check, const Group *group)
{
    const ReportPair *parts = &check->report->pairs[group->pair];
    const Found *found = &check->found[group->pair];
    Touched *a = &check->touched[parts->a], *b = &check->touched[parts->b];
    check->new_count = 0;
    if (!make_room_for_new(check, group->count))
        return false;
    for (int64_t i = 0; i < group->count; i++) {
        const PliantContact *contact = &group->contacts[i];
        if (found_is_known(found, contact->triangle_a, contact->triangle_b))
            continue;
        const PlacePair corner_places = {touched_add(a, contact->triangle_a),
                                         touched_add(b, contact->triangle_b)};
        if (corner_places.a < 0 || corner_places.b < 0)
            return no_memory(check);
        check->new_pairs[check->new_count++] = corner_places;
    }
    return true;
}

static bool fetch(Check *check, int32_t part)
{
    PliantResult result =
        touched_fetch(&check->touched[part], check->bodies.world, check->bodies.items[part].body);
    return result == PLIANT_OK ||
           bodies_fail(&check->bodies, result, check->report->parts[part].name, check->error);
}

/* The depth of the deepest new pair. */
static bool measure_depth(Check *check, const ReportPair *parts, double *depth)
{
    if (!fetch(check, parts->a) || !fetch(check, parts->b))
        return false;
    DepthTriangle *a = check->touched[parts->a].items, *b = check->touched[parts->b].items;
    for (int64_t i = 0; i < check->new_count; i++) {
        const PlacePair *corner_places = &check->new_pairs[i];
        const double deep = depth_of_pair(&a[corner_places->a], &b[corner_places->b], *depth);
        *depth = deep > *depth ? deep : *depth;
    }
    return true;
}

/* TakeGroup, of a sample. */
static bool read_row(Check *check, const Group *group)
{
    Found *found = &check->found[group->pair];
    ReportRow row = {.sample = check->sample, .pairs = group->count, .volume = -1};
    if (!make_faces(check, group, &found->touched) || !list_new(check, group))
        return false;
    add_faces(group, &found->touched);
    row.new_pairs = check->new_count;
    if (!measure_depth(check, &check->report->pairs[group->pair], &row.depth))
        return false;
    if (!found_add_row(found, &row))
        return no_memory(check);
    return !check->contacts || check->new_count == 0 || keep_contact(check, group->pair);
}

/* ---- Queries --------------------------------------------------------------------------------- */

/* Bodies were made in the order of parts, and nothing else was. */
static int32_t part_of(const Check *check, PliantBody body)
{
    return (int32_t)(body.index - check->bodies.items[0].body.index);
}

static bool read_groups(Check *check, const PliantContacts *contacts, TakeGroup *take)
{
    const PliantContact *items = contacts->items;
    for (int64_t first = 0, end; first < contacts->count; first = end) {
        for (end = first + 1;
             end < contacts->count && items[end].body_a.index == items[first].body_a.index &&
             items[end].body_b.index == items[first].body_b.index;
             end++)
            ;
        const Group group = {(int32_t)plan_pair_of(check->plan.part_count, check->options->has_self,
                                                   part_of(check, items[first].body_a),
                                                   part_of(check, items[first].body_b)),
                             items + first, end - first};
        if (!take(check, &group))
            return false;
    }
    return true;
}

/* All that touches, as bodies are now. */
static bool prefetch(Check *check, TakeGroup *take)
{
    PliantWorld *world = check->bodies.world;
    PliantContacts contacts = pliant_contacts_default();
    PliantResult result = pliant_world_collide(world, NULL, &contacts);
    if (result != PLIANT_OK)
        return bodies_fail(&check->bodies, result, NULL, check->error);
    if (!read_groups(check, &contacts, take))
        return false;
    for (int32_t p = 0; p < check->bodies.count && check->options->has_self; p++) {
        const PartBody *item = &check->bodies.items[p];
        result = pliant_body_self_collide(world, item->body, NULL, &contacts);
        if (result != PLIANT_OK)
            return bodies_fail(&check->bodies, result, item->part->name, check->error);
        if (!read_groups(check, &contacts, take))
            return false;
    }
    return true;
}

/* The rest pose, with the morphs that are held, and what touches there. */
static bool read_rest(Check *check)
{
    SceneError wrong;
    plan_set_morphs(check->options, -1, check->pose);
    if (!scene_pose_at(check->pose, -1, 0, &wrong))
        return check_fail(check->error, "%s", wrong.text);
    return bodies_pose(&check->bodies, check->pose, check->error) && prefetch(check, read_known);
}

static bool pose(Check *check, int64_t sample)
{
    check->sample = sample;
    return plan_pose(&check->plan, check->options, sample, check->pose, check->error) &&
           bodies_pose(&check->bodies, check->pose, check->error);
}

static bool draw_samples(Check *check)
{
    const CheckOptions *options = check->options;
    const int64_t first = options->shard - 1, step = options->shard_count;
    const int64_t all =
        check->plan.sample_count > first ? (check->plan.sample_count - first - 1) / step + 1 : 0;
    for (int64_t done = 0; done < all; done++) {
        if (!pose(check, first + done * step) || !prefetch(check, read_row))
            return false;
        for (int32_t p = 0; p < check->plan.part_count; p++)
            touched_clear(&check->touched[p]);
        check->report->tested_count++;
        if (options->progress && !options->progress(options->user, done + 1, all))
            return check_fail(check->error, "stopped after %lld of %lld samples",
                              (long long)done + 1, (long long)all);
    }
    return true;
}

/* ---- Volumes, at the worst sample of each pair ------------------------------------------------
 */

typedef struct Worst {
    int64_t sample;
    int32_t pair;
} Worst;

static int compare_worst(const void *a, const void *b)
{
    const Worst *x = a, *y = b;
    if (x->sample != y->sample)
        return x->sample < y->sample ? -1 : 1;
    return (x->pair > y->pair) - (x->pair < y->pair);
}

/* A surface that turns out not to be closed has no volume, and that is no failure. */
static bool measure_volume(Check *check, const Worst *worst)
{
    const ReportPair *pair = &check->report->pairs[worst->pair];
    PliantVolume volume = pliant_volume_default();
    PliantResult result =
        pliant_bodies_volume(check->bodies.world, check->bodies.items[pair->a].body,
                             check->bodies.items[pair->b].body, NULL, &volume);
    if (result != PLIANT_OK && result != PLIANT_NOT_CLOSED)
        return bodies_fail(&check->bodies, result, check->report->parts[pair->a].name,
                           check->error);
    for (int64_t r = 0; r < pair->row_count && result == PLIANT_OK; r++)
        if (pair->rows[r].sample == worst->sample) {
            pair->rows[r].volume = volume.volume;
            pair->rows[r].volume_error = volume.error;
        }
    return true;
}

static bool measure_volumes(Check *check)
{
    const Report *report = check->report;
    Worst *worsts = calloc((size_t)report->pair_count + 1, sizeof *worsts);
    int32_t count = 0;
    if (!worsts)
        return no_memory(check);
    for (int32_t i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[i];
        if (pair->a == pair->b || !report->parts[pair->a].is_closed ||
            !report->parts[pair->b].is_closed)
            continue;
        const int64_t sample = pair_summary(report, pair).worst;
        if (sample >= 0)
            worsts[count++] = (Worst){sample, i};
    }
    qsort(worsts, (size_t)count, sizeof *worsts, compare_worst);
    bool is_measured = true;
    for (int32_t i = 0; i < count && is_measured; i++)
        is_measured = (worsts[i].sample == check->sample || pose(check, worsts[i].sample)) &&
                      measure_volume(check, &worsts[i]);
    free(worsts);
    return is_measured;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static bool prepare(Check *check)
{
    const Plan *plan = &check->plan;
    Report *report = check->report;
    if (!bodies_make(&check->bodies, check->scene, plan->parts, plan->part_count,
                     check->options->is_eager, check->error))
        return false;
    check->pose = scene_pose_create(check->scene);
    check->found = calloc((size_t)report->pair_count + 1, sizeof *check->found);
    check->touched = calloc((size_t)plan->part_count, sizeof *check->touched);
    if (!check->pose || !check->found || !check->touched)
        return no_memory(check);
    for (int32_t p = 0; p < plan->part_count; p++) {
        report->parts[p].is_closed = check->bodies.items[p].is_closed;
        if (!touched_make(&check->touched[p], report->parts[p].triangle_count))
            return no_memory(check);
    }
    return true;
}

static bool settle(Check *check)
{
    for (int32_t i = 0; i < check->report->pair_count; i++)
        if (!found_settle(&check->found[i], check->report, &check->report->pairs[i]))
            return no_memory(check);
    return true;
}

static bool run(Check *check)
{
    const CheckOptions *options = check->options;
    if (!prepare(check))
        return false;
    if (options->baseline &&
        !found_read_baseline(options->baseline, check->report, check->found, check->error))
        return false;
    if (options->is_baseline_rest && !read_rest(check))
        return false;
    if (!draw_samples(check) || !settle(check))
        return false;
    if (options->has_volume && !measure_volumes(check))
        return false;
    report_settle(check->report);
    return true;
}

static void release(Check *check)
{
    for (int32_t i = 0; i < check->report->pair_count && check->found; i++)
        found_free(&check->found[i]);
    for (int32_t p = 0; p < check->plan.part_count && check->touched; p++)
        touched_free(&check->touched[p]);
    free(check->found);
    free(check->touched);
    free(check->new_pairs);
    scene_pose_free(check->pose);
    bodies_free(&check->bodies);
    plan_free(&check->plan);
}

bool check_run(const Scene *scene, const char *file, const CheckOptions *options, Report *report,
               CheckContacts *contacts, char error[400])
{
    Check check = {.scene = scene,
                   .options = options,
                   .report = report,
                   .contacts = options->keeps_contacts ? contacts : NULL,
                   .sample = -1,
                   .error = error};
    *report = (Report){0};
    if (contacts)
        *contacts = (CheckContacts){0};
    if (!plan_make(scene, options, &check.plan, error))
        return false;
    const bool is_run =
        plan_report(&check.plan, scene, file, options, report, error) && run(&check);
    release(&check);
    if (!is_run) {
        report_free(report);
        *report = (Report){0};
        if (contacts)
            check_contacts_free(contacts);
    }
    return is_run;
}

/* ---- For coming back to a sample ---------------------------------------------------------------
 */

bool check_pose(const Scene *scene, const CheckOptions *options, const Report *report,
                int64_t sample, ScenePose *pose_of, char error[400])
{
    Plan plan;
    if (sample < 0 || sample >= report->sample_count)
        return check_fail(error, "there is no sample %lld", (long long)sample);
    if (!plan_make(scene, options, &plan, error))
        return false;
    const bool is_same = plan.sample_count == report->sample_count;
    const bool is_posed = is_same ? plan_pose(&plan, options, sample, pose_of, error)
                                  : check_fail(error, "the report is of another check");
    plan_free(&plan);
    return is_posed;
}

int64_t scene_vertex_count(const Scene *scene)
{
    int64_t count = 0;
    for (int32_t p = 0; p < scene->part_count; p++)
        count += scene->parts[p].vertex_count;
    return count;
}

static bool read_vertices(Bodies *bodies, float *vertices, char error[400])
{
    for (int32_t i = 0; i < bodies->count; i++) {
        PartBody *item = &bodies->items[i];
        PliantResult result =
            pliant_body_vertices(bodies->world, item->body, vertices, item->part->vertex_count);
        if (result != PLIANT_OK)
            return bodies_fail(bodies, result, item->part->name, error);
        vertices += 3 * (size_t)item->part->vertex_count;
    }
    return true;
}

bool check_vertices(const Scene *scene, const ScenePose *pose_of, float *vertices, char error[400])
{
    Bodies bodies;
    int32_t *parts = calloc((size_t)scene->part_count + 1, sizeof *parts);
    if (!parts)
        return check_fail(error, "there is no memory left");
    for (int32_t p = 0; p < scene->part_count; p++)
        parts[p] = p;
    bool is_read = bodies_make(&bodies, scene, parts, scene->part_count, false, error);
    free(parts);
    if (!is_read)
        return false;
    is_read = bodies_pose(&bodies, pose_of, error) && read_vertices(&bodies, vertices, error);
    bodies_free(&bodies);
    return is_read;
}
