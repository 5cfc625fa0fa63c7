/* world: bodies, and the workers that ask about them.
 *
 * This folder divides a question among workers, by pairs of bodies (items.h) or by portions, and
 * puts answers in order. The public calls above it, in api/, check, ask and return. A world is a
 * table of bodies, arrays of what the broad phase reads of each, and the scratch of its workers.
 * There is nothing to bring up to date but what was set: bodies that were set wait in a list, and a
 * query begins by going through it.
 */
#ifndef PLI_WORLD_H
#define PLI_WORLD_H

#include "base/control.h"
#include "base/counting.h"
#include "broad/broad.h"
#include "decide/distance.h"
#include "decide/near.h"
#include "decide/points.h"
#include "decide/rays.h"
#include "decide/sweep.h"
#include "decide/triangles.h"
#include "mesh_pose/doubles.h"
#include "regions/regions.h"
#include "soup/follow.h"
#include "volume/volume.h"
#include "world/claim.h"
#include "world/stamp.h"
#include <pliant/distance.h>
#include <pliant/intersections.h>
#include <pliant/rays.h>
#include <pliant/soup.h>

#include <inttypes.h>

struct PliBody {
    union { /* of a body that is alive */
        PliPose pose;
        PliMeshPose mesh;
        PliSoup soup;
    };
    uint32_t serial;   /* of its handle: 0 of a body that is not alive */
    int32_t next_free; /* of a body that is not: -1 is the last */
    bool is_alive, is_waiting, has_loose_box;
    bool is_self_left_out; /* of queries of the world that include pairs of a body with itself */
    uint32_t query;        /* that the statistics are of */
    uint32_t moment;       /* for which the pose was last made right */
    uint64_t user_data;
    uint64_t revision;    /* of the world, when its vertices were last set, or seen to differ */
    uint64_t vertex_hash; /* of borrowed vertices, when they were last hashed */
    uint32_t hash_moment; /* at which that was */
    uint32_t read_moment; /* at which borrowed doubles were last rounded */
    PliBox loose_box;
    PliantStats stats;
    PliFanState *fan_state; /* of self-collision, made on first need */
    int32_t end, owner;     /* the number of its end, and of the body whose end it is; -1: none */
    PliRadii radii;         /* zeros of an end */
    PliFollower *follower;  /* of a soup that is an end, made on first need */
    PliMotion *motion;      /* of queries with a margin, likewise */
};

/* What workers need of a body besides its bounds. */
typedef struct PliPrepared {
    uint32_t query;           /* in which that was found; 0: in none */
    PliPoseFeatures features; /* at both ends, if the query has ends */
    PliPose *end_pose;        /* where it is at the end of the step; its pose if it has no end */
} PliPrepared;

/* Do queries of the world see it? */
static inline bool pli_body_is_seen(const PliBody *body)
{
    return body->is_alive && body->owner < 0;
}

/* Does it take part in queries of the world that include pairs of a body with itself? */
static inline bool pli_body_has_self(const PliBody *body)
{
    return pli_body_is_seen(body) && !body->is_self_left_out;
}

static inline int64_t pli_world_leaf_count(const PliBody *body)
{
    return body->pose.bounds.tree->leaf_count;
}

/* What is left of pairs that take long. */
typedef struct PliLeft {
    PliArray pairs;             /* of PliTreePartPair */
    PliArray leaf_pairs;        /* of PliLeafPair */
    PliArray moving_leaf_pairs; /* of PliMovingLeafPair: in place of these, if there are times */
} PliLeft;

/* What one worker of a world has. */
typedef struct PliWorldWorker {
    PliWorker worker; /* first: parts of divided work get this */
    PliNarrow narrow;
    PliNear near;
    PliSweep sweep;
    PliDistance distance;
    PliPointSearch points;
    PliRegionScratch regions; /* of regions and intersections; reads `points` */
    uint32_t query;           /* in which it last did an item: leaves are kept for one query */
    PliArray found; /* of uint64_t: contacts of the items that it tested, as in narrow.contacts; or
                       PliLeafPair, of bodies within a distance */
    PliArray features_found; /* of PliantNearPair or PliantImpact: likewise */
    PliLeft left[2];         /* of this round of a query and of the one before, in turns */
    PliCaster caster;
    PliArray ray_hits;   /* of PliantRayHit: of the portions of rays that it took */
    PliantStats updates; /* what the bodies took that it has updated in this query */
} PliWorldWorker;

