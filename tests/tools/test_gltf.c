/* The glTF reader: what it reads of small files, and what it refuses, by name and place. */
#include "folder.h"
#include "small_gltf.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static Scene *must_read(const char *json, const SmallBytes *bytes, bool is_welded)
{
    SceneError error = {""};
    SceneOptions options = scene_options_default();
    options.is_welded = is_welded;
    Scene *scene = small_read(json, bytes, sizeof *bytes, &options, &error);
    assert_string_equal(error.text, "");
    assert_non_null(scene);
    return scene;
}

/* The small model with one thing changed, not welded. */
static Scene *must_read_with(const char *from, const char *to)
{
    SmallBytes bytes = small_bytes();
    char *json = small_replace(small_json, from, to);
    Scene *scene = must_read(json, &bytes, false);
    free(json);
    return scene;
}

static void test_whole(void **state)
{
    (void)state;
    SmallBytes bytes = small_bytes();
    Scene *scene = must_read(small_json, &bytes, true);
    assert_string_equal(scene->format, "GLB");
    assert_int_equal(scene->part_count, 1);
    assert_int_equal(scene->node_count, 3);
    assert_int_equal(scene->nodes[2].parent, 1);
    assert_true(scene->nodes[2].is_in_scene);
    const ScenePart *part = &scene->parts[0];
    assert_string_equal(part->name, "skinned");
    assert_int_equal(part->vertex_count, 4);
    assert_int_equal(part->triangle_count, 2);
    assert_memory_equal(part->vertices, bytes.positions, sizeof bytes.positions);
    assert_int_equal(part->triangles[4], 2);
    assert_int_equal(part->faces[1].face, 1);
    assert_int_equal(part->target_count, 1);
    assert_string_equal(part->target_names[0], "smile");
    assert_true(part->weights[0] == 0.25f);
    assert_int_equal(part->influence_count, 4);
    assert_int_equal(scene->skins[0].joint_count, 2);
    assert_int_equal(scene->clip_count, 1);
    assert_string_equal(scene->clips[0].name, "turn");
    assert_true(scene->clips[0].start == 0 && scene->clips[0].end == 1.5);
    scene_free(scene);
}

/* ---- Refusals ----------------------------------------------------------------------------------
 */

