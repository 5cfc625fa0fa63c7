/* What one worker finds: see worker.h.
 *
 * For each sample bodies are told where they are, and two kinds of question are asked: one for all
 * pairs of different parts, and one for the self-collision of each part. What comes back is in
 * groups, one for each pair of parts that touch; each becomes a row. */
#include "check/worker.h"

#include <stdlib.h>

static bool no_memory(Worker *worker)
{
    return check_no_memory(worker->error);
}

/* ---- Worker ---------------------------------------------------------------------------------- */

bool worker_make(Worker *worker, const Subject *subject)
{
    const Report *report = subject->report;
    worker_free(worker);
    *worker = (Worker){.subject = subject, .sample = -1};
    if (!bodies_make(&worker->bodies, &subject->shapes, subject->pool, worker->error))
        return false;
    worker->pose = scene_pose_create(subject->scene);
    worker->found = calloc((size_t)report->pair_count + 1, sizeof *worker->found);
    worker->touched = calloc((size_t)report->part_count, sizeof *worker->touched);
    if (!worker->pose || !worker->found || !worker->touched)
        return no_memory(worker);
    for (int32_t p = 0; p < report->part_count; p++)
        if (!touched_make(&worker->touched[p], report->parts[p].triangle_count))
            return no_memory(worker);
    return worker->is_made = true;
}

void worker_free(Worker *worker)
{
    if (!worker->subject)
        return;
    for (int32_t i = 0; i < worker->subject->report->pair_count && worker->found; i++)
        found_free(&worker->found[i]);
    for (int32_t p = 0; p < worker->subject->report->part_count && worker->touched; p++)
        touched_free(&worker->touched[p]);
    free(worker->found);
    free(worker->touched);
    free(worker->new_pairs);
    check_contacts_free(&worker->contacts);
    scene_pose_free(worker->pose);
    bodies_free(&worker->bodies);
    *worker = (Worker){0};
}

/* ---- Groups of contacts ------------------------------------------------------------------------
 */

/* All pairs of triangles that two parts, or one part alone, have at a moment. */
typedef struct Group {
    int32_t pair; /* of the report */
    const PliantContact *contacts;
    int64_t count;
} Group;

typedef bool TakeGroup(Worker *worker, const Group *group, void *user);

static bool make_faces(Worker *worker, const Group *group, FacePair *faces)
{
    const ReportPair *pair = &worker->subject->report->pairs[group->pair];
    const ReportPart *parts = worker->subject->report->parts;
    return face_pair_make(faces, parts[pair->a].triangle_count, parts[pair->b].triangle_count,
                          pair->a == pair->b) ||
           no_memory(worker);
}

static void add_faces(const Group *group, FacePair *faces)
{
    for (int64_t i = 0; i < group->count; i++) {
        faces_add(faces->a, group->contacts[i].triangle_a);
        faces_add(faces->b, group->contacts[i].triangle_b);
    }
}

/* TakeGroup, of the baseline: into the known faces. */
static bool read_known(Worker *worker, const Group *group, void *user)
{
    FacePair *known = (FacePair *)user + group->pair;
    if (!make_faces(worker, group, known))
        return false;
    add_faces(group, known);
    return true;
}

static bool make_room_for_new(Worker *worker, int64_t count)
{
    if (count <= worker->new_capacity)
        return true;
    PlacePair *larger = realloc(worker->new_pairs, (size_t)count * sizeof *larger);
    if (!larger)
        return no_memory(worker);
    worker->new_pairs = larger;
    worker->new_capacity = count;
    return true;
}

/* The pairs of a group that are not known, by the places of their triangles. */
static bool list_new(Worker *worker, const Group *group)
{
    const ReportPair *parts = &worker->subject->report->pairs[group->pair];
    const FacePair *known = &worker->subject->known[group->pair];
    Touched *a = &worker->touched[parts->a], *b = &worker->touched[parts->b];
    worker->new_count = 0;
    if (!make_room_for_new(worker, group->count))
        return false;
    for (int64_t i = 0; i < group->count; i++) {
        const PliantContact *contact = &group->contacts[i];
        if (found_is_known(known, contact->triangle_a, contact->triangle_b))
            continue;
        const PlacePair corner_places = {touched_add(a, contact->triangle_a),
                                         touched_add(b, contact->triangle_b)};
        if (corner_places.a < 0 || corner_places.b < 0)
            return no_memory(worker);
        worker->new_pairs[worker->new_count++] = corner_places;
    }
    return true;
}

static bool fetch(Worker *worker, int32_t part)
{
    PliantResult result = touched_fetch(&worker->touched[part], worker->bodies.world,
                                        worker->bodies.items[part].body);
    return result == PLIANT_OK ||
           heard_fail(&worker->bodies.heard, result, worker->subject->report->parts[part].name,
                      worker->error);
}

/* The depth of the deepest new pair. */
static bool measure_depth(Worker *worker, const ReportPair *parts, double *depth)
{
    if (!fetch(worker, parts->a) || !fetch(worker, parts->b))
        return false;
    DepthTriangle *a = worker->touched[parts->a].items, *b = worker->touched[parts->b].items;
    for (int64_t i = 0; i < worker->new_count; i++) {
        const PlacePair *corner_places = &worker->new_pairs[i];
        const double deep = depth_of_pair(&a[corner_places->a], &b[corner_places->b], *depth);
        *depth = deep > *depth ? deep : *depth;
    }
    return true;
}

