/* The stencil counts: one pass for each layer. See device.h.
 *
 * After Heidelberger, Teschner and Gross, "Volumetric Collision Detection for Deformable Objects",
 * 2003, section 3. In the first pass the stencil counts the fragments of each pixel, and the depth
 * of the first one stays. In the n-th, the first n go through, each over the one before: the depth
 * of the n-th stays. That takes fragments to come in the same order each time, and to be the same
 * ones: so each pass has a picture of its own, all of one size, and none is a tile of a larger one,
 * in which coordinates would be rounded in other ways. Pictures are read back twice: the first for
 * how many there are, and all others together. Where these would take too much memory, they are
 * drawn in several lots.
 *
 * The stencil has eight bits, and stays at 255 when it gets there. A pixel with that many may have
 * had more, so it is one too many. */
#include "device.h"

const char *const pli_gl_stencil_vertex =
    "#version 150 core\n"
    "uniform vec3 low, scale;\n"
    "uniform int axis;\n"
    "in vec3 corner;\n"
    "void main()\n"
    "{\n"
    "    vec3 p = axis == 0 ? corner.yzx : axis == 1 ? corner.zxy : corner;\n"
    "    gl_Position = vec4((p - low) * scale - 1.0, 1.0);\n"
    "}\n";

const char *const pli_gl_stencil_fragment = "#version 150 core\n"
                                            "void main() {}\n";

enum {
    MAX_LAYERS = 254,
    MAX_TEXELS = 1 << 26, /* of all pictures of a lot, unless one alone has more: 512 MB */
};

/* A pixel of the first picture as it is read. */
typedef struct First {
    float depth;
    uint32_t count; /* in the low eight bits */
} First;

static int64_t pixels(const PliantView *view)
{
    return (int64_t)view->width * view->height;
}

/* Pictures of the view's size, so many at least. */
static PliantResult need_pictures(PliantGl *gl, const PliantView *view, int32_t layer_count)
{
    glBindTexture(GL_TEXTURE_2D_ARRAY, gl->texture);
    if (gl->texture_width == view->width && gl->texture_height == view->height &&
        gl->texture_layers >= layer_count)
        return PLIANT_OK;
    gl->texture_width = 0;
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH32F_STENCIL8, view->width, view->height,
                 layer_count, 0, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, NULL);
    PliantResult result = pli_gl_errors();
    if (result != PLIANT_OK)
        return result;
    gl->texture_width = view->width;
    gl->texture_height = view->height;
    gl->texture_layers = layer_count;
    return PLIANT_OK;
}

/* A buffer to read to, bound. */
static PliantResult need_pack(PliantGl *gl, int64_t byte_size)
{
    glBindBuffer(GL_PIXEL_PACK_BUFFER, gl->pack_buffer);
    if (byte_size <= gl->pack_size)
        return PLIANT_OK;
    gl->pack_size = 0;
    glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)byte_size, NULL, GL_STREAM_READ);
    PliantResult result = pli_gl_errors();
    if (result == PLIANT_OK)
        gl->pack_size = (GLsizeiptr)byte_size;
    return result;
}

static void choose_picture(PliantGl *gl, int32_t picture)
{
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, gl->texture, 0, picture);
}

/* Layer `layer`, from 1, into a picture. */
static void draw_layer(PliantGl *gl, int32_t layer, int32_t picture)
{
    choose_picture(gl, picture);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glStencilFunc(GL_GREATER, layer, 0xff);
    glStencilOp(layer == 1 ? GL_INCR : GL_KEEP, GL_INCR, GL_INCR);
    pli_gl_draw(gl);
}

/* A place in the buffer that is read to, as OpenGL wants it. */
static void *offset_of(int64_t byte_offset)
{
    return (void *)(intptr_t)byte_offset; /* NOLINT(performance-no-int-to-ptr) */
}

static const void *map(PliantGl *gl, int64_t byte_size)
{
    gl->info.read_count++;
    return glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)byte_size, GL_MAP_READ_BIT);
}

static PliantResult unmap(const void *mapped)
{
    if (mapped)
        glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    PliantResult result = pli_gl_errors();
    return mapped || result != PLIANT_OK ? result : PLIANT_OUT_OF_MEMORY;
}

/* ---- Depths by pixel ---------------------------------------------------------------------------
 */

/* The depths of a pixel stand together, in `fragments`, from starts[pixel] on. */
typedef struct Sorter {
    PliantFragment *fragments;
    int64_t *starts; /* one for each pixel, and the end */
    int64_t pixel_count;
    int32_t layer_count; /* the most of a pixel */
} Sorter;

/* A depth in the box, of one in the buffer. */
typedef struct Scale {
    double low, size;
} Scale;

static float depth_of(Scale scale, float stored)
{
    return (float)(scale.low + scale.size * stored);
}

