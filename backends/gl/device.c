/* The device: programs, triangles, what a view asks for; made and ended. See device.h. */
#include "device.h"

#include <string.h>

enum { MAX_DRAWN = 1 << 24 };

/* ---- Entering and leaving ---------------------------------------------------------------------
 */

static void make_current(const PliGlCurrent *current, EGLDisplay display)
{
    if (current->context)
        eglMakeCurrent(current->display, current->draw, current->read, current->context);
    else
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

PliantResult pli_gl_enter(PliantGl *gl, PliGlScope *scope)
{
    scope->before = pli_gl_current();
    if (!gl->own.context) {
        if (!scope->before.context)
            return PLIANT_BAD_ARGUMENT;
        pli_gl_state_save(&scope->state, gl->version);
    } else if (!eglMakeCurrent(gl->own.display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->own.context)) {
        return PLIANT_UNSUPPORTED;
    }
    pli_gl_errors();
    pli_gl_state_plain(gl->version);
    return PLIANT_OK;
}

void pli_gl_leave(PliantGl *gl, const PliGlScope *scope)
{
    if (gl->own.context)
        make_current(&scope->before, gl->own.display);
    else
        pli_gl_state_restore(&scope->state, gl->version);
}

PliantResult pli_gl_errors(void)
{
    PliantResult result = PLIANT_OK;
    /* A context that is lost says so forever. */
    for (int i = 0; i < 32; i++) {
        GLenum error = glGetError();
        if (error == GL_NO_ERROR)
            break;
        if (result == PLIANT_OK || error == GL_OUT_OF_MEMORY)
            result = error == GL_OUT_OF_MEMORY ? PLIANT_OUT_OF_MEMORY : PLIANT_UNSUPPORTED;
    }
    return result;
}

/* ---- Programs ----------------------------------------------------------------------------------
 */

static GLuint compile(GLenum stage, const char *text)
{
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    return shader;
}

static PliantResult make_program(PliantGl *gl, const char *vertex, const char *fragment)
{
    GLuint shaders[2] = {compile(GL_VERTEX_SHADER, vertex), compile(GL_FRAGMENT_SHADER, fragment)};
    gl->program = glCreateProgram();
    glBindAttribLocation(gl->program, 0, "corner");
    for (int i = 0; i < 2; i++) {
        glAttachShader(gl->program, shaders[i]);
        glDeleteShader(shaders[i]);
    }
    glLinkProgram(gl->program);
    GLint is_linked = GL_FALSE;
    glGetProgramiv(gl->program, GL_LINK_STATUS, &is_linked);
    gl->place_low = glGetUniformLocation(gl->program, "low");
    gl->place_scale = glGetUniformLocation(gl->program, "scale");
    gl->place_axis = glGetUniformLocation(gl->program, "axis");
    gl->place_width = glGetUniformLocation(gl->program, "width");
    gl->place_capacity = glGetUniformLocation(gl->program, "capacity");
    return is_linked ? PLIANT_OK : PLIANT_UNSUPPORTED;
}

static void make_objects(PliantGl *gl)
{
    glGenVertexArrays(1, &gl->vertex_array);
    glGenFramebuffers(1, &gl->framebuffer);
    glGenBuffers(1, &gl->vertex_buffer);
    glBindVertexArray(gl->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, gl->vertex_buffer);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    if (gl->info.kind == PLIANT_GL_LISTS) {
        glGenBuffers(1, &gl->list_buffer);
        return;
    }
    glGenTextures(1, &gl->texture);
    glGenBuffers(1, &gl->pack_buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->framebuffer);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
}

/* ---- The limits of a context -------------------------------------------------------------------
 */

static bool has_lists(int version)
{
    if (version < 43)
        return false;
    GLint blocks = 0;
    glGetIntegerv(GL_MAX_FRAGMENT_SHADER_STORAGE_BLOCKS, &blocks);
    return blocks >= 2;
}

static GLint least(GLint a, GLint b)
{
    return a < b ? a : b;
}

static void read_limits(PliantGl *gl)
{
    GLint sizes[2] = {0, 0}, texture = 0, bits = 0;
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, sizes);
    glGetIntegerv(GL_SUBPIXEL_BITS, &bits);
    gl->info.subpixel_bits = bits;
    gl->max_drawn = MAX_DRAWN;
    gl->max_size = least(sizes[0], sizes[1]);
    if (gl->info.kind == PLIANT_GL_LISTS) {
        glGetIntegerv(GL_MAX_FRAMEBUFFER_WIDTH, &sizes[0]);
        glGetIntegerv(GL_MAX_FRAMEBUFFER_HEIGHT, &sizes[1]);
        gl->max_size = least(gl->max_size, least(sizes[0], sizes[1]));
        GLint64 bytes = 0;
        glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
        /* Bytes are counted in 31 bits, to be safe; and 64 triangles are a multiple of all
         * alignments that blocks have. */
        bytes = bytes < INT32_MAX ? bytes : INT32_MAX;
        gl->max_fragments = (bytes - 16) / 12;
        gl->max_drawn = bytes / (36 * 64) * 64;
    } else {
        glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
        gl->max_size = least(gl->max_size, texture);
    }
}

