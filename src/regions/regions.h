/* regions: from intersecting triangles to their curves, and to what these cut off.
 *
 * This folder knows surfaces: triangles with numbered vertices and edges, that can be asked where
 * they are and what of them is closest to a point. Its one idea: surfaces in general position
 * intersect in curves, and each point at which a curve changes its direction has a name: an edge of
 * the one surface goes through a triangle of the other. Where a curve goes follows from these
 * names, and is exact; vertices are made to be in general position by geom/perturbed.h. Only then
 * numbers come in: where a node is, how large an area is, how deep.
 *
 * In one call, for two surfaces or for one and itself:
 *
 *     nodes.c    pairs of triangles -> segments between nodes; segments -> curves
 *     faces.c    a cut triangle -> its faces: what its segments divide it into
 *     outline.c  a face -> its corners, its area, and triangles within it
 *     floods.c   faces and whole triangles -> patches
 *     sides.c    the faces on both sides of a segment, and what is beside them
 *     patches.c  which patches are on the wrong side of a surface; signs.c if that is open
 *     parts.c    curves and patches -> regions: triangles, vertices, areas
 *     sheets.c   within one body: which triangles are of the same sheet as a part
 *     depth.c    a part of a region -> its greatest distance from the exits of the other surface
 *     exits.c    a point -> the closest place where one gets out of the other surface
 *     samples.c  how deep the vertices of a part are, and small pieces of it
 *
 * Directions. n_a and n_b are the normals of two triangles, counter-clockwise. Their segment goes
 * along n_a x n_b. What is below triangle b is then on the left in triangle a, and what is below
 * triangle a is on the right in triangle b: (n_a x (n_a x n_b)) . n_b is negative.
 */
#ifndef PLI_REGIONS_H
#define PLI_REGIONS_H

#include "base/sort.h"
#include "decide/overlaps.h"
#include "decide/winding.h"
#include "shape/features.h"
#include <pliant/regions.h>

/* The closest triangle to a point. */
typedef struct PliNearest {
    int32_t triangle; /* -1: there is none */
    float distance;   /* within one ulp */
    float position[3];
    float corners[9];
} PliNearest;

/* A line in a triangle. */
typedef struct PliExitLine {
    double ends[2][3];
} PliExitLine;

/* A part of the rim of a cell. */
typedef struct PliExitRim {
    PliExitLine line;
    bool is_known, is_exit; /* `is_exit`: a cell beside it is one */
} PliExitRim;

/* Of a triangle that others of its body cross: see exits.c. */
typedef struct PliExitRange {
    int64_t first, count;                 /* rims of cells, in PliExits.rims */
    int64_t first_segment, segment_count; /* in PliExits.kept_segments */
    int32_t first_cell; /* in PliExits.cells: one of those that are known; -1: none is */
} PliExitRange;

/* A cell of such a triangle, or what it has of an edge. */
typedef struct PliExitCell {
    uint64_t sides; /* of lines, on which all of it is: see cells.h */
    int32_t next;   /* another one, of the same triangle, or -1 */
    bool is_exit;
} PliExitCell;

/* What is known of where one gets out of a surface. */
typedef struct PliExits {
    PliArray states;        /* of int32_t, of each triangle */
    PliArray skips;         /* of uint8_t, likewise: it is a wall, or waits */
    PliArray touched;       /* of int32_t: triangles whose state is known */
    PliArray waiting;       /* of int32_t: skipped until the closest exit to a point is found */
    PliArray ranges;        /* of PliExitRange */
    PliArray rims;          /* of PliExitRim */
    PliArray kept_segments; /* of PliExitLine */
    PliArray cells;         /* of PliExitCell */
    PliArray beside;        /* of PliOverlap: triangles beside a wall */
    PliArray segments;      /* of PliExitLine: of the triangle at hand */
    PliArray overlaps;      /* of PliOverlap: likewise */
    PliArray cuts;          /* of double: where a line is divided */
    bool has_walls;
} PliExits;

