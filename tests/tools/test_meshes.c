/* OBJ, PLY, PC2 and numbered sequences: what is read, and what is refused with which words. */
#include "folder.h"
#include "scene/reader.h"
#include "unit.h"

#include <locale.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static SceneOptions plain(void)
{
    SceneOptions options = scene_options_default();
    options.is_welded = false;
    return options;
}

static Scene *obj(const char *text)
{
    SceneOptions options = plain();
    SceneError error = {"?"};
    Scene *scene = scene_read_obj(text, strlen(text), &options, &error);
    if (!scene)
        fail_msg("%s", error.text);
    return scene;
}

static Scene *obj_by_material(const char *text)
{
    SceneOptions options = plain();
    options.by = SCENE_BY_MATERIAL;
    SceneError error = {"?"};
    Scene *scene = scene_read_obj(text, strlen(text), &options, &error);
    assert_non_null(scene);
    return scene;
}

static void same_floats(const float *have, const float *want, size_t count)
{
    assert_memory_equal(have, want, count * sizeof *want);
}

static void same_indices(const uint32_t *have, const uint32_t *want, size_t count)
{
    assert_memory_equal(have, want, count * sizeof *want);
}

/* ---- OBJ --------------------------------------------------------------------------------------
 */

#define CORNERS "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void test_obj_polygons(void **state)
{
    (void)state;
    Scene *scene = obj("# a square and a triangle\n" CORNERS "f 1/1/1 2//2 3/3 4\nf -4 -3 -1\n");
    assert_int_equal(scene->part_count, 1);
    const ScenePart *part = &scene->parts[0];
    assert_string_equal(scene->format, "OBJ");
    assert_string_equal(part->name, "mesh");
    assert_int_equal(part->vertex_count, 4);
    assert_int_equal(part->read_count, 4);
    assert_int_equal(part->triangle_count, 3);
    same_indices(part->triangles, (const uint32_t[]){0, 1, 2, 0, 2, 3, 0, 1, 3}, 9);
    same_floats(part->vertices, (const float[]){0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, 12);
    const int32_t faces[] = {0, 0, 1};
    for (int i = 0; i < 3; i++)
        assert_int_equal(part->faces[i].face, faces[i]);
    assert_true(part->node == -1 && part->skin == -1 && part->cached == -1);
    assert_int_equal(scene->note_count, 0);
    scene_free(scene);
}

/* However its lines end, and wherever they are broken. */
static void test_obj_lines(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "v 0 0 0\r\nv 1 0 0 0.5 0.5 0.5\r\nv 0 1 0 # up\r\nf 1 2 3\r\n",
        "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r",
        "v 0 \\\n 0 0\nv 1 0 0 1\nv 0\\\n1\\\n0\nf 1 2 \\\n 3",
        "v 0 \\\r\n 0 0\r\nv\t1 0 0\r\nv 0 1 0\r\n\r\nf\t1 \\\r\n2 3\r\n",
        "\n\n  v 0 0 0\n  v 1 0 0\nf 1 2 3\nv 0 1 0\nvt 1 \\\n1\nvn 0 0 1",
        "v +0 -0.0 0e5\nv 1. 0 0\nv .0 10e-1 0\nf 1 2 3 # done",
    };
    const float want[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Scene *scene = obj(texts[i]);
        assert_int_equal(scene->parts[0].triangle_count, 1);
        for (int k = 0; k < 9; k++)
            assert_true(scene->parts[0].vertices[k] == want[k]);
        scene_free(scene);
    }
}

