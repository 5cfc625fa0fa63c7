/* pliant-bench regions: what regions with depth cost, one worker.
 *
 * - character: somebody who walks in a suit that is coarser: many small regions of two closed
 *   bodies;
 * - cloth: a folded cloth that goes through itself: an open body.
 *
 * Bodies of bad shape are in cliffs.c. */
#include "experiments.h"
#include "threads.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- Scenes ---------------------------------------------------------------------------------- */

static void ask_contacts(Stage *stage, bool is_self)
{
    const PliantCollideDef def = bench_query(PLIANT_ALL_PAIRS);
    const PliantBody body = stage->bodies[0][0];
    bench_must(is_self
                   ? pliant_bodies_collide(stage->worlds[0], body, body, &def, &stage->contacts[0])
                   : pliant_world_collide(stage->worlds[0], &def, &stage->contacts[0]));
}

/* The mean of all frames but the first, which touches new memory. */
static void play(const char *name, const Scene *scene, double size, bool is_self, int frame_count)
{
    Stage stage = {.kind = scene, .frame_count = frame_count};
    double sum = 0, contact_count = 0, region_count = 0;
    char key[64];
    for (int i = 0; i < WORLDS; i++) {
        bench_must(pliant_world_create(NULL, &stage.worlds[i]));
        stage.contacts[i] = pliant_contacts_default();
    }
    scene->start(&stage, size);
    for (int frame = 0; frame < frame_count; frame++) {
        PliantRegions regions = pliant_regions_default();
        scene->pose(&stage, frame);
        ask_contacts(&stage, is_self);
        const double start = bench_seconds();
        bench_must(pliant_contacts_regions(stage.worlds[0], &stage.contacts[0], NULL, &regions));
        if (frame == 0)
            continue;
        sum += bench_seconds() - start;
        contact_count += (double)stage.contacts[0].count;
        region_count += (double)regions.count;
    }
    threads_end_stage(&stage);
    const int count = frame_count - 1;
    printf("regions.%s: %d frames, %.0f contacts and %.0f regions each, %.3f ms a frame, %.2f us a "
           "contact\n",
           name, count, contact_count / count, region_count / count, 1e3 * sum / count,
           1e6 * sum / contact_count);
    snprintf(key, sizeof key, "regions.%s.ms", name);
    bench_figure(key, 1e3 * sum / count, "ms");
}

int bench_regions(const BenchOptions *options)
{
    play("character", &threads_suit, 0, false, options->is_quick ? 3 : 24);
    play("cloth", &threads_folded, 1.6, true, options->is_quick ? 3 : 24);
    return 0;
}