/* What is changed in the small model, and what the refusal must say. */
static const struct {
    const char *from, *to, *says;
} refusals[] = {
    {"\"version\":\"2.0\"", "\"version\":\"1.0\"", "asset.version is 1.0"},
    {"\"version\":\"2.0\"", "\"generator\":\"x\"", "asset.version is missing"},
    {"\"version\":\"2.0\"", "\"version\":\"2.1\",\"minVersion\":\"2.1\"",
     "asset.minVersion is 2.1"},
    {"\"asset\":", "\"assets\":", "there is no asset"},
    {"\"scene\":0", "\"scene\":1", "scene is 1, and there are 1 scenes"},
    {"\"scene\":0", "\"scene\":9223372036854775808", "JSON is wrong"},
    {"\"scene\":0", "\"scene\":0,\"scene\":0", "JSON is wrong"},
    {"\"scene\":0", "\"extensionsRequired\":[\"EXT_mesh_gpu_instancing\"]",
     "extensionsRequired[0] is EXT_mesh_gpu_instancing"},
    {"\"scene\":0", "\"extensionsRequired\":[\"KHR_animation_pointer\"]",
     "extensionsRequired[0] is KHR_animation_pointer"},
    {"\"scene\":0", "\"extensionsRequired\":[\"KHR_mesh_quantization\",\"EXT_new\"]",
     "extensionsRequired[1] is EXT_new"},
    {"\"nodes\":[0,1]", "\"nodes\":[0,2]", "scenes[0].nodes[1] is 2, which is a child of nodes[1]"},
    {"\"nodes\":[0,1]", "\"nodes\":[0,7]", "scenes[0].nodes[1] is 7, and there are 3 nodes"},
    {"\"children\":[2]", "\"children\":[1]", "nodes[1] is 1, which is a child of nodes[1]"},
    {"\"children\":[2]", "\"children\":[2,2]", "which nodes[1] has already"},
    {"\"children\":[2]", "\"children\":[-1]", "nodes[1].children[0] is -1"},
    {"\"children\":[2]", "\"children\":{\"a\":2}", "nodes[1].children is not a list"},
    {"\"skin\":0", "\"skin\":4", "nodes[0].skin is 4, and there are 1 skins"},
    {"\"mesh\":0", "\"mesh\":\"a\"", "nodes[0].mesh is not a whole number"},
    {"\"mesh\":0", "\"mesh\":0,\"weights\":[1,2]", "nodes[0].weights has 2 numbers, not 1"},
    {"\"mesh\":0", "\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{}}",
     "nodes[0] has EXT_mesh_gpu_instancing"},
    {"\"mesh\":0", "\"mesh\":0,\"extensions\":{\"VRMC_node_constraint\":{}}",
     "nodes[0] has VRMC_node_constraint"},
    {"[0,1,0]", "[0,1]", "nodes[1].translation has 2 numbers, not 3"},
    {"[0,1,0]", "[0,1e39,0]", "nodes[1].translation[1] is not a finite number"},
    {"\"rotation\":[0,0,0,1]", "\"rotation\":[0,0,0,0]", "nodes[2].rotation is zero"},
    {"\"rotation\":[0,0,0,1]", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]",
     "animations[0].channels[0].target moves nodes[2], which has a matrix"},
    {"\"rotation\":[0,0,0,1]", "\"matrix\":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]",
     "nodes[2].matrix has a last row"},
    {"\"indices\":1", "\"indices\":0", "accessors[0].type is VEC3"},
    {"\"bufferView\":1,\"componentType\":5123", "\"bufferView\":1,\"componentType\":5122",
     "accessors[1].componentType is not of unsigned integers"},
    {"\"indices\":1", "\"indices\":1,\"mode\":7", "meshes[0].primitives[0].mode is 7"},
    {"\"indices\":1",
     "\"indices\":1,\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0}}", NULL},
    {"\"POSITION\":0", "\"POSITION\":99", "attributes.POSITION is 99, and there are 9 accessors"},
    {"\"JOINTS_0\":2", "\"JOINTS_1\":2", "one of JOINTS_0 and WEIGHTS_0 without the other"},
    {"\"JOINTS_0\":2,\"WEIGHTS_0\":3", "\"NORMAL\":0",
     "primitives[0] has no JOINTS_0, and nodes[0] gives it a skin"},
    {"\"JOINTS_0\":2", "\"JOINTS_0\":2,\"JOINTS_2\":2,\"WEIGHTS_2\":3", "JOINTS_2"},
    {"\"JOINTS_0\":2", "\"JOINTS_0\":3", "accessors[3].componentType is not of unsigned"},
    {"[{\"POSITION\":4}]", "[{\"POSITION\":5}]", "accessors[5].type is MAT4"},
    {"[{\"POSITION\":4}]", "[4]", "primitives[0].targets[0] is not an object"},
    {"\"weights\":[0.25]", "\"weights\":[true]", "meshes[0].weights[0] is not a finite number"},
    {"\"joints\":[1,2]", "\"joints\":[]", "skins[0] has 0 joints"},
    {"\"joints\":[1,2]", "\"joints\":[1,3]", "skins[0].joints[1] is 3"},
    {"\"joints\":[1,2]", "\"joints\":[1,2,0]", "skins[0] has 3 joints, and accessors[5] has 2"},
    {"\"joints\":[1,2]", "\"joints\":[1]", "vertex 2 has joint 1, and there are 1"},
    {"\"path\":\"rotation\"", "\"path\":\"spin\"", "channels[0].target.path is spin"},
    {"\"path\":\"rotation\"",
     "\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":\"/nodes/2/x\"}}",
     "by KHR_animation_pointer"},
    {"\"sampler\":0", "\"sampler\":2", "animations[0].channels[0].sampler is 2"},
    {"\"node\":0,\"path\":\"weights\"", "\"node\":2,\"path\":\"rotation\"",
     "one before it does too"},
    {"\"output\":7", "\"output\":8", "accessors[8].type is SCALAR"},
    {"\"output\":8", "\"output\":1", "accessors[1].count is 6, and 2 are needed"},
    {"\"output\":7", "\"output\":7,\"interpolation\":\"CUBICSPLINE\"",
     "accessors[7].count is 2, and 6 are needed"},
    {"\"STEP\"", "\"BEZIER\"", "samplers[1].interpolation is BEZIER"},
    {"\"bufferView\":0,\"componentType\":5126", "\"bufferView\":0,\"componentType\":5124",
     "accessors[0].componentType is 5124"},
    {"\"bufferView\":0,\"componentType\":5126,\"count\":4",
     "\"bufferView\":0,\"componentType\":5126,\"count\":5",
     "accessors[0] ends after bufferViews[0]"},
    {"\"bufferView\":0,\"componentType\":5126,\"count\":4",
     "\"bufferView\":0,\"componentType\":5126,\"count\":2147483648",
     "accessors[0].count is 2147483648"},
    {"\"bufferView\":0,\"componentType\":5126,\"count\":4",
     "\"bufferView\":0,\"componentType\":5126,\"byteOffset\":9223372036854775807,\"count\":4",
     "accessors[0] ends after"},
    {"\"bufferView\":0,\"componentType\":5126,\"count\":4",
     "\"bufferView\":0,\"componentType\":5126,\"count\":3", "accessors[1]: number 5 is 3"},
    {"\"bufferView\":3,\"componentType\":5126,\"count\":4",
     "\"bufferView\":3,\"componentType\":5126,\"count\":3",
     "attributes.WEIGHTS_0 is of 3 vertices, and POSITION of 4"},
    {"\"byteOffset\":48,\"byteLength\":12", "\"byteOffset\":370,\"byteLength\":12",
     "bufferViews[1] has 12 bytes at 370, and buffers[0] ends at 380"},
    {"\"byteOffset\":48,\"byteLength\":12", "\"byteOffset\":-1,\"byteLength\":12",
     "bufferViews[1].byteOffset is -1"},
    {"\"buffer\":0,\"byteLength\":48", "\"buffer\":0,\"byteLength\":48,\"byteStride\":8",
     "bufferViews[0].byteStride is 8, less than accessors[0] needs"},
    {"\"buffer\":0,\"byteLength\":48", "\"buffer\":1,\"byteLength\":48",
     "bufferViews[0].buffer is 1, and there are 1 buffers"},
    {"\"byteLength\":380", "\"byteLength\":384", "buffers[0].byteLength is 384, but there are 380"},
    {"\"byteLength\":380", "\"byteLength\":380,\"uri\":\"a.bin\"", "buffers[0].uri names a file"},
    {"\"byteLength\":380", "\"byteLength\":380,\"uri\":\"https://a/b\"", "not a file beside this"},
    {"\"byteLength\":380", "\"byteLength\":380,\"uri\":\"data:,AAAA\"", "is not base64"},
    {"\"byteLength\":380", "\"byteLength\":380,\"uri\":\"data:;base64,A!\"", "is not base64"},
};

