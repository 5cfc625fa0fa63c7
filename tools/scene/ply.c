/* PLY: a header that says which numbers follow, and they, as text or in either order of bytes.
 *
 * Every element is read as its header describes it, whatever it is, so that those which mean
 * nothing here are passed over to the byte. Faces are gone through twice: to count their triangles
 * and to take them. */
#include "scene/raw.h"
#include "scene/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ELEMENTS = 32, MAX_PROPERTIES = 256, MAX_TRIANGLES = INT32_MAX / 3 };

typedef enum Type { INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64 } Type;

static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};

static const struct {
    const char *word;
    Type type;
} types[] = {{"char", INT8},     {"int8", INT8},       {"uchar", UINT8},    {"uint8", UINT8},
             {"short", INT16},   {"int16", INT16},     {"ushort", UINT16},  {"uint16", UINT16},
             {"int", INT32},     {"int32", INT32},     {"uint", UINT32},    {"uint32", UINT32},
             {"float", FLOAT32}, {"float32", FLOAT32}, {"double", FLOAT64}, {"float64", FLOAT64}};

/* What a property is to us. */
typedef enum Use { SKIPPED, X, Y, Z, CORNERS } Use;

typedef struct Property {
    bool is_list;
    Type count_type, type;
    Use use;
} Property;

typedef enum Kind { OTHER, VERTICES, FACES } Kind;

typedef struct Element {
    Kind kind;
    int64_t count;
    int32_t first, property_count; /* of the properties */
    size_t least;                  /* bytes of one, if all lists are empty */
    bool has_lists;
} Element;

typedef struct Reader {
    SceneText text; /* the header, and all of an ascii file */
    const uint8_t *at;
    SceneError *error;
    size_t budget;
    bool has_format, is_ascii, is_big;
    Element elements[MAX_ELEMENTS];
    Property properties[MAX_PROPERTIES];
    int32_t element_count, property_count;
    SceneRaw raw;
    int64_t triangles; /* so far */
} Reader;

/* ---- The header -------------------------------------------------------------------------------
 */

static bool fail(Reader *r, const char *what)
{
    return scene_fail(r->error, "line %lld: %s", (long long)r->text.line, what);
}

static bool read_format(Reader *r)
{
    SceneWord word = scene_text_word(&r->text);
    r->has_format = true;
    r->is_ascii = scene_word_is(word, "ascii");
    r->is_big = scene_word_is(word, "binary_big_endian");
    if (!r->is_ascii && !r->is_big && !scene_word_is(word, "binary_little_endian"))
        return fail(r, "the format is none of ascii, binary_little_endian, binary_big_endian");
    if (!scene_word_is(scene_text_word(&r->text), "1.0"))
        return fail(r, "the version of the format is not 1.0");
    return true;
}

static bool read_element(Reader *r)
{
    if (r->element_count == MAX_ELEMENTS)
        return fail(r, "there are more than 32 elements");
    SceneWord name = scene_text_word(&r->text);
    if (scene_word_is(name, "tristrips"))
        return fail(r, "'tristrips' are not supported");
    Element *element = &r->elements[r->element_count++];
    element->kind = scene_word_is(name, "vertex") ? VERTICES
                    : scene_word_is(name, "face") ? FACES
                                                  : OTHER;
    element->first = r->property_count;
    for (int32_t i = 0; i + 1 < r->element_count; i++)
        if (element->kind != OTHER && r->elements[i].kind == element->kind)
            return fail(r, "an element is there twice");
    if (!scene_text_integer(&r->text, scene_text_word(&r->text), &element->count, r->error))
        return false;
    if (element->count < 0 || (element->kind != OTHER && element->count > MAX_TRIANGLES))
        return fail(r, "there cannot be so many");
    return true;
}

static bool read_type(Reader *r, SceneWord word, Type *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (scene_word_is(word, types[i].word)) {
            *type = types[i].type;
            return true;
        }
    return fail(r, "a property has a type that is none");
}

