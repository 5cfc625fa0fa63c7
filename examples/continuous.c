/* Two sheets of cloth fly at somebody who walks, from the front and from behind. At 10 frames a
 * second they are on one side in one frame, and on the other side in the next one.
 *
 *     continuous [--obj FILE]
 *
 * The program runs the animation twice, as it is and with pliant_world_sweep(). It exits with 1 if
 * anything penetrates in the second run, or if the sheets change sides. --obj writes a few frames
 * of both side by side. docs/continuous.md has a picture of them.
 *
 * A step of the second run:
 *
 *   - solve() finds where the cloth would go: position-based, with one constraint for each impact
 *     that is known. At first none is.
 *   - find_impacts() adds what touches on the way there. Then the step is solved again.
 *   - search() shortens the step until nothing touches on the way.
 *
 * Why nothing ever penetrates: no step is taken before a sweep from the vertices as they are to the
 * vertices as they will be, rounded, has found nothing. Sweeps are exact and complete.
 *
 * The result is the same on every machine: of <math.h> only sqrtf takes part. sheet.h has the cloth
 * itself. */
#include "sheet.h"
#include <pliant/pliant.h>
#include <scenes.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 12, MAX_STEPS = 8, MAX_ROUNDS = 5, MAX_TRIES = 20 };
enum { PARTS = 10, PASSES = 3 }; /* of a step: parts of its time, passes over constraints in each */

/* Meters and seconds. */
static const SheetDef sheet_def = {1.3f, 32};
static const float sheet_height = 1.15f, sheet_away = 2, sheet_speed = 9, sheet_rise = 2;
static const float thickness = 0.005f, gravity = 9.81f, drag = 1, frame_time = 0.1f;
static const double walk_time = 0.8, walk_start = 0.15; /* two paces; before the first frame */

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "continuous: %s\n", pliant_result_text(result));
    exit(1);
}

/* ---- All that moves ------------------------------------------------------------------------ */

enum { WALKER, SHEETS, BODIES = 3, JOINT_NUMBERS = 12 * SCENE_AVATAR_JOINTS };

typedef struct Actor {
    PliantBody body, end;
    float *now, *next; /* vertices before and after the step */
    int32_t vertex_count, triangle_count;
    const uint32_t *triangles;
    Sheet sheet; /* has these vertices, unless this is the walker */
    float *last; /* vertices of the sheet before a part of the step */
} Actor;

/* An impact as the solver sees it: a constraint for four vertices. */
typedef struct Contact {
    const float *now[4];
    float *next[4];
    bool is_cloth[4]; /* the solver may move it */
    float weights[4], normal[3];
} Contact;

typedef struct Stage {
    PliantWorld *world;
    Actor actors[BODIES];
    SceneSkin walker;
    float joints[JOINT_NUMBERS], next_joints[JOINT_NUMBERS]; /* before and after the step */
    Contact *contacts;                                       /* found in this step */
    int64_t contact_count, contact_capacity;
    int64_t step_count, sweep_count, impact_count; /* in this frame */
} Stage;

static void pose_walker(const Stage *stage, int frame, float *numbers)
{
    float joints[SCENE_AVATAR_JOINTS][3][4];
    scene_avatar_pose(&stage->walker, (walk_start + (double)frame_time * frame) / walk_time, 0,
                      joints);
    memcpy(numbers, joints, sizeof joints);
}

/* Creates a body and its end. */
static void add_actor(Stage *stage, Actor *actor, const SceneMesh *mesh, const PliantSkin *skin)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    const uint32_t *edges;
    int32_t edge_count;
    def.vertices.data = mesh->vertices;
    def.vertices.count = actor->vertex_count = mesh->vertex_count;
    def.triangles.data = actor->triangles = mesh->triangles;
    def.triangles.count = actor->triangle_count = mesh->triangle_count;
    def.skin = skin;
    must(pliant_shape_create(&def, &shape));
    must(pliant_shape_edges(shape, &edges, &edge_count));
    must(pliant_body_create(stage->world, shape, &actor->body));
    must(pliant_body_create_end(stage->world, actor->body, &actor->end));
    if (!skin)
        sheet_add_edges(&actor->sheet, edges, edge_count);
    pliant_shape_release(shape); /* the body keeps it */
}

