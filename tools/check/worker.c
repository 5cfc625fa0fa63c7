/* What one worker finds: see worker.h.
 *
 * For each sample bodies are told where they are, and two kinds of question are asked: one for all
 * pairs of different parts, and one for the self-collision of each part. What comes back is in
 * groups, one for each pair of parts that touch; each becomes a row. What is deep is measured
 * later, in some of the rows. */
#include "check/worker.h"
#include "check/added.h"
#include "check/cut_depth.h"
#include "check/inside.h"
#include "check/shown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(Worker *worker)
{
    return check_no_memory(worker->error);
}

/* ---- Worker ---------------------------------------------------------------------------------- */

/* Poses at rest, with the morphs that are held. */
static bool pose_rest(Worker *worker, Bodies *bodies)
{
    SceneError wrong;
    plan_set_morphs(worker->subject->options, -1, worker->pose);
    if (!scene_pose_at(worker->pose, -1, 0, &wrong))
        return check_fail(worker->error, "%s", wrong.text);
    return bodies_pose(bodies, worker->pose, worker->error);
}

/* A second set of bodies, which stay in the rest pose. */
static bool make_rest(Worker *worker)
{
    const Subject *subject = worker->subject;
    return !subject->options->is_baseline_rest ||
           (bodies_make(&worker->rest, &subject->shapes, subject->pool, worker->error) &&
            pose_rest(worker, &worker->rest));
}

bool worker_make(Worker *worker, const Subject *subject)
{
    const Report *report = subject->report;
    worker_free(worker);
    *worker = (Worker){.subject = subject, .sample = -1};
    if (!bodies_make(&worker->bodies, &subject->shapes, subject->pool, worker->error))
        return false;
    worker->pose = scene_pose_create(subject->scene);
    worker->found = calloc((size_t)report->pair_count + 1, sizeof *worker->found);
    worker->is_touching = calloc((size_t)report->pair_count + 1, sizeof *worker->is_touching);
    if (!worker->pose || !worker->found || !worker->is_touching)
        return no_memory(worker);
    for (int32_t i = 0; i < report->pair_count; i++)
        worker->found[i].clearance = -1;
    return worker->is_made = make_rest(worker);
}

void worker_free(Worker *worker)
{
    if (!worker->subject)
        return;
    for (int32_t i = 0; i < worker->subject->report->pair_count && worker->found; i++)
        found_free(&worker->found[i]);
    free(worker->found);
    free(worker->is_touching);
    free(worker->body_pairs);
    free(worker->new_pairs);
    check_contacts_free(&worker->contacts);
    scene_pose_free(worker->pose);
    bodies_free(&worker->rest);
    bodies_free(&worker->bodies);
    *worker = (Worker){0};
}

/* ---- Groups of contacts ------------------------------------------------------------------------
 */

/* All pairs of triangles that two parts, or one part alone, have at a moment. */
typedef struct Group {
    int32_t pair; /* of the report */
    const PliantContacts *contacts;
} Group;

typedef bool TakeGroup(Worker *worker, const Group *group, FacePair *known);

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
    for (int64_t i = 0; i < group->contacts->count; i++) {
        faces_add(faces->a, group->contacts->items[i].triangle_a);
        faces_add(faces->b, group->contacts->items[i].triangle_b);
    }
}

/* One array that has to have room for so many. */
static bool make_room(Worker *worker, void *array, int64_t *capacity, int64_t count, size_t size)
{
    void *old, *larger;
    if (count <= *capacity)
        return true;
    memcpy(&old, array, sizeof old);
    if (!(larger = realloc(old, (size_t)count * size)))
        return no_memory(worker);
    memcpy(array, &larger, sizeof larger);
    *capacity = count;
    return true;
}

/* The pairs of a group that are not known. */
static bool list_new(Worker *worker, const Group *group)
{
    const FacePair *known = &worker->subject->known[group->pair];
    worker->new_count = 0;
    if (!make_room(worker, &worker->new_pairs, &worker->new_capacity, group->contacts->count,
                   sizeof *worker->new_pairs))
        return false;
    for (int64_t i = 0; i < group->contacts->count; i++) {
        const PliantContact *contact = &group->contacts->items[i];
        if (!found_is_known(known, contact->triangle_a, contact->triangle_b))
            worker->new_pairs[worker->new_count++] =
                (TrianglePair){contact->triangle_a, contact->triangle_b};
    }
    return true;
}

