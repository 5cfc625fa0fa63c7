/* A cloth of 43,808 triangles falls over a figure that bows and turns. It never enters the figure,
 * and never passes through itself. usage: cloth [FRAMES [FILE.obj]]. docs/cloth.md explains it.
 *
 * A step: pliant_world_near() finds the pairs of features within `reach`; each becomes a contact.
 * move() solves links and contacts (XPBD), and separate() puts features that changed sides back.
 * pliant_world_sweep() finds all that touches on the way. If nothing does, the step is safe: a
 * sweep is exact and complete. Else its impacts become contacts too, and so on, or the step is
 * halved. */
#include <math.h>
#include <pliant/pliant.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 148, SIDE = CELLS + 1, CLOTH = SIDE * SIDE }; /* vertices: SIDE rows of SIDE */
enum { RINGS = 60, AROUND = 90, FIGURE = RINGS * AROUND, ALL = CLOTH + FIGURE };
enum { PARTS = 16, PASSES = 40, ROUNDS = 4, MAX_DEPTH = 8, MAX_CONTACTS = 1 << 21 };

/* Meters and seconds. */
static const float cell = 0.0101f, reach = 0.004f, thickness = 0.002f, margin = 0.0002f;
static const float gravity = 9.81f, drag = 1, friction = 0.5f, frame_time = 1.0f / 60;

/* The cloth, and then the figure: before a step, after it, and before a part of it. */
static float now[ALL][3], next[ALL][3], last[CLOTH][3], velocity[CLOTH][3], new_velocity[CLOTH][3];

/* Two features. The normal points to that of the first `count` vertices. The closest points are
 * sums of weighted vertices; weights of the second feature are negative. */
typedef struct Contact {
    uint32_t vertices[4];
    int count;
    float weights[4], normal[3];
} Contact;

static Contact contacts[MAX_CONTACTS];
static int64_t contact_count;
static PliantPool *pool;
static PliantWorld *world;
static PliantBody cloth, figure;

static void must(PliantResult result)
{
    if (result != PLIANT_OK) {
        fprintf(stderr, "cloth: %s\n", pliant_result_text(result));
        exit(1);
    }
}

