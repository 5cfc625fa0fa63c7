/* What the parts of the MPI backend share: see include/pliant/mpi.h for what it is.
 *
 * A query goes like this. Every rank finds the boxes of its bodies, and some boxes that hold all of
 * them (boxes.c). All ranks learn these, and with that which ranks are neighbors. Neighbors
 * exchange the boxes of bodies near each other, with some small boxes of what of each body is near
 * the neighbor; both find the same pairs of bodies from these. The rank with the greater key sends
 * the triangles near the small boxes of the other body (boundary.c). While they are on their way,
 * each rank collides its own bodies (local.c). Then it decides what has reached it (boundary.c).
 *
 * What is near (near.c) and when something touches (earliest.c) is asked of triangles, and not of
 * the features that a world would name. So there a rank is its own neighbor: pairs of bodies on one
 * rank go the same way as all others, without a message.
 *
 * Whatever may fail on one rank is followed by an agreement of all ranks (exchange.c), before a
 * message is sent that somebody would wait for. A rank that has failed goes on as far as that.
 */
#ifndef PLI_MPI_SHARED_H
#define PLI_MPI_SHARED_H

#include "../records.h"

#include <pliant/mpi.h>
#include <pliant/soup.h>

#include <string.h>

#define PLI_MPI_TRY(step)                                                                          \
    do {                                                                                           \
        const PliantResult try_result = (step);                                                    \
        if (try_result != PLIANT_OK)                                                               \
            return try_result;                                                                     \
    } while (0)

/* A call of MPI that failed, and whose error handler has returned. */
#define PLI_MPI_CALL(call)                                                                         \
    do {                                                                                           \
        if ((call) != MPI_SUCCESS)                                                                 \
            return PLIANT_UNSUPPORTED;                                                             \
    } while (0)

/* ---- The host: host.c ------------------------------------------------------------------------ */

/* The host's hooks, and how much is held from it. */
typedef struct PliMpiMemory {
    PliantHost host;
    size_t byte_size;
} PliMpiMemory;

/* Copies what the caller gave (NULL: nothing), with defaults for missing hooks. */
PliantResult pli_mpi_memory_init(PliMpiMemory *memory, const PliantHost *given);

