/* The arm in every format: see models.h. */
#include "models.h"

#include "glb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double max_bent = 2.45; /* radians: 140 degrees */

typedef enum Variant { PLAIN, QUANTIZED, SPARSE, MESHOPT } Variant;

typedef struct Writer {
    Glb glb;
    const Arm *arm;
    Variant variant;
    double size; /* of a coordinate at most: what 1 is in a quantized file */
} Writer;

/* ---- Vertices ---------------------------------------------------------------------------------
 */

static GlbMode mode_of(const Writer *w)
{
    return w->variant == MESHOPT ? GLB_ATTRIBUTES : GLB_PLAIN;
}

static int write_floats(Writer *w, const float *values, int32_t count, int32_t width)
{
    return glb_accessor(&w->glb, &(GlbData){values, count, width, GLB_FLOAT,
                                            (size_t)width * sizeof(float), false, mode_of(w)});
}

static void *allocate(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (block)
        return block;
    fprintf(stderr, "models: no memory\n");
    exit(1);
}

/* Signed, normalized, in four places of `bits` bits of which three are used. */
static int write_packed(Writer *w, float (*values)[3], int32_t count, int bits, double size)
{
    const double most = bits == 16 ? 32767 : 127;
    int16_t(*wide)[4] = allocate((size_t)count, sizeof *wide);
    int8_t *narrow = (int8_t *)wide;
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const long value = lround((double)values[i][k] / size * most);
            if (bits == 16)
                wide[i][k] = (int16_t)value;
            else
                narrow[4 * i + k] = (int8_t)value;
        }
    const GlbData data = {wide, count,     3, bits == 16 ? GLB_SHORT : GLB_BYTE, (size_t)bits / 2,
                          true, mode_of(w)};
    const int accessor = glb_accessor(&w->glb, &data);
    free(wide);
    return accessor;
}

static int write_points(Writer *w, float (*values)[3], int32_t count)
{
    return w->variant == QUANTIZED ? write_packed(w, values, count, 16, w->size)
                                   : write_floats(w, values[0], count, 3);
}

/* Every seventh vertex is somewhere else in the view, and only right by the sparse part. */
static int write_sparse_points(Writer *w, float (*values)[3], int32_t count)
{
    float(*wrong)[3] = allocate((size_t)count, sizeof *wrong);
    uint16_t *corner_places = allocate((size_t)count, sizeof *corner_places);
    int32_t number = 0;
    memcpy(wrong, values, (size_t)count * sizeof *wrong);
    for (int32_t i = 0; i < count; i += 7) {
        wrong[i][1] += 1;
        corner_places[number++] = (uint16_t)i;
    }
    const int view = glb_view(&w->glb, wrong, (size_t)count * sizeof *wrong);
    const int accessor = glb_sparse(&w->glb, view, values[0], count, corner_places, number);
    free(wrong);
    free(corner_places);
    return accessor;
}

/* A target as those vertices that move. */
static int write_sparse_target(Writer *w, float (*values)[3], int32_t count)
{
    uint16_t *corner_places = allocate((size_t)count, sizeof *corner_places);
    int32_t number = 0;
    for (int32_t i = 0; i < count; i++)
        if (values[i][0] != 0 || values[i][1] != 0 || values[i][2] != 0)
            corner_places[number++] = (uint16_t)i;
    const int accessor = glb_sparse(&w->glb, -1, values[0], count, corner_places, number);
    free(corner_places);
    return accessor;
}

/* Bytes whose sum is 255. */
static int write_byte_weights(Writer *w, float (*values)[4], int32_t count)
{
    uint8_t(*bytes)[4] = allocate((size_t)count, sizeof *bytes);
    for (int32_t i = 0; i < count; i++) {
        int most = 0, sum = 0;
        for (int k = 0; k < 4; k++) {
            bytes[i][k] = (uint8_t)lround((double)values[i][k] * 255);
            most = bytes[i][k] > bytes[i][most] ? k : most;
            sum += bytes[i][k];
        }
        bytes[i][most] = (uint8_t)(bytes[i][most] + 255 - sum);
    }
    const int accessor =
        glb_accessor(&w->glb, &(GlbData){bytes, count, 4, GLB_UBYTE, 4, true, mode_of(w)});
    free(bytes);
    return accessor;
}

static int write_joints(Writer *w, const ArmPart *part)
{
    if (w->variant != QUANTIZED)
        return glb_accessor(&w->glb, &(GlbData){part->joints, part->vertex_count, 4, GLB_USHORT,
                                                sizeof *part->joints, false, mode_of(w)});
    uint8_t(*bytes)[4] = allocate((size_t)part->vertex_count, sizeof *bytes);
    for (int32_t i = 0; i < 4 * part->vertex_count; i++)
        bytes[i / 4][i % 4] = (uint8_t)part->joints[i / 4][i % 4];
    const GlbData data = {bytes, part->vertex_count, 4, GLB_UBYTE, 4, false, GLB_PLAIN};
    const int accessor = glb_accessor(&w->glb, &data);
    free(bytes);
    return accessor;
}

