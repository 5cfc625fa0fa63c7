/* Scenes made by hand, for the tests of the page: see page_scenes.h. */
#include "page_scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A test that has no memory ends. */
void *taken(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

static char *text(const char *words)
{
    size_t size = strlen(words) + 1;
    char *copy = taken(size, 1);
    memcpy(copy, words, size);
    return copy;
}

static Scene *make_scene(int32_t part_count, int32_t node_count, int32_t clip_count)
{
    Scene *scene = taken(1, sizeof *scene);
    scene->format = text("made by hand");
    scene->part_count = part_count;
    scene->node_count = node_count;
    scene->clip_count = clip_count;
    scene->parts = taken((size_t)part_count, sizeof *scene->parts);
    scene->nodes = taken((size_t)node_count, sizeof *scene->nodes);
    scene->clips = taken((size_t)clip_count, sizeof *scene->clips);
    for (int32_t i = 0; i < node_count; i++) {
        scene->nodes[i] = (SceneNode){.name = text("node"),
                                      .parent = -1,
                                      .rotation = {0, 0, 0, 1},
                                      .scale = {1, 1, 1},
                                      .is_in_scene = true};
    }
    return scene;
}

static ScenePart *make_part(Scene *scene, int32_t i, const char *name, int32_t node,
                            int32_t vertex_count, int32_t triangle_count)
{
    ScenePart *part = &scene->parts[i];
    *part = (ScenePart){.name = text(name),
                        .node = node,
                        .skin = -1,
                        .cached = -1,
                        .vertex_count = vertex_count,
                        .triangle_count = triangle_count,
                        .read_count = vertex_count};
    part->vertices = taken((size_t)vertex_count * 3, sizeof(float));
    part->triangles = taken((size_t)triangle_count * 3, sizeof(uint32_t));
    part->faces = taken((size_t)triangle_count, sizeof *part->faces);
    for (int32_t t = 0; t < triangle_count; t++)
        part->faces[t] = (SceneFace){0, t};
    return part;
}

/* The box number `number` of a part of boxes. */
static void set_box(ScenePart *part, int number, const float at[3], const float half[3])
{
    static const uint32_t corners[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (int v = 0; v < 8; v++)
        for (int axis = 0; axis < 3; axis++)
            part->vertices[(number * 8 + v) * 3 + axis] =
                at[axis] + ((v >> axis & 1) ? half[axis] : -half[axis]);
    for (int i = 0; i < 36; i++)
        part->triangles[number * 36 + i] = corners[i] + (uint32_t)number * 8;
}

static void make_box(Scene *scene, int32_t i, const char *name, int32_t node, const float half[3])
{
    set_box(make_part(scene, i, name, node, 8, 12), 0, (const float[3]){0, 0, 0}, half);
}

/* A sheet of quads, `across` by `along`, that closes on itself across if it is a tube. */
static void make_sheet(ScenePart *part, int32_t across, int32_t along, bool is_tube)
{
    int32_t quads = is_tube ? across : across - 1, t = 0;
    for (int32_t row = 0; row + 1 < along; row++) {
        for (int32_t k = 0; k < quads; k++) {
            uint32_t a = (uint32_t)(row * across + k);
            uint32_t b = (uint32_t)(row * across + (k + 1) % across);
            uint32_t corners[6] = {a, a + (uint32_t)across, b,
                                   b, a + (uint32_t)across, b + (uint32_t)across};
            memcpy(part->triangles + (size_t)t * 3, corners, sizeof corners);
            t += 2;
        }
    }
}

enum { AROUND = 20, ALONG = 41 };

static float smooth_step(float low, float high, float at)
{
    float share = fminf(1, fmaxf(0, (at - low) / (high - low)));
    return share * share * (3 - 2 * share);
}

/* A tube around the y axis with two joints, which bends at 2, and a target that swells it at 1. */
static void make_tube(Scene *scene, int32_t i, int32_t node)
{
    ScenePart *part = make_part(scene, i, "tube", node, AROUND * ALONG, AROUND * (ALONG - 1) * 2);
    make_sheet(part, AROUND, ALONG, true);
    part->skin = 0;
    part->influence_count = 2;
    part->joints = taken(AROUND * ALONG * 2, sizeof *part->joints);
    part->joint_weights = taken(AROUND * ALONG * 2, sizeof *part->joint_weights);
    part->target_count = 1;
    part->targets = taken(AROUND * ALONG * 3, sizeof(float));
    part->target_names = taken(1, sizeof *part->target_names);
    part->target_names[0] = text("swell");
    part->weights = taken(1, sizeof(float));
    part->weights[0] = 0.1f; /* so that morph and skin are together where it bends */
    for (int32_t v = 0; v < AROUND * ALONG; v++) {
        float angle = 6.2831853f * (float)(v % AROUND) / AROUND;
        int32_t ring = v / AROUND;
        float y = 4.0f * (float)ring / (ALONG - 1);
        float swell = y < 2 ? 0.9f * (1 - fabsf(y - 1)) : 0;
        float *at = part->vertices + (size_t)v * 3, *delta = part->targets + (size_t)v * 3;
        at[0] = 0.5f * cosf(angle);
        at[1] = y;
        at[2] = 0.5f * sinf(angle);
        delta[0] = swell * cosf(angle);
        delta[2] = swell * sinf(angle);
        part->joints[v * 2 + 1] = 1;
        part->joint_weights[v * 2 + 1] = smooth_step(1.6f, 2.4f, y);
        part->joint_weights[v * 2] = 1 - part->joint_weights[v * 2 + 1];
    }
}

static void make_skin(Scene *scene, int32_t first_joint)
{
    scene->skin_count = 1;
    scene->skins = taken(1, sizeof *scene->skins);
    SceneSkin *skin = scene->skins;
    skin->joint_count = 2;
    skin->joints = taken(2, sizeof *skin->joints);
    skin->inverse_binds = taken(2, sizeof *skin->inverse_binds);
    for (int32_t i = 0; i < 2; i++) {
        skin->joints[i] = first_joint + i;
        for (int k = 0; k < 4; k++)
            skin->inverse_binds[i][k * 5] = 1;
    }
    skin->inverse_binds[1][13] = -2;
    scene->nodes[first_joint + 1].parent = first_joint;
    scene->nodes[first_joint + 1].translation[1] = 2;
}

/* There and back in two seconds. */
static void make_clip(SceneClip *clip, const char *name, int32_t node, ScenePath path, int width,
                      const float *rest, const float *far)
{
    *clip = (SceneClip){.name = text(name), .end = 2, .track_count = 1};
    clip->tracks = taken(1, sizeof *clip->tracks);
    SceneTrack *track = clip->tracks;
    *track = (SceneTrack){
        .node = node, .path = path, .ease = SCENE_LINEAR, .key_count = 3, .width = width};
    track->times = taken(3, sizeof(float));
    track->values = taken((size_t)width * 3, sizeof(float));
    for (int key = 0; key < 3; key++) {
        track->times[key] = (float)key;
        memcpy(track->values + (ptrdiff_t)key * width, key == 1 ? far : rest,
               sizeof(float) * (size_t)width);
    }
}

/* A tube that bends into a post and into itself, and swells into a collar with a hostile name. The
 * post has a foot, which is in the tube from the start. */
Scene *scene_bend(void)
{
    static const float post[3] = {0.4f, 0.4f, 0.4f}, collar[3] = {0.5f, 0.2f, 0.5f};
    static const float middle[3] = {0, 0, 0}, at[3] = {1.4f, -2, 0}, foot[3] = {0.2f, 0.1f, 0.1f};
    static const float straight[4] = {0, 0, 0, 1}, bent[4] = {0, 0, 0.88f, 0.475f};
    static const float thin = 0, thick = 1;
    Scene *scene = make_scene(4, 5, 2);
    make_tube(scene, 0, 0);
    make_skin(scene, 3);
    set_box(make_part(scene, 1, "post", 1, 16, 24), 0, middle, post);
    set_box(&scene->parts[1], 1, at, foot);
    make_box(scene, 2, "</script><img src=x onerror=alert(1)>\"'&\\\n<!--", 2, collar);
    make_box(scene, 3, "far away", -1, post);
    for (int v = 0; v < 8; v++)
        scene->parts[3].vertices[v * 3] += 4;
    memcpy(scene->nodes[1].translation, (float[3]){-2, 2.5f, 0}, sizeof(float[3]));
    memcpy(scene->nodes[2].translation, (float[3]){1.3f, 1, 0}, sizeof(float[3]));
    make_clip(&scene->clips[0], "Bend", 4, SCENE_ROTATION, 4, straight, bent);
    make_clip(&scene->clips[1], "Swell", 0, SCENE_WEIGHTS, 1, &thin, &thick);
    return scene;
}

/* Boxes in a row, each 0.2 in the next. Each clip pushes the first one farther than the clip
 * before. */
Scene *scene_busy(void)
{
    enum { BOXES = 7, CLIPS = 14 };
    static const float halves[2][3] = {{1, 1, 1}, {1, 0.9f, 0.9f}}, start[3] = {0, 0, 0};
    static const char *const boxes[BOXES] = {"a", "b", "c", "d", "e", "f", "g"};
    Scene *scene = make_scene(BOXES, BOXES, CLIPS);
    for (int32_t i = 0; i < BOXES; i++) {
        make_box(scene, i, boxes[i], i, halves[i % 2]);
        for (int v = 0; v < 8; v++)
            scene->parts[i].vertices[v * 3] += 1.8f * (float)i;
    }
    for (int32_t i = 0; i < CLIPS; i++) {
        char name[40];
        snprintf(name, sizeof name, "push %d", (int)i);
        make_clip(&scene->clips[i], name, 0, SCENE_TRANSLATION, 3, start,
                  (const float[3]){0.04f * (float)(i + 1), 0, 0});
    }
    return scene;
}

/* A sheet of a cache that falls through a box. */
Scene *scene_cloth(void)
{
    enum { SIDE = 13, FRAMES = 12, COUNT = SIDE * SIDE };
    static const float half[3] = {0.5f, 0.5f, 0.5f};
    Scene *scene = make_scene(2, 0, 1);
    make_box(scene, 0, "box", -1, half);
    ScenePart *part = make_part(scene, 1, "cloth", -1, COUNT, (SIDE - 1) * (SIDE - 1) * 2);
    make_sheet(part, SIDE, SIDE, false);
    part->cached = 0;
    scene->cache = (SceneCache){.vertex_count = COUNT, .frame_count = FRAMES};
    scene->cache.vertices = taken(COUNT * FRAMES * 3, sizeof(float));
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int v = 0; v < COUNT; v++) {
            int row = v / SIDE;
            float *at = scene->cache.vertices + ((size_t)frame * COUNT + (size_t)v) * 3;
            at[0] = (float)(v % SIDE) / 6 - 1;
            at[2] = (float)row / 6 - 1;
            at[1] = 1.2f - 0.1f * (float)frame + 0.1f * sinf(3 * at[0] + 0.5f * (float)frame);
        }
    }
    memcpy(part->vertices, scene->cache.vertices, sizeof(float) * COUNT * 3);
    scene->clips[0] = (SceneClip){
        .name = text("fall"), .end = (FRAMES - 1) / 10.0, .frame_count = FRAMES, .fps = 10};
    return scene;
}

