/* libFuzzer: any bytes as a saved shape, its size and checksum made right; what is taken must be a
 * shape whose every part can be used. */
#include "pose/shape.h"
#include <pliant/pliant.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition)
{
    if (!condition)
        abort();
}

/* Two bodies of it, one of them in an array that ends where its last vertex does. */
static int64_t count_pairs(PliantShape *shape, const float *array, uint32_t cpu_mask)
{
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = cpu_mask;
    PliantWorld *world;
    PliantBody a, b;
    PliantContacts contacts;
    const PliantVertices vertices = {array, pliant_shape_info(shape).vertex_count, 0};
    check(pliant_world_create(&def, &world) == PLIANT_OK);
    check(pliant_body_create(world, shape, &a) == PLIANT_OK);
    check(pliant_body_create(world, shape, &b) == PLIANT_OK);
    check(pliant_body_borrow_vertices(world, a, vertices) == PLIANT_OK);
    check(pliant_world_collide(world, PLIANT_ALL_PAIRS, &contacts) == PLIANT_OK);
    int64_t count = contacts.count;
    pliant_world_destroy(world);
    return count;
}

static void use(PliantShape *shape)
{
    size_t size = 12 * (size_t)pliant_shape_info(shape).vertex_count;
    float *array = malloc(size);
    if (!array)
        return;
    memcpy(array, pliant_shape_vertices(shape), size);
    check(count_pairs(shape, array, PLIANT_CPU_NONE) == count_pairs(shape, array, PLIANT_CPU_ALL));
    free(array);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t room = (size + 63) / 64 * 64 + sizeof(PliShapeHeader);
    unsigned char *block = aligned_alloc(64, room);
    if (!block)
        return 0;
    memset(block, 0, room);
    memcpy(block, data, size);
    PliShapeHeader *header = (PliShapeHeader *)block;
    memcpy(header->magic, PLI_SHAPE_MAGIC, sizeof header->magic);
    header->version = PLI_SHAPE_VERSION;
    header->byte_order = PLI_SHAPE_BYTE_ORDER;

    /* Counts are kept small enough for the bytes that there are; the rest is the fuzzer's. */
    header->vertex_count %= 32;
    header->triangle_count %= 32;
    header->leaf_count %= 32;
    header->node_count %= 32;
    header->number_count %= 256;
    header->cut_count %= 32;
    PliShapeHeader expected = *header;
    if (header->vertex_count >= 0 && header->triangle_count >= 0 && header->leaf_count >= 0 &&
        header->node_count >= 0 && header->number_count >= 0 && header->cut_count >= 0 &&
        pli_shape_layout(&expected) && expected.byte_size <= room) {
        *header = expected;
        header->checksum = pli_shape_checksum(header);
    }
    PliantShape *shape = NULL;
    if (pliant_shape_map(block, room, NULL, &shape) == PLIANT_OK) {
        use(shape);
        pliant_shape_release(shape);
    }
    free(block);
    return 0;
}
