/* Spans of bodies whose coordinates are small whole numbers, pixel by pixel, against an oracle that
 * works with whole numbers alone.
 *
 * Where the line of a pixel goes through an edge, the oracle takes a line beside it: moved by
 * less than anything along one picture axis, and by less than that along the other. There are eight
 * ways to do so. The library may have any of them, but for one axis it must be the same one in all
 * pixels of all pictures; with another one, closed surfaces would have bad pixels. */
#include "test_layers.h"
#include "volumes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WAYS = 8, MAX_VALUE = 512, UNIT = 4 /* all numbers of the oracle are quarters */ };

/* Of exact depths: number / of. */
typedef struct Depth {
    int64_t number, of;
    int winding;
} Depth;

typedef struct Spans {
    double low[MAX_VALUE], high[MAX_VALUE];
    int count;
} Spans;

typedef struct Picture {
    SceneMesh mesh;
    PliantView view;
    int64_t low[2], pitch[2], bottom, top; /* in quarters */
} Picture;

static bool is_way_left[3][WAYS];
static int64_t tie_count, pixel_count, span_count;

/* ---- The oracle ---------------------------------------------------------------------------------
 */

/* Coordinates u, v and along the axis, in quarters. */
static void get_corner(const Picture *p, int32_t corner, int64_t to[3])
{
    const float *v = p->mesh.vertices + 3 * (size_t)p->mesh.triangles[corner];
    for (int k = 0; k < 3; k++)
        to[k] = UNIT * (int64_t)v[(p->view.axis + 1 + k) % 3];
}

/* The side of an edge that the line is on, moved in one of the ways. */
static int side(const int64_t p[3], const int64_t q[3], const int64_t at[2], int way, int64_t *area,
                bool *is_tie)
{
    const int64_t along[2] = {q[0] - p[0], q[1] - p[1]};
    const int64_t moved[2] = {way & 1 ? -along[1] : along[1], way & 2 ? along[0] : -along[0]};
    *area = along[0] * (at[1] - p[1]) - along[1] * (at[0] - p[0]);
    *is_tie |= *area == 0;
    int64_t sign = *area;
    for (int i = 0; i < 2 && sign == 0; i++)
        sign = moved[way & 4 ? 1 - i : i];
    return (sign > 0) - (sign < 0);
}

/* False if the line does not intersect the triangle. */
static bool intersects(const Picture *p, int32_t triangle, const int64_t at[2], int way,
                       Depth *depth, bool *is_tie)
{
    int64_t c[3][3], areas[3], whole = 0;
    int signs[3];
    for (int i = 0; i < 3; i++)
        get_corner(p, 3 * triangle + i, c[i]);
    for (int i = 0; i < 3; i++) { /* opposite to corner i */
        signs[i] = side(c[(i + 1) % 3], c[(i + 2) % 3], at, way, &areas[i], is_tie);
        whole += areas[i];
    }
    if (whole == 0 || signs[0] != signs[1] || signs[1] != signs[2] || signs[0] == 0)
        return false;
    const int64_t sum = areas[0] * c[0][2] + areas[1] * c[1][2] + areas[2] * c[2][2];
    *depth = whole > 0 ? (Depth){sum, whole, -1} : (Depth){-sum, -whole, 1};
    return true;
}

static int compare(const void *p, const void *q)
{
    const Depth *x = p, *y = q;
    const int64_t a = x->number * y->of, b = y->number * x->of;
    return (a > b) - (a < b);
}

static void add_span(Spans *spans, double low, double high, const Picture *p)
{
    const double bottom = (double)p->bottom / UNIT, top = (double)p->top / UNIT;
    low = low < bottom ? bottom : low;
    high = high > top ? top : high;
    if (!(low < high))
        return;
    if (spans->count > 0 && spans->high[spans->count - 1] >= low) {
        spans->high[spans->count - 1] = high;
        return;
    }
    spans->low[spans->count] = low;
    spans->high[spans->count++] = high;
}

static void oracle_pixel(const Picture *p, const int64_t at[2], int way, Spans *spans, bool *is_tie)
{
    Depth depths[MAX_VALUE];
    int count = 0, winding = 0;
    spans->count = 0;
    for (int32_t t = 0; t < p->mesh.triangle_count; t++)
        count += intersects(p, t, at, way, &depths[count], is_tie);
    qsort(depths, (size_t)count, sizeof *depths, compare);
    for (int i = 0; i + 1 < count; i++) {
        winding += depths[i].winding;
        if (winding != 0)
            add_span(spans, (double)depths[i].number / (double)(UNIT * depths[i].of),
                     (double)depths[i + 1].number / (double)(UNIT * depths[i + 1].of), p);
    }
}