/* Arrays in which workers gather something over many items: found, features_found, ray_hits, left;
 * and items. */
enum { PLI_GATHERED_COUNT = 10 };

/* What came of a portion of a batch of rays: found in the array of the worker that took it. */
typedef struct PliRayPortion {
    PliWorldWorker *worker;
    int64_t first, count;
    PliantResult result;
} PliRayPortion;

/* What pliant_body_triangles_in_boxes() has found, or the same of a body that moves. */
typedef struct PliTrianglesInBoxes {
    PliArray stack;      /* of PliVisitPart, with: */
    PliArray near;       /* of int32_t: boxes that overlap them */
    PliArray keys, rows; /* of uint64_t and float[PLI_ROW_SIZE]: as they were found */
    PliArray end_rows;   /* likewise, of a body that moves: at its end */
    PliArray triangles;  /* of int32_t: in order, with: */
    PliArray corners;    /* of float[PLI_ROW_SIZE] */
} PliTrianglesInBoxes;

/* Some tens of microseconds: less makes more parts to merge, and more makes others wait at the end.
 */
enum { PLI_MAX_WORK = 2048 };

/* Where the closest features of two bodies, by their numbers, were last. A power of two. */
enum { PLI_LAST_LEAVES = 256 };
typedef struct PliLastLeaves {
    int32_t a, b;
    PliLeafPair leaves;
} PliLastLeaves;

struct PliantWorld {
    /* Hosts that pass on to the one of the caller, and count. A block is released through the host
     * that it was allocated with, so each owner has one: bodies, their table and the scratch of
     * their updates; the broad phase; and all else. */
    PliantHost host, body_host, broad_host;
    PliCountingHost counting, body_counting, broad_counting;
    atomic_int claim_count;         /* calls that read it now; -1: a call that changes it */
    atomic_int *claims;             /* that count: calls that only read the world write to it */
    PliControl control;             /* of the query that runs */
    atomic_uint_least64_t revision; /* counts changes of bodies: see stamp.c */
    bool hashes_borrowed;           /* this query notes whether borrowed vertices have changed */
    bool divides_everything;        /* for tests: however little there is to do */
    atomic_flag lists_readers;      /* a thread reads or changes the list of readers */
    int32_t body_count;             /* alive */
    PliKernels kernels;
    PliBroadKind broad_kind;
    double origin[3]; /* that is subtracted from vertices in double */
    uint32_t query;
    uint32_t moment;    /* the query at which borrowed vertices were last read: all in a hold share
                           it */
    bool is_held;       /* from pliant_world_hold() to pliant_world_release(); of a reader always */
    int32_t first_free; /* body, or -1 */
    atomic_int asked;   /* readers that are being asked; -1: none can be */

    /* Readers. In a hold a reader has the arrays of bodies of its world. */
    PliantWorld *read; /* of a reader: the world that it reads; otherwise NULL */
    PliantWorld
        *readers; /* of a world, a list, which may change at any time but in lists_readers */
    PliantWorld *next_reader;
    PliArray reader_fans;      /* of PliReaderFans, of a reader: by body */
    PliantStats reader_unused; /* of a reader: what would be counted for a body */

    PliArray bodies;     /* of PliBody, by index - 1 */
    PliArray exclusions; /* of PliExclusions, by bodies: pairs that are left out */
    bool (*may_pair)(void *user, PliantBody a, PliantBody b); /* of the def, or NULL */
    void *pair_user;
    PliArray boxes;                     /* of PliBox: where each may be; NaN if it is not alive */
    PliArray categories, collides_with; /* of uint32_t */
    PliArray waiting;                   /* of int32_t: bodies that have been set, or may have */

