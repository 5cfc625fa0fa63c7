/* Meshes as parts: what a node draws, all of it or each material by itself.
 *
 * A part is made in two passes. The first measures its primitives without reading them, so that
 * all memory is asked for once and by its true size; the second reads each primitive to its place.
 */
#include "scene/gltf.h"

#include <stdlib.h>
#include <string.h>

enum { MODE_TRIANGLES = 4, MODE_STRIP = 5, MODE_FAN = 6 };
enum { MAX_SETS = 2 }; /* of four joints each: the library takes eight */

typedef struct Primitive {
    GltfItem item, attributes;
    int32_t number, material, mode;
    GltfAccessor positions, indices;
    GltfDraco draco;
    bool has_indices, is_drawn; /* drawn: triangles that have positions */
    int32_t triangle_count;     /* at most: a strip may have less */
    int32_t set_count;          /* of four joints each */
    int32_t target_count;
} Primitive;

/* A mesh as one node has it. */
typedef struct Drawing {
    GltfItem node, mesh;
    int32_t node_number, mesh_number, skin, target_count;
    Primitive *primitives; /* by material, if parts are */
    int32_t primitive_count;
} Drawing;

/* ---- Measuring primitives -----------------------------------------------------------------------
 */

static bool inspect_indices(Gltf *gltf, Primitive *primitive)
{
    int32_t index;
    if (!gltf_reference(gltf, &primitive->item, "indices", "accessors", &index))
        return false;
    primitive->has_indices = index >= 0;
    return index < 0 || gltf_accessor(gltf, index, 1, &primitive->indices);
}

/* How many sets of joints there are: those that have weights too. Up to two are read. */
static bool inspect_joints(Gltf *gltf, Primitive *primitive)
{
    static const char *const joints[] = {"JOINTS_0", "JOINTS_1", "JOINTS_2"};
    static const char *const weights[] = {"WEIGHTS_0", "WEIGHTS_1", "WEIGHTS_2"};
    json_t *attributes = primitive->attributes.json;
    for (int i = 0; i <= MAX_SETS; i++) {
        bool has_joints = json_object_get(attributes, joints[i]) != NULL;
        if (has_joints != (json_object_get(attributes, weights[i]) != NULL))
            return scene_fail(gltf->error, "%s has one of %s and %s without the other",
                              primitive->attributes.where, joints[i], weights[i]);
        if (has_joints && (i == MAX_SETS || i > primitive->set_count))
            return scene_fail(
                gltf->error, "%s has %s, which is not supported%s", primitive->attributes.where,
                joints[i], i == MAX_SETS ? ": up to 8 joints for a vertex are" : " without others");
        primitive->set_count += has_joints;
    }
    return true;
}

/* What stands beside Draco's data may be whole, and is read then. */
static bool inspect_draco(Gltf *gltf, Primitive *primitive)
{
    if (!gltf_extension(&primitive->item, "KHR_draco_mesh_compression"))
        return true;
    if (primitive->positions.has_view && (!primitive->has_indices || primitive->indices.has_view))
        return true;
    if (primitive->mode != MODE_TRIANGLES || !primitive->has_indices)
        return scene_fail(gltf->error, "%s has KHR_draco_mesh_compression without triangles",
                          primitive->item.where);
    return gltf_draco_open(gltf, &primitive->item, &primitive->draco) &&
           gltf_draco_indices(gltf, &primitive->draco, &primitive->indices) &&
           gltf_draco_attribute(gltf, &primitive->draco, "POSITION", &primitive->positions);
}

static int32_t triangles_of(const Primitive *primitive)
{
    int32_t count = primitive->has_indices ? primitive->indices.count : primitive->positions.count;
    if (primitive->mode == MODE_TRIANGLES)
        return count / 3;
    return count < 3 ? 0 : count - 2;
}

static bool inspect_drawn(Gltf *gltf, Primitive *primitive)
{
    int32_t position;
    if (!gltf_member(gltf, &primitive->item, "attributes", true, &primitive->attributes) ||
        !gltf_reference(gltf, &primitive->attributes, "POSITION", "accessors", &position))
        return false;
    primitive->is_drawn = position >= 0;
    if (position < 0)
        return true;
    if (!gltf_accessor(gltf, position, 3, &primitive->positions) ||
        !inspect_indices(gltf, primitive) || !inspect_joints(gltf, primitive) ||
        !inspect_draco(gltf, primitive))
        return false;
    primitive->triangle_count = triangles_of(primitive);
    return true;
}

