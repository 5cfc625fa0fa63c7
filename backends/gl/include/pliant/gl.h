/* Pliant: layers of bodies, captured with OpenGL.
 *
 *     PliantGl *gl;
 *     PliantVolume common = pliant_volume_default();
 *     if (pliant_gl_create_headless(NULL, &gl) == PLIANT_OK &&
 *         pliant_gl_bodies_volume(gl, world, liver, scalpel, NULL, &common) == PLIANT_OK)
 *         printf("%g, give or take %g\n", common.volume, common.error);
 *
 * Does what pliant/volume.h does, on a graphics card: the triangles of a body are drawn over a
 * view, and each fragment is a crossing of a pixel's line with the surface. Use it if the processor
 * is busy and the graphics card is not. It is a library of its own, pliant_gl, and needs libepoxy
 * and EGL.
 *
 * Answers depend on the machine: a graphics card snaps vertices to a subpixel grid (as a rule 256
 * positions a pixel in each direction) before it draws. pliant_gl_snapping_error() bounds what that
 * does to a volume.
 *
 * The library is a client of the calls in pliant/volume.h. If one of these fails, it reports to the
 * host of its own world or layers first; the call of pliant_gl then reports to the host of `gl`.
 *
 * Thread rule: a PliantGl, its context, and the world and layers that are passed to a call belong
 * to one thread at a time.
 */
#ifndef PLIANT_GL_H
#define PLIANT_GL_H

#include <pliant/volume.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An OpenGL context with the programs and buffers that captures need. */
typedef struct PliantGl PliantGl;

/* How fragments of the same pixel are kept apart. New kinds are added at the end. */
typedef enum PliantGlKind {
    PLIANT_GL_AUTO, /* PLIANT_GL_LISTS if the context has what it needs, else PLIANT_GL_STENCIL */

    /* As in Heidelberger, Teschner and Gross 2003; needs OpenGL 3.2. The body is drawn once for
     * each of its layers, at most 254; in pass n the stencil test keeps the n-th fragment of each
     * pixel. Only depths are known, so lines enter and leave in turns: a part of the body that
     * overlaps another part is outside where both are, unlike in all other captures. A pixel with
     * an odd number of fragments is bad. */
    PLIANT_GL_STENCIL,

    /* Needs OpenGL 4.3. The body is drawn once, and each fragment appends its depth and its side of
     * the surface to a list. Any number of layers; the inside is that of pliant/volume.h. */
    PLIANT_GL_LISTS
} PliantGlKind;

/* Start from pliant_gl_def_default(). */
typedef struct PliantGlDef {
    size_t struct_size;
    PliantGlKind kind;      /* PLIANT_GL_AUTO */
    const PliantHost *host; /* copied; NULL for the defaults. OpenGL's own memory is not from it */
} PliantGlDef;

static inline PliantGlDef pliant_gl_def_default(void)
{
    PliantGlDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.kind = PLIANT_GL_AUTO;
    return def;
}

/* Create a PliantGl in the EGL context that is current in this thread. A NULL def means the
 * defaults. The same context must be current in every later call with `gl`, pliant_gl_destroy()
 * included. Each call restores the state of the context, with two exceptions: pending OpenGL errors
 * are cleared, and all viewports and scissors become those of index 0. No query, transform feedback
 * or conditional rendering may be active.
 *
 * Fails with PLIANT_UNSUPPORTED (no context is current, or it lacks what the kind needs),
 * PLIANT_BAD_DEF, PLIANT_BAD_ARGUMENT or PLIANT_OUT_OF_MEMORY. Any thread. */
PLIANT_API PliantResult pliant_gl_create(const PliantGlDef *def, PliantGl **gl);

/* Create a PliantGl with a context of its own. Needs EGL, but no window and no display. The context
 * is current within calls only; afterwards the EGL context of the caller is current again. Fails
 * like pliant_gl_create(). Any thread. */
PLIANT_API PliantResult pliant_gl_create_headless(const PliantGlDef *def, PliantGl **gl);

/* Destroy a PliantGl. NULL is ignored. Changes the PliantGl. */
PLIANT_API void pliant_gl_destroy(PliantGl *gl);

