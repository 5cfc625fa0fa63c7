/* Wavefront OBJ: polygons, by objects, groups and materials.
 *
 * The text is read twice: first its statements are counted, so that all memory is asked for at once
 * and within the budget; then they are taken. Of a statement that is longer than it has to be
 * (colors or a weight after a position, texture and normal numbers in a face) the rest is left. */
#include "scene/raw.h"
#include "scene/text.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 1000, MAX_TRIANGLES = INT32_MAX / 3 };

typedef enum Statement {
    VERTEX,
    FACE,
    OBJECT,
    GROUP,
    MATERIAL,
    DRAWN,
    IGNORED,
    REFUSED,
    UNKNOWN
} Statement;

static const struct {
    const char *word;
    Statement statement;
} statements[] = {
    {"v", VERTEX},
    {"f", FACE},
    {"fo", FACE},
    {"o", OBJECT},
    {"g", GROUP},
    {"usemtl", MATERIAL},
    {"l", DRAWN},
    {"p", DRAWN},
    {"vt", IGNORED},
    {"vn", IGNORED},
    {"s", IGNORED},
    {"mtllib", IGNORED},
    {"mg", IGNORED},
    {"bevel", IGNORED},
    {"c_interp", IGNORED},
    {"d_interp", IGNORED},
    {"lod", IGNORED},
    {"usemap", IGNORED},
    {"shadow_obj", IGNORED},
    {"maplib", IGNORED},
    {"trace_obj", IGNORED},
    {"ctech", IGNORED},
    {"stech", IGNORED},
    {"vp", REFUSED},
    {"cstype", REFUSED},
    {"deg", REFUSED},
    {"bmat", REFUSED},
    {"step", REFUSED},
    {"curv", REFUSED},
    {"curv2", REFUSED},
    {"surf", REFUSED},
    {"parm", REFUSED},
    {"trim", REFUSED},
    {"hole", REFUSED},
    {"scrv", REFUSED},
    {"sp", REFUSED},
    {"con", REFUSED},
    {"end", REFUSED},
    {"bsp", REFUSED},
    {"bzp", REFUSED},
    {"cdc", REFUSED},
    {"cdp", REFUSED},
    {"res", REFUSED},
    {"call", REFUSED},
    {"csh", REFUSED},
};

/* The rest of a line as words with one space between them. */
typedef struct Name {
    char text[MAX_NAME];
    size_t size;
} Name;

typedef struct Reader {
    SceneText text;
    const SceneOptions *options;
    SceneError *error;
    size_t budget;
    SceneRaw raw;
    int64_t vertices, triangles, faces, names; /* counted, and then taken again */
    int64_t drawn, unknown, unknown_line;      /* lines and points; statements that are none */
    bool has_objects, is_new_run;
    Name object, material; /* the object is the group in a file without objects */
} Reader;

static bool fail(Reader *r, const char *what)
{
    return scene_fail(r->error, "line %lld: %s", (long long)r->text.line, what);
}

static Statement statement_of(SceneWord word)
{
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (scene_word_is(word, statements[i].word))
            return statements[i].statement;
    return word.size > 0 ? UNKNOWN : IGNORED;
}

/* ---- Counting ---------------------------------------------------------------------------------
 */

static bool refuse(Reader *r, SceneWord word)
{
    bool is_call = scene_word_is(word, "call") || scene_word_is(word, "csh");
    return scene_fail(r->error, "line %lld: '%.*s' is not supported: %s", (long long)r->text.line,
                      (int)word.size, word.at,
                      is_call ? "it runs something else" : "free-form curves and surfaces");
}

static bool count_corners(Reader *r)
{
    int64_t corners = 0, line = r->text.line;
    while (scene_text_word(&r->text).size > 0)
        corners++;
    if (corners < 3)
        return scene_fail(r->error, "line %lld: a face of %d corners", (long long)line,
                          (int)corners);
    r->triangles += corners - 2;
    r->faces++;
    return true;
}

static bool count(Reader *r)
{
    do {
        SceneWord word = scene_text_word(&r->text);
        Statement statement = statement_of(word);
        if (statement == REFUSED)
            return refuse(r, word);
        if (statement == FACE && !count_corners(r))
            return false;
        if (statement == UNKNOWN && r->unknown++ == 0)
            r->unknown_line = r->text.line;
        r->vertices += statement == VERTEX;
        r->drawn += statement == DRAWN;
        r->names += statement == OBJECT || statement == GROUP || statement == MATERIAL;
        r->has_objects = r->has_objects || statement == OBJECT;
    } while (scene_text_next_line(&r->text));
    if (r->faces == 0)
        return scene_fail(r->error, "it has no faces");
    if (r->vertices > MAX_TRIANGLES || r->triangles > MAX_TRIANGLES)
        return scene_fail(r->error, "it has more than %d vertices or triangles",
                          (int)MAX_TRIANGLES);
    return true;
}

static bool allocate(Reader *r)
{
    size_t vertices = (size_t)r->vertices, triangles = (size_t)r->triangles;
    size_t runs = (size_t)(r->names < r->faces ? r->names + 1 : r->faces);
    SceneRaw *raw = &r->raw;
    raw->vertices = scene_allocate(vertices, 3 * sizeof(float), &r->budget, r->error);
    raw->triangles = scene_allocate(triangles, 3 * sizeof(uint32_t), &r->budget, r->error);
    raw->faces = scene_allocate(triangles, sizeof *raw->faces, &r->budget, r->error);
    raw->runs = scene_allocate(runs, sizeof *raw->runs, &r->budget, r->error);
    raw->vertex_count = (int32_t)vertices;
    raw->triangle_count = (int32_t)triangles;
    r->vertices = r->triangles = r->faces = 0;
    return raw->vertices && raw->triangles && raw->faces && raw->runs;
}

