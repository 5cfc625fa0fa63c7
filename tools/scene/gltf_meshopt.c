/* Views compressed by EXT_meshopt_compression: what libmeshoptimizer wants is checked before it is
 * called, as it only asserts it. Of KHR_meshopt_compression, which is laid out alike, it knows the
 * older encodings alone, and says so itself.
 */
#include "scene/gltf.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#ifdef HAS_MESHOPT
#include "scene/meshopt.h"

typedef struct Packed {
    const uint8_t *bytes;
    size_t size, count, stride;
} Packed;

static int decode_attributes(void *out, const Packed *packed)
{
    return meshopt_decodeVertexBuffer(out, packed->count, packed->stride, packed->bytes,
                                      packed->size);
}

static int decode_triangles(void *out, const Packed *packed)
{
    return meshopt_decodeIndexBuffer(out, packed->count, packed->stride, packed->bytes,
                                     packed->size);
}

static int decode_indices(void *out, const Packed *packed)
{
    return meshopt_decodeIndexSequence(out, packed->count, packed->stride, packed->bytes,
                                       packed->size);
}

/* The filter for rotations: the three smaller numbers, times the root of two, in units that the
 * fourth number says, together with which one is left out. It is specified to one unit in the last
 * place, and decoders differ by that, which turns a character by 3e-5 here or there. So that a file
 * is the same everywhere, it is computed in double here. */
static void decode_rotations(void *out, size_t count, size_t stride)
{
    for (size_t i = 0; i < count; i++) {
        int16_t in[4], *q = (int16_t *)((char *)out + i * stride);
        memcpy(in, q, sizeof in);
        double unit = sqrt(0.5) / (in[3] | 3), rest = 1;
        for (int k = 0; k < 3; k++) {
            double number = in[k] * unit;
            rest -= number * number;
            q[(in[3] + 1 + k) & 3] = (int16_t)fmax(fmin(round(number * 32767), 32767), -32768);
        }
        q[in[3] & 3] = (int16_t)round(sqrt(fmax(rest, 0)) * 32767);
    }
}

/* Strides that are allowed, and what the count must be a multiple of. */
static const struct Mode {
    const char *name;
    int (*decode)(void *out, const Packed *packed);
    int64_t least_stride, max_stride, stride_step, count_step;
} modes[] = {
    {"ATTRIBUTES", decode_attributes, 4, 256, 4, 1},
    {"TRIANGLES", decode_triangles, 2, 4, 2, 3},
    {"INDICES", decode_indices, 2, 4, 2, 1},
};

static const struct Filter {
    const char *name;
    void (*decode)(void *out, size_t count, size_t stride);
    int64_t least_stride, max_stride, stride_step;
} filters[] = {
    {"NONE", NULL, 0, 256, 1},
    {"OCTAHEDRAL", meshopt_decodeFilterOct, 4, 8, 4},
    {"QUATERNION", decode_rotations, 8, 8, 8},
    {"EXPONENTIAL", meshopt_decodeFilterExp, 4, 256, 4},
};

static const struct Mode *find_mode(const char *name)
{
    for (size_t i = 0; name && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    return NULL;
}

static const struct Filter *find_filter(const char *name)
{
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (strcmp(filters[i].name, name ? name : "NONE") == 0)
            return &filters[i];
    return NULL;
}

static bool check_numbers(Gltf *gltf, const GltfItem *item, const struct Mode *mode,
                          const struct Filter *filter, int64_t count, int64_t stride)
{
    if (stride < mode->least_stride || stride > mode->max_stride || stride % mode->stride_step)
        return scene_fail(gltf->error, "%s.byteStride is %lld, which %s do not have", item->where,
                          (long long)stride, mode->name);
    if (count % mode->count_step != 0)
        return scene_fail(gltf->error, "%s.count is %lld, which is not whole triangles",
                          item->where, (long long)count);
    if (filter->decode && mode != &modes[0])
        return scene_fail(gltf->error, "%s.filter is %s, which %s do not have", item->where,
                          filter->name, mode->name);
    if (stride < filter->least_stride || stride > filter->max_stride ||
        stride % filter->stride_step)
        return scene_fail(gltf->error, "%s.byteStride is %lld, which filter %s does not have",
                          item->where, (long long)stride, filter->name);
    return true;
}

/* Finds the packed bytes, and how to unpack them. */
static bool read_packed(Gltf *gltf, const GltfItem *item, Packed *packed, const struct Mode **mode,
                        const struct Filter **filter)
{
    int32_t buffer;
    int64_t offset = 0, length = 0, stride = 0, count = 0;
    const char *mode_name = gltf_string(item, "mode"), *filter_name = gltf_string(item, "filter");
    if (!(*mode = find_mode(mode_name)))
        return scene_fail(gltf->error, "%s.mode is %.40s, which is unknown", item->where,
                          mode_name ? mode_name : "missing");
    if (!(*filter = find_filter(filter_name)))
        return scene_fail(gltf->error, "%s.filter is %.40s, which is not supported", item->where,
                          filter_name);
    if (!gltf_reference(gltf, item, "buffer", "buffers", &buffer) ||
        !gltf_optional(gltf, item, "byteOffset", 0, LLONG_MAX, &offset) ||
        !gltf_integer(gltf, item, "byteLength", 1, LLONG_MAX, &length) ||
        !gltf_integer(gltf, item, "byteStride", 2, 256, &stride) ||
        !gltf_integer(gltf, item, "count", 1, INT32_MAX, &count) ||
        !check_numbers(gltf, item, *mode, *filter, count, stride))
        return false;
    if (buffer < 0)
        return scene_fail(gltf->error, "%s has no buffer", item->where);
    packed->bytes = gltf_buffer_range(gltf, item, buffer, offset, length);
    packed->size = (size_t)length;
    packed->count = (size_t)count;
    packed->stride = (size_t)stride;
    return packed->bytes != NULL;
}

bool gltf_has_meshopt(void)
{
    return true;
}

bool gltf_meshopt(Gltf *gltf, const GltfItem *view, const char *name, GltfBytes *bytes)
{
    GltfItem extensions, item;
    Packed packed = {0};
    const struct Mode *mode = NULL;
    const struct Filter *filter = NULL;
    if (!gltf_member(gltf, view, "extensions", true, &extensions) ||
        !gltf_member(gltf, &extensions, name, true, &item) ||
        !read_packed(gltf, &item, &packed, &mode, &filter))
        return false;
    bytes->owned = scene_allocate(packed.count, packed.stride, &gltf->budget, gltf->error);
    if (!bytes->owned)
        return false;
    if (mode->decode(bytes->owned, &packed) != 0)
        return scene_fail(gltf->error, "%s cannot be decompressed: damaged, or a newer encoding",
                          item.where);
    if (filter->decode)
        filter->decode(bytes->owned, packed.count, packed.stride);
    bytes->bytes = bytes->owned;
    bytes->size = packed.count * packed.stride;
    return true;
}

#else

bool gltf_has_meshopt(void)
{
    return false;
}

bool gltf_meshopt(Gltf *gltf, const GltfItem *view, const char *name, GltfBytes *bytes)
{
    (void)bytes;
    return scene_fail(gltf->error, "%s has %s, and this build is without libmeshoptimizer",
                      view->where, name);
}

#endif
