/* What drawing touches in a context, remembered and put back: see device.h. */
#include "device.h"

/* All that are on or off. The last eight would discard by distances that no shader here writes. */
static const GLenum toggles[PLI_GL_TOGGLES] = {
    GL_SCISSOR_TEST,   GL_DEPTH_TEST,         GL_STENCIL_TEST,   GL_CULL_FACE,
    GL_DEPTH_CLAMP,    GL_RASTERIZER_DISCARD, GL_MULTISAMPLE,    GL_POLYGON_OFFSET_FILL,
    GL_SAMPLE_MASK,    GL_CLIP_DISTANCE0,     GL_CLIP_DISTANCE1, GL_CLIP_DISTANCE2,
    GL_CLIP_DISTANCE3, GL_CLIP_DISTANCE4,     GL_CLIP_DISTANCE5, GL_CLIP_DISTANCE6,
    GL_CLIP_DISTANCE7,
};

static const GLenum packs[PLI_GL_PACKS] = {
    GL_PACK_SWAP_BYTES,  GL_PACK_LSB_FIRST, GL_PACK_ROW_LENGTH,  GL_PACK_IMAGE_HEIGHT,
    GL_PACK_SKIP_PIXELS, GL_PACK_SKIP_ROWS, GL_PACK_SKIP_IMAGES, GL_PACK_ALIGNMENT,
};

static const GLenum sides[2] = {GL_FRONT, GL_BACK};

/* What to ask for, of either side. */
static const GLenum stencil_names[2][7] = {
    {GL_STENCIL_FUNC, GL_STENCIL_REF, GL_STENCIL_VALUE_MASK, GL_STENCIL_WRITEMASK, GL_STENCIL_FAIL,
     GL_STENCIL_PASS_DEPTH_FAIL, GL_STENCIL_PASS_DEPTH_PASS},
    {GL_STENCIL_BACK_FUNC, GL_STENCIL_BACK_REF, GL_STENCIL_BACK_VALUE_MASK,
     GL_STENCIL_BACK_WRITEMASK, GL_STENCIL_BACK_FAIL, GL_STENCIL_BACK_PASS_DEPTH_FAIL,
     GL_STENCIL_BACK_PASS_DEPTH_PASS},
};

static void set_toggle(GLenum toggle, GLboolean is_on)
{
    (is_on ? glEnable : glDisable)(toggle);
}

static void save_bindings(PliGlState *state, int version)
{
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &state->draw_framebuffer);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &state->read_framebuffer);
    glGetIntegerv(GL_CURRENT_PROGRAM, &state->program);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &state->vertex_array);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &state->array_buffer);
    glGetIntegerv(GL_TEXTURE_BINDING_2D_ARRAY, &state->texture);
    glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &state->pack_buffer);
    if (version < 43)
        return;
    glGetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING, &state->storage_buffer);
    for (int i = 0; i < 2; i++) {
        glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, (GLuint)i, &state->storage[i].buffer);
        glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_START, (GLuint)i, &state->storage[i].start);
        glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_SIZE, (GLuint)i, &state->storage[i].size);
    }
}

void pli_gl_state_save(PliGlState *state, int version)
{
    *state = (PliGlState){0};
    for (int i = 0; i < PLI_GL_TOGGLES; i++)
        state->toggles[i] = glIsEnabled(toggles[i]);
    for (int i = 0; i < PLI_GL_PACKS; i++)
        glGetIntegerv(packs[i], &state->packs[i]);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 7; i++)
            glGetIntegerv(stencil_names[side][i], &state->stencil[side][i]);
    save_bindings(state, version);
    glGetFloatv(GL_VIEWPORT, state->viewport);
    glGetFloatv(GL_DEPTH_RANGE, state->depth_range);
    glGetIntegerv(GL_SCISSOR_BOX, state->scissor);
    glGetIntegerv(GL_POLYGON_MODE, state->polygon_mode);
    glGetIntegerv(GL_FRONT_FACE, &state->front_face);
    glGetIntegerv(GL_DEPTH_FUNC, &state->depth_func);
    glGetIntegerv(GL_STENCIL_CLEAR_VALUE, &state->stencil_clear);
    glGetBooleanv(GL_DEPTH_WRITEMASK, &state->depth_mask);
    glGetFloatv(GL_DEPTH_CLEAR_VALUE, &state->depth_clear);
    if (version >= 45) {
        glGetIntegerv(GL_CLIP_ORIGIN, &state->clip_origin);
        glGetIntegerv(GL_CLIP_DEPTH_MODE, &state->clip_depth);
    }
}