/* One thing that does nothing. */
Scene *scene_unchanged(void)
{
    static const float half[3] = {1, 2, 0.5f};
    Scene *scene = make_scene(1, 0, 0);
    make_box(scene, 0, "box", -1, half);
    return scene;
}

/* Near the end of floats, and far from the origin for its size. */
Scene *scene_huge(void)
{
    static const float half[3] = {1e32f, 2e32f, 1e32f};
    Scene *scene = make_scene(2, 0, 0);
    for (int32_t i = 0; i < 2; i++) {
        make_box(scene, i, i ? "one" : "other", -1, half);
        for (int v = 0; v < 24; v++)
            scene->parts[i].vertices[v] += 3e33f + (float)i * 7e31f;
    }
    return scene;
}

/* A PNG of one green pixel. */
static const uint8_t green[] = {137, 80,  78,  71,  13,  10, 26, 10, 0,  0,   0,  13, 73,  72,
                                68,  82,  0,   0,   0,   1,  0,  0,  0,  1,   8,  2,  0,   0,
                                0,   144, 119, 83,  222, 0,  0,  0,  12, 73,  68, 65, 84,  120,
                                218, 99,  96,  248, 207, 0,  0,  2,  2,  1,   0,  69, 244, 82,
                                212, 0,   0,   0,   0,   73, 69, 78, 68, 174, 66, 96, 130};

