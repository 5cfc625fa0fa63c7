/* usage: ipc cloth|mat|boxes|all [STEPS [DIRECTORY]]. Prints a line for each step. With a
 * directory, writes a film there: a picture of each fifth step, and of the last. Fails if triangles
 * intersect after any step, or if the mat, in all of its steps, does not turn three times. */
#include "ipc.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 2, FRAME = 5 };

static bool run(const Scene *scene, int steps, const char *directory)
{
    static Simulation sim;
    double collision = 0, all = 0, least = INFINITY;
    char path[512];
    memset(&sim, 0, offsetof(Simulation, values));
    scene->build(&sim);
    make_world(&sim, WORKERS);
    int64_t intersecting = count_intersecting(&sim);
    for (int step = 1; step <= steps; step++) {
        turn_handles(&sim);
        take_step(&sim);
        count_turns(&sim);
        const int64_t found = count_intersecting(&sim);
        intersecting += found;
        collision += sim.collision_seconds;
        all += sim.seconds;
        least = fmin(least, sim.least);
        printf("%s %3d: %3d iterations, %3d trials, %5" PRId64 " contacts, least distance %.3f mm, "
               "%4.0f ms, collision %2.0f %%, %" PRId64 " intersecting\n",
               scene->name, step, sim.iterations, sim.trials, sim.pairs.count, 1e3 * sim.least,
               1e3 * sim.seconds, 100 * sim.collision_seconds / sim.seconds, found);
        fflush(stdout);
        snprintf(path, sizeof path, "%s/%s_%03d.png", directory ? directory : "", scene->name,
                 step);
        if (directory && (step % FRAME == 0 || step == steps))
            draw_picture(&sim, scene, path);
    }
    printf("%s: %d steps in %.1f s, collision %.1f %%, least distance %.3f mm, %.2f turns, %" PRId64
           " intersecting\n",
           scene->name, steps, all, 100 * collision / all, 1e3 * least, sim.turns, intersecting);
    pliant_world_destroy(sim.world);
    pliant_pool_destroy(sim.pool);
    return intersecting == 0 && (sim.handle_count == 0 || steps < scene->steps || sim.turns >= 3);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "all";
    const int steps = argc > 2 ? atoi(argv[2]) : 0;
    int found = 0, right = 0;
    for (const Scene *scene = scenes; scene < scenes + SCENES; scene++)
        if (strcmp(name, "all") == 0 || strcmp(name, scene->name) == 0) {
            found++;
            right += run(scene, steps > 0 ? steps : scene->steps, argc > 3 ? argv[3] : NULL);
        }
    return found > 0 && right == found ? 0 : 1;
}
