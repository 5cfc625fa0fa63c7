/* Pliant: one world over the ranks of an MPI job.
 *
 *     PliantMpi *mpi;
 *     pliant_mpi_create(MPI_COMM_WORLD, world, NULL, &mpi);  // world: the bodies of this rank
 *     PliantMpiBodyDef def = pliant_mpi_body_def_default();
 *     def.key = 17;                                          // the same body has it on any rank
 *     pliant_mpi_add_body(mpi, body, &def);
 *     ...                                                    // bodies are posed as in any world
 *     PliantMpiContacts contacts = pliant_mpi_contacts_default();
 *     pliant_mpi_collide(mpi, NULL, &contacts);
 *
 * For scenes that are larger than one machine. Each rank keeps its own bodies in a world of its
 * own, and poses them there. Queries find the contacts of all bodies of all ranks. Only boxes of
 * bodies, and triangles that are near a body of another rank, travel; they are evaluated where they
 * are. docs/scale.md says what that costs, and when to use it.
 *
 * Contacts are exact and complete, as in pliant/world.h. Each contact is returned on one rank: the
 * one that has the body with the lesser key. All of them together are the same, byte for byte, for
 * any number of ranks and however the bodies are divided among them; instruction sets and worlds'
 * cpu masks may differ.
 *
 * It is a library of its own, pliant_mpi, and needs MPI 3. All ranks must have the same byte order.
 *
 * Collective calls say so: all ranks of the communicator must make them, in the same order. If one
 * rank fails, because it has no memory for example, the call fails on all of them with the same
 * result, the greatest one of any rank; no rank waits for another one that has given up, and
 * everything stays usable. Failures of MPI itself go to the error handler of the communicator. If
 * that one returns, the call fails with PLIANT_UNSUPPORTED on the ranks that know of it.
 *
 * Every call here that returns a PliantResult fails with PLIANT_BAD_ARGUMENT if a pointer that it
 * needs is NULL, and with PLIANT_BAD_DEF if a record has a wrong struct_size. A PliantMpi that is
 * NULL in a collective call leaves the other ranks waiting.
 *
 * Thread rule: a PliantMpi and its world belong to one thread at a time. MPI is called from that
 * thread only: MPI_THREAD_FUNNELED is enough if it is the main one.
 */
#ifndef PLIANT_MPI_H
#define PLIANT_MPI_H

#include <mpi.h>
#include <pliant/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the world of this rank has to do with those of the others. */
typedef struct PliantMpi PliantMpi;

/* A record. Start from pliant_mpi_def_default(). */
typedef struct PliantMpiDef {
    size_t struct_size;
    const PliantHost *host; /* copied; NULL: the defaults. MPI's own memory is not from it */
    uint32_t cpu_mask;      /* for pairs of bodies on two ranks; default PLIANT_CPU_ALL */
    int32_t message_size;   /* larger messages are divided into such of so many bytes at most; at
                               least 1, default 2^30. No count of MPI is ever beyond an int. The
                               least one of all ranks is that of all */
} PliantMpiDef;

static inline PliantMpiDef pliant_mpi_def_default(void)
{
    PliantMpiDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.cpu_mask = PLIANT_CPU_ALL;
    def.message_size = 1 << 30;
    return def;
}

/* Creates a PliantMpi for the world of this rank, which must outlive it. The communicator is
 * duplicated. A NULL def means the defaults. Collective. Fails with PLIANT_BAD_ARGUMENT or
 * PLIANT_OUT_OF_MEMORY. Any thread. */
PLIANT_API PliantResult pliant_mpi_create(MPI_Comm communicator, PliantWorld *world,
                                          const PliantMpiDef *def, PliantMpi **mpi);

/* Destroys it; the world and its bodies stay. NULL is ignored. Collective. Changes the PliantMpi.
 */
PLIANT_API void pliant_mpi_destroy(PliantMpi *mpi);

/* ---- Bodies -------------------------------------------------------------------------------- */

