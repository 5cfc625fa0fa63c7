/* How parts look: base colors, their images, and colors of vertices.
 *
 * None of it changes an answer, so none of it makes a file one that cannot be read: what is wrong
 * or too large is left out. Images are handed on as they are, by how they begin; a browser reads
 * them.
 */
#include "scene/gltf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_IMAGE = 4 << 20, MAX_IMAGES = 12 << 20 };

/* ---- Images and materials -------------------------------------------------------------------- */

static bool is_image(const GltfBytes *bytes, bool *is_png)
{
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10}, jpeg[] = {0xff, 0xd8, 0xff};
    *is_png = bytes->size > sizeof png && memcmp(bytes->bytes, png, sizeof png) == 0;
    return *is_png || (bytes->size > sizeof jpeg && memcmp(bytes->bytes, jpeg, sizeof jpeg) == 0);
}

/* The bytes of an image; `owned` is to be freed. */
static bool open_image(Gltf *gltf, int32_t index, GltfBytes *bytes)
{
    GltfItem item;
    int32_t view;
    if (!gltf_item(gltf, "images", index, &item) ||
        !gltf_reference(gltf, &item, "bufferView", "bufferViews", &view))
        return false;
    const char *uri = gltf_string(&item, "uri");
    if (view < 0)
        return uri && gltf_uri(gltf, &item, uri, bytes);
    const GltfBytes *found = gltf_view(gltf, view);
    if (found)
        *bytes = (GltfBytes){.bytes = found->bytes, .size = found->size};
    return found != NULL;
}

static bool read_image(Gltf *gltf, int32_t index, size_t *room)
{
    SceneImage *image = &gltf->scene->images[index];
    GltfBytes bytes = {0};
    bool is_ok = open_image(gltf, index, &bytes) && bytes.size <= MAX_IMAGE &&
                 bytes.size <= *room && is_image(&bytes, &image->is_png);
    if (is_ok) {
        image->bytes = scene_allocate(bytes.size, 1, &gltf->budget, gltf->error);
        is_ok = image->bytes != NULL;
    }
    if (is_ok) {
        memcpy(image->bytes, bytes.bytes, bytes.size);
        image->size = bytes.size;
        *room -= bytes.size;
    }
    free(bytes.owned);
    return is_ok;
}

/* The image of a texture; -1: none, or one that is placed in a way that is not followed here. */
static bool find_image(Gltf *gltf, const GltfItem *colors, int32_t *image)
{
    GltfItem slot, texture;
    int32_t index;
    int64_t set = 0;
    *image = -1;
    if (!gltf_member(gltf, colors, "baseColorTexture", false, &slot))
        return true;
    if (!gltf_optional(gltf, &slot, "texCoord", 0, INT32_MAX, &set) ||
        !gltf_reference(gltf, &slot, "index", "textures", &index))
        return false;
    if (index < 0 || set != 0 || gltf_extension(&slot, "KHR_texture_transform"))
        return true;
    return gltf_item(gltf, "textures", index, &texture) &&
           gltf_reference(gltf, &texture, "source", "images", image);
}

static bool read_look(Gltf *gltf, int32_t material, size_t *room)
{
    GltfItem item, colors;
    SceneLook *look = &gltf->scene->looks[material];
    float color[4] = {1, 1, 1, 1};
    bool is_there;
    *look = (SceneLook){{1, 1, 1}, -1};
    if (!gltf_item(gltf, "materials", material, &item))
        return false;
    if (!gltf_member(gltf, &item, "pbrMetallicRoughness", false, &colors))
        return true;
    if (!gltf_numbers(gltf, &colors, "baseColorFactor", 4, color, &is_there) ||
        !find_image(gltf, &colors, &look->image))
        return false;
    for (int k = 0; k < 3; k++)
        look->color[k] = fminf(1, fmaxf(0, color[k]));
    if (look->image >= 0 && !gltf->scene->images[look->image].bytes &&
        !read_image(gltf, look->image, room))
        look->image = -1;
    return true;
}

/* What a file has wrong is forgotten, but not that there is no memory. Asked after each step, since
 * the next one may say something else. */
static bool is_out_of_memory(const Gltf *gltf)
{
    static const char words[] = "there is no memory left";
    const size_t length = strlen(gltf->error->text), count = sizeof words - 1;
    return length >= count && strcmp(gltf->error->text + length - count, words) == 0;
}

