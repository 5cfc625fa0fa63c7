/* Part of pliant-bench soup: 200,000 points that fly about among twelve dolphins of 36,096
 * triangles, which morph. In one world everything is asked for that points lie on, in another one
 * only which bodies are near each other: that is the update. Dolphins are not compared with each
 * other. */
#include "soups.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 200000, FIRST_STEP = 180, UNTIMED_STEPS = 2, MAX_STEPS = 20, DOLPHIN_SIZE = 3 };
enum { IS_DOLPHIN = 1, IS_POINTS = 2 };

typedef struct Sea {
    PliantWorld *world;
    PliantBody dolphins[SCENE_DOLPHINS], points;
} Sea;

static Sea make_sea(PliantShape *dolphin)
{
    Sea sea;
    PliantSoupDef def = pliant_soup_def_default();
    def.primitive_kind = PLIANT_POINTS;
    bench_must(pliant_world_create(NULL, &sea.world));
    bench_must(pliant_body_create_soup(sea.world, &def, &sea.points));
    bench_must(pliant_body_set_filter(sea.world, sea.points, IS_POINTS, IS_DOLPHIN));
    for (int i = 0; i < SCENE_DOLPHINS; i++) {
        bench_must(pliant_body_create(sea.world, dolphin, &sea.dolphins[i]));
        bench_must(pliant_body_set_filter(sea.world, sea.dolphins[i], IS_DOLPHIN, IS_POINTS));
    }
    return sea;
}

static void move(const Sea *sea, const float *points, int step)
{
    const PliantPrimitives now = {
        .struct_size = sizeof(PliantPrimitives), .vertices = {points, POINTS, 0}, .count = POINTS};
    bench_must(pliant_body_borrow_primitives(sea->world, sea->points, &now));
    for (int i = 0; i < SCENE_DOLPHINS; i++) {
        float weights[SCENE_DOLPHIN_TARGETS];
        PliantTransform transform;
        scene_dolphin_weights(i, step, weights);
        scene_dolphin_rows(i, step, transform.rows);
        bench_must(
            pliant_body_set_weights(sea->world, sea->dolphins[i], weights, SCENE_DOLPHIN_TARGETS));
        bench_must(pliant_body_set_transform(sea->world, sea->dolphins[i], &transform));
    }
}

static double time_update(const Sea *sea)
{
    double start = bench_seconds();
    PliantBodyPairs pairs = pliant_body_pairs_default();
    bench_must(pliant_world_body_pairs(sea->world, NULL, &pairs));
    return bench_seconds() - start;
}

static double time_query(const Sea *sea, int64_t *contact_count)
{
    PliantContacts contacts = pliant_contacts_default();
    double start = bench_seconds();
    bench_must(pliant_world_collide(sea->world, NULL, &contacts));
    *contact_count = contacts.count;
    return bench_seconds() - start;
}

int soup_particles(const BenchOptions *options)
{
    const int steps = options->is_quick ? 5 : MAX_STEPS;
    SceneMorph morph = scene_dolphin(DOLPHIN_SIZE);
    PliantShape *dolphin = bench_morph_shape(&morph, pliant_shape_def_default());
    const Sea asked = make_sea(dolphin), updated = make_sea(dolphin);
    float *points = bench_allocate(3 * (size_t)POINTS, sizeof *points);
    double queries[MAX_STEPS], updates[MAX_STEPS];
    int64_t contact_count = 0;
    PliantStats stats = pliant_stats_default();
    for (int i = -UNTIMED_STEPS; i < steps; i++) {
        scene_particles(POINTS, 1, FIRST_STEP + i, points);
        move(&updated, points, FIRST_STEP + i);
        updates[i < 0 ? 0 : i] = time_update(&updated);
        scene_particles(POINTS, 1, FIRST_STEP + i, points);
        move(&asked, points, FIRST_STEP + i);
        queries[i < 0 ? 0 : i] = time_query(&asked, &contact_count);
    }
    bench_must(pliant_world_stats(asked.world, &stats));
    const double update = 1e3 * bench_median(updates, steps);
    const double together = 1e3 * bench_median(queries, steps);
    printf("particles: %d points among %d dolphins of %" PRId32 " triangles: update %.3f ms, with "
           "all pairs %.3f ms; %" PRId64 " leaf pairs, %" PRId64 " tests, %" PRId64 " contacts\n",
           POINTS, SCENE_DOLPHINS, morph.mesh.triangle_count, update, together, stats.leaf_pairs,
           stats.triangle_tests, contact_count);
    bench_figure("soup.particles.update", update, "ms");
    bench_figure("soup.particles.all", together, "ms");
    free(points);
    pliant_world_destroy(asked.world);
    pliant_world_destroy(updated.world);
    pliant_shape_release(dolphin);
    scene_morph_free(&morph);
    return 0;
}