static void test_obj_parts(void **state)
{
    (void)state;
    const char *text = CORNERS "v 5 5 5\nf 1 2 3\no left side\ng x\nf 1 2 4\nusemtl red\nf 4 3 2\n"
                               "o right\nusemtl blue\nf 1 3 4\no left side\nf 2 3 4\n";
    Scene *scene = obj(text);
    static const char *const names[] = {"mesh", "left side", "right"};
    const int32_t triangles[] = {1, 3, 1}, vertices[] = {3, 4, 3};
    assert_int_equal(scene->part_count, 3);
    assert_int_equal(scene->source_count, 5);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(scene->parts[i].name, names[i]);
        assert_int_equal(scene->parts[i].triangle_count, triangles[i]);
        assert_int_equal(scene->parts[i].vertex_count, vertices[i]);
    }
    assert_int_equal(scene->parts[1].faces[2].face, 4);
    assert_memory_equal(scene->parts[2].sources, ((const int32_t[]){0, 2, 3}), 12);
    same_indices(scene->parts[2].triangles, (const uint32_t[]){0, 1, 2}, 3);
    scene_free(scene);

    scene = obj_by_material(text);
    static const char *const both[] = {"mesh", "left side", "left side/red", "right/blue",
                                       "left side/blue"};
    assert_int_equal(scene->part_count, 5);
    for (int i = 0; i < 5; i++)
        assert_string_equal(scene->parts[i].name, both[i]);
    scene_free(scene);
}

static void test_obj_groups(void **state)
{
    (void)state;
    Scene *scene = obj(CORNERS "g a\nf 1 2 3\ng b c\nusemtl m\nf 1 2 4\ng a\nf 2 3 4\n");
    assert_int_equal(scene->part_count, 2);
    assert_string_equal(scene->parts[0].name, "a");
    assert_int_equal(scene->parts[0].triangle_count, 2);
    assert_string_equal(scene->parts[1].name, "b c");
    scene_free(scene);
    scene = obj_by_material(CORNERS "usemtl m\nf 1 2 3\nusemtl n\nf 1 2 4\n");
    assert_int_equal(scene->part_count, 2);
    assert_string_equal(scene->parts[0].name, "m");
    assert_string_equal(scene->parts[1].name, "n");
    scene_free(scene);
}

/* Names go into reports: they are made UTF-8, without control characters. */
static void test_obj_names(void **state)
{
    (void)state;
    Scene *scene = obj(CORNERS "o \xc3\xa9t\xe9\x01\x1b[2J \xe2\x82\xac\xf0\x9f\x98\x80\xed\xa0\x80"
                               "\xc0\xaf\x7f\nf 1 2 3\n");
    /* Not compared by cmocka, which would print what is no text. */
    assert_int_equal(
        strcmp(scene->parts[0].name, "\xc3\xa9t___[2J \xe2\x82\xac\xf0\x9f\x98\x80______"), 0);
    scene_free(scene);
}

static void test_obj_notes(void **state)
{
    (void)state;
    Scene *scene = obj(CORNERS "l 1 2 3\np 1\nf 1 2 3\nfrob 1\ns off\nmtllib a.mtl\n");
    assert_int_equal(scene->note_count, 2);
    assert_non_null(strstr(scene->notes[0], "2 statements of lines and points"));
    assert_non_null(strstr(scene->notes[1], "line 8"));
    scene_free(scene);
}

/* A face of 100,000 corners in one line, then 70,000 parts, which are too many. */
static void test_obj_large(void **state)
{
    (void)state;
    enum { CORNER_COUNT = 100000, PARTS = 70000 };
    char *text = malloc(4000000), *at = text + sprintf(text, CORNERS "f");
    for (int i = 0; i < CORNER_COUNT; i++)
        at += sprintf(at, " %d", 1 + i % 4);
    Scene *scene = obj(text);
    assert_int_equal(scene->parts[0].triangle_count, CORNER_COUNT - 2);
    assert_int_equal(scene->parts[0].faces[CORNER_COUNT - 3].face, 0);
    scene_free(scene);
    at = text + sprintf(text, CORNERS);
    for (int i = 0; i < PARTS; i++)
        at += sprintf(at, "o %d\nf 1 2 3\n", i);
    SceneOptions options = plain();
    SceneError error;
    assert_null(scene_read_obj(text, strlen(text), &options, &error));
    assert_non_null(strstr(error.text, "70000 parts"));
    free(text);
}

