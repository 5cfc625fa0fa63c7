/* Pliant: volumes, which is how much two bodies have in common, and which points are inside.
 *
 * A body that is closed has an inside. A view looks at it along one axis, through a picture of
 * pixels; through the middle of each goes a line, and where the line is inside the body are its
 * spans, end to end. All spans of a picture are the layers of the body. They are a sample of its
 * volume, and a good one: each span is as exact as numbers are, and what is unknown is only what
 * lies between one line and the next.
 *
 *     PliantVolume common;
 *     if (pliant_bodies_volume(world, liver, scalpel, NULL, &common) == PLIANT_OK)
 *         printf("%g, give or take %g\n", common.volume, common.error);
 *
 * After Heidelberger, Teschner and Gross, "Volumetric Collision Detection for Deformable Objects",
 * 2003. Bodies may be of any kind: at rest, morphed, skinned, given, soups.
 *
 * Inside is where the surface winds around a point, any number of times but zero: a body that
 * overlaps itself is one body there, and one that is inside out has the inside that it would have.
 * A surface that is not closed has no inside; triangles that are not finite are left out, and leave
 * a hole. That shows in the picture, as pixels whose line does not leave as often as it enters:
 * calls then return PLIANT_NOT_CLOSED and say how many there are.
 */
#ifndef PLIANT_VOLUME_H
#define PLIANT_VOLUME_H

#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Views --------------------------------------------------------------------------------- */

typedef enum PliantAxis { PLIANT_AXIS_X, PLIANT_AXIS_Y, PLIANT_AXIS_Z } PliantAxis;

enum { PLIANT_MOST_PIXELS = 4096 };

/* A box, and a picture of it. With u the axis after the one that is looked along, and v the one
 * after that (y and z if that one is x, z and x if it is y, x and y if it is z), the line of the
 * pixel in column i and row j goes through
 *     u = low[u] + (i + 0.5) * ((high[u] - low[u]) / width), v likewise by j and height. */
typedef struct PliantView {
    PliantBox box;
    PliantAxis axis;       /* that lines go along, upward */
    int32_t width, height; /* in pixels, each 1 to PLIANT_MOST_PIXELS */
} PliantView;

/* The view of all of a body, or of all that two bodies can have in common, along the shortest side
 * of the box; `resolution` is both width and height. A view of nothing (a body without triangles,
 * or all in one plane along two axes; two bodies whose boxes do not meet) has width and height 0;
 * layers of it are those of nothing. */
PLIANT_API PliantResult pliant_body_view(PliantWorld *world, PliantBody body, int32_t resolution,
                                         PliantView *view);
PLIANT_API PliantResult pliant_bodies_view(PliantWorld *world, PliantBody a, PliantBody b,
                                           int32_t resolution, PliantView *view);

/* ---- Layers -------------------------------------------------------------------------------- */

/* The spans of a view: what was inside when they were taken. They do not follow the body; they are
 * taken again. Their memory is kept for the next time. Layers belong to one thread at a time. */
typedef struct PliantLayers PliantLayers;

/* Layers of nothing. A NULL host means the defaults. Fails with PLIANT_BAD_ARGUMENT or
 * PLIANT_OUT_OF_MEMORY. */
PLIANT_API PliantResult pliant_layers_create(const PliantHost *host, PliantLayers **layers);

/* NULL is ignored. */
PLIANT_API void pliant_layers_destroy(PliantLayers *layers);

/* Takes the layers of a body, or of what two bodies have in common (which may be the same one), as
 * they are now, within the view's box. Only triangles over the picture are looked at.
 *
 * Fails with PLIANT_NOT_CLOSED if some pixels are bad: the layers are there then, and those pixels
 * have no spans. After PLIANT_BAD_ARGUMENT, PLIANT_BAD_ID, PLIANT_TOO_LARGE or PLIANT_OUT_OF_MEMORY
 * the layers are those of nothing. */
PLIANT_API PliantResult pliant_layers_take(PliantLayers *layers, PliantWorld *world,
                                           PliantBody body, const PliantView *view);
PLIANT_API PliantResult pliant_layers_take_common(PliantLayers *layers, PliantWorld *world,
                                                  PliantBody a, PliantBody b,
                                                  const PliantView *view);

/* Where a line meets the surface. */
typedef struct PliantFragment {
    int32_t pixel;   /* column + width * row */
    float depth;     /* the coordinate along the view's axis */
    int32_t winding; /* 1: the line comes in; -1: it goes out. Any number will do. */
} PliantFragment;

/* Layers from fragments that someone else has made, in any order: a graphics card, say. Fails as
 * above, and with PLIANT_BAD_INDEX if there is no such pixel. A depth that is NaN makes its pixel a
 * bad one; those outside of the box are brought to its end. */
PLIANT_API PliantResult pliant_layers_set(PliantLayers *layers, const PliantView *view,
                                          const PliantFragment *fragments, int64_t fragment_count);

/* Leaves what the layers have in common with others of the same view. A pixel that is bad in
 * one is bad then. Fails with PLIANT_BAD_ARGUMENT if views differ, PLIANT_TOO_LARGE or
 * PLIANT_OUT_OF_MEMORY, and the layers are then as they were. */
