/* The error against bodies that are in step with the pixels: arrays, combs, gratings, plates.
 *
 * Equal objects are repeated with a pitch near a simple multiple of the size of a pixel. All lines
 * then cross all objects at nearly the same place, and samples agree with each other, but not with
 * the truth. The truth is the sum of the volumes of the objects, or of what pairs of objects have
 * in common. Two small tetrahedra in opposite corners of the box fix the view, and with it the size
 * of pixels and the phase of the array. */
#include "volumes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X(name, what it is). */
#define SCENES(X)                                                                                  \
    X(array, "objects in rows and columns")                                                        \
    X(comb, "teeth on a bar, or rows of them on a plate")                                          \
    X(grating, "bars side by side, along the axes or turned")                                      \
    X(plates, "thin plates that face the lines, go along them, or lean")                           \
    X(stack, "objects in rows, columns and layers")                                                \
    X(needles, "objects much smaller than a pixel, and long")                                      \
    X(beside, "a large round body, and an array beside it")                                        \
    X(double, "an array of objects that overlap each other by twos")                               \
    X(slab, "an array, and a large body around it or through it")                                  \
    X(facing, "an array, and one of the same pitch")                                               \
    X(crossed, "an array, and one of another pitch or turned another way")

typedef enum SceneClass {
#define SCENE_ENUM(name, text) SCENE_##name,
    SCENES(SCENE_ENUM)
#undef SCENE_ENUM
        SCENE_COUNT
} SceneClass;

static const char *const scene_names[] = {
#define SCENE_NAME(name, text) #name,
    SCENES(SCENE_NAME)
#undef SCENE_NAME
};

enum { MAX_OBJECTS = 1500 };

/* A body made of objects, of which only those of odd groups overlap the one before. */
typedef struct Objects {
    SceneMesh items[MAX_OBJECTS];
    int count;
} Objects;

typedef struct Scene {
    SceneClass scene_class;
    int32_t resolution;
    double depth;        /* of the box; across it has as many units as there are pixels */
    double pitch;        /* in pixels */
    double turn[3][3];   /* of the array about the axis */
    double phase[2];     /* of the array, in pixels */
    double scale, at[3]; /* of all */
    int axis;            /* that the box was made for */
    bool is_in_step;     /* exactly, and objects are large, without walls */
    bool is_pair;
    Objects *bodies[2];
    PliantVolumeDef def;
    double truth;
} Scene;

static const double NOWHERE[3] = {0, 0, 0};

static double one_of(SceneRandom *random, const double *values, uint32_t count)
{
    return values[scene_random_below(random, count)];
}

/* ---- Objects -----------------------------------------------------------------------------------
 */

/* In a cube of side 1 around the origin. */
static SceneMesh make_object(const Scene *scene, SceneRandom *random)
{
    static const float low[3] = {-0.5f, -0.5f, -0.5f}, high[3] = {0.5f, 0.5f, 0.5f};
    SceneMesh mesh;
    double rows[3][3];
    switch (scene_random_below(random, scene->is_in_step ? 4 : 7) + scene->is_in_step) {
    case 0:
        return solid_box(low, high);
    case 1:
        mesh = scene_sphere(SCENE_TETRAHEDRON, 0);
        break;
    case 2:
        mesh = scene_sphere(SCENE_OCTAHEDRON, 0);
        break;
    case 3:
        mesh = scene_icosphere(0);
        break;
    case 4:
        mesh = scene_icosphere(1);
        break;
    case 5: /* its sides are steep */
        mesh = solid_box(low, high);
        const float top = (float)volumes_any(random, 0.3, 0.95);
        for (int32_t v = 0; v < mesh.vertex_count; v++)
            for (int k = 0; k < 2 && mesh.vertices[3 * v + 2] > 0; k++)
                mesh.vertices[3 * v + k] *= top;
        return mesh;
    default:
        mesh = solid_box(low, high);
        solid_random_rotation(random, rows);
        scene_mesh_move(&mesh, rows, NOWHERE);
        break;
    }
    double size = 0;
    for (int32_t i = 0; i < 3 * mesh.vertex_count; i++)
        size = fmax(size, fabs((double)mesh.vertices[i]));
    solid_place(&mesh, 0.5 / size, NOWHERE);
    return mesh;
}

