// Draco's decoder. See draco.h.
#include "scene/draco.h"

#include <draco/compression/decode.h>

#include <stdio.h>

struct DracoMesh {
    std::unique_ptr<draco::Mesh> mesh;
};

static void explain(char *error, size_t room, const char *text)
{
    snprintf(error, room, "%s", text);
}

DracoMesh *draco_mesh_decode(const uint8_t *bytes, size_t byte_count, char *error, size_t room)
{
    try {
        draco::DecoderBuffer buffer;
        draco::Decoder decoder;
        buffer.Init(reinterpret_cast<const char *>(bytes), byte_count);
        auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
        if (decoded.ok())
            return new DracoMesh{std::move(decoded).value()};
        explain(error, room, decoded.status().error_msg());
    } catch (...) {
        explain(error, room, "there is no memory left");
    }
    return nullptr;
}

void draco_mesh_free(DracoMesh *mesh)
{
    delete mesh;
}

uint32_t draco_mesh_vertex_count(const DracoMesh *mesh)
{
    return mesh->mesh->num_points();
}

uint32_t draco_mesh_triangle_count(const DracoMesh *mesh)
{
    return mesh->mesh->num_faces();
}

void draco_mesh_indices(const DracoMesh *mesh, uint32_t *out)
{
    for (draco::FaceIndex i(0); i < mesh->mesh->num_faces(); ++i)
        for (int k = 0; k < 3; k++)
            *out++ = mesh->mesh->face(i)[k].value();
}

template <typename Number>
static bool read(const DracoMesh *mesh, uint32_t id, int width, Number *out)
{
    const draco::PointAttribute *attribute = mesh->mesh->GetAttributeByUniqueId(id);
    if (!attribute || attribute->num_components() != width)
        return false;
    for (draco::PointIndex i(0); i < mesh->mesh->num_points(); ++i, out += width) {
        const draco::AttributeValueIndex value = attribute->mapped_index(i);
        if (value.value() >= attribute->size() ||
            !attribute->ConvertValue<Number>(value, static_cast<int8_t>(width), out))
            return false;
    }
    return true;
}

bool draco_mesh_floats(const DracoMesh *mesh, uint32_t id, int width, float *out)
{
    return read(mesh, id, width, out);
}

bool draco_mesh_integers(const DracoMesh *mesh, uint32_t id, int width, int32_t *out)
{
    return read(mesh, id, width, out);
}