static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        SceneError error = {""};
        Scene *scene = small_read_with(refusals[i].from, refusals[i].to, &error);
        if (!refusals[i].says) {
            assert_non_null(scene);
        } else {
            if (scene || !strstr(error.text, refusals[i].says))
                print_error("%s: \"%s\"\n", refusals[i].to, error.text);
            assert_null(scene);
            assert_non_null(strstr(error.text, refusals[i].says));
        }
        scene_free(scene);
    }
}

/* Wrong numbers in the binary chunk: what is changed, and what the refusal must say. */
static void test_wrong_bytes(void **state)
{
    (void)state;
    SmallBytes wrong[7];
    static const char *const says[] = {"accessors[0]: number 1 of element 2 is not finite",
                                       "vertex 3 has a weight below zero",
                                       "vertex 0 has joint 2, and there are 2",
                                       "accessors[6]: time 1 is 0.5",
                                       "accessors[6]: the first time is -1",
                                       "accessors[7]: rotation 1 is zero",
                                       "accessors[5]: matrix 1 has a last row"};
    for (int i = 0; i < 7; i++)
        wrong[i] = small_bytes();
    wrong[0].positions[2][1] = NAN;
    wrong[1].weights[3][2] = -0.5f;
    wrong[2].joints[0][0] = 2;
    wrong[3].times[1] = 0.5f;
    wrong[4].times[0] = -1;
    memset(wrong[5].rotations[1], 0, sizeof wrong[5].rotations[1]);
    wrong[6].binds[1][15] = 2;
    for (int i = 0; i < 7; i++) {
        SceneError error = {""};
        SceneOptions options = scene_options_default();
        assert_null(small_read(small_json, &wrong[i], sizeof wrong[i], &options, &error));
        assert_non_null(strstr(error.text, says[i]));
    }
}

