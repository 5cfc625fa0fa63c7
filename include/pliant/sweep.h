/* Pliant: what touches on the way from one pose to the next, and when.
 *
 * A body that moves fast may be before another one now and behind it in the next frame, and touch
 * it in neither. pliant_world_sweep() finds what it touches in between:
 *
 *     PliantBody end;
 *     pliant_body_create_end(world, body, &end);              // once
 *     ...
 *     pliant_body_borrow_vertices(world, body, vertices_now); // where it is
 *     pliant_body_borrow_vertices(world, end, vertices_next); // where it would be
 *     PliantImpacts impacts = pliant_impacts_default();
 *     pliant_world_sweep(world, NULL, &impacts);
 *     const float time = impacts.count > 0 ? impacts.items[0].time : 1;
 *
 * Up to `time`, which is from 0 to 1, nothing touches. Callers that have pairs of features of their
 * own give them to pliant_sweep_pairs(), which needs no world:
 *
 *     PliantSweepPairs def = pliant_sweep_pairs_default();
 *     def.kind = PLIANT_VERTEX_TRIANGLE;
 *     def.start = vertices_now;
 *     def.end = vertices_next;
 *     def.vertex_count = vertex_count;
 *     def.pairs = candidates;
 *     def.pair_count = candidate_count;
 *     pliant_sweep_pairs(&def, times, candidate_count, NULL);
 *
 * Each vertex moves along a straight line, at a constant speed, from its start at time 0 to its end
 * at time 1. Coordinates are float32 in any unit, and are taken as the real numbers that they are.
 * Features are closed sets: a triangle is the convex hull of its corners, and an edge of its ends,
 * of whatever area or length. They touch at a time if they have a point in common then.
 *
 * All answers are exact: those of real numbers, without a tolerance, whatever is degenerate. They
 * do not depend on the machine, the compiler, the cpu mask or the caller's floating-point modes.
 */
#ifndef PLIANT_SWEEP_H
#define PLIANT_SWEEP_H

#include <pliant/near.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Where bodies go ------------------------------------------------------------------------- */

/* Creates the end of a body: where that is at time 1. It is a body of the same shape, or a soup of
 * the same kind, and set as any other: with its own vertices, weights, joints, transform or
 * primitives. At first it is where its body is now: it has the same pose and transform, and
 * borrows what its body borrows. Setting the body later does not move the end. Its handle is that
 * of a body, for all calls that take one; but no query of the world sees it, it is not among
 * pliant_world_next_body(), and it is destroyed with its body. A body without an end stands still.
 *
 * Fails with PLIANT_BAD_ARGUMENT if the body has an end, or is one. Changes the world. */
PLIANT_API PliantResult pliant_body_create_end(PliantWorld *world, PliantBody body,
                                               PliantBody *end);

/* Returns the end of a body. Zeros, which no body is, if it has none or there is no such body.
 * Reads the world. */
PLIANT_API PliantBody pliant_body_end(const PliantWorld *world, PliantBody body);

/* Returns the triangles of a body that may share a point with one of some boxes at some time from 0
 * to 1, on the way to its end. They are all triangles that are finite at both ends and whose boxes
 * over the whole way overlap one. PliantBoxTriangles.end_corners are their corners at the end. A
 * body without an end stands still. Fails like pliant_body_triangles_in_boxes(), and with
 * PLIANT_BAD_ARGUMENT if the end of a soup has another number of primitives or vertices. Changes
 * the world. */
PLIANT_API PliantResult pliant_body_moving_triangles_in_boxes(PliantWorld *world, PliantBody body,
                                                              const PliantBox *boxes,
                                                              int32_t box_count,
                                                              const PliantBoxTrianglesDef *def,
                                                              PliantBoxTriangles *triangles);

/* ---- What touches ---------------------------------------------------------------------------- */

typedef enum PliantSweepKind {
    PLIANT_EARLIEST,      /* the first impact of all: for a line search */
    PLIANT_FIRST_IMPACTS, /* the first impact of each two bodies, and within each body if that is
                             asked for */
    PLIANT_ALL_IMPACTS,   /* all pairs of features that touch, each at its first time */
} PliantSweepKind;

/* A value: two features that touch on their way. They are named as in PliantNearPair, and so are
 * the four vertices of a pair. */
typedef struct PliantImpact {
    PliantBody body_a, body_b; /* a.index is less than b.index, or they are the same */
    PliantFeatures kind;
    int32_t feature_a, feature_b; /* within one body, of two edges the lower one first */
    float time; /* the greatest float that is not after the first touch: see below */
    float
        weights[4];  /* of the four vertices at that time: those of a sum up to 1 and those of b to
                        -1, and the sums of the weighted vertices of each are about the same point */
    float normal[3]; /* of length one, against the motion of a seen from b: that of the triangle, or
                        of both edges; zeros if there is none */
    uint32_t vertices[4]; /* the four vertices, numbered as pliant_body_vertices() writes them. Of a
                             group: a vertex at the place that touches first */
    uint32_t pair_count;  /* pairs of features that this one stands for: 1 in this version */
    uint8_t flags;        /* 0 in this version */
    uint8_t reserved[7];  /* zeros */
} PliantImpact;

