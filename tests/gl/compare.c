/* See compare.h. */
#include "compare.h"
#include "test_layers.h"

#include <math.h>

/* How often a depth is inside: by counting ends below it. */
static bool is_inside(const PliantSpan *spans, int32_t count, double depth)
{
    for (int32_t i = 0; i < count; i++)
        if (spans[i].low < depth && depth < spans[i].high)
            return true;
    return false;
}

/* From each end of either to the next, in rising order; what lies between is in or out. */
static double apart(const PliantSpan *a, int32_t a_count, const PliantSpan *b, int32_t b_count)
{
    double sum = 0, at = -INFINITY;
    for (;;) {
        double next = INFINITY;
        for (int32_t i = 0; i < 2 * a_count; i++) {
            double end = i % 2 ? a[i / 2].high : a[i / 2].low;
            next = end > at && end < next ? end : next;
        }
        for (int32_t i = 0; i < 2 * b_count; i++) {
            double end = i % 2 ? b[i / 2].high : b[i / 2].low;
            next = end > at && end < next ? end : next;
        }
        if (next == INFINITY)
            return sum;
        double middle = at + (next - at) / 2;
        if (at > -INFINITY && is_inside(a, a_count, middle) != is_inside(b, b_count, middle))
            sum += next - at;
        at = next;
    }
}

PliantGlInfo compare_gl_info(const PliantGl *gl)
{
    PliantGlInfo info = pliant_gl_info_default();
    (void)pliant_gl_info(gl, &info);
    return info;
}

Compared compare_layers(const PliantLayers *a, const PliantLayers *b)
{
    const PliantLayersInfo info = test_layers_info(a);
    Compared result = {.bad = info.bad_pixel_count + test_layers_info(b).bad_pixel_count};
    for (int32_t row = 0; row <= info.view.height; row++)
        for (int32_t column = 0; column <= info.view.width; column++) {
            int32_t here_count, other_count, left_count, down_count;
            const PliantSpan *here = pliant_layers_spans(a, column, row, &here_count);
            const PliantSpan *other = pliant_layers_spans(b, column, row, &other_count);
            const PliantSpan *left = pliant_layers_spans(a, column - 1, row, &left_count);
            const PliantSpan *down = pliant_layers_spans(a, column, row - 1, &down_count);
            result.apart += apart(here, here_count, other, other_count);
            result.swept += apart(here, here_count, left, left_count) +
                            apart(here, here_count, down, down_count);
            result.thickest = fmax(result.thickest, apart(here, here_count, NULL, 0));
        }
    return result;
}

bool compare_is_alike(const Compared *compared, int bits, double columns)
{
    return compared->apart <= ldexp(compared->swept, -bits) + columns * compared->thickest;
}