/* What one worker needs for outlines, areas and depth. */
typedef struct PliRegionScratch {
    PliWorker *worker;
    PliPointSearch *points;
    PliArray numbers;     /* of int32_t: triangles that are fetched, or corners of a polygon */
    PliArray keys;        /* of uint64_t: triangles that are fetched, by leaf */
    PliArray rows;        /* of nine floats: where they are */
    PliArray outline;     /* of three doubles: the corners of a face */
    PliArray cycles;      /* of int32_t: where each of its cycles ends */
    PliArray ears;        /* of int32_t: three of its corners for each of its triangles */
    PliArray heap;        /* of PliDepthPiece: pieces that depth.c is to bound */
    PliArray entries;     /* of PliRanked: what a patch consists of */
    PliArray skips;       /* of uint8_t: PliRegions.skips, and what depth.c skips besides */
    PliArray sheets;      /* of uint8_t: see sheets.h */
    PliArray waiting;     /* of int32_t: faces and triangles that a flood has still to leave */
    int64_t flooded;      /* of `waiting`, as sheets are told apart: triangles that were left */
    uint64_t pass;        /* PliRegions.pass of which the skips are */
    PliArray pieces;      /* of PliantRegionPiece: of all tasks of this worker */
    uint64_t pieces_pass; /* PliRegions.pass that they are of */
    int64_t search_count; /* points whose closest triangle was searched for */
    PliExits exits;
} PliRegionScratch;

/* A surface, and how it is asked, by any worker. */
typedef struct PliSurface {
    const PliFeatures
        *features;           /* NULL: triangles share nothing; edge k of triangle t is 3 t + k */
    const uint32_t *corners; /* vertices of triangles; NULL: 3 t + k */
    const float *rest;       /* vertices in the rest pose; NULL: there is none */
    int32_t triangle_count;
    int64_t boundary_count; /* edges that a winding number takes a visit of */
    bool is_closed;
    bool is_inside_out; /* and closed: what is inside of it is above its triangles */
    void *user;

    /* Writes the corners of triangles, nine floats each. */
    PliantResult (*fetch)(void *user, PliRegionScratch *scratch, const int32_t *triangles,
                          int64_t count, float *corners);

    /* Of the triangles that are not skipped: a byte for each, or NULL. */
    PliantResult (*find_nearest)(void *user, PliRegionScratch *scratch, const float *point,
                                 const uint8_t *skips, PliNearest *nearest);

    /* The winding number of the surface around a point. */
    PliantResult (*wind)(void *user, PliRegionScratch *scratch, const float *point,
                         PliWinding *winding);

    /* Is a point inside by that? Of a closed surface without a shell of its features, unless that
     * is -1. */
    PliantResult (*is_inside)(void *user, PliRegionScratch *scratch, const float *point,
                              int32_t shell, bool *is_so);

    /* By how much that changes within a radius, but for steps of one at the surface. */
    PliantResult (*wind_change)(void *user, PliRegionScratch *scratch, const float *point,
                                double radius, double *change);

    /* The triangles whose boxes overlap a box: of PliOverlap. */
    PliantResult (*find_overlaps)(void *user, PliRegionScratch *scratch, const PliBox *box,
                                  PliArray *overlaps);
} PliSurface;

/* Where an edge goes through a triangle. */
typedef struct PliNode {
    uint64_t key;      /* surface of the edge, edge, triangle: of 31 bits each */
    int32_t end_count; /* of segments that end here */
    int32_t ends[2];   /* the first two of them: 2 * segment + end */
    double weight;     /* of the higher vertex of the edge */
    double position[3];
} PliNode;

/* The nodes of one edge, from its lower vertex to its higher one. */
typedef struct PliEdgeNodes {
    int32_t first, count; /* in PliRegions.along */
} PliEdgeNodes;

/* Which of two triangles has the edge of a node. */
enum { PLI_OF_NEITHER = 2 };

/* What two triangles have in common. A segment in one of its triangles is a side of it: side
 * 2 * segment is the one in the first triangle, and the next that in the second. */
