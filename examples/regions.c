/* A ball sinks into another: how deep is it, and which way is out? docs/regions.md walks through
 * it. */
#include <pliant/pliant.h>
#include <scenes.h>

#include <stdio.h>
#include <stdlib.h>

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "%s: %s\n", pliant_result_name(result), pliant_result_text(result));
    exit(1);
}

int main(void)
{
    SceneMesh ball = scene_icosphere(4);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices.data = ball.vertices;
    def.vertices.count = ball.vertex_count;
    def.triangles.data = ball.triangles;
    def.triangles.count = ball.triangle_count;
    PliantShape *shape;
    must(pliant_shape_create(&def, &shape));

    PliantWorld *world;
    PliantBody upper, lower;
    must(pliant_world_create(NULL, &world));
    must(pliant_body_create(world, shape, &upper));
    must(pliant_body_create(world, shape, &lower));

    int64_t count = 0;
    for (int frame = 0; frame < 5; frame++) {
        PliantTransform transform = pliant_transform_identity();
        transform.rows[2][3] = 2.05f - 0.1f * (float)frame;
        must(pliant_body_set_transform(world, upper, &transform));

        PliantContacts contacts = pliant_contacts_default();
        must(pliant_world_collide(world, NULL, &contacts));
        PliantRegions regions = pliant_regions_default();
        must(pliant_contacts_regions(world, &contacts, NULL, &regions));
        printf("frame %d: %d contacts, %d regions\n", frame, (int)contacts.count,
               (int)regions.count);
        for (int64_t i = 0; i < regions.count; i++) {
            const PliantRegion *region = &regions.items[i];
            const PliantRegionPart *part = &region->parts[0]; /* of the upper ball */
            printf(
                "  %.3f to %.3f deep, %d vertices inside, area %.3f, out along (%.2f %.2f %.2f)\n",
                (double)part->depth, (double)part->max_depth, (int)part->vertex_count, part->area,
                (double)region->normal[0], (double)region->normal[1], (double)region->normal[2]);
        }
        count = regions.count;
    }

    pliant_world_destroy(world);
    pliant_shape_release(shape);
    scene_mesh_free(&ball);
    return count == 1 ? 0 : 1;
}
