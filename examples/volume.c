/* A dolphin leaps through a ball of jelly, drawn as PNG: what both have in common is red.
 *
 *     volume volume.png
 *
 * The library's views look along an axis, and so does the viewer of the picture: bodies are
 * turned until that axis is z. Then the pixels of a view are those of the picture, and all that is
 * drawn is layers: of the dolphin, of the jelly, and of what they have in common. Without a name,
 * only numbers are printed. docs/volumes.md quotes this. */
#include "painter.h"
#include "scenes.h"
#include <pliant/pliant.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DOLPHIN_SIZE = 4, SUBDIVISIONS = 6, STEP = 40, POINTS = 100000 };

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "volume: %s\n", pliant_result_text(result));
    exit(1);
}

/* ---- Two bodies that bend ------------------------------------------------------------------ */

enum { DOLPHIN, JELLY, BODIES };

typedef struct Stage {
    PliantWorld *world;
    PliantBody bodies[BODIES];
} Stage;

/* Takes the def for a mesh, and makes a body of it. */
static PliantBody add_body(PliantWorld *world, PliantShapeDef *def, const SceneMesh *mesh)
{
    def->vertices.data = mesh->vertices;
    def->vertices.count = mesh->vertex_count;
    def->triangles.data = mesh->triangles;
    def->triangles.count = mesh->triangle_count;
    PliantShape *shape;
    must(pliant_shape_create(def, &shape));
    PliantBody body;
    must(pliant_body_create(world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

/* It morphs: references have the tail up, level and down. */
static PliantBody add_dolphin(PliantWorld *world)
{
    SceneMorph morph = scene_dolphin(DOLPHIN_SIZE);
    PliantTarget targets[SCENE_DOLPHIN_TARGETS];
    for (int t = 0; t < SCENE_DOLPHIN_TARGETS; t++) {
        PliantTarget target = {{morph.targets[t].vertices, morph.mesh.vertex_count, 0}, NULL};
        targets[t] = target;
    }
    PliantShapeDef def = pliant_shape_def_default();
    def.targets = targets;
    def.target_count = SCENE_DOLPHIN_TARGETS;
    def.morph_kind = PLIANT_MORPH_REFERENCES;
    PliantBody body = add_body(world, &def, &morph.mesh);
    const float weights[SCENE_DOLPHIN_TARGETS] = {0, 0.3f, 0.7f};
    must(pliant_body_set_weights(world, body, weights, SCENE_DOLPHIN_TARGETS));
    scene_morph_free(&morph);
    return body;
}

/* All of its vertices are given: a ball that wobbles, in long waves. */
static PliantBody add_jelly(PliantWorld *world)
{
    SceneMesh mesh = scene_icosphere(SUBDIVISIONS);
    PliantShapeDef def = pliant_shape_def_default();
    PliantBody body = add_body(world, &def, &mesh);

    SceneWave waves[SCENE_WAVES];
    SceneRandom random = {7};
    scene_random_waves(&random, waves);
    for (int i = 0; i < SCENE_WAVES; i++)
        for (int k = 0; k < 3; k++)
            waves[i].direction[k] *= 0.3;
    for (int32_t v = 0; v < mesh.vertex_count; v++) {
        float *p = mesh.vertices + (size_t)3 * (size_t)v;
        const float radius = (float)(0.58 * scene_radius(waves, p, STEP));
        for (int k = 0; k < 3; k++)
            p[k] *= radius;
    }
    must(pliant_body_set_vertices(world, body, def.vertices));
    scene_mesh_free(&mesh);
    return body;
}

static void turn(const Stage *stage, int body, double rotation[3][3])
{
    const double origin[3] = {0, 0, 0};
    PliantTransform transform;
    scene_set_rows(rotation, origin, transform.rows);
    must(pliant_body_set_transform(stage->world, stage->bodies[body], &transform));
}

/* Turns both as a viewer sees them. The dolphin has z up, the viewer y. */
static void turn_both(const Stage *stage, const PainterView *seen)
{
    const double x_axis[3] = {1, 0, 0}, z_axis[3] = {0, 0, 1};
    double rolled[3][3], pitched[3][3], upright[3][3], jelly[3][3], dolphin[3][3];
    painter_rotation(seen, jelly);
    scene_rotation(x_axis, -1.5, rolled);
    scene_rotation(z_axis, 0.05, pitched);
    scene_rotation_product(pitched, rolled, upright);
    scene_rotation_product(jelly, upright, dolphin);
    turn(stage, JELLY, jelly);
    turn(stage, DOLPHIN, dolphin);
}

/* ---- Numbers ------------------------------------------------------------------------------- */

static PliantVolume volume_in_common(PliantWorld *world, PliantBody dolphin, PliantBody jelly)
{
    PliantVolumeDef def = pliant_volume_def_default();
    def.relative_error = 0.001; /* as fine as it takes */
    PliantVolume common = pliant_volume_default();
    must(pliant_bodies_volume(world, dolphin, jelly, &def, &common));
    return common;
}

/* Points that are anywhere in the box of a view; how many of them are inside? */
static int count_inside(const PliantLayers *layers, const PliantBox *box)
{
    float *points = (float *)scene_allocate(POINTS, sizeof(float[3]));
    uint8_t *states = (uint8_t *)scene_allocate(POINTS, 1);
    SceneRandom random = {1};
    for (size_t i = 0; i < (size_t)3 * POINTS; i++) {
        double side = (double)box->high[i % 3] - box->low[i % 3];
        points[i] = (float)(box->low[i % 3] + side * scene_random(&random));
    }
    const PliantVertices where = {points, POINTS, 0};
    must(pliant_layers_inside(layers, where, states, POINTS));
    int count = 0;
    for (int i = 0; i < POINTS; i++)
        count += states[i] == PLIANT_POINT_INSIDE;
    free(points);
    free(states);
    return count;
}

static void say_points(PliantWorld *world, PliantBody dolphin, PliantBody jelly)
{
    PliantView view;
    must(pliant_bodies_view(world, dolphin, jelly, 256, &view));
    PliantLayers *layers;
    must(pliant_layers_create(NULL, &layers));
    must(pliant_layers_capture_common(layers, world, dolphin, jelly, &view, NULL));
    PliantLayersInfo info = pliant_layers_info_default();
    must(pliant_layers_info(layers, &info));
    printf("layers    %" PRId64 " spans in %d x %d pixels, of %" PRId64 " fragments\n",
           info.span_count, (int)view.width, (int)view.height, info.fragment_count);

    int inside = count_inside(layers, &view.box);
    double size = 1;
    for (int k = 0; k < 3; k++)
        size *= (double)view.box.high[k] - view.box.low[k];
    printf("points    %d of %d are inside, which would be a volume of %.4f\n", inside, POINTS,
           size * inside / POINTS);
    pliant_layers_destroy(layers);
}

static void say_volume(const PliantVolume *common)
{
    const PliantBox *box = &common->box;
    printf("volume    %.6f, give or take %.6f\n", common->volume, common->error);
    printf("centroid  %.4f %.4f %.4f\n", common->centroid[0], common->centroid[1],
           common->centroid[2]);
    printf("box       %.4f %.4f %.4f to %.4f %.4f %.4f\n", box->low[0], box->low[1], box->low[2],
           box->high[0], box->high[1], box->high[2]);
    printf("seen in   %d x %d pixels, along %c\n", (int)common->view.width,
           (int)common->view.height, "xyz"[common->view.axis]);
}

/* ---- Layers -------------------------------------------------------------------------------- */

enum { WIDTH = 960, HEIGHT = 600, SAMPLES = 3, COMMON = BODIES };

static const PainterView seen = {0.42, 0.32, 375, 0.51 * WIDTH, 0.45 * HEIGHT};

/* A pixel of the picture is SAMPLES times SAMPLES of the view. */
static void take(const Stage *stage, PliantLayers *layers[BODIES + 1])
{
    const PliantBox box = {
        {(float)(-seen.x / seen.scale), (float)((seen.y - HEIGHT) / seen.scale), -3},
        {(float)((WIDTH - seen.x) / seen.scale), (float)(seen.y / seen.scale), 3}};
    const PliantView view = {box, PLIANT_AXIS_Z, SAMPLES * WIDTH, SAMPLES * HEIGHT};
    PliantBody dolphin = stage->bodies[DOLPHIN], jelly = stage->bodies[JELLY];
    for (int i = 0; i <= COMMON; i++)
        must(pliant_layers_create(NULL, &layers[i]));
    must(pliant_layers_capture(layers[DOLPHIN], stage->world, dolphin, &view, NULL));
    must(pliant_layers_capture(layers[JELLY], stage->world, jelly, &view, NULL));
    must(pliant_layers_capture_common(layers[COMMON], stage->world, dolphin, jelly, &view, NULL));
}

/* The spans of a pixel. Their ends are where its line intersects the surface, from the farthest to
 * the nearest, so that odd ones face the viewer. */
typedef struct Column {
    const PliantSpan *spans;
    int32_t end_count;
} Column;

static Column column_at(const PliantLayers *layers, int32_t i, int32_t j)
{
    int32_t span_count;
    const PliantSpan *spans = pliant_layers_spans(layers, i, j, &span_count);
    Column column = {spans, 2 * span_count};
    return column;
}

static double depth_of(const Column *column, int32_t end)
{
    const PliantSpan *span = &column->spans[end / 2];
    return end % 2 ? span->high : span->low;
}

/* A place on a surface that the viewer sees. */
typedef struct Place {
    int32_t i, j;
    double depth;
    bool is_front;
} Place;

/* ---- Light --------------------------------------------------------------------------------- */

/* How far the surface rises from a place to a pixel near it; NAN if it does not go on there, or is
 * too steep to tell. */
static double rise_to(const PliantLayers *layers, const Place *index, int32_t i, int32_t j)
{
    const Column column = column_at(layers, i, j);
    double nearest = NAN, most = 12 / seen.scale;
    for (int32_t end = index->is_front; end < column.end_count; end += 2) {
        double rise = depth_of(&column, end) - index->depth;
        if (fabs(rise) < most) {
            nearest = rise;
            most = fabs(rise);
        }
    }
    return nearest;
}

/* The normal, of length 1, by what is left and right, below and above. At a rim, one of two will
 * do. */
static void find_normal(const PliantLayers *layers, const Place *index, double normal[3])
{
    double square = 1;
    for (int axis = 0; axis < 2; axis++) {
        const int32_t di = axis ? 0 : SAMPLES, dj = axis ? SAMPLES : 0;
        double before = -rise_to(layers, index, index->i - di, index->j - dj);
        double after = rise_to(layers, index, index->i + di, index->j + dj);
        double rise = isnan(before) ? after : isnan(after) ? before : 0.5 * (before + after);
        normal[axis] = isnan(rise) ? 0 : -rise * seen.scale;
        square += normal[axis] * normal[axis];
    }
    normal[2] = 1;
    for (int k = 0; k < 3; k++)
        normal[k] /= sqrt(square);
}

/* What bodies are made of. */
typedef struct Matter {
    double color[3];
    double across, along; /* alpha of the skin where one looks across it, and where along */
    double inside;        /* how dense it is, for a way of 1 */
    double shade, shine;
} Matter;

static const Matter matters[BODIES + 1] = {
    {{242, 192, 98}, 0.8, 0.95, 8, 0.85, 0.2},   /* DOLPHIN */
    {{100, 165, 235}, 0.07, 0.9, 0.3, 0.5, 0.3}, /* JELLY */
    {{242, 30, 30}, 1, 1, 0, 0.75, 0.3},         /* COMMON */
};

/* Puts more behind what is there: red, green and blue times alpha, and alpha. */
static void put(double pixel[4], const double color[3], double alpha)
{
    double part = (1 - pixel[3]) * alpha;
    for (int k = 0; k < 3; k++)
        pixel[k] += part * color[k];
    pixel[3] += part;
}

static void put_surface(double pixel[4], PliantLayers *const *layers, int which, const Place *index)
{
    const Matter *matter = &matters[which];
    double normal[3], color[3];
    find_normal(layers[which], index, normal);
    double light = 1 - matter->shade * (1 - painter_light(normal));
    double mirrored = (0.35 * -normal[0] + 0.45 * normal[1] + normal[2]) / 1.1511;
    double shine = mirrored > 0 ? matter->shine * pow(mirrored, 100) : 0;
    for (int k = 0; k < 3; k++)
        color[k] = matter->color[k] * light * (1 - shine) + 255 * shine;
    double rim = 1 - normal[2];
    double alpha = matter->across + (matter->along - matter->across) * rim * rim * rim;
    if (!index->is_front)
        alpha *= 0.5;
    put(pixel, color, alpha + shine * (1 - alpha));
}

/* ---- The picture --------------------------------------------------------------------------- */

/* The nearest end that is left of a body, before the red: whose it is, or COMMON if there is
 * none. */
static int nearest_end(const Column columns[BODIES + 1], double *depth)
{
    int32_t red_count = columns[COMMON].end_count;
    int nearest = COMMON;
    *depth = red_count ? depth_of(&columns[COMMON], red_count - 1) : -INFINITY;
    for (int body = 0; body < BODIES; body++) {
        int32_t count = columns[body].end_count;
        if (count && depth_of(&columns[body], count - 1) > *depth) {
            nearest = body;
            *depth = depth_of(&columns[body], count - 1);
        }
    }
    return nearest;
}

/* Goes down a line, from one end to the next, until it comes to something red. */
static void look(PliantLayers *const *layers, int32_t i, int32_t j, double pixel[4])
{
    Column columns[BODIES + 1];
    for (int which = 0; which <= COMMON; which++)
        columns[which] = column_at(layers[which], i, j);
    for (Place index = {i, j, 0, true};;) {
        double depth;
        int nearest = nearest_end(columns, &depth);
        for (int body = 0; body < BODIES; body++)
            if (columns[body].end_count % 2) /* inside */
                put(pixel, matters[body].color,
                    1 - exp(matters[body].inside * (depth - index.depth)));
        if (!columns[nearest].end_count)
            break;
        index.depth = depth;
        index.is_front = --columns[nearest].end_count % 2;
        put_surface(pixel, layers, nearest, &index);
        if (nearest == COMMON)
            break;
    }
}

static void draw_pixel(PliantLayers *const *layers, int x, int y, unsigned char rgba[4])
{
    double sum[4] = {0, 0, 0, 0};
    for (int32_t sample = 0; sample < SAMPLES * SAMPLES; sample++) {
        double pixel[4] = {0, 0, 0, 0};
        look(layers, SAMPLES * x + sample % SAMPLES, SAMPLES * (HEIGHT - 1 - y) + sample / SAMPLES,
             pixel);
        for (int k = 0; k < 4; k++)
            sum[k] += pixel[k];
    }
    for (int k = 0; k < 3 && sum[3] > 0; k++)
        rgba[k] = (unsigned char)(sum[k] / sum[3]);
    rgba[3] = (unsigned char)(255 * sum[3] / (SAMPLES * SAMPLES));
}

static void draw(const Stage *stage, const char *path)
{
    PliantLayers *layers[BODIES + 1];
    turn_both(stage, &seen);
    take(stage, layers);
    unsigned char *pixels = (unsigned char *)scene_allocate((size_t)WIDTH * HEIGHT, 4);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            draw_pixel(layers, x, y, pixels + (size_t)4 * ((size_t)y * WIDTH + (size_t)x));
    if (!painter_write(path, WIDTH, HEIGHT, pixels)) {
        fprintf(stderr, "volume: %s cannot be written\n", path);
        exit(1);
    }
    free(pixels);
    for (int i = 0; i <= COMMON; i++)
        pliant_layers_destroy(layers[i]);
}

int main(int argc, char **argv)
{
    Stage stage;
    must(pliant_world_create(NULL, &stage.world));
    PliantBody dolphin = add_dolphin(stage.world), jelly = add_jelly(stage.world);
    stage.bodies[DOLPHIN] = dolphin;
    stage.bodies[JELLY] = jelly;
    const PainterView straight = {0, 0, 0, 0, 0};
    turn_both(&stage, &straight);

    PliantVolume common = volume_in_common(stage.world, dolphin, jelly);
    say_volume(&common);
    say_points(stage.world, dolphin, jelly);
    if (argc > 1)
        draw(&stage, argv[1]);
    pliant_world_destroy(stage.world);
    return 0;
}
