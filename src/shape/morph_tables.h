/* Morph tables: what a shape holds for bodies that move by weights.
 *
 * A body that moves by weights is a sum: base + weight * target + ..., for its vertices and for its
 * bounds alike. The base is the mesh at rest, and all there is of a shape without targets; of
 * references it is nothing, once there are weights. A term is a target, or bounds between two
 * references, which vertices have no part in.
 *
 * Each leaf has a table of its vertices: the base, and each target that moves one of them. Each
 * node has bounds of its eight children, side by side: for the base, and for each term that moves
 * something below. A mask of bits says which terms these are; where one is, follows from how many
 * there are before it. So what no target touches is not stored, and not read.
 */
#ifndef PLI_MORPH_TABLES_H
#define PLI_MORPH_TABLES_H

#include "base/memory.h"
#include "base/round.h"
#include "shape/pieces.h"
#include "shape/slabs.h"
#include "shape/vertex_lists.h"

/* The vertices of a leaf, each once. Their tables follow each other from `first` on, counted in
 * groups: all x, all y, all z, rounded up to whole groups. */
typedef struct PliLeafTable {
    int32_t first, count;
} PliLeafTable;

typedef struct PliMorphTables {
    PliantMorphKind morph_kind;
    PliantBoundKind bound_kind;
    int32_t target_count, between_count;
    int32_t term_count, word_count;   /* of targets and bounds between them, and of a mask */
    int32_t group_count;              /* of one node's bounds */
    int32_t point_count, bound_count; /* all groups of tables; all bounds */
    bool has_tables, has_base_tables; /* of leaves at all; of their base */

    const int32_t *target_firsts;    /* where each begins in what follows, and the end */
    const uint32_t *target_vertices; /* that it moves, rising */
    const float *target_moves;       /* how far, or where to */

    const float *reaches;        /* of the base and of each target: the greatest |x|, |y|, |z|; 0 */
    const uint8_t *leaf_corners; /* of each leaf, in its table: all first corners, ... */
    const PliLeafTable *tables;  /* of each leaf */
    const uint64_t *leaf_masks;  /* word_count for each leaf */
    const uint64_t *node_masks;  /* word_count for each node */
    const int32_t *node_firsts;  /* of each node: its first bounds, which are the base's */
    const float *points;         /* groups of the tables */
    const float *bounds;         /* group_count groups each */
} PliMorphTables;

/* Targets, and what is between each two that are neighbors. */
static inline int32_t pli_term_count(int32_t target_count, int32_t between_count)
{
    return target_count + (target_count > 1 ? target_count - 1 : 0) * between_count;
}

/* A mask has one word at least. */
static inline int32_t pli_word_count(int32_t term_count)
{
    return term_count > 64 ? (int32_t)pli_div_up(term_count, 64) : 1;
}

/* Those of the terms that a part has: is it among them, and as which? */
static inline bool pli_has_term(const uint64_t *mask, int32_t term)
{
    return mask[term / 64] >> term % 64 & 1;
}

static inline int32_t pli_rank(const uint64_t *mask, int32_t term)
{
    int32_t rank = __builtin_popcountll(mask[term / 64] & (((uint64_t)1 << term % 64) - 1));
    for (int32_t w = 0; w < term / 64; w++)
        rank += __builtin_popcountll(mask[w]);
    return rank;
}

/* A table's size, in groups. */
static inline int32_t pli_table_groups(PliLeafTable table)
{
    return 3 * (int32_t)pli_div_up(table.count, PLI_GROUP);
}

/* Do leaves have tables, and of the base too? They do if something moves them; references alone
 * make a sum without a base. */
static inline bool pli_has_tables(int32_t target_count, int32_t joint_count)
{
    return target_count > 0 || joint_count > 0;
}

static inline bool pli_has_base_tables(PliantMorphKind kind, int32_t joint_count)
{
    return kind == PLIANT_MORPH_DISPLACEMENTS || joint_count > 0;
}

/* Sets what follows from the kinds and the numbers of targets and joints. */
void pli_morph_tables_count(PliMorphTables *morph_tables, int32_t joint_count);

struct PliantShape;

/* Makes all that follows from the targets of a shape, which stay where they are. What does not have
 * as many points and bounds as `expected`, if that is not NULL, is PLIANT_BAD_DATA. */
PliantResult pli_morph_tables_build(struct PliantShape *shape, const PliMorphTables *expected,
                                    PliArena *arena);

/* A ball's radius from a square of it: rounded up. */
float pli_radius(double square);

#endif