static bool keep_contact(Worker *worker, int32_t pair)
{
    CheckContacts *contacts = &worker->contacts;
    if (!contacts_make_room(contacts, worker->new_count))
        return no_memory(worker);
    const CheckContact contact = {worker->sample, pair, contacts->triangle_count,
                                  worker->new_count};
    for (int64_t i = 0; i < worker->new_count; i++) {
        contacts->triangles[contacts->triangle_count++] = worker->new_pairs[i].a;
        contacts->triangles[contacts->triangle_count++] = worker->new_pairs[i].b;
    }
    contacts_add(contacts, &contact);
    return true;
}

static Measured measured_of(Worker *worker, int32_t pair)
{
    const Subject *subject = worker->subject;
    return (Measured){&worker->bodies,       subject->scene,
                      subject->report,       &subject->report->pairs[pair],
                      &subject->known[pair], worker->rest.count > 0 ? &worker->rest : NULL};
}

static bool find_regions(Worker *worker, const ReportPair *pair, const PliantContacts *contacts,
                         PliantRegions *regions)
{
    const CheckOptions *options = worker->subject->options;
    PliantRegionsDef def = pliant_regions_def_default();
    def.with_vertex_depths =
        options->keeps_depths || options->baseline || options->is_baseline_rest;
    *regions = pliant_regions_default();
    const PliantResult result =
        pliant_contacts_regions(worker->bodies.world, contacts, &def, regions);
    return result == PLIANT_OK ||
           heard_fail(&worker->bodies.heard, result, worker->subject->report->parts[pair->a].name,
                      worker->error);
}

/* TakeGroup, of the baseline: into the known faces and depths. */
static bool read_known(Worker *worker, const Group *group, FacePair *known)
{
    const Measured measured = measured_of(worker, group->pair);
    PliantRegions regions;
    if (!make_faces(worker, group, &known[group->pair]))
        return false;
    add_faces(group, &known[group->pair]);
    return find_regions(worker, measured.pair, group->contacts, &regions) &&
           added_read_pose(&measured, &regions, &known[group->pair], worker->error);
}

/* TakeGroup, of a sample. */
static bool read_row(Worker *worker, const Group *group, FacePair *none)
{
    (void)none;
    Found *found = &worker->found[group->pair];
    const Measured measured = measured_of(worker, group->pair);
    ReportRow row = {
        .sample = worker->sample, .pairs = group->contacts->count, .volume = -1, .shown = -1};
    worker->is_touching[group->pair] = true;
    if (!make_faces(worker, group, &found->touched) || !list_new(worker, group))
        return false;
    add_faces(group, &found->touched);
    row.new_pairs = worker->new_count;
    if (!measure_goes_through(&measured, group->contacts->items, group->contacts->count,
                              &row.goes_through, worker->error))
        return false;
    if (!found_add_row(found, &row))
        return no_memory(worker);
    return !worker->subject->options->keeps_contacts || worker->new_count == 0 ||
           keep_contact(worker, group->pair);
}

/* ---- What does not touch ---------------------------------------------------------------------
 */

static ReportContained contained_of(Worker *worker, const ReportPair *pair, PliantResult *result)
{
    const PartBody *a = &worker->bodies.items[pair->a], *b = &worker->bodies.items[pair->b];
    PliantContainment found = pliant_containment_default();
    if (b->shape->is_closed)
        *result = pliant_bodies_contain(worker->bodies.world, b->body, a->body, NULL, &found);
    if (*result == PLIANT_OK && found.contains)
        return CONTAINED_A;
    if (*result == PLIANT_OK && a->shape->is_closed)
        *result = pliant_bodies_contain(worker->bodies.world, a->body, b->body, NULL, &found);
    return *result == PLIANT_OK && found.contains ? CONTAINED_B : CONTAINED_NONE;
}

/* Is a piece of a part inside another, which is closed? Nothing touches, so one point of it tells.
 */