static SceneMesh copy_mesh(const SceneMesh *mesh)
{
    SceneMesh copy = *mesh;
    copy.vertices = scene_allocate(3 * (size_t)mesh->vertex_count, sizeof(float));
    copy.triangles = scene_allocate(3 * (size_t)mesh->triangle_count, sizeof(uint32_t));
    memcpy(copy.vertices, mesh->vertices, 3 * (size_t)mesh->vertex_count * sizeof(float));
    memcpy(copy.triangles, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof(uint32_t));
    return copy;
}

static void stretch(SceneMesh *mesh, const double sizes[3])
{
    for (int32_t i = 0; i < 3 * mesh->vertex_count; i++)
        mesh->vertices[i] = (float)(mesh->vertices[i] * sizes[i % 3]);
}

static void add_object(Objects *objects, SceneMesh mesh)
{
    if (objects->count < MAX_OBJECTS)
        objects->items[objects->count++] = mesh;
    else
        scene_mesh_free(&mesh);
}

static void free_objects(Objects *objects)
{
    for (int i = 0; i < objects->count; i++)
        scene_mesh_free(&objects->items[i]);
    free(objects);
}

static bool is_in_box(const Scene *scene, const SceneMesh *mesh)
{
    const double sizes[3] = {scene->resolution, scene->resolution, scene->depth};
    for (int32_t i = 0; i < 3 * mesh->vertex_count; i++)
        if (mesh->vertices[i] < 0 || (double)mesh->vertices[i] > sizes[i % 3])
            return false;
    return true;
}

/* ---- Arrays ------------------------------------------------------------------------------------
 */

/* How an object is repeated. */
typedef struct Pattern {
    double pitches[2]; /* 0: once, in the middle */
    double phase[2];
    double turn[3][3];
    double low, high; /* where its middle may be along the axis */
    int layers;
} Pattern;

static void add_array(const Scene *scene, Objects *to, const SceneMesh *object,
                      const Pattern *pattern)
{
    const double size = scene->resolution;
    int ends[2];
    for (int k = 0; k < 2; k++)
        ends[k] = pattern->pitches[k] > 0 ? (int)(1.5 * size / pattern->pitches[k]) + 1 : 0;
    for (int layer = 0; layer < pattern->layers; layer++)
        for (int i = -ends[0]; i <= ends[0]; i++)
            for (int j = -ends[1]; j <= ends[1]; j++) {
                SceneMesh mesh = copy_mesh(object);
                const double x = i * pattern->pitches[0], y = j * pattern->pitches[1];
                double position[3], rows[3][3];
                memcpy(rows, pattern->turn, sizeof rows);
                for (int k = 0; k < 2; k++)
                    position[k] = size / 2 + pattern->phase[k] + rows[k][0] * x + rows[k][1] * y;
                position[2] = pattern->layers == 1
                                  ? (pattern->low + pattern->high) / 2
                                  : pattern->low + (pattern->high - pattern->low) * (layer + 0.5) /
                                                       pattern->layers;
                scene_mesh_move(&mesh, rows, position);
                if (is_in_box(scene, &mesh))
                    add_object(to, mesh);
                else
                    scene_mesh_free(&mesh);
            }
}

static Pattern pattern_of(const Scene *scene)
{
    Pattern pattern = {.pitches = {scene->pitch, scene->pitch},
                       .phase = {scene->phase[0], scene->phase[1]},
                       .high = scene->depth,
                       .layers = 1};
    memcpy(pattern.turn, scene->turn, sizeof pattern.turn);
    return pattern;
}

/* What an object may be as wide as: it touches no other. */
static double any_width(const Scene *scene, SceneRandom *random)
{
    if (scene->is_in_step)
        return scene->pitch * volumes_any(random, 0.6, 0.98);
    return scene->pitch * (scene_random_below(random, 4)
                               ? volumes_any(random, 0.1, 0.98)
                               : one_of(random, (double[]){0.25, 0.5, 0.75}, 3));
}

static void make_array(Scene *scene, SceneRandom *random, Objects *to, double width)
{
    const Pattern pattern = pattern_of(scene);
    SceneMesh object = make_object(scene, random);
    const double other = scene_random_below(random, 3) ? width : any_width(scene, random);
    stretch(&object, (double[]){width, other, scene->depth * volumes_any(random, 0.3, 0.99)});
    add_array(scene, to, &object, &pattern);
    scene_mesh_free(&object);
}

