/* Bare drawing: see bare.h. */
#include "bare.h"
#include "bench.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    EGLDisplay display;
    EGLContext context;
} own;

bool bare_context(void)
{
    const EGLint wishes[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    const EGLint asked[] = {EGL_CONTEXT_MAJOR_VERSION,
                            4,
                            EGL_CONTEXT_MINOR_VERSION,
                            3,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            EGL_NONE};
    EGLConfig config;
    EGLint count;
    own.display =
        eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!own.display || !eglInitialize(own.display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(own.display, wishes, &config, 1, &count) || count < 1)
        return false;
    own.context = eglCreateContext(own.display, config, EGL_NO_CONTEXT, asked);
    return own.context && eglMakeCurrent(own.display, EGL_NO_SURFACE, EGL_NO_SURFACE, own.context);
}

void bare_context_end(void)
{
    eglMakeCurrent(own.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(own.display, own.context);
}

/* The backend's shaders, shorter. */
static const char *const vertex_texts[] = {
    [PLIANT_GL_STENCIL] = "#version 150\n"
                          "uniform vec3 low, scale; uniform int axis; in vec3 corner;\n"
                          "void main() {\n"
                          "  vec3 p = axis == 0 ? corner.yzx : axis == 1 ? corner.zxy : corner;\n"
                          "  gl_Position = vec4((p - low) * scale - 1.0, 1.0); }\n",
    [PLIANT_GL_LISTS] = "#version 430\n"
                        "uniform vec3 low, scale; uniform int axis; in vec3 corner;\n"
                        "out float depth;\n"
                        "void main() {\n"
                        "  vec3 p = axis == 0 ? corner.yzx : axis == 1 ? corner.zxy : corner;\n"
                        "  gl_Position = vec4((p.xy - low.xy) * scale.xy - 1.0, 0.0, 1.0);\n"
                        "  depth = p.z - low.z; }\n",
};

static const char *const fragment_texts[] = {
    [PLIANT_GL_STENCIL] = "#version 150\nvoid main() {}\n",
    [PLIANT_GL_LISTS] =
        "#version 430\n"
        "layout(std430, binding = 0) buffer List { uint count, over, none[2]; uint words[]; };\n"
        "layout(std430, binding = 1) readonly buffer Corners { float corners[]; };\n"
        "uniform vec3 low; uniform int axis, width; uniform uint capacity; in float depth;\n"
        "void main() {\n"
        "  uint i = atomicAdd(count, 1u);\n"
        "  if (i < capacity) {\n"
        "    int at = 9 * gl_PrimitiveID + axis;\n"
        "    float a = corners[at], b = corners[at + 3], c = corners[at + 6];\n"
        "    words[3u * i] = uint(int(gl_FragCoord.x) + width * int(gl_FragCoord.y));\n"
        "    words[3u * i + 1u] =\n"
        "      floatBitsToUint(clamp(depth + low.z, min(a, min(b, c)), max(a, max(b, c))));\n"
        "    words[3u * i + 2u] = gl_FrontFacing ? 0xffffffffu : 1u;\n"
        "  } else if (i == 0xffffffffu) { over = 1u; } }\n",
};

struct Bare {
    PliantGlKind kind;
    int32_t width, height, pass_count;
    GLsizei vertex_count;
    GLuint program, vertex_array, framebuffer, texture, vertices, list;
};

static GLuint make_program(PliantGlKind kind)
{
    GLuint program = glCreateProgram();
    const char *const texts[2] = {vertex_texts[kind], fragment_texts[kind]};
    for (int i = 0; i < 2; i++) {
        GLuint shader = glCreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glBindAttribLocation(program, 0, "corner");
    glLinkProgram(program);
    GLint is_linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
    if (!is_linked) {
        fprintf(stderr, "bench: the bare program does not link\n");
        exit(1);
    }
    return program;
}

static void set_uniforms(const Bare *bare, const PliantView *view, int64_t capacity)
{
    float low[3], scale[3];
    for (int i = 0; i < 3; i++) {
        const int k = ((int)view->axis + 1 + i) % 3;
        low[i] = view->box.low[k];
        scale[i] = 2 / (view->box.high[k] - view->box.low[k]);
    }
    glUseProgram(bare->program);
    glUniform3fv(glGetUniformLocation(bare->program, "low"), 1, low);
    glUniform3fv(glGetUniformLocation(bare->program, "scale"), 1, scale);
    glUniform1i(glGetUniformLocation(bare->program, "axis"), (GLint)view->axis);
    glUniform1i(glGetUniformLocation(bare->program, "width"), view->width);
    glUniform1ui(glGetUniformLocation(bare->program, "capacity"), (GLuint)capacity);
}

static void make_target(Bare *bare, int64_t capacity)
{
    glGenFramebuffers(1, &bare->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, bare->framebuffer);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    if (bare->kind == PLIANT_GL_LISTS) {
        glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, bare->width);
        glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, bare->height);
        glGenBuffers(1, &bare->list);
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, bare->list);
        glBufferData(GL_SHADER_STORAGE_BUFFER, 16 + 12 * (GLsizeiptr)capacity, NULL,
                     GL_STREAM_READ);
        return;
    }
    glGenTextures(1, &bare->texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, bare->texture);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH32F_STENCIL8, bare->width, bare->height,
                 bare->pass_count, 0, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, NULL);
}