static Use use_of(Kind kind, bool is_list, SceneWord name)
{
    static const struct {
        Kind kind;
        bool is_list;
        const char *word;
        Use use;
    } uses[] = {{VERTICES, false, "x", X},
                {VERTICES, false, "y", Y},
                {VERTICES, false, "z", Z},
                {FACES, true, "vertex_indices", CORNERS},
                {FACES, true, "vertex_index", CORNERS}};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (uses[i].kind == kind && uses[i].is_list == is_list && scene_word_is(name, uses[i].word))
            return uses[i].use;
    return SKIPPED;
}

static bool read_property(Reader *r)
{
    if (r->element_count == 0)
        return fail(r, "a property of no element");
    if (r->property_count == MAX_PROPERTIES)
        return fail(r, "there are more than 256 properties");
    Element *element = &r->elements[r->element_count - 1];
    Property *property = &r->properties[r->property_count];
    SceneWord word = scene_text_word(&r->text);
    property->is_list = scene_word_is(word, "list");
    if (property->is_list) {
        if (!read_type(r, scene_text_word(&r->text), &property->count_type))
            return false;
        if (property->count_type >= FLOAT32)
            return fail(r, "a list has a length that is no whole number");
        word = scene_text_word(&r->text);
    }
    if (!read_type(r, word, &property->type))
        return false;
    property->use = use_of(element->kind, property->is_list, scene_text_word(&r->text));
    for (int32_t i = element->first; i < r->property_count; i++)
        if (property->use != SKIPPED && r->properties[i].use == property->use)
            return fail(r, "a property is there twice");
    if (property->use == CORNERS && property->type >= FLOAT32)
        return fail(r, "vertex numbers of faces are no whole numbers");
    element->least += sizes[property->is_list ? property->count_type : property->type];
    element->has_lists = element->has_lists || property->is_list;
    element->property_count++;
    r->property_count++;
    return true;
}

static bool read_header_line(Reader *r, SceneWord word)
{
    if (word.size == 0 || scene_word_is(word, "comment") || scene_word_is(word, "obj_info"))
        return true;
    if (scene_word_is(word, "format"))
        return read_format(r);
    if (scene_word_is(word, "element"))
        return read_element(r);
    if (scene_word_is(word, "property"))
        return read_property(r);
    return fail(r, "the header has a line that is none of element, property, comment, end_header");
}

static const Element *element_of(const Reader *r, Kind kind)
{
    for (int32_t i = 0; i < r->element_count; i++)
        if (r->elements[i].kind == kind && r->elements[i].count > 0)
            return &r->elements[i];
    return NULL;
}

static bool has_use(const Reader *r, const Element *element, Use use)
{
    for (int32_t i = 0; i < element->property_count; i++)
        if (r->properties[element->first + i].use == use)
            return true;
    return false;
}

static bool check_header(Reader *r)
{
    if (!r->has_format)
        return scene_fail(r->error, "the header has no line 'format'");
    const Element *vertices = element_of(r, VERTICES), *faces = element_of(r, FACES);
    if (!vertices || !has_use(r, vertices, X) || !has_use(r, vertices, Y) ||
        !has_use(r, vertices, Z))
        return scene_fail(r->error, "the header has no vertices with x, y and z");
    if (!faces || !has_use(r, faces, CORNERS))
        return scene_fail(r->error, "the header has no faces with a list vertex_indices");
    return true;
}

static bool read_header(Reader *r)
{
    if (!scene_word_is(scene_text_word(&r->text), "ply"))
        return scene_fail(r->error, "it does not begin with 'ply'");
    while (scene_text_next_line(&r->text)) {
        SceneWord word = scene_text_word(&r->text);
        if (scene_word_is(word, "end_header")) {
            scene_text_next_line(&r->text);
            return check_header(r);
        }
        if (!read_header_line(r, word))
            return false;
    }
    return scene_fail(r->error, "the header has no end");
}

/* ---- Values -----------------------------------------------------------------------------------
 */

