/* Triangles that are a point: three corners in one place, at rest and however the part moves.
 *
 * An accessor that names no bytes is thousands of vertices at the origin, and every triangle of
 * them touches every other one. That is no surface: it is left out, and named.
 */
#include "scene/scene.h"

#include "scene/reader.h"

#include <string.h>

static bool is_same_place(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Do two vertices move alike? Joints that are listed in another order are taken for others. */
static bool moves_alike(const Scene *scene, const ScenePart *part, uint32_t a, uint32_t b)
{
    const size_t width = (size_t)part->influence_count;
    for (int32_t t = 0; t < part->target_count; t++) {
        const float *target = part->targets + 3 * (size_t)t * (size_t)part->vertex_count;
        if (!is_same_place(target + 3 * (size_t)a, target + 3 * (size_t)b))
            return false;
    }
    for (int32_t f = 0; part->cached >= 0 && f < scene->cache.frame_count; f++) {
        const float *frame =
            scene->cache.vertices +
            3 * ((size_t)f * (size_t)scene->cache.vertex_count + (size_t)part->cached);
        if (!is_same_place(frame + 3 * (size_t)a, frame + 3 * (size_t)b))
            return false;
    }
    return width == 0 || (memcmp(part->joints + a * width, part->joints + b * width,
                                 width * sizeof *part->joints) == 0 &&
                          memcmp(part->joint_weights + a * width, part->joint_weights + b * width,
                                 width * sizeof *part->joint_weights) == 0);
}

static bool is_one(const Scene *scene, const ScenePart *part, uint32_t a, uint32_t b)
{
    return a == b ||
           (is_same_place(part->vertices + 3 * (size_t)a, part->vertices + 3 * (size_t)b) &&
            moves_alike(scene, part, a, b));
}

static void move_paint(ScenePaint *paint, int32_t from, int32_t to)
{
    if (paint->looks)
        paint->looks[to] = paint->looks[from];
    if (paint->uvs)
        memcpy(paint->uvs + 6 * (size_t)to, paint->uvs + 6 * (size_t)from, 6 * sizeof(float));
    if (paint->colors)
        memcpy(paint->colors + 9 * (size_t)to, paint->colors + 9 * (size_t)from, 9);
}

/* How many triangles of a part are points; those that are not move to the front. */
static int32_t drop_points(const Scene *scene, ScenePart *part)
{
    int32_t kept = 0, all = part->triangle_count;
    for (int32_t t = 0; t < all; t++) {
        const uint32_t *corners = part->triangles + 3 * (size_t)t;
        if (is_one(scene, part, corners[0], corners[1]) &&
            is_one(scene, part, corners[1], corners[2]))
            continue;
        if (kept < t) {
            memcpy(part->triangles + 3 * (size_t)kept, corners, 3 * sizeof *corners);
            part->faces[kept] = part->faces[t];
            move_paint(&part->paint, t, kept);
        }
        kept++;
    }
    part->triangle_count = kept;
    return all - kept;
}

void scene_drop_points(Scene *scene)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < scene->part_count; i++) {
        ScenePart *part = &scene->parts[i];
        const int32_t dropped = drop_points(scene, part);
        if (part->triangle_count == 0) {
            scene_note_one_place(scene, part->name);
            scene_free_part(part);
            continue;
        }
        if (dropped > 0)
            scene_note(scene, "%d of %d triangles of '%.200s' are single points: left out",
                       (int)dropped, (int)(dropped + part->triangle_count), part->name);
        scene->parts[kept++] = *part;
    }
    scene->part_count = kept;
}
