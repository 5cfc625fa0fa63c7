/* Soups that are timed: see soups.h. */
#include "soups.h"

#include <stdlib.h>
#include <string.h>

enum { UNTIMED_STEPS = 2 };

SoupFilm soup_film(SceneSoupFill fill, SceneSoupMotion motion, int32_t triangle_count,
                   int cloud_count)
{
    SoupFilm film = {.scene = scene_soup(fill, motion, triangle_count, 1),
                     .cloud_count = cloud_count};
    for (int i = 0; i < cloud_count; i++)
        film.corners[i] = bench_allocate((size_t)triangle_count, 9 * sizeof(float));
    return film;
}

void soup_film_free(SoupFilm *film)
{
    scene_soup_free(&film->scene);
    for (int i = 0; i < film->cloud_count; i++)
        free(film->corners[i]);
}

static void show_step(SoupFilm *film)
{
    const size_t size = (size_t)film->scene.triangle_count * 9 * sizeof(float);
    for (int i = 0; i < film->cloud_count; i++)
        memcpy(film->corners[i], film->scene.corners[i], size);
}

void soup_turns(SoupFilm *film, BenchTurn *turns, int turn_count, int steps)
{
    double *times = bench_allocate((size_t)turn_count * (size_t)steps, sizeof *times);
    for (int step = -UNTIMED_STEPS; step < steps; step++) {
        for (int i = 0; i < turn_count; i++) {
            show_step(film);
            double start = bench_seconds();
            turns[i].run(turns[i].data);
            double time = bench_seconds() - start;
            if (step >= 0)
                times[i * steps + step] = time;
        }
        scene_soup_next(&film->scene);
    }
    for (int i = 0; i < turn_count; i++)
        turns[i].median = bench_median(times + i * steps, steps);
    free(times);
}

/* ---- Soups --------------------------------------------------------------------------------- */

SoupBed soup_bed(const SoupFilm *film, const SoupWay *way)
{
    SoupBed bed = {.film = film, .way = way};
    PliantSoupDef def = pliant_soup_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    experiments.soup_kind = way->kind;
    experiments.soup_level_count = way->level_count;
    def.experiments = &experiments;
    def.primitive_kind = way->primitive_kind;
    bench_must(pliant_world_create(NULL, &bed.world));
    for (int i = 0; i < film->cloud_count; i++)
        bench_must(pliant_body_create_soup(bed.world, &def, &bed.bodies[i]));
    return bed;
}

void soup_bed_free(SoupBed *bed)
{
    pliant_world_destroy(bed->world);
}

static void give_primitives(const SoupBed *bed)
{
    const int32_t count = bed->film->scene.triangle_count;
    for (int i = 0; i < bed->film->cloud_count; i++) {
        PliantPrimitives now = {.struct_size = sizeof(PliantPrimitives),
                                .vertices = {bed->film->corners[i], 3 * count, 0},
                                .count = count};
        if (bed->way->primitive_kind == PLIANT_POINTS)
            now.vertices = (PliantVertices){bed->film->corners[i], count, 9 * sizeof(float)};
        bench_must(pliant_body_borrow_primitives(bed->world, bed->bodies[i], &now));
    }
}

void soup_update(void *data)
{
    const SoupBed *bed = data;
    give_primitives(bed);
    PliantBodyPairs pairs = pliant_body_pairs_default();
    bench_must(pliant_world_body_pairs(bed->world, NULL, &pairs));
}

void soup_query(void *data)
{
    SoupBed *bed = data;
    PliantContacts contacts = pliant_contacts_default();
    give_primitives(bed);
    bench_must(pliant_bodies_collide(bed->world, bed->bodies[0], bed->bodies[1], NULL, &contacts));
    bed->contact_count = contacts.count;
}
