/* Accessors: numbers of all types, with strides, normalized or not, sparse or not, as floats or as
 * integers. Bytes are read one number at a time, so that alignment does not matter.
 */
#include "scene/gltf.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct Component {
    GltfComponent component;
    size_t size;
    double scale; /* of normalized numbers: the greatest */
} components[] = {
    {GLTF_BYTE, 1, 127},
    {GLTF_UNSIGNED_BYTE, 1, 255},
    {GLTF_SHORT, 2, 32767},
    {GLTF_UNSIGNED_SHORT, 2, 65535},
    {GLTF_UNSIGNED_INT, 4, 4294967295.0},
    {GLTF_FLOAT, 4, 1},
};

static const struct Component *find_component(int64_t component)
{
    for (size_t i = 0; i < sizeof components / sizeof *components; i++)
        if (components[i].component == component)
            return &components[i];
    return NULL;
}

double gltf_component_scale(GltfComponent component)
{
    return find_component(component)->scale;
}

static int32_t type_width(const char *type)
{
    static const struct {
        const char *name;
        int32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].width;
    return 0;
}

static bool read_component(Gltf *gltf, const GltfItem *item, GltfComponent *component)
{
    int64_t value = 0;
    if (!gltf_integer(gltf, item, "componentType", 0, INT32_MAX, &value))
        return false;
    if (!find_component(value))
        return scene_fail(gltf->error, "%s.componentType is %lld, which is unknown", item->where,
                          (long long)value);
    *component = (GltfComponent)value;
    return true;
}

bool gltf_accessor(Gltf *gltf, int32_t index, int32_t width, GltfAccessor *accessor)
{
    int64_t count = 0;
    GltfItem *item = &accessor->item;
    if (!gltf_item(gltf, "accessors", index, item) ||
        !read_component(gltf, item, &accessor->component) ||
        !gltf_integer(gltf, item, "count", 1, INT32_MAX, &count))
        return false;
    const char *type = gltf_string(item, "type");
    bool is_square = type && strncmp(type, "MAT", 3) == 0;
    if (type_width(type) != width || is_square != (width == 16))
        return scene_fail(gltf->error, "%s.type is %.20s, not of %d numbers", item->where,
                          type ? type : "missing", (int)width);
    accessor->count = (int32_t)count;
    accessor->width = width;
    accessor->is_normalized = gltf_is_true(item, "normalized");
    accessor->has_view = json_object_get(item->json, "bufferView") != NULL;
    accessor->decoded = NULL;
    accessor->has_data = accessor->has_view || json_object_get(item->json, "sparse") != NULL;
    return true;
}

/* ---- Ranges of numbers -------------------------------------------------------------------------
 */

/* Numbers one after the other, as a view has them. */
typedef struct Run {
    const uint8_t *bytes; /* NULL: all zero */
    size_t stride;
    int64_t count;
    int32_t width;
    GltfComponent component;
} Run;

/* The run's bytes: `count` elements at byteOffset of the view. All of them are in it. */
static bool find_run(Gltf *gltf, const GltfItem *item, bool has_stride, Run *run)
{
    int32_t index;
    int64_t offset = 0;
    size_t element = find_component(run->component)->size * (size_t)run->width;
    if (!gltf_reference(gltf, item, "bufferView", "bufferViews", &index) ||
        !gltf_optional(gltf, item, "byteOffset", 0, LLONG_MAX, &offset))
        return false;
    if (index < 0)
        return scene_fail(gltf->error, "%s has no bufferView", item->where);
    const GltfBytes *view = gltf_view(gltf, index);
    if (!view)
        return false;
    run->stride = has_stride && view->stride ? view->stride : element;
    if (run->stride < element)
        return scene_fail(gltf->error, "bufferViews[%d].byteStride is %zu, less than %s needs",
                          (int)index, run->stride, item->where);
    /* Counts are below 2^31 and strides at most 256: no overflow. */
    uint64_t length = (uint64_t)(run->count - 1) * run->stride + element;
    if ((uint64_t)offset > view->size || length > view->size - (uint64_t)offset)
        return scene_fail(gltf->error, "%s ends after bufferViews[%d], which has %zu bytes",
                          item->where, (int)index, view->size);
    run->bytes = view->bytes + offset;
    return true;
}

static bool find_base(Gltf *gltf, const GltfAccessor *accessor, Run *run)
{
    *run = (Run){NULL, 0, accessor->count, accessor->width, accessor->component};
    if (accessor->decoded) {
        run->bytes = accessor->decoded;
        run->stride = find_component(run->component)->size * (size_t)run->width;
        return true;
    }
    return !accessor->has_view || find_run(gltf, &accessor->item, true, run);
}

static double read_number(const uint8_t *bytes, GltfComponent component)
{
    int16_t s16;
    uint16_t u16;
    uint32_t u32;
    float f32;
    switch (component) {
    case GLTF_BYTE:
        return (int8_t)*bytes;
    case GLTF_UNSIGNED_BYTE:
        return *bytes;
    case GLTF_SHORT:
        memcpy(&s16, bytes, sizeof s16);
        return s16;
    case GLTF_UNSIGNED_SHORT:
        memcpy(&u16, bytes, sizeof u16);
        return u16;
    case GLTF_UNSIGNED_INT:
        memcpy(&u32, bytes, sizeof u32);
        return u32;
    case GLTF_FLOAT:
        memcpy(&f32, bytes, sizeof f32);
        return f32;
    }
    return 0;
}

