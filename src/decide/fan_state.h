/* Fan state: what a body remembers for self-collision, from one query to the next.
 *
 * The test of a fan. Say that there is a direction from which the corners of every triangle of a
 * fan around the vertex p are seen to turn to the left. Then each triangle is seen as a sector at p
 * of less than half a turn, and the next one begins where it ends. If all together make one turn,
 * or less than one where the fan is open, no two of these sectors have more in common than p or the
 * edge between them. What two triangles have in common is seen there, and no two points of a
 * triangle are seen in one place. So the two triangles have no more in common than p or that edge:
 * no pair of the fan intersects beyond what it shares. The fan is clean.
 *
 * Which directions a triangle faces, PliFaceLeaf says, with certainty. Turns are counted exactly:
 * every direction has an axis across it, along which the corner at the other end of an edge is
 * either below p or not, as its coordinate is a float that is less than another or not. A sector is
 * less than half a turn, so that none passes over all that is below (half a turn without its ends),
 * and each turn goes once from below to not below: it rises once. An open fan that rises and falls
 * once at most in all is less than a turn.
 *
 * Where vertices have groups, the triangles around a group are a fan. The argument holds if all
 * corners that are one are at one place: the next sector begins where the last one ends. A triangle
 * with a corner in a group that is apart faces nowhere, so that no fan that has it is clean. Pairs
 * of such a fan are tested one by one: corners of one group are shared if they are at one place.
 *
 * So the pairs of triangles that share the vertex of a fan are excluded where boxes are compared
 * (PliFans.masks), and tested one by one if the fan is not known to be clean.
 *
 * Triangles of leaves that have not moved since the last query intersect as they did then. So no
 * two of them are tested again: what was found then is taken over. A query that wants one pair only
 * has not found all, and the next one starts anew.
 */
#ifndef PLI_FAN_STATE_H
#define PLI_FAN_STATE_H

#include "pose/pose.h"

/* Of a vertex: it has no fan; its fan has to be tested pair by pair; its fan is clean. */
typedef enum PliFanVerdict { PLI_FAN_NONE, PLI_FAN_UNDECIDED, PLI_FAN_CLEAN } PliFanVerdict;

/* What a body remembers. Written by one self query at a time. About a byte for each vertex. */
typedef struct PliFanState {
    PliPoseTopology topology; /* the shape's: read only */
    void *block;              /* that the arrays are in */
    size_t block_size;
    void *snapshot;    /* of the pose at the last query: PliPoseKind.compare */
    uint8_t *verdicts; /* of each vertex: PliFanVerdict, as of the last query */
    bool has_last;     /* the last query found all pairs, and these are they: */
    PliArray last;     /* of uint64_t, as PliNarrow.contacts */
} PliFanState;

/* One self query. Belongs to a world: the workers of the query share it. */
typedef struct PliFanScratch {
    PliFanState *state; /* of the body; NULL: it has no fans */
    bool skips_unmoved; /* what was found between leaves that have not moved is known */
    bool is_shared;     /* several workers fetch leaves */
    PliArray facings;   /* of PliFacing, by leaf, if the leaf's stamp is this query's */
    PliArray stamps;    /* of uint32_t, by leaf */
    uint32_t stamp;
    bool has_apart; /* vertices of one group may be at different places: */
    PliArray apart; /* of uint8_t, by vertex: of the lowest of such a group it is 1 */
    PliArray moved; /* of uint8_t: of each leaf, may it be elsewhere since the last query? Then of
                       each node, a bit for each child: may something in it be? */
} PliFanScratch;

void pli_fan_scratch_init(PliFanScratch *scratch);
void pli_fan_scratch_free(PliFanScratch *scratch, const PliantHost *host);

/* A new query. Makes the state of a pose, if it is not there, and says what has moved since the
 * last one. *state stays NULL if the mesh has no fans. After a failure the state is still usable,
 * and the next query starts anew. */
PliantResult pli_fan_state_start(PliFanState **state, PliFanScratch *scratch, const PliPose *pose,
                                 bool is_one_enough, const PliantHost *host);

/* NULL is ignored. */
void pli_fan_state_free(PliFanState *state, const PliantHost *host);

static inline const uint8_t *pli_fan_moved_leaves(const PliFanScratch *scratch)
{
    return scratch->moved.items;
}

static inline const uint8_t *pli_fan_moved_children(const PliFanScratch *scratch)
{
    return (const uint8_t *)scratch->moved.items + scratch->state->topology.fans->leaf_count;
}

/* Have neither of two leaves moved, so that what was found between them is known? */
static inline bool pli_fan_are_unmoved(const PliFanScratch *scratch, int32_t a, int32_t b)
{
    const uint8_t *moved = pli_fan_moved_leaves(scratch);
    return scratch->skips_unmoved && !moved[a] && !moved[b];
}

/* Where the facing of a leaf that is fetched is to be written to; NULL if that was done in this
 * query, or another worker is at it. It is read once all workers have ended. */
static inline PliFacing *pli_fan_claim(PliFanScratch *scratch, int32_t leaf)
{
    uint32_t *stamp = (uint32_t *)scratch->stamps.items + leaf;
    if (__atomic_load_n(stamp, __ATOMIC_RELAXED) == scratch->stamp)
        return NULL;
    if (!scratch->is_shared)
        *stamp = scratch->stamp;
    else if (__atomic_exchange_n(stamp, scratch->stamp, __ATOMIC_RELAXED) == scratch->stamp)
        return NULL;
    return (PliFacing *)scratch->facings.items + leaf;
}

/* Triangles of a leaf with a corner in a group that is apart, three corners each, face nowhere. */
void pli_fan_turn_away(const PliFanScratch *scratch, const uint32_t *corners, int32_t count,
                       PliFacing *facing);

/* Once all leaves that can be reached have been fetched: those of `first` to `end` - 1 that have
 * not been face nowhere. */
void pli_fan_state_clear(PliFanScratch *scratch, int32_t first, int32_t end);

/* Then: which of the fans `first` to `end` - 1 are clean. With skips_unmoved, fans whose leaves
 * have not moved are as they were. A leaf that has not moved and shares a vertex with one that has
 * is fetched too, since their boxes share that vertex. */
void pli_fan_state_decide(PliFanScratch *scratch, int32_t first, int32_t end);

/* Of two triangles that share the vertex of a fan: does this fan have to test them? It does not if
 * another of their fans is clean, or tests them itself. */
bool pli_fan_state_has_pair(const PliFanState *state, uint32_t vertex, const uint32_t *a,
                            const uint32_t *b);

/* Keeps all pairs that were found, for the next query. */
PliantResult pli_fan_state_keep(PliFanScratch *scratch, const uint64_t *contacts, int64_t count,
                                const PliantHost *host);

#endif