/* Of the context that is current. */
static PliantResult set_up(PliantGl *gl, PliantGlKind kind)
{
    if (!epoxy_is_desktop_gl())
        return PLIANT_UNSUPPORTED;
    gl->version = epoxy_gl_version();
    const bool lists = has_lists(gl->version);
    if (gl->version < 32 || (kind == PLIANT_GL_LISTS && !lists))
        return PLIANT_UNSUPPORTED;
    gl->info.kind = kind == PLIANT_GL_AUTO ? lists ? PLIANT_GL_LISTS : PLIANT_GL_STENCIL : kind;

    PliGlScope scope;
    const PliGlCurrent own = gl->own;
    gl->own.context = EGL_NO_CONTEXT; /* it is current already */
    PliantResult result = pli_gl_enter(gl, &scope);
    if (result == PLIANT_OK) {
        read_limits(gl);
        make_objects(gl);
        result = gl->info.kind == PLIANT_GL_LISTS
                     ? make_program(gl, pli_gl_lists_vertex, pli_gl_lists_fragment)
                     : make_program(gl, pli_gl_stencil_vertex, pli_gl_stencil_fragment);
        PliantResult errors = pli_gl_errors();
        result = result == PLIANT_OK ? errors : result;
        pli_gl_leave(gl, &scope);
    }
    gl->own = own;
    return result;
}

/* ---- Made and ended ----------------------------------------------------------------------------
 */

static void free_objects(PliantGl *gl)
{
    glDeleteProgram(gl->program);
    glDeleteVertexArrays(1, &gl->vertex_array);
    glDeleteFramebuffers(1, &gl->framebuffer);
    glDeleteTextures(1, &gl->texture);
    const GLuint buffers[] = {gl->vertex_buffer, gl->list_buffer, gl->pack_buffer};
    glDeleteBuffers(sizeof buffers / sizeof *buffers, buffers);
}

/* All but the context's objects. */
static void free_rest(PliantGl *gl)
{
    for (int i = 0; i < 2; i++)
        pliant_layers_destroy(gl->layers[i]);
    PliantHost host = gl->host;
    pli_gl_block_free(&gl->fragments, &host);
    pli_gl_block_free(&gl->starts, &host);
    host.release(host.user, gl, sizeof *gl, 64);
}

void pliant_gl_destroy(PliantGl *gl)
{
    if (!gl)
        return;
    if (gl->own.context) {
        eglDestroyContext(gl->own.display, gl->own.context); /* and all of its objects */
    } else if (pli_gl_current().context) {
        free_objects(gl);
    }
    free_rest(gl);
}

/* The layers of `gl` itself fail in calls that report in their own name. */
static void ignore(void *user, PliantResult result, const char *message)
{
    (void)user;
    (void)result;
    (void)message;
}

static PliantResult create_layers(PliantGl *gl)
{
    PliantHost host = gl->host;
    host.report = ignore;
    PliantLayersDef def = pliant_layers_def_default();
    def.host = &host;
    PliantResult result = PLIANT_OK;
    for (int i = 0; i < 2 && result == PLIANT_OK; i++)
        result = pliant_layers_create(&def, &gl->layers[i]);
    return result;
}

static PliantResult allocate_gl(const PliGlCall *call, const PliantGlDef *def, PliantGl **gl)
{
    PliantHost host;
    PliantResult result = pli_gl_host_check(call, def->host, &host);
    if (result != PLIANT_OK)
        return result;
    PLI_GL_CHECK(call, (unsigned)def->kind <= PLIANT_GL_LISTS, PLIANT_BAD_ARGUMENT,
                 "def.kind is %d", (int)def->kind);
    PliantGl *made = host.allocate(host.user, sizeof *made, 64);
    if (!made)
        return PLIANT_OUT_OF_MEMORY;
    memset(made, 0, sizeof *made);
    made->info = pliant_gl_info_default();
    made->host = host;
    result = create_layers(made);
    if (result == PLIANT_OK)
        *gl = made;
    else
        free_rest(made);
    return result;
}