/* The first part has an image, the second red vertices, the others nothing. */
static void paint(Scene *scene)
{
    scene->look_count = scene->image_count = 1;
    scene->looks = taken(1, sizeof *scene->looks);
    scene->looks[0] = (SceneLook){{1, 1, 1}, 0};
    scene->images = taken(1, sizeof *scene->images);
    scene->images[0] =
        (SceneImage){.bytes = taken(sizeof green, 1), .size = sizeof green, .is_png = true};
    memcpy(scene->images[0].bytes, green, sizeof green);
    for (int32_t i = 0; i < 2; i++) {
        const size_t count = (size_t)scene->parts[i].triangle_count;
        ScenePaint *made = &scene->parts[i].paint;
        made->looks = taken(count, sizeof *made->looks);
        for (size_t t = 0; t < count; t++)
            made->looks[t] = i == 0 && t > 0 ? 0 : -1;
        made->uvs = i == 0 ? taken(count * 6, sizeof *made->uvs) : NULL;
        for (size_t k = 0; made->uvs && k < count * 6; k++)
            made->uvs[k] = -1.5f + (float)k / 8;
        made->colors = i == 1 ? taken(count * 9, 1) : NULL;
        for (size_t k = 0; made->colors && k < count * 9; k += 3)
            made->colors[k] = (uint8_t)(255 - k);
    }
}

/* A body with a thing in its hand, of which there are three. */
Scene *scene_worn(void)
{
    static const float half[3] = {1, 1, 1}, shield[3] = {0.5f, 0.5f, 0.1f};
    static const char *const names[] = {"shield 1", "shield 2", "shield 3"};
    Scene *scene = make_scene(4, 0, 0);
    make_box(scene, 0, "body", -1, half);
    for (int32_t i = 0; i < 3; i++) {
        make_box(scene, i + 1, names[i], -1, shield);
        for (int v = 0; v < 8; v++) {
            scene->parts[i + 1].vertices[v * 3] += 1.2f - 0.1f * (float)i;
            scene->parts[i + 1].vertices[v * 3 + 1] += 0.1f * (float)i;
        }
    }
    paint(scene);
    return scene;
}