typedef struct PliSegment {
    int32_t cuts[2];       /* the triangles */
    int32_t nodes[2];      /* at its ends; -1: a vertex that both triangles have */
    uint8_t owners[2];     /* of each end: which triangle has the edge, or PLI_OF_NEITHER */
    uint8_t corners[2][2]; /* of each end: the edge's corner in its owner (the first of the two);
                              or the common vertex in either triangle */
    int32_t curve;
    int32_t faces[2][2]; /* of each side: the faces to its left and to its right */
} PliSegment;

/* A triangle with segments in it. */
typedef struct PliCut {
    int32_t surface, triangle;
    uint32_t vertices[3];
    float corners[9];
    int32_t edge_nodes[3];            /* of each edge: which of PliRegions.edge_nodes, or -1 */
    int32_t first_side, side_count;   /* in PliRegions.sides */
    int32_t first_event, event_count; /* in PliRegions.events */
    int32_t first_pieces[4];          /* of each edge, and the end: in PliRegions.pieces */
    int32_t first_loop, loop_count;   /* in PliRegions.loops */
} PliCut;

/* Where segments come to the boundary of a cut triangle. Events are in order, counter-clockwise
 * from the first corner. */
typedef struct PliEvent {
    int32_t node; /* or -1: at a corner */
    int32_t edge; /* 0, 1 or 2: that it is on, or that begins at its corner */
    int32_t side; /* of the segment that begins here, or -1 */
    int32_t end;  /* of that segment */
    int32_t mate; /* the event at the other end of the chain of segments; itself if there is none */
    int32_t face; /* between this event and the next */
    int32_t next; /* if it is the first of its cycle: of another cycle of the same face, or -1 */
    bool is_first; /* of its cycle */
} PliEvent;

/* A part of an edge of a cut triangle, between nodes. */
typedef struct PliEdgePiece {
    int32_t cut, edge, index; /* from the edge's corner on, counter-clockwise */
    int32_t face, next;       /* another piece of the same face, or -1 */
} PliEdgePiece;

/* A part of a cut triangle. Faces that turn out to be one have one representative. */
typedef struct PliFace {
    int32_t cut, same; /* `same`: another that is the same, or itself */
    int32_t first_piece;
    int32_t first_event;     /* of the triangle: of the first of its cycles; or -1 */
    int32_t first_loop;      /* of the triangle: 2 * loop, and 1 if it is on the right; or -1 */
    int32_t patch;           /* or -1 */
    bool is_inner, is_outer; /* of a representative: it is on that side of a segment */
} PliFace;

/* A chain of segments within a triangle that does not come to its boundary. */
typedef struct PliLoop {
    int32_t side, end;          /* that it begins with */
    int32_t left, right, outer; /* faces; `outer` is one of the two. If it divides nothing, both are
                                   one */
    int32_t next[2];            /* of the faces on the left and on the right: as first_loop */
    double right_end[2];        /* the rightmost node, in the plane of the triangle */
} PliLoop;

/* Where a part is deep: which of its points have a depth. */
typedef enum PliDeepness {
    PLI_DEEP_INSIDE,  /* those that are inside the other surface */
    PLI_DEEP_OUTSIDE, /* those that are outside: what pokes out of a garment */
    PLI_DEEP_NOWHERE  /* none: nothing says which side is the right one */
} PliDeepness;

/* A connected piece of a surface that no segment crosses. */
typedef struct PliPatch {
    int32_t surface;
    int64_t first_whole, whole_count; /* in PliRegions.wholes */
    int64_t first_face, face_count;   /* in PliRegions.patch_faces */
    double inside, outside; /* lengths of the curves to whose inner and outer side it is */
    double within, beside;  /* lengths of curves at it that were looked along: those that it is
                               inside of the other surface at, and all */
    double area;
    PliDeepness deepness;
    int32_t same, is_opposite; /* another patch, or itself, on the same side or on the opposite */
    bool is_wrong;
    bool is_pocket; /* within one body: it is turned inside out */
    bool is_within; /* within one body that is open: the body is around some of it, on both sides */
    int32_t curve;  /* one of those at it */
    int32_t region; /* or -1 */
    int32_t part;   /* of the region; -1: not yet known */
} PliPatch;