/* Every shorter file, and every one with a byte changed: refused or not, nothing breaks. */
static void test_damaged(void **state)
{
    (void)state;
    size_t size;
    SmallBytes bytes = small_bytes();
    SceneOptions options = scene_options_default();
    options.max_bytes = 1 << 20;
    char *glb = small_glb(small_json, &bytes, sizeof bytes, &size);
    for (size_t i = 0; i < size; i++) {
        SceneError error = {""};
        char *cut = malloc(i + 1);
        assert_non_null(cut);
        memcpy(cut, glb, i);
        assert_null(scene_read_gltf(cut, i, NULL, &options, &error));
        assert_true(error.text[0] != 0);
        free(cut);
    }
    static const char others[] = {0, '9', '-', ']', (char)0xff};
    for (size_t i = 0; i < size * sizeof others; i++) {
        SceneError error = {""};
        char old = glb[i / sizeof others];
        glb[i / sizeof others] = others[i % sizeof others];
        Scene *scene = scene_read_gltf(glb, size, NULL, &options, &error);
        assert_true(scene != NULL || error.text[0] != 0);
        scene_free(scene);
        glb[i / sizeof others] = old;
    }
    free(glb);
}

static void test_budget(void **state)
{
    (void)state;
    SmallBytes bytes = small_bytes();
    SceneOptions options = scene_options_default();
    int refused = 0;
    for (options.max_bytes = 0; refused >= 0; options.max_bytes += 16, refused++) {
        SceneError error = {""};
        Scene *scene = small_read(small_json, &bytes, sizeof bytes, &options, &error);
        if (scene)
            refused = -2;
        else
            assert_string_equal(
                error.text,
                "the file asks for more memory than it may have: --memory-limit sets how much");
        scene_free(scene);
    }
    /* A count that no file could fill is refused for its size. */
    SceneError error = {""};
    assert_null(small_read_with("{\"bufferView\":0,\"componentType\":5126,\"count\":4",
                                "{\"componentType\":5126,\"count\":2147483647", &error));
    assert_non_null(strstr(error.text, "more memory"));
}

