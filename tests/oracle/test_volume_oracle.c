/* Volumes of scenes against CGAL: bumpy spheres, rings, spiked balls, dolphins. The library must be
 * within the error that it states, and the oracle of the other tests must agree with this one. */
#include "oracle_volume.h"
#include "solids.h"
#include "twos.h"
#include <pliant/pliant.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PliantVolume prefetch(const Two *two)
{
    PliantWorld *world = NULL;
    PliantBody bodies[2];
    PliantVolume volume = pliant_volume_default();
    volume.error = -1;
    if (pliant_world_create(NULL, &world) != PLIANT_OK)
        exit(1);
    for (int i = 0; i < 2; i++) {
        PliantShape *shape = solid_shape(&two->meshes[i]);
        if (pliant_body_create(world, shape, &bodies[i]) != PLIANT_OK)
            exit(1);
        pliant_shape_release(shape);
    }
    if (pliant_bodies_volume(world, bodies[0], bodies[1], NULL, &volume) != PLIANT_OK ||
        !volume.is_closed)
        volume.error = -1;
    pliant_world_destroy(world);
    return volume;
}

static OracleMesh oracled_mesh(const SceneMesh *mesh)
{
    return (OracleMesh){mesh->vertices, mesh->triangles, mesh->vertex_count, mesh->triangle_count};
}

typedef struct Totals {
    int64_t checked, undecided, failures;
    double worst; /* of the two oracles, apart */
} Totals;

static void check(const Two *two, int64_t number, Totals *totals)
{
    const OracleMesh a = oracled_mesh(&two->meshes[0]), b = oracled_mesh(&two->meshes[1]);
    const PliantVolume ours = prefetch(two);
    const double ours_too = solid_common_volume(&two->meshes[0], &two->meshes[1]);
    double truth;
    if (!oracle_cgal_common_volume(&a, &b, &truth)) {
        totals->undecided++;
        return;
    }
    totals->checked++;
    totals->worst = fmax(totals->worst, fabs(truth - ours_too));
    if (fabs(ours.volume - truth) <= ours.error && fabs(truth - ours_too) < 1e-10)
        return;
    totals->failures++;
    printf("%s %" PRId64 ": ours %.9g with an error of %.3g, the oracles %.12g and %.12g\n",
           two->name, number, ours.volume, ours.error, truth, ours_too);
}

int main(int argc, char **argv)
{
    int64_t pair_count = argc > 1 ? strtoll(argv[1], NULL, 10) : 60;
    Totals totals = {0};
    for (int64_t i = 0; i < pair_count; i++) {
        Two two = two_make(i);
        check(&two, i, &totals);
        two_free(&two);
    }
    printf("volumes: %" PRId64 " pairs compared, %" PRId64
           " without an answer, the oracles at most %.1e apart, %" PRId64 " failures\n",
           totals.checked, totals.undecided, totals.worst, totals.failures);
    return totals.failures != 0 || totals.checked * 2 < pair_count;
}
