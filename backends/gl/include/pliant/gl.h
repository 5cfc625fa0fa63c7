/* Pliant: layers of bodies, made by OpenGL.
 *
 * What pliant/volume.h does on the processor, done where pictures are made: the triangles of a body
 * are drawn into a picture of the view, and each fragment is a point where a line meets the
 * surface. For hosts whose processor has other things to do, and a graphics card that has not.
 *
 *     PliantGl *gl;
 *     PliantVolume common;
 *     if (pliant_gl_create_headless(NULL, &gl) == PLIANT_OK &&
 *         pliant_gl_bodies_volume(gl, world, liver, scalpel, NULL, &common) == PLIANT_OK)
 *         printf("%g, give or take %g\n", common.volume, common.error);
 *
 * A library of its own, pliant_gl, which needs libepoxy and EGL.
 *
 * Answers depend on the machine: a graphics card moves vertices to the nearest point of a fine grid
 * (256 points in a pixel, as a rule) before it draws. pliant_gl_moved() says how much that can
 * matter.
 *
 * A PliantGl, its context, and what it is given belong to one thread at a time.
 */
#ifndef PLIANT_GL_H
#define PLIANT_GL_H

#include <pliant/volume.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PliantGl PliantGl;

/* How fragments are kept that fall on the same pixel. */
typedef enum PliantGlKind {
    PLIANT_GL_AUTO, /* lists where the context has what they take, the stencil elsewhere */

    /* As in Heidelberger, Teschner and Gross 2003, with OpenGL 3.2. The body is drawn once for each
     * of its layers; the n-th time, the stencil lets the first n fragments of each pixel through,
     * so that the last of them stays. Of these only depths are known, so lines come in and go out
     * in turns: where a body overlaps itself, it is outside where it is twice inside, unlike in all
     * other ways. A pixel with an odd number of layers is bad. At most 254 layers. */
    PLIANT_GL_STENCIL,

    /* With OpenGL 4.3. The body is drawn once, and each fragment appends itself to a list: where it
     * is, and which side of the surface it shows. Any number of layers; inside is what it is
     * elsewhere. */
    PLIANT_GL_LISTS,
} PliantGlKind;

/* Start from pliant_gl_def_default(). */
typedef struct PliantGlDef {
    size_t struct_size;
    PliantGlKind kind;      /* PLIANT_GL_AUTO */
    const PliantHost *host; /* NULL: the defaults. Memory that OpenGL takes is not from it */
} PliantGlDef;

PLIANT_API PliantGlDef pliant_gl_def_default(void);

/* For the context of EGL that is current in this thread, which has to be current in every later
 * call too, the one that ends it included. All state of the context is afterwards as it was, but
 * that there is no error any more that has not been asked for, and that all viewports and scissors
 * are those with number 0. No query, transform feedback or conditional rendering may be active.
 *
 * A NULL def means the defaults. Fails with PLIANT_UNSUPPORTED if there is no context or if it
 * lacks what the kind takes; with PLIANT_BAD_DEF, PLIANT_BAD_ARGUMENT or PLIANT_OUT_OF_MEMORY. */
PLIANT_API PliantResult pliant_gl_create(const PliantGlDef *def, PliantGl **gl);

/* The same with a context of its own, which has no window: it needs EGL and no display. It is made
 * current within calls only, after which the caller's context is current again, if that is one of
 * EGL. */
PLIANT_API PliantResult pliant_gl_create_headless(const PliantGlDef *def, PliantGl **gl);

/* NULL is ignored. */
PLIANT_API void pliant_gl_destroy(PliantGl *gl);

typedef struct PliantGlInfo {
    PliantGlKind kind;     /* never PLIANT_GL_AUTO */
    int32_t subpixel_bits; /* a pixel has 2^bits points in each direction that vertices move to */
    int32_t pass_count;    /* how often the last take drew the body */
    int32_t read_count;    /* and how often it waited for what was drawn */
    int64_t fragment_capacity; /* that lists have room for, at present */
} PliantGlInfo;

PLIANT_API PliantGlInfo pliant_gl_info(const PliantGl *gl);

/* Takes the layers of a body like pliant_layers_take(). No layer is ever lost: where there was not
 * enough room for all, the body is drawn again. Coordinates must be so small that differences of
 * them are finite.
 *
 * Fails with PLIANT_NOT_CLOSED, and the layers are there then. After PLIANT_BAD_ARGUMENT,
 * PLIANT_BAD_ID, PLIANT_OUT_OF_MEMORY (the processor's or OpenGL's), PLIANT_TOO_LARGE (the picture
 * for this context, or the number of layers for the stencil) or PLIANT_UNSUPPORTED (the context was
 * lost) the layers are as they were, or are those of nothing. */
PLIANT_API PliantResult pliant_gl_take(PliantGl *gl, PliantLayers *layers, PliantWorld *world,
                                       PliantBody body, const PliantView *view);

/* How much the volume of layers that were taken of a body can be off because vertices moved, beside
 * the error that pliant_layers_volume() states, and which knows nothing of that.
 *
 * Where the surface moves by one pixel, what it sweeps is what one pixel has inside and its
 * neighbour does not, or the other way around. With
 *     S = the length of all that just one of two neighbours has inside, summed over all pairs of
 *         neighbours in both directions of the picture, what is beyond its rim being outside,
 *     r = how far the body reaches, from one end of the view's box or the other, in lengths of that
 *         side of the box, and at least 1,
 *     d = 2^-(bits + 1) + 2^-20 * n * r, how many pixels a vertex moves at most: half a step of the
 *         grid, and what float32 makes of a picture n pixels wide or high,
 *     e = 2^-20 * h * r, what it makes of both ends of a span in a box of depth h,
 *     a = the area of a pixel,
 * it is at most a * (S * d + spans * e). With that,
 *     |this volume - that of pliant_layers_take()| <= both errors + pliant_gl_moved().
 * `reach` is r; 1 if the view has all of the body. */
PLIANT_API double pliant_gl_moved(const PliantGl *gl, const PliantLayers *layers, double reach);

/* The volume that two bodies have in common, or that of one, if it is the same twice. Of the def
 * only the resolution, and one axis, are heeded: PLIANT_BAD_ARGUMENT if it asks for all axes or for
 * an error. The error of the volume has pliant_gl_moved() in it, of both bodies: so volumes by
 * OpenGL and by the processor differ by not more than the sum of their errors. What it has not is
 * what thin parts that stand along the lines may hide between them: pliant_bodies_volume() finds
 * these among the triangles, but they leave no fragments. Fails like pliant_bodies_volume(), and
 * like pliant_gl_take(). */
PLIANT_API PliantResult pliant_gl_bodies_volume(PliantGl *gl, PliantWorld *world, PliantBody a,
                                                PliantBody b, const PliantVolumeDef *def,
                                                PliantVolume *volume);

#ifdef __cplusplus
}
#endif

#endif