/* ---- Taking -----------------------------------------------------------------------------------
 */

static bool read_vertex(Reader *r)
{
    float *to = r->raw.vertices + 3 * r->vertices++;
    for (int k = 0; k < 3; k++)
        if (!scene_text_float(&r->text, scene_text_word(&r->text), to + k, r->error))
            return false;
    return true;
}

/* The vertex of a corner: what stands before the first "/". Negative numbers count back from the
 * last vertex so far; others may be of a vertex that comes later. */
static bool read_corner(Reader *r, SceneWord word, uint32_t *vertex)
{
    const char *slash = memchr(word.at, '/', word.size);
    SceneWord first = {word.at, slash ? (size_t)(slash - word.at) : word.size};
    for (size_t i = first.size; i < word.size; i++)
        if (!strchr("0123456789-/", word.at[i]) || word.at[i] == '\0')
            return fail(r, "a corner is not of the form 1/2/3");
    int64_t number = 0;
    if (!scene_text_integer(&r->text, first, &number, r->error))
        return false;
    int64_t index = number < 0 ? r->vertices + number : number - 1;
    if (number == 0 || index < 0 || index >= r->raw.vertex_count)
        return scene_fail(r->error, "line %lld: there is no vertex %lld", (long long)r->text.line,
                          (long long)number);
    *vertex = (uint32_t)index;
    return true;
}

/* The name of what the faces from here on are a part of. */
static bool begin_run(Reader *r)
{
    SceneRaw *raw = &r->raw;
    const bool has_material = r->options->by == SCENE_BY_MATERIAL && r->material.size > 0;
    char name[2 * MAX_NAME + 2];
    size_t size = 0;
    if (r->object.size > 0 || !has_material) {
        size = r->object.size ? r->object.size : 4;
        memcpy(name, r->object.size ? r->object.text : "mesh", size);
    }
    if (has_material) {
        if (size > 0)
            name[size++] = '/';
        memcpy(name + size, r->material.text, r->material.size);
        size += r->material.size;
    }
    r->is_new_run = false;
    return scene_raw_add_run(raw, name, size, (int32_t)r->triangles, &r->budget, r->error);
}

static bool read_face(Reader *r)
{
    if (r->is_new_run && !begin_run(r))
        return false;
    uint32_t corners[3] = {0};
    int64_t corner = 0;
    for (SceneWord word = scene_text_word(&r->text); word.size > 0;
         word = scene_text_word(&r->text), corner++) {
        if (!read_corner(r, word, &corners[corner < 2 ? corner : 2]))
            return false;
        if (corner < 2)
            continue;
        memcpy(r->raw.triangles + 3 * r->triangles, corners, sizeof corners);
        r->raw.faces[r->triangles++] = (int32_t)r->faces;
        corners[1] = corners[2];
    }
    r->faces++;
    return true;
}

static bool read_name(Reader *r, Name *name)
{
    name->size = 0;
    for (SceneWord word = scene_text_word(&r->text); word.size > 0;
         word = scene_text_word(&r->text)) {
        if (name->size + word.size + 1 > MAX_NAME)
            return fail(r, "a name is longer than a thousand bytes");
        if (name->size > 0)
            name->text[name->size++] = ' ';
        memcpy(name->text + name->size, word.at, word.size);
        name->size += word.size;
    }
    r->is_new_run = true;
    return true;
}

static bool read_statement(Reader *r, Statement statement)
{
    switch (statement) {
    case VERTEX:
        return read_vertex(r);
    case FACE:
        return read_face(r);
    case OBJECT:
        return read_name(r, &r->object);
    case GROUP:
        return r->has_objects || read_name(r, &r->object);
    case MATERIAL:
        return r->options->by == SCENE_BY_NODE || read_name(r, &r->material);
    default:
        return true;
    }
}

static bool take(Reader *r)
{
    r->is_new_run = true;
    do {
        SceneWord word = scene_text_word(&r->text);
        if (!read_statement(r, statement_of(word)))
            return false;
    } while (scene_text_next_line(&r->text));
    return true;
}

static void leave_notes(const Reader *r, Scene *scene)
{
    if (r->drawn > 0)
        scene_note(scene, "%lld statements of lines and points left out", (long long)r->drawn);
    if (r->unknown > 0)
        scene_note(scene,
                   "%lld lines are no statements of OBJ and left out, the first is line %lld",
                   (long long)r->unknown, (long long)r->unknown_line);
}

Scene *scene_read_obj(const void *bytes, size_t byte_count, const SceneOptions *options,
                      SceneError *error)
{
    Reader r = {.options = options, .error = error, .budget = scene_budget(options, byte_count)};
    Scene *scene = NULL;
    if (!scene_text_open(&r.text, bytes, byte_count, true, error))
        return NULL;
    if (count(&r) && allocate(&r)) {
        scene_text_rewind(&r.text, bytes);
        if (take(&r))
            scene = scene_of_raw(&r.raw, "OBJ", options, &r.budget, error);
    }
    if (scene)
        leave_notes(&r, scene);
    scene_raw_free(&r.raw);
    scene_text_close(&r.text);
    return scene;
}
