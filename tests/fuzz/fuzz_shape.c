/* libFuzzer: any bytes as a saved shape, its size and checksum made right, or as the mesh, the skin
 * and the targets of a shape, and as damage to it once it is saved; what is taken must be a shape
 * whose every part can be used. */
#include "brute.h"
#include "calls.h"
#include "input.h"
#include "shape/shape.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Brute force finds as many pairs. */
static void check_count(const PliantWorld *world, PliantBody a, PliantBody b, PliantShape *shape,
                        int64_t count)
{
    PliantShapeInfo info = test_shape_info(shape);
    size_t size = 12 * (size_t)info.vertex_count;
    float *x = malloc(size), *y = malloc(size);
    BruteBody brute_a = {x, pliant_shape_triangles(shape), info.triangle_count}, brute_b = brute_a;
    BruteContacts expected = {0};
    brute_b.vertices = y;
    must(test_body_vertices(world, a, x) == PLIANT_OK);
    must(test_body_vertices(world, b, y) == PLIANT_OK);
    brute_force(&brute_a, &brute_b, &expected);
    must(expected.count == count);
    brute_free(&expected);
    free(x);
    free(y);
}

/* Some weights below zero, some above one, some zero. */
static void set_weights(PliantWorld *world, PliantBody body, int32_t count)
{
    static const float numbers[] = {0.75f, 0.25f, 0, -1, 2, 1};
    float *weights = malloc((size_t)count * sizeof *weights);
    for (int32_t i = 0; i < count; i++)
        weights[i] = numbers[i % 6];
    must(pliant_body_set_weights(world, body, weights, count) == PLIANT_OK);
    free(weights);
}

/* Shifts, a turn, a scaling and a joint that takes all to one point. */
static void set_joints(PliantWorld *world, PliantBody body, int32_t count)
{
    PliantTransform *joints = malloc((size_t)count * sizeof *joints);
    for (int32_t j = 0; j < count; j++) {
        joints[j] = pliant_transform_identity();
        joints[j].rows[j % 3][3] = (float)(j % 4) / 4;
        joints[j].rows[0][1] = j % 5 == 1;
        joints[j].rows[j / 3 % 3][j / 3 % 3] = j % 7 == 3 ? 0 : (float)(1 + j % 2);
    }
    must(pliant_body_set_joints(world, body, joints, count) == PLIANT_OK);
    free(joints);
}

/* Two bodies of it, one of them in an array that ends where its last vertex does, and then by
 * joints and by weights. */
static int64_t count_pairs(PliantShape *shape, const float *array, uint32_t cpu_mask)
{
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = cpu_mask;
    PliantWorld *world;
    PliantBody a, b;
    PliantContacts contacts = pliant_contacts_default();
    PliantShapeInfo info = test_shape_info(shape);
    const PliantVertices vertices = {array, info.vertex_count, 0};
    must(pliant_world_create(&def, &world) == PLIANT_OK);
    must(pliant_body_create(world, shape, &a) == PLIANT_OK);
    must(pliant_body_create(world, shape, &b) == PLIANT_OK);
    must(pliant_body_borrow_vertices(world, a, vertices) == PLIANT_OK);
    must(pliant_world_collide(world, NULL, &contacts) == PLIANT_OK);
    int64_t count = contacts.count;
    check_count(world, a, b, shape, count);
    if (info.joint_count > 0) {
        set_joints(world, a, info.joint_count);
        must(pliant_world_collide(world, NULL, &contacts) == PLIANT_OK);
        check_count(world, a, b, shape, contacts.count);
    }
    if (info.target_count > 0) {
        set_weights(world, a, info.target_count);
        must(pliant_world_collide(world, NULL, &contacts) == PLIANT_OK);
        check_count(world, a, b, shape, contacts.count);
    }
    pliant_world_destroy(world);
    return count;
}

/* Pieces that fall together are compared all with all: of more than that it would take minutes. */
enum { MAX_PIECES = 1024 };

static void use(PliantShape *shape)
{
    const PliantShapeInfo info = test_shape_info(shape);
    size_t size = 12 * (size_t)info.vertex_count;
    float *array = info.piece_count > MAX_PIECES ? NULL : malloc(size);
    if (!array)
        return;
    memcpy(array, pliant_shape_vertices(shape), size);
    must(count_pairs(shape, array, PLIANT_CPU_NONE) == count_pairs(shape, array, PLIANT_CPU_ALL));
    free(array);
}

/* ---- Made, saved, damaged ----------------------------------------------------------------------
 */

enum { VERTICES = 12, TRIANGLES = 16, TARGETS = 70, INFLUENCES = 9 };

