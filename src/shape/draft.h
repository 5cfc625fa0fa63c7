/* Drafts: shapes on their way to a block.
 *
 * A shape is given by its mesh, targets, skin, tree and vertex lists. All else follows from these,
 * and is derived by the one function below: when a shape is built, and again when one that comes
 * from elsewhere is checked. */
#ifndef PLI_DRAFT_H
#define PLI_DRAFT_H

#include "shape/items.h"
#include "shape/shape.h"

typedef struct PliDraft {
    PliantShape shape;     /* its arrays are anywhere */
    PliShapeHeader header; /* the shape's */
    PliDivision division;
    PliItems items;
    const int32_t *plane_numbers; /* of each triangle, if triangles are divided */
    PliArena *arena;              /* that everything is in but the tree */
} PliDraft;

/* Makes the items of a tree, by the division, and their planes. */
PliantResult pli_draft_divide(PliDraft *draft);

/* Three vertices of each item. */
static inline const uint32_t *pli_draft_corners(const PliDraft *draft)
{
    return draft->items.items ? draft->items.corners : draft->shape.triangles;
}

/* Derives what follows from the rest, and completes the header. What does not have the counts of
 * `expected` is PLIANT_BAD_DATA, before memory is asked for; NULL: nothing is expected. */
PliantResult pli_draft_derive(PliDraft *draft, const PliantShape *expected);

/* What goes into each section, of so many bytes; the rest of a section is zeros. */
typedef struct PliDraftSections {
    const void *from[PLI_SECTION_COUNT];
    size_t sizes[PLI_SECTION_COUNT];
} PliDraftSections;
PliDraftSections pli_draft_sections(const PliDraft *draft);

#endif