static void test_obj_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "no faces"},
        {CORNERS, "no faces"},
        {CORNERS "f 1 2\n", "line 5: a face of 2 corners"},
        {CORNERS "f 1 2 5\n", "line 5: there is no vertex 5"},
        {CORNERS "f 1 2 0\n", "line 5: there is no vertex 0"},
        {CORNERS "f 1 2 -5\n", "line 5: there is no vertex -5"},
        {CORNERS "f 1 2 99999999999999999999\n", "line 5: '99999999999999999999' is too large"},
        {CORNERS "f 1 2 x\n", "line 5: 'x' is not a whole number"},
        {CORNERS "f 1 2 -\n", "line 5: '-' is not a whole number"},
        {CORNERS "f 1 2 3/a\n", "line 5: a corner is not of the form"},
        {CORNERS "f 1 2 /3\n", "line 5: a number is missing"},
        {"f -1 -2 -3\n" CORNERS, "line 1: there is no vertex -1"},
        {"v 0 0 nan\n" CORNERS "f 1 2 3\n", "line 1: 'nan' is not a finite number"},
        {"v 0 0 inf\n" CORNERS "f 1 2 3\n", "line 1: 'inf' is not a finite number"},
        {"v 0 0 0x10\n" CORNERS "f 1 2 3\n", "line 1: '0x10' is not a finite number"},
        {"v 0 0 1e39\n" CORNERS "f 1 2 3\n", "line 1: '1e39' is too large for a float"},
        {"v 0 0 1,5\n" CORNERS "f 1 2 3\n", "line 1: '1,5' is not"},
        {"v 0 0\n" CORNERS "f 1 2 3\n", "line 1: a number is missing"},
        {"v 0 0 1.2.3\n" CORNERS "f 1 2 3\n", "line 1: '1.2.3' is not"},
        {"v 0 \\\n\\\n0 z\n" CORNERS "f 1 2 3\n", "line 3: 'z' is not"},
        {CORNERS "cstype bezier\nf 1 2 3\n", "line 5: 'cstype' is not supported: free-form"},
        {CORNERS "f 1 2 3\nsurf 0 1 0 1 1 2\n", "line 6: 'surf' is not supported"},
        {CORNERS "f 1 2 3\ncall other.obj\n", "line 6: 'call' is not supported"},
    };
    SceneOptions options = plain();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SceneError error = {""};
        assert_null(scene_read_obj(cases[i].text, strlen(cases[i].text), &options, &error));
        if (!strstr(error.text, cases[i].words))
            fail_msg("'%s' lacks '%s'", error.text, cases[i].words);
    }
    options.max_bytes = 100;
    SceneError error = {""};
    assert_null(scene_read_obj(CORNERS "f 1 2 3", sizeof CORNERS "f 1 2 3" - 1, &options, &error));
    assert_non_null(strstr(error.text, "more memory"));
}

/* A user whose decimal point is a comma reads the same numbers. */
static void test_locale(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        print_message("there is no German locale: only the plain one is tested\n");
    Scene *scene = obj("v 0.5 0 0\nv 1 0.25 0\nv 0 1e-1 0\nf 1 2 3\n");
    assert_true(scene->parts[0].vertices[0] == 0.5f && scene->parts[0].vertices[7] == 0.1f);
    scene_free(scene);
    setlocale(LC_NUMERIC, "C");
}

/* ---- PLY --------------------------------------------------------------------------------------
 */

typedef struct Bytes {
    uint8_t data[4096];
    size_t size;
    bool is_big;
} Bytes;

static void put_text(Bytes *bytes, const char *text)
{
    memcpy(bytes->data + bytes->size, text, strlen(text));
    bytes->size += strlen(text);
}

static void put(Bytes *bytes, uint64_t bits, int size)
{
    for (int i = 0; i < size; i++)
        bytes->data[bytes->size++] = (uint8_t)(bits >> 8 * (bytes->is_big ? size - 1 - i : i));
}

static void put_float(Bytes *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(bytes, bits, 4);
}

static void put_double(Bytes *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(bytes, bits, 8);
}

