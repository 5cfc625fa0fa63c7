/* Pliant: volumes of bodies, the volume that two bodies share, and which points are inside.
 *
 *     PliantVolume common = pliant_volume_default();
 *     if (pliant_bodies_volume(world, liver, scalpel, NULL, &common) == PLIANT_OK &&
 * common.is_closed) printf("%g, give or take %g\n", common.volume, common.error);
 *
 * A view is a box and a grid of pixels over it. One line runs through the center of each pixel,
 * along one axis. The parts of a line that are inside a body are the spans of that pixel. The spans
 * of all pixels are the layers of the body: a layered depth image, after Heidelberger, Teschner and
 * Gross, "Volumetric Collision Detection for Deformable Objects", 2003. Spans are as exact as
 * float32 allows; the error of a volume comes from what lies between the lines.
 *
 * All calls take bodies of every kind: in their rest pose, with caller-supplied vertices, morphed,
 * skinned, and soups. Coordinates are those of the world. Segments and points have no volume.
 *
 * Which points are inside a body is defined in pliant/world.h: those with a winding number of at
 * least 1/2 or at most -1/2. A body that overlaps itself counts once. A body whose triangles all
 * face inward has the same inside as one whose triangles face outward.
 *
 * A surface must be closed to have an inside. Triangles with a NaN or an infinity are left out and
 * leave a hole. A pixel is bad if its line does not leave the surface as often as it enters. A bad
 * pixel is no failure: the answer has is_closed false, counts the bad pixels, and comes from all
 * other pixels. After a failure the outputs are as they were.
 *
 * Threads: as in pliant/world.h. Calls that read layers may run together while none changes them.
 */
#ifndef PLIANT_VOLUME_H
#define PLIANT_VOLUME_H

#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Views --------------------------------------------------------------------------------- */

typedef enum PliantAxis { PLIANT_AXIS_X, PLIANT_AXIS_Y, PLIANT_AXIS_Z } PliantAxis;

/* The largest width and height of a view, in pixels. */
#define PLIANT_MAX_PIXELS 4096

/* A box and a grid of pixels over it. Let u be the axis that follows `axis` in the cycle x, y, z,
 * and v the one that follows u. The line of the pixel in column i and row j runs along `axis`
 * through
 *     u = low[u] + (i + 0.5) * ((high[u] - low[u]) / width)
 *     v = low[v] + (j + 0.5) * ((high[v] - low[v]) / height).
 * The box is finite and has a volume. The empty view has width and height 0, and any box. */
typedef struct PliantView {
    PliantBox box;
    PliantAxis axis;       /* direction of the lines, toward larger coordinates */
    int32_t width, height; /* in pixels, each 1 to PLIANT_MAX_PIXELS */
} PliantView;

/* Set `view` to the box of a body, or to the intersection of the boxes of two bodies (which may be
 * the same body), along the shortest side of that box. `resolution` becomes width and height.
 *
 * The view is empty if the box has no volume: the body has no triangles or lies in a plane across
 * an axis, or the boxes of the two bodies do not overlap. Every call accepts an empty view.
 *
 * Fails with PLIANT_BAD_ARGUMENT (NULL, or a resolution out of range) or PLIANT_BAD_ID. Changes the
 * world. */
PLIANT_API PliantResult pliant_body_view(PliantWorld *world, PliantBody body, int32_t resolution,
                                         PliantView *view);
PLIANT_API PliantResult pliant_bodies_view(PliantWorld *world, PliantBody a, PliantBody b,
                                           int32_t resolution, PliantView *view);

/* ---- Layers -------------------------------------------------------------------------------- */

/* The spans of all pixels of one view, as they were when captured. Layers do not follow a body that
 * moves: capture them again. They own their memory and keep it for the next capture, with room for
 * two results, because a call that fails leaves the layers as they were. A second capture of the
 * same view and bodies, by one worker, allocates nothing. */
typedef struct PliantLayers PliantLayers;

/* Start from pliant_layers_def_default(). */
typedef struct PliantLayersDef {
    size_t struct_size;
    const PliantHost *host; /* copied; NULL for the defaults */
} PliantLayersDef;