/* A record. Start from pliant_impacts_default(). Impacts are in canonical order: by body_a.index,
 * body_b.index, kind; then by vertex and triangle, or by the edges. None is there twice. */
typedef struct PliantImpacts {
    size_t struct_size;
    const PliantImpact *items; /* borrowed: see pliant/world.h */
    int64_t count;
    uint64_t stamp;
    bool is_limit_reached;
    bool is_conservative; /* with a distance, a slack, a radius or vertices that were rounded from
                             doubles: see PliantSweepDef */
} PliantImpacts;

static inline PliantImpacts pliant_impacts_default(void)
{
    PliantImpacts impacts = PLIANT_ZEROS;
    impacts.struct_size = sizeof impacts;
    return impacts;
}

/* A record. Start from pliant_sweep_def_default(). */
typedef struct PliantSweepDef {
    size_t struct_size;
    PliantSweepKind kind; /* default PLIANT_EARLIEST */
    float max_time;       /* from 0 to 1; default 1. Impacts of a greater time do not count */
    bool includes_self;   /* pairs within each body too: of features without a common vertex */

    /* As in PliantCollideDef. */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user;

    /* Both at least 0 and finite, default 0. Let D be their sum and the radii of both features of a
     * pair (pliant_body_set_radius()). Where D is above 0, the answer is conservative: each pair
     * that comes within D is reported, at a time that is not after the first such time; and maybe
     * others that come close to D. `distance` is how far features are to stay apart, and `slack`
     * how far vertices may be from their straight lines, in all: pliant_joints_slack(). */
    float distance, slack;

    /* At least 0 and finite; default 0. Above 0, a sweep searches farther by this, and keeps what
     * it has found: all pairs of features that may come that near up to `max_time`. The next ones
     * decide just these, as long as `max_time` is not greater, and the starts or the ends of both
     * bodies have not moved by more than the margin together: a line search, or the iterations of a
     * solver. Otherwise the two bodies are searched again. The answer is that without a margin, to
     * the last bit; but of conservative answers, with a distance or a slack, pairs that do not come
     * within D, and are reported nevertheless, may be others. Vertices that are supplied, borrowed
     * or at rest are followed; bodies with weights or joints and soups are searched again if they,
     * or their ends, have changed in any way. */
    float margin;

    /* The most impacts to return: at least 0; default 0: no limit. The query ends soon after one
     * more was found, and its memory grows with the limit rather than with the number of impacts.
     * Pairs of bodies come in canonical order. Of the two bodies at which the limit is reached,
     * impacts are returned that the search found first: the same ones on every machine, in
     * canonical order. A vertex or an edge that is at several places may touch earlier at a place
     * not searched. PLIANT_EARLIEST returns at most one impact, and so reaches no limit. With a
     * limit, `margin` has no effect: nothing is kept. */
    int64_t max_impact_count;

    /* As in PliantNearDef: pairs within a body that are left out, since they are no farther from
     * each other in the rest pose. */
    float rest_distance;
} PliantSweepDef;

static inline PliantSweepDef pliant_sweep_def_default(void)
{
    PliantSweepDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.max_time = 1;
    return def;
}

/* Finds vertices and triangles, and edges, that touch on the way from where the bodies are to their
 * ends: between bodies whose filters allow it, and within each body if that is asked for.
 *
 * The vertices are those that pliant_body_vertices() writes for a body and for its end. Each moves
 * along a straight line at a constant speed. The decision is exact, in real numbers: a pair is
 * reported if and only if it touches at some time from 0 to 1, and PliantImpact.time is at most
 * def.max_time. That is the greatest float that is not after the first of these times: never late,
 * and 0 only if they touch before 2^-149. Two triangles have a point in common at some time if and
 * only if they intersect at time 0 or two of their features touch. Of several impacts with the
 * least time, PLIANT_EARLIEST returns the first one in order.
 *
 * Interpolated weights of morph targets make straight lines, and so do interpolated joint matrices.
 * Joints that turn make arcs: that is what PliantSweepDef.slack is for.
 *
 * A triangle with a NaN or an infinity, now or at its end, touches nothing. A vertex or an edge
 * takes part where a finite triangle has it, and touches nothing if no finite triangle has it.
 *
 * Complete up to def.max_impact_count, or it fails with PLIANT_OUT_OF_MEMORY, PLIANT_TOO_LARGE or
 * PLIANT_CANCELLED; with PLIANT_BAD_ARGUMENT if def.max_time is not from 0 to 1, def.kind is none,
 * max_impact_count is negative, or the end of a soup has another number of primitives or vertices.
 * Once a world has seen its worst frame, nothing is allocated. Changes the world. */