/* Reports "function: message" to the host, and returns `result`. */
PliantResult pli_mpi_mistake(const PliMpiMemory *memory, const char *function, PliantResult result,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A growing array. Starts as zeros but for item_size. */
typedef struct PliMpiArray {
    void *items;
    int64_t count, capacity;
    size_t item_size;
} PliMpiArray;

PliantResult pli_mpi_reserve(PliMpiArray *array, PliMpiMemory *memory, int64_t capacity);

/* Adds items that are not set, and returns the first; NULL if there is no memory. */
void *pli_mpi_push(PliMpiArray *array, PliMpiMemory *memory, int64_t extra);
void pli_mpi_free(PliMpiArray *array, PliMpiMemory *memory);

/* Sorts, keeping the order of equals: linear if it is sorted already. `scratch` is another array
 * with items of that size. */
typedef int PliMpiCompare(const void *one, const void *other);
PliantResult pli_mpi_sort(PliMpiArray *array, PliMpiArray *scratch, PliMpiMemory *memory,
                          PliMpiCompare *compare);

/* -1, 0 or 1. */
#define PLI_MPI_ORDER(x, y) (((x) > (y)) - ((x) < (y)))

/* ---- Messages -------------------------------------------------------------------------------- */

/* What all ranks know of each: sent as bytes, like all that follows. */
enum { PLI_MPI_RANK_BOXES = 8 };
typedef struct PliMpiGreeting {
    int32_t result, kind; /* of the query */
    int32_t has_parts;
    float limit;                         /* of the query */
    PliantBox boxes[PLI_MPI_RANK_BOXES]; /* hold all bodies; unused ones are empty */
} PliMpiGreeting;

/* What neighbors know of a body. */
typedef struct PliMpiRecord {
    uint64_t key;
    PliantBox box;
    uint32_t categories, collides_with;
    int32_t body; /* its place in the table of its rank */
    int32_t is_part;
    int32_t first_box, box_count; /* what of the body is near the neighbor is in these */
} PliMpiRecord;

/* All that a neighbor is told: their number, as many records, and the boxes of all of them. */
enum { PLI_MPI_BODY_BOXES = 32 };
typedef struct PliMpiRecords {
    int64_t count;
    const PliMpiRecord *records;
    const PliantBox *boxes;
} PliMpiRecords;

/* Triangles of a body: this, nine floats for each, nine at the end of each if they move, and a
 * number for each. */
typedef struct PliMpiGhost {
    uint64_t key;
    int64_t first_triangle, count;
    int32_t body;   /* as in its record */
    int32_t is_odd; /* there is room for one number more, so that the next one is aligned */
} PliMpiGhost;

/* Bytes to each neighbor and from each: those of neighbor n begin at starts[n]. */
typedef struct PliMpiExchange {
    PliMpiArray out, in;             /* of bytes */
    int64_t *out_starts, *in_starts; /* one more than there are ranks */
    PliMpiArray requests;            /* of MPI_Request: on their way */
} PliMpiExchange;

/* ---- The world ------------------------------------------------------------------------------- */

/* What is asked for: a PliantCollideKind, or: */
enum { PLI_MPI_NEAR = PLIANT_ANY_PAIR + 1, PLI_MPI_EARLIEST };

typedef struct PliMpiAsked {
    const char *name; /* of the call */
    int32_t kind;
    float limit; /* the distance, or until when */
    float reach; /* boxes are wider by this; compared by pli_mpi_order_of() */
} PliMpiAsked;

/* A body of this rank that has a key. */
typedef struct PliMpiBody {
    PliantBody body;
    PliantMpiBodyDef def;
    PliantBox box; /* these, from the query on */
    uint32_t categories, collides_with;
    uint64_t cost;
} PliMpiBody;

/* Two bodies here, in the order of their keys. */
typedef struct PliMpiBodyPair {
    int32_t a, b;
    uint64_t key_a, key_b;
} PliMpiBodyPair;

/* The key of a body. */
typedef struct PliMpiKey {
    uint64_t key;
    uint64_t is_part;
} PliMpiKey;

/* A body here and one of a neighbor, whose boxes overlap. */
typedef struct PliMpiPair {
    int32_t neighbor, own;
    int64_t record; /* the other's, among those of the neighbor */
} PliMpiPair;

struct PliantMpi {
    PliMpiMemory memory;
    MPI_Comm communicator;
    int rank, rank_count;
    int32_t message_size;  /* the same on all ranks */
    PliantWorld *world;    /* of this rank, the caller's */
    PliantWorld *boundary; /* of two soups: triangles of a body here, and of one elsewhere */
    PliantBody soups[2], soup_ends[2];
    PliMpiAsked asked;

    PliMpiArray bodies;    /* of PliMpiBody */
    PliMpiArray places;    /* of int32_t: by the index of a body, its place in `bodies`, or -1 */
    bool has_parts;        /* on any rank, in this query */
    bool are_keys_checked; /* since the last body got one */

    /* For as many as there are ranks. */
    PliMpiGreeting *greetings;
    int *neighbors;
    int64_t *sizes; /* twice as many: to each neighbor, and from each */
    MPI_Request *requests;
    PliantMpiContact *firsts;
    PliantMpiEarliest *impacts;
    int *counts; /* twice as many */
    int neighbor_count;

    PliMpiExchange records, triangles;
    PliMpiArray order;     /* of int32_t: bodies by groups, for the boxes of this rank */
    PliMpiArray sends;     /* of PliMpiPair: triangles of `own` go to the neighbor */
    PliMpiArray decisions; /* of PliMpiPair: triangles of the other come here */
    PliMpiArray pair_scratch;
    PliMpiArray near_records, record_scratch; /* of PliMpiRecord: near one neighbor */
    PliMpiArray boxes;                        /* of PliantBox: asked for at once */
    PliMpiArray ghosts;      /* of const PliMpiGhost *: of this rank, or of others */
    PliMpiArray near_ghosts; /* likewise: those near one body */
    PliMpiArray body_pairs;  /* of PliMpiBodyPair: in this rank, for PLIANT_ANY_PAIR */
    PliMpiArray body_pair_scratch;
    PliMpiArray keys, key_scratch;                    /* of PliMpiKey */
    PliMpiArray contacts, contact_scratch, gathered;  /* of PliantMpiContact */
    PliMpiArray near_pairs, near_found, near_scratch; /* of PliantMpiNearPair */
    PliantMpiEarliest earliest;                       /* of this rank so far */
    PliantMpiStats stats;
};

static inline PliMpiRecords pli_mpi_records_at(const PliMpiArray *bytes, int64_t start)
{
    PliMpiRecords records;
    const char *at = (const char *)bytes->items + start;
    memcpy(&records.count, at, sizeof records.count);
    records.records = (const PliMpiRecord *)(const void *)(at + sizeof records.count);
    records.boxes = (const PliantBox *)(const void *)(records.records + records.count);
    return records;
}

static inline PliMpiRecords pli_mpi_records_from(const PliantMpi *mpi, int neighbor)
{
    return pli_mpi_records_at(&mpi->records.in, mpi->records.in_starts[neighbor]);
}

/* Do pairs of bodies on this rank go the way of all others? */
static inline bool pli_mpi_includes_own(const PliMpiAsked *asked)
{
    return asked->kind > PLIANT_ANY_PAIR;
}

static inline bool pli_mpi_is_own(const PliantMpi *mpi, int neighbor)
{
    return mpi->neighbors[neighbor] == mpi->rank;
}

static inline const float *pli_mpi_corners(const PliMpiGhost *ghost)
{
    return (const float *)(const void *)(ghost + 1);
}

/* How many floats there are for each triangle. */
static inline int pli_mpi_row_size(const PliMpiAsked *asked)
{
    return asked->kind == PLI_MPI_EARLIEST ? 18 : 9;
}

static inline const int32_t *pli_mpi_numbers(const PliMpiAsked *asked, const PliMpiGhost *ghost)
{
    return (const int32_t *)(const void *)(pli_mpi_corners(ghost) +
                                           ghost->count * pli_mpi_row_size(asked));
}

/* Floats in their order, as integers; -0 is 0. Boxes are compared by these: a caller's modes may
 * take denormals for zeros, and if they do so on one of two ranks, one would wait for the other. */
static inline int32_t pli_mpi_order_of(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT32_MIN - bits : bits;
}

static inline bool pli_mpi_is_at_most(float x, float y)
{
    return pli_mpi_order_of(x) <= pli_mpi_order_of(y);
}

static inline bool pli_mpi_overlap(const PliantBox *a, const PliantBox *b)
{
    for (int k = 0; k < 3; k++)
        if (!pli_mpi_is_at_most(a->low[k], b->high[k]) ||
            !pli_mpi_is_at_most(b->low[k], a->high[k]))
            return false;
    return true;
}

static inline PliantBox pli_mpi_empty(void)
{
    const float far = __builtin_inff();
    return (PliantBox){{far, far, far}, {-far, -far, -far}};
}

static inline void pli_mpi_add_box(PliantBox *box, const PliantBox *other)
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = pli_mpi_is_at_most(other->low[k], box->low[k]) ? other->low[k] : box->low[k];
        box->high[k] =
            pli_mpi_is_at_most(box->high[k], other->high[k]) ? other->high[k] : box->high[k];
    }
}

