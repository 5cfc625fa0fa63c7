/* Hits on animated characters: fifty people walk, each shoots at the next one, a head takes more
 * damage than a hand, and each first wound leaves a decal that stays on the skin. docs/hits.md. */
#include <pliant/pliant.h>

#include <stdio.h>
#include <stdlib.h>

enum { PEOPLE = 50, BONES = 6, SIDES = 8, ROWS = 9, FRAMES = 120, SHOTS = 4 };
enum { VERTICES = BONES * SIDES * ROWS, TRIANGLES = BONES * 2 * SIDES * (ROWS - 1) };

/* Bones swing about z where they begin: by that much, as fast as people walk. */
static const struct {
    const char *name;
    int damage;
    float from[3], to[3], radius, swing;
} bones[BONES] = {{"chest", 20, {0, 1.0f, 0}, {0, 1.5f, 0}, 0.17f, 0.05f},
                  {"head", 100, {0, 1.5f, 0}, {0, 1.8f, 0}, 0.11f, 0.2f},
                  {"left arm", 8, {0, 1.45f, 0.2f}, {0, 0.8f, 0.25f}, 0.05f, 0.8f},
                  {"right arm", 8, {0, 1.45f, -0.2f}, {0, 0.8f, -0.25f}, 0.05f, -0.8f},
                  {"left leg", 10, {0, 1.0f, 0.1f}, {0, 0, 0.1f}, 0.08f, -0.6f},
                  {"right leg", 10, {0, 1.0f, -0.1f}, {0, 0, -0.1f}, 0.08f, 0.6f}};
static const float ring[SIDES][2] = {{1, 0},  {0.7f, 0.7f},   {0, 1},  {-0.7f, 0.7f},
                                     {-1, 0}, {-0.7f, -0.7f}, {0, -1}, {0.7f, -0.7f}};

static void must(PliantResult result)
{
    if (result != PLIANT_OK)
        exit(fprintf(stderr, "hits: %s\n", pliant_result_text(result)));
}

/* A tube around each bone. Where it begins, it follows the chest too. */
static PliantShape *make_person(void)
{
    static float vertices[VERTICES][3], weights[VERTICES][2];
    static uint16_t joints[VERTICES][2];
    static uint32_t triangles[TRIANGLES][3];
    int t = 0;
    for (int v = 0; v < VERTICES; v++) {
        const int b = v / (SIDES * ROWS), row = v / SIDES % ROWS, side = v % SIDES;
        const float along = (float)row / (ROWS - 1);
        const float width = row == 0 || row == ROWS - 1 ? 0 : bones[b].radius;
        for (int k = 0; k < 3; k++)
            vertices[v][k] = (1 - along) * bones[b].from[k] + along * bones[b].to[k];
        vertices[v][0] += width * ring[side][0];
        vertices[v][2] += width * ring[side][1];
        joints[v][0] = (uint16_t)b; /* the other one is 0, the chest */
        weights[v][1] = along < 0.5f ? 0.5f - along : 0;
        weights[v][0] = 1 - weights[v][1];
        const uint32_t a = (uint32_t)v, next = side < SIDES - 1 ? a + 1 : a + 1 - SIDES;
        const uint32_t faces[6] = {a, next, a + SIDES, next, next + SIDES, a + SIDES};
        const bool is_up = bones[b].to[1] > bones[b].from[1]; /* all tubes face outward */
        for (int i = 0; i < 6 && row < ROWS - 1; i++, t++)
            triangles[t / 3][is_up ? 2 - t % 3 : t % 3] = faces[i];
    }
    PliantSkin skin = pliant_skin_default();
    skin.joint_count = BONES;
    skin.influence_count = 2;
    skin.joints = joints[0];
    skin.weights = weights[0];
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices.data = vertices[0];
    def.vertices.count = VERTICES;
    def.triangles.data = triangles[0];
    def.triangles.count = TRIANGLES;
    def.skin = &skin;
    PliantShape *shape;
    must(pliant_shape_create(&def, &shape));
    return shape;
}