static bool inspect_primitive(Gltf *gltf, const GltfItem *mesh, int32_t number,
                              Primitive *primitive)
{
    json_t *targets;
    int64_t mode = MODE_TRIANGLES;
    primitive->number = number;
    if (!gltf_element(gltf, mesh, "primitives", number, &primitive->item) ||
        !gltf_optional(gltf, &primitive->item, "mode", 0, MODE_FAN, &mode) ||
        !gltf_reference(gltf, &primitive->item, "material", "materials", &primitive->material) ||
        !gltf_list(gltf, &primitive->item, "targets", &targets, &primitive->target_count))
        return false;
    primitive->mode = (int32_t)mode;
    return mode < MODE_TRIANGLES || inspect_drawn(gltf, primitive);
}

bool gltf_target_count(Gltf *gltf, int32_t mesh, int32_t *count)
{
    int32_t primitive_count, most = 0;
    json_t *list;
    GltfItem item, primitive;
    *count = gltf->target_counts[mesh];
    if (*count >= 0)
        return true;
    if (!gltf_item(gltf, "meshes", mesh, &item) ||
        !gltf_list(gltf, &item, "primitives", &list, &primitive_count))
        return false;
    for (int32_t i = 0; i < primitive_count; i++) {
        int32_t own;
        if (!gltf_element(gltf, &item, "primitives", i, &primitive) ||
            !gltf_list(gltf, &primitive, "targets", &list, &own))
            return false;
        most = own > most ? own : most;
    }
    *count = gltf->target_counts[mesh] = most;
    return true;
}

/* ---- Triangles ------------------------------------------------------------------------------- */

/* The corners of a triangle by their places in the list of indices. */
static void corner_indices_of(int32_t mode, int64_t i, int64_t corner_places[3])
{
    bool is_odd = mode == MODE_STRIP && i % 2 == 1;
    int64_t first = mode == MODE_TRIANGLES ? 3 * i : mode == MODE_FAN ? i + 1 : i;
    corner_places[0] = mode == MODE_FAN ? 0 : is_odd ? first + 2 : first;
    corner_places[1] = mode == MODE_FAN ? first : first + 1;
    corner_places[2] = mode == MODE_FAN ? first + 1 : is_odd ? first : first + 2;
}

/* Strips are sewn together by triangles that name a vertex twice, which nothing draws. */
static bool is_seam(const Primitive *primitive, const uint32_t *corners)
{
    return primitive->mode != MODE_TRIANGLES &&
           (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]);
}

static void put_triangles(const Primitive *primitive, const uint32_t *indices, uint32_t first,
                          ScenePart *part)
{
    for (int32_t i = 0; i < primitive->triangle_count; i++) {
        int64_t corner_places[3];
        uint32_t *corners = &part->triangles[3 * (size_t)part->triangle_count];
        corner_indices_of(primitive->mode, i, corner_places);
        for (int k = 0; k < 3; k++)
            corners[k] = first + (indices ? indices[corner_places[k]] : (uint32_t)corner_places[k]);
        if (is_seam(primitive, corners))
            continue;
        part->faces[part->triangle_count++] = (SceneFace){primitive->number, i};
    }
}

static bool check_indices(Gltf *gltf, const Primitive *primitive, const uint32_t *indices)
{
    for (int32_t i = 0; i < primitive->indices.count; i++)
        if (indices[i] >= (uint32_t)primitive->positions.count)
            return scene_fail(gltf->error, "%s: number %d is %u, and %s has %d vertices",
                              primitive->indices.item.where, (int)i, (unsigned)indices[i],
                              primitive->item.where, (int)primitive->positions.count);
    return true;
}

static bool read_triangles(Gltf *gltf, const Primitive *primitive, uint32_t first, ScenePart *part)
{
    if (!primitive->has_indices) {
        put_triangles(primitive, NULL, first, part);
        return true;
    }
    uint32_t *indices = scene_allocate((size_t)primitive->indices.count, sizeof *indices,
                                       &gltf->budget, gltf->error);
    bool is_ok = indices && gltf_read_integers(gltf, &primitive->indices, indices) &&
                 check_indices(gltf, primitive, indices);
    if (is_ok)
        put_triangles(primitive, indices, first, part);
    free(indices);
    return is_ok;
}

