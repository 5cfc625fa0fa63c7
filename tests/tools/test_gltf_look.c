/* How parts of a glTF look: read where it is asked for, and where it is wrong the file is read
 * without. */
#include "small_gltf.h"
#include "unit.h"

#include <string.h>

/* A green pixel. */
#define PNG                                                                                        \
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAA"                                               \
    "AADElEQVR42mNg+M8AAAICAQBF9FLUAAAAAElFTkSuQmCC"
#define IMAGE "data:image/png;base64," PNG

/* The small model with a material that has a color and an image, and vertices that have places in
 * the image (the numbers of their positions, two by two) and colors (their weights: red). */
static char *painted_json(void)
{
    static const char *const changes[][2] = {
        {"\"POSITION\":0,", "\"POSITION\":0,\"TEXCOORD_0\":9,\"COLOR_0\":3,"},
        {"{\"name\":\"cloth\"}],",
         "{\"name\":\"cloth\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0.25,2,1],"
         "\"baseColorTexture\":{\"index\":0}}}],\"textures\":[{\"source\":0}],"
         "\"images\":[{\"uri\":\"" IMAGE "\"}],"},
        {"\"bufferView\":8,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"}],",
         "\"bufferView\":8,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
         "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC2\"}],"},
    };
    char *json = strdup(small_json);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *next = small_replace(json, changes[i][0], changes[i][1]);
        free(json);
        json = next;
    }
    return json;
}

static Scene *must_read(const char *json, bool has_looks)
{
    SmallBytes bytes = small_bytes();
    SceneError error = {""};
    SceneOptions options = scene_options_default();
    options.has_looks = has_looks;
    Scene *scene = small_read(json, &bytes, sizeof bytes, &options, &error);
    assert_string_equal(error.text, "");
    assert_non_null(scene);
    return scene;
}

static void test_looks(void **state)
{
    (void)state;
    char *json = painted_json();
    Scene *scene = must_read(json, true);
    const ScenePart *part = &scene->parts[0];
    assert_int_equal(scene->look_count, 1);
    assert_true(scene->looks[0].color[0] == 0.5f && scene->looks[0].color[2] == 1);
    assert_int_equal(scene->looks[0].image, 0);
    assert_true(scene->images[0].is_png);
    assert_int_equal(scene->images[0].size, 69);
    assert_int_equal(part->paint.looks[1], 0);
    const float uvs[6][2] = {{0, 0}, {0, 1}, {0, 0}, {0, 0}, {0, 0}, {1, 2}};
    assert_memory_equal(part->paint.uvs, uvs, sizeof uvs);
    for (int i = 0; i < 6; i++)
        assert_memory_equal(part->paint.colors + 3 * i, ((uint8_t[]){255, 0, 0}), 3);
    scene_free(scene);
    free(json);
}

static void test_not_asked_for(void **state)
{
    (void)state;
    char *json = painted_json();
    Scene *scene = must_read(json, false);
    assert_int_equal(scene->look_count, 0);
    assert_null(scene->parts[0].paint.looks);
    assert_null(scene->parts[0].paint.uvs);
    scene_free(scene);
    free(json);
}

/* What is wrong, and whether an image, places in it and colors are left. */
static void test_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        bool has_image, has_uvs, has_colors;
    } cases[] = {
        {"\"index\":0", "\"index\":7", false, false, true},
        {"\"index\":0", "\"index\":0,\"texCoord\":1", false, false, true},
        {"\"source\":0", "\"source\":\"a\"", false, false, true},
        {"\"uri\":\"" IMAGE, "\"uri\":\"data:image/png;base64,AAAAAAAAAAAAAAAA", false, false,
         true},
        {"\"uri\":\"" IMAGE, "\"uri\":\"data:image/png;base64,*", false, false, true},
        {"\"uri\":\"" IMAGE, "\"uri\":\"../secret.png", false, false, true},
        {"\"uri\":\"" IMAGE, "\"bufferView\":99,\"x\":\"", false, false, true},
        {"\"TEXCOORD_0\":9", "\"TEXCOORD_0\":0", true, false, true},
        {"\"TEXCOORD_0\":9", "\"TEXCOORD_0\":99", true, false, true},
        {"\"COLOR_0\":3", "\"COLOR_0\":6", true, true, false},
        {"\"COLOR_0\":3", "\"COLOR_0\":-1", true, true, false},
        {"[0.5,0.25,2,1]", "[0.5,\"a\"]", false, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *whole = painted_json();
        char *json = small_replace(whole, cases[i].from, cases[i].to);
        Scene *scene = must_read(json, true);
        const ScenePaint *paint = &scene->parts[0].paint;
        assert_int_equal(scene->looks[0].image >= 0, cases[i].has_image);
        assert_int_equal(paint->uvs != NULL, cases[i].has_uvs);
        assert_int_equal(paint->colors != NULL, cases[i].has_colors);
        scene_free(scene);
        free(json);
        free(whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_looks),
        cmocka_unit_test(test_not_asked_for),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