static int write_indices(Writer *w, const ArmPart *part)
{
    const int32_t count = 3 * part->triangle_count;
    uint16_t *indices = allocate((size_t)count, sizeof *indices);
    for (int32_t i = 0; i < count; i++)
        indices[i] = (uint16_t)part->triangles[i / 3][i % 3];
    const GlbData data = {indices,
                          count,
                          1,
                          GLB_USHORT,
                          sizeof *indices,
                          false,
                          w->variant == MESHOPT ? GLB_TRIANGLES : GLB_PLAIN};
    const int accessor = glb_accessor(&w->glb, &data);
    free(indices);
    return accessor;
}

/* ---- Meshes and nodes -------------------------------------------------------------------------
 */

static int write_material(Writer *w, const ArmPart *part)
{
    const float *c = part->color;
    return glb_append(&w->glb, "materials",
                      json_pack("{ss s{s[ffff] sf sf}}", "name", part->material,
                                "pbrMetallicRoughness", "baseColorFactor", (double)c[0],
                                (double)c[1], (double)c[2], 1.0, "metallicFactor", 0.0,
                                "roughnessFactor", 0.8));
}

/* One after the other, so that every compiler makes the same file. */
static void set(json_t *object, const char *name, int number)
{
    json_object_set_new(object, name, json_integer(number));
}

static void write_mesh(Writer *w, const ArmPart *part)
{
    const int32_t count = part->vertex_count;
    const bool is_sparse = w->variant == SPARSE, is_quantized = w->variant == QUANTIZED;
    json_t *attributes = json_object();
    set(attributes, "POSITION",
        is_sparse ? write_sparse_points(w, part->positions, count)
                  : write_points(w, part->positions, count));
    set(attributes, "NORMAL",
        is_quantized ? write_packed(w, part->normals, count, 8, 1)
                     : write_floats(w, part->normals[0], count, 3));
    set(attributes, "TEXCOORD_0", write_floats(w, part->corner_places[0], count, 2));
    set(attributes, "JOINTS_0", write_joints(w, part));
    set(attributes, "WEIGHTS_0",
        is_quantized ? write_byte_weights(w, part->weights, count)
                     : write_floats(w, part->weights[0], count, 4));
    json_t *primitive = json_pack("{so}", "attributes", attributes);
    set(primitive, "indices", write_indices(w, part));
    set(primitive, "material", write_material(w, part));
    json_t *targets = json_array(), *names = json_array(), *weights = json_array();
    for (int t = 0; t < part->target_count; t++) {
        const int target = is_sparse ? write_sparse_target(w, part->targets[t], count)
                                     : write_points(w, part->targets[t], count);
        json_array_append_new(targets, json_pack("{si}", "POSITION", target));
        json_array_append_new(names, json_string(part->target_names[t]));
        json_array_append_new(weights, json_real(0));
    }
    json_object_set_new(primitive, "targets", targets);
    glb_append(&w->glb, "meshes",
               json_pack("{ss s[o] so s{so}}", "name", part->name, "primitives", primitive,
                         "weights", weights, "extras", "targetNames", names));
}

/* Nodes: those of the parts, then those of the joints, each the child of the one before it. */
static void write_nodes(Writer *w)
{
    for (int p = 0; p < ARM_PARTS; p++)
        glb_append(&w->glb, "nodes",
                   json_pack("{ss si si}", "name", w->arm->parts[p].name, "mesh", p, "skin", 0));
    float binds[ARM_JOINTS][16] = {{0}};
    json_t *joints = json_array();
    for (int j = 0; j < ARM_JOINTS; j++) {
        const double from = j > 0 ? (double)arm_joint_x[j - 1] : 0;
        json_t *node = json_pack("{ss s[fff]}", "name", arm_joint_names[j], "translation",
                                 (double)arm_joint_x[j] - from, 0.0, 0.0);
        if (j + 1 < ARM_JOINTS)
            json_object_set_new(node, "children", json_pack("[i]", ARM_PARTS + j + 1));
        json_array_append_new(joints, json_integer(glb_append(&w->glb, "nodes", node)));
        for (int k = 0; k < 3; k++)
            binds[j][5 * k] = w->variant == QUANTIZED ? (float)w->size : 1;
        binds[j][12] = -arm_joint_x[j];
        binds[j][15] = 1;
    }
    const int accessor = glb_accessor(
        &w->glb, &(GlbData){binds, ARM_JOINTS, 16, GLB_FLOAT, sizeof *binds, false, GLB_PLAIN});
    glb_append(&w->glb, "skins",
               json_pack("{so si}", "joints", joints, "inverseBindMatrices", accessor));
    glb_append(&w->glb, "scenes", json_pack("{s[iii]}", "nodes", 0, 1, ARM_PARTS));
    json_object_set_new(w->glb.root, "scene", json_integer(0));
}