static SceneMesh bar(const double low[3], const double high[3])
{
    float ends[2][3];
    for (int k = 0; k < 3; k++) {
        ends[0][k] = (float)low[k];
        ends[1][k] = (float)high[k];
    }
    return solid_box(ends[0], ends[1]);
}

/* Teeth that stand on a plate, or on a bar at one side. Their faces touch: that is no overlap. */
static void make_comb(Scene *scene, SceneRandom *random, Objects *to)
{
    const double size = scene->resolution, middle = 0.5 * scene->depth;
    const bool is_plate = scene_random_below(random, 2);
    Pattern pattern = pattern_of(scene);
    memcpy(pattern.turn, (double[3][3]){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, sizeof pattern.turn);
    SceneMesh tooth = make_object(scene, random);
    const double width = any_width(scene, random);
    if (is_plate) {
        const double thickness = 0.25 * middle;
        add_object(to, bar((double[]){0.3, 0.3, 0}, (double[]){size - 0.3, size - 0.3, thickness}));
        stretch(&tooth, (double[]){width, width, scene->depth - thickness});
        pattern.low = thickness * 1.001;
    } else {
        const double length = volumes_any(random, 0.3, 0.8) * size;
        add_object(to, bar((double[]){0.3, 0.3, 0.1 * middle},
                           (double[]){size - 0.3, 0.15 * size, 1.9 * middle}));
        stretch(&tooth, (double[]){width, length, 1.7 * middle});
        pattern.pitches[1] = 0;
        pattern.phase[1] = 0.15 * size + 0.501 * length - 0.5 * size;
    }
    add_array(scene, to, &tooth, &pattern);
    scene_mesh_free(&tooth);
}

static void make_grating(Scene *scene, SceneRandom *random, Objects *to)
{
    Pattern pattern = pattern_of(scene);
    SceneMesh object = make_object(scene, random);
    const bool is_turned = scene->turn[0][0] != 1;
    pattern.pitches[1] = 0;
    stretch(&object,
            (double[]){any_width(scene, random), (is_turned ? 0.4 : 0.9) * scene->resolution,
                       scene->depth * volumes_any(random, 0.2, 0.95)});
    add_array(scene, to, &object, &pattern);
    scene_mesh_free(&object);
}

static void make_plates(Scene *scene, SceneRandom *random, Objects *to)
{
    Pattern pattern = pattern_of(scene);
    SceneMesh object = bar((double[]){-0.5, -0.5, -0.5}, (double[]){0.5, 0.5, 0.5});
    const uint32_t kind = scene_random_below(random, 3);
    const double thickness = volumes_any(random, 0.02, 0.4);
    pattern.pitches[1] = 0;
    if (kind == 0) { /* they face the lines */
        stretch(&object, (double[]){any_width(scene, random), 0.5 * scene->resolution,
                                    thickness * scene->depth});
    } else {
        stretch(&object,
                (double[]){thickness * scene->pitch, 0.5 * scene->resolution, 0.9 * scene->depth});
        const double lean = kind == 1 ? 0 : volumes_any(random, -0.5, 0.5) * scene->pitch;
        for (int32_t v = 0; v < object.vertex_count; v++)
            object.vertices[3 * v] += object.vertices[3 * v + 2] > 0 ? (float)lean : 0;
    }
    add_array(scene, to, &object, &pattern);
    scene_mesh_free(&object);
}

static void make_stack(Scene *scene, SceneRandom *random, Objects *to)
{
    Pattern pattern = pattern_of(scene);
    SceneMesh object = make_object(scene, random);
    const double width = any_width(scene, random);
    pattern.layers = 2 + (int)scene_random_below(random, 3);
    stretch(&object, (double[]){width, width, 0.9 * scene->depth / pattern.layers});
    add_array(scene, to, &object, &pattern);
    scene_mesh_free(&object);
}

static void make_needles(Scene *scene, SceneRandom *random, Objects *to)
{
    make_array(scene, random, to, scene->pitch * pow(10, volumes_any(random, -2.5, -0.7)));
}

/* All objects are in the left part then. */
static void make_beside(Scene *scene, SceneRandom *random, Objects *to)
{
    const double size = scene->resolution;
    make_array(scene, random, to, any_width(scene, random));
    int kept = 0;
    for (int i = 0; i < to->count; i++) {
        bool is_left = true;
        for (int32_t v = 0; v < to->items[i].vertex_count; v++)
            is_left &= (double)to->items[i].vertices[3 * v] < 0.4 * size;
        if (is_left)
            to->items[kept++] = to->items[i];
        else
            scene_mesh_free(&to->items[i]);
    }
    to->count = kept;
    SceneMesh round = scene_icosphere(3);
    double rows[3][3];
    solid_random_rotation(random, rows);
    scene_mesh_move(&round, rows, NOWHERE);
    stretch(&round, (double[]){0.28 * size, 0.45 * size, 0.48 * scene->depth});
    solid_place(&round, 1, (double[]){0.7 * size, 0.5 * size, 0.5 * scene->depth});
    add_object(to, round);
}

/* Two objects, of which the second reaches into the first. */
static void make_double(Scene *scene, SceneRandom *random, Objects *to)
{
    const double width = 0.6 * any_width(scene, random), high = 0.8 * scene->depth;
    const Pattern pattern = pattern_of(scene);
    SceneMesh first = make_object(scene, random), second = make_object(scene, random);
    stretch(&first, (double[]){width, width, high});
    stretch(&second, (double[]){width, width, high});
    solid_place(&first, 1, (double[]){-0.3 * width, 0, 0});
    solid_place(&second, 1, (double[]){0.3 * width, 0.1 * width, 0});
    Objects *seconds = scene_allocate(1, sizeof *seconds);
    add_array(scene, to, &first, &pattern);
    add_array(scene, seconds, &second, &pattern);
    const int first_count = to->count;
    for (int i = 0; i < seconds->count; i++)
        add_object(to, seconds->items[i]);
    for (int i = 0; i < first_count; i++)
        for (int j = first_count; j < to->count; j++)
            if (fabsf(to->items[i].vertices[0] - to->items[j].vertices[0]) < 3 * scene->pitch &&
                fabsf(to->items[i].vertices[1] - to->items[j].vertices[1]) < 3 * scene->pitch)
                scene->truth -= solid_common_volume(&to->items[i], &to->items[j]);
    free(seconds);
    scene_mesh_free(&first);
    scene_mesh_free(&second);
}

/* A body that is as large as the box, more or less, and has no walls. */
static void make_large(Scene *scene, SceneRandom *random, Objects *to)
{
    const double size = scene->resolution;
    SceneMesh large =
        scene_random_below(random, 2) ? scene_icosphere(2) : make_object(scene, random);
    double rows[3][3], sizes[3] = {1, 1, 1};
    solid_random_rotation(random, rows);
    scene_mesh_move(&large, rows, NOWHERE);
    double most[3] = {0};
    for (int32_t i = 0; i < 3 * large.vertex_count; i++)
        most[i % 3] = fmax(most[i % 3], fabs((double)large.vertices[i]));
    for (int k = 0; k < 3; k++)
        sizes[k] = (k == 2 ? 0.5 * scene->depth : 0.5 * size) / most[k] * 0.999;
    stretch(&large, sizes);
    solid_place(&large, 1, (double[]){0.5 * size, 0.5 * size, 0.5 * scene->depth});
    add_object(to, large);
}

static void make_facing(Scene *scene, SceneRandom *random, Objects *to)
{
    for (int k = 0; k < 2; k++)
        scene->phase[k] += scene->pitch * volumes_any(random, -0.15, 0.15);
    make_array(scene, random, to, any_width(scene, random));
}

static void set_turn(Scene *scene, SceneRandom *random)
{
    static const double angles[] = {0, 0, 0, 0.7853981633974483, 0.4636476090008061, -1};
    double angle = one_of(random, angles, scene->is_in_step ? 3 : 6);
    angle = angle < 0 ? volumes_any(random, 0, 6.28) : angle;
    const double c = cos(angle), s = sin(angle);
    memcpy(scene->turn, (double[3][3]){{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, sizeof scene->turn);
}

/* Near a simple multiple of a pixel, or exactly that; turned by 45 degrees, a diagonal of it. */
static void set_pitch(Scene *scene, SceneRandom *random)
{
    static const double ratios[] = {0.5, 2.0 / 3, 1, 1, 4.0 / 3, 1.5, 2, 2, 2.5, 3, 3, 4, 5, 6, 8};
    static const double near[] = {0, 0, 0, 0.01, -0.01, 0.03, -0.03};
    scene->pitch =
        one_of(random, ratios, 15) * (1 + one_of(random, near, scene->is_in_step ? 3 : 7));
    if (fabs(scene->turn[0][0] - 0.7071) < 0.001 && scene_random_below(random, 2))
        scene->pitch *= 1.4142135623730951;
    if (fabs(scene->turn[0][0] - 0.8944) < 0.001 && scene_random_below(random, 2))
        scene->pitch *= 2.23606797749979;
    for (int k = 0; k < 2; k++)
        scene->phase[k] = scene_random_below(random, 3)
                              ? volumes_any(random, 0, 1)
                              : one_of(random, (double[]){0, 0.25, 0.5}, 3);
}

static void make_crossed(Scene *scene, SceneRandom *random, Objects *to)
{
    set_turn(scene, random);
    set_pitch(scene, random);
    make_array(scene, random, to, any_width(scene, random));
}

/* ---- Scenes ------------------------------------------------------------------------------------
 */

/* Makes a mesh face the other way. */
static void turn_round(SceneMesh *mesh)
{
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t first = mesh->triangles[3 * t];
        mesh->triangles[3 * t] = mesh->triangles[3 * t + 1];
        mesh->triangles[3 * t + 1] = first;
    }
}

/* In two corners of the box. */
static void add_marks(const Scene *scene, Objects *to)
{
    const double size = scene->resolution, little = 1e-3 * fmin(1, scene->depth);
    for (int end = 0; end < 2; end++) {
        SceneMesh mark = scene_sphere(SCENE_TETRAHEDRON, 0);
        const double from[3] = {size, size, scene->depth};
        for (int32_t v = 0; v < 4; v++)
            for (int k = 0; k < 3; k++) {
                const double side = v == k + 1 ? little : 0;
                mark.vertices[3 * v + k] = (float)(end ? from[k] - side : side);
            }
        if (solid_volume(&mark) < 0)
            turn_round(&mark);
        add_object(to, mark);
    }
}

static void find_box(const SceneMesh *mesh, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int32_t i = 0; i < 3 * mesh->vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], (double)mesh->vertices[i]);
        high[i % 3] = fmax(high[i % 3], (double)mesh->vertices[i]);
    }
}