static bool keep_contact(Worker *worker, int32_t pair)
{
    CheckContacts *contacts = &worker->contacts;
    const ReportPair *parts = &worker->subject->report->pairs[pair];
    if (!contacts_make_room(contacts, worker->new_count))
        return no_memory(worker);
    const CheckContact contact = {worker->sample, pair, contacts->triangle_count,
                                  worker->new_count};
    for (int64_t i = 0; i < worker->new_count; i++) {
        const PlacePair *corner_places = &worker->new_pairs[i];
        contacts->triangles[contacts->triangle_count++] =
            worker->touched[parts->a].triangles[corner_places->a];
        contacts->triangles[contacts->triangle_count++] =
            worker->touched[parts->b].triangles[corner_places->b];
    }
    contacts_add(contacts, &contact);
    return true;
}

/* TakeGroup, of a sample. */
static bool read_row(Worker *worker, const Group *group, void *user)
{
    (void)user;
    Found *found = &worker->found[group->pair];
    ReportRow row = {.sample = worker->sample, .pairs = group->count, .volume = -1};
    if (!make_faces(worker, group, &found->touched) || !list_new(worker, group))
        return false;
    add_faces(group, &found->touched);
    row.new_pairs = worker->new_count;
    if (!measure_depth(worker, &worker->subject->report->pairs[group->pair], &row.depth))
        return false;
    if (!found_add_row(found, &row))
        return no_memory(worker);
    return !worker->subject->options->keeps_contacts || worker->new_count == 0 ||
           keep_contact(worker, group->pair);
}

/* ---- Queries --------------------------------------------------------------------------------- */

/* Bodies were made in the order of parts, and nothing else was. */
static int32_t part_of(const Worker *worker, PliantBody body)
{
    return (int32_t)(body.index - worker->bodies.items[0].body.index);
}

static bool read_groups(Worker *worker, const PliantContacts *contacts, TakeGroup *take, void *user)
{
    const PliantContact *items = contacts->items;
    for (int64_t first = 0, end; first < contacts->count; first = end) {
        for (end = first + 1;
             end < contacts->count && items[end].body_a.index == items[first].body_a.index &&
             items[end].body_b.index == items[first].body_b.index;
             end++)
            ;
        const Group group = {(int32_t)plan_pair_of(worker->subject->plan.part_count,
                                                   worker->subject->options->has_self,
                                                   part_of(worker, items[first].body_a),
                                                   part_of(worker, items[first].body_b)),
                             items + first, end - first};
        if (!take(worker, &group, user))
            return false;
    }
    return true;
}

/* PliantQueryDef.progress: a query may be long. */
static bool goes_on(void *user, int64_t done, int64_t total)
{
    const Worker *worker = user;
    (void)done;
    (void)total;
    return !worker->subject->options->stop || !worker->subject->options->stop();
}

static PliantQueryDef query_of(Worker *worker)
{
    PliantQueryDef query = pliant_query_def_default();
    query.progress = goes_on;
    query.user = worker;
    return query;
}

/* All that touches, as bodies are now. */
static bool prefetch(Worker *worker, TakeGroup *take, void *user)
{
    PliantWorld *world = worker->bodies.world;
    PliantContacts contacts = pliant_contacts_default();
    const PliantQueryDef query = query_of(worker);
    PliantResult result = pliant_world_collide(world, &query, &contacts);
    if (result != PLIANT_OK)
        return heard_fail(&worker->bodies.heard, result, NULL, worker->error);
    if (!read_groups(worker, &contacts, take, user))
        return false;
    for (int32_t p = 0; p < worker->bodies.count && worker->subject->options->has_self; p++) {
        const PartBody *item = &worker->bodies.items[p];
        result = pliant_body_self_collide(world, item->body, &query, &contacts);
        if (result != PLIANT_OK)
            return heard_fail(&worker->bodies.heard, result, item->shape->part->name,
                              worker->error);
        if (!read_groups(worker, &contacts, take, user))
            return false;
    }
    return true;
}

bool worker_read_rest(Worker *worker, FacePair *known)
{
    SceneError wrong;
    plan_set_morphs(worker->subject->options, -1, worker->pose);
    if (!scene_pose_at(worker->pose, -1, 0, &wrong))
        return check_fail(worker->error, "%s", wrong.text);
    return bodies_pose(&worker->bodies, worker->pose, worker->error) &&
           prefetch(worker, read_known, known);
}

static bool pose(Worker *worker, int64_t sample)
{
    const Subject *subject = worker->subject;
    worker->sample = sample;
    return plan_pose(&subject->plan, subject->options, sample, worker->pose, worker->error) &&
           bodies_pose(&worker->bodies, worker->pose, worker->error);
}

bool worker_read_sample(Worker *worker, int64_t sample)
{
    if (!pose(worker, sample) || !prefetch(worker, read_row, NULL))
        return false;
    for (int32_t p = 0; p < worker->bodies.count; p++)
        touched_clear(&worker->touched[p]);
    return true;
}

/* ---- Volumes --------------------------------------------------------------------------------- */

/* A surface that turns out not to be closed has no volume, and that is no failure. */
bool worker_measure_volume(Worker *worker, int32_t pair, int64_t sample)
{
    const Report *report = worker->subject->report;
    const ReportPair *parts = &report->pairs[pair];
    PliantVolume volume = pliant_volume_default();
    if (worker->sample != sample && !pose(worker, sample))
        return false;
    PliantResult result =
        pliant_bodies_volume(worker->bodies.world, worker->bodies.items[parts->a].body,
                             worker->bodies.items[parts->b].body, NULL, &volume);
    if (result != PLIANT_OK && result != PLIANT_NOT_CLOSED)
        return heard_fail(&worker->bodies.heard, result, report->parts[parts->a].name,
                          worker->error);
    for (int64_t r = 0; r < parts->row_count && result == PLIANT_OK; r++)
        if (parts->rows[r].sample == sample) {
            parts->rows[r].volume = volume.volume;
            parts->rows[r].volume_error = volume.error;
        }
    return true;
}