static void check_square(Scene *scene)
{
    const ScenePart *part = &scene->parts[0];
    assert_int_equal(scene->part_count, 1);
    assert_string_equal(part->name, "mesh");
    assert_int_equal(part->triangle_count, 3);
    same_floats(part->vertices, (const float[]){0, 0, 0, 1, 0, 0, 1, -1, 0, 0, 1, 0.5f}, 12);
    same_indices(part->triangles, (const uint32_t[]){0, 1, 2, 0, 2, 3, 3, 2, 1}, 9);
    assert_int_equal(part->faces[1].face, 0);
    assert_int_equal(part->faces[2].face, 1);
    scene_free(scene);
}

static Scene *ply(const void *bytes, size_t size)
{
    SceneOptions options = plain();
    SceneError error = {"?"};
    Scene *scene = scene_read_ply(bytes, size, &options, &error);
    if (!scene)
        fail_msg("%s", error.text);
    return scene;
}

static void test_ply_ascii(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "ply\nformat ascii 1.0\ncomment hello\nelement vertex 4\nproperty float x\nproperty float "
        "y\nproperty float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n1 -1 0\n0 1 0.5\n4 0 1 2 3\n3 3 2 1\n",
        /* faces first, other properties and elements between, lines that end in two bytes */
        "ply\r\nformat ascii 1.0\r\nelement face 2\r\nproperty uchar red\r\nproperty list uchar "
        "int "
        "vertex_index\r\nproperty list int float w\r\nelement edge 1\r\nproperty int a\r\nproperty "
        "list uchar int b\r\nelement none 4000000000\r\nelement vertex 4\r\nproperty int z2\r\n"
        "property double z\r\nproperty float y\r\nproperty short x\r\nend_header\r\n"
        "7 4 0 1 2 3 2 0.5 0.5\r\n7 3 3 2 1 0\r\n1 2 5 5\r\n9 0 0 0\r\n9 0 0 1\r\n9 0 -1 1\r\n"
        "9 0.5 1 0",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_square(ply(texts[i], strlen(texts[i])));
}

static void make_binary(Bytes *bytes, bool is_big)
{
    static const float points[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {0, 1, 0.5f}};
    *bytes = (Bytes){.is_big = is_big};
    put_text(bytes, is_big ? "ply\nformat binary_big_endian 1.0\n"
                           : "ply\nformat binary_little_endian 1.0\n");
    put_text(bytes,
             "element extra 2\nproperty double a\nproperty char b\nelement vertex 4\nproperty"
             " double x\nproperty short y\nproperty uchar c\nproperty float z\nelement face "
             "2\nproperty list ushort float w\nproperty list char uint vertex_indices\n"
             "property int material\nend_header\n");
    for (int i = 0; i < 18; i++)
        put(bytes, '\n', 1);
    for (int i = 0; i < 4; i++) {
        put_double(bytes, points[i][0]);
        put(bytes, (uint64_t)(int64_t)points[i][1], 2);
        put(bytes, 255, 1);
        put_float(bytes, points[i][2]);
    }
    static const uint8_t faces[2][5] = {{4, 0, 1, 2, 3}, {3, 3, 2, 1}};
    for (int i = 0; i < 2; i++) {
        put(bytes, 1, 2);
        put_float(bytes, 0.5f);
        put(bytes, faces[i][0], 1);
        for (int k = 0; k < faces[i][0]; k++)
            put(bytes, faces[i][1 + k], 4);
        put(bytes, 1, 4);
    }
}

/* Either order; and each of their beginnings is refused. */
static void test_ply_binary(void **state)
{
    (void)state;
    for (int is_big = 0; is_big < 2; is_big++) {
        Bytes bytes;
        make_binary(&bytes, is_big);
        check_square(ply(bytes.data, bytes.size));
        for (size_t size = 0; size < bytes.size; size++) {
            char *copy = malloc(size ? size : 1); /* so that a byte too far is found */
            memcpy(copy, bytes.data, size);
            SceneOptions options = plain();
            SceneError error = {""};
            assert_null(scene_read_ply(copy, size, &options, &error));
            assert_true(error.text[0] != '\0');
            free(copy);
        }
    }
}

#define HEAD "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define FACE "element face 1\nproperty list uchar int vertex_indices\nend_header\n"