static double common_truth(const Objects *a, const Objects *b)
{
    double sum = 0;
    double(*boxes)[2][3] = scene_allocate((size_t)b->count + 1, sizeof *boxes);
    for (int j = 0; j < b->count; j++)
        find_box(&b->items[j], boxes[j][0], boxes[j][1]);
    for (int i = 0; i < a->count; i++) {
        double low[3], high[3];
        find_box(&a->items[i], low, high);
        for (int j = 0; j < b->count; j++) {
            bool intersect = true;
            for (int k = 0; k < 3; k++)
                intersect &= low[k] < boxes[j][1][k] && boxes[j][0][k] < high[k];
            if (intersect)
                sum += solid_common_volume(&a->items[i], &b->items[j]);
        }
    }
    free(boxes);
    return sum;
}

/* The same with another axis up, in some size, somewhere. */
static void place_all(Scene *scene)
{
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < scene->bodies[b]->count; i++) {
            SceneMesh *mesh = &scene->bodies[b]->items[i];
            for (int32_t v = 0; v < mesh->vertex_count; v++) {
                const double p[3] = {(double)mesh->vertices[3 * v],
                                     (double)mesh->vertices[3 * v + 1],
                                     (double)mesh->vertices[3 * v + 2]};
                for (int k = 0; k < 3; k++)
                    mesh->vertices[3 * v + (scene->axis + 1 + k) % 3] =
                        (float)(scene->scale * p[k] + scene->at[k]);
            }
        }
}