static PliantResult count_layers(PliantGl *gl, const First *first, Sorter *sorter)
{
    int64_t total = 0;
    for (int64_t i = 0; i < sorter->pixel_count; i++) {
        int32_t count = (int32_t)(first[i].count & 0xff);
        sorter->layer_count = count > sorter->layer_count ? count : sorter->layer_count;
        sorter->starts[i] = total;
        total += count;
    }
    sorter->starts[sorter->pixel_count] = total;
    if (sorter->layer_count > MAX_LAYERS)
        return PLIANT_TOO_LARGE;
    PliantResult result =
        pli_gl_block_need(&gl->fragments, &gl->host, total, sizeof(PliantFragment));
    sorter->fragments = gl->fragments.items;
    return result;
}

/* The depths of a layer, numbered from 0, `stride` floats apart. */
static void add_layer(const Sorter *sorter, int32_t layer, const float *depths, int stride,
                      Scale scale)
{
    for (int64_t i = 0; i < sorter->pixel_count; i++) {
        int64_t at = sorter->starts[i] + layer;
        if (at < sorter->starts[i + 1])
            sorter->fragments[at] =
                (PliantFragment){(int32_t)i, depth_of(scale, depths[i * stride]), 0};
    }
}

/* In turns in and out, from the lowest: if their number is odd, the sum is not 0. */
static void sort_pixel(PliantFragment *fragments, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        PliantFragment moved = fragments[i];
        int64_t k = i;
        for (; k > 0 && fragments[k - 1].depth > moved.depth; k--)
            fragments[k] = fragments[k - 1];
        fragments[k] = moved;
    }
    for (int64_t i = 0; i < count; i++)
        fragments[i].winding = i % 2 ? -1 : 1;
}

/* ---- Passes ------------------------------------------------------------------------------------
 */

static PliantResult draw_first(const PliGlTake *take, Sorter *sorter, Scale scale)
{
    PliantGl *gl = take->gl;
    const int64_t size = sorter->pixel_count * (int64_t)sizeof(First);
    PliantResult result = need_pictures(gl, take->view, 1);
    if (result == PLIANT_OK)
        result = need_pack(gl, size);
    if (result != PLIANT_OK)
        return result;
    draw_layer(gl, 1, 0);
    glReadPixels(0, 0, take->view->width, take->view->height, GL_DEPTH_STENCIL,
                 GL_FLOAT_32_UNSIGNED_INT_24_8_REV, NULL);
    const First *first = map(gl, size);
    result = first ? count_layers(gl, first, sorter) : PLIANT_OK;
    if (first && result == PLIANT_OK)
        add_layer(sorter, 0, &first->depth, 2, scale);
    PliantResult errors = unmap(first);
    return result == PLIANT_OK ? errors : result;
}

/* Layers `from` to `end` - 1, numbered from 0, drawn and then read together. */
static PliantResult draw_lot(const PliGlTake *take, const Sorter *sorter, int32_t from, int32_t end,
                             Scale scale)
{
    PliantGl *gl = take->gl;
    const int64_t size = sorter->pixel_count * 4;
    PliantResult result = need_pictures(gl, take->view, end - from);
    if (result == PLIANT_OK)
        result = need_pack(gl, size * (end - from));
    if (result != PLIANT_OK)
        return result;
    for (int32_t layer = from; layer < end; layer++)
        draw_layer(gl, layer + 1, layer - from);
    for (int32_t layer = from; layer < end; layer++) {
        choose_picture(gl, layer - from);
        glReadPixels(0, 0, take->view->width, take->view->height, GL_DEPTH_COMPONENT, GL_FLOAT,
                     offset_of(size * (layer - from)));
    }
    const float *depths = map(gl, size * (end - from));
    for (int32_t layer = from; depths && layer < end; layer++)
        add_layer(sorter, layer, depths + sorter->pixel_count * (layer - from), 1, scale);
    return unmap(depths);
}

static PliantResult draw_all(const PliGlTake *take, Sorter *sorter)
{
    const PliantBox *box = &take->view->box;
    const int axis = (int)take->view->axis;
    const Scale scale = {box->low[axis], (double)box->high[axis] - box->low[axis]};
    PliantResult result = draw_first(take, sorter, scale);
    int32_t lot = (int32_t)(MAX_TEXELS / sorter->pixel_count);
    lot = lot < 1 ? 1 : lot;
    for (int32_t from = 1; result == PLIANT_OK && from < sorter->layer_count; from += lot) {
        int32_t end = lot < sorter->layer_count - from ? from + lot : sorter->layer_count;
        result = draw_lot(take, sorter, from, end, scale);
    }
    return result;
}

PliantResult pli_gl_stencil(const PliGlTake *take)
{
    PliantGl *gl = take->gl;
    Sorter sorter = {.pixel_count = pixels(take->view)};
    PliantResult result =
        pli_gl_block_need(&gl->starts, &gl->host, sorter.pixel_count + 1, sizeof(int64_t));
    if (result != PLIANT_OK)
        return result;
    sorter.starts = gl->starts.items;
    glEnable(GL_DEPTH_CLAMP);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    result = draw_all(take, &sorter);
    if (result != PLIANT_OK)
        return result;
    for (int64_t i = 0; i < sorter.pixel_count; i++)
        sort_pixel(sorter.fragments + sorter.starts[i], sorter.starts[i + 1] - sorter.starts[i]);
    return pliant_layers_set(take->layers, take->view, sorter.fragments,
                             sorter.starts[sorter.pixel_count]);
}