static void add_walker(Stage *stage, Actor *actor)
{
    PliantSkin skin = pliant_skin_default();
    stage->walker = scene_avatar_coarse(4);
    skin.joint_count = stage->walker.joint_count;
    skin.influence_count = stage->walker.influence_count;
    skin.joints = stage->walker.joints;
    skin.weights = stage->walker.weights;
    const size_t count = (size_t)stage->walker.mesh.vertex_count;
    actor->now = (float *)scene_allocate(count, sizeof(float[3]));
    actor->next = (float *)scene_allocate(count, sizeof(float[3]));
    add_actor(stage, actor, &stage->walker.mesh, &skin);
    pose_walker(stage, 0, stage->joints);
}

/* Adds a sheet that is upright and flies along z. It comes from the side -1 or 1. */
static void add_sheet(Stage *stage, Actor *actor, float side)
{
    Sheet *sheet = &actor->sheet;
    *sheet = sheet_make(&sheet_def);
    add_actor(stage, actor, &sheet->mesh, NULL);
    actor->now = sheet->mesh.vertices;
    actor->next = sheet->next;
    actor->last = (float *)scene_allocate((size_t)actor->vertex_count, sizeof(float[3]));
    for (float *point = actor->now, *velocity = sheet->velocities;
         point < actor->now + (ptrdiff_t)3 * actor->vertex_count; point += 3, velocity += 3) {
        point[1] = sheet_height - side * point[2];
        point[2] = side * sheet_away + 0.1f * point[0];
        velocity[1] = sheet_rise;
        velocity[2] = -side * sheet_speed;
    }
}

static void free_stage(Stage *stage)
{
    pliant_world_destroy(stage->world);
    for (int i = SHEETS; i < BODIES; i++) {
        sheet_free(&stage->actors[i].sheet);
        free(stage->actors[i].last);
    }
    free(stage->actors[WALKER].now);
    free(stage->actors[WALKER].next);
    scene_skin_free(&stage->walker);
    free(stage->contacts);
}

/* ---- The world: where everything is, and where it would be --------------------------------- */

static void set_joints(const Stage *stage, PliantBody body, const float *numbers, float *vertices)
{
    PliantTransform joints[SCENE_AVATAR_JOINTS];
    memcpy(joints, numbers, sizeof joints);
    must(pliant_body_set_joints(stage->world, body, joints, SCENE_AVATAR_JOINTS));
    must(pliant_body_vertices(stage->world, body, vertices, stage->actors[WALKER].vertex_count));
}

static void set_bodies(const Stage *stage)
{
    const Actor *walker = &stage->actors[WALKER];
    set_joints(stage, walker->body, stage->joints, walker->now);
    set_joints(stage, walker->end, stage->next_joints, walker->next);
    for (int i = SHEETS; i < BODIES; i++) {
        const Actor *actor = &stage->actors[i];
        PliantVertices now = {actor->now, actor->vertex_count, 0};
        PliantVertices next = {actor->next, actor->vertex_count, 0};
        must(pliant_body_borrow_vertices(stage->world, actor->body, now));
        must(pliant_body_borrow_vertices(stage->world, actor->end, next));
    }
}

static PliantImpacts sweep(Stage *stage, PliantSweepKind query)
{
    PliantSweepDef def = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    set_bodies(stage);
    def.kind = query;
    must(pliant_world_sweep(stage->world, &def, &impacts));
    stage->sweep_count++;
    return impacts;
}

/* ---- Where the cloth would go -------------------------------------------------------------- */

static const Actor *actor_of(const Stage *stage, PliantBody body)
{
    const Actor *actor = stage->actors;
    while (actor->body.index != body.index)
        actor++;
    return actor;
}

static Contact make_contact(const Stage *stage, const PliantImpact *impact)
{
    static const int counts[] = {1, 3, 2}; /* vertices of a, by PliantFeatures */
    Contact contact;
    for (int i = 0; i < 4; i++) {
        const bool is_a = i < counts[impact->kind];
        const Actor *actor = actor_of(stage, is_a ? impact->body_a : impact->body_b);
        contact.now[i] = actor->now + 3 * impact->vertices[i];
        contact.next[i] = actor->next + 3 * impact->vertices[i];
        contact.is_cloth[i] = actor != &stage->actors[WALKER];
    }
    memcpy(contact.weights, impact->weights, sizeof contact.weights);
    memcpy(contact.normal, impact->normal, sizeof contact.normal);
    return contact;
}

/* Keeps the two points that touched on the sides from which they came. `time` goes from 0 to 1
 * during the step. */