static PliantResult has_piece_inside(Worker *worker, const PartBody *part, const PartBody *other,
                                     bool *is_inside)
{
    const int32_t count = part->shape->piece_count;
    float *corners = malloc(9 * sizeof *corners * (size_t)count + 1);
    PliantResult result = corners ? pliant_body_corners(worker->bodies.world, part->body,
                                                        part->shape->pieces, count, corners, count)
                                  : PLIANT_OUT_OF_MEMORY;
    for (int32_t i = 1; i < count && result == PLIANT_OK; i++) /* the first of each */
        memmove(corners + 3 * (size_t)i, corners + 9 * (size_t)i, 3 * sizeof *corners);
    if (result == PLIANT_OK) {
        float *distances = corners + 3 * (size_t)count;
        result =
            bodies_distances(&worker->bodies, other, INFINITY, corners, count, distances, NULL);
        for (int32_t i = 0; i < count && result == PLIANT_OK; i++)
            *is_inside |= distances[i] < 0;
    }
    free(corners);
    return result;
}

/* Of a part of several pieces, some may be inside. */
static ReportContained contained_piece(Worker *worker, const ReportPair *pair, PliantResult *result)
{
    const PartBody *sides[2] = {&worker->bodies.items[pair->a], &worker->bodies.items[pair->b]};
    for (int k = 0; k < 2; k++) {
        bool is_inside = false;
        if (sides[k]->shape->piece_count < 2 || !sides[1 - k]->shape->is_closed)
            continue;
        *result = has_piece_inside(worker, sides[k], sides[1 - k], &is_inside);
        if (*result == PLIANT_OK && is_inside)
            return k == 0 ? CONTAINED_A : CONTAINED_B;
        if (*result != PLIANT_OK)
            return CONTAINED_NONE;
    }
    return CONTAINED_NONE;
}

/* Is one of two parts that do not touch inside the other, or a piece of it? */
static bool read_contained(Worker *worker, int32_t index, FacePair *known)
{
    const ReportPair *pair = &worker->subject->report->pairs[index];
    PliantResult result = PLIANT_OK;
    ReportContained contained = contained_of(worker, pair, &result);
    if (contained == CONTAINED_NONE && result == PLIANT_OK)
        contained = contained_piece(worker, pair, &result);
    if (result != PLIANT_OK)
        return heard_fail(&worker->bodies.heard, result,
                          worker->subject->report->parts[pair->a].name, worker->error);
    if (contained == CONTAINED_NONE)
        return true;
    if (known) {
        known[index].contained |= (int32_t)contained;
        return true;
    }
    worker->is_touching[index] = true;
    const ReportRow row = {
        .sample = worker->sample, .contained = contained, .volume = -1, .shown = -1};
    if (worker->subject->known[index].contained & (int32_t)contained)
        return true;
    return found_add_row(&worker->found[index], &row) || no_memory(worker);
}

/* How near parts come that do not touch: the nearest so far, at the first sample of several. */
static bool read_clearance(Worker *worker, int32_t index)
{
    const ReportPair *pair = &worker->subject->report->pairs[index];
    Found *found = &worker->found[index];
    PliantDistanceDef def = pliant_distance_def_default();
    PliantDistance distance = pliant_distance_default();
    def.max_distance = (float)worker->subject->options->max_clearance;
    if (found->clearance >= 0)
        def.max_distance = (float)found->clearance;
    PliantResult result =
        pliant_bodies_distance(worker->bodies.world, worker->bodies.items[pair->a].body,
                               worker->bodies.items[pair->b].body, &def, &distance);
    if (result != PLIANT_OK)
        return heard_fail(&worker->bodies.heard, result,
                          worker->subject->report->parts[pair->a].name, worker->error);
    if (distance.is_found)
        found_add_clearance(found, distance.pair.distance, worker->sample);
    return true;
}

static bool is_due(const Worker *worker, int32_t index);

static bool read_clearances(Worker *worker)
{
    const Report *report = worker->subject->report;
    for (int32_t i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[i];
        if (pair->a != pair->b && is_due(worker, i) && !worker->is_touching[i] &&
            worker->found[i].row_count == 0 && !read_clearance(worker, i))
            return false;
    }
    return true;
}

/* ---- Queries --------------------------------------------------------------------------------- */

/* Bodies were made in the order of parts, and nothing else was. */
static int32_t part_of(const Worker *worker, PliantBody body)
{
    return (int32_t)(body.index - worker->bodies.items[0].body.index);
}

/* Is a pair checked at this sample? A rigid one is at the first alone, and all are at rest. */
static bool is_due(const Worker *worker, int32_t index)
{
    const PairKind kind = worker->subject->report->pairs[index].kind;
    return kind == PAIR_CHECKED || (kind == PAIR_RIGID && worker->sample <= 0);
}

