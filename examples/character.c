/* A body that follows joints: somebody walks along a wall of a museum, and puts out a hand.
 *
 * The shape has joints and weights once; a body has matrices, and sets them as often as they
 * change. No vertex is skinned by the caller, and only those few by the library that come near the
 * wall. The museum's walls are two triangles each, larger than the visitor: they are found by
 * pieces, which nobody has to ask for. */
#include "scenes.h"
#include <pliant/pliant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "character: %s\n", pliant_result_text(result));
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
    if (skin) { /* as in glTF: JOINTS_0 and WEIGHTS_0 */
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

/* The first step in which something touches, or -1. */
static int walk(const SceneSkin *avatar, PliantWorld *world, PliantBody visitor)
{
    for (int step = 0; step < SCENE_WALK_STEPS; step += 4) {
        PliantTransform joints[SCENE_AVATAR_JOINTS], index;
        float matrices[SCENE_AVATAR_JOINTS][3][4];
        scene_walk_pose(avatar, SCENE_MUSEUM, step, matrices, index.rows);
        memcpy(joints, matrices, sizeof joints);
        must(pliant_body_set_joints(world, visitor, joints, SCENE_AVATAR_JOINTS));
        must(pliant_body_set_transform(world, visitor, &index));

        PliantContacts contacts = pliant_contacts_default();
        must(pliant_world_collide(world, NULL, &contacts));
        if (contacts.count == 0)
            continue;
        PliantStats stats = pliant_stats_default();
        must(pliant_body_stats(world, visitor, &stats));
        printf("touched in step %d: %d pairs of triangles, %d of %d vertices evaluated\n", step,
               (int)contacts.count, (int)stats.vertices_evaluated, (int)avatar->mesh.vertex_count);
        return step;
    }
    return -1;
}

int main(void)
{
    SceneSkin avatar = scene_avatar();
    SceneMesh museum = scene_museum();
    PliantShape *person = make_shape(&avatar.mesh, &avatar), *walls = make_shape(&museum, NULL);
    PliantShapeInfo info = pliant_shape_info_default();
    must(pliant_shape_info(walls, &info));
    printf("a museum of %d triangles, found by %d pieces\n", (int)info.triangle_count,
           (int)info.piece_count);

    PliantWorld *world;
    must(pliant_world_create(NULL, &world));
    PliantBody building, visitor;
    must(pliant_body_create(world, walls, &building));
    must(pliant_body_create(world, person, &visitor));
    int step = walk(&avatar, world, visitor);

    pliant_world_destroy(world);
    pliant_shape_release(person);
    pliant_shape_release(walls);
    scene_skin_free(&avatar);
    scene_mesh_free(&museum);
    return step > SCENE_WALK_CLOSE ? 0 : 1;
}