static void pose(PliantWorld *world, PliantBody body, int person, int frame)
{
    PliantTransform joints[BONES], place = pliant_transform_identity();
    const int row = person / 10, phase = (frame + 7 * person) % 60 - 30;
    for (int b = 0; b < BONES; b++) {
        const float t = ((float)abs(phase) / 15 - 1) * bones[b].swing / 2, x = bones[b].from[0],
                    y = bones[b].from[1];
        const float c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
        const PliantTransform turn = {
            {{c, -s, 0, x - c * x + s * y}, {s, c, 0, y - s * x - c * y}, {0, 0, 1, 0}}};
        joints[b] = turn;
    }
    place.rows[0][3] = 2 * (float)(person % 10) + 0.01f * (float)frame;
    place.rows[2][3] = 2 * (float)row;
    must(pliant_body_set_joints(world, body, joints, BONES));
    must(pliant_body_set_transform(world, body, &place));
}

/* From the chest of a person to somewhere on the next one, and on. */
static PliantRay shoot(int person, int frame, int shot)
{
    const int target = (person + 1) % PEOPLE, spread = 37 * (person + shot) + 11 * frame;
    const int row = person / 10, rows = target / 10 - row;
    const float x = 2 * (float)(person % 10), z = 2 * (float)row;
    const PliantRay ray = {{x + 0.01f * (float)frame, 1.3f, z},
                           {2 * (float)(target % 10) - x, 0.017f * (float)(spread % 100) - 1.2f,
                            2 * (float)rows + 0.03f * (float)(spread % 17 - 8)},
                           30};
    return ray;
}

int main(void)
{
    static PliantRay bullets[PEOPLE * SHOTS];
    static PliantBody people[PEOPLE], shooters[PEOPLE * SHOTS];
    static PliantRayHit decals[PEOPLE];
    int damage[PEOPLE] = {0}, wounds[BONES] = {0}, decal_count = 0;
    PliantWorld *world;
    must(pliant_world_create(NULL, &world));
    PliantShape *person = make_person();
    for (int i = 0; i < PEOPLE; i++) {
        must(pliant_body_create(world, person, &people[i]));
        must(pliant_body_set_user_data(world, people[i], (uint64_t)i)); /* what it is in the game */
    }
    pliant_shape_release(person);
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int i = 0; i < PEOPLE * SHOTS; i++) {
            if (i % SHOTS == 0)
                pose(world, people[i / SHOTS], i / SHOTS, frame);
            bullets[i] = shoot(i / SHOTS, frame, i % SHOTS);
            shooters[i] = people[i / SHOTS];
        }
        PliantRayDef def = pliant_ray_def_default();
        PliantRayHits hits = pliant_ray_hits_default();
        def.ignored = shooters;
        must(pliant_world_cast_rays(world, &def, bullets, PEOPLE * SHOTS, &hits));
        for (int64_t i = 0; i < hits.count; i++) {
            PliantBodyInfo info = pliant_body_info_default();
            int32_t joint;
            must(pliant_body_info(world, hits.items[i].body, &info));
            must(pliant_hit_joint(world, &hits.items[i], &joint));
            if (damage[info.user_data] == 0)
                decals[decal_count++] = hits.items[i]; /* body, triangle and weights */
            damage[info.user_data] += bones[joint].damage;
            wounds[joint]++;
        }
    }
    for (int b = 0; b < BONES; b++)
        printf("%s: %d hits, %d each\n", bones[b].name, wounds[b], bones[b].damage);
    PliantRayHits kept = pliant_ray_hits_default(); /* without a stamp, hits follow the skin */
    PliantHitPoints points = pliant_hit_points_default();
    kept.items = decals;
    kept.count = decal_count;
    must(pliant_hits_points(world, &kept, NULL, &points));
    const float *p = points.items[0].position, *n = points.items[0].normal;
    printf("a decal is at %.2f %.2f %.2f and faces %.2f %.2f %.2f\n", (double)p[0], (double)p[1],
           (double)p[2], (double)n[0], (double)n[1], (double)n[2]);
    pliant_world_destroy(world);
    return decal_count == 0 || wounds[1] == 0;
}