static int32_t pair_of(const Worker *worker, int32_t a, int32_t b)
{
    return (int32_t)plan_pair_of(worker->subject->plan.part_count,
                                 worker->subject->report->has_self, a, b);
}

/* PliantCollideDef.progress: a query may be long. */
static bool goes_on(void *user, int64_t done, int64_t total)
{
    const Worker *worker = user;
    (void)done;
    (void)total;
    const CheckOptions *options = worker->subject->options;
    return !options->stop || !options->stop(options->user);
}

static PliantCollideDef query_of(Worker *worker)
{
    PliantCollideDef query = pliant_collide_def_default();
    query.progress = goes_on;
    query.user = worker;
    return query;
}

/* The contacts of two parts, or of a self-collision. */
static bool collide(Worker *worker, const ReportPair *pair, PliantContacts *contacts)
{
    PliantWorld *world = worker->bodies.world;
    const PartBody *a = &worker->bodies.items[pair->a], *b = &worker->bodies.items[pair->b];
    const PliantCollideDef query = query_of(worker);
    *contacts = pliant_contacts_default();
    const PliantResult result = pliant_bodies_collide(world, a->body, b->body, &query, contacts);
    return result == PLIANT_OK ||
           heard_fail(&worker->bodies.heard, result, a->shape->part->name, worker->error);
}

static bool read_pair(Worker *worker, int32_t index, TakeGroup *take, FacePair *known)
{
    const ReportPair *pair = &worker->subject->report->pairs[index];
    PliantContacts contacts;
    if (!collide(worker, pair, &contacts))
        return false;
    const Group group = {index, &contacts};
    if (contacts.count > 0)
        return take(worker, &group, known);
    return pair->a == pair->b || read_contained(worker, index, known);
}

/* The pairs of bodies whose boxes overlap, copied: queries come before all are done with. */
static bool list_body_pairs(Worker *worker, int64_t *count)
{
    PliantBodyPairs pairs = pliant_body_pairs_default();
    const PliantResult result = pliant_world_body_pairs(worker->bodies.world, NULL, &pairs);
    if (result != PLIANT_OK)
        return heard_fail(&worker->bodies.heard, result, NULL, worker->error);
    *count = pairs.count;
    if (!make_room(worker, &worker->body_pairs, &worker->body_pair_capacity, pairs.count,
                   sizeof *pairs.items))
        return false;
    if (pairs.count > 0)
        memcpy(worker->body_pairs, pairs.items, (size_t)pairs.count * sizeof *pairs.items);
    return true;
}

/* All that touches, as bodies are now. */
static bool prefetch(Worker *worker, TakeGroup *take, FacePair *known)
{
    int64_t count = 0;
    if (!list_body_pairs(worker, &count))
        return false;
    for (int64_t i = 0; i < count; i++) {
        const int32_t index = pair_of(worker, part_of(worker, worker->body_pairs[i].body_a),
                                      part_of(worker, worker->body_pairs[i].body_b));
        if (is_due(worker, index) && !read_pair(worker, index, take, known))
            return false;
    }
    for (int32_t p = 0; p < worker->bodies.count && worker->subject->report->has_self; p++)
        if (is_due(worker, pair_of(worker, p, p)) &&
            !read_pair(worker, pair_of(worker, p, p), take, known))
            return false;
    return true;
}

static bool pose_at_rest(Worker *worker)
{
    worker->sample = -1;
    return pose_rest(worker, &worker->bodies);
}

bool worker_read_rest(Worker *worker, FacePair *known)
{
    return pose_at_rest(worker) && prefetch(worker, read_known, known);
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
    const int32_t pair_count = worker->subject->report->pair_count;
    memset(worker->is_touching, 0, (size_t)pair_count * sizeof *worker->is_touching);
    return pose(worker, sample) && prefetch(worker, read_row, NULL) &&
           (worker->subject->options->max_clearance < 0 || read_clearances(worker));
}

/* ---- Measures -------------------------------------------------------------------------------- */

