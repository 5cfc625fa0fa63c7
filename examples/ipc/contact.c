/* Contacts: what is asked of the library, and the barrier that is made of the answers. */
#include "ipc.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "ipc: %s\n", pliant_result_text(result));
    exit(1);
}

double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static PliantBody make_body(PliantWorld *world, PliantVertices vertices, const Surface *surface)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    PliantBody body;
    def.vertices = vertices;
    def.triangles.data = surface->triangles;
    def.triangles.count = surface->count;
    must(pliant_shape_create(&def, &shape));
    must(pliant_body_create(world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

/* Two bodies: what stands still, and all that moves, with its end. */
void make_world(Simulation *sim, int worker_count)
{
    const PliantVertices fixed = {sim->fixed, sim->fixed_count, 0};
    const PliantVertices now = {sim->now, sim->vertex_count, 0};
    const PliantVertices next = {sim->next, sim->vertex_count, 0};
    PliantPoolDef pool = pliant_pool_def_default();
    PliantWorldDef def = pliant_world_def_default();
    PliantHost host = pliant_host_default();
    PliantBody end;
    pool.worker_count = worker_count;
    must(pliant_pool_create(&pool, &sim->pool));
    pliant_pool_attach(sim->pool, &host);
    def.host = &host;
    must(pliant_world_create(&def, &sim->world));
    sim->still = make_body(sim->world, fixed, &sim->standing);
    must(pliant_body_set_self(sim->world, sim->still, false));
    sim->body = make_body(sim->world, now, &sim->moving);
    must(pliant_body_create_end(sim->world, sim->body, &end));
    must(pliant_body_borrow_vertices(sim->world, sim->body, now));
    must(pliant_body_borrow_vertices(sim->world, end, next));
}

/* With a margin, queries of later iterations decide what earlier ones have found. */
void find_pairs(Simulation *sim)
{
    const double start = seconds();
    PliantNearDef def = pliant_near_def_default();
    def.distance = (float)sim->reach;
    def.margin = (float)sim->reach;
    def.includes_self = true;
    def.is_unique = true;
    sim->pairs = pliant_near_pairs_default();
    must(pliant_world_near(sim->world, &def, &sim->pairs));
    sim->collision_seconds += seconds() - start;
    sim->least = INFINITY;
    for (int64_t i = 0; i < sim->pairs.count; i++)
        sim->least = fmin(sim->least, (double)sim->pairs.items[i].distance);
}

double first_impact(Simulation *sim)
{
    const double start = seconds();
    PliantSweepDef def = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    def.kind = PLIANT_EARLIEST;
    def.includes_self = true;
    must(pliant_world_sweep(sim->world, &def, &impacts));
    sim->collision_seconds += seconds() - start;
    return impacts.count > 0 ? (double)impacts.items[0].time : INFINITY;
}

int64_t count_intersecting(Simulation *sim)
{
    PliantCollideDef def = pliant_collide_def_default();
    PliantContacts contacts = pliant_contacts_default();
    def.includes_self = true;
    def.count_only = true;
    must(pliant_world_collide(sim->world, &def, &contacts));
    return contacts.count;
}

/* With s = (distance / reach)^2, it is -(s - 1)^2 ln s: 0 from `reach` on, and infinite at 0. The
 * distance changes by weight times normal for each vertex. The second derivative of the distance is
 * left out: times a barrier that falls, it is negative, but for what sliding and turning adds. */
static void add_pair(Simulation *sim, const PliantNearPair *pair)
{
    static const int counts[] = {1, 3, 2, 3, 1, 1, 2}; /* vertices of body a, by PliantFeatures */
    const double scale = sim->stiffness * pair->pair_count;
    const double r = (double)pair->distance / sim->reach, s = r * r, l = log(s), t = s - 1;
    const double slope = -2 * t * l - t * t / s, bend = -2 * l - 4 * t / s + t * t / (s * s);
    const double first = scale * slope * 2 * r / sim->reach; /* derivatives by the distance */
    const double second = scale * (bend * 4 * s + slope * 2) / (sim->reach * sim->reach);
    Term term = {4, {0}, -scale * t * t * l, {0}, {{0}}};
    for (int i = 0; i < 4; i++) {
        const PliantBody body = i < counts[pair->kind] ? pair->body_a : pair->body_b;
        const bool is_moving = body.index == sim->body.index;
        term.vertices[i] = is_moving ? (int32_t)pair->vertices[i] : -1; /* PLIANT_NO_VERTEX too */
    }
    for (int i = 0; i < 12; i++) {
        const double change = (double)pair->weights[i / 3] * (double)pair->normal[i % 3];
        term.gradient[i] = first * change;
        for (int j = 0; j <= i; j++)
            term.matrix[i][j] =
                second * change * (double)pair->weights[j / 3] * (double)pair->normal[j % 3];
    }
    add_term(sim, &term);
}

void add_barrier(Simulation *sim)
{
    for (int64_t i = 0; i < sim->pairs.count; i++)
        add_pair(sim, &sim->pairs.items[i]);
}