typedef void SceneMaker(Scene *scene, SceneRandom *random, Objects *to);

static void make_any_array(Scene *scene, SceneRandom *random, Objects *to)
{
    make_array(scene, random, to, any_width(scene, random));
}

static void fill(Scene *scene, SceneRandom *random)
{
    static SceneMaker *const makers[] = {make_any_array, make_comb,      make_grating,  make_plates,
                                         make_stack,     make_needles,   make_beside,   make_double,
                                         make_any_array, make_any_array, make_any_array};
    static SceneMaker *const others[] = {make_large, make_facing, make_crossed};
    scene->is_pair = scene->scene_class >= SCENE_slab;
    for (int b = 0; b < 2; b++) {
        scene->bodies[b] = scene_allocate(1, sizeof(Objects));
        add_marks(scene, scene->bodies[b]);
    }
    makers[scene->scene_class](scene, random, scene->bodies[0]);
    if (scene->is_pair)
        others[scene->scene_class - SCENE_slab](scene, random, scene->bodies[1]);
    if (scene->is_pair)
        scene->truth = common_truth(scene->bodies[0], scene->bodies[1]);
    else
        for (int i = 0; i < scene->bodies[0]->count; i++)
            scene->truth += solid_volume(&scene->bodies[0]->items[i]);
    scene->truth *= scene->scale * scene->scale * scene->scale;
}

