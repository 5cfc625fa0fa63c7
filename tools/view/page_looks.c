/* How parts look, for the page: colors, images as the file has them, and where they go. */
#include "view/page.h"

#include <math.h>

static void add_images(Page *page)
{
    fputs(",\"images\":[", page->facts);
    for (int32_t i = 0; i < page->scene->image_count; i++) {
        const SceneImage *image = &page->scene->images[i];
        fprintf(page->facts, "%s{\"at\":%zu,\"size\":%zu,\"kind\":\"%s\"}", i > 0 ? "," : "",
                page->blob.count, image->size, image->is_png ? "image/png" : "image/jpeg");
        page_bytes_add(&page->blob, image->bytes, image->size);
    }
    fputc(']', page->facts);
}

void page_add_looks(Page *page)
{
    fputs(",\"looks\":[", page->facts);
    for (int32_t i = 0; i < page->scene->look_count; i++) {
        const SceneLook *look = &page->scene->looks[i];
        fputs(i > 0 ? ",{\"color\":[" : "{\"color\":[", page->facts);
        for (int k = 0; k < 3; k++) {
            if (k > 0)
                fputc(',', page->facts);
            page_json_number(page->facts, look->color[k]);
        }
        fprintf(page->facts, "],\"image\":%d}", look->image);
    }
    fputc(']', page->facts);
    add_images(page);
}

/* ---- Of a part ------------------------------------------------------------------------------- */

static int64_t look_of(const void *from, size_t row, size_t column)
{
    (void)column;
    return ((const ScenePaint *)from)->looks[row];
}

/* In steps of 2^-14: a quarter of a pixel of an image of 4,096. */
static int64_t uv_at(const void *from, size_t row, size_t column)
{
    const double at = ((const ScenePaint *)from)->uvs[row * 2 + column];
    return llrint(fmin(4096, fmax(-4096, at)) * (1 << 14));
}

static int64_t color_at(const void *from, size_t row, size_t column)
{
    return ((const ScenePaint *)from)->colors[row * 3 + column];
}

static void add_table(Page *page, const char *name, const void *items, PageValue *value,
                      const ScenePaint *paint, size_t row_count, size_t column_count)
{
    fprintf(page->facts, "%s:", name);
    if (!items) {
        fputs("null", page->facts);
        return;
    }
    fprintf(page->facts, "%zu", page->blob.count);
    page_bytes_columns(&page->blob, value, paint, row_count, column_count, 1);
}

void page_add_paint(Page *page, const ScenePart *part)
{
    const ScenePaint *paint = &part->paint;
    const size_t count = (size_t)part->triangle_count;
    if (!paint->looks) {
        fputs(",\"paint\":null", page->facts);
        return;
    }
    add_table(page, ",\"paint\":{\"looks\"", paint->looks, look_of, paint, count, 1);
    add_table(page, ",\"uvs\"", paint->uvs, uv_at, paint, count * 3, 2);
    add_table(page, ",\"colors\"", paint->colors, color_at, paint, count * 3, 3);
    fputc('}', page->facts);
}