    PliWorldWorker first;   /* of the thread that calls */
    PliWorldWorker *others; /* host.worker_count - 1 more, made when work is first divided */
    PliWorker **workers;    /* all of them, first the first */
    PliCrew crew;
    int64_t gathered[PLI_GATHERED_COUNT]; /* the most that all workers together had: crew.c */
    int64_t max_work;       /* after which the rest of a pair is divided among workers */
    PliArray items;         /* of PliQueryItem: pairs of bodies on their way through the workers */
    PliArray merged;        /* of uint64_t: contacts of pairs that were divided */
    PliArray prepared;      /* of PliPrepared, by body: see pli_query_prepare() */
    PliArray allowed_pairs; /* of PliBroadPair: those that may_pair allows */
    PliArray query_pairs;   /* of PliBroadPair: of a query about one body, or with bodies alone */
    PliArray feature_order; /* of PliRanked: what was found, by features, and scratch */
    PliFanScratch fans;     /* of a self query */
    PliBroad broad;
    PliTiles tiles;
    PliMeasure measure;
    PliScene scene;                /* of ray casts */
    PliArray ray_portions;         /* of PliRayPortion */
    PliArray ray_hits;             /* of PliantRayHit */
    PliArray hit_points;           /* of PliantHitPoint */
    PliArray contacts;             /* of PliantContact */
    PliArray body_pairs;           /* of PliantBodyPair */
    PliBroad near_broad;           /* of queries for what is near */
    PliArray near_boxes;           /* of PliBox: wider ones */
    PliArray near_pairs;           /* of PliantNearPair */
    PliArray unique_pairs;         /* of PliantNearPair: the same as closest features */
    PliArray pair_vertices[2];     /* of float: where the vertices of two bodies are */
    PliBroad sweep_broad;          /* of sweeps */
    PliArray sweep_boxes;          /* of PliBox: of all of the way */
    PliArray impacts;              /* of PliantImpact */
    PliKept near_kept, sweep_kept; /* of queries with a margin */
    uint64_t last_epoch;           /* that has begun: PliMotion.epoch */
    PliLastLeaves last_leaves[PLI_LAST_LEAVES];
    PliArray pairs_within;          /* of PliantBodyPair */
    PliArray point_order[2];        /* of uint64_t: points along a curve, and scratch */
    PliArray closest;               /* of PliantClosestPoint: the answers */
    PliArray windings;              /* of PliantWindingNumber: likewise */
    PliPosedBoundary boundaries[2]; /* of the body whose winding numbers are asked, or of two */
    PliArray point_homes; /* of int32_t: the body that a point is searched for in first, or -1 */
    PliTrianglesInBoxes in_boxes;
    PliRegions regions;
    PliArray intersections;       /* of PliantIntersection */
    PliArray intersection_points; /* of PliantIntersectionPoint */
    PliantStats stats;
};

/* The body that a handle names, or NULL. */
PliBody *pli_world_body(const PliantWorld *world, PliantBody handle);

PliantBody pli_world_handle(const PliantWorld *world, int32_t number);
static inline int32_t pli_world_number(const PliantWorld *world, const PliBody *body)
{
    return (int32_t)(body - (const PliBody *)world->bodies.items);
}

/* Takes a new body into the world, whose pose is there; else, if there is no memory, frees that. So
 * many terms and boxes are enough for a worker to read it. */
PliantResult pli_world_add(const PliCall *call, PliantWorld *world, PliBody *fresh,
                           int64_t term_count, int64_t box_count, PliantBody *handle);

/* Adds a body of a shape, in the rest pose. */
PliantResult pli_world_add_mesh(const PliCall *call, PliantWorld *world, PliantShape *shape,
                                PliantBody *handle);

/* Removes a body, and its end if it has one. */
void pli_world_remove(PliantWorld *world, PliBody *body);
/* Releases what queries have made for a body, and make again on need. */
void pli_world_trim_body(PliantWorld *world, PliBody *body);

/* The next query tests it. */
void pli_world_wait(PliantWorld *world, PliBody *body);

/* How thick a body is in queries of features: its greatest radius, and how far its vertices may be
 * from doubles; those of its end too, if there are ends. */
float pli_world_thickness(const PliantWorld *world, const PliBody *body, bool has_ends);

/* ---- Queries: query.c ------------------------------------------------------------------------ */

/* A new query, or the moment at which a hold begins. */
void pli_world_next_query(PliantWorld *world);

/* A new query: bounds of bodies are read anew, unless the world is held, and `progress`, if it is
 * not NULL, is asked whether the query goes on. */