static float read_float(Input *input)
{
    static const float odd[] = {NAN, INFINITY, -0.0f, 3e38f, -3e38f, 0x1p-149f, 0.3f, 1e-30f};
    uint32_t byte = take(input);
    return byte >= 248 ? odd[byte - 248] : (float)(byte % 16) / 2 - 4;
}

/* A mistake in a def names the field. */
static void report_def(void *user, PliantResult result, const char *message)
{
    (void)user, (void)result;
    must(strstr(message, "def.") != NULL);
}

static void read_floats(Input *input, float *numbers, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        numbers[i] = read_float(input);
}

typedef struct Targets {
    float data[TARGETS][VERTICES][3];
    uint32_t indices[TARGETS][VERTICES];
    PliantTarget items[TARGETS];
    float tree_weights[TARGETS];
} Targets;

/* Right or wrong: the library is to tell. */
static void read_targets(Input *input, PliantShapeDef *def, PliantExperiments *experiments,
                         Targets *targets)
{
    uint32_t how = take(input), more = take(input);
    def->target_count = how % 8 == 7 ? TARGETS : (int32_t)(how % 4);
    def->morph_kind = (PliantMorphKind)(how / 8 % 2);
    experiments->bound_kind = (PliantBoundKind)(how / 16 % 4);
    def->between_count = (int32_t)(more % 32) < 17 && how / 8 % 2 ? (int32_t)(more % 32) : 0;
    def->targets = targets->items;
    for (int32_t t = 0; t < def->target_count; t++) {
        uint32_t kind = take(input);
        bool is_sparse = kind % 2 && (def->morph_kind == PLIANT_MORPH_DISPLACEMENTS || kind > 250);
        int32_t count = is_sparse ? (int32_t)(kind / 2 % VERTICES) : def->vertices.count;
        read_floats(input, targets->data[t][0], 3 * count);
        for (int32_t i = 0; i < count; i++)
            targets->indices[t][i] = (i ? targets->indices[t][i - 1] : 0) + take(input) % 3;
        targets->items[t] =
            (PliantTarget){{targets->data[t][0], count, 0}, is_sparse ? targets->indices[t] : NULL};
    }
    read_floats(input, targets->tree_weights, def->target_count);
    def->tree_weights = more / 32 % 2 ? targets->tree_weights : NULL;
}

typedef struct Skin {
    uint16_t joints[VERTICES * INFLUENCES];
    float weights[VERTICES * INFLUENCES];
    PliantSkin def;
} Skin;

/* Likewise: weights may be below zero, or no numbers, and joints may not be there. */
static void copy_influences(Input *input, PliantShapeDef *def, Skin *skin)
{
    uint32_t how = take(input);
    if (how % 2 == 0)
        return;
    skin->def = (PliantSkin){sizeof(PliantSkin), (int32_t)(how / 2 % 8),
                             (int32_t)(how / 16 % (INFLUENCES + 1)), skin->joints, skin->weights};
    def->skin = &skin->def;
    for (int32_t i = 0; i < def->vertices.count * def->skin->influence_count; i++) {
        uint32_t byte = take(input);
        skin->joints[i] = (uint16_t)(byte % 8);
        skin->weights[i] = byte < 240 ? (float)(byte / 8) / 16 : read_float(input);
        if (byte < 240 && skin->joints[i] >= def->skin->joint_count)
            skin->joints[i] = 0;
    }
}

/* Not so small that there are many thousands of pieces. */
static void read_division(Input *input, PliantShapeDef *def)
{
    uint32_t how = take(input);
    float most = 0;
    for (int32_t i = 0; i < 3 * def->vertices.count; i++) {
        float size = fabsf(def->vertices.data[i]);
        most = size <= FLT_MAX && size > most ? size : most;
    }
    if (how / 12 % 8 != 0) /* most are whole: pieces take their time */
        return;
    def->divide_kind = (PliantDivideKind)(how % 4);
    def->divide_size = most / (float)(1 + how / 4 % 3);
    if (def->target_count > 0 || def->skin || def->experiments->tree_kind == PLIANT_TREE_CONNECTED)
        def->divide_kind = PLIANT_DIVIDE_AUTO;
}

static PliantShape *make(Input *input)
{
    static Targets targets;
    static Skin skin;
    static const PliantHost host = {.struct_size = sizeof host, .report = report_def};
    float vertices[VERTICES][3];
    uint32_t triangles[TRIANGLES][3];
    uint32_t tree = take(input);
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.vertices = (PliantVertices){vertices[0], 1 + (int32_t)(take(input) % VERTICES), 0};
    def.triangles = (PliantTriangles){triangles[0], 1 + (int32_t)(take(input) % TRIANGLES)};
    experiments.tree_kind = (PliantTreeKind)(tree % 4);
    experiments.tree_child_count = 2 << tree / 4 % 3;
    experiments.tree_leaf_size = 1 + (int32_t)(tree / 16);
    def.host = &host;
    read_floats(input, vertices[0], 3 * def.vertices.count);
    for (int32_t i = 0; i < 3 * def.triangles.count; i++)
        triangles[i / 3][i % 3] = take(input) % (uint32_t)def.vertices.count;
    read_targets(input, &def, &experiments, &targets);
    copy_influences(input, &def, &skin);
    read_division(input, &def);
    PliantShape *shape = NULL;
    PliantResult result = pliant_shape_create(&def, &shape);
    must(result == PLIANT_OK || result == PLIANT_BAD_ARGUMENT || result == PLIANT_BAD_INDEX);
    must((result == PLIANT_OK) == (shape != NULL));
    return shape;
}

