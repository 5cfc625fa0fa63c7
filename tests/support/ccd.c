/* Reads steps of simulations: see ccd.h. */
#include "ccd.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *start, *end, *step;
} files[CCD_SCENES] = {
    {"n-body-simulation", "balls16_18", "balls16_19", "18"},
    {"cloth-ball", "cloth_ball92", "cloth_ball93", "92"},
    {"cloth-funnel", "227", "228", "227"},
};

static bool fail(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    return false;
}

/* The bytes of a file and a zero behind them, to be freed; NULL if it cannot be read. */
static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    long length = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    if (length >= 0 && fseek(file, 0, SEEK_SET) == 0)
        bytes = malloc((size_t)length + 1);
    if (bytes && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
        free(bytes);
        bytes = NULL;
    }
    if (file)
        (void)fclose(file);
    if (bytes) {
        bytes[length] = 0;
        *size = (size_t)length;
    } else {
        fail(path, "cannot be read");
    }
    return bytes;
}

/* ---- Meshes -------------------------------------------------------------------------------- */

typedef struct Ply {
    const char *path;
    const unsigned char *at, *end;
    bool is_big_endian, are_doubles;
    int color_size;
    long vertex_count, triangle_count;
} Ply;

static uint64_t read_number(Ply *ply, int size)
{
    uint64_t number = 0;
    for (int i = 0; i < size; i++)
        number |= (uint64_t)ply->at[i] << 8 * (ply->is_big_endian ? size - 1 - i : i);
    ply->at += size;
    return number;
}

/* Sets `value`; false if it is no float32. */
static bool read_coordinate(Ply *ply, float *value)
{
    if (ply->are_doubles) {
        const uint64_t bits = read_number(ply, 8);
        double x;
        memcpy(&x, &bits, sizeof x);
        *value = (float)x;
        return (double)*value == x;
    }
    const uint32_t bits = (uint32_t)read_number(ply, 4);
    memcpy(value, &bits, sizeof *value);
    return *value == *value;
}

/* Bytes of a vertex behind its coordinates: colors. */
static int count_colors(const char *vertices, const char *last)
{
    int count = 0;
    const char *color = vertices;
    while ((color = strstr(color, "property uchar ")) != NULL && color < last) {
        color++;
        count++;
    }
    return count;
}

/* Only what these files have: x, y and z of vertices, colors, and lists of triangles. */
static bool read_header(Ply *ply)
{
    const char *text = (const char *)ply->at, *last = strstr(text, "end_header\n");
    const char *vertices = strstr(text, "element vertex "),
               *triangles = strstr(text, "element face ");
    if (!last || !vertices || !triangles || strncmp(text, "ply\n", 4) != 0 || triangles > last)
        return fail(ply->path, "is no PLY file");
    ply->is_big_endian = strstr(text, "binary_big_endian") != NULL;
    ply->are_doubles = strstr(text, "property double x") != NULL;
    ply->vertex_count = strtol(vertices + strlen("element vertex "), NULL, 10);
    ply->triangle_count = strtol(triangles + strlen("element face "), NULL, 10);
    ply->at = (const unsigned char *)last + strlen("end_header\n");
    ply->color_size = count_colors(vertices, last);
    const long vertex_size = 3 * (ply->are_doubles ? 8 : 4) + ply->color_size;
    const long size = ply->vertex_count * vertex_size + ply->triangle_count * 13;
    if (ply->vertex_count < 1 || ply->triangle_count < 1 || ply->vertex_count > 1 << 24 ||
        ply->triangle_count > 1 << 24 || ply->end - ply->at != size)
        return fail(ply->path, "has another size than its header says");
    return true;
}

static bool read_body(Ply *ply, float *vertices, uint32_t *triangles)
{
    for (long i = 0; i < ply->vertex_count; i++) {
        for (int k = 0; k < 3; k++)
            if (!read_coordinate(ply, &vertices[3 * i + k]))
                return fail(ply->path, "has a coordinate that is no float32");
        ply->at += ply->color_size;
    }
    for (long i = 0; i < ply->triangle_count; i++) {
        if (read_number(ply, 1) != 3)
            return fail(ply->path, "has a polygon that is no triangle");
        for (int k = 0; k < 3; k++) {
            triangles[3 * i + k] = (uint32_t)read_number(ply, 4);
            if (triangles[3 * i + k] >= (unsigned long)ply->vertex_count)
                return fail(ply->path, "has a triangle with a vertex that is not there");
        }
    }
    return true;
}

