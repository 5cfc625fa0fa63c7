/* The calls of OpenGL that draw the layers of a body, and nothing else: what the backend is held
 * against. Written for the bench, with no use of the backend. */
#ifndef BENCH_GL_BARE_H
#define BENCH_GL_BARE_H

#include <pliant/gl.h>

typedef struct Bare Bare;

/* A context of OpenGL 4.3, current from now on; false if there is none to be had. */
bool bare_context(void);
void bare_context_end(void);

/* All that drawing needs: triangles in a buffer, a program, a framebuffer. `pass_count` is that of
 * the stencil, `fragment_capacity` that of lists. The program ends if it cannot be made. */
Bare *bare_create(PliantGlKind kind, const PliantView *view, const float *corners,
                  int64_t triangle_count, int32_t pass_count, int64_t fragment_capacity);
void bare_destroy(Bare *bare);

/* Clears, draws all passes and waits for the end. */
void bare_draw(Bare *bare);

#endif
