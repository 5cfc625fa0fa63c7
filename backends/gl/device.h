/* What the parts of the OpenGL backend share: see include/pliant/gl.h for what it is.
 *
 * A take goes like this. pli_gl_enter() makes the context current, or remembers the state of the
 * caller's. pli_gl_upload() brings the triangles over, nine floats each. pli_gl_lists() or
 * pli_gl_stencil() draws them and makes fragments of what comes back, which pliant_layers_set()
 * sorts into spans. pli_gl_leave() puts everything back.
 */
#ifndef PLI_GL_DEVICE_H
#define PLI_GL_DEVICE_H

#include "../records.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <pliant/gl.h>

/* ---- The host ------------------------------------------------------------------------------- */

/* One public call, as in the core: where its messages go, and the name that they begin with. */
typedef struct PliGlCall {
    const PliantHost *host; /* NULL: nobody hears the messages */
    const char *function;
} PliGlCall;

/* The call that the enclosing public function is, with a host that the caller gave, or NULL. */
#define PLI_GL_CALL(host) pli_gl_call(host, __func__)
PliGlCall pli_gl_call(const PliantHost *host, const char *function);

/* Reports "function: message" and returns `result`. */
PliantResult pli_gl_report(const PliGlCall *call, PliantResult result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a caller's mistake: without a report hook a build with PLIANT_ASSERTS stops. */
PliantResult pli_gl_mistake(const PliGlCall *call, PliantResult result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define PLI_GL_CHECK(call, condition, result, ...)                                                 \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return pli_gl_mistake(call, result, __VA_ARGS__);                                      \
    } while (0)

/* Reports that a call of the core failed, if it did, and returns its result. */
PliantResult pli_gl_after(const PliGlCall *call, PliantResult result, const char *function);

/* As in the core: copies what the caller gave (NULL: nothing), with defaults for missing hooks. */
PliantResult pli_gl_host_check(const PliGlCall *call, const PliantHost *given, PliantHost *host);

/* Copies a record of this library over one of a caller, except its size. */
void pli_gl_record_write(void *caller_record, const void *record, size_t size);

/* A block that is made larger where it is too small, and whose contents then are lost. */
typedef struct PliGlBlock {
    void *items;
    size_t byte_size;
} PliGlBlock;

PliantResult pli_gl_block_need(PliGlBlock *block, const PliantHost *host, int64_t count,
                               size_t item_size);
void pli_gl_block_free(PliGlBlock *block, const PliantHost *host);

/* ---- State ---------------------------------------------------------------------------------- */

enum { PLI_GL_TOGGLES = 17, PLI_GL_PACKS = 8 };

/* A part of a buffer, bound by number; size 0: all of it. */
typedef struct PliGlRange {
    GLint buffer;
    GLint64 start, size;
} PliGlRange;

/* What drawing touches in a context. */
typedef struct PliGlState {
    GLboolean toggles[PLI_GL_TOGGLES];
    GLint draw_framebuffer, read_framebuffer, program, vertex_array, array_buffer;
    GLint texture, pack_buffer, storage_buffer;
    PliGlRange storage[2];
    GLint packs[PLI_GL_PACKS];
    GLfloat viewport[4], depth_range[2];
    GLint scissor[4];
    GLint polygon_mode[2], front_face, depth_func, stencil_clear;
    GLint clip_origin, clip_depth;
    GLboolean depth_mask;
    GLfloat depth_clear;
    GLint stencil[2][7]; /* of the front, of the back */
} PliGlState;

/* Both are of the context that is current; `version` is its, as epoxy_gl_version() has it. */
void pli_gl_state_save(PliGlState *state, int version);
void pli_gl_state_restore(const PliGlState *state, int version);

/* The state that drawing starts from, whatever it was before. */
void pli_gl_state_plain(int version);

/* ---- The device ------------------------------------------------------------------------------ */

/* A context that is current in this thread. */
typedef struct PliGlCurrent {
    EGLDisplay display;
    EGLSurface draw, read;
    EGLContext context;
} PliGlCurrent;

struct PliantGl {
    PliantHost host;
    PliantGlInfo info;
    int version;             /* of the context: 43 is 4.3 */
    PliGlCurrent own;        /* context of its own, or EGL_NO_CONTEXT */
    GLint max_size;          /* of a picture, in pixels */
    PliantLayers *layers[2]; /* for volumes */

    GLuint program, vertex_array, framebuffer;
    GLint place_low, place_scale, place_axis, place_width, place_capacity; /* of uniforms */

    GLuint vertex_buffer;
    GLsizeiptr vertex_size; /* bytes that it has */
    int64_t triangle_count; /* that are in it */
    int64_t max_drawn;      /* that are drawn at once: the corners of as many fit a storage block */

    /* Lists: a head of four words, then fragments. */
    GLuint list_buffer;
    int64_t max_fragments; /* that a list may have */

    /* The stencil: a picture for each layer, and where depths are read to. */
    GLuint texture, pack_buffer;
    int32_t texture_width, texture_height, texture_layers;
    GLsizeiptr pack_size;

    PliGlBlock fragments, starts;
};

typedef struct PliGlScope {
    PliGlCurrent before;
    PliGlState state;
} PliGlScope;

/* A headless context; current when this returns, and `before` is what was. */
PliantResult pli_gl_context_create(PliantGl *gl, PliGlCurrent *before);
PliGlCurrent pli_gl_current(void);

/* PLIANT_BAD_ARGUMENT: the context of the caller is not current. */
PliantResult pli_gl_enter(PliantGl *gl, PliGlScope *scope);
void pli_gl_leave(PliantGl *gl, const PliGlScope *scope);

/* What OpenGL has to complain of since the last time, as a result. */
PliantResult pli_gl_errors(void);

/* The uniforms, the viewport and all else that depends on the view. */
void pli_gl_inspect(PliantGl *gl, const PliantView *view);

PliantResult pli_gl_upload(PliantGl *gl, const float *corners, int64_t triangle_count);

/* Draws what was uploaded. */
void pli_gl_draw(PliantGl *gl);

/* ---- The two kinds --------------------------------------------------------------------------- */

/* What they do with the fragments that they made. */
typedef struct PliGlTake {
    PliantGl *gl;
    PliantLayers *layers;
    const PliantView *view;
} PliGlTake;

extern const char *const pli_gl_lists_vertex, *const pli_gl_lists_fragment;
extern const char *const pli_gl_stencil_vertex, *const pli_gl_stencil_fragment;

PliantResult pli_gl_lists(const PliGlTake *take);
PliantResult pli_gl_stencil(const PliGlTake *take);

#endif