static Scene make_scene(const VolumeOptions *options, int64_t number)
{
    SceneRandom random = volumes_random(options, 6, number);
    Scene scene = {.scene_class = (SceneClass)(number % SCENE_COUNT)};
    scene.resolution = (int32_t)(8 * pow(2, 3 * scene_random(&random)));
    if (scene_random_below(&random, 8) == 0)
        scene.resolution *= 2;
    scene.is_in_step = scene_random_below(&random, 2);
    scene.depth = scene_random_below(&random, 2)
                      ? volumes_any(&random, 0.5, 4)
                      : volumes_any(&random, 0.1, 0.9) * scene.resolution;
    set_turn(&scene, &random);
    set_pitch(&scene, &random);
    scene.axis = (int)scene_random_below(&random, 3);
    scene.scale = pow(10, volumes_any(&random, -2, 2));
    for (int k = 0; k < 3; k++)
        scene.at[k] = scene.scale * volumes_any(&random, -2, 2) * scene.resolution;
    scene.def = pliant_volume_def_default();
    scene.def.resolution = scene.resolution;
    /* mostly as it was made for; sometimes across it, or all three */
    scene.def.axes = (PliantAxes)(PLIANT_AXES_X + scene.axis);
    if (!scene.is_in_step && scene_random_below(&random, 5) == 0)
        scene.def.axes = (PliantAxes)scene_random_below(&random, PLIANT_AXES_ALL + 1);
    fill(&scene, &random);
    place_all(&scene);
    return scene;
}

static SceneMesh join(const Objects *objects)
{
    int32_t vertex_count = 0, triangle_count = 0;
    for (int i = 0; i < objects->count; i++) {
        vertex_count += objects->items[i].vertex_count;
        triangle_count += objects->items[i].triangle_count;
    }
    SceneMesh mesh = {scene_allocate(3 * (size_t)vertex_count, sizeof(float)),
                      scene_allocate(3 * (size_t)triangle_count, sizeof(uint32_t)), 0, 0};
    for (int i = 0; i < objects->count; i++) {
        const SceneMesh *one = &objects->items[i];
        memcpy(mesh.vertices + 3 * mesh.vertex_count, one->vertices,
               3 * (size_t)one->vertex_count * sizeof(float));
        for (int32_t c = 0; c < 3 * one->triangle_count; c++)
            mesh.triangles[3 * mesh.triangle_count + c] =
                one->triangles[c] + (uint32_t)mesh.vertex_count;
        mesh.vertex_count += one->vertex_count;
        mesh.triangle_count += one->triangle_count;
    }
    return mesh;
}

static PliantVolume measure(const Scene *scene, int64_t number)
{
    PliantVolume volume = pliant_volume_default();
    PliantWorld *world = volumes_world(PLIANT_CPU_ALL);
    PliantBody bodies[2];
    for (int b = 0; b < 2; b++) {
        SceneMesh mesh = join(scene->bodies[b]);
        bodies[b] = volumes_body(world, &mesh, (number / SCENE_COUNT + b) % 5 == 0);
        scene_mesh_free(&mesh);
    }
    volumes_must(scene->is_pair
                     ? pliant_bodies_volume(world, bodies[0], bodies[1], &scene->def, &volume)
                     : pliant_body_volume(world, bodies[0], &scene->def, &volume),
                 "volume");
    volumes_must(volume.is_closed ? PLIANT_OK : PLIANT_BAD_DATA, "a closed surface");
    pliant_world_destroy(world);
    return volume;
}