/* Of patches that are connected, by signs: sums over those with either sign. See signs.c. */
typedef struct PliPatchSigns {
    double areas[2], inside[2], within[2], beside[2];
    int64_t count;
    int64_t side_count, met; /* sides of segments that may be asked; and of these, so far */
} PliPatchSigns;

/* A triangle within a part, and how far it may be from the other surface. */
typedef struct PliDepthPiece {
    double corners[3][3], upper;
    double around;                 /* and what is within this distance of it */
    float nearest[9];              /* a triangle that is close to it, or to what it is a part of */
    int32_t triangle, face;        /* that it is of; the face is -1 of a whole triangle */
    bool has_nearest, is_searched; /* `is_searched`: what is closest to its own middle */
    bool is_inside;                /* of the face: all of it, certainly */
    bool is_deep;                  /* all of it counts, certainly: see depth.c */
    bool is_mixed;                 /* of it, faces are not told apart */
} PliDepthPiece;

/* A part of a region, or a patch of it, that one worker measures. */
typedef struct PliRegionTask {
    const PliRanked *entries[2]; /* what each of the two parts of the region consists of */
    int64_t counts[2];
    int32_t region, number; /* the region, and which of its parts */
    int32_t patch;          /* whose depth within one body is found; -1: all else of the part */
    PliDeepness deepness;
    PliantRegionPart depth;           /* of the patch */
    const PliArray *pieces;           /* of the worker that did the task: its pieces are */
    int64_t first_piece, piece_count; /* these of them */
    PliantResult result;
} PliRegionTask;

/* Workers read what is here while they share work, and write to the items that they took. */
typedef struct PliRegions {
    const PliantHost *host;
    PliControl *control;           /* asked whether to go on */
    const PliSurface *surfaces[2]; /* the same, if it is one */
    PliantBody bodies[2];
    int moved; /* which of two surfaces is moved: see geom/perturbed.h */
    float tolerance;
    bool with_vertex_depths;
    float piece_size;
    int64_t
        max_corners; /* of faces that are divided into triangles: the time rises with its square */
    PliRegionScratch *scratch;                          /* of the thread that calls */
    PliRegionScratch *(*scratch_of)(PliWorker *worker); /* of any */
    int64_t min_divided; /* as much work is shared by all workers; INT64_MAX: none is */
    uint64_t pass;       /* counts pairs of surfaces */

    /* Of the two surfaces at hand. */
    PliArray pairs;         /* of uint64_t: contacts, triangle a << 32 | triangle b */
    PliArray keys[2];       /* of uint64_t: scratch of sorts */
    PliArray ranked[2];     /* of PliRanked: likewise */
    PliArray cuts;          /* of PliCut, by surface and triangle */
    PliArray segments;      /* of PliSegment */
    PliArray nodes;         /* of PliNode, by key */
    PliArray along;         /* of int32_t: nodes of each edge in order */
    PliArray edge_nodes;    /* of PliEdgeNodes */
    PliArray node_events;   /* of int32_t: of each node, its event in the triangle at hand */
    PliArray sides;         /* of int32_t: of each cut */
    PliArray events;        /* of PliEvent */
    PliArray pieces;        /* of PliEdgePiece */
    PliArray faces;         /* of PliFace */
    PliArray loops;         /* of PliLoop */
    PliArray lefts;         /* of double: see faces.c */
    PliArray patches;       /* of PliPatch */
    PliArray signs;         /* of PliPatchSigns: of each patch that represents some */
    PliArray patch_faces;   /* of int32_t */
    PliArray wholes;        /* of int32_t: triangles */
    PliArray states[2];     /* of int32_t, of each triangle: its cut + 1, or -1 - its patch, or 0 */
    PliArray curve_regions; /* of int32_t: of each curve */
    PliArray region_segments; /* of uint64_t: see sheets.h */
    PliArray patch_segments;  /* likewise */
    PliArray entries;         /* of PliRanked: what parts consist of */
    PliArray tasks;           /* of PliRegionTask */
    PliArray skips;           /* of uint8_t: whole triangles of all parts, within one body */
    PliArray lengths;    /* of double: of each part, its curves that it is inside of, less others */
    PliArray deepnesses; /* of PliDeepness: of each part */

    /* The answer. */
    PliArray regions;   /* of PliantRegion */
    PliArray curves;    /* of PliantCurve */
    PliArray points;    /* of PliantCurvePoint */
    PliArray triangles; /* of int32_t */
    PliArray vertices;  /* of int32_t */
    PliArray depths;    /* of float: of vertices, if they are asked for */
    PliArray owners;    /* of int32_t: within one body, the patch that each vertex is in; else -1 */
    PliArray all_pieces; /* of PliantRegionPiece */
} PliRegions;