PLIANT_API PliantResult pliant_world_sweep(PliantWorld *world, const PliantSweepDef *def,
                                           PliantImpacts *impacts);

/* The same for two bodies, or within one if `a` and `b` are the same. Ignores filters and
 * def.includes_self. Changes the world. */
PLIANT_API PliantResult pliant_bodies_sweep(PliantWorld *world, PliantBody a, PliantBody b,
                                            const PliantSweepDef *def, PliantImpacts *impacts);

/* Returns a slack for vertices that follow joints which turn evenly during a step: how far arcs are
 * from their chords, at most. Joint i goes from start[i] to end[i], both made of a rotation and a
 * translation; it turns about a point that moves along a straight line, and no vertex that follows
 * it is farther from that point than radii[i]. The slack of a sweep is the sum of what this returns
 * for two bodies, or twice that for self-collision; with several bodies, twice the greatest.
 *
 * An arc of angle w and radius r is within w^2 r / 8 of its chord at each time. The result is that
 * for the greatest joint, rounded up, with a bound of the angle that is up to 2.7 % above it for 30
 * degrees. Returns infinity if an argument is NULL, or something in it is not finite or negative.
 * Any thread. */
PLIANT_API float pliant_joints_slack(const PliantTransform *start, const PliantTransform *end,
                                     const float *radii, int32_t joint_count);

/* ---- Pairs of the caller --------------------------------------------------------------------- */

/* A record: pairs of features of one kind. Start from pliant_sweep_pairs_default(), which sets
 * every field to zero unless said otherwise. */
typedef struct PliantSweepPairs {
    size_t struct_size;

    PliantFeatures kind; /* PLIANT_VERTEX_TRIANGLE or PLIANT_EDGE_EDGE */

    const float *start; /* where vertices are at time 0, three floats each */
    const float *end;   /* where they are at time 1 */
    int32_t vertex_count;

    /* Pair i is of the four vertices from pairs[4 * i] on: a vertex and the corners of a triangle,
     * or the ends of two edges. Pairs may come in any order and more than once. */
    const uint32_t *pairs;
    int64_t pair_count;

    uint32_t cpu_mask; /* instruction sets that may be used: PLIANT_CPU_ALL */

    const PliantHost *host; /* its report hook is called; the call allocates nothing. May be NULL */

    /* At least 0 and finite; default 0: when pairs touch. Above 0 the answer is conservative: each
     * pair that comes within the distance up to max_time is reported, at a time that is not after
     * the first such time; and maybe others that come within 1 % more. A pair that is within the
     * distance at the start has the time 0. */
    float distance;
    const float *distances; /* one for each pair, in place of `distance`: at least 0 and finite.
                               Pairs whose distance is 0 are decided exactly. NULL, the default: the
                               same for all */
    float max_time;         /* from 0 to 1; default 1. Later impacts are infinity */
} PliantSweepPairs;

static inline PliantSweepPairs pliant_sweep_pairs_default(void)
{
    PliantSweepPairs def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.cpu_mask = PLIANT_CPU_ALL;
    def.max_time = 1;
    return def;
}

/* A record: how pairs were decided. Start from pliant_sweep_counts_default(), which sets all counts
 * to 0. The counts are the same with every cpu mask. */
typedef struct PliantSweepCounts {
    size_t struct_size;
    int64_t pairs;    /* pairs tested */
    int64_t touching; /* pairs whose time is finite */
    int64_t filtered; /* pairs that the float32 filter decided: they do not touch. Pairs are not
                         filtered where any distance is above 0 */
    int64_t exact;    /* pairs that were decided with integers */
} PliantSweepCounts;

static inline PliantSweepCounts pliant_sweep_counts_default(void)
{
    PliantSweepCounts counts = PLIANT_ZEROS;
    counts.struct_size = sizeof counts;
    return counts;
}

/* Sets times[i] to when pair i touches first: to the greatest float that is not after that time. It
 * is from 0 to def.max_time; infinity if the pair does not touch by then, or if it has a NaN or an
 * infinity. It is never late, and it is 0 only if the pair touches before 2^-149. With a distance,
 * times[i] is a time before which pair i is certainly farther: see PliantSweepPairs.distance.
 *
 * `capacity` is the length of `times`, at least def.pair_count; further entries are left as they
 * are. `times` may be NULL if def.pair_count is 0. The counts of this call are added to `counts`,
 * which may be NULL.
 *
 * Fails with PLIANT_BAD_DEF (a wrong struct_size of the def, its host or the counts),
 * PLIANT_BAD_ARGUMENT (NULL, a count below 0, another kind, a distance or a time that is out of
 * range, or a capacity that is too small), PLIANT_TOO_LARGE, or PLIANT_BAD_INDEX (a vertex that is
 * not there): nothing is written. Any thread. */
PLIANT_API PliantResult pliant_sweep_pairs(const PliantSweepPairs *def, float *times,
                                           int64_t capacity, PliantSweepCounts *counts);

#ifdef __cplusplus
}
#endif

#endif