static void test_ply_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "does not begin"},
        {"plyx\n", "does not begin"},
        {"ply\nformat ascii 1.0\n", "the header has no end"},
        {"ply\nelement vertex 1\n" XYZ FACE, "no line 'format'"},
        {"ply\nformat ascii 2.0\n", "line 2: the version"},
        {"ply\nformat utf8 1.0\n", "line 2: the format is none of"},
        {HEAD "element tristrips 1\n", "line 3: 'tristrips' are not supported"},
        {HEAD "property int a\n", "line 3: a property of no element"},
        {HEAD "element vertex 1\nproperty quad x\n", "line 4: a property has a type"},
        {HEAD "element vertex -1\n", "line 3: there cannot be so many"},
        {HEAD "element vertex 4000000000\n", "line 3: there cannot be so many"},
        {HEAD "element vertex 1\nelement vertex 1\n", "line 4: an element is there twice"},
        {HEAD "element vertex 1\nproperty int x\nproperty int x\n", "line 5: a property is there"},
        {HEAD "element face 1\nproperty list float int a\n", "line 4: a list has a length"},
        {HEAD "element face 1\nproperty list int float vertex_index\n", "line 4: vertex numbers"},
        {HEAD "frob\n", "line 3: the header has a line"},
        {HEAD "element vertex 3\nproperty float x\n" FACE, "no vertices with x, y and z"},
        {HEAD "element vertex 3\n" XYZ "end_header\n0 0 0 1 0 0 0 1 0", "no faces with"},
        {HEAD "element vertex 100000000\n" XYZ FACE "0 0 0", "it ends before"},
        {HEAD "element vertex 3\n" XYZ FACE "0 0 0 1 0 0 0 1 0 3 0 1", "it ends before"},
        {HEAD "element vertex 3\n" XYZ FACE "0 0 0 1 0 0 0 1 0 3 0 1 3", "face 0 has vertex 3"},
        {HEAD "element vertex 3\n" XYZ FACE "0 0 0 1 0 0 0 1 0 3 0 1 -1", "face 0 has vertex -1"},
        {HEAD "element vertex 3\n" XYZ FACE "0 0 0 1 0 0 0 1 0 2 0 1", "face 0 has 2 corners"},
        {HEAD "element vertex 3\n" XYZ FACE "0 0 0 1 0 0 0 1 0 -3 0 1", "a list has the length -3"},
        {HEAD "element vertex 3\n" XYZ FACE "0 0 0\n1 nan 0 0 1 0 3 0 1 2", "line 11: 'nan' is"},
    };
    SceneOptions options = plain();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SceneError error = {""};
        assert_null(scene_read_ply(cases[i].text, strlen(cases[i].text), &options, &error));
        if (!strstr(error.text, cases[i].words))
            fail_msg("'%s' lacks '%s'", error.text, cases[i].words);
    }
}

/* Numbers that only binary files can have. */
static void test_ply_numbers(void **state)
{
    (void)state;
    static const double values[] = {1e300, NAN, -INFINITY, 3.4028235e38, 1e-300};
    for (int i = 0; i < 5; i++) {
        Bytes bytes = {0};
        put_text(&bytes, "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty double "
                         "x\nproperty char y\nproperty char z\n" FACE);
        for (int k = 0; k < 3; k++) {
            put_double(&bytes, k == 1 ? values[i] : k);
            put(&bytes, 0, 2);
        }
        put(&bytes, 3, 1);
        for (uint32_t k = 0; k < 3; k++)
            put(&bytes, k, 4);
        SceneOptions options = plain();
        SceneError error = {""};
        Scene *scene = scene_read_ply(bytes.data, bytes.size, &options, &error);
        if (i < 3)
            assert_true(!scene && strstr(error.text, "vertex 1 is not finite"));
        else
            assert_true(scene->parts[0].vertices[3] == (float)values[i]);
        scene_free(scene);
    }
}

/* ---- PC2 --------------------------------------------------------------------------------------
 */

