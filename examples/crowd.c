/* A hundred visitors walk through a museum, on all processors: a pool of threads, created once, is
 * attached to the host that the world is given. The answers are the same as without it.
 * docs/threading.md quotes this. */
#include "scenes.h"
#include <pliant/pliant.h>
#include <pliant/pool.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "crowd: %s\n", pliant_result_text(result));
    exit(1);
}

static PliantShape *make_shape(const SceneMesh *mesh, const SceneSkin *skin)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices.data = mesh->vertices;
    def.vertices.count = mesh->vertex_count;
    def.triangles.data = mesh->triangles;
    def.triangles.count = mesh->triangle_count;
    PliantSkin followed = pliant_skin_default();
    if (skin) {
        followed.joint_count = skin->joint_count;
        followed.influence_count = skin->influence_count;
        followed.joints = skin->joints;
        followed.weights = skin->weights;
        def.skin = &followed;
    }
    PliantShape *shape;
    must(pliant_shape_create(&def, &shape));
    return shape;
}

static PliantWorld *make_world(PliantPool *pool)
{
    PliantHost host = pliant_host_default();
    pliant_pool_attach(pool, &host);
    PliantWorldDef def = pliant_world_def_default();
    def.host = &host;
    PliantWorld *world;
    must(pliant_world_create(&def, &world));
    return world;
}

static void walk(const SceneSkin *avatar, PliantWorld *world, const PliantBody *visitors, int step)
{
    for (int i = 0; i < SCENE_VISITORS; i++) {
        PliantTransform joints[SCENE_AVATAR_JOINTS], place;
        float matrices[SCENE_AVATAR_JOINTS][3][4];
        scene_visitor_pose(avatar, i, step, matrices, place.rows);
        memcpy(joints, matrices, sizeof joints);
        must(pliant_body_set_joints(world, visitors[i], joints, SCENE_AVATAR_JOINTS));
        must(pliant_body_set_transform(world, visitors[i], &place));
    }
}

int main(void)
{
    SceneSkin avatar = scene_avatar();
    SceneMesh museum = scene_museum();
    PliantShape *person = make_shape(&avatar.mesh, &avatar), *walls = make_shape(&museum, NULL);

    PliantPoolDef def = pliant_pool_def_default(); /* a worker for each processor */
    PliantPool *pool;
    must(pliant_pool_create(&def, &pool));
    PliantWorld *world = make_world(pool);

    PliantBody building, visitors[SCENE_VISITORS];
    must(pliant_body_create(world, walls, &building));
    for (int i = 0; i < SCENE_VISITORS; i++)
        must(pliant_body_create(world, person, &visitors[i]));
    int64_t all = 0;
    for (int step = 0; step < 40; step += 10) {
        walk(&avatar, world, visitors, step);
        PliantContacts contacts = pliant_contacts_default();
        must(pliant_world_collide(world, NULL, &contacts));
        printf("step %2d: %d pairs of triangles\n", step, (int)contacts.count);
        all += contacts.count;
    }

    pliant_world_destroy(world);
    pliant_pool_destroy(pool); /* after all that was created with its host */
    pliant_shape_release(person);
    pliant_shape_release(walls);
    scene_skin_free(&avatar);
    scene_mesh_free(&museum);
    return all > 0 ? 0 : 1;
}