static void keep_off(const Contact *contact, float time)
{
    float gap = 0, sum = 0; /* the sum is positive: an impact is of one sheet or two */
    for (int i = 0; i < 4; i++) {
        const float *now = contact->now[i], *next = contact->next[i], weight = contact->weights[i];
        const float at = sheet_dot(contact->normal, next), from = sheet_dot(contact->normal, now);
        gap += weight * (contact->is_cloth[i] ? at : from + time * (at - from));
        sum += contact->is_cloth[i] ? weight * weight : 0;
    }
    for (int i = 0; i < 4 && gap < thickness; i++)
        for (int k = 0; k < 3 && contact->is_cloth[i]; k++)
            contact->next[i][k] +=
                contact->weights[i] / sum * (thickness - gap) * contact->normal[k];
}

/* A part of the step, of dt seconds, that ends at `time`. */
static void solve_part(Stage *stage, float dt, float time)
{
    for (Actor *actor = stage->actors + SHEETS; actor < stage->actors + BODIES; actor++) {
        memcpy(actor->last, actor->next, (size_t)actor->vertex_count * sizeof(float[3]));
        for (int32_t i = 0; i < 3 * actor->vertex_count; i++) {
            const float pull = i % 3 == 1 ? -gravity * dt : 0;
            actor->next[i] += (actor->sheet.next_velocities[i] + pull) * (1 - drag * dt) * dt;
        }
        sheet_start(&actor->sheet);
    }
    for (int pass = 0; pass < PASSES; pass++) {
        for (int i = SHEETS; i < BODIES; i++)
            sheet_hold(&stage->actors[i].sheet, dt, pass % 2 != 0);
        for (int64_t i = 0; i < stage->contact_count; i++)
            keep_off(&stage->contacts[i], time);
    }
    for (Actor *actor = stage->actors + SHEETS; actor < stage->actors + BODIES; actor++)
        for (int32_t i = 0; i < 3 * actor->vertex_count; i++)
            actor->sheet.next_velocities[i] = (actor->next[i] - actor->last[i]) / dt;
}

static void solve(Stage *stage, float seconds)
{
    for (int i = SHEETS; i < BODIES; i++) {
        const Actor *actor = &stage->actors[i];
        const size_t size = (size_t)actor->vertex_count * sizeof(float[3]);
        memcpy(actor->next, actor->now, size);
        memcpy(actor->sheet.next_velocities, actor->sheet.velocities, size);
    }
    for (int part = 1; part <= PARTS; part++)
        solve_part(stage, seconds / PARTS, (float)part / PARTS);
}

/* ---- A step -------------------------------------------------------------------------------- */

/* Makes contacts of all that touches on the way. False if nothing does. */
static bool find_impacts(Stage *stage)
{
    const PliantImpacts impacts = sweep(stage, PLIANT_ALL_IMPACTS);
    if (stage->contact_count + impacts.count > stage->contact_capacity) {
        stage->contact_capacity = 2 * (stage->contact_count + impacts.count);
        stage->contacts = (Contact *)realloc(stage->contacts, (size_t)stage->contact_capacity *
                                                                  sizeof *stage->contacts);
        if (!stage->contacts)
            must(PLIANT_OUT_OF_MEMORY);
    }
    for (int64_t i = 0; i < impacts.count; i++)
        stage->contacts[stage->contact_count++] = make_contact(stage, &impacts.items[i]);
    stage->impact_count += impacts.count;
    return impacts.count > 0;
}

static void shorten(const float *now, float *next, int32_t count, float factor)
{
    for (int32_t i = 0; i < count; i++)
        next[i] = now[i] + factor * (next[i] - now[i]);
}

/* Shortens the step until nothing touches on the way. Returns what is left of it, from 0 to 1. */
static float search(Stage *stage)
{
    float left = 1;
    for (int i = 0; i < MAX_TRIES; i++) {
        const PliantImpacts first = sweep(stage, PLIANT_EARLIEST);
        if (first.count == 0)
            return left;
        const float factor = i + 1 < MAX_TRIES ? 0.9f * first.items[0].time : 0;
        shorten(stage->joints, stage->next_joints, JOINT_NUMBERS, factor);
        for (Actor *actor = stage->actors + SHEETS; actor < stage->actors + BODIES; actor++)
            shorten(actor->now, actor->next, 3 * actor->vertex_count, factor);
        left *= factor;
    }
    return 0; /* everything stays where it is */
}

/* Takes a step of so many seconds toward the frame. Returns how much of it was taken. */
static float step(Stage *stage, int frame, float seconds, bool is_swept)
{
    float taken = 1;
    stage->step_count++;
    stage->contact_count = 0;
    pose_walker(stage, frame, stage->next_joints);
    solve(stage, seconds);
    if (is_swept) {
        for (int round = 0; round < MAX_ROUNDS && find_impacts(stage); round++)
            solve(stage, seconds);
        taken = search(stage);
    } else {
        stage->impact_count = sweep(stage, PLIANT_ALL_IMPACTS).count; /* counted, and no more */
    }
    memcpy(stage->joints, stage->next_joints, sizeof stage->joints);
    for (Actor *actor = stage->actors + SHEETS; actor < stage->actors + BODIES; actor++) {
        const size_t size = (size_t)actor->vertex_count * sizeof(float[3]);
        memcpy(actor->now, actor->next, size);
        memcpy(actor->sheet.velocities, actor->sheet.next_velocities, size);
    }
    return taken;
}