static void make_cache(Bytes *bytes, uint32_t points, uint32_t samples, float start, float step)
{
    *bytes = (Bytes){0};
    put_text(bytes, "POINTCACHE2");
    put(bytes, 0, 1);
    put(bytes, 1, 4);
    put(bytes, points, 4);
    put_float(bytes, start);
    put_float(bytes, step);
    put(bytes, samples, 4);
    for (uint32_t i = 0; i < 3 * points * samples; i++)
        put_float(bytes, (float)i);
}

/* Vertices that no face uses are counted, and those of each part are found. */
static void test_pc2(void **state)
{
    (void)state;
    Bytes bytes;
    make_cache(&bytes, 6, 3, 10, 2);
    Scene *scene = obj("v 9 9 9\n" CORNERS "v 8 8 8\no a\nf 2 3 4\no b\nf 5 3 2\n");
    SceneOptions options = plain();
    options.fps = 20;
    SceneError error;
    assert_true(scene_add_pc2(scene, bytes.data, bytes.size, &options, &error));
    assert_string_equal(scene->format, "PC2 over OBJ");
    assert_int_equal(scene->clip_count, 1);
    assert_int_equal(scene->clips[0].frame_count, 3);
    assert_true(scene->clips[0].fps == 10 && scene->clips[0].start == 0.5);
    assert_true(scene->clips[0].end == 0.7);
    assert_int_equal(scene->cache.vertex_count, 6);
    assert_int_equal(scene->parts[0].cached, 0);
    assert_int_equal(scene->parts[1].cached, 3);
    static const int used[6] = {1, 2, 3, 1, 2, 4};
    for (int i = 0; i < 3 * 6 * 3; i++) {
        const int frame = i / 18, vertex = i / 3 % 6;
        assert_true(scene->cache.vertices[i] == (float)(18 * frame + 3 * used[vertex] + i % 3));
    }
    assert_false(scene_add_pc2(scene, bytes.data, bytes.size, &options, &error));
    scene_free(scene);
}

static void test_pc2_refusals(void **state)
{
    (void)state;
    static const struct {
        size_t at, size;
        uint32_t bits;
        const char *words;
    } cases[] = {
        {0, 4, 0, "does not begin"},
        {12, 4, 2, "version 2"},
        {16, 4, 3, "not as long"},
        {16, 4, 0, "0 points"},
        {16, 4, 0xffffffff, "-1 points"},
        {28, 4, 0, "0 samples"},
        {28, 4, 0x7fffffff, "not as long"},
        {24, 4, 0, "every 0 frames"},
        {24, 4, 0x7fc00000, "every nan frames"},
        {20, 4, 0x7f800000, "frame inf"},
        {32 + 52, 4, 0x7f800000, "sample 1 of the PC2 cache: point 0 is not finite"},
    };
    SceneOptions options = plain();
    SceneError error = {""};
    Bytes bytes;
    Scene *scene = obj(CORNERS "f 1 2 3\nf 1 3 4\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_cache(&bytes, 4, 2, 0, 1);
        const size_t size = bytes.size;
        bytes.size = cases[i].at;
        put(&bytes, cases[i].bits, 4);
        assert_false(scene_add_pc2(scene, bytes.data, size, &options, &error));
        if (!strstr(error.text, cases[i].words))
            fail_msg("'%s' lacks '%s'", error.text, cases[i].words);
    }
    make_cache(&bytes, 4, 2, 0, 1);
    for (size_t size = 0; size < bytes.size; size++)
        assert_false(scene_add_pc2(scene, bytes.data, size, &options, &error));
    make_cache(&bytes, 5, 2, 0, 1);
    assert_false(scene_add_pc2(scene, bytes.data, bytes.size, &options, &error));
    assert_non_null(strstr(error.text, "has 5 points, and its mesh has 4"));
    assert_int_equal(scene->clip_count, 0);
    assert_int_equal(scene->parts[0].cached, -1);
    assert_string_equal(scene->format, "OBJ");
    scene_free(scene);
}

/* ---- Sequences --------------------------------------------------------------------------------
 */

typedef struct Folder {
    char path[64];
} Folder;

static int open_folder(void **state)
{
    Folder *folder = calloc(1, sizeof *folder);
    strcpy(folder->path, "/tmp/test-meshes-XXXXXX");
    *state = folder;
    return new_folder(folder->path) ? 0 : -1;
}