static inline PliantLayersDef pliant_layers_def_default(void)
{
    PliantLayersDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* Create layers of the empty view. A NULL def means the defaults. The caller owns the layers and
 * ends them with pliant_layers_destroy(). Fails with PLIANT_BAD_ARGUMENT, PLIANT_BAD_DEF or
 * PLIANT_OUT_OF_MEMORY. Any thread. */
PLIANT_API PliantResult pliant_layers_create(const PliantLayersDef *def, PliantLayers **layers);

/* Destroy layers. Ends the life of all spans borrowed from them. NULL is ignored. Changes the
 * layers. */
PLIANT_API void pliant_layers_destroy(PliantLayers *layers);

/* A record: how layers are captured. Start from pliant_capture_def_default(). */
typedef struct PliantCaptureDef {
    size_t struct_size;

    /* Called at least every 10 ms of work. `done` of `total` parts of the view are finished.
     * Returning false ends the call with PLIANT_CANCELLED: outputs are as they were, and everything
     * stays usable. Must not use the world. NULL, the default: not called. */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user; /* passed to `progress` */
} PliantCaptureDef;

static inline PliantCaptureDef pliant_capture_def_default(void)
{
    PliantCaptureDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* Capture the layers of a body, or of the intersection of two bodies (which may be the same body),
 * as they are now, within the box of the view. Only triangles over the view are visited.
 *
 * Bad pixels have no spans; PliantLayersInfo.is_closed says whether there are any. A NULL def means
 * the defaults. Fails with PLIANT_BAD_ARGUMENT (NULL, or a view that is not valid), PLIANT_BAD_DEF,
 * PLIANT_BAD_ID, PLIANT_TOO_LARGE (more than 2^31 - 1 fragments), PLIANT_OUT_OF_MEMORY or
 * PLIANT_CANCELLED: the layers are as they were. Changes the layers and the world. */
PLIANT_API PliantResult pliant_layers_capture(PliantLayers *layers, PliantWorld *world,
                                              PliantBody body, const PliantView *view,
                                              const PliantCaptureDef *def);
PLIANT_API PliantResult pliant_layers_capture_common(PliantLayers *layers, PliantWorld *world,
                                                     PliantBody a, PliantBody b,
                                                     const PliantView *view,
                                                     const PliantCaptureDef *def);

/* A crossing of a pixel's line with the surface. */
typedef struct PliantFragment {
    int32_t pixel;   /* column + width * row */
    float depth;     /* the coordinate along the view's axis */
    int32_t winding; /* added to the winding number: 1 where the line enters, -1 where it leaves */
} PliantFragment;

/* Set layers from fragments that the caller has made, on a graphics card for example. Fragments may
 * come in any order, with any winding. A depth outside the box is moved to the nearer end of the
 * box. A depth that is NaN makes its pixel bad. The fragments are borrowed for the time of the
 * call.
 *
 * Bad pixels have no spans; PliantLayersInfo.is_closed says whether there are any. Fails with
 * PLIANT_BAD_ARGUMENT (NULL with a fragment_count above 0, a count below 0, or a view that is not
 * valid), PLIANT_BAD_INDEX (a pixel that the view does not have), PLIANT_TOO_LARGE (more than
 * 2^31 - 1 fragments) or PLIANT_OUT_OF_MEMORY: the layers are as they were. Changes the layers. */
PLIANT_API PliantResult pliant_layers_set(PliantLayers *layers, const PliantView *view,
                                          const PliantFragment *fragments, int64_t fragment_count);

/* Replace layers by their intersection with `other`, which has the same view and may be the same
 * layers. A pixel that is bad in one of them is bad afterwards, and pliant_layers_info() counts it.
 * Fails with PLIANT_BAD_ARGUMENT (NULL, or views that differ), PLIANT_TOO_LARGE or
 * PLIANT_OUT_OF_MEMORY: the layers are as they were. Changes the layers. Reads `other` only. */
PLIANT_API PliantResult pliant_layers_intersect(PliantLayers *layers, const PliantLayers *other);

/* Start from pliant_layers_info_default(). */
typedef struct PliantLayersInfo {
    size_t struct_size;
    size_t byte_size;         /* memory held from the host, in bytes */
    PliantView view;          /* of the last capture; empty if there was none */
    int32_t depth_complexity; /* the largest number of fragments in one pixel */
    int64_t fragment_count;   /* that the layers were made from */
    int64_t span_count;
    int64_t bad_pixel_count;
    bool is_closed; /* there are no bad pixels */
} PliantLayersInfo;

static inline PliantLayersInfo pliant_layers_info_default(void)
{
    PliantLayersInfo info = PLIANT_ZEROS;
    info.struct_size = sizeof info;
    return info;
}

/* Fill `info` with what is known about layers. Costs O(1). Fails with PLIANT_BAD_ARGUMENT (NULL) or
 * PLIANT_BAD_DEF. Reads the layers. */
PLIANT_API PliantResult pliant_layers_info(const PliantLayers *layers, PliantLayersInfo *info);

/* A part of a pixel's line that is inside, both ends included; low < high. */
typedef struct PliantSpan {
    float low, high; /* coordinates along the view's axis */
} PliantSpan;

/* Return the spans of a pixel, from the lowest to the highest, and set `span_count` to their
 * number. Spans of one pixel never touch each other. Returns NULL and sets 0 if the pixel has no
 * spans or is bad, if the view has no such pixel, or if `layers` is NULL. Returns NULL if
 * `span_count` is NULL. Borrowed: valid until the layers are captured, set, intersected or
 * destroyed. Reads the layers. */
PLIANT_API const PliantSpan *pliant_layers_spans(const PliantLayers *layers, int32_t column,
                                                 int32_t row, int32_t *span_count);

/* Where a point is. New states are added at the end. */
typedef enum PliantPointState {
    PLIANT_POINT_OUTSIDE,
    PLIANT_POINT_INSIDE,
    PLIANT_POINT_UNKNOWN /* in a bad pixel */
} PliantPointState;

/* Test which points are inside: set states[i] to the PliantPointState of point i, by the spans
 * of the pixel that the point is in. The ends of a span are inside. A point outside the view's box,
 * or with a NaN, is outside. A point that is less than one pixel from the surface may get the state
 * of the other side. `capacity` is the length of `states`, at least points.count; further entries
 * are left as they are. `states` may be NULL if points.count is 0.
 *
 * Fails with PLIANT_BAD_ARGUMENT (NULL, a count below 0, a stride that is not valid, or a capacity
 * that is too small). Reads the layers. */
PLIANT_API PliantResult pliant_layers_inside(const PliantLayers *layers, PliantVertices points,
                                             uint8_t *states, int64_t capacity);

/* ---- Volumes ------------------------------------------------------------------------------- */

/* Start from pliant_volume_default(). Lengths are in units of the world. */
typedef struct PliantVolume {
    size_t struct_size;
    double volume;
    double error;       /* How far `volume` may be off, on the safe side. For one body that is all
                           in the view and does not overlap itself: never less than the true error.
                           For all else an estimate; of bodies that are in step with the pixels it
                           comes from lines of other lattices too. Layers have no other lines, and
                           those of fragments no triangles: there it holds for bodies whose detail
                           is not regular. docs/volumes.md says how it was tested. */
    double centroid[3]; /* of all spans; zeros if there are none */
    PliantBox box;      /* of all spans, each as wide as its pixel; low > high if there are none */
    PliantView view;    /* that was measured; with PLIANT_AXES_ALL the one with the least error */
    bool is_reached;    /* the error is at most what the def asks for, or the def asks for none */
    bool is_closed;     /* no line has shown that a surface is open; if false, `volume` is that of
                           all pixels that are not bad */
    int64_t bad_pixel_count; /* 1 if a line that is not of a pixel has shown an open surface */
} PliantVolume;

static inline PliantVolume pliant_volume_default(void)
{
    PliantVolume volume = PLIANT_ZEROS;
    volume.struct_size = sizeof volume;
    return volume;
}

/* Measure the volume of layers, with is_reached set. Fails with PLIANT_BAD_ARGUMENT (NULL),
 * PLIANT_BAD_DEF or PLIANT_OUT_OF_MEMORY: `volume` is as it was. Changes the layers. */
PLIANT_API PliantResult pliant_layers_volume(PliantLayers *layers, PliantVolume *volume);

/* The axes along which a volume is measured. New values are added at the end. */
typedef enum PliantAxes {
    PLIANT_AXES_SHORTEST, /* along the shortest side of the box */
    PLIANT_AXES_X,
    PLIANT_AXES_Y,
    PLIANT_AXES_Z,

    /* Along all three axes, of which the one with the least error is returned. Takes three times as
     * long. Errors are largest where faces are parallel to the lines, and such faces are rarely
     * parallel to all axes. */
    PLIANT_AXES_ALL
} PliantAxes;

/* Start from pliant_volume_def_default(). */
typedef struct PliantVolumeDef {
    size_t struct_size;
    int32_t resolution;     /* first width and height of the view, 1 to PLIANT_MAX_PIXELS: 128 */
    int32_t max_resolution; /* last width and height, likewise: PLIANT_MAX_PIXELS */
    PliantAxes axes;        /* PLIANT_AXES_SHORTEST */

    /* The error to reach: 0 and 0, which asks for none. If one of them is above 0, the resolution
     * is raised until the error is at most `error` or at most `relative_error` times the volume, or
     * until the resolution is `max_resolution`. */
    double error, relative_error;

    /* Called at least every 10 ms of work. `done` of `total` parts of a view are finished; a
     * further view raises `total`. Returning false ends the call with PLIANT_CANCELLED: outputs are
     * as they were, and everything stays usable. Must not use the world. NULL, the default: not
     * called. */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user; /* passed to `progress` */
} PliantVolumeDef;

static inline PliantVolumeDef pliant_volume_def_default(void)
{
    PliantVolumeDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.resolution = 128;
    def.max_resolution = PLIANT_MAX_PIXELS;
    return def;
}

/* Measure the volume of a body, or of the intersection of two bodies (which may be the same body),
 * as they are now. A NULL def means the defaults. The volume of a with b equals that of b with a,
 * and the volume of a with a equals that of a, bit for bit. After the worst query of a world, equal
 * or smaller queries by one worker allocate nothing.
 *
 * Fails with PLIANT_BAD_ARGUMENT (NULL, or a field of the def out of range), PLIANT_BAD_DEF,
 * PLIANT_BAD_ID, PLIANT_TOO_LARGE, PLIANT_OUT_OF_MEMORY or PLIANT_CANCELLED: `volume` is as it was.
 * Changes the world. */
PLIANT_API PliantResult pliant_body_volume(PliantWorld *world, PliantBody body,
                                           const PliantVolumeDef *def, PliantVolume *volume);
PLIANT_API PliantResult pliant_bodies_volume(PliantWorld *world, PliantBody a, PliantBody b,
                                             const PliantVolumeDef *def, PliantVolume *volume);

/* A record. Start from pliant_contain_def_default(). */
typedef struct PliantContainDef {
    size_t struct_size;

    /* Called at least every 10 ms of work. `done` of `total` leaves of `inner` are finished.
     * Returning false ends the call with PLIANT_CANCELLED: outputs are as they were, and everything
     * stays usable. Must not use the world. NULL, the default: not called. */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user; /* passed to `progress` */
} PliantContainDef;

static inline PliantContainDef pliant_contain_def_default(void)
{
    PliantContainDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* A record. Start from pliant_containment_default(). */
typedef struct PliantContainment {
    size_t struct_size;
    bool contains;  /* the whole surface of inner is inside outer, and does not touch its surface */
    bool is_closed; /* outer has no openings, or nobody had to know: the surfaces touch */
    uint64_t stamp;
} PliantContainment;

static inline PliantContainment pliant_containment_default(void)
{
    PliantContainment containment = PLIANT_ZEROS;
    containment.struct_size = sizeof containment;
    return containment;
}

/* Decide whether the whole surface of `inner` is inside `outer` without touching the surface of
 * `outer`: whether all corners of its triangles are, by the winding numbers around them (see
 * pliant/distance.h). If `outer` is closed that is exact; if it has openings, what goes in and out
 * through one between two corners is not seen. A body without triangles is contained in no body and
 * contains none. A NULL def means the defaults.
 *
 * Fails with PLIANT_BAD_ARGUMENT (NULL, or `outer` and `inner` are the same body), PLIANT_BAD_DEF,
 * PLIANT_BAD_ID, PLIANT_TOO_LARGE, PLIANT_OUT_OF_MEMORY or PLIANT_CANCELLED: `containment` is as it
 * was. Changes the world. */
PLIANT_API PliantResult pliant_bodies_contain(PliantWorld *world, PliantBody outer,
                                              PliantBody inner, const PliantContainDef *def,
                                              PliantContainment *containment);

/* ---- Triangles over a view ------------------------------------------------------------------ */

/* Set `corners` to the triangles of a body, as it is now, that may be over a view, in front of, in
 * and behind its box: nine floats a triangle, in the world's coordinates, each triangle once. For
 * callers that make fragments. Borrowed from the world: valid until the next query on the world.
 *
 * Fails with PLIANT_BAD_ARGUMENT (NULL, or a view that is not valid), PLIANT_BAD_ID,
 * PLIANT_TOO_LARGE or PLIANT_OUT_OF_MEMORY: the outputs are as they were. Changes the world. */
PLIANT_API PliantResult pliant_body_triangles(PliantWorld *world, PliantBody body,
                                              const PliantView *view, const float **corners,
                                              int64_t *triangle_count);

#ifdef __cplusplus
}
#endif

#endif
