#include "small_gltf.h"

#include "unit.h"

#include <string.h>

const char small_json[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
    "\"nodes\":[{\"name\":\"skinned\",\"mesh\":0,\"skin\":0},"
    "{\"name\":\"root\",\"children\":[2],\"translation\":[0,1,0]},"
    "{\"name\":\"tip\",\"rotation\":[0,0,0,1]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,\"WEIGHTS_0\":3},"
    "\"indices\":1,\"material\":0,\"targets\":[{\"POSITION\":4}]}],"
    "\"weights\":[0.25],\"extras\":{\"targetNames\":[\"smile\"]}}],"
    "\"materials\":[{\"name\":\"cloth\"}],"
    "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":5}],"
    "\"animations\":[{\"name\":\"turn\",\"channels\":["
    "{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"rotation\"}},"
    "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"weights\"}}],"
    "\"samplers\":[{\"input\":6,\"output\":7},"
    "{\"input\":6,\"output\":8,\"interpolation\":\"STEP\"}]}],"
    "\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"
    "{\"bufferView\":2,\"componentType\":5121,\"count\":4,\"type\":\"VEC4\"},"
    "{\"bufferView\":3,\"componentType\":5126,\"count\":4,\"type\":\"VEC4\"},"
    "{\"bufferView\":4,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
    "{\"bufferView\":5,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"},"
    "{\"bufferView\":6,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
    "{\"bufferView\":7,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"},"
    "{\"bufferView\":8,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"}],"
    "\"bufferViews\":["
    "{\"buffer\":0,\"byteLength\":48},"
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12},"
    "{\"buffer\":0,\"byteOffset\":60,\"byteLength\":16},"
    "{\"buffer\":0,\"byteOffset\":76,\"byteLength\":64},"
    "{\"buffer\":0,\"byteOffset\":140,\"byteLength\":48},"
    "{\"buffer\":0,\"byteOffset\":188,\"byteLength\":128},"
    "{\"buffer\":0,\"byteOffset\":316,\"byteLength\":8},"
    "{\"buffer\":0,\"byteOffset\":324,\"byteLength\":32},"
    "{\"buffer\":0,\"byteOffset\":356,\"byteLength\":8},"
    "{\"buffer\":0,\"byteOffset\":364,\"byteLength\":4},"
    "{\"buffer\":0,\"byteOffset\":368,\"byteLength\":12}],"
    "\"buffers\":[{\"byteLength\":380}]}";

SmallBytes small_bytes(void)
{
    SmallBytes bytes = {
        .positions = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {0, 2, 0}},
        .indices = {0, 1, 2, 0, 2, 3},
        .joints = {{0}, {0}, {1}, {1}},
        .weights = {{1}, {1}, {1}, {1}},
        .target = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
        .times = {0.5f, 1.5f},
        .rotations = {{0, 0, 0, 1}, {0, 0, 1, 0}}, /* none, and half a turn about z */
        .keys = {0.5f, 0.75f},
        .corner_places = {2, 9},
        .values = {5, 6, 7},
    };
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 4; i++)
            bytes.binds[j][5 * i] = 1;
    bytes.binds[0][13] = bytes.binds[1][13] = -1; /* both joints are at (0, 1, 0) */
    return bytes;
}

/* Number after number, and text after text: nothing ends in a zero here. */
static char *put_bytes(char *at, const void *bytes, size_t count)
{
    memcpy(at, bytes, count);
    return at + count;
}

static char *put_u32(char *at, uint32_t number)
{
    return put_bytes(at, &number, sizeof number);
}

char *small_glb(const char *json, const void *bytes, size_t byte_count, size_t *size)
{
    static const char spaces[] = "   ";
    size_t length = strlen(json), gap = (4 - length % 4) % 4;
    *size = 12 + 8 + length + gap + 8 + byte_count;
    char *glb = malloc(*size + 1);
    assert_non_null(glb);
    char *at = put_bytes(glb, "glTF", 4);
    at = put_u32(at, 2);
    at = put_u32(at, (uint32_t)*size);
    at = put_u32(at, (uint32_t)(length + gap));
    at = put_bytes(at, "JSON", 4);
    at = put_bytes(at, json, length);
    at = put_bytes(at, spaces, gap);
    at = put_u32(at, (uint32_t)byte_count);
    at = put_bytes(at, "BIN", 4);
    put_bytes(at, bytes, byte_count);
    return glb;
}

Scene *small_read(const char *json, const void *bytes, size_t byte_count,
                  const SceneOptions *options, SceneError *error)
{
    size_t size;
    char *glb = small_glb(json, bytes, byte_count, &size);
    Scene *scene = scene_read_gltf(glb, size, NULL, options, error);
    free(glb);
    return scene;
}

char *small_replace(const char *json, const char *from, const char *to)
{
    const char *index = strstr(json, from);
    assert_non_null(index);
    assert_null(strstr(index + 1, from));
    size_t before = (size_t)(index - json), room = strlen(json) + strlen(to) + 1;
    char *changed = malloc(room);
    assert_non_null(changed);
    snprintf(changed, room, "%.*s%s%s", (int)before, json, to, index + strlen(from));
    return changed;
}

Scene *small_read_with(const char *from, const char *to, SceneError *error)
{
    SmallBytes bytes = small_bytes();
    SceneOptions options = scene_options_default();
    char *json = small_replace(small_json, from, to);
    Scene *scene = small_read(json, &bytes, sizeof bytes, &options, error);
    free(json);
    return scene;
}