/* ---- Clips ------------------------------------------------------------------------------------
 */

typedef struct Keys {
    const char *path, *ease;
    int32_t node, key_count, width; /* width: of all values of a key, tangents too */
    const float *times, *values;
} Keys;

static int write_keys(Writer *w, const float *values, int32_t count, int32_t width)
{
    return glb_accessor(&w->glb, &(GlbData){values, count, width, GLB_FLOAT,
                                            (size_t)width * sizeof(float), false, GLB_PLAIN});
}

static void add_track(Writer *w, json_t *clip, const Keys *keys)
{
    json_t *samplers = json_object_get(clip, "samplers");
    const bool is_rotation = strcmp(keys->path, "rotation") == 0;
    const int times = write_keys(w, keys->times, keys->key_count, 1);
    const int values = is_rotation ? write_keys(w, keys->values, keys->key_count, 4)
                                   : write_keys(w, keys->values, keys->key_count * keys->width, 1);
    json_array_append_new(json_object_get(clip, "channels"),
                          json_pack("{si s{si ss}}", "sampler", (int)json_array_size(samplers),
                                    "target", "node", (int)keys->node, "path", keys->path));
    json_array_append_new(samplers, json_pack("{si si ss}", "input", times, "output", values,
                                              "interpolation", keys->ease));
}

static json_t *new_clip(const char *name)
{
    return json_pack("{ss s[] s[]}", "name", name, "samplers", "channels");
}

static void write_turns(Writer *w, const char *name, const char *ease, const double *angles,
                        const float *times, int32_t count)
{
    float values[8][4] = {{0}};
    for (int32_t i = 0; i < count; i++) {
        values[i][2] = (float)sin(angles[i] / 2);
        values[i][3] = (float)cos(angles[i] / 2);
    }
    json_t *clip = new_clip(name);
    add_track(w, clip, &(Keys){"rotation", ease, ARM_PARTS + 1, count, 4, times, values[0]});
    glb_append(&w->glb, "animations", clip);
}

static void write_swell(Writer *w)
{
    static const float times[3] = {0, 1, 2};
    json_t *clip = new_clip("swell");
    for (int p = 0; p < ARM_PARTS; p++) {
        float values[9 * ARM_TARGETS] = {0};
        const int32_t width = w->arm->parts[p].target_count;
        values[4 * width] = 1; /* in, value, out of three keys: the value of the second */
        add_track(w, clip, &(Keys){"weights", "CUBICSPLINE", p, 3, 3 * width, times, values});
    }
    glb_append(&w->glb, "animations", clip);
}

static void write_clips(Writer *w)
{
    static const float times[5] = {0, 0.5f, 1, 1.5f, 2};
    const double bend[5] = {0, max_bent / 2, max_bent, max_bent / 2, 0};
    const double step[4] = {0, 1, 2, 0};
    write_turns(w, "bend", "LINEAR", bend, times, 5);
    write_swell(w);
    write_turns(w, "step", "STEP", step, times, 4);
}

static void write_all(Writer *w)
{
    glb_open(&w->glb);
    for (int p = 0; p < ARM_PARTS; p++)
        write_mesh(w, &w->arm->parts[p]);
    write_nodes(w);
    write_clips(w);
    if (w->variant == QUANTIZED)
        glb_require(&w->glb, "KHR_mesh_quantization");
    if (w->variant == MESHOPT)
        glb_require(&w->glb, "EXT_meshopt_compression");
}

/* ---- Files ------------------------------------------------------------------------------------
 */

static void name_in(const char *folder, const char *name, char path[1024])
{
    snprintf(path, 1024, "%s/%s", folder, name);
}

static bool write_gltf(const char *folder, const char *name, const Arm *arm, Variant variant)
{
    char path[1024];
    name_in(folder, name, path);
    Writer w = {.arm = arm, .variant = variant, .size = 0.75};
    write_all(&w);
    const size_t length = strlen(name);
    const bool is_text = strcmp(name + length - 5, ".gltf") == 0;
    const bool is_saved = (is_text ? glb_save_text : glb_save)(&w.glb, path);
    glb_close(&w.glb);
    return is_saved;
}

static double bend_at(int frame, int frame_count)
{
    const double part = frame_count > 1 ? (double)frame / (frame_count - 1) : 0;
    return max_bent * (part < 0.5 ? 2 * part : 2 - 2 * part);
}