/* ---- Targets and joints ---------------------------------------------------------------------- */

bool gltf_attribute(Gltf *gltf, const GltfItem *attributes, const char *name, int32_t width,
                    int32_t vertex_count, const GltfDraco *draco, GltfAccessor *accessor)
{
    int32_t index;
    if (!gltf_reference(gltf, attributes, name, "accessors", &index) ||
        !gltf_accessor(gltf, index, width, accessor) ||
        (draco->mesh && !gltf_draco_attribute(gltf, draco, name, accessor)))
        return false;
    return accessor->count == vertex_count ||
           scene_fail(gltf->error, "%s.%s is of %d vertices, and POSITION of %d", attributes->where,
                      name, (int)accessor->count, (int)vertex_count);
}

static bool read_targets(Gltf *gltf, const Primitive *primitive, int32_t first, ScenePart *part)
{
    for (int32_t i = 0; i < primitive->target_count; i++) {
        GltfItem target;
        GltfAccessor accessor;
        if (!gltf_element(gltf, &primitive->item, "targets", i, &target))
            return false;
        if (!json_object_get(target.json, "POSITION"))
            continue; /* it moves normals alone, or nothing */
        size_t index = (size_t)i * (size_t)part->vertex_count + (size_t)first;
        if (!gltf_attribute(gltf, &target, "POSITION", 3, primitive->positions.count,
                            &(GltfDraco){0}, &accessor) ||
            !gltf_read_floats(gltf, &accessor, part->targets + 3 * index))
            return false;
    }
    return true;
}

static bool put_joint_set(Gltf *gltf, const GltfItem *attributes, const uint32_t *joints,
                          const float *weights, int32_t vertex_count, int32_t joint_count,
                          ScenePart *part, size_t index)
{
    for (int32_t v = 0; v < vertex_count; v++, index += (size_t)part->influence_count) {
        for (int k = 0; k < 4; k++) {
            uint32_t joint = joints[4 * (size_t)v + (size_t)k];
            float weight = weights[4 * (size_t)v + (size_t)k];
            if (weight < 0)
                return scene_fail(gltf->error, "%s: vertex %d has a weight below zero, %g",
                                  attributes->where, (int)v, (double)weight);
            if (joint >= (uint32_t)joint_count && weight > 0)
                return scene_fail(gltf->error, "%s: vertex %d has joint %u, and there are %d",
                                  attributes->where, (int)v, (unsigned)joint, (int)joint_count);
            part->joints[index + (size_t)k] = (uint16_t)(joint < (uint32_t)joint_count ? joint : 0);
            part->joint_weights[index + (size_t)k] = weight;
        }
    }
    return true;
}

static bool read_joint_set(Gltf *gltf, const Primitive *primitive, int32_t set, int32_t first,
                           ScenePart *part)
{
    static const char *const joint_names[] = {"JOINTS_0", "JOINTS_1"};
    static const char *const weight_names[] = {"WEIGHTS_0", "WEIGHTS_1"};
    const GltfItem *attributes = &primitive->attributes;
    GltfAccessor joints = {0}, weights = {0};
    int32_t count = primitive->positions.count;
    if (!gltf_attribute(gltf, attributes, joint_names[set], 4, count, &primitive->draco, &joints) ||
        !gltf_attribute(gltf, attributes, weight_names[set], 4, count, &primitive->draco, &weights))
        return false;
    uint32_t *indices =
        scene_allocate((size_t)count, 4 * sizeof *indices, &gltf->budget, gltf->error);
    float *numbers = scene_allocate((size_t)count, 4 * sizeof *numbers, &gltf->budget, gltf->error);
    size_t index = (size_t)first * (size_t)part->influence_count + 4 * (size_t)set;
    bool is_ok = indices && numbers && gltf_read_integers(gltf, &joints, indices) &&
                 gltf_read_floats(gltf, &weights, numbers) &&
                 put_joint_set(gltf, attributes, indices, numbers, count,
                               gltf->scene->skins[part->skin].joint_count, part, index);
    free(indices);
    free(numbers);
    return is_ok;
}