/* ---- Figures -----------------------------------------------------------------------------------
 */

/* Of one scene: how often the error the stated one is, and what that is beside the volume. */
typedef struct Margin {
    double times, share;
    bool is_wrong;
} Margin;

static void show_scene(const VolumeOptions *options, int64_t number, const Scene *scene,
                       const PliantVolume *volume)
{
    printf("seed %" PRIu64 " scene %" PRId64 " (%s), %d pixels along %d, made for %d, pitch %.4g, "
           "%d and %d objects: %.6g, is %.6g, off by %.3g, error stated %.3g\n",
           options->seed, number, scene_names[scene->scene_class], scene->resolution,
           (int)volume->view.axis, scene->axis, scene->pitch, scene->bodies[0]->count,
           scene->bodies[1]->count, volume->volume, scene->truth,
           fabs(volume->volume - scene->truth), volume->error);
}

static Margin check_scene(const VolumeOptions *options, int64_t number)
{
    Scene scene = make_scene(options, number);
    const PliantVolume volume = measure(&scene, number);
    /* Vertices were rounded once more after the truth was taken. */
    const double box = pow(scene.scale, 3) * scene.resolution * scene.resolution * scene.depth;
    const double off = fmax(fabs(volume.volume - scene.truth) - 2e-6 * box, 0);
    const Margin margin = {off > 0 ? volume.error / off : INFINITY,
                           scene.truth > 0 ? volume.error / scene.truth : INFINITY,
                           !(volume.error >= off)};
    if (margin.is_wrong || options->pose >= 0)
        show_scene(options, number, &scene, &volume);
    for (int b = 0; b < 2; b++)
        free_objects(scene.bodies[b]);
    return margin;
}

static int compare(const void *p, const void *q)
{
    const double x = *(const double *)p, y = *(const double *)q;
    return (x > y) - (x < y);
}

static void print_class(const char *name, const Margin *margins, int64_t count, int which)
{
    double *times = scene_allocate((size_t)count + 1, sizeof *times);
    double *shares = scene_allocate((size_t)count + 1, sizeof *shares);
    int64_t here = 0, wrong = 0;
    for (int64_t i = 0; i < count; i++) {
        if (which >= 0 && i % SCENE_COUNT != which)
            continue;
        times[here] = margins[i].times;
        shares[here++] = margins[i].share;
        wrong += margins[i].is_wrong;
    }
    qsort(times, (size_t)here, sizeof *times, compare);
    qsort(shares, (size_t)here, sizeof *shares, compare);
    if (here > 0)
        printf("%-10s %7" PRId64 " %7" PRId64 " %8.3f %8.3f %8.2f %8.2f %11.5f\n", name, here,
               wrong, times[0], times[here / 100], times[here / 10], times[here / 2],
               shares[here / 2]);
    free(times);
    free(shares);
}

/* ---- Squares of objects ------------------------------------------------------------------------
 */

/* A body that holds all others. */
static SceneMesh make_around(int n)
{
    SceneMesh mesh = scene_icosphere(0);
    solid_place(&mesh, 3.0 * n, (double[]){0.5 * n, 0.5 * n, 0});
    return mesh;
}

/* One of n x n objects, of a width in pitches of 1, in a view of all of it: by itself, and in
 * common with a body around it. How often is the error too small? */