static const uint8_t *end_of(const Reader *r)
{
    return (const uint8_t *)r->text.end;
}

static bool fail_end(Reader *r)
{
    return scene_fail(r->error, "it ends before all that its header promises");
}

static bool read_bits(Reader *r, Type type, uint64_t *bits)
{
    const int size = sizes[type];
    if (end_of(r) - r->at < size)
        return fail_end(r);
    *bits = 0;
    for (int i = 0; i < size; i++)
        *bits |= (uint64_t)r->at[r->is_big ? size - 1 - i : i] << 8 * i;
    r->at += size;
    return true;
}

static double float_of(Type type, uint64_t bits)
{
    if (type == FLOAT64) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    float value;
    uint32_t half = (uint32_t)bits;
    memcpy(&value, &half, sizeof value);
    return value;
}

static int64_t integer_of(Type type, uint64_t bits)
{
    const int width = 8 * sizes[type];
    const bool is_signed = type == INT8 || type == INT16 || type == INT32;
    const bool is_negative = is_signed && bits >> (width - 1);
    return (int64_t)bits - (is_negative ? (int64_t)1 << width : 0);
}

static bool read_integer(Reader *r, Type type, int64_t *value)
{
    if (r->is_ascii) {
        SceneWord word = scene_text_any_word(&r->text);
        return word.size > 0 ? scene_text_integer(&r->text, word, value, r->error) : fail_end(r);
    }
    uint64_t bits = 0;
    if (!read_bits(r, type, &bits))
        return false;
    *value = integer_of(type, bits);
    return true;
}

static bool read_float(Reader *r, Type type, float *value)
{
    if (r->is_ascii) {
        SceneWord word = scene_text_any_word(&r->text);
        return word.size > 0 ? scene_text_float(&r->text, word, value, r->error) : fail_end(r);
    }
    uint64_t bits = 0;
    if (!read_bits(r, type, &bits))
        return false;
    double number = type >= FLOAT32 ? float_of(type, bits) : (double)integer_of(type, bits);
    *value = fabs(number) < 0x1.ffffffp127 ? (float)number : INFINITY; /* for NaN, too */
    return true;
}

static bool skip(Reader *r, Type type, int64_t count)
{
    if (r->is_ascii) {
        for (int64_t i = 0; i < count; i++)
            if (scene_text_any_word(&r->text).size == 0)
                return fail_end(r);
        return true;
    }
    if (count > (end_of(r) - r->at) / sizes[type])
        return fail_end(r);
    r->at += count * sizes[type];
    return true;
}

/* ---- Elements ---------------------------------------------------------------------------------
 */

/* Triangles of one face; only counted while there is no room for them. */
static bool read_corners(Reader *r, const Property *property, int64_t count, int64_t face)
{
    if (count < 3)
        return scene_fail(r->error, "face %lld has %lld corners", (long long)face,
                          (long long)count);
    if (!r->raw.triangles) {
        r->triangles += count - 2;
        return skip(r, property->type, count);
    }
    uint32_t corners[3] = {0};
    for (int64_t i = 0; i < count; i++) {
        int64_t vertex = 0;
        if (!read_integer(r, property->type, &vertex))
            return false;
        if (vertex < 0 || vertex >= r->raw.vertex_count)
            return scene_fail(r->error, "face %lld has vertex %lld, which there is not",
                              (long long)face, (long long)vertex);
        corners[i < 2 ? i : 2] = (uint32_t)vertex;
        if (i < 2)
            continue;
        memcpy(r->raw.triangles + 3 * r->triangles, corners, sizeof corners);
        r->raw.faces[r->triangles++] = (int32_t)face;
        corners[1] = corners[2];
    }
    return true;
}

static bool read_coordinate(Reader *r, const Property *property, int64_t vertex)
{
    float *to = r->raw.vertices + 3 * vertex + (property->use - X);
    if (!read_float(r, property->type, to))
        return false;
    return isfinite(*to) || scene_fail(r->error, "vertex %lld is not finite", (long long)vertex);
}