static void write_faces(FILE *file, const ArmPart *part, int32_t first)
{
    fprintf(file, "o %s\nusemtl %s\n", part->name, part->material);
    for (int32_t t = 0; t < part->triangle_count; t++)
        fprintf(file, "f %d %d %d\n", (int)part->triangles[t][0] + first,
                (int)part->triangles[t][1] + first, (int)part->triangles[t][2] + first);
}

static bool write_obj(const char *path, const Arm *arm, double angle)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    for (int p = 0; p < ARM_PARTS; p++) {
        const ArmPart *part = &arm->parts[p];
        float(*vertices)[3] = allocate((size_t)part->vertex_count, sizeof *vertices);
        arm_bend(part, angle, vertices);
        for (int32_t i = 0; i < part->vertex_count; i++)
            fprintf(file, "v %.9g %.9g %.9g\n", (double)vertices[i][0], (double)vertices[i][1],
                    (double)vertices[i][2]);
        free(vertices);
    }
    write_faces(file, &arm->parts[0], 1);
    write_faces(file, &arm->parts[1], 1 + arm->parts[0].vertex_count);
    return fclose(file) == 0;
}

static bool write_objs(const char *folder, const Arm *arm, int frame_count)
{
    char path[1024], name[32];
    bool is_written = true;
    for (int frame = 0; frame < frame_count && is_written; frame++) {
        snprintf(name, sizeof name, "arm_%04d.obj", frame + 1);
        name_in(folder, name, path);
        is_written = write_obj(path, arm, bend_at(frame, frame_count));
    }
    name_in(folder, "arm.obj", path);
    return is_written && write_obj(path, arm, 0);
}

/* Little-endian, on any machine. */
static void put(FILE *file, uint32_t bits)
{
    for (int i = 0; i < 4; i++)
        fputc((int)(bits >> 8 * i & 255), file);
}

static void put_float(FILE *file, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(file, bits);
}

static void put_vertices(FILE *file, const Arm *arm, double angle)
{
    for (int p = 0; p < ARM_PARTS; p++) {
        const ArmPart *part = &arm->parts[p];
        float(*vertices)[3] = allocate((size_t)part->vertex_count, sizeof *vertices);
        arm_bend(part, angle, vertices);
        for (int32_t i = 0; i < 3 * part->vertex_count; i++)
            put_float(file, vertices[i / 3][i % 3]);
        free(vertices);
    }
}

static bool write_pc2(const char *folder, const Arm *arm, int frame_count)
{
    char path[1024];
    name_in(folder, "arm.pc2", path);
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    fwrite("POINTCACHE2", 1, 12, file);
    put(file, 1);
    put(file, (uint32_t)(arm->parts[0].vertex_count + arm->parts[1].vertex_count));
    put_float(file, 0);
    put_float(file, 1);
    put(file, (uint32_t)frame_count);
    for (int frame = 0; frame < frame_count; frame++)
        put_vertices(file, arm, bend_at(frame, frame_count));
    return fclose(file) == 0;
}

static bool write_ply(const char *folder, const Arm *arm)
{
    char path[1024];
    name_in(folder, "arm.ply", path);
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    const ArmPart *parts = arm->parts;
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty "
            "float y\nproperty float z\nelement face %d\nproperty list uchar int "
            "vertex_indices\nend_header\n",
            (int)(parts[0].vertex_count + parts[1].vertex_count),
            (int)(parts[0].triangle_count + parts[1].triangle_count));
    put_vertices(file, arm, 0);
    for (int p = 0; p < ARM_PARTS; p++)
        for (int32_t t = 0; t < parts[p].triangle_count; t++) {
            fputc(3, file);
            for (int k = 0; k < 3; k++)
                put(file, parts[p].triangles[t][k] + (p ? (uint32_t)parts[0].vertex_count : 0));
        }
    return fclose(file) == 0;
}

bool models_write(const char *folder, const ArmDetail *detail, int frame_count)
{
    Arm arm = arm_make(detail);
    bool is_written = write_gltf(folder, "arm.glb", &arm, PLAIN) &&
                      write_gltf(folder, "arm_text.gltf", &arm, PLAIN) &&
                      write_gltf(folder, "arm_quantized.glb", &arm, QUANTIZED) &&
                      write_gltf(folder, "arm_sparse.glb", &arm, SPARSE);
#ifdef HAS_MESHOPT
    is_written = is_written && write_gltf(folder, "arm_meshopt.glb", &arm, MESHOPT);
#endif
    is_written = is_written && write_objs(folder, &arm, frame_count) &&
                 write_pc2(folder, &arm, frame_count) && write_ply(folder, &arm);
    arm_free(&arm);
    return is_written;
}