Bare *bare_create(PliantGlKind kind, const PliantView *view, const float *corners,
                  int64_t triangle_count, int32_t pass_count, int64_t fragment_capacity)
{
    Bare *bare = bench_allocate(1, sizeof *bare);
    *bare = (Bare){.kind = kind,
                   .width = view->width,
                   .height = view->height,
                   .pass_count = pass_count,
                   .vertex_count = (GLsizei)(3 * triangle_count),
                   .program = make_program(kind)};
    glGenVertexArrays(1, &bare->vertex_array);
    glBindVertexArray(bare->vertex_array);
    glGenBuffers(1, &bare->vertices);
    glBindBuffer(GL_ARRAY_BUFFER, bare->vertices);
    glBufferData(GL_ARRAY_BUFFER, 36 * (GLsizeiptr)triangle_count, corners, GL_STREAM_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    set_uniforms(bare, view, fragment_capacity);
    make_target(bare, fragment_capacity);
    return bare;
}

void bare_destroy(Bare *bare)
{
    glDeleteProgram(bare->program);
    glDeleteVertexArrays(1, &bare->vertex_array);
    glDeleteFramebuffers(1, &bare->framebuffer);
    glDeleteTextures(1, &bare->texture);
    glDeleteBuffers(1, &bare->vertices);
    glDeleteBuffers(1, &bare->list);
    free(bare);
}

static void draw_lists(const Bare *bare)
{
    const GLuint head[4] = {0};
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, bare->list);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, bare->vertices);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, bare->list);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof head, head);
    glDrawArrays(GL_TRIANGLES, 0, bare->vertex_count);
}

static void draw_stencil(const Bare *bare)
{
    glEnable(GL_DEPTH_CLAMP);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glDepthFunc(GL_ALWAYS);
    for (int32_t pass = 0; pass < bare->pass_count; pass++) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, bare->texture, 0,
                                  pass);
        glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        glStencilFunc(GL_GREATER, pass + 1, 0xff);
        glStencilOp(pass == 0 ? GL_INCR : GL_KEEP, GL_INCR, GL_INCR);
        glDrawArrays(GL_TRIANGLES, 0, bare->vertex_count);
    }
    glDisable(GL_DEPTH_CLAMP);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
}

void bare_draw(Bare *bare)
{
    glUseProgram(bare->program);
    glBindVertexArray(bare->vertex_array);
    glBindFramebuffer(GL_FRAMEBUFFER, bare->framebuffer);
    glViewport(0, 0, bare->width, bare->height);
    if (bare->kind == PLIANT_GL_LISTS)
        draw_lists(bare);
    else
        draw_stencil(bare);
    glFinish();
}