static void name_file(const Folder *folder, char path[200], const char *format, int number)
{
    const int size = snprintf(path, 200, "%s/", folder->path);
    snprintf(path + size, 200 - (size_t)size, format, number);
}

static int close_folder(void **state)
{
    Folder *folder = *state;
    static const char *const formats[] = {"walk_%04d.obj", "step-%d.ply", "odd_%d.obj",
                                          "any%d.obj",     "any%03d.obj", "walk_%dx.obj"};
    char path[200];
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        for (int i = 0; i < 30; i++) {
            name_file(folder, path, formats[k], i);
            remove(path);
        }
    name_file(folder, path, "odd_#.obj", 0);
    remove(path);
    const int result = rmdir(folder->path);
    free(folder);
    return result;
}

static void write_text(const Folder *folder, const char *format, int number, const char *text)
{
    char path[200];
    name_file(folder, path, format, number);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void write_walk(const Folder *folder, int first, int last)
{
    for (int i = first; i <= last; i++) {
        char text[200];
        snprintf(text, sizeof text, "v 0 0 %d\nv 9 9 9\nv 1 0 0\nv 0 1 0\nf 1 3 4\no b\nf 1 4 3\n",
                 i);
        write_text(folder, "walk_%04d.obj", i, text);
    }
}

static Scene *read_in(const Folder *folder, const char *name, SceneError *error)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    SceneOptions options = plain();
    options.fps = 25;
    return scene_read(path, &options, error);
}

static void refuse_in(const Folder *folder, const char *name, const char *words)
{
    SceneError error = {""};
    assert_null(read_in(folder, name, &error));
    if (!strstr(error.text, words))
        fail_msg("'%s' lacks '%s'", error.text, words);
}

static void test_sequence(void **state)
{
    const Folder *folder = *state;
    write_walk(folder, 8, 12);
    write_text(folder, "walk_%dx.obj", 0, "not one of them");
    static const char *const names[] = {"walk_####.obj", "walk_%04d.obj", "walk_##.obj"};
    for (int k = 0; k < 3; k++) {
        SceneError error = {"?"};
        Scene *scene = read_in(folder, names[k], &error);
        if (!scene) {
            fail_msg("%s", error.text);
            return;
        }
        assert_string_equal(scene->format, "OBJ sequence");
        assert_int_equal(scene->part_count, 2);
        assert_int_equal(scene->clip_count, 1);
        assert_string_equal(scene->clips[0].name, "walk");
        assert_int_equal(scene->clips[0].frame_count, 5);
        assert_true(scene->clips[0].fps == 25 && scene->clips[0].start == 8.0 / 25);
        assert_true(scene->clips[0].end == 8.0 / 25 + 4.0 / 25);
        assert_int_equal(scene_clip_first(&scene->clips[0], 25), 8);
        assert_int_equal(scene->cache.vertex_count, 6);
        for (int frame = 0; frame < 5; frame++)
            for (int part = 0; part < 2; part++)
                assert_true(scene->cache.vertices[18 * frame + 9 * part + 2] == (float)(8 + frame));
        assert_true(scene->parts[1].vertices[2] == 8);
        assert_int_equal(scene->parts[1].cached, 3);
        scene_free(scene);
    }
}

