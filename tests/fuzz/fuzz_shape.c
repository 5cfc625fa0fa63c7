/* libFuzzer: any bytes as a saved shape, its size and checksum made right; what is taken must be a
 * shape whose every part can be used. */
#include "pose/shape.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(PliantShape *shape)
{
    const PliTree *tree = &shape->tree;
    double sum = 0;
    for (int32_t i = 0; i < tree->item_count; i++)
        for (int c = 0; c < 3; c++)
            sum += (double)shape->vertices[3 * (size_t)shape->triangles[3 * tree->order[i] + c]];
    for (int32_t n = 0; n < tree->node_count; n++)
        for (int32_t c = 0; c < tree->nodes[n].child_count; c++) {
            int32_t child = tree->nodes[n].children[c];
            sum += child < 0 ? tree->leaves[~child].count : tree->nodes[child].range.count;
        }
    volatile double used = sum;
    (void)used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t room = (size + 63) / 64 * 64 + 128;
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
    PliShapeHeader expected = *header;
    if (header->vertex_count >= 0 && header->triangle_count >= 0 && header->leaf_count >= 0 &&
        header->node_count >= 0 && pli_shape_layout(&expected) && expected.byte_size <= room) {
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
