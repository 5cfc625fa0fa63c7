/* Which bodies contain which: those that do not touch, of which one has all vertices of the other
 * inside, by solid angles. */
#include "calls.h"
#include "volumes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static bool are_all_inside(const SceneMesh *outer, const SceneMesh *inner)
{
    for (int32_t v = 0; v < inner->vertex_count; v++)
        if (solid_winding(outer, inner->vertices + 3 * v) == 0)
            return false;
    return true;
}

static bool touch(PliantWorld *world, PliantBody a, PliantBody b)
{
    PliantContacts contacts = pliant_contacts_default();
    volumes_must(pliant_bodies_collide(world, a, b, TEST_QUERY(PLIANT_ANY_PAIR), &contacts),
                 "collide");
    return contacts.count > 0;
}

/* Small ones in large ones, and sometimes the other way round. */
static void make_two(SceneRandom *random, SceneMesh meshes[2])
{
    double position[3];
    for (int i = 0; i < 2; i++)
        meshes[i] = solid_random((SolidKind)scene_random_below(random, SOLID_KIND_COUNT), random);
    for (int k = 0; k < 3; k++)
        position[k] = volumes_any(random, -0.6, 0.6);
    solid_place(&meshes[1], 0.5 * pow(10, volumes_any(random, -1.5, 0)), position);
}

int64_t check_contained(const VolumeOptions *options)
{
    int64_t failure_count = 0, inside_count = 0, touching_count = 0;
    for (int64_t i = 0; i < options->poses; i++) {
        SceneRandom random = volumes_random(options, 5, i);
        SceneMesh meshes[2];
        make_two(&random, meshes);
        PliantWorld *world = volumes_world(PLIANT_CPU_ALL);
        const PliantBody bodies[2] = {volumes_body(world, &meshes[0], i % 2),
                                      volumes_body(world, &meshes[1], i % 3 == 0)};
        const bool is_touching = touch(world, bodies[0], bodies[1]);
        for (int outer = 0; outer < 2; outer++) {
            const bool checked = !is_touching && are_all_inside(&meshes[outer], &meshes[1 - outer]);
            PliantContainment found = pliant_containment_default();
            PliantResult result =
                pliant_bodies_contain(world, bodies[outer], bodies[1 - outer], NULL, &found);
            inside_count += checked;
            if (result == PLIANT_OK && found.is_closed && found.contains == checked)
                continue;
            printf("seed %" PRIu64 " pair %" PRId64 ": body %d contains the other: %s, %d; is %d\n",
                   options->seed, i, outer, pliant_result_name(result), found.contains, checked);
            failure_count++;
        }
        touching_count += is_touching;
        pliant_world_destroy(world);
        for (int k = 0; k < 2; k++)
            scene_mesh_free(&meshes[k]);
    }
    printf("%" PRId64 " pairs: %" PRId64 " touch, in %" PRId64 " one is inside\n", options->poses,
           touching_count, inside_count);
    return failure_count + (inside_count == 0 || touching_count == 0);
}