static float dot(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void add(float *to, float factor, const float *vector)
{
    for (int k = 0; k < 3; k++)
        to[k] += factor * vector[k];
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

/* Creates a body, rows of vertices that may go around, and its end. They borrow their vertices from
 * `now` and `next`: what is written there is what queries see. */
static PliantBody make_body(int first, int rows, int columns, int cells, const PliantHost *host)
{
    static uint32_t triangles[6 * CLOTH];
    PliantShapeDef def = pliant_shape_def_default();
    PliantVertices vertices = {now[first], rows * columns, 0};
    PliantShape *shape;
    PliantBody body, end;
    for (int i = 0; i < (rows - 1) * cells; i++) {
        const int row = i / cells * columns, a = row + i % cells,
                  b = row + (i % cells + 1) % columns;
        const int corners[6] = {a, a + columns, b + columns, a, b + columns, b};
        for (int k = 0; k < 6; k++)
            triangles[6 * i + k] = (uint32_t)corners[k];
    }
    def.vertices = vertices;
    def.triangles.data = triangles;
    def.triangles.count = 2 * (rows - 1) * cells;
    def.host = host;
    must(pliant_shape_create(&def, &shape));
    must(pliant_body_create(world, shape, &body));
    must(pliant_body_create_end(world, body, &end));
    must(pliant_body_borrow_vertices(world, body, vertices));
    vertices.data = next[first];
    must(pliant_body_borrow_vertices(world, end, vertices));
    pliant_shape_release(shape); /* the body keeps it */
    return body;
}

static float bump(float x, float height, float at, float width)
{
    return height * expf(-(x - at) * (x - at) / (width * width));
}

/* The figure has shoulders, a head, and rings that bow and turn, more so the higher they are. */
static void pose_figure(float time, float (*vertices)[3])
{
    for (int v = 0; v < FIGURE; v++) {
        const int ring = v / AROUND;
        const float up = (float)ring / (RINGS - 1), bend = up * up * fminf(time, 1);
        const float radius =
            sqrtf(1.01f - powf(up, 16)) * (bump(up, 0.3f, 0, 0.4f) + bump(up, 0.19f, 0.66f, 0.16f) +
                                           bump(up, 0.11f, 0.93f, 0.09f));
        const float angle = 6.2831853f * (float)(v % AROUND) / AROUND + bend * sinf(1.7f * time);
        vertices[v][0] = radius * cosf(angle) + 0.35f * bend * sinf(2.3f * time);
        vertices[v][1] = 1.7f * up;
        vertices[v][2] = 0.8f * radius * sinf(angle) + 0.2f * bend * sinf(1.9f * time);
    }
}

/* ---- The cloth ------------------------------------------------------------------------------- */

/* Moves the ends of links toward their length: from each vertex to the one so many columns and rows
 * on. The softer a link, the less. */
static void hold_links(float dt)
{
    static const struct Links {
        int columns, rows;
        float softness;
    } kinds[] = {{1, 0, 1e-8f},  {0, 1, 1e-8f}, {1, 1, 1e-7f},
                 {-1, 1, 1e-7f}, {2, 0, 1e-5f}, {0, 2, 1e-5f}};
    for (const struct Links *links = kinds; links < kinds + 6; links++) {
        const int columns = links->columns, rows = links->rows;
        const float length = cell * sqrtf((float)(columns * columns + rows * rows));
        for (int v = 0; v + rows * SIDE < CLOTH; v++) {
            float *a = next[v], *b = a + 3 * (rows * SIDE + columns);
            const float way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
            const float share =
                (1 - length / sqrtf(dot(way, way))) / (2 + links->softness / (dt * dt));
            if (v % SIDE + columns < 0 || v % SIDE + columns >= SIDE)
                continue;
            add(a, share, way);
            add(b, -share, way);
        }
    }
}

/* ---- Contacts -------------------------------------------------------------------------------- */

/* Near pairs and impacts name features and closest points in the same way. */
static void add_contact(PliantBody a, PliantBody b, PliantFeatures kind, const uint32_t *vertices,
                        const float *weights, const float *normal)
{
    static const int counts[] = {1, 3, 2}; /* vertices of the first feature, by kind */
    Contact *contact = &contacts[contact_count];
    must(++contact_count < MAX_CONTACTS ? PLIANT_OK : PLIANT_TOO_LARGE);
    contact->count = counts[kind];
    for (int i = 0; i < 4; i++) {
        const bool is_figure = (i < contact->count ? a : b).index == figure.index;
        contact->vertices[i] = vertices[i] + (is_figure ? CLOTH : 0);
    }
    memcpy(contact->weights, weights, sizeof contact->weights);
    memcpy(contact->normal, normal, sizeof contact->normal);
}

static void find_near(void)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    def.distance = reach;
    def.includes_self = true;
    must(pliant_world_near(world, &def, &pairs));
    contact_count = 0;
    for (int64_t i = 0; i < pairs.count; i++) {
        const PliantNearPair *at = &pairs.items[i];
        add_contact(at->body_a, at->body_b, at->kind, at->vertices, at->weights, at->normal);
    }
}

/* Adds what touches on the way. True if nothing does. */
static bool is_safe(void)
{
    PliantSweepDef def = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    def.kind = PLIANT_ALL_IMPACTS;
    def.includes_self = true;
    must(pliant_world_sweep(world, &def, &impacts));
    for (int64_t i = 0; i < impacts.count; i++) {
        const PliantImpact *at = &impacts.items[i];
        add_contact(at->body_a, at->body_b, at->kind, at->vertices, at->weights, at->normal);
    }
    return impacts.count == 0;
}

/* Keeps the closest points of two features apart, with friction. */
static void keep_off(const Contact *contact)
{
    float gap = -thickness, sum = 0, slide[3] = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        const uint32_t v = contact->vertices[i];
        gap += contact->weights[i] * dot(contact->normal, next[v]);
        sum += v < CLOTH ? contact->weights[i] * contact->weights[i] : 0;
        add(slide, contact->weights[i], next[v]);
        add(slide, -contact->weights[i], now[v]);
    }
    add(slide, -dot(slide, contact->normal), contact->normal);
    const float way = sqrtf(dot(slide, slide));
    const float held = -friction * gap < way ? -friction * gap / way : 1;
    for (int i = 0; i < 4; i++)
        if (gap < 0 && contact->vertices[i] < CLOTH) {
            add(next[contact->vertices[i]], -contact->weights[i] / sum * gap, contact->normal);
            add(next[contact->vertices[i]], -contact->weights[i] / sum * held, slide);
        }
}

/* Puts two features on both sides of a plane. If they are so before and after a step, they are so
 * all the way, as vertices go along straight lines. True if they were. */
