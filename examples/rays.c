/* Rays at a visitor of a museum, who walks: what does a camera in the middle of the hall see?
 *
 * The visitor follows joints, and no vertex of theirs is skinned but those of the few leaves that
 * rays come to. docs/rays.md quotes this. */
#include "scenes.h"
#include <pliant/pliant.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 60, HEIGHT = 30, STEP = 40 };

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "rays: %s\n", pliant_result_text(result));
    exit(1);
}

static PliantBody add_body(PliantWorld *world, const SceneMesh *mesh, const SceneSkin *skin)
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
    PliantBody body;
    must(pliant_body_create(world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

static void pose(PliantWorld *world, PliantBody visitor, const SceneSkin *avatar)
{
    PliantTransform joints[SCENE_AVATAR_JOINTS], place;
    float matrices[SCENE_AVATAR_JOINTS][3][4];
    scene_walk_pose(avatar, SCENE_MUSEUM, STEP, matrices, place.rows);
    memcpy(joints, matrices, sizeof joints);
    must(pliant_body_set_joints(world, visitor, joints, SCENE_AVATAR_JOINTS));
    must(pliant_body_set_transform(world, visitor, &place));
}

/* One ray for each character of the picture, from the eye through a window around the visitor. */
static void make_rays(const PliantBox *box, const float eye[3], PliantRay *rays)
{
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++) {
            PliantRay *ray = &rays[row * WIDTH + column];
            const float x = ((float)column + 0.5f) / WIDTH, y = ((float)row + 0.5f) / HEIGHT;
            const float to[3] = {box->low[0] + x * (box->high[0] - box->low[0]),
                                 box->high[1] - y * (box->high[1] - box->low[1]),
                                 (box->low[2] + box->high[2]) / 2};
            for (int k = 0; k < 3; k++) {
                ray->origin[k] = eye[k];
                ray->direction[k] = to[k] - eye[k];
            }
            ray->max = INFINITY;
        }
}

/* The visitor is drawn by the side that is seen, all else is left out. */
static void draw(const PliantRayHits *hits, PliantBody visitor)
{
    char picture[HEIGHT][WIDTH + 1];
    memset(picture, '.', sizeof picture);
    for (int row = 0; row < HEIGHT; row++)
        picture[row][WIDTH] = '\0';
    for (int64_t i = 0; i < hits->count; i++) {
        const PliantRayHit *hit = &hits->items[i];
        if (hit->body.index == visitor.index)
            picture[hit->ray / WIDTH][hit->ray % WIDTH] = hit->side > 0 ? '#' : '-';
    }
    for (int row = 0; row < HEIGHT; row++)
        puts(picture[row]);
}

int main(void)
{
    SceneSkin avatar = scene_avatar();
    SceneMesh museum = scene_museum();
    PliantWorld *world;
    must(pliant_world_create(NULL, &world));
    (void)add_body(world, &museum, NULL);
    const PliantBody visitor = add_body(world, &avatar.mesh, &avatar);
    pose(world, visitor, &avatar);

    PliantBox box;
    must(pliant_body_box(world, visitor, &box));
    const float eye[3] = {box.low[0], (box.low[1] + box.high[1]) / 2, box.high[2] + 2};
    static PliantRay rays[HEIGHT * WIDTH];
    make_rays(&box, eye, rays);

    PliantRayHits hits = pliant_ray_hits_default();
    must(pliant_world_cast_rays(world, NULL, rays, HEIGHT * WIDTH, &hits));
    draw(&hits, visitor);

    /* Is the head in sight? Any hit before the end of the ray is in the way. */
    PliantRay sight = {{eye[0], eye[1], eye[2]}, {0, 0, 0}, 0.9f};
    const float head[3] = {(box.low[0] + box.high[0]) / 2, box.high[1] - 0.1f,
                           (box.low[2] + box.high[2]) / 2};
    for (int k = 0; k < 3; k++)
        sight.direction[k] = head[k] - eye[k];
    PliantRayDef def = pliant_ray_def_default();
    def.kind = PLIANT_ANY_HIT;
    must(pliant_world_cast_rays(world, &def, &sight, 1, &hits));
    printf("%s\n", hits.count > 0 ? "something is in the way" : "the head is in sight");

    /* How often does a ray enter and leave the visitor? */
    def.kind = PLIANT_ALL_HITS;
    sight.max = INFINITY;
    must(pliant_body_cast_rays(world, visitor, &def, &sight, 1, &hits));
    for (int64_t i = 0; i < hits.count; i++)
        printf("%s at %.3f\n", hits.items[i].side > 0 ? "enters" : "leaves",
               (double)hits.items[i].t);

    PliantStats stats = pliant_stats_default();
    must(pliant_body_stats(world, visitor, &stats));
    printf("%d of %d vertices evaluated for this ray\n", (int)stats.vertices_evaluated,
           (int)avatar.mesh.vertex_count);
    pliant_world_destroy(world);
    scene_mesh_free(&museum);
    scene_skin_free(&avatar);
    return 0;
}