/* Widens boxes that are not empty, outward by a distance and what is rounded, whatever modes the
 * caller has set. */
void pli_mpi_widen(PliantBox *boxes, int64_t count, float distance);

/* The number of a triangle in the whole. */
static inline int64_t pli_mpi_number(const PliMpiBody *body, int32_t triangle)
{
    return body->def.first_triangle +
           (body->def.triangles ? body->def.triangles[triangle] : triangle);
}

/* The place of a body that has a key, or -1. */
int32_t pli_mpi_place(const PliantMpi *mpi, PliantBody body);

/* ---- Steps of a query ------------------------------------------------------------------------ */

/* The greatest result of all ranks. Collective. */
PliantResult pli_mpi_agree(PliantMpi *mpi, PliantResult result);

/* Starts the exchange of what is in `out`, unless a rank has failed before or fails here: then all
 * ranks return the greatest result. Collective. */
PliantResult pli_mpi_exchange_start(PliantMpi *mpi, PliMpiExchange *exchange, PliantResult result);
PliantResult pli_mpi_exchange_wait(PliantMpi *mpi, PliMpiExchange *exchange);

/* Fills mpi->keys, in order: of all bodies, or of those that are parts. */
PliantResult pli_mpi_list_keys(PliantMpi *mpi, bool only_parts);