bool gltf_read_looks(Gltf *gltf)
{
    Scene *scene = gltf->scene;
    const SceneError kept = *gltf->error;
    const size_t budget = gltf->budget;
    int32_t materials = 0, images = 0;
    size_t room = MAX_IMAGES;
    if (!gltf->options->has_looks)
        return true;
    gltf->error->text[0] = 0;
    if (gltf_count(gltf, "materials", &materials) && gltf_count(gltf, "images", &images)) {
        scene->looks =
            scene_allocate((size_t)materials, sizeof *scene->looks, &gltf->budget, gltf->error);
        scene->images =
            scene_allocate((size_t)images, sizeof *scene->images, &gltf->budget, gltf->error);
        scene->image_count = scene->images ? images : 0;
        scene->look_count = scene->looks && scene->images ? materials : 0;
    }
    for (int32_t i = 0; i < scene->look_count && !is_out_of_memory(gltf); i++)
        if (!read_look(gltf, i, &room))
            scene->looks[i] = (SceneLook){{1, 1, 1}, -1};
    if (is_out_of_memory(gltf))
        return false;
    *gltf->error = kept;
    gltf->budget = budget;
    return true;
}

/* ---- Triangles ------------------------------------------------------------------------------- */

/* Numbers of vertices, `width` each; NULL: there are none, or they are wrong. */
static float *read_numbers(Gltf *gltf, const GltfPainted *painted, const char *name, int32_t width)
{
    GltfAccessor accessor = {0};
    if (!json_object_get(painted->attributes->json, name) ||
        !gltf_attribute(gltf, painted->attributes, name, width, painted->vertex_count,
                        painted->draco, &accessor))
        return NULL;
    float *numbers = scene_allocate((size_t)painted->vertex_count, (size_t)width * sizeof *numbers,
                                    &gltf->budget, gltf->error);
    if (numbers && gltf_read_floats(gltf, &accessor, numbers))
        return numbers;
    free(numbers);
    return NULL;
}

/* Which vertex of the primitive a corner of the part has. */
static size_t vertex_of(const GltfPainted *painted, const ScenePart *part, size_t corner)
{
    return part->triangles[corner] - (size_t)painted->first_vertex;
}

static void paint_uvs(Gltf *gltf, const GltfPainted *painted, ScenePart *part)
{
    const size_t first = 3 * (size_t)painted->first_triangle;
    float *uvs = read_numbers(gltf, painted, "TEXCOORD_0", 2);
    if (uvs && !part->paint.uvs)
        part->paint.uvs = scene_allocate((size_t)painted->triangle_room, 6 * sizeof(float),
                                         &gltf->budget, gltf->error);
    for (size_t i = first; uvs && part->paint.uvs && i < 3 * (size_t)part->triangle_count; i++)
        memcpy(part->paint.uvs + 2 * i, uvs + 2 * vertex_of(painted, part, i), 2 * sizeof(float));
    free(uvs);
}

/* Three numbers or four. */
static int32_t color_width(Gltf *gltf, const GltfPainted *painted)
{
    GltfItem item;
    int32_t index;
    if (!gltf_reference(gltf, painted->attributes, "COLOR_0", "accessors", &index) || index < 0 ||
        !gltf_item(gltf, "accessors", index, &item))
        return 3;
    const char *type = gltf_string(&item, "type");
    return type && strcmp(type, "VEC4") == 0 ? 4 : 3;
}

static void paint_colors(Gltf *gltf, const GltfPainted *painted, ScenePart *part)
{
    const size_t room = 9 * (size_t)painted->triangle_room;
    const size_t width = (size_t)color_width(gltf, painted);
    float *colors = read_numbers(gltf, painted, "COLOR_0", (int32_t)width);
    if (colors && !part->paint.colors) {
        part->paint.colors = scene_allocate(room, 1, &gltf->budget, gltf->error);
        if (part->paint.colors)
            memset(part->paint.colors, 255, room);
    }
    const size_t first = 3 * (size_t)painted->first_triangle;
    for (size_t i = first; colors && part->paint.colors && i < 3 * (size_t)part->triangle_count;
         i++)
        for (size_t k = 0; k < 3; k++) {
            const float color = colors[width * vertex_of(painted, part, i) + k];
            part->paint.colors[3 * i + k] = (uint8_t)lrintf(255 * fminf(1, fmaxf(0, color)));
        }
    free(colors);
}

bool gltf_paint(Gltf *gltf, const GltfPainted *painted, ScenePart *part)
{
    const Scene *scene = gltf->scene;
    const SceneError kept = *gltf->error;
    const size_t budget = gltf->budget;
    if (!gltf->options->has_looks)
        return true;
    gltf->error->text[0] = 0;
    const int32_t look = painted->material < scene->look_count ? painted->material : -1;
    if (!part->paint.looks)
        part->paint.looks = scene_allocate((size_t)painted->triangle_room,
                                           sizeof *part->paint.looks, &gltf->budget, gltf->error);
    for (int32_t t = painted->first_triangle; part->paint.looks && t < part->triangle_count; t++)
        part->paint.looks[t] = look;
    if (look >= 0 && scene->looks[look].image >= 0 && !is_out_of_memory(gltf))
        paint_uvs(gltf, painted, part);
    if (!is_out_of_memory(gltf))
        paint_colors(gltf, painted, part);
    if (is_out_of_memory(gltf))
        return false;
    *gltf->error = kept;
    gltf->budget = budget;
    return true;
}