static int check_square(const SceneMesh *object, int n, int32_t resolution, double width)
{
    Objects *objects = scene_allocate(1, sizeof *objects);
    double truth = 0;
    for (int i = 0; i < n * n; i++) {
        SceneMesh mesh = copy_mesh(object);
        const int column = i % n, row = i / n;
        solid_place(&mesh, width, (double[]){column, row, 0});
        truth += solid_volume(&mesh);
        add_object(objects, mesh);
    }
    SceneMesh meshes[2] = {join(objects), make_around(n)};
    PliantWorld *world = volumes_world(PLIANT_CPU_ALL);
    const PliantBody body = volumes_body(world, &meshes[0], false);
    const PliantBody others[2] = {body, volumes_body(world, &meshes[1], false)};
    PliantVolumeDef def = pliant_volume_def_default();
    def.resolution = resolution;
    def.axes = PLIANT_AXES_Z;
    int wrong = 0;
    for (int i = 0; i < 2; i++) {
        PliantVolume volume = pliant_volume_default();
        volumes_must(pliant_bodies_volume(world, body, others[i], &def, &volume), "volume");
        volumes_must(volume.is_closed ? PLIANT_OK : PLIANT_BAD_DATA, "a closed surface");
        const double off = fabs(volume.volume - truth);
        if (volume.error >= off)
            continue;
        wrong++;
        printf("%d x %d objects of %d triangles, width %.3g, at %d pixels%s: %.6g, is %.6g, off by "
               "%.3g, error stated %.3g\n",
               n, n, object->triangle_count, width, resolution, i ? ", in another body" : "",
               volume.volume, truth, off, volume.error);
    }
    pliant_world_destroy(world);
    for (int i = 0; i < 2; i++)
        scene_mesh_free(&meshes[i]);
    free_objects(objects);
    return wrong;
}

/* One sphere in nine tiles: what triangles say is counted once, and the error is small. */
static bool check_tiles(void)
{
    SceneMesh mesh = scene_icosphere(3);
    PliantWorld *world = volumes_world(PLIANT_CPU_ALL);
    const PliantBody body = volumes_body(world, &mesh, false);
    PliantVolumeDef def = pliant_volume_def_default();
    def.resolution = 300;
    PliantVolume volume = pliant_volume_default();
    volumes_must(pliant_body_volume(world, body, &def, &volume), "volume");
    volumes_must(volume.is_closed ? PLIANT_OK : PLIANT_BAD_DATA, "a closed surface");
    const bool is_right = volume.error < 0.005 * solid_volume(&mesh);
    if (!is_right)
        printf("a sphere at 300 pixels: error stated %.3g of %.6g\n", volume.error, volume.volume);
    pliant_world_destroy(world);
    scene_mesh_free(&mesh);
    return is_right;
}

int64_t check_squares(const VolumeOptions *options)
{
    (void)options; /* there is nothing random in it */
    static const int counts[] = {2, 3, 6, 8, 12, 16, 20};
    static const double pixels[] = {0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6};
    static const double widths[] = {0.5, 0.6, 0.7, 0.8, 0.9, 1};
    int64_t scene_count = 0, failure_count = !check_tiles();
    for (int kind = 0; kind < 4; kind++) {
        SceneMesh object = kind == 0   ? scene_sphere(SCENE_TETRAHEDRON, 0)
                           : kind == 1 ? scene_sphere(SCENE_OCTAHEDRON, 0)
                           : kind == 2 ? scene_icosphere(1)
                                       : scene_icosphere(2);
        solid_place(&object, 0.5, NOWHERE);
        for (int n = 0; n < 7; n++)
            for (int m = 0; m < 11; m++)
                for (int w = 0; w < 6; w++, scene_count++)
                    failure_count += check_square(&object, counts[n],
                                                  (int32_t)(counts[n] * pixels[m]), widths[w]);
        scene_mesh_free(&object);
    }
    printf("squares of objects: 2 x %" PRId64 ", %" PRId64 " wrong\n", scene_count, failure_count);
    return failure_count;
}

int64_t check_arrays(const VolumeOptions *options)
{
    if (options->pose >= 0)
        return check_scene(options, options->pose).is_wrong;
    int64_t failure_count = 0;
    Margin *margins = scene_allocate((size_t)options->poses, sizeof *margins);
    for (int64_t i = 0; i < options->poses; i++) {
        margins[i] = check_scene(options, i);
        failure_count += margins[i].is_wrong;
    }
    printf("how often the true error the stated one is, and what it is beside the volume:\n");
    printf("%-10s %7s %7s %8s %8s %8s %8s %11s\n", "class", "scenes", "wrong", "least", "1 %",
           "10 %", "median", "of volume");
    for (int i = 0; i < SCENE_COUNT; i++)
        print_class(scene_names[i], margins, options->poses, i);
    print_class("all scenes", margins, options->poses, -1);
    free(margins);
    return failure_count;
}
