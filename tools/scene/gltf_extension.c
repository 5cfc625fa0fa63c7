/* Extensions: what would be read wrongly is refused by its name, and what does nothing here is
 * passed over. What compresses or moves geometry matters; how it looks does not.
 */
#include "scene/gltf.h"

#include <string.h>

/* Beginnings of names of those that change nothing that is read, or that are read. */
static const char *const known[] = {
    "KHR_mesh_quantization",
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "EXT_texture_",
    "EXT_lights_",
    "MSFT_texture_",
    "MSFT_packing_",
    "ADOBE_materials_",
    "KHR_xmp",
    "AGI_articulations",
    "GODOT_single_root",
    "VRM",
    "KHR_node_visibility",
    "EXT_mesh_features",
    "EXT_structural_metadata",
};

static const char *const compressions[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};

/* Those that may move geometry but not in a pose of a clip, so that a note is enough. */
static const struct {
    const char *name, *note;
} noted[] = {
    {"VRMC_springBone", "springs of VRMC_springBone do not swing"},
    {"VRM", "springs and expressions of VRM are not applied"},
    {"KHR_physics_rigid_bodies", "bodies of KHR_physics_rigid_bodies stay where they are"},
    {"AGI_articulations", "AGI_articulations stay as they are"},
};

static bool begins_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

static bool is_compression(const char *name)
{
    for (size_t i = 0; i < sizeof compressions / sizeof *compressions; i++)
        if (strcmp(name, compressions[i]) == 0)
            return true;
    return false;
}

/* Without its library each primitive is refused by itself: some are whole without it. */
static bool is_draco(const char *name)
{
    return strcmp(name, "KHR_draco_mesh_compression") == 0;
}

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (begins_with(name, known[i]))
            return true;
    return (is_compression(name) && gltf_has_meshopt()) || is_draco(name);
}

static bool check_required(Gltf *gltf)
{
    int32_t count;
    json_t *list = json_object_get(gltf->root, "extensionsRequired");
    if (!gltf_count(gltf, "extensionsRequired", &count))
        return false;
    for (int32_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(list, (size_t)i));
        if (!name)
            return scene_fail(gltf->error, "extensionsRequired[%d] is not a name", (int)i);
        if (is_compression(name) && !gltf_has_meshopt())
            return scene_fail(gltf->error,
                              "extensionsRequired[%d] is %s, and this build is without "
                              "libmeshoptimizer",
                              (int)i, name);
        if (is_draco(name) && !gltf_has_draco())
            return scene_fail(gltf->error,
                              "extensionsRequired[%d] is %s, and this build is without libdraco",
                              (int)i, name);
        if (!is_known(name))
            return scene_fail(gltf->error,
                              "extensionsRequired[%d] is %.100s, which is not supported", (int)i,
                              name);
    }
    return true;
}

static bool note_used(Gltf *gltf)
{
    int32_t count;
    json_t *list = json_object_get(gltf->root, "extensionsUsed");
    if (!gltf_count(gltf, "extensionsUsed", &count))
        return false;
    for (size_t k = 0; k < sizeof noted / sizeof *noted; k++) {
        bool is_used = false;
        for (int32_t i = 0; i < count; i++) {
            const char *name = json_string_value(json_array_get(list, (size_t)i));
            is_used |= name && strcmp(name, noted[k].name) == 0;
        }
        if (is_used)
            scene_note(gltf->scene, "%s", noted[k].note);
    }
    return true;
}

/* What a node has counts whether or not the file lists it. */
static bool check_nodes(Gltf *gltf)
{
    int32_t nodes, clips, constraint_count = 0;
    if (!gltf_count(gltf, "nodes", &nodes) || !gltf_count(gltf, "animations", &clips))
        return false;
    for (int32_t i = 0; i < nodes; i++) {
        GltfItem item;
        if (!gltf_item(gltf, "nodes", i, &item))
            return false;
        if (gltf_extension(&item, "EXT_mesh_gpu_instancing"))
            return scene_fail(gltf->error, "%s has EXT_mesh_gpu_instancing, which is not supported",
                              item.where);
        if (!gltf_extension(&item, "VRMC_node_constraint"))
            continue;
        if (clips > 0)
            return scene_fail(gltf->error,
                              "%s has VRMC_node_constraint, which is not supported in a file "
                              "with animations",
                              item.where);
        constraint_count++;
    }
    if (constraint_count)
        scene_note(gltf->scene, "%d constraints of VRMC_node_constraint are not applied",
                   (int)constraint_count);
    return true;
}

bool gltf_check_extensions(Gltf *gltf)
{
    return check_required(gltf) && note_used(gltf) && check_nodes(gltf);
}