/* The boxes of all bodies; then those of the rank. */
PliantResult pli_mpi_find_boxes(PliantMpi *mpi);
void pli_mpi_find_rank_boxes(PliantMpi *mpi, PliantBox *boxes);

/* Which ranks are neighbors. */
void pli_mpi_find_neighbors(PliantMpi *mpi);

/* Fills mpi->records.out, and then finds pairs from what has come. */
PliantResult pli_mpi_list_records(PliantMpi *mpi);
PliantResult pli_mpi_find_pairs(PliantMpi *mpi);

/* Fills mpi->triangles.out. */
PliantResult pli_mpi_list_triangles(PliantMpi *mpi);

/* Triangles of a body here, in the first soup, and of another, in the second one. */
typedef struct PliMpiTwo {
    const PliMpiBody *body;
    const int32_t *triangles; /* of each in the first soup: its number in the body */
    const PliMpiGhost *ghost;
} PliMpiTwo;

static inline int64_t pli_mpi_number_a(const PliMpiTwo *two, int32_t triangle)
{
    return pli_mpi_number(two->body, two->triangles[triangle]);
}

static inline int64_t pli_mpi_number_b(const PliMpiAsked *asked, const PliMpiTwo *two,
                                       int32_t triangle)
{
    return two->ghost->first_triangle + pli_mpi_numbers(asked, two->ghost)[triangle];
}

/* Adds what is found of two bodies. */
PliantResult pli_mpi_decide_near(PliantMpi *mpi, const PliMpiTwo *two);
PliantResult pli_mpi_decide_earliest(PliantMpi *mpi, const PliMpiTwo *two);

/* Adds what is found of pairs of bodies whose triangles have come: of those on this rank, or of
 * those with other ranks. */
PliantResult pli_mpi_decide(PliantMpi *mpi, bool is_own);

/* All steps of a query, up to where each rank has found what it decides. `result` is of what came
 * before it on this rank. Collective. */
PliantResult pli_mpi_search(PliantMpi *mpi, PliMpiAsked asked, PliantResult result);

/* Adds the contacts of pairs of bodies on this rank. */
PliantResult pli_mpi_collide_local(PliantMpi *mpi);

/* Of all contacts so far, keeps the first in order. */
void pli_mpi_keep_least(PliantMpi *mpi);

/* Sorts near pairs. */
PliantResult pli_mpi_sort_near(PliantMpi *mpi);

/* The order of contacts, and of the pairs of keys alone. */
int pli_mpi_compare_contacts(const void *one, const void *other);
static inline int pli_mpi_compare_keys(const PliantMpiContact *x, const PliantMpiContact *y)
{
    const int order = PLI_MPI_ORDER(x->key_a, y->key_a);
    return order != 0 ? order : PLI_MPI_ORDER(x->key_b, y->key_b);
}

#endif