/* ---- Frames -------------------------------------------------------------------------------- */

/* Frames that are drawn, those of a run in a row. */
enum { FIRST_PANEL = 2, PANELS = 4 };
static const float panel_places[PANELS] = {0, 1.8f, 3.9f, 6.9f}, row_height = 2.25f;
static const float panel_row[2] = {0.643f, -0.766f}; /* x and z: across, for a yaw of 50 degrees */

static void write_panel(FILE *file, const Stage *stage, int panel, bool is_swept)
{
    const float x = panel_places[panel] * panel_row[0], y = is_swept ? 0 : row_height;
    const float z = panel_places[panel] * panel_row[1];
    for (const Actor *actor = stage->actors; actor < stage->actors + BODIES; actor++) {
        fprintf(file, "o body_%d\n", (int)(actor - stage->actors));
        for (int32_t v = 0; v < actor->vertex_count; v++)
            fprintf(file, "v %.5f %.5f %.5f\n", (double)(actor->now[3 * v] + x),
                    (double)(actor->now[3 * v + 1] + y), (double)(actor->now[3 * v + 2] + z));
        for (int32_t t = 0; t < 3 * actor->triangle_count; t += 3)
            fprintf(file, "f %d %d %d\n", (int)actor->triangles[t] - actor->vertex_count,
                    (int)actor->triangles[t + 1] - actor->vertex_count,
                    (int)actor->triangles[t + 2] - actor->vertex_count);
    }
}

/* The mean z of a sheet. */
static double middle(const Actor *actor)
{
    double sum = 0;
    for (int32_t v = 0; v < actor->vertex_count; v++)
        sum += (double)actor->now[3 * v + 2];
    return sum / actor->vertex_count;
}

/* Returns whether the sheets stay on their sides and no pair of triangles intersects in a frame. */
static bool run(bool is_swept, FILE *file)
{
    Stage stage = PLIANT_ZEROS;
    int64_t all = 0;
    must(pliant_world_create(NULL, &stage.world));
    add_walker(&stage, &stage.actors[WALKER]);
    add_sheet(&stage, &stage.actors[SHEETS], -1);
    add_sheet(&stage, &stage.actors[SHEETS + 1], 1);
    printf("%s\n", is_swept ? "with the sweep:" : "without the sweep:");
    for (int frame = 1; frame <= FRAMES; frame++) {
        stage.step_count = stage.sweep_count = stage.impact_count = 0;
        float left = frame_time; /* after the last step it is dropped */
        while (stage.step_count < MAX_STEPS && left > 0)
            left *= 1 - step(&stage, frame, left, is_swept);
        PliantContacts contacts = pliant_contacts_default();
        set_bodies(&stage);
        must(pliant_world_collide(stage.world, NULL, &contacts));
        all += contacts.count;
        printf("frame %2d: %6" PRId64 " impacts, %" PRId64 " steps, %2" PRId64 " sweeps, %" PRId64
               " penetrating\n",
               frame, stage.impact_count, stage.step_count, stage.sweep_count, contacts.count);
        if (file && frame >= FIRST_PANEL && frame < FIRST_PANEL + PANELS)
            write_panel(file, &stage, frame - FIRST_PANEL, is_swept);
    }
    const bool has_passed = middle(&stage.actors[SHEETS]) > middle(&stage.actors[SHEETS + 1]);
    printf("%" PRId64 " penetrating pairs of triangles in %d frames; the sheets have %s\n\n", all,
           FRAMES, has_passed ? "changed sides" : "not changed sides");
    free_stage(&stage);
    return all == 0 && !has_passed;
}

int main(int argc, char **argv)
{
    const bool writes = argc == 3 && strcmp(argv[1], "--obj") == 0;
    FILE *file = writes ? fopen(argv[2], "w") : NULL;
    if ((argc != 1 && !writes) || (writes && !file)) {
        fprintf(stderr, "usage: continuous [--obj FILE]\n");
        return 2;
    }
    run(false, file);
    const bool is_right = run(true, file);
    if (file && fclose(file) != 0)
        return 2;
    return is_right ? 0 : 1;
}