static void restore_bindings(const PliGlState *state, int version)
{
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)state->draw_framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)state->read_framebuffer);
    glUseProgram((GLuint)state->program);
    glBindVertexArray((GLuint)state->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, (GLuint)state->array_buffer);
    glBindTexture(GL_TEXTURE_2D_ARRAY, (GLuint)state->texture);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, (GLuint)state->pack_buffer);
    if (version < 43)
        return;
    for (GLuint i = 0; i < 2; i++) {
        const PliGlRange *range = &state->storage[i];
        if (range->size > 0)
            glBindBufferRange(GL_SHADER_STORAGE_BUFFER, i, (GLuint)range->buffer, range->start,
                              range->size);
        else
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, (GLuint)range->buffer);
    }
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, (GLuint)state->storage_buffer);
}

static void restore_stencil(const PliGlState *state)
{
    for (int side = 0; side < 2; side++) {
        const GLint *s = state->stencil[side];
        glStencilFuncSeparate(sides[side], (GLenum)s[0], s[1], (GLuint)s[2]);
        glStencilMaskSeparate(sides[side], (GLuint)s[3]);
        glStencilOpSeparate(sides[side], (GLenum)s[4], (GLenum)s[5], (GLenum)s[6]);
    }
    glClearStencil(state->stencil_clear);
}

void pli_gl_state_restore(const PliGlState *state, int version)
{
    for (int i = 0; i < PLI_GL_TOGGLES; i++)
        set_toggle(toggles[i], state->toggles[i]);
    for (int i = 0; i < PLI_GL_PACKS; i++)
        glPixelStorei(packs[i], state->packs[i]);
    restore_stencil(state);
    restore_bindings(state, version);
    if (version >= 41)
        glViewportIndexedfv(0, state->viewport);
    else
        glViewport((GLint)state->viewport[0], (GLint)state->viewport[1],
                   (GLsizei)state->viewport[2], (GLsizei)state->viewport[3]);
    glDepthRange(state->depth_range[0], state->depth_range[1]);
    glScissor(state->scissor[0], state->scissor[1], state->scissor[2], state->scissor[3]);
    glPolygonMode(GL_FRONT_AND_BACK, (GLenum)state->polygon_mode[0]);
    glFrontFace((GLenum)state->front_face);
    glDepthFunc((GLenum)state->depth_func);
    glDepthMask(state->depth_mask);
    glClearDepth(state->depth_clear);
    if (version >= 45)
        glClipControl((GLenum)state->clip_origin, (GLenum)state->clip_depth);
}

void pli_gl_state_plain(int version)
{
    for (int i = 0; i < PLI_GL_TOGGLES; i++)
        glDisable(toggles[i]);
    for (int i = 0; i < PLI_GL_PACKS; i++)
        glPixelStorei(packs[i], packs[i] == GL_PACK_ALIGNMENT ? 4 : 0);
    glStencilMask(0xff);
    glDepthRange(0, 1);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glFrontFace(GL_CCW);
    glDepthFunc(GL_ALWAYS);
    glDepthMask(GL_TRUE);
    glClearDepth(0);
    glClearStencil(0);
    if (version >= 45)
        glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
}