/* Nodes deep in each other: no recursion, and no squares of their number. */
static void test_deep(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    SceneError error = {""};
    SceneOptions options = scene_options_default();
    char *json = malloc(64 * DEPTH), *end = json;
    assert_non_null(json);
    end += sprintf(end, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (int i = 0; i + 1 < DEPTH; i++)
        end += sprintf(end, "{\"name\":\"same\",\"children\":[%d]},", i + 1);
    sprintf(end, "{}]}");
    Scene *scene = scene_read_gltf(json, strlen(json), NULL, &options, &error);
    assert_non_null(scene);
    assert_true(scene->nodes[DEPTH - 1].is_in_scene);
    assert_string_equal(scene->format, "glTF 2.0");
    scene_free(scene);
    sprintf(end, "{\"children\":[0]}]}");
    assert_null(scene_read_gltf(json, strlen(json), NULL, &options, &error));
    assert_non_null(strstr(error.text, "among its own descendants"));
    free(json);
}

/* ---- What is read ---------------------------------------------------------------------------- */

static void expect_triangles(const Scene *scene, const uint32_t *wanted, int32_t count)
{
    const ScenePart *part = &scene->parts[0];
    assert_int_equal(part->triangle_count, count);
    assert_memory_equal(part->triangles, wanted, (size_t)count * sizeof(uint32_t[3]));
}

static void test_strips(void **state)
{
    (void)state;
    /* Of 0 1 2 0 2 3: in a strip every second one turns the other way, and those that name a vertex
     * twice go. */
    static const uint32_t strip[] = {0, 1, 2, 0, 2, 1, 3, 2, 0}, fan[] = {0, 1, 2, 0, 2, 3};
    Scene *scene = must_read_with("\"indices\":1", "\"indices\":1,\"mode\":5");
    expect_triangles(scene, strip, 3);
    assert_int_equal(scene->parts[0].faces[2].face, 3);
    scene_free(scene);
    scene = must_read_with("\"indices\":1", "\"indices\":1,\"mode\":6");
    expect_triangles(scene, fan, 2);
    assert_int_equal(scene->parts[0].faces[1].face, 3);
    scene_free(scene);
    static const uint32_t plain[] = {0, 1, 2};
    scene = must_read_with("\"indices\":1,", "");
    expect_triangles(scene, plain, 1);
    scene_free(scene);
    scene = must_read_with("\"indices\":1", "\"indices\":1,\"mode\":1");
    assert_int_equal(scene->part_count, 0);
    assert_int_equal(scene->note_count, 1);
    scene_free(scene);
}

#define SPARSE                                                                                     \
    "\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":9,\"componentType\":5123},"               \
    "\"values\":{\"bufferView\":10}}"

static void test_sparse(void **state)
{
    (void)state;
    SceneError error = {""};
    static const float value[] = {5, 6, 7}, zeros[9] = {0};
    Scene *scene = must_read_with("{\"bufferView\":0,", "{\"bufferView\":0," SPARSE ",");
    assert_memory_equal(scene->parts[0].vertices + 6, value, sizeof value);
    assert_true(scene->parts[0].vertices[3] == 1);
    scene_free(scene);
    scene = must_read_with("{\"bufferView\":4,", "{" SPARSE ",");
    assert_memory_equal(scene->parts[0].targets + 6, value, sizeof value);
    assert_memory_equal(scene->parts[0].targets, zeros, 6 * sizeof(float));
    scene_free(scene);
    /* The second place, 9, is beyond the four vertices. */
    char *json =
        small_replace("{\"bufferView\":0," SPARSE ",", "{\"count\":1",
                      "{\"count\":1,\"indices\":{\"bufferView\":9,\"byteOffset\":2,"
                      "\"componentType\":5123},\"values\":{\"bufferView\":10}},\"x\":{\"a\":1");
    assert_null(small_read_with("{\"bufferView\":0,", json, &error));
    assert_string_equal(error.text,
                        "accessors[0].sparse.indices: number 0 is 9, and there are 4 elements");
    free(json);
}

/* Bytes where floats were: the weights' first bytes are 0 0 128 63, and so on. */
static void test_quantized(void **state)
{
    (void)state;
    SmallBytes bytes = small_bytes();
    static const struct {
        const char *is_normalized;
        int type;
        float wanted[3];
    } cases[] = {{"false", 5120, {-128, 127, 1}},
                 {"true", 5120, {-1, 1, (float)(1 / 127.0)}},
                 {"true", 5121, {(float)(128 / 255.0), (float)(127 / 255.0), (float)(1 / 255.0)}},
                 {"true", 5122, {(float)(32640 / 32767.0), (float)(1 / 32767.0), 0}}};
    memcpy(bytes.positions, "\x80\x7f\x01\x00", 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char to[200];
        snprintf(to, sizeof to, "{\"bufferView\":0,\"componentType\":%d,\"normalized\":%s",
                 cases[i].type, cases[i].is_normalized);
        char *json = small_replace(small_json, "{\"bufferView\":0,\"componentType\":5126", to);
        Scene *scene = must_read(json, &bytes, false);
        for (int k = 0; k < 3; k++)
            assert_true(scene->parts[0].vertices[k] == cases[i].wanted[k]);
        scene_free(scene);
        free(json);
    }
}

static void test_weights(void **state)
{
    (void)state;
    SmallBytes bytes = small_bytes();
    bytes.weights[0][0] = 1;
    bytes.weights[0][1] = 3;
    bytes.joints[1][0] = 1; /* of vertex 1 all weights are zero: it follows its first joint */
    bytes.weights[1][0] = 0;
    bytes.joints[2][3] = 200; /* of no weight, so of no matter */
    Scene *scene = must_read(small_json, &bytes, false);
    const ScenePart *part = &scene->parts[0];
    assert_true(part->joint_weights[0] == 0.25f && part->joint_weights[1] == 0.75f);
    assert_true(part->joint_weights[4] == 1 && part->joints[4] == 1);
    assert_int_equal(part->joints[11], 0);
    scene_free(scene);
    /* Eight influences. */
    char *json = small_replace(small_json, "\"JOINTS_0\":2",
                               "\"JOINTS_0\":2,\"JOINTS_1\":2,\"WEIGHTS_1\":3");
    bytes = small_bytes();
    scene = must_read(json, &bytes, false);
    assert_int_equal(scene->parts[0].influence_count, 8);
    assert_true(scene->parts[0].joint_weights[0] == 0.5f);
    assert_true(scene->parts[0].joint_weights[4] == 0.5f);
    scene_free(scene);
    free(json);
}

static void test_parts(void **state)
{
    (void)state;
    SmallBytes bytes = small_bytes();
    SceneError error = {""};
    SceneOptions options = scene_options_default();
    /* The mesh in two nodes of one name, and with two primitives of which one has no material. */
    char *twice =
        small_replace(small_json, "{\"name\":\"tip\",", "{\"name\":\"skinned\",\"mesh\":0,");
    char *json = small_replace(twice, "\"primitives\":[",
                               "\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,"
                               "\"WEIGHTS_0\":3},\"indices\":1},");
    Scene *scene = small_read(json, &bytes, sizeof bytes, &options, &error);
    assert_non_null(scene);
    assert_int_equal(scene->part_count, 2);
    assert_string_equal(scene->parts[1].name, "skinned#2");
    assert_int_equal(scene->parts[1].skin, -1);
    assert_int_equal(scene->parts[0].triangle_count, 4);
    assert_int_equal(scene->parts[0].faces[2].primitive, 1);
    /* The first primitive has no targets, so its vertices stay, and are not welded to the others.
     */
    assert_int_equal(scene->parts[0].vertex_count, 8);
    scene_free(scene);
    options.by = SCENE_BY_MATERIAL;
    scene = small_read(json, &bytes, sizeof bytes, &options, &error);
    assert_non_null(scene);
    assert_int_equal(scene->part_count, 4);
    assert_string_equal(scene->parts[0].name, "skinned/plain");
    assert_string_equal(scene->parts[1].name, "skinned/cloth");
    assert_string_equal(scene->parts[3].name, "skinned/cloth#2");
    assert_int_equal(scene->parts[1].faces[0].primitive, 1);
    scene_free(scene);
    free(json);
    free(twice);
}

static void test_draco_beside_data(void **state)
{
    (void)state;
    SceneError error = {""};
    SmallBytes bytes = small_bytes();
    SceneOptions options = scene_options_default();
    char *draco = small_replace(small_json, "\"indices\":1",
                                "\"indices\":1,\"extensions\":{\"KHR_draco_mesh_compression\":{}}");
    char *json = small_replace(draco, "{\"bufferView\":0,", "{");
    assert_null(small_read(json, &bytes, sizeof bytes, &options, &error));
    assert_non_null(strstr(error.text, "KHR_draco_mesh_compression"));
    free(json);
    free(draco);
}

#define PACKED(LENGTH, STRIDE, COUNT, MODE)                                                        \
    "{\"buffer\":0,\"byteLength\":48,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"   \
    "\"byteLength\":" LENGTH ",\"byteStride\":" STRIDE ",\"count\":" COUNT ",\"mode\":\"" MODE     \
    "\"}}}"

/* Compressed views: what the decoder would not survive is refused before it is called. */
static void test_compressed(void **state)
{
    (void)state;
    static const struct {
        const char *to, *says;
    } cases[] = {
        {PACKED("48", "12", "4", "SHAPES"), "EXT_meshopt_compression.mode is SHAPES"},
        {PACKED("48", "12", "4", "ATTRIBUTES\",\"filter\":\"COLOR"), "filter is COLOR"},
        {PACKED("48", "12", "4", "ATTRIBUTES\",\"filter\":\"QUATERNION"), "byteStride is 12"},
        {PACKED("48", "10", "4", "ATTRIBUTES"), "byteStride is 10, which ATTRIBUTES do not have"},
        {PACKED("48", "4", "4", "TRIANGLES"), "count is 4, which is not whole triangles"},
        {PACKED("48", "3", "3", "INDICES"), "byteStride is 3, which INDICES do not have"},
        {PACKED("48", "4", "3", "INDICES\",\"filter\":\"EXPONENTIAL"), "filter is EXPONENTIAL"},
        {PACKED("400", "12", "4", "ATTRIBUTES"), "has 400 bytes at 0, and buffers[0] ends at 380"},
        {PACKED("48", "12", "4", "ATTRIBUTES"), "cannot be decompressed"},
        {PACKED("48", "256", "2147483647", "ATTRIBUTES"), "more memory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SceneError error = {""};
        assert_null(small_read_with("{\"buffer\":0,\"byteLength\":48}", cases[i].to, &error));
        assert_true(strstr(error.text, cases[i].says) || strstr(error.text, "libmeshoptimizer"));
    }
}

/* What only changes how things look is passed over. */
static void test_pointers(void **state)
{
    (void)state;
    Scene *scene = must_read_with("\"path\":\"rotation\"",
                                  "\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{"
                                  "\"pointer\":\"/materials/0/alphaCutoff\"}}");
    assert_int_equal(scene->clips[0].track_count, 1);
    assert_int_equal(scene->clips[0].tracks[0].path, SCENE_WEIGHTS);
    scene_free(scene);
}

/* Text with its bytes in a URI, 0 1 2 ...: all digits of base64, and each number of them left over.
 */
static void test_base64(void **state)
{
    (void)state;
    SceneError error = {""};
    SceneOptions options = scene_options_default();
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":"
        "5121,"
        "\"count\":3,\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":9}],"
        "\"buffers\":[{\"byteLength\":9,\"uri\":\"data:application/octet-stream;base64,"
        "AP/+gH8QIDA/\"}]}";
    static const float wanted[] = {0, 255, 254, 128, 127, 16, 32, 48, 63};
    Scene *scene = scene_read_gltf(json, sizeof json - 1, NULL, &options, &error);
    assert_non_null(scene);
    assert_memory_equal(scene->parts[0].vertices, wanted, sizeof wanted);
    scene_free(scene);
    char *cut = small_replace(json, "IDA/", "IDA=");
    assert_null(scene_read_gltf(cut, strlen(cut), NULL, &options, &error));
    assert_string_equal(error.text, "buffers[0].byteLength is 9, but there are 8 bytes");
    free(cut);
}

