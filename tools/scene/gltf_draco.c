/* KHR_draco_mesh_compression: a primitive's triangles and attributes out of one compressed view.
 *
 * What is decoded becomes the data of the accessors that the primitive names, as floats or as
 * 32-bit integers, so that all that reads accessors goes on as before.
 */
#include "scene/gltf.h"

#ifdef HAS_DRACO
#include "scene/draco.h"

#include <stdlib.h>
#include <string.h>

bool gltf_has_draco(void)
{
    return true;
}

/* Decoded once for each view, however many nodes draw it. */
static bool decode(Gltf *gltf, const GltfItem *item, int32_t view, const DracoMesh **mesh)
{
    char problem[120];
    if (!gltf->dracos[view]) {
        const GltfBytes *bytes = gltf_view(gltf, view);
        if (!bytes)
            return false;
        gltf->dracos[view] = draco_mesh_decode(bytes->bytes, bytes->size, problem, sizeof problem);
        if (!gltf->dracos[view])
            return scene_fail(gltf->error, "%s cannot be decompressed: %.100s", item->where,
                              problem);
    }
    *mesh = gltf->dracos[view];
    return true;
}

/* Memory that lives as long as the file is read. */
static void *keep(Gltf *gltf, size_t count, size_t size)
{
    GltfBytes *kept = realloc(gltf->decoded, ((size_t)gltf->decoded_count + 1) * sizeof *kept);
    if (!kept) {
        scene_fail(gltf->error, "there is no memory left");
        return NULL;
    }
    gltf->decoded = kept;
    kept[gltf->decoded_count] =
        (GltfBytes){.owned = scene_allocate(count, size, &gltf->budget, gltf->error)};
    return kept[gltf->decoded_count++].owned;
}

bool gltf_draco_open(Gltf *gltf, const GltfItem *primitive, GltfDraco *draco)
{
    GltfItem extensions, item;
    int32_t view;
    if (!gltf_member(gltf, primitive, "extensions", true, &extensions) ||
        !gltf_member(gltf, &extensions, "KHR_draco_mesh_compression", true, &item) ||
        !gltf_member(gltf, &item, "attributes", true, &draco->attributes) ||
        !gltf_reference(gltf, &item, "bufferView", "bufferViews", &view))
        return false;
    if (view < 0)
        return scene_fail(gltf->error, "%s has no bufferView", item.where);
    return decode(gltf, &item, view, &draco->mesh);
}

bool gltf_draco_indices(Gltf *gltf, const GltfDraco *draco, GltfAccessor *indices)
{
    const uint32_t count = draco_mesh_triangle_count(draco->mesh);
    if ((int64_t)count * 3 != indices->count)
        return scene_fail(gltf->error, "%s.count is %d, and Draco has %u triangles",
                          indices->item.where, (int)indices->count, (unsigned)count);
    uint32_t *out = keep(gltf, 3 * (size_t)count, sizeof *out);
    if (!out)
        return false;
    draco_mesh_indices(draco->mesh, out);
    indices->decoded = (const uint8_t *)out;
    indices->component = GLTF_UNSIGNED_INT;
    indices->has_data = true;
    return true;
}

/* Integers are raw, as the accessor says what they mean. Those with a sign, or normalized, become
 * floats in place; 16 bits fit. */
static void convert_integers(GltfAccessor *accessor, void *numbers, size_t count)
{
    const bool is_signed = accessor->component == GLTF_BYTE || accessor->component == GLTF_SHORT;
    const double scale = accessor->is_normalized ? gltf_component_scale(accessor->component) : 1;
    if (!is_signed && !accessor->is_normalized) {
        accessor->component = GLTF_UNSIGNED_INT;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        int32_t raw;
        memcpy(&raw, (char *)numbers + 4 * i, sizeof raw);
        double number = raw / scale;
        const float value = (float)(accessor->is_normalized && number < -1 ? -1 : number);
        memcpy((char *)numbers + 4 * i, &value, sizeof value);
    }
    accessor->component = GLTF_FLOAT;
    accessor->is_normalized = false;
}

bool gltf_draco_attribute(Gltf *gltf, const GltfDraco *draco, const char *name,
                          GltfAccessor *accessor)
{
    int64_t id = -1;
    if (!gltf_optional(gltf, &draco->attributes, name, 0, UINT32_MAX, &id))
        return false;
    if (id < 0)
        return true;
    const uint32_t count = draco_mesh_vertex_count(draco->mesh);
    const size_t size = sizeof(float) * (size_t)accessor->width;
    if ((int64_t)count != accessor->count)
        return scene_fail(gltf->error, "%s.count is %d, and Draco has %u vertices",
                          accessor->item.where, (int)accessor->count, (unsigned)count);
    void *out = keep(gltf, count, size);
    if (!out)
        return false;
    const bool is_float = accessor->component == GLTF_FLOAT;
    if (!(is_float ? draco_mesh_floats(draco->mesh, (uint32_t)id, accessor->width, out)
                   : draco_mesh_integers(draco->mesh, (uint32_t)id, accessor->width, out)))
        return scene_fail(gltf->error, "%s.%s has not its %d numbers in Draco's data",
                          draco->attributes.where, name, (int)accessor->width);
    if (!is_float)
        convert_integers(accessor, out, (size_t)count * (size_t)accessor->width);
    accessor->decoded = out;
    accessor->has_data = true;
    return true;
}

void gltf_draco_close(Gltf *gltf, int32_t view_count)
{
    for (int32_t i = 0; gltf->dracos && i < view_count; i++)
        draco_mesh_free(gltf->dracos[i]);
    free(gltf->dracos);
    gltf_free_bytes(gltf->decoded, gltf->decoded_count);
}

#else

#include <stdlib.h>

bool gltf_has_draco(void)
{
    return false;
}

bool gltf_draco_open(Gltf *gltf, const GltfItem *primitive, GltfDraco *draco)
{
    (void)draco;
    return scene_fail(gltf->error,
                      "%s has KHR_draco_mesh_compression, and this build is without libdraco",
                      primitive->where);
}

bool gltf_draco_indices(Gltf *gltf, const GltfDraco *draco, GltfAccessor *indices)
{
    (void)draco;
    return scene_fail(gltf->error, "%s: no Draco", indices->item.where);
}

bool gltf_draco_attribute(Gltf *gltf, const GltfDraco *draco, const char *name,
                          GltfAccessor *accessor)
{
    (void)draco;
    return scene_fail(gltf->error, "%s.%s: no Draco", accessor->item.where, name);
}

void gltf_draco_close(Gltf *gltf, int32_t view_count)
{
    (void)view_count;
    free(gltf->dracos);
}

#endif
