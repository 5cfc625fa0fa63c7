/* Which reader a file is for, by its ending; and what to do about files that have none. */
#include "scene/reader.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

/* The folder that a file is in. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + (slash == path)) : strdup(".");
}

static Scene *read_gltf_file(const char *path, const char *bytes, size_t byte_count,
                             const SceneOptions *options, SceneError *error)
{
    char *folder = folder_of(path);
    Scene *scene = NULL;
    if (folder)
        scene = scene_read_gltf(bytes, byte_count, folder, options, error);
    else
        scene_fail(error, "there is no memory left");
    free(folder);
    return scene;
}

/* A cache stands beside the mesh that it moves: "cloth.pc2" goes with "cloth.obj". */
static Scene *read_cache_file(const char *path, const char *bytes, size_t byte_count,
                              const SceneOptions *options, SceneError *error)
{
    size_t stem = strlen(path) - 4, mesh_size = 0;
    char *mesh_path = malloc(stem + 5);
    if (!mesh_path) {
        scene_fail(error, "there is no memory left");
        return NULL;
    }
    snprintf(mesh_path, stem + 5, "%.*s.obj", (int)stem, path);
    SceneOptions unwelded = *options;
    unwelded.is_welded = false; /* the cache counts vertices as the file does */
    char *mesh = scene_read_file(mesh_path, options, &mesh_size, error);
    if (!mesh) {
        SceneError cause = *error;
        scene_fail(error, "a cache needs its mesh beside it, %.200s: %.120s", mesh_path,
                   cause.text);
    }
    Scene *scene = mesh ? scene_read_obj(mesh, mesh_size, &unwelded, error) : NULL;
    const bool is_mdd = ends_in(path, ".mdd");
    if (scene &&
        !(is_mdd ? scene_add_mdd : scene_add_pc2)(scene, bytes, byte_count, options, error)) {
        scene_free(scene);
        scene = NULL;
    }
    free(mesh);
    free(mesh_path);
    return scene;
}

static Scene *read_obj_file(const char *path, const char *bytes, size_t byte_count,
                            const SceneOptions *options, SceneError *error)
{
    (void)path;
    return scene_read_obj(bytes, byte_count, options, error);
}

static Scene *read_ply_file(const char *path, const char *bytes, size_t byte_count,
                            const SceneOptions *options, SceneError *error)
{
    (void)path;
    return scene_read_ply(bytes, byte_count, options, error);
}

static Scene *read_stl_file(const char *path, const char *bytes, size_t byte_count,
                            const SceneOptions *options, SceneError *error)
{
    (void)path;
    return scene_read_stl(bytes, byte_count, options, error);
}

static Scene *read_fbx_file(const char *path, const char *bytes, size_t byte_count,
                            const SceneOptions *options, SceneError *error)
{
    (void)path;
    return scene_read_fbx(bytes, byte_count, options, error);
}

typedef Scene *ReadFile(const char *path, const char *bytes, size_t byte_count,
                        const SceneOptions *options, SceneError *error);

#define CONVERT "export it as glTF (.glb) from the program that made it"
#define BAKE "export it as glTF (.glb), or bake it to a PC2 cache beside its OBJ"

static const struct Format {
    const char *ending;
    ReadFile *read;     /* NULL: */
    const char *advice; /* what to do instead */
} formats[] = {
    {".gltf", read_gltf_file, NULL},
    {".glb", read_gltf_file, NULL},
    {".vrm", read_gltf_file, NULL},
    {".obj", read_obj_file, NULL},
    {".ply", read_ply_file, NULL},
    {".pc2", read_cache_file, NULL},
    {".mdd", read_cache_file, NULL},
    {".stl", read_stl_file, NULL},
    {".fbx", read_fbx_file, NULL},
    {".abc", NULL, "Alembic is not read: " BAKE},
    {".usd", NULL, "USD is not read: " CONVERT},
    {".usda", NULL, "USD is not read: " CONVERT},
    {".usdc", NULL, "USD is not read: " CONVERT},
    {".usdz", NULL, "USD is not read: " CONVERT},
    {".blend", NULL, "it is a project of Blender: " CONVERT},
    {".ma", NULL, "it is a project of Maya: " CONVERT},
    {".mb", NULL, "it is a project of Maya: " CONVERT},
    {".max", NULL, "it is a project of 3ds Max: " CONVERT},
    {".c4d", NULL, "it is a project of Cinema 4D: " CONVERT},
    {".dae", NULL, "COLLADA is not read: " CONVERT},
    {".3ds", NULL, "3DS is not read: " CONVERT},
    {".x3d", NULL, "X3D is not read: " CONVERT},
};

static const struct Format *format_of(const char *path)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (ends_in(path, formats[i].ending))
            return &formats[i];
    return NULL;
}

bool scene_is_model(const char *path)
{
    return format_of(path) != NULL;
}

bool scene_is_cache(const char *path)
{
    const struct Format *format = format_of(path);
    return format && format->read == read_cache_file;
}

static bool fail_ending(SceneError *error)
{
    char list[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].read)
            used += (size_t)snprintf(list + used, sizeof list - used, " %s", formats[i].ending);
    return scene_fail(error, "its ending is none of%s", list);
}

static Scene *read_one(const char *path, const SceneOptions *options, SceneError *error)
{
    const struct Format *format = format_of(path);
    if (scene_is_sequence(path))
        return scene_read_sequence(path, options, error);
    size_t byte_count = 0;
    char *bytes = scene_read_file(path, options, &byte_count, error);
    Scene *scene = NULL;
    if (bytes && !format)
        fail_ending(error);
    else if (bytes && !format->read)
        scene_fail(error, "%s", format->advice);
    else if (bytes)
        scene = format->read(path, bytes, byte_count, options, error);
    free(bytes);
    return scene;
}

Scene *scene_read(const char *path, const SceneOptions *options, SceneError *error)
{
    Scene *scene = read_one(path, options, error);
    if (scene)
        scene_drop_points(scene);
    return scene;
}