/* Files beside the file, and not elsewhere. */
static void test_folders(void **state)
{
    (void)state;
    SceneOptions options = scene_options_default();
    static const char *const ways[] = {"../a.bin",     "b/../../a.bin", "/a.bin",
                                       "%2e%2e/a.bin", "b/..",          "..",
                                       "..\\\\a.bin",  "file:a.bin"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char to[100];
        SceneError error = {""};
        snprintf(to, sizeof to, "\"byteLength\":380,\"uri\":\"%s\"", ways[i]);
        char *json = small_replace(small_json, "\"byteLength\":380", to);
        assert_null(scene_read_gltf(json, strlen(json), ".", &options, &error));
        assert_true(strstr(error.text, "leads out of the file's folder") ||
                    strstr(error.text, "is not a file beside this one"));
        free(json);
    }
    char folder[] = "/tmp/test-gltf-XXXXXX", path[100];
    SmallBytes bytes = small_bytes();
    SceneError error = {""};
    assert_true(new_folder(folder));
    snprintf(path, sizeof path, "%s/a b.bin", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(&bytes, sizeof bytes, 1, file), 1);
    fclose(file);
    char *json =
        small_replace(small_json, "\"byteLength\":380", "\"byteLength\":380,\"uri\":\"a%20b.bin\"");
    Scene *scene = scene_read_gltf(json, strlen(json), folder, &options, &error);
    assert_non_null(scene);
    scene_free(scene);
    remove(path);
    assert_null(scene_read_gltf(json, strlen(json), folder, &options, &error));
    assert_non_null(strstr(error.text, "buffers[0].uri, \"a b.bin\""));
    remove(folder);
    free(json);
}

