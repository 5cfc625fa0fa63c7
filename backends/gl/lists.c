/* Fragments in a list: one pass. See device.h.
 *
 * A fragment takes the next number from a counter and, if the list is so long, writes itself there,
 * as the PliantFragment that it will be: the list is handed on as it is. The counter also counts
 * those that found no room. They are then drawn again, into a list that is long enough; or, if none
 * may be, in bands of the picture. So none is lost; and if the counter should ever run over, the
 * one that has its last number says so.
 *
 * The depth of a fragment is that of the triangle's plane at the middle of the pixel. Vertices move
 * by some part of a pixel before they are drawn, so that the middle of the pixel may be just beside
 * the triangle as it was. A plane that is nearly upright can be anywhere there: so the depth is
 * brought back between those of the triangle's corners. On the way it is counted from the near end
 * of the box, where numbers are small. */
#include "device.h"

const char *const pli_gl_lists_vertex =
    "#version 430 core\n"
    "uniform vec3 low, scale;\n"
    "uniform int axis;\n"
    "in vec3 corner;\n"
    "out float depth;\n"
    "void main()\n"
    "{\n"
    "    vec3 p = axis == 0 ? corner.yzx : axis == 1 ? corner.zxy : corner;\n"
    "    gl_Position = vec4((p.xy - low.xy) * scale.xy - 1.0, 0.0, 1.0);\n"
    "    depth = p.z - low.z;\n"
    "}\n";

const char *const pli_gl_lists_fragment =
    "#version 430 core\n"
    "layout(std430, binding = 0) buffer List { uint count, is_over, none[2]; uint words[]; };\n"
    "layout(std430, binding = 1) readonly buffer Corners { float corners[]; };\n"
    "uniform vec3 low;\n"
    "uniform int axis, width;\n"
    "uniform uint capacity;\n"
    "in float depth;\n"
    "void main()\n"
    "{\n"
    "    uint i = atomicAdd(count, 1u);\n"
    "    if (i < capacity) {\n"
    "        int at = 9 * gl_PrimitiveID + axis;\n"
    "        float a = corners[at], b = corners[at + 3], c = corners[at + 6];\n"
    "        float within = clamp(depth + low.z, min(a, min(b, c)), max(a, max(b, c)));\n"
    "        words[3u * i] = uint(int(gl_FragCoord.x) + width * int(gl_FragCoord.y));\n"
    "        words[3u * i + 1u] = floatBitsToUint(within);\n"
    "        words[3u * i + 2u] = gl_FrontFacing ? 0xffffffffu : 1u;\n"
    "    } else if (i == 0xffffffffu) {\n"
    "        is_over = 1u;\n"
    "    }\n"
    "}\n";

_Static_assert(sizeof(PliantFragment) == 12, "three words, as the shader writes them");

enum { HEAD = 16 }; /* bytes of the list before the first fragment */

static PliantResult grow(PliantGl *gl, int64_t capacity)
{
    if (capacity <= gl->info.fragment_capacity)
        return PLIANT_OK;
    gl->info.fragment_capacity = 0;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, gl->list_buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, HEAD + (GLsizeiptr)capacity * 12, NULL, GL_STREAM_READ);
    PliantResult result = pli_gl_errors();
    if (result == PLIANT_OK)
        gl->info.fragment_capacity = capacity;
    return result;
}

/* Draws, and waits for the number of fragments. */
static int64_t draw(PliantGl *gl)
{
    const GLuint head[4] = {0};
    GLuint seen[4];
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, gl->list_buffer);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, HEAD, head);
    glUniform1ui(gl->place_capacity, (GLuint)gl->info.fragment_capacity);
    pli_gl_draw(gl);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, gl->list_buffer);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, HEAD, seen);
    gl->info.read_count++;
    return seen[1] ? (int64_t)1 << 32 : seen[0];
}

static const PliantFragment *map(int64_t count)
{
    return glMapBufferRange(GL_SHADER_STORAGE_BUFFER, HEAD, (GLsizeiptr)(count ? count : 1) * 12,
                            GL_MAP_READ_BIT);
}

/* Hands on what is in the list. */
static PliantResult set(const PliGlTake *take, int64_t count)
{
    const PliantFragment *fragments = map(count);
    PliantResult result = pli_gl_errors();
    if (!fragments)
        return result == PLIANT_OK ? PLIANT_OUT_OF_MEMORY : result;
    result = pliant_layers_set(take->layers, take->view, fragments, count);
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    return result;
}

/* Rows of the picture that are drawn alone. */
static void choose_rows(const PliantView *view, int32_t first, int32_t end)
{
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, first, view->width, end - first);
}

/* One band after the other, into memory. Returns how many fragments there were, or -1 if a band has
 * more than a list may have, or if all have more than there should be. */
static int64_t draw_bands(const PliGlTake *take, int32_t rows, int64_t total, PliantResult *result)
{
    PliantGl *gl = take->gl;
    PliantFragment *to = gl->fragments.items;
    int64_t done = 0;
    for (int32_t row = 0; row < take->view->height && *result == PLIANT_OK; row += rows) {
        int32_t end = rows < take->view->height - row ? row + rows : take->view->height;
        choose_rows(take->view, row, end);
        int64_t count = draw(gl);
        if (count > gl->info.fragment_capacity || count > total - done)
            return -1;
        if (count > 0)
            glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, HEAD, (GLsizeiptr)count * 12, to + done);
        done += count;
        *result = pli_gl_errors();
    }
    return done;
}

static PliantResult read_bands(const PliGlTake *take, int64_t total)
{
    PliantGl *gl = take->gl;
    PliantResult result =
        pli_gl_block_need(&gl->fragments, &gl->host, total, sizeof(PliantFragment));
    if (result == PLIANT_OK)
        result = grow(gl, gl->max_fragments);
    int64_t done = -1;
    for (int32_t rows = (take->view->height + 1) / 2; result == PLIANT_OK; rows = (rows + 1) / 2) {
        done = draw_bands(take, rows, total, &result);
        if (done >= 0 || rows == 1)
            break;
    }
    if (result == PLIANT_OK && done != total)
        return PLIANT_TOO_LARGE;
    return result == PLIANT_OK
               ? pliant_layers_set(take->layers, take->view, gl->fragments.items, done)
               : result;
}

/* As long as two layers all over the picture would take, at first. */
static int64_t first_capacity(const PliGlTake *take)
{
    int64_t count = 2 * (int64_t)take->view->width * take->view->height;
    count = count < 4096 ? 4096 : count;
    return count < take->gl->max_fragments ? count : take->gl->max_fragments;
}

PliantResult pli_gl_lists(const PliGlTake *take)
{
    PliantGl *gl = take->gl;
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, take->view->width);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, take->view->height);
    glUniform1i(gl->place_width, take->view->width);
    PliantResult result = grow(gl, first_capacity(take));
    int64_t count = result == PLIANT_OK ? draw(gl) : 0;
    if (count > gl->info.fragment_capacity && count <= gl->max_fragments) {
        int64_t more = count + count / 4;
        result = grow(gl, more < gl->max_fragments ? more : gl->max_fragments);
        count = result == PLIANT_OK ? draw(gl) : 0;
    }
    if (result != PLIANT_OK)
        return result;
    if (count >> 32)
        return PLIANT_TOO_LARGE;
    return count <= gl->info.fragment_capacity ? set(take, count) : read_bands(take, count);
}