/* The depths of vertices, of what is new in a row that was measured. */
static bool keep_inside(Worker *worker, const Group *group, const PliantRegions *regions,
                        const ReportRow *row)
{
    const ReportPair *pair = &worker->subject->report->pairs[group->pair];
    const bool is_self = pair->a == pair->b;
    const CheckInside of = {.sample = row->sample, .pair = group->pair};
    CutQuery query = {.parts = {pair->a, pair->b}};
    Cut cut;
    if (!(row->depth > 0) || row->region_count == 0 || row->new_pairs == 0)
        return true;
    if (!list_new(worker, group))
        return false;
    query.pairs = (const int32_t *)worker->new_pairs;
    query.pair_count = worker->new_count;
    if (!cut_find_vertices(&worker->bodies, &query, regions, &cut, worker->error))
        return false;
    const int32_t counts[2] = {worker->bodies.items[pair->a].shape->part->vertex_count,
                               worker->bodies.items[pair->b].shape->part->vertex_count};
    const float *const depths[2] = {cut.depths[0], is_self ? NULL : cut.depths[1]};
    const bool is_kept = insides_add(&worker->contacts.insides, &of, depths, counts);
    cut_free(&cut);
    return is_kept || no_memory(worker);
}

bool worker_measure(Worker *worker, int32_t pair, bool is_trial, ReportRow *row)
{
    const Measured measured = measured_of(worker, pair);
    PliantContacts contacts;
    PliantRegions regions;
    if (worker->sample != row->sample && !pose(worker, row->sample))
        return false;
    const bool is_contained = row->contained != CONTAINED_NONE;
    if (is_contained ? !measure_contained(&measured, row, worker->error)
                     : !collide(worker, measured.pair, &contacts) ||
                           !find_regions(worker, measured.pair, &contacts, &regions) ||
                           !measure_row(&measured, &contacts, &regions, row, worker->error))
        return false;
    row_round_measure(row);
    if (is_contained || is_trial)
        return true;
    const Group group = {pair, &contacts};
    return !worker->subject->options->keeps_depths || keep_inside(worker, &group, &regions, row);
}

bool worker_measure_shown(Worker *worker, int32_t pair, ReportRow *row)
{
    const Measured measured = measured_of(worker, pair);
    PliantContacts contacts;
    if (worker->sample != row->sample && !pose(worker, row->sample))
        return false;
    return collide(worker, measured.pair, &contacts) &&
           shown_measure(&measured, &contacts, row, worker->error);
}

/* Of all vertices, since the boxes of bodies that are evaluated when needed are larger. */
static bool add_vertices(Worker *worker, const PartBody *item, float low[3], float high[3])
{
    const int32_t count = item->shape->part->vertex_count;
    float *vertices = NULL;
    const PliantResult result = bodies_vertices(&worker->bodies, item, &vertices);
    for (size_t i = 0; i < 3 * (size_t)count && result == PLIANT_OK; i++) {
        if (!isfinite(vertices[i]))
            continue;
        low[i % 3] = vertices[i] < low[i % 3] ? vertices[i] : low[i % 3];
        high[i % 3] = vertices[i] > high[i % 3] ? vertices[i] : high[i % 3];
    }
    free(vertices);
    return result == PLIANT_OK ||
           heard_fail(&worker->bodies.heard, result, item->shape->part->name, worker->error);
}

bool worker_measure_size(Worker *worker, double *size)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double sum = 0;
    if (!pose_at_rest(worker))
        return false;
    for (int32_t i = 0; i < worker->bodies.count; i++)
        if (!add_vertices(worker, &worker->bodies.items[i], low, high))
            return false;
    for (int k = 0; k < 3; k++)
        sum += high[k] > low[k] ? pow((double)high[k] - low[k], 2) : 0;
    *size = sqrt(sum);
    return true;
}

/* ---- Volumes --------------------------------------------------------------------------------- */

/* A surface that turns out not to be closed has no volume, and that is no failure. */
bool worker_measure_volume(Worker *worker, int32_t pair, ReportRow *row)
{
    const Report *report = worker->subject->report;
    const ReportPair *parts = &report->pairs[pair];
    PliantVolume volume = pliant_volume_default();
    if (worker->sample != row->sample && !pose(worker, row->sample))
        return false;
    PliantResult result =
        pliant_bodies_volume(worker->bodies.world, worker->bodies.items[parts->a].body,
                             worker->bodies.items[parts->b].body, NULL, &volume);
    if (result != PLIANT_OK)
        return heard_fail(&worker->bodies.heard, result, report->parts[parts->a].name,
                          worker->error);
    if (!volume.is_closed)
        return true;
    row->volume = volume.volume;
    row->volume_error = volume.error;
    return true;
}