/* Only the file's scene is shown; without one the first; without any, all. */
static void test_scenes(void **state)
{
    (void)state;
    Scene *scene = must_read_with("\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}]",
                                  "\"scene\":1,\"scenes\":[{\"nodes\":[0,1]},{\"nodes\":[1]}]");
    assert_int_equal(scene->part_count, 0);
    assert_false(scene->nodes[0].is_in_scene);
    assert_true(scene->nodes[2].is_in_scene);
    scene_free(scene);
    scene = must_read_with("\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}]",
                           "\"scenes\":[{\"nodes\":[1]},{\"nodes\":[0]}]");
    assert_int_equal(scene->part_count, 0);
    scene_free(scene);
    scene = must_read_with("\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],", "");
    assert_int_equal(scene->part_count, 1);
    scene_free(scene);
}

static void test_containers(void **state)
{
    (void)state;
    size_t size;
    SmallBytes bytes = small_bytes();
    SceneOptions options = scene_options_default();
    static const struct {
        size_t index;
        const char *says;
        char byte;
    } cases[] = {{4, "it is glTF 1, and only glTF 2 is read", 1},
                 {11, "the file is cut short", 1},
                 {15, "the file is cut short: the chunk at 12", 127},
                 {16, "the first chunk is not JSON", 'K'},
                 {0, "its JSON is wrong in line 1", 'x'}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SceneError error = {""};
        char *glb = small_glb(small_json, &bytes, sizeof bytes, &size);
        glb[cases[i].index] = cases[i].byte;
        assert_null(scene_read_gltf(glb, size, NULL, &options, &error));
        assert_non_null(strstr(error.text, cases[i].says));
        free(glb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),       cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_wrong_bytes), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_budget),      cmocka_unit_test(test_deep),
        cmocka_unit_test(test_strips),      cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_quantized),   cmocka_unit_test(test_weights),
        cmocka_unit_test(test_parts),       cmocka_unit_test(test_draco_beside_data),
        cmocka_unit_test(test_base64),      cmocka_unit_test(test_folders),
        cmocka_unit_test(test_scenes),      cmocka_unit_test(test_containers),
        cmocka_unit_test(test_compressed),  cmocka_unit_test(test_pointers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