static bool parse_mesh(Ply *ply, float **vertices, uint32_t **triangles)
{
    if (!read_header(ply))
        return false;
    *vertices = calloc((size_t)ply->vertex_count, 3 * sizeof **vertices);
    *triangles = calloc((size_t)ply->triangle_count, 3 * sizeof **triangles);
    if (!*vertices || !*triangles)
        return fail(ply->path, "out of memory");
    return read_body(ply, *vertices, *triangles);
}

/* Reads one of the meshes; they must have the same triangles. */
static bool read_mesh(const char *path, CcdScene *scene, bool is_end)
{
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    if (!bytes)
        return false;
    Ply ply = {.path = path, .at = bytes, .end = bytes + size};
    uint32_t *triangles = NULL;
    bool is_read = parse_mesh(&ply, is_end ? &scene->end : &scene->start,
                              is_end ? &triangles : &scene->triangles);
    free(bytes);
    if (is_read && !is_end) {
        scene->vertex_count = (int)ply.vertex_count;
        scene->triangle_count = (int)ply.triangle_count;
    } else if (is_read && (scene->vertex_count != ply.vertex_count ||
                           scene->triangle_count != ply.triangle_count ||
                           memcmp(triangles, scene->triangles,
                                  (size_t)ply.triangle_count * 3 * sizeof *triangles) != 0)) {
        is_read = fail(path, "has other triangles than the start of the step");
    }
    free(triangles);
    return is_read;
}

/* By the greater vertex, then by the lesser one, which comes first. */
static int by_edge(const void *a, const void *b)
{
    const uint32_t *e = a, *f = b;
    if (e[1] != f[1])
        return e[1] < f[1] ? -1 : 1;
    return (e[0] > f[0]) - (e[0] < f[0]);
}

static bool find_edges(CcdScene *scene)
{
    const int corner_count = 3 * scene->triangle_count;
    uint32_t *edges = scene->edges = malloc((size_t)corner_count * 2 * sizeof *edges);
    if (!edges)
        return fail(scene->name, "out of memory");
    for (int i = 0; i < corner_count; i++) {
        const uint32_t a = scene->triangles[i], b = scene->triangles[i % 3 == 2 ? i - 2 : i + 1];
        edges[2 * i] = a < b ? a : b;
        edges[2 * i + 1] = a < b ? b : a;
    }
    qsort(edges, (size_t)corner_count, 2 * sizeof *edges, by_edge);
    int count = 0;
    for (int i = 0; i < corner_count; i++)
        if (count == 0 || by_edge(edges + 2 * i, edges + 2 * (count - 1)) != 0) {
            memmove(edges + 2 * count, edges + 2 * i, 2 * sizeof *edges);
            count++;
        }
    scene->edge_count = count;
    return true;
}

/* ---- Pairs --------------------------------------------------------------------------------- */

static int64_t count_byte(const unsigned char *bytes, unsigned char byte)
{
    int64_t count = 0;
    for (; *bytes; bytes++)
        count += *bytes == byte;
    return count;
}

/* [[1,2],[3,4]]: one pair for each bracket but the first. Ids are those of vertices, then of edges,
 * then of triangles. */
static bool parse_pairs(const char *path, const unsigned char *text, const CcdScene *scene,
                        bool are_edges, CcdPairs *pairs)
{
    const unsigned long first = (unsigned long)scene->vertex_count,
                        last = first + (unsigned long)scene->edge_count;
    pairs->count = count_byte(text, '[') - 1;
    pairs->features = calloc((size_t)pairs->count + 1, 2 * sizeof *pairs->features);
    if (pairs->count < 1 || !pairs->features)
        return fail(path, "has no pairs");
    for (int64_t i = 0; i < 2 * pairs->count; i++) {
        while (*text && !isdigit(*text))
            text++;
        char *end;
        const unsigned long id = strtoul((const char *)text, &end, 10);
        const unsigned long from = are_edges ? first : i % 2 == 0 ? 0 : last;
        const unsigned long count = are_edges    ? (unsigned long)scene->edge_count
                                    : i % 2 == 0 ? first
                                                 : (unsigned long)scene->triangle_count;
        if (id < from || id - from >= count || end == (const char *)text)
            return fail(path, "has a feature that is not there");
        pairs->features[i] = (uint32_t)(id - from);
        text = (const unsigned char *)end;
    }
    return true;
}