PLIANT_API PliantResult pliant_layers_intersect(PliantLayers *layers, const PliantLayers *other);

typedef struct PliantLayersInfo {
    PliantView view;
    int64_t fragment_count;   /* of which they were made */
    int32_t depth_complexity; /* the most fragments that a pixel had */
    int64_t span_count;
    int64_t bad_pixel_count;
    size_t byte_size; /* held from the host */
} PliantLayersInfo;

PLIANT_API PliantLayersInfo pliant_layers_info(const PliantLayers *layers);

/* Along the view's axis, inside; low < high. */
typedef struct PliantSpan {
    float low, high;
} PliantSpan;

/* The spans of a pixel, from the lowest to the highest, of which none touch; and how many. NULL and
 * 0 if there are none, or no such pixel. Valid until the layers change. */
PLIANT_API const PliantSpan *pliant_layers_spans(const PliantLayers *layers, int32_t column,
                                                 int32_t row, int32_t *span_count);

enum { PLIANT_POINT_OUTSIDE, PLIANT_POINT_INSIDE, PLIANT_POINT_UNKNOWN };

/* For each point one of these: is it in a span (or at an end of one) of the pixel that it is in?
 * One in a bad pixel is unknown; one beyond the view's box, or with a NaN, is outside. Points
 * within a pixel of the surface may be on either side of it. */
PLIANT_API PliantResult pliant_layers_inside(const PliantLayers *layers, PliantVertices points,
                                             uint8_t *states);

/* ---- Volumes ------------------------------------------------------------------------------- */

typedef struct PliantVolume {
    double volume;
    double error;       /* an estimate, on the safe side: docs/volumes.md says what it is made of,
                           and how it was tried */
    double centroid[3]; /* of all spans; zeros if there are none */
    PliantBox box;      /* of all spans, each as wide as its pixel; low > high if there are none */
    int64_t bad_pixel_count; /* or 1 if another line shows that a surface is not closed */
    PliantView view;         /* that this was seen in; of several, the one with the least error */
    bool is_reached;         /* the error is what was asked for, or none was */
} PliantVolume;

/* Of layers. Fails with PLIANT_NOT_CLOSED if there are bad pixels: all else is then said of the
 * others. */
PLIANT_API PliantResult pliant_layers_volume(PliantLayers *layers, PliantVolume *volume);

typedef enum PliantAxes {
    PLIANT_AXES_SHORTEST, /* along the shortest side of the box */
    PLIANT_AXES_X,
    PLIANT_AXES_Y,
    PLIANT_AXES_Z,
    PLIANT_AXES_ALL, /* along all three: takes as long as three, and tells more. Where faces lie
                        along one axis, which is what makes errors large, another one is better */
} PliantAxes;

/* Start from pliant_volume_def_default(). */
typedef struct PliantVolumeDef {
    size_t struct_size;
    int32_t resolution; /* width and height of the view, 1 to PLIANT_MOST_PIXELS: 128 */
    PliantAxes axes;    /* PLIANT_AXES_SHORTEST */

    /* If one of them is not 0: the resolution is made finer, from the one above on, until the error
     * is at most `error`, or at most `relative_error` times the volume, or as fine as
     * `most_resolution`. */
    double error, relative_error;
    int32_t most_resolution; /* PLIANT_MOST_PIXELS */
} PliantVolumeDef;

PLIANT_API PliantVolumeDef pliant_volume_def_default(void);

/* The volume of a body, and of what two bodies have in common, as they are now; a NULL def means
 * the defaults. That of a with b is that of b with a, and that of a with itself is a's own, to the
 * bit. Fails with PLIANT_NOT_CLOSED (the volume is then of the pixels that are not bad),
 * PLIANT_BAD_ARGUMENT, PLIANT_BAD_DEF, PLIANT_BAD_ID, PLIANT_TOO_LARGE or PLIANT_OUT_OF_MEMORY.
 * Once a world has seen its worst, no memory is asked for. */
PLIANT_API PliantResult pliant_body_volume(PliantWorld *world, PliantBody body,
                                           const PliantVolumeDef *def, PliantVolume *volume);
PLIANT_API PliantResult pliant_bodies_volume(PliantWorld *world, PliantBody a, PliantBody b,
                                             const PliantVolumeDef *def, PliantVolume *volume);

/* Is all of `inner`'s surface inside `outer`, without touching it? Exact: no picture is taken.
 * Fails with PLIANT_NOT_CLOSED if a line shows that `outer` is not closed; it is not looked for. A
 * body without triangles is contained in none, and it is no question about one body alone. */
PLIANT_API PliantResult pliant_bodies_contain(PliantWorld *world, PliantBody outer,
                                              PliantBody inner, bool *contains);

/* ---- For whoever makes fragments ----------------------------------------------------------- */

/* The triangles that may be over the picture of a view, before, in and behind its box: nine floats
 * each, as the body's vertices are now, each triangle once. Borrowed: valid until the next query on
 * the world. */
PLIANT_API PliantResult pliant_body_triangles(PliantWorld *world, PliantBody body,
                                              const PliantView *view, const float **corners,
                                              int64_t *triangle_count);

#ifdef __cplusplus
}
#endif

#endif
