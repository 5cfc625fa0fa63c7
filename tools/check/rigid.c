/* What moves against what: see rigid.h. */
#include "check/rigid.h"

#include <string.h>

static bool is_animated(const Scene *scene, int32_t node, bool is_weights)
{
    for (int32_t c = 0; c < scene->clip_count; c++)
        for (int32_t t = 0; t < scene->clips[c].track_count; t++) {
            const SceneTrack *track = &scene->clips[c].tracks[t];
            if (track->node == node && (track->path == SCENE_WEIGHTS) == is_weights)
                return true;
        }
    return false;
}

/* The only joint that moves any vertex of a part, as a node; -1: there are several. */
static int32_t only_joint(const Scene *scene, const ScenePart *part)
{
    int32_t only = -1;
    const int64_t count = (int64_t)part->vertex_count * part->influence_count;
    for (int64_t i = 0; i < count; i++) {
        if (part->joint_weights[i] == 0)
            continue;
        const int32_t joint = scene->skins[part->skin].joints[part->joints[i]];
        if (only >= 0 && only != joint)
            return -1;
        only = joint;
    }
    return only;
}

bool part_is_deformed(const Scene *scene, const CheckOptions *options, const ScenePart *part)
{
    return (part->skin >= 0 && only_joint(scene, part) < 0) || part->cached >= 0 ||
           (part->target_count > 0 &&
            (options->morph_count > 0 || is_animated(scene, part->node, true)));
}

/* The lowest node above a part that a clip moves; -1: there is none. */
static int32_t mover_of(const Scene *scene, const ScenePart *part)
{
    int32_t node = part->skin >= 0 ? only_joint(scene, part) : part->node;
    while (node >= 0 && !is_animated(scene, node, false))
        node = scene->nodes[node].parent;
    return node;
}

bool parts_are_rigid(const Scene *scene, const CheckOptions *options, const ScenePart *a,
                     const ScenePart *b)
{
    return !part_is_deformed(scene, options, a) && !part_is_deformed(scene, options, b) &&
           mover_of(scene, a) == mover_of(scene, b);
}

/* ---- Alternatives ------------------------------------------------------------------------------
 */

static bool matches_list(const char *list, const char *name)
{
    char glob[256];
    for (size_t length; *list; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        if (length == 0 || length >= sizeof glob)
            continue;
        memcpy(glob, list, length);
        glob[length] = 0;
        if (glob_matches(glob, name))
            return true;
    }
    return false;
}

bool parts_are_alternatives(const CheckOptions *options, const char *a, const char *b)
{
    for (int32_t i = 0; i < options->alternative_count; i++)
        if (matches_list(options->alternatives[i], a) && matches_list(options->alternatives[i], b))
            return true;
    return false;
}

int32_t part_list(const CheckOptions *options, const char *name)
{
    for (int32_t i = 0; i < options->alternative_count; i++)
        if (matches_list(options->alternatives[i], name))
            return i + 1;
    return 0;
}
