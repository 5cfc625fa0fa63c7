/* The visit of one tree: from a part of it to the leaves that a visitor wants.
 *
 * A node is opened, and the visitor chooses among its children. These wait on a stack. Sorted
 * visits take the nearest child first, and leaves wait too; others take the last child first, and
 * hand out leaves at once. Visitors are closest points (decide/points.c), winding numbers
 * (decide/winding.c), rays (decide/rays.c), boxes (world/in_boxes.c, world/body_boxes.c), long
 * triangles (decide/long.c) and pictures (volume/see.c).
 *
 * All is inlined, and a visitor is a constant, so that the compiler makes a visit for each.
 */
#ifndef PLI_VISIT_H
#define PLI_VISIT_H

#include "tree/walk.h"

/* A part of a tree that waits. */
typedef struct PliVisitPart {
    union {
        double near;   /* sorted: of siblings the one with the least is first */
        int64_t first; /* otherwise what the visitor says */
    };
    int32_t part; /* a node, or the complement of a leaf */
    int32_t tag;  /* what the visitor says; that of its node if it says nothing */
} PliVisitPart;

typedef struct PliVisitor {
    bool is_sorted;

    /* Sets bits for those of the children of a node that are visited, and their `near` if they are
     * sorted. Bits of unused children, whose boxes are NaN, do not count. */
    PliantResult (*choose)(void *data, const PliVisitPart *node, const PliBoxes *boxes,
                           PliVisitPart children[PLI_GROUP], uint32_t *bits);

    /* In place of it, for sorted visits: sets the `near` of all children, as floats, and ranks
     * them; those with ranks below the number that it returns are visited, that with the highest
     * first. Ranks are different, so that children are put on the stack without a branch. */
    int32_t (*rank)(const void *data, const PliBoxes *boxes, float nears[PLI_GROUP],
                    int32_t ranks[PLI_GROUP]);

    /* Is a part still wanted, now that its turn has come? NULL if all are. */
    bool (*is_wanted)(const void *data, const PliVisitPart *part);

    PliantResult (*leaf)(void *data, const PliVisitPart *leaf);
} PliVisitor;

/* The part that is all of a tree, which has leaves. */
static inline int32_t pli_whole_tree(const PliTree *tree)
{
    return tree->node_count > 0 ? 0 : ~0;
}

/* Room for the children of a node. */
static inline PliantResult pli_visit_reserve(PliArray *stack, const PliantHost *host)
{
    return PLI_LIKELY(stack->capacity - stack->count >= PLI_GROUP)
               ? PLIANT_OK
               : pli_array_reserve(stack, host, stack->count + PLI_GROUP);
}

/* Puts parts on the stack, the nearest on top; of equally near ones, the first. */
PLI_ALWAYS_INLINE PliantResult pli_visit_sort(PliArray *stack, const PliantHost *host,
                                              const PliVisitPart *parts, uint32_t bits)
{
    PLI_TRY(pli_visit_reserve(stack, host));
    PliVisitPart *sorted = (PliVisitPart *)stack->items + stack->count;
    int32_t count = 0;
    for (; bits; bits &= bits - 1) {
        const PliVisitPart *part = &parts[__builtin_ctz(bits)];
        int32_t at = count++;
        for (; at > 0 && sorted[at - 1].near <= part->near; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = *part;
    }
    stack->count += count;
    return PLIANT_OK;
}

/* Puts the nodes among parts on the stack, and hands out the leaves. */
PLI_ALWAYS_INLINE PliantResult pli_visit_stack(PliArray *stack, const PliantHost *host,
                                               const PliVisitor *visitor, void *data,
                                               const PliVisitPart *parts, uint32_t bits)
{
    PLI_TRY(pli_visit_reserve(stack, host));
    for (; bits; bits &= bits - 1) {
        const PliVisitPart *part = &parts[__builtin_ctz(bits)];
        if (part->part < 0)
            PLI_TRY(visitor->leaf(data, part));
        else
            ((PliVisitPart *)stack->items)[stack->count++] = *part;
    }
    return PLIANT_OK;
}

/* Puts the children of a node on the stack in the places that their ranks tell. */
PLI_ALWAYS_INLINE PliantResult pli_visit_rank(PliArray *stack, const PliTreeNode *parent,
                                              const PliBoxes *boxes, int32_t tag,
                                              const PliWorker *worker, const PliVisitor *visitor,
                                              const void *data)
{
    float nears[PLI_GROUP];
    int32_t ranks[PLI_GROUP];
    PLI_TRY(pli_visit_reserve(stack, worker->host));
    PliVisitPart *top = (PliVisitPart *)stack->items + stack->count;
    stack->count += visitor->rank(data, boxes, nears, ranks);
    for (int i = 0; i < PLI_GROUP; i++)
        top[ranks[i]] = (PliVisitPart){{(double)nears[i]}, parent->children[i], tag};
    return PLIANT_OK;
}

/* Opens a node. */
PLI_ALWAYS_INLINE PliantResult pli_visit_open(PliArray *stack, PliBounds *bounds,
                                              const PliVisitPart *node, PliWorker *worker,
                                              PliSide side, const PliVisitor *visitor, void *data)
{
    const PliBoxes *boxes = pli_bounds_of(bounds, node->part, worker, side);
    PliVisitPart children[PLI_GROUP];
    uint32_t bits = 0;
    if (!boxes)
        return PLIANT_OUT_OF_MEMORY;
    const PliTreeNode *parent = &bounds->tree->nodes[node->part];
    if (visitor->rank)
        return pli_visit_rank(stack, parent, boxes, node->tag, worker, visitor, data);
    for (int i = 0; i < PLI_GROUP; i++) {
        children[i].part = parent->children[i];
        children[i].tag = node->tag;
    }
    PLI_TRY(visitor->choose(data, node, boxes, children, &bits));
    bits &= (UINT32_C(1) << parent->child_count) - 1;
    return visitor->is_sorted ? pli_visit_sort(stack, worker->host, children, bits)
                              : pli_visit_stack(stack, worker->host, visitor, data, children, bits);
}

PLI_ALWAYS_INLINE PliVisitPart pli_visit_pop(PliArray *stack)
{
    return ((const PliVisitPart *)stack->items)[--stack->count];
}

/* Visits a part, which may be the whole tree (pli_whole_tree). */
PLI_ALWAYS_INLINE PliantResult pli_visit(PliArray *stack, PliBounds *bounds, PliVisitPart root,
                                         PliWorker *worker, PliSide side, const PliVisitor *visitor,
                                         void *data)
{
    if (root.part < 0)
        return visitor->leaf(data, &root);
    stack->count = 0;
    PLI_TRY(pli_visit_sort(stack, worker->host, &root, 1));
    while (stack->count > 0) {
        const PliVisitPart part = pli_visit_pop(stack);
        if (visitor->is_wanted && !visitor->is_wanted(data, &part))
            continue;
        PLI_TRY(part.part < 0 ? visitor->leaf(data, &part)
                              : pli_visit_open(stack, bounds, &part, worker, side, visitor, data));
    }
    return PLIANT_OK;
}

#endif