/* [true,false]: as many as there are pairs. */
static bool parse_answers(const char *path, const unsigned char *text, CcdPairs *pairs)
{
    pairs->are_touching = malloc((size_t)pairs->count * sizeof *pairs->are_touching);
    if (!pairs->are_touching)
        return fail(path, "out of memory");
    int64_t count = 0;
    for (; *text; text++) {
        if (*text != 't' && *text != 'f')
            continue;
        if (count == pairs->count)
            return fail(path, "has more answers than there are pairs");
        pairs->are_touching[count++] = *text == 't';
        text += *text == 't' ? 3 : 4;
    }
    return count == pairs->count || fail(path, "has fewer answers than there are pairs");
}

static bool find_vertices(const CcdScene *scene, bool are_edges, CcdPairs *pairs)
{
    pairs->vertices = malloc((size_t)pairs->count * 4 * sizeof *pairs->vertices);
    if (!pairs->vertices)
        return fail(scene->name, "out of memory");
    for (int64_t i = 0; i < pairs->count; i++) {
        const uint32_t *f = pairs->features + 2 * i;
        uint32_t *v = pairs->vertices + 4 * i;
        if (are_edges) {
            memcpy(v, scene->edges + 2 * (size_t)f[0], 2 * sizeof *v);
            memcpy(v + 2, scene->edges + 2 * (size_t)f[1], 2 * sizeof *v);
        } else {
            v[0] = f[0];
            memcpy(v + 1, scene->triangles + 3 * (size_t)f[1], 3 * sizeof *v);
        }
    }
    return true;
}

static bool read_pairs(const char *folder, const char *step, CcdScene *scene, bool are_edges)
{
    char path[4096];
    size_t size;
    CcdPairs *pairs = &scene->pairs[are_edges];
    const char *kind = are_edges ? "ee" : "vf";
    snprintf(path, sizeof path, "%s/boxes/%s%s.json", folder, step, kind);
    unsigned char *bytes = read_bytes(path, &size);
    bool is_read = bytes && parse_pairs(path, bytes, scene, are_edges, pairs);
    free(bytes);
    if (!is_read || !find_vertices(scene, are_edges, pairs))
        return false;
    snprintf(path, sizeof path, "%s/mma_bool/%s%s_mma_bool.json", folder, step, kind);
    bytes = read_bytes(path, &size);
    is_read = bytes && parse_answers(path, bytes, pairs);
    free(bytes);
    return is_read;
}

static bool read_all(const char *folder, int index, CcdScene *scene)
{
    char path[2][4096];
    snprintf(path[0], sizeof path[0], "%s/frames/%s.ply", folder, files[index].start);
    snprintf(path[1], sizeof path[1], "%s/frames/%s.ply", folder, files[index].end);
    return read_mesh(path[0], scene, false) && read_mesh(path[1], scene, true) &&
           find_edges(scene) && read_pairs(folder, files[index].step, scene, false) &&
           read_pairs(folder, files[index].step, scene, true);
}

bool ccd_read(const char *assets, int index, CcdScene *scene)
{
    char folder[2048];
    *scene = (CcdScene){.name = files[index].name};
    const int length = snprintf(folder, sizeof folder, "%s/ccd/%s", assets, files[index].name);
    if (length < 0 || (size_t)length >= sizeof folder)
        return fail(assets, "is too long");
    if (read_all(folder, index, scene))
        return true;
    ccd_free(scene);
    return false;
}

void ccd_free(CcdScene *scene)
{
    for (int i = 0; i < 2; i++) {
        free(scene->pairs[i].features);
        free(scene->pairs[i].vertices);
        free(scene->pairs[i].are_touching);
    }
    free(scene->start);
    free(scene->end);
    free(scene->triangles);
    free(scene->edges);
    *scene = (CcdScene){0};
}