/* ---- Comparing ---------------------------------------------------------------------------------
 */

/* Depths that are not equal differ by far more; those that are may come out as two floats. */
static const double near = 4e-6;

/* Without gaps and spans that are there by rounding alone. */
static Spans tidy(const PliantSpan *from, int32_t count)
{
    Spans spans = {.count = 0};
    for (int32_t i = 0; i < count; i++) {
        const double low = (double)from[i].low, high = (double)from[i].high;
        if (spans.count > 0 && low - spans.high[spans.count - 1] < near)
            spans.high[spans.count - 1] = high;
        else if (high - low > near || (i + 1 < count && (double)from[i + 1].low - high < near)) {
            spans.low[spans.count] = low;
            spans.high[spans.count++] = high;
        }
    }
    return spans;
}

static bool are_equal(const Spans *x, const Spans *y)
{
    if (x->count != y->count)
        return false;
    for (int i = 0; i < x->count; i++)
        if (!(fabs(x->low[i] - y->low[i]) < near && fabs(x->high[i] - y->high[i]) < near))
            return false;
    return true;
}

static void show(const char *name, const Spans *spans)
{
    printf("  %s:", name);
    for (int i = 0; i < spans->count; i++)
        printf(" %.9g to %.9g", spans->low[i], spans->high[i]);
    printf("\n");
}

/* False if there is no way left in which the library could be right. */
static bool check_pixel(const Picture *p, const PliantLayers *layers, int32_t column, int32_t row)
{
    const int64_t at[2] = {p->low[0] + p->pitch[0] / 2 + column * p->pitch[0],
                           p->low[1] + p->pitch[1] / 2 + row * p->pitch[1]};
    bool is_right = false, is_tie = false, *is_left = is_way_left[p->view.axis];
    Spans checked;
    int32_t count;
    const PliantSpan *from = pliant_layers_spans(layers, column, row, &count);
    const Spans ours = tidy(from, count);
    for (int way = 0; way < WAYS; way++) {
        oracle_pixel(p, at, way, &checked, &is_tie);
        const bool is_this = are_equal(&ours, &checked);
        is_right |= is_left[way] && is_this;
        is_left[way] &= is_this;
        if (!is_tie)
            break;
    }
    if (!is_tie) /* all ways are the same */
        for (int way = 1; way < WAYS; way++)
            is_left[way] &= is_right || !is_left[0];
    tie_count += is_tie;
    pixel_count++;
    span_count += ours.count;
    if (is_right || (!is_tie && are_equal(&ours, &checked)))
        return true;
    printf("axis %d, pixel %d %d of %d x %d\n", (int)p->view.axis, column, row, p->view.width,
           p->view.height);
    show("ours", &ours);
    show("expected", &checked);
    return false;
}

/* The volume of layers is the sum of their spans, and no less exact; so are centroid and box. */
static bool is_sum_right(const Picture *p, PliantLayers *layers)
{
    double sum = 0, moments[3] = {0, 0, 0};
    const int along[3] = {(p->view.axis + 1) % 3, (p->view.axis + 2) % 3, p->view.axis};
    const double area = (double)(p->pitch[0] * p->pitch[1]) / (UNIT * UNIT);
    for (int32_t pixel = 0; pixel < p->view.width * p->view.height; pixel++) {
        const int32_t column = pixel % p->view.width, row = pixel / p->view.width;
        int32_t count;
        const PliantSpan *spans = pliant_layers_spans(layers, column, row, &count);
        for (int32_t i = 0; i < count; i++) {
            const double low = (double)spans[i].low, high = (double)spans[i].high;
            sum += (high - low) * area;
            moments[0] += (high - low) * area *
                          ((double)p->low[0] + (column + 0.5) * (double)p->pitch[0]) / UNIT;
            moments[1] += (high - low) * area *
                          ((double)p->low[1] + (row + 0.5) * (double)p->pitch[1]) / UNIT;
            moments[2] += (high - low) * area * 0.5 * (low + high);
        }
    }
    PliantVolume volume = pliant_volume_default();
    volumes_must(pliant_layers_volume(layers, &volume), "volume");
    volumes_must(volume.is_closed ? PLIANT_OK : PLIANT_BAD_DATA, "a closed surface");
    bool is_right = fabs(volume.volume - sum) <= 1e-12 * sum;
    for (int k = 0; k < 3 && sum > 0; k++)
        is_right &= fabs(volume.centroid[along[k]] - moments[k] / sum) < 1e-9;
    if (!is_right)
        printf("volume %.17g, of spans %.17g\n", volume.volume, sum);
    return is_right;
}