static bool separate(const Contact *contact)
{
    float levels[4], low = INFINITY, high = -INFINITY; /* of the first one, of the second one */
    for (int i = 0; i < 4; i++) {
        levels[i] = dot(contact->normal, next[contact->vertices[i]]);
        low = i < contact->count ? fminf(low, levels[i]) : low;
        high = i < contact->count ? high : fmaxf(high, levels[i]);
    }
    const float plane = contact->vertices[0] >= CLOTH   ? low - margin
                        : contact->vertices[3] >= CLOTH ? high + margin
                                                        : 0.5f * (low + high);
    for (int i = 0; i < 4 && low - high < margin; i++) {
        const float side = i < contact->count ? 1 : -1, way = plane + side * margin - levels[i];
        if (side * way > 0 && contact->vertices[i] < CLOTH)
            add(next[contact->vertices[i]], way, contact->normal);
    }
    return low - high >= margin;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void move(float dt)
{
    memcpy(new_velocity, velocity, sizeof velocity);
    for (int part = 0; part < PARTS; part++) {
        memcpy(last, next, sizeof last);
        for (int v = 0; v < CLOTH; v++) {
            new_velocity[v][1] -= gravity * dt;
            add(next[v], dt * (1 - drag * dt), new_velocity[v]);
        }
        hold_links(dt);
        for (int64_t i = 0; i < contact_count; i++)
            keep_off(&contacts[i]);
        for (int v = 0; v < CLOTH; v++)
            for (int k = 0; k < 3; k++)
                new_velocity[v][k] = (next[v][k] - last[v][k]) / dt;
    }
}

static void step(float from, float to, int depth)
{
    bool is_done = false;
    memcpy(next, now, sizeof next);
    find_near();
    pose_figure(to, next + CLOTH);
    move((to - from) / PARTS);
    for (int round = 0; round < ROUNDS && !is_done; round++) {
        bool is_apart = false;
        for (int pass = 0; pass < PASSES && !is_apart; pass++) {
            is_apart = true;
            for (int64_t i = 0; i < contact_count; i++)
                is_apart &= separate(&contacts[i]);
        }
        is_done = is_safe();
    }
    if (is_done) {
        memcpy(now, next, sizeof now);
        memcpy(velocity, new_velocity, sizeof velocity);
        return;
    }
    must(depth < MAX_DEPTH ? PLIANT_OK : PLIANT_CANCELLED); /* no way out */
    step(from, 0.5f * (from + to), depth + 1);
    step(0.5f * (from + to), to, depth + 1);
}

static int64_t count_intersecting(void)
{
    PliantCollideDef def = pliant_collide_def_default();
    PliantContacts found = pliant_contacts_default();
    def.includes_self = true;
    must(pliant_world_collide(world, &def, &found));
    return found.count;
}

static void write_obj(const char *path)
{
    FILE *file = fopen(path, "w");
    const PliantBody bodies[] = {cloth, figure};
    for (int v = 0; file && v < ALL; v++)
        fprintf(file, "v %.5f %.5f %.5f\n", (double)now[v][0], (double)now[v][1],
                (double)now[v][2]);
    for (int i = 0; file && i < 2; i++) {
        PliantBodyInfo info = pliant_body_info_default();
        must(pliant_body_info(world, bodies[i], &info));
        const uint32_t *corner = pliant_shape_triangles(info.shape), first = i == 0 ? 1 : 1 + CLOTH;
        fprintf(file, "o %s\n", i == 0 ? "cloth" : "figure");
        for (int t = 0; t < info.triangle_count; t++, corner += 3)
            fprintf(file, "f %u %u %u\n", corner[0] + first, corner[1] + first, corner[2] + first);
    }
    must(file && fclose(file) == 0 ? PLIANT_OK : PLIANT_BAD_ARGUMENT);
}

int main(int argc, char **argv)
{
    const int frame_count = argc > 1 ? atoi(argv[1]) : 300;
    const PliantPoolDef pool_def = pliant_pool_def_default();
    PliantHost host = pliant_host_default();
    PliantWorldDef world_def = pliant_world_def_default();
    int64_t intersecting = 0;
    must(pliant_pool_create(&pool_def, &pool));
    pliant_pool_attach(pool, &host);
    world_def.host = &host;
    must(pliant_world_create(&world_def, &world));
    for (int v = 0; v < CLOTH; v++) {
        const int row = v / SIDE, column = v % SIDE;
        now[v][0] = cell * ((float)column - 0.5f * CELLS);
        now[v][1] = 1.72f + 0.02f * sinf(9 * now[v][0]);
        now[v][2] = cell * ((float)row - 0.5f * CELLS);
    }
    pose_figure(0, now + CLOTH);
    cloth = make_body(0, SIDE, SIDE, CELLS, &host);
    figure = make_body(CLOTH, RINGS, AROUND, AROUND, &host);
    for (int frame = 1; frame <= frame_count; frame++) {
        step(frame_time * (float)(frame - 1), frame_time * (float)frame, 0);
        intersecting += count_intersecting();
        if (frame % 50 == 0 || frame == frame_count)
            printf("frame %3d: %6d contacts, %d pairs of triangles intersect\n", frame,
                   (int)contact_count, (int)intersecting);
    }
    if (argc > 2)
        write_obj(argv[2]);
    pliant_world_destroy(world);
    pliant_pool_destroy(pool);
    return intersecting > 0;
}