void pli_region_scratch_init(PliRegionScratch *scratch, PliWorker *worker, PliPointSearch *points);
void pli_region_scratch_free(PliRegionScratch *scratch);

/* The scratch is borrowed, and what it points to. */
void pli_regions_init(PliRegions *regions, PliRegionScratch *scratch,
                      PliRegionScratch *(*scratch_of)(PliWorker *worker));
void pli_regions_free(PliRegions *regions);

/* A new answer, with nothing in it. */
void pli_regions_start(PliRegions *regions, const PliantRegionsDef *def);

/* Items `begin` to `end` - 1 of something that several workers do. */
typedef void PliRegionWork(PliRegions *regions, int64_t begin, int64_t end,
                           PliRegionScratch *scratch);

/* Does `count` items: by all workers if the work is enough. What the work reads of regions stays as
 * it is meanwhile. */
void pli_regions_divide(PliRegions *regions, PliRegionWork *work, int64_t count, int64_t amount);

/* Appends the regions of two surfaces, or of one if `b` is NULL: of the contacts in regions->pairs,
 * in canonical order. */
PliantResult pli_regions_find(PliRegions *regions, const PliSurface *a, const PliSurface *b,
                              PliantBody body_a, PliantBody body_b);

/* ---- What is read from the arrays of one call ----------------------------------------------- */

/* Appends a copy of one item. */
static inline PliantResult pli_append(PliArray *array, const PliantHost *host, const void *item)
{
    void *room;
    PLI_TRY(pli_array_push(array, host, 1, &room));
    memcpy(room, item, array->item_size);
    return PLIANT_OK;
}

/* Is it one surface that intersects itself? */
static inline bool pli_is_self(const PliRegions *regions)
{
    return regions->surfaces[0] == regions->surfaces[1];
}

static inline int32_t pli_surface_vertex(const PliSurface *surface, int32_t triangle, int k)
{
    const size_t at = 3 * (size_t)triangle + (size_t)k;
    return surface->corners ? (int32_t)surface->corners[at] : (int32_t)at;
}

/* What a vertex is told apart from others by: triangles that share no edges share no vertices. */
static inline uint32_t pli_surface_label(const PliSurface *surface, int32_t triangle, int k)
{
    return surface->features ? (uint32_t)pli_surface_vertex(surface, triangle, k)
                             : 3 * (uint32_t)triangle + (uint32_t)k;
}

/* The number of edge k of a triangle; -1 if both ends are one vertex. */
static inline int32_t pli_surface_edge(const PliSurface *surface, int32_t triangle, int k)
{
    const size_t at = 3 * (size_t)triangle + (size_t)k;
    return surface->features ? surface->features->triangle_edges[at] : (int32_t)at;
}

/* Does the edge that begins at corner k go from its lower to its higher vertex? */
static inline bool pli_edge_rises(const PliCut *cut, int k)
{
    return cut->vertices[k] < cut->vertices[(k + 1) % 3];
}

/* Where a segment ends, in one of its triangles. */
static inline const double *pli_segment_end(const PliRegions *regions, const PliSegment *segment,
                                            int end, double room[3])
{
    if (segment->nodes[end] >= 0)
        return ((const PliNode *)regions->nodes.items)[segment->nodes[end]].position;
    const PliCut *cut = (const PliCut *)regions->cuts.items + segment->cuts[0];
    for (int k = 0; k < 3; k++)
        room[k] = cut->corners[3 * segment->corners[end][0] + k];
    return room;
}

#endif