static bool read_property_of(Reader *r, const Property *property, int64_t item)
{
    int64_t count = 1;
    if (property->is_list) {
        if (!read_integer(r, property->count_type, &count))
            return false;
        if (count < 0)
            return scene_fail(r->error, "a list has the length %lld", (long long)count);
    }
    if (property->use == CORNERS)
        return read_corners(r, property, count, item);
    if (property->use != SKIPPED)
        return read_coordinate(r, property, item);
    return skip(r, property->type, count);
}

/* What an element must have of the file, so that a count in the header alone asks for nothing. */
static bool has_bytes(Reader *r, const Element *element)
{
    const size_t left = (size_t)(r->is_ascii ? r->text.end - r->text.at + 1 : end_of(r) - r->at);
    const size_t least = r->is_ascii ? 2 * (size_t)element->property_count : element->least;
    return least == 0 || (size_t)element->count <= left / least || fail_end(r);
}

static bool copy_items(Reader *r, const Element *element)
{
    if (element->property_count == 0)
        return true;
    if (element->kind == OTHER && !element->has_lists && !r->is_ascii) {
        r->at += (size_t)element->count * element->least;
        return true;
    }
    for (int64_t i = 0; i < element->count; i++)
        for (int32_t p = 0; p < element->property_count; p++)
            if (!read_property_of(r, &r->properties[element->first + p], i))
                return false;
    return true;
}

static bool allocate_triangles(Reader *r)
{
    if (r->triangles > MAX_TRIANGLES)
        return scene_fail(r->error, "it has more than %d triangles", (int)MAX_TRIANGLES);
    const size_t count = (size_t)r->triangles;
    r->raw.triangles = scene_allocate(count, 3 * sizeof(uint32_t), &r->budget, r->error);
    r->raw.faces = scene_allocate(count, sizeof *r->raw.faces, &r->budget, r->error);
    r->raw.triangle_count = (int32_t)count;
    r->triangles = 0;
    return r->raw.triangles && r->raw.faces;
}

static bool read_faces(Reader *r, const Element *element)
{
    const SceneText text = r->text;
    const uint8_t *at = r->at;
    if (!copy_items(r, element) || !allocate_triangles(r))
        return false;
    r->text = text;
    r->at = at;
    return copy_items(r, element);
}

static bool allocate_vertices(Reader *r)
{
    const Element *element = element_of(r, VERTICES);
    r->raw.vertex_count = (int32_t)element->count;
    r->raw.vertices =
        scene_allocate((size_t)element->count, 3 * sizeof(float), &r->budget, r->error);
    r->raw.runs = scene_allocate(1, sizeof *r->raw.runs, &r->budget, r->error);
    return r->raw.vertices && r->raw.runs &&
           scene_raw_add_run(&r->raw, "mesh", 4, 0, &r->budget, r->error);
}

static bool read_elements(Reader *r)
{
    r->at = (const uint8_t *)r->text.at;
    if (!has_bytes(r, element_of(r, VERTICES)) || !allocate_vertices(r))
        return false;
    for (int32_t i = 0; i < r->element_count; i++) {
        const Element *element = &r->elements[i];
        if (!has_bytes(r, element) ||
            !(element->kind == FACES ? read_faces(r, element) : copy_items(r, element)))
            return false;
    }
    return true;
}

Scene *scene_read_ply(const void *bytes, size_t byte_count, const SceneOptions *options,
                      SceneError *error)
{
    Reader r = {.error = error, .budget = scene_budget(options, byte_count)};
    Scene *scene = NULL;
    if (!scene_text_open(&r.text, bytes, byte_count, false, error))
        return NULL;
    if (read_header(&r) && read_elements(&r))
        scene = scene_of_raw(&r.raw, "PLY", options, &r.budget, error);
    scene_raw_free(&r.raw);
    scene_text_close(&r.text);
    return scene;
}