/* ---- Pictures ----------------------------------------------------------------------------------
 */

/* Tetrahedra of whole numbers, some of them inside out; or a body that is rounded to some. */
static SceneMesh make_mesh(SceneRandom *random)
{
    SceneMesh mesh = {0};
    if (scene_random_below(random, 3) == 0) {
        mesh = solid_random((SolidKind)scene_random_below(random, SOLID_KIND_COUNT), random);
        if (mesh.triangle_count > 100) {
            scene_mesh_free(&mesh);
            mesh = scene_icosphere(1);
        }
        for (int32_t i = 0; i < 3 * mesh.vertex_count; i++)
            mesh.vertices[i] = rintf(4 * mesh.vertices[i] + 4);
        return mesh;
    }
    for (uint32_t i = 0, count = 1 + scene_random_below(random, 6); i < count; i++) {
        SceneMesh one = solid_random(SOLID_tetrahedron, random);
        for (int k = 0; k < 12; k++)
            one.vertices[k] = (float)scene_random_below(random, 9);
        scene_mesh_append(&mesh, one, false);
    }
    return mesh;
}

static Picture make_picture(SceneRandom *random)
{
    Picture p = {.mesh = make_mesh(random), .view.axis = scene_random_below(random, 3)};
    int32_t sizes[2];
    for (int i = 0; i < 2; i++) {
        const int axis = (p.view.axis + 1 + i) % 3;
        p.pitch[i] = UNIT / 2 << scene_random_below(random, 3);
        p.low[i] = (int64_t)scene_random_below(random, 20) - 8;
        sizes[i] = 1 + (int32_t)scene_random_below(random, 20);
        p.view.box.low[axis] = (float)p.low[i] / UNIT;
        p.view.box.high[axis] = (float)(p.low[i] + sizes[i] * p.pitch[i]) / UNIT;
    }
    p.view.width = sizes[0];
    p.view.height = sizes[1];
    p.bottom = (int64_t)scene_random_below(random, 20) - 8;
    p.top = p.bottom + 1 + scene_random_below(random, 40);
    p.view.box.low[p.view.axis] = (float)p.bottom / UNIT;
    p.view.box.high[p.view.axis] = (float)p.top / UNIT;
    return p;
}

static bool check_picture(const VolumeOptions *options, int64_t number, PliantLayers *layers)
{
    SceneRandom random = volumes_random(options, 4, number);
    Picture p = make_picture(&random);
    PliantWorld *world = volumes_world(PLIANT_CPU_ALL);
    const PliantBody body = volumes_body(world, &p.mesh, number % 2);
    const PliantResult result = pliant_layers_capture(layers, world, body, &p.view, NULL);
    bool is_right = result == PLIANT_OK && test_layers_info(layers).is_closed;
    for (int32_t row = 0; row < p.view.height && is_right; row++)
        for (int32_t column = 0; column < p.view.width && is_right; column++)
            is_right = check_pixel(&p, layers, column, row);
    is_right = is_right && is_sum_right(&p, layers);
    if (!is_right)
        printf("seed %" PRIu64 " picture %" PRId64 ": %s\n", options->seed, number,
               pliant_result_name(result));
    pliant_world_destroy(world);
    scene_mesh_free(&p.mesh);
    return is_right;
}

int64_t check_spans(const VolumeOptions *options)
{
    PliantLayers *layers = NULL;
    int64_t failure_count = 0, number = 0;
    for (int i = 0; i < 3 * WAYS; i++)
        is_way_left[i / WAYS][i % WAYS] = true;
    volumes_must(pliant_layers_create(NULL, &layers), "layers");
    if (options->pose >= 0)
        failure_count += !check_picture(options, options->pose, layers);
    /* One in a hundred of the other pixels. */
    for (; options->pose < 0 && pixel_count < options->pixels / 100 && failure_count < 5; number++)
        failure_count += !check_picture(options, number, layers);
    pliant_layers_destroy(layers);
    printf("%" PRId64 " pictures, %" PRId64 " pixels, %" PRId64 " of them on an edge, %" PRId64
           " spans\n",
           number, pixel_count, tie_count, span_count);
    return failure_count + (options->pose < 0 && tie_count == 0);
}