void pli_world_start(PliantWorld *world, PliProgress *progress, void *user);

/* Makes a body's box and bounds right, once a query. */
void pli_world_update_body(PliantWorld *world, PliBody *body);

/* The same for all bodies that wait, with their boxes for the broad phase: each by one worker, if
 * there are many. Fails with PLIANT_CANCELLED; bodies that were not updated then go on waiting. */
PliantResult pli_world_refresh(PliantWorld *world);

/* Does this build check that borrowed vertices stay as they are in a hold? */
static inline bool pli_world_checks_hold(const PliantWorld *world)
{
#ifdef PLIANT_ASSERTS
    return world->is_held;
#else
    (void)world;
    return false;
#endif
}

/* Then: pairs of bodies whose boxes are within a distance, with their radii if they are to be
 * thick, and whose filters allow it, in order. */
PliantResult pli_world_near_bodies(PliantWorld *world, float distance, bool are_thick,
                                   const PliBroadPair **pairs, int64_t *count);

/* Has any body that queries see a radius, or vertices that are rounded, also at its end? */
bool pli_world_is_thick(const PliantWorld *world);

/* Does the caller want pairs of two bodies? The lower number comes first. */
static inline bool pli_world_may_pair(const PliantWorld *world, int32_t a, int32_t b)
{
    return !world->may_pair || world->may_pair(world->pair_user, pli_world_handle(world, a),
                                               pli_world_handle(world, b));
}

/* Leaves out pairs, in order, that the caller does not want. */
PliantResult pli_world_allow_pairs(PliantWorld *world, const PliBroadPair **pairs, int64_t *count);

/* Adds a pair to query_pairs, the lower number first. */
PliantResult pli_world_push_pair(PliantWorld *world, int32_t a, int32_t b);

/* Puts each body alone, if it takes part, before its pairs with those after it: in query_pairs. */
PliantResult pli_world_add_self_pairs(PliantWorld *world, const PliBroadPair **pairs,
                                      int64_t *count);

/* Makes the bounds of a body right, where it is and at its end; both are the same if it has none.
 */
PliantResult pli_world_open_moving(const PliCall *call, PliantWorld *world, int32_t number,
                                   PliMovingPose *pose);

/* How far a body and its end have moved since they were last asked for. The bounds are right. */
PliantResult pli_world_motions(PliantWorld *world, PliBody *body, PliMovingPose pose,
                               PliKeptSide *side);

/* The same as pli_world_update_body(), for a body that is to be drawn. */
PliSubject pli_world_subject(PliantWorld *world, PliBody *body, PliSide side);

/* Adds counts to the statistics of the body, and to the world's. */
void pli_world_add_counts(PliantWorld *world, PliBody *body, const PliPoseCounts *counts);

/* The same with what the first worker has counted for a side, which is then zero. */
void pli_world_count(PliantWorld *world, PliBody *body, PliSide side);

/* Starts a worker of one call that only reads the world: its memory is its own, so that such calls
 * can run at the same time. It can fetch leaves of this body. pli_worker_free() ends it, also if
 * this fails. */
PliantResult pli_world_reader_start(const PliantWorld *world, PliBody *body, PliWorker *reader);

/* ---- Readers: see reader.h ---------------------------------------------------------------------
 */

/* Are the bodies ready for readers, which may ask now? Then nobody changes them. */
static inline bool pli_world_is_read(const PliantWorld *world)
{
    return world->read || atomic_load_explicit(&world->asked, memory_order_relaxed) >= 0;
}

/* Where the statistics of a body are counted. */
static inline PliantStats *pli_world_stats_of(PliantWorld *world, PliBody *body)
{
    return world->read ? &world->reader_unused : &body->stats;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* In calls with a body: declares `body`, the one that `handle` names. `label` is what the header
 * calls that argument. */
#define PLI_CHECK_BODY(call, world, label, handle, body)                                           \
    PliBody *body = pli_world_body(world, handle);                                                 \
    PLI_CHECK(call, body, PLIANT_BAD_ID,                                                           \
              label " is {index %" PRIu32 ", serial %" PRIu32 "}: no such body in this world",     \
              (handle).index, (handle).serial)

#endif