/* A record. Start from pliant_mpi_body_def_default().
 *
 * A body that is too large for one rank is several bodies, on the same or on different ranks, with
 * one key. Each of them has some of its triangles, and knows their numbers in the whole: triangle t
 * of the part is first_triangle + triangles[t], or first_triangle + t if `triangles` is NULL. Each
 * triangle must be in one part only, which is not checked. Parts of one body have no contacts with
 * each other. */
typedef struct PliantMpiBodyDef {
    size_t struct_size;
    uint64_t key;             /* any number; bodies are ordered by it */
    bool is_part;             /* other bodies may have the same key: then all of these are parts */
    int64_t first_triangle;   /* at least 0; default 0 */
    const int32_t *triangles; /* borrowed while the body has the key; not negative */
} PliantMpiBodyDef;

static inline PliantMpiBodyDef pliant_mpi_body_def_default(void)
{
    PliantMpiBodyDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* Gives a body of this rank's world its key. Bodies without one take part in no call of this page.
 * A body that is destroyed loses its key. To move a body to another rank, create it there with the
 * same key, and destroy it here. Not collective. Whether keys differ is checked by queries.
 *
 * Fails with PLIANT_BAD_ID, PLIANT_BAD_ARGUMENT (the body has a key, is the end of another one, or
 * a field is out of its range) or PLIANT_OUT_OF_MEMORY. Changes the PliantMpi. */
PLIANT_API PliantResult pliant_mpi_add_body(PliantMpi *mpi, PliantBody body,
                                            const PliantMpiBodyDef *def);

/* Takes the key away. Not collective. Fails with PLIANT_BAD_ID if the body has none. Changes the
 * PliantMpi. */
PLIANT_API PliantResult pliant_mpi_remove_body(PliantMpi *mpi, PliantBody body);

/* ---- Contacts ------------------------------------------------------------------------------ */

/* A value: two triangles that share a point, of bodies with these keys; key_a is less than key_b.
 */
typedef struct PliantMpiContact {
    uint64_t key_a, key_b;
    int64_t triangle_a, triangle_b;
} PliantMpiContact;

/* A record. Start from pliant_mpi_contacts_default(). Contacts are in canonical order: by key_a,
 * key_b, triangle_a, triangle_b; none is there twice, on any rank. */
typedef struct PliantMpiContacts {
    size_t struct_size;
    const PliantMpiContact *items; /* borrowed: until the next call with this PliantMpi */
    int64_t count;                 /* on this rank */
} PliantMpiContacts;

static inline PliantMpiContacts pliant_mpi_contacts_default(void)
{
    PliantMpiContacts contacts = PLIANT_ZEROS;
    contacts.struct_size = sizeof contacts;
    return contacts;
}

/* A record: what a query is to find. Start from pliant_mpi_query_def_default(). All ranks must ask
 * for the same. */
typedef struct PliantMpiQueryDef {
    size_t struct_size;

    /* PLIANT_ALL_PAIRS (default): all contacts. PLIANT_FIRST_PAIRS: of each two bodies that touch,
     * the first contact in order. PLIANT_ANY_PAIR: the first contact of all, in order. Other than
     * in pliant_world_collide() they are the least ones: which contact comes first in a tree
     * depends on how bodies are divided. */
    PliantCollideKind kind;
} PliantMpiQueryDef;

static inline PliantMpiQueryDef pliant_mpi_query_def_default(void)
{
    PliantMpiQueryDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* Returns the contacts between bodies with keys, of all ranks, whose filters allow it: those that
 * this rank decides. A NULL def means the defaults. Loose boxes count within a rank, and are
 * ignored between ranks. What the world has returned before lives no longer.
 *
 * Collective. Complete, or it fails with PLIANT_OUT_OF_MEMORY, PLIANT_TOO_LARGE, or
 * PLIANT_BAD_ARGUMENT if ranks ask for different kinds, or two bodies have one key and are not both
 * parts. On two ranks that is noticed while their boxes overlap. Changes the PliantMpi and the
 * world. */
PLIANT_API PliantResult pliant_mpi_collide(PliantMpi *mpi, const PliantMpiQueryDef *def,
                                           PliantMpiContacts *contacts);

/* ---- How far ------------------------------------------------------------------------------- */

/* A value: two triangles, of bodies with these keys, within the distance of a query. */
typedef struct PliantMpiNearPair {
    uint64_t key_a, key_b; /* key_a is less than key_b */
    int64_t triangle_a, triangle_b;
    float distance;                   /* within one ulp; 0 if they touch */
    float normal[3];                  /* as in PliantNearPair: of length one, from b to a */
    float weights_a[3], weights_b[3]; /* of the corners: each sums up to 1, and the weighted corners
                                         are the closest points. If triangles intersect, and no
                                         vertex and no edge of one touches a vertex, an edge or the
                                         inside of the other, all of these are zeros */
} PliantMpiNearPair;

/* A record. Start from pliant_mpi_near_pairs_default(). In the order of contacts; none is there
 * twice, on any rank. */
typedef struct PliantMpiNearPairs {
    size_t struct_size;
    const PliantMpiNearPair *items; /* borrowed: until the next call with this PliantMpi */
    int64_t count;                  /* on this rank */
} PliantMpiNearPairs;

static inline PliantMpiNearPairs pliant_mpi_near_pairs_default(void)
{
    PliantMpiNearPairs pairs = PLIANT_ZEROS;
    pairs.struct_size = sizeof pairs;
    return pairs;
}

/* A record. Start from pliant_mpi_near_def_default(). All ranks must ask for the same. */
typedef struct PliantMpiNearDef {
    size_t struct_size;
    float distance; /* at least 0, finite; default 0: triangles that touch */
} PliantMpiNearDef;

static inline PliantMpiNearDef pliant_mpi_near_def_default(void)
{
    PliantMpiNearDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* Returns the pairs of triangles whose distance is at most def.distance, exactly decided, of bodies
 * with keys, of all ranks, whose filters allow it: those that this rank decides. They are pairs of
 * triangles, and not of features as in pliant_world_near(), since only these have numbers in a body
 * of several parts. A NULL def means the defaults. Loose boxes are ignored. What the world has
 * returned before lives no longer.
 *
 * Collective. Complete, or it fails as pliant_mpi_collide() does, and with PLIANT_BAD_ARGUMENT if
 * the distance is negative or not finite. Changes the PliantMpi and the world. */
PLIANT_API PliantResult pliant_mpi_near(PliantMpi *mpi, const PliantMpiNearDef *def,
                                        PliantMpiNearPairs *pairs);

/* ---- When ---------------------------------------------------------------------------------- */

/* A value: two features that touch on their way to the ends of their bodies (pliant/sweep.h). A
 * vertex is a corner of its triangle, and an edge goes from a corner to the next one; a triangle
 * has the corner 0. */
typedef struct PliantMpiImpact {
    uint64_t key_a, key_b; /* key_a is less than key_b */
    int64_t triangle_a, triangle_b;
    PliantFeatures kind;
    int32_t corner_a, corner_b;
    float time, weights[4], normal[3]; /* as in PliantImpact, of an edge the lower corner first */
    uint32_t reserved;
} PliantMpiImpact;

/* A record. Start from pliant_mpi_earliest_default(). */
typedef struct PliantMpiEarliest {
    size_t struct_size;
    bool is_found; /* else nothing touches, and the impact is zeros */
    PliantMpiImpact impact;
} PliantMpiEarliest;

static inline PliantMpiEarliest pliant_mpi_earliest_default(void)
{
    PliantMpiEarliest earliest = PLIANT_ZEROS;
    earliest.struct_size = sizeof earliest;
    return earliest;
}

/* A record. Start from pliant_mpi_sweep_def_default(). All ranks must ask for the same. */
typedef struct PliantMpiSweepDef {
    size_t struct_size;
    float max_time; /* from 0 to 1; default 1. Impacts of a greater time do not count */
} PliantMpiSweepDef;

static inline PliantMpiSweepDef pliant_mpi_sweep_def_default(void)
{
    PliantMpiSweepDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.max_time = 1;
    return def;
}

/* Returns the earliest impact of bodies with keys, of all ranks, whose filters allow it, on the way
 * to their ends: to all ranks, the same. It is decided exactly, as in pliant_world_sweep(). Of
 * several with the least time it is the first by keys, triangles, kind and corners. A vertex or an
 * edge counts for each triangle that it is in: that of the lowest number is named. A NULL def means
 * the defaults.
 *
 * Collective. Fails as pliant_mpi_collide() does, and with PLIANT_BAD_ARGUMENT if def.max_time is
 * not from 0 to 1, or the end of a soup has another number of primitives or vertices. Changes the
 * PliantMpi and the world. */
PLIANT_API PliantResult pliant_mpi_sweep(PliantMpi *mpi, const PliantMpiSweepDef *def,
                                         PliantMpiEarliest *earliest);

/* ---- What a query has done ----------------------------------------------------------------- */

/* A record: what the last query of this rank has sent and done. Start from
 * pliant_mpi_stats_default(). */
typedef struct PliantMpiStats {
    size_t struct_size;
    int32_t neighbor_count;  /* ranks whose boxes overlap those of this one */
    int64_t bodies_sent;     /* boxes of bodies; one that goes to two ranks counts twice */
    int64_t triangles_sent;  /* likewise */
    int64_t bytes_sent;      /* of both, to neighbors */
    int64_t messages_sent;   /* to neighbors, sizes included */
    int64_t pairs_decided;   /* of bodies whose triangles came here, or were here (near, sweep) */
    double local_seconds;    /* for pairs within this rank, while messages were on their way */
    double boundary_seconds; /* for pairs with other ranks: finding, packing and deciding */
    double wait_seconds;     /* for other ranks */
    size_t byte_size;        /* bytes that the PliantMpi holds from its host now */
} PliantMpiStats;

static inline PliantMpiStats pliant_mpi_stats_default(void)
{
    PliantMpiStats stats = PLIANT_ZEROS;
    stats.struct_size = sizeof stats;
    return stats;
}

/* Returns the statistics. O(1). Not collective. Reads the PliantMpi. */
PLIANT_API PliantResult pliant_mpi_stats(const PliantMpi *mpi, PliantMpiStats *stats);

/* ---- Balance ------------------------------------------------------------------------------- */

/* Returns what a body has cost in the last query that was not PLIANT_ANY_PAIR, in about a
 * nanosecond, from what was counted for it in pairs within its rank: the same in every run, unlike
 * a clock. 0 before such a query. Not collective. Fails with PLIANT_BAD_ID if the body has no key.
 * Reads the PliantMpi. */
PLIANT_API PliantResult pliant_mpi_body_cost(const PliantMpi *mpi, PliantBody body, uint64_t *cost);

/* A record: items to be divided among ranks, such as bodies or parts of them. Start from
 * pliant_mpi_partition_default(). */
typedef struct PliantMpiPartition {
    size_t struct_size;
    const PliantBox *boxes; /* of this rank's items: where they are; finite */
    const uint64_t *costs;  /* of each; NULL: 1. The sum of all ranks must be below 2^63 */
    int64_t count;
    double min_gain; /* items stay where they are unless that makes the most expensive rank cheaper
                        by this factor; at least 1, default 1.1. The same on all ranks */
    const PliantHost *host; /* NULL: the defaults */
} PliantMpiPartition;

static inline PliantMpiPartition pliant_mpi_partition_default(void)
{
    PliantMpiPartition partition = PLIANT_ZEROS;
    partition.struct_size = sizeof partition;
    partition.min_gain = 1.1;
    return partition;
}

/* Divides items among the ranks of a communicator so that each costs about the same and has what is
 * together in space: by ranges of a Hilbert curve through the middles of the boxes. Writes the rank
 * that each item should be on; `capacity` is the length of `ranks`, at least `count`. Where items
 * are does not depend on who had them before. For hosts without a partition of their own; moving
 * the bodies is theirs: pliant_shape_data() are bytes that can be sent.
 *
 * Collective. Fails with PLIANT_BAD_ARGUMENT or PLIANT_OUT_OF_MEMORY. Any thread. */
PLIANT_API PliantResult pliant_mpi_partition(MPI_Comm communicator,
                                             const PliantMpiPartition *partition, int32_t *ranks,
                                             int64_t capacity);

#ifdef __cplusplus
}
#endif

#endif
