/* A step: Newton's method with a line search. CHOLMOD solves the linear systems. */
#include "ipc.h"
#include <cholmod.h>
#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 200, MAX_TRIALS = 40 };
static const double speed_tolerance =
    0.02;                            /* of a vertex, in meters a second: then a step is done */
static const double safe_part = 0.8; /* of the way to the first impact, so much is gone */

static double evaluate(Simulation *sim, bool has_derivatives)
{
    memset(sim->gradient, 0, 3 * (size_t)sim->vertex_count * sizeof *sim->gradient);
    sim->energy = 0;
    sim->entry_count = 0;
    sim->has_derivatives = has_derivatives;
    add_elastic(sim);
    add_barrier(sim);
    return sim->energy;
}

/* Solves matrix * direction = -gradient. The matrix is given by its lower half: -1. */
static void find_direction(Simulation *sim, cholmod_common *common, double *direction)
{
    const size_t size = 3 * (size_t)sim->vertex_count;
    const size_t count = sim->entry_count;
    cholmod_triplet entries = {size,        size, count, count,       sim->rows,    sim->columns,
                               sim->values, NULL, -1,    CHOLMOD_INT, CHOLMOD_REAL, CHOLMOD_DOUBLE};
    cholmod_dense right = {size, 1, size, size, sim->gradient, NULL, CHOLMOD_REAL, CHOLMOD_DOUBLE};
    cholmod_sparse *matrix = cholmod_triplet_to_sparse(&entries, count, common);
    cholmod_factor *factor = cholmod_analyze(matrix, common);
    must(factor && cholmod_factorize(matrix, factor, common) ? PLIANT_OK : PLIANT_OUT_OF_MEMORY);
    cholmod_dense *solution = cholmod_solve(CHOLMOD_A, factor, &right, common);
    must(solution ? PLIANT_OK : PLIANT_OUT_OF_MEMORY);
    for (size_t i = 0; i < size && solution; i++)
        direction[i] = -((const double *)solution->x)[i];
    cholmod_free_dense(&solution, common);
    cholmod_free_factor(&factor, common);
    cholmod_free_sparse(&matrix, common);
}

/* Goes along the direction until a trial is safe and has less energy. False if none has: floats
 * have nothing better then, and the state is what it was. */
static bool search_line(Simulation *sim, const double *direction, double energy)
{
    const size_t size = 3 * (size_t)sim->vertex_count;
    double part = 1;
    memcpy(sim->from, sim->now, size * sizeof *sim->now);
    for (int trial = 0; trial < MAX_TRIALS; trial++) {
        sim->trials++;
        for (size_t i = 0; i < size; i++)
            sim->next[i] = (float)((double)sim->from[i] + part * direction[i]);
        const double time = first_impact(sim); /* from `now` to `next` */
        if (time <= 1) {
            part *= fmax(safe_part * time, 0.01);
            continue;
        }
        memcpy(sim->now, sim->next, size * sizeof *sim->now);
        find_pairs(sim);
        if (evaluate(sim, false) <= energy)
            return true;
        memcpy(sim->now, sim->from, size * sizeof *sim->now);
        part *= 0.5;
    }
    find_pairs(sim);
    return false;
}

void take_step(Simulation *sim)
{
    static float before[3 * MAX_VERTICES];
    static double direction[3 * MAX_VERTICES];
    const double start = seconds();
    const int32_t size = 3 * sim->vertex_count;
    cholmod_common common;
    cholmod_start(&common);
    memcpy(before, sim->now, (size_t)size * sizeof *before);
    for (int32_t i = 0; i < size; i++)
        sim->goal[i] = (double)before[i] + sim->dt * sim->velocity[i] -
                       (i % 3 == 1 ? sim->gravity * sim->dt * sim->dt : 0);
    for (const Handle *at = sim->handles; at < sim->handles + sim->handle_count; at++)
        memcpy(sim->goal + 3 * at->vertex, at->place, sizeof at->place);
    sim->collision_seconds = sim->trials = 0;
    find_pairs(sim);
    bool is_done = false;
    for (sim->iterations = 0; sim->iterations < MAX_ITERATIONS && !is_done; sim->iterations++) {
        const double energy = evaluate(sim, true);
        double longest = 0;
        find_direction(sim, &common, direction);
        for (int32_t i = 0; i < size; i++)
            longest = fmax(longest, fabs(direction[i]));
        is_done = !search_line(sim, direction, energy) || longest < speed_tolerance * sim->dt;
    }
    for (int32_t i = 0; i < size; i++)
        sim->velocity[i] = ((double)sim->now[i] - (double)before[i]) / sim->dt;
    cholmod_finish(&common);
    sim->seconds = seconds() - start;
}