/* ---- Sparse accessors ------------------------------------------------------------------------ */

/* Elements that stand in for others: which, and their numbers. */
typedef struct Sparse {
    Run indices, values;
    char where[160];
} Sparse;

static bool read_sparse(Gltf *gltf, const GltfAccessor *accessor, const GltfItem *item,
                        Sparse *sparse)
{
    int64_t count = 0;
    GltfItem indices, values;
    sparse->values = (Run){NULL, 0, 0, accessor->width, accessor->component};
    sparse->indices.width = 1;
    if (!gltf_integer(gltf, item, "count", 1, accessor->count, &count) ||
        !gltf_member(gltf, item, "indices", true, &indices) ||
        !gltf_member(gltf, item, "values", true, &values) ||
        !read_component(gltf, &indices, &sparse->indices.component))
        return false;
    GltfComponent component = sparse->indices.component;
    if (component != GLTF_UNSIGNED_BYTE && component != GLTF_UNSIGNED_SHORT &&
        component != GLTF_UNSIGNED_INT)
        return scene_fail(gltf->error, "%s.componentType is not one of indices", indices.where);
    sparse->indices.count = sparse->values.count = count;
    memcpy(sparse->where, indices.where, sizeof indices.where);
    return find_run(gltf, &indices, false, &sparse->indices) &&
           find_run(gltf, &values, false, &sparse->values) && sparse->indices.bytes &&
           sparse->values.bytes;
}

/* The element that number i of a sparse accessor stands in for; -1, with an error, if it is none.
 */
static int64_t sparse_index(Gltf *gltf, const Sparse *sparse, int64_t i, int64_t count)
{
    double index = read_number(sparse->indices.bytes + (size_t)i * sparse->indices.stride,
                               sparse->indices.component);
    if (index < (double)count)
        return (int64_t)index;
    scene_fail(gltf->error, "%s: number %lld is %.0f, and there are %lld elements", sparse->where,
               (long long)i, index, (long long)count);
    return -1;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Where the numbers go. */
typedef struct Output {
    Gltf *gltf;
    const GltfAccessor *accessor;
    double scale; /* of normalized numbers, or 0 */
    float *floats;
    uint32_t *integers;
} Output;

static bool put_float(const Output *output, int64_t index, double number)
{
    if (output->scale != 0)
        number = fmax(number / output->scale, -1);
    output->floats[index] = (float)number;
    return isfinite(number) ||
           scene_fail(output->gltf->error, "%s: number %lld of element %lld is not finite",
                      output->accessor->item.where, (long long)(index % output->accessor->width),
                      (long long)(index / output->accessor->width));
}

static bool put_element(const Output *output, const Run *run, int64_t from, int64_t to)
{
    if (!run->bytes)
        return true;
    size_t size = find_component(run->component)->size;
    const uint8_t *bytes = run->bytes + (size_t)from * run->stride;
    for (int32_t i = 0; i < run->width; i++) {
        double number = read_number(bytes + (size_t)i * size, run->component);
        if (output->integers)
            output->integers[to * run->width + i] = (uint32_t)number;
        else if (!put_float(output, to * run->width + i, number))
            return false;
    }
    return true;
}

static bool put_sparse(const Output *output)
{
    GltfItem item;
    Sparse sparse = {0};
    Gltf *gltf = output->gltf;
    const GltfAccessor *accessor = output->accessor;
    if (!json_object_get(accessor->item.json, "sparse"))
        return true;
    if (!gltf_member(gltf, &accessor->item, "sparse", true, &item) ||
        !read_sparse(gltf, accessor, &item, &sparse))
        return false;
    for (int64_t i = 0; i < sparse.values.count; i++) {
        int64_t index = sparse_index(gltf, &sparse, i, accessor->count);
        if (index < 0 || !put_element(output, &sparse.values, i, index))
            return false;
    }
    return true;
}

static bool put_all(const Output *output)
{
    Run run;
    if (!find_base(output->gltf, output->accessor, &run))
        return false;
    for (int64_t i = 0; i < run.count; i++)
        if (!put_element(output, &run, i, i))
            return false;
    return put_sparse(output);
}

bool gltf_read_floats(Gltf *gltf, const GltfAccessor *accessor, float *out)
{
    bool is_scaled = accessor->is_normalized && accessor->component != GLTF_FLOAT;
    memset(out, 0, (size_t)accessor->count * (size_t)accessor->width * sizeof *out);
    Output output = {.gltf = gltf, .accessor = accessor, .floats = out};
    output.scale = is_scaled ? find_component(accessor->component)->scale : 0;
    return put_all(&output);
}

bool gltf_read_integers(Gltf *gltf, const GltfAccessor *accessor, uint32_t *out)
{
    if (accessor->component != GLTF_UNSIGNED_BYTE && accessor->component != GLTF_UNSIGNED_SHORT &&
        accessor->component != GLTF_UNSIGNED_INT)
        return scene_fail(gltf->error, "%s.componentType is not of unsigned integers",
                          accessor->item.where);
    memset(out, 0, (size_t)accessor->count * (size_t)accessor->width * sizeof *out);
    Output output = {.gltf = gltf, .accessor = accessor, .integers = out};
    return put_all(&output);
}