/* Whatever the pattern says, no file of it is skipped without a word. */
static void test_sequence_of_any_padding(void **state)
{
    const Folder *folder = *state;
    for (int i = 1; i <= 12; i++)
        write_text(folder, "any%d.obj", i, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    static const char *const names[] = {"any#.obj", "any##.obj", "any%03d.obj"};
    for (int k = 0; k < 3; k++) {
        SceneError error = {"?"};
        Scene *scene = read_in(folder, names[k], &error);
        assert_non_null(scene);
        assert_int_equal(scene->clips[0].frame_count, 12);
        scene_free(scene);
    }
    write_text(folder, "any%03d.obj", 7, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    refuse_in(folder, "any##.obj", "frame 7 is there twice, with ");
}

static void test_sequence_ply(void **state)
{
    const Folder *folder = *state;
    for (int i = 9; i <= 11; i++)
        write_text(folder, "step-%d.ply", i,
                   HEAD "element vertex 3\n" XYZ FACE "0 0 0 1 0 0 0 1 0 3 0 1 2\n");
    SceneError error = {"?"};
    Scene *scene = read_in(folder, "step-#.ply", &error);
    if (!scene) {
        fail_msg("%s", error.text);
        return;
    }
    assert_string_equal(scene->format, "PLY sequence");
    assert_string_equal(scene->clips[0].name, "step");
    assert_int_equal(scene->clips[0].frame_count, 3);
    scene_free(scene);
}

static void test_sequence_refusals(void **state)
{
    const Folder *folder = *state;
    refuse_in(folder, "walk_####.obj", "no file has a name like that");
    refuse_in(folder, "none/walk_####.obj", "No such file");
    write_walk(folder, 15, 16);
    write_walk(folder, 18, 19);
    refuse_in(folder, "walk_####.obj", "frame 17 is missing: there are 15 to 19");
    write_walk(folder, 17, 17);
    static const struct {
        const char *text, *words;
    } cases[] = {
        {CORNERS "f 1 3 4\no b\nf 1 3 4\n", "frame 18: part 'b' has other faces"},
        {CORNERS "f 1 2 4\no b\nf 1 4 2\n", "frame 18: part 'mesh' has other faces"},
        {CORNERS "f 1 3 4\nf 1 3 4\no b\nf 1 4 3\n",
         "frame 18: part 'mesh' has 2 triangles, and 1"},
        {CORNERS "f 1 3 4\no c\nf 1 4 3\n", "frame 18: part 'c' is 'b'"},
        {CORNERS "f 1 3 4\n", "frame 18: 1 parts of 4 vertices, and 2 of 4"},
        {CORNERS "v 0 0 0\nf 1 3 4\no b\nf 1 4 3\n", "frame 18: 2 parts of 5 vertices"},
        {CORNERS "f 1 3 5\n", "frame 18: line 5: there is no vertex 5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text(folder, "walk_%04d.obj", 18, cases[i].text);
        refuse_in(folder, "walk_####.obj", cases[i].words);
    }
}

static void test_sequence_names(void **state)
{
    const Folder *folder = *state;
    static const struct {
        const char *name;
        bool is_sequence;
    } names[] = {{"a_####.obj", true}, {"a_%04d.ply", true},      {"#.OBJ", true},
                 {"a%d.obj", true},    {"a.obj", false},          {"a_####.glb", false},
                 {"a#b#.obj", false},  {"a%s.obj", false},        {"a%04d%d.obj", false},
                 {"a%n.obj", false},   {"##########.obj", false}, {"x#/a.obj", false},
                 {"a%0", false},       {"a%.obj", false}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(scene_is_sequence(names[i].name), names[i].is_sequence);
    /* A file of just that name is a file. */
    char path[200];
    write_text(folder, "odd_#.obj", 0, CORNERS "f 1 2 3\n");
    name_file(folder, path, "odd_#.obj", 0);
    assert_false(scene_is_sequence(path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obj_polygons),
        cmocka_unit_test(test_obj_lines),
        cmocka_unit_test(test_obj_parts),
        cmocka_unit_test(test_obj_groups),
        cmocka_unit_test(test_obj_names),
        cmocka_unit_test(test_obj_notes),
        cmocka_unit_test(test_obj_large),
        cmocka_unit_test(test_obj_refusals),
        cmocka_unit_test(test_locale),
        cmocka_unit_test(test_ply_ascii),
        cmocka_unit_test(test_ply_binary),
        cmocka_unit_test(test_ply_refusals),
        cmocka_unit_test(test_ply_numbers),
        cmocka_unit_test(test_pc2),
        cmocka_unit_test(test_pc2_refusals),
        cmocka_unit_test_setup_teardown(test_sequence, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(test_sequence_of_any_padding, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(test_sequence_ply, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(test_sequence_refusals, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(test_sequence_names, open_folder, close_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
