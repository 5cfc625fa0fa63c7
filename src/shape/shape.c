/* Shapes as they are in memory: see shape.h. */
#include "shape/shape.h"
#include "shape/topology.h"

#include <string.h>

void pli_shape_point(PliantShape *shape, const PliShapeHeader *header)
{
    PliMorphTables *morph_tables = &shape->morph_tables;
    char *block; /* read only from here on, whatever the types of a tree say */
    memcpy(&block, &header, sizeof block);
    shape->header = header;
#define POINT(owner, name, type, items)                                                            \
    shape->owner name = (type *)(block + header->sections[PLI_SECTION_##name]);
    PLI_SHAPE_SECTIONS(POINT)
#undef POINT
#define COUNT(owner, name) shape->owner name = (__typeof__(shape->owner name))header->name;
    PLI_SHAPE_COUNTS(COUNT)
#undef COUNT
    pli_morph_tables_count(morph_tables, header->joint_count);
    shape->skin_tables.bound_kind = morph_tables->bound_kind;
    shape->groups =
        pli_shape_has_groups(header) ? (const uint32_t *)(block + header->groups) : NULL;
    if (header->divide_kind == 0) {
        shape->pieces = NULL;
        shape->planes = (PliPlanes){0};
    }
}

PliantResult pli_shape_wrap(const PliShapeHeader *header, const PliantHost *host,
                            PliantShape **shape)
{
    void *memory = NULL;
    PLI_TRY(pli_allocate(host, 1, sizeof(PliantShape), &memory));
    PliantShape *fresh = memory;
    *fresh = (PliantShape){.host = *host};
    atomic_init(&fresh->reference_count, 1);
    atomic_init(&fresh->triangle_leaves, NULL);
    atomic_init(&fresh->seams, NULL);
    atomic_init(&fresh->fans, NULL);
    atomic_init(&fresh->features, NULL);
    atomic_init(&fresh->leaf_features, NULL);
    pli_shape_point(fresh, header);
    *shape = fresh;
    return PLIANT_OK;
}

void pli_shape_free(PliantShape *shape)
{
    pli_topology_free(shape);
    PliantHost host = shape->host;
    if (shape->owned_block)
        pli_release(&host, shape->owned_block, (size_t)shape->header->byte_size, 1);
    pli_release(&host, shape, 1, sizeof *shape);
}