/* Weights of a vertex sum to one; where all are zero, it follows the first joint that it names. */
static void normalise_weights(ScenePart *part)
{
    size_t width = (size_t)part->influence_count;
    for (int32_t v = 0; v < part->vertex_count; v++) {
        float *weights = part->joint_weights + (size_t)v * width;
        double sum = 0;
        for (size_t k = 0; k < width; k++)
            sum += (double)weights[k];
        for (size_t k = 0; k < width; k++)
            weights[k] = sum > 0 ? (float)((double)weights[k] / sum) : (float)(k == 0);
    }
}

static bool read_joints(Gltf *gltf, const Primitive *primitive, int32_t first, ScenePart *part)
{
    if (part->skin < 0)
        return true;
    if (primitive->set_count == 0)
        return scene_fail(gltf->error, "%s has no JOINTS_0, and nodes[%d] gives it a skin",
                          primitive->item.where, (int)part->node);
    for (int32_t set = 0; set < primitive->set_count && set < MAX_SETS; set++)
        if (!read_joint_set(gltf, primitive, set, first, part))
            return false;
    return true;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static bool read_primitive(Gltf *gltf, const Primitive *primitive, int32_t first, ScenePart *part)
{
    return gltf_read_floats(gltf, &primitive->positions, part->vertices + 3 * (size_t)first) &&
           read_triangles(gltf, primitive, (uint32_t)first, part) &&
           read_targets(gltf, primitive, first, part) && read_joints(gltf, primitive, first, part);
}

/* Names of targets, where writers put them: with the mesh, or with its first primitive. */
static bool name_targets(Gltf *gltf, const Drawing *drawing, ScenePart *part)
{
    json_t *names = json_object_get(json_object_get(drawing->mesh.json, "extras"), "targetNames");
    json_t *first = json_array_get(json_object_get(drawing->mesh.json, "primitives"), 0);
    if (!names)
        names = json_object_get(json_object_get(first, "extras"), "targetNames");
    for (int32_t i = 0; i < part->target_count; i++) {
        char number[16];
        const char *name = json_string_value(json_array_get(names, (size_t)i));
        snprintf(number, sizeof number, "%d", (int)i);
        if (!(part->target_names[i] = strdup(name ? name : number)))
            return scene_fail(gltf->error, "there is no memory left");
    }
    return true;
}

static bool read_weights(Gltf *gltf, const Drawing *drawing, ScenePart *part)
{
    bool is_there;
    int32_t count = part->target_count;
    if (count == 0)
        return true;
    if (!gltf_numbers(gltf, &drawing->node, "weights", count, part->weights, &is_there))
        return false;
    return is_there ||
           gltf_numbers(gltf, &drawing->mesh, "weights", count, part->weights, &is_there);
}

static bool allocate_part(Gltf *gltf, ScenePart *part, int64_t vertices, int64_t triangles)
{
    size_t *budget = &gltf->budget, v = (size_t)vertices, t = (size_t)triangles;
    size_t targets = (size_t)part->target_count, influences = (size_t)part->influence_count;
    SceneError *error = gltf->error;
    if (vertices > INT32_MAX || triangles > INT32_MAX)
        return scene_fail(error, "nodes[%d] draws more than 2^31 vertices or triangles",
                          (int)part->node);
    part->vertex_count = part->read_count = (int32_t)vertices;
    return (part->vertices = scene_allocate(v, sizeof(float[3]), budget, error)) &&
           (part->triangles = scene_allocate(t, sizeof(uint32_t[3]), budget, error)) &&
           (part->faces = scene_allocate(t, sizeof *part->faces, budget, error)) &&
           (part->targets = scene_allocate(targets * v, sizeof(float[3]), budget, error)) &&
           (part->target_names = scene_allocate(targets, sizeof(char *), budget, error)) &&
           (part->weights = scene_allocate(targets, sizeof(float), budget, error)) &&
           (part->joints = scene_allocate(influences * v, sizeof(uint16_t), budget, error)) &&
           (part->joint_weights = scene_allocate(influences * v, sizeof(float), budget, error));
}

/* Reads the primitives from one to another into a part. */
static bool read_part(Gltf *gltf, const Drawing *drawing, int32_t begin, int32_t end,
                      ScenePart *part)
{
    int64_t vertices = 0, triangles = 0;
    int32_t set_count = 0, first = 0;
    for (int32_t i = begin; i < end; i++) {
        const Primitive *primitive = &drawing->primitives[i];
        vertices += primitive->is_drawn ? primitive->positions.count : 0;
        triangles += primitive->triangle_count;
        set_count = primitive->set_count > set_count ? primitive->set_count : set_count;
    }
    part->target_count = drawing->target_count;
    part->influence_count = part->skin >= 0 ? 4 * set_count : 0;
    if (!allocate_part(gltf, part, vertices, triangles) || !name_targets(gltf, drawing, part) ||
        !read_weights(gltf, drawing, part))
        return false;
    for (int32_t i = begin; i < end; i++) {
        const Primitive *primitive = &drawing->primitives[i];
        const GltfPainted painted = {.attributes = &primitive->attributes,
                                     .draco = &primitive->draco,
                                     .material = primitive->material,
                                     .vertex_count = primitive->positions.count,
                                     .first_vertex = first,
                                     .first_triangle = part->triangle_count,
                                     .triangle_room = triangles};
        if (!primitive->is_drawn)
            continue;
        if (!read_primitive(gltf, primitive, first, part) || !gltf_paint(gltf, &painted, part))
            return false;
        first += primitive->positions.count;
    }
    normalise_weights(part);
    return true;
}

static bool name_part(Gltf *gltf, const Drawing *drawing, int32_t material, ScenePart *part)
{
    GltfItem item;
    const char *node = gltf->scene->nodes[drawing->node_number].name;
    if (gltf->options->by == SCENE_BY_NODE) {
        part->name = strdup(node);
        return part->name || scene_fail(gltf->error, "there is no memory left");
    }
    if (material >= 0 && !gltf_item(gltf, "materials", material, &item))
        return false;
    char *name = material >= 0 ? gltf_name(gltf, &item, "material", material) : strdup("plain");
    size_t room = strlen(node) + (name ? strlen(name) : 0) + 2;
    part->name = malloc(room);
    if (part->name)
        snprintf(part->name, room, "%s/%s", node, name ? name : "");
    free(name);
    return (name && part->name) || scene_fail(gltf->error, "there is no memory left");
}

/* One more part, which belongs to the scene at once, so that it is freed whatever happens. */
static ScenePart *add_part(Gltf *gltf, const Drawing *drawing)
{
    Scene *scene = gltf->scene;
    if ((scene->part_count & (scene->part_count - 1)) == 0) { /* full, at 0, 1, 2, 4, 8, ... */
        size_t room = scene->part_count ? 2 * (size_t)scene->part_count : 1;
        ScenePart *parts = realloc(scene->parts, room * sizeof *parts);
        if (!parts) {
            scene_fail(gltf->error, "there is no memory left");
            return NULL;
        }
        scene->parts = parts;
    }
    ScenePart *part = &scene->parts[scene->part_count++];
    *part = (ScenePart){.node = drawing->node_number, .skin = drawing->skin, .cached = -1};
    return part;
}

/* ---- Nodes that draw ------------------------------------------------------------------------- */

static int by_material(const void *a, const void *b)
{
    const Primitive *x = a, *y = b;
    if (x->material != y->material)
        return x->material < y->material ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int32_t run_end(const Gltf *gltf, const Drawing *drawing, int32_t begin)
{
    int32_t end = begin + 1;
    if (gltf->options->by == SCENE_BY_NODE)
        return drawing->primitive_count;
    while (end < drawing->primitive_count &&
           drawing->primitives[end].material == drawing->primitives[begin].material)
        end++;
    return end;
}

static bool has_triangles(const Drawing *drawing, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++)
        if (drawing->primitives[i].triangle_count > 0)
            return true;
    return false;
}

/* Where no byte says where vertices are, or which ones triangles have, all of it is one point. What
 * has targets or joints may still come apart: it is read, and scene_drop_points() sees it then. */
static bool is_one_place(const Primitive *primitive)
{
    if (primitive->triangle_count == 0)
        return false;
    if (primitive->has_indices && !primitive->indices.has_data)
        return true;
    return !primitive->positions.has_data && primitive->target_count == 0 &&
           primitive->set_count == 0;
}

static void drop_point_primitives(Gltf *gltf, Drawing *drawing)
{
    int32_t points = 0, others = 0;
    const char *name = gltf->scene->nodes[drawing->node_number].name;
    for (int32_t i = 0; i < drawing->primitive_count; i++) {
        Primitive *primitive = &drawing->primitives[i];
        const bool is_point = is_one_place(primitive);
        points += is_point;
        others += primitive->triangle_count > 0 && !is_point;
        if (is_point) {
            primitive->is_drawn = false;
            primitive->triangle_count = 0;
        }
    }
    if (points > 0 && others == 0)
        scene_note_one_place(gltf->scene, name);
    else if (points > 0)
        scene_note(gltf->scene, "%d primitives of '%.200s' are in one place: left out", (int)points,
                   name);
}

static bool read_drawing(Gltf *gltf, Drawing *drawing, int64_t *exclusion_masks)
{
    for (int32_t i = 0; i < drawing->primitive_count; i++) {
        if (!inspect_primitive(gltf, &drawing->mesh, i, &drawing->primitives[i]))
            return false;
        *exclusion_masks += drawing->primitives[i].triangle_count == 0;
    }
    drop_point_primitives(gltf, drawing);
    if (gltf->options->by == SCENE_BY_MATERIAL)
        qsort(drawing->primitives, (size_t)drawing->primitive_count, sizeof *drawing->primitives,
              by_material);
    int32_t end;
    for (int32_t begin = 0; begin < drawing->primitive_count; begin = end) {
        end = run_end(gltf, drawing, begin);
        if (!has_triangles(drawing, begin, end))
            continue;
        ScenePart *part = add_part(gltf, drawing);
        if (!part || !name_part(gltf, drawing, drawing->primitives[begin].material, part) ||
            !read_part(gltf, drawing, begin, end, part))
            return false;
    }
    return true;
}

static bool read_node_parts(Gltf *gltf, int32_t node, int64_t *exclusion_masks)
{
    json_t *list;
    Drawing drawing = {.node_number = node};
    if (!gltf_item(gltf, "nodes", node, &drawing.node) ||
        !gltf_reference(gltf, &drawing.node, "mesh", "meshes", &drawing.mesh_number) ||
        !gltf_reference(gltf, &drawing.node, "skin", "skins", &drawing.skin))
        return false;
    if (drawing.mesh_number < 0)
        return true;
    if (!gltf_item(gltf, "meshes", drawing.mesh_number, &drawing.mesh) ||
        !gltf_list(gltf, &drawing.mesh, "primitives", &list, &drawing.primitive_count) ||
        !gltf_target_count(gltf, drawing.mesh_number, &drawing.target_count))
        return false;
    drawing.primitives = scene_allocate((size_t)drawing.primitive_count, sizeof *drawing.primitives,
                                        &gltf->budget, gltf->error);
    bool is_ok = drawing.primitives && read_drawing(gltf, &drawing, exclusion_masks);
    free(drawing.primitives);
    return is_ok;
}

/* A strip of seams alone leaves a part without triangles: it is no part. */
static void drop_empty(Scene *scene)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < scene->part_count; i++) {
        if (scene->parts[i].triangle_count > 0)
            scene->parts[kept++] = scene->parts[i];
        else
            scene_free_part(&scene->parts[i]);
    }
    scene->part_count = kept;
}

static bool make_names_unique(Gltf *gltf)
{
    Scene *scene = gltf->scene;
    char **names =
        scene_allocate((size_t)scene->part_count, sizeof *names, &gltf->budget, gltf->error);
    for (int32_t i = 0; names && i < scene->part_count; i++)
        names[i] = scene->parts[i].name;
    bool is_ok = names && scene_make_unique(names, scene->part_count, gltf->error);
    for (int32_t i = 0; names && i < scene->part_count; i++)
        scene->parts[i].name = names[i];
    free(names);
    return is_ok;
}

bool gltf_read_parts(Gltf *gltf)
{
    int64_t exclusion_masks = 0;
    Scene *scene = gltf->scene;
    for (int32_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].is_in_scene && !read_node_parts(gltf, i, &exclusion_masks))
            return false;
    drop_empty(scene);
    if (exclusion_masks)
        scene_note(scene, "%lld primitives of points, lines or nothing are left out",
                   (long long)exclusion_masks);
    return make_names_unique(gltf);
}