/* What is left of the input are places and values; the checksum is made right. */
static void damage(Input *input, unsigned char *block, size_t size)
{
    while (input->left > 3) {
        uint32_t high = take(input), low = take(input), how = take(input);
        size_t at = 16 + (256 * high + low) % (size - 16);
        block[at] = how % 2 ? (unsigned char)(block[at] + 1) : (unsigned char)take(input);
    }
    PliShapeHeader *header = (PliShapeHeader *)block;
    header->byte_size = size;
    header->checksum = pli_shape_checksum(header);
}

static void make_and_damage(Input input)
{
    size_t size;
    PliantShape *shape = make(&input), *damaged = NULL;
    if (!shape)
        return;
    const void *data = pliant_shape_data(shape, &size);
    unsigned char *block = aligned_alloc(64, (size + 63) / 64 * 64);
    memcpy(block, data, size);
    if (input.left < 4)
        use(shape);
    else
        damage(&input, block, size);
    PliantResult result = pliant_shape_map(block, size, NULL, &damaged);
    must((result == PLIANT_OK) == (damaged != NULL));
    if (damaged)
        use(damaged);
    pliant_shape_release(damaged);
    pliant_shape_release(shape);
    free(block);
}

/* ---- Any bytes --------------------------------------------------------------------------------
 */

/* X(name, below): counts, kept small enough for the bytes that there are. */
#define COUNTS(X)                                                                                  \
    X(vertex_count, 32)                                                                            \
    X(triangle_count, 32)                                                                          \
    X(leaf_count, 32)                                                                              \
    X(node_count, 32)                                                                              \
    X(number_count, 256)                                                                           \
    X(refit_cut_count, 32)                                                                         \
    X(morph_kind, 2)                                                                               \
    X(bound_kind, 4)                                                                               \
    X(target_count, 8)                                                                             \
    X(between_count, 4)                                                                            \
    X(move_count, 64)                                                                              \
    X(point_count, 64)                                                                             \
    X(bound_count, 32)                                                                             \
    X(item_count, 64)                                                                              \
    X(divide_kind, 4)                                                                              \
    X(plane_count, 8)                                                                              \
    X(joint_count, 8)                                                                              \
    X(influence_count, 64)                                                                         \
    X(leaf_joint_count, 64)                                                                        \
    X(node_joint_count, 64)                                                                        \
    X(weight_count, 64)

/* Makes of a header what could be one; the rest is the fuzzer's. */
static void complete(PliShapeHeader *header, size_t room)
{
    bool is_possible = true;
    memcpy(header->magic, PLI_SHAPE_MAGIC, sizeof header->magic);
    header->version = PLI_SHAPE_VERSION;
    header->byte_order = PLI_SHAPE_BYTE_ORDER;
#define LIMIT(name, below)                                                                         \
    header->name %= (below);                                                                       \
    is_possible &= header->name >= 0;
    COUNTS(LIMIT)
#undef LIMIT
    header->word_count = (pli_term_count(header->target_count, header->between_count) + 63) / 64;
    header->group_count = pli_group_count((PliantBoundKind)header->bound_kind);
    if (header->divide_kind == 0) {
        header->item_count = header->triangle_count;
        header->divide_size = 0;
        header->plane_count = 0;
    }
    PliShapeHeader expected = *header;
    if (is_possible && pli_shape_layout(&expected) && expected.byte_size <= room) {
        *header = expected;
        header->checksum = pli_shape_checksum(header);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] % 2) {
        make_and_damage((Input){data + 1, size - 1});
        return 0;
    }
    size_t room = (size + 63) / 64 * 64 + sizeof(PliShapeHeader);
    unsigned char *block = aligned_alloc(64, room);
    if (!block)
        return 0;
    memset(block, 0, room);
    memcpy(block, data, size);
    complete((PliShapeHeader *)block, room);
    PliantShape *shape = NULL;
    if (pliant_shape_map(block, room, NULL, &shape) == PLIANT_OK) {
        use(shape);
        pliant_shape_release(shape);
    }
    free(block);
    return 0;
}