/* Start from pliant_gl_info_default(). */
typedef struct PliantGlInfo {
    size_t struct_size;
    PliantGlKind kind;         /* never PLIANT_GL_AUTO */
    int32_t subpixel_bits;     /* vertices snap to 2^bits positions a pixel in each direction */
    int32_t pass_count;        /* times that the last capture drew the body */
    int32_t read_count;        /* times that the last capture waited for the graphics card */
    int64_t fragment_capacity; /* fragments that the list has room for now */
} PliantGlInfo;

static inline PliantGlInfo pliant_gl_info_default(void)
{
    PliantGlInfo info = PLIANT_ZEROS;
    info.struct_size = sizeof info;
    return info;
}

/* Fill `info`. Costs O(1). Fails with PLIANT_BAD_ARGUMENT (NULL) or PLIANT_BAD_DEF. Reads the
 * PliantGl.
 */
PLIANT_API PliantResult pliant_gl_info(const PliantGl *gl, PliantGlInfo *info);

/* Capture the layers of a body like pliant_layers_capture(). All fragments are captured: where a
 * buffer is too small, the body is drawn again. Coordinates must be so small that their differences
 * are finite.
 *
 * Bad pixels have no spans; PliantLayersInfo.is_closed says whether there are any. Fails with
 * PLIANT_BAD_ARGUMENT, PLIANT_BAD_ID, PLIANT_OUT_OF_MEMORY (of the host
 * or of OpenGL), PLIANT_TOO_LARGE (the view for this context, or the number of layers for the
 * stencil) or PLIANT_UNSUPPORTED (the context is lost): the layers are as they were. Changes the
 * PliantGl and the layers and the world. */
PLIANT_API PliantResult pliant_gl_capture(PliantGl *gl, PliantLayers *layers, PliantWorld *world,
                                          PliantBody body, const PliantView *view);

/* Set `error` to a bound on how far the volume of captured layers is off because vertices were
 * snapped. pliant_layers_volume() knows nothing of that, so this comes on top of its error:
 *     |volume of pliant_gl_capture() - volume of pliant_layers_capture()|
 *         <= error of the one + error of the other + this error.
 *
 * Where the surface moves by one pixel, it sweeps what is inside at one pixel and outside at its
 * neighbor. Let
 *     S = the length that is inside at just one of two neighbors, summed over all pairs of
 * neighbors in both directions of the view; pixels beyond the view count as outside, r = `reach`:
 * how far the body reaches from either end of the view's box, in lengths of that side of the box,
 * and at least 1; it is 1 if the box holds all of the body, d = 2^-(bits + 1) + 2^-20 * n * r: how
 * far a vertex moves at most, in pixels: half a step of the subpixel grid, and the rounding of
 * float32 in a view of n pixels, e = 2^-20 * h * r: the rounding of both ends of a span in a box of
 * depth h, a = the area of a pixel. The bound is a * (S * d + span_count * e), in units of volume.
 *
 * Fails with PLIANT_BAD_ARGUMENT (NULL, or a reach that is not finite or below 1). Reads the
 * PliantGl and the layers. */
PLIANT_API PliantResult pliant_gl_snapping_error(const PliantGl *gl, const PliantLayers *layers,
                                                 double reach, double *error);

/* Measure the volume of the intersection of two bodies, or of one body if it is passed twice. A
 * NULL def means the defaults. Only the resolution and a single axis can be chosen. The progress
 * function of the def is asked before each of the two bodies is drawn.
 *
 * The error of the volume includes pliant_gl_snapping_error() of both bodies, so this volume and
 * that of pliant_bodies_volume() differ by at most the sum of their errors. It does not include
 * what thin parts parallel to the lines can hide between them: pliant_bodies_volume() finds these
 * among the triangles, but they leave no fragments.
 *
 * If there are bad pixels, PliantVolume.is_closed is false, and `volume` is that of all other
 * pixels. Fails with PLIANT_BAD_ARGUMENT (NULL, or a def that asks for PLIANT_AXES_ALL or for an
 * error), PLIANT_BAD_DEF, PLIANT_CANCELLED, and like pliant_gl_capture(): `volume` is as it was.
 * Changes the PliantGl and the world. */
PLIANT_API PliantResult pliant_gl_bodies_volume(PliantGl *gl, PliantWorld *world, PliantBody a,
                                                PliantBody b, const PliantVolumeDef *def,
                                                PliantVolume *volume);

#ifdef __cplusplus
}
#endif

#endif