static PliantResult create(const char *function, const PliantGlDef *given, bool is_headless,
                           PliantGl **gl)
{
    PliantGlDef def = pliant_gl_def_default();
    const bool is_read = !given || pli_backend_read(&def, sizeof def, given, given->struct_size);
    const PliGlCall call = pli_gl_call(def.host, function);
    PLI_GL_CHECK(&call, is_read, PLIANT_BAD_DEF,
                 "def.struct_size is %zu: start from pliant_gl_def_default()", given->struct_size);
    PLI_GL_CHECK(&call, gl, PLIANT_BAD_ARGUMENT, "gl is NULL");
    PliantGl *made = NULL;
    PliantResult result = allocate_gl(&call, &def, &made);
    if (!made)
        return result;
    PliGlCurrent before = pli_gl_current();
    if (is_headless)
        result = pli_gl_context_create(made, &before);
    else if (!before.context)
        result = PLIANT_UNSUPPORTED;
    if (result == PLIANT_OK)
        result = set_up(made, def.kind);
    if (made->own.context)
        make_current(&before, made->own.display);
    if (result == PLIANT_OK)
        *gl = made;
    else
        pliant_gl_destroy(made);
    if (result == PLIANT_UNSUPPORTED)
        return pli_gl_report(&call, result,
                             is_headless ? "EGL has no context for def.kind without a window"
                                         : "no context for def.kind is current in this thread");
    return result;
}

PliantResult pliant_gl_create(const PliantGlDef *def, PliantGl **gl)
{
    return create(__func__, def, false, gl);
}

PliantResult pliant_gl_create_headless(const PliantGlDef *def, PliantGl **gl)
{
    return create(__func__, def, true, gl);
}

PliantResult pliant_gl_info(const PliantGl *gl, PliantGlInfo *info)
{
    const PliGlCall call = PLI_GL_CALL(gl ? &gl->host : NULL);
    PLI_GL_CHECK(&call, gl, PLIANT_BAD_ARGUMENT, "gl is NULL");
    PLI_GL_CHECK(&call, info, PLIANT_BAD_ARGUMENT, "info is NULL");
    PLI_GL_CHECK(&call, pli_backend_may_write(sizeof *info, info->struct_size), PLIANT_BAD_DEF,
                 "info.struct_size is %zu: start from pliant_gl_info_default()", info->struct_size);
    pli_gl_record_write(info, &gl->info, sizeof *info);
    return PLIANT_OK;
}

/* ---- Triangles ---------------------------------------------------------------------------------
 */

PliantResult pli_gl_upload(PliantGl *gl, const float *corners, int64_t triangle_count)
{
    if (triangle_count > INT32_MAX / 3)
        return PLIANT_TOO_LARGE; /* vertices are counted in 31 bits */
    GLsizeiptr size = (GLsizeiptr)triangle_count * 36;
    gl->triangle_count = triangle_count;
    glBindBuffer(GL_ARRAY_BUFFER, gl->vertex_buffer);
    if (size > gl->vertex_size) {
        gl->vertex_size = 0;
        glBufferData(GL_ARRAY_BUFFER, size + size / 4, NULL, GL_STREAM_DRAW);
        PliantResult result = pli_gl_errors();
        if (result != PLIANT_OK)
            return result;
        gl->vertex_size = size + size / 4;
    }
    /* The calls that captured layers before have waited for them: nothing is drawn from here any
     * more. */
    glBufferSubData(GL_ARRAY_BUFFER, 0, size, corners);
    return pli_gl_errors();
}

void pli_gl_draw(PliantGl *gl)
{
    gl->info.pass_count++;
    glBindVertexArray(gl->vertex_array);
    for (int64_t first = 0; first < gl->triangle_count; first += gl->max_drawn) {
        int64_t left = gl->triangle_count - first;
        int64_t count = left < gl->max_drawn ? left : gl->max_drawn;
        if (gl->list_buffer)
            glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, gl->vertex_buffer, first * 36,
                              count * 36);
        glDrawArrays(GL_TRIANGLES, (GLint)(3 * first), (GLsizei)(3 * count));
    }
}

/* The place of a coordinate in the picture is (x - low) * scale - 1, from -1 at one rim to 1 at the
 * other; so it is with depth, in the box. */
void pli_gl_inspect(PliantGl *gl, const PliantView *view)
{
    GLfloat low[3], scale[3];
    for (int i = 0; i < 3; i++) {
        int k = ((int)view->axis + 1 + i) % 3;
        double size = (double)view->box.high[k] - view->box.low[k];
        low[i] = view->box.low[k];
        scale[i] = size > 0 ? (GLfloat)(2 / size) : 0;
    }
    glUseProgram(gl->program);
    glUniform3fv(gl->place_low, 1, low);
    glUniform3fv(gl->place_scale, 1, scale);
    glUniform1i(gl->place_axis, (GLint)view->axis);
    glViewport(0, 0, view->width, view->height);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->framebuffer);
}
