/* The OpenGL backend: made and refused, layers against those of the processor, layers without end,
 * surfaces that are not closed, the caller's context, memory. Random poses are in test_gl_agree.c.
 */
#include "compare.h"
#include "refuse.h"
#include "subjects.h"
#include "test_layers.h"
#include "unheard.h"
#include "unit.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KINDS = 2 };

static const PliantGlKind kinds[KINDS] = {PLIANT_GL_LISTS, PLIANT_GL_STENCIL};

typedef struct Stand {
    TestHost host;
    PliantGl *gls[KINDS];
    PliantLayers *cpu, *gpu;
    Subjects subjects;
} Stand;

static PliantGl *make_gl(PliantGlKind kind, const PliantHost *host)
{
    PliantGlDef def = pliant_gl_def_default();
    def.kind = kind;
    def.host = host;
    PliantGl *gl = NULL;
    MUST(pliant_gl_create_headless(&def, &gl));
    return gl;
}

static int set_up(void **state)
{
    Stand *b = calloc(1, sizeof *b);
    assert_non_null(b);
    test_host_init(&b->host);
    for (int i = 0; i < KINDS; i++)
        b->gls[i] = make_gl(kinds[i], &b->host.host);
    MUST(test_layers_create(&b->host.host, &b->cpu));
    MUST(test_layers_create(&b->host.host, &b->gpu));
    subjects_init(&b->subjects);
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    Stand *b = *state;
    for (int i = 0; i < KINDS; i++)
        pliant_gl_destroy(b->gls[i]);
    pliant_layers_destroy(b->cpu);
    pliant_layers_destroy(b->gpu);
    subjects_free(&b->subjects);
    assert_int_equal(b->host.blocks, 0);
    free(b);
    return 0;
}

static void assert_near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.17g, not %.17g", value, wanted);
}

/* A body of a mesh, in the subjects' world. */
static PliantBody add_mesh(Stand *b, const SceneMesh *mesh)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    PliantShape *shape;
    PliantBody body;
    MUST(pliant_shape_create(&def, &shape));
    MUST(pliant_body_create(b->subjects.world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

static PliantView view_of(Stand *b, PliantBody body, PliantAxis axis, int32_t width, int32_t height)
{
    PliantView view;
    MUST(pliant_body_view(b->subjects.world, body, 1, &view));
    view.axis = axis;
    view.width = width;
    view.height = height;
    return view;
}

/* ---- Made and refused --------------------------------------------------------------------------
 */

static void test_defs(void **state)
{
    Stand *b = *state;
    PliantGlDef def = pliant_gl_def_default();
    PliantGl *gl = NULL;
    assert_int_equal(def.struct_size, sizeof def);
    assert_int_equal(def.kind, PLIANT_GL_AUTO);
    def.host = &b->host.host;
    REFUSE(b->host, pliant_gl_create_headless(&def, NULL), PLIANT_BAD_ARGUMENT, "gl is NULL");
    def.kind = (PliantGlKind)3;
    REFUSE(b->host, pliant_gl_create_headless(&def, &gl), PLIANT_BAD_ARGUMENT, "def.kind is 3");
    PliantHost half = b->host.host;
    half.release = NULL;
    def = pliant_gl_def_default();
    def.host = &half;
    REFUSE(b->host, pliant_gl_create_headless(&def, &gl), PLIANT_BAD_ARGUMENT,
           "host.allocate and host.release");
    def.host = NULL;
    assert_int_equal(pliant_gl_create(&def, &gl), PLIANT_UNSUPPORTED); /* no context is current */
    assert_null(gl);
    pliant_gl_destroy(NULL);
    MUST(pliant_gl_create_headless(NULL, &gl));
    assert_int_equal(compare_gl_info(gl).kind, PLIANT_GL_LISTS); /* it has all that they take */
    assert_true(compare_gl_info(gl).subpixel_bits >= 4);
    pliant_gl_destroy(gl);
}

static void test_refusals(void **state)
{
    Stand *b = *state;
    PliantWorld *world = b->subjects.world;
    PliantGl *gl = b->gls[0];
    const PliantBody sphere = b->subjects.bodies[0][SUBJECT_sphere];
    const PliantView view = view_of(b, sphere, PLIANT_AXIS_Z, 8, 8);
    PliantVolume volume = pliant_volume_default();
    REFUSE(b->host, pliant_gl_capture(gl, NULL, world, sphere, &view), PLIANT_BAD_ARGUMENT,
           "layers is NULL");
    REFUSE(b->host, pliant_gl_capture(gl, b->gpu, NULL, sphere, &view), PLIANT_BAD_ARGUMENT,
           "world is NULL");
    REFUSE(b->host, pliant_gl_capture(gl, b->gpu, world, sphere, NULL), PLIANT_BAD_ARGUMENT,
           "view is NULL");
    REFUSE(b->host, pliant_gl_bodies_volume(gl, world, sphere, sphere, NULL, NULL),
           PLIANT_BAD_ARGUMENT, "volume is NULL");
    PliantVolumeDef def = {0};
    REFUSE(b->host, pliant_gl_bodies_volume(gl, world, sphere, sphere, &def, &volume),
           PLIANT_BAD_DEF, "def");
    def = pliant_volume_def_default();
    def.axes = PLIANT_AXES_ALL;
    REFUSE(b->host, pliant_gl_bodies_volume(gl, world, sphere, sphere, &def, &volume),
           PLIANT_BAD_ARGUMENT, "def.axes");
    def = pliant_volume_def_default();
    def.relative_error = 0.1;
    REFUSE(b->host, pliant_gl_bodies_volume(gl, world, sphere, sphere, &def, &volume),
           PLIANT_BAD_ARGUMENT, "def.error");
}

/* NULL where there is no host to tell, records of a wrong size, and a reach that cannot be. */
static void test_arguments(void **state)
{
    Stand *b = *state;
    PliantWorld *world = b->subjects.world;
    PliantGl *gl = b->gls[0];
    const PliantBody sphere = b->subjects.bodies[0][SUBJECT_sphere];
    const PliantView view = view_of(b, sphere, PLIANT_AXIS_Z, 8, 8);
    PliantVolume volume = pliant_volume_default();
    PliantGlInfo info = pliant_gl_info_default();
    double error = -1;
    REFUSE_UNHEARD(pliant_gl_create(NULL, NULL), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_gl_create_headless(NULL, NULL), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_gl_info(NULL, &info), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_gl_capture(NULL, b->gpu, world, sphere, &view), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_gl_bodies_volume(NULL, world, sphere, sphere, NULL, &volume),
                   PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_gl_snapping_error(NULL, b->gpu, 1, &error), PLIANT_BAD_ARGUMENT);
    REFUSE(b->host, pliant_gl_info(gl, NULL), PLIANT_BAD_ARGUMENT, "info is NULL");
    REFUSE(b->host, pliant_gl_bodies_volume(gl, NULL, sphere, sphere, NULL, &volume),
           PLIANT_BAD_ARGUMENT, "world is NULL");
    REFUSE(b->host, pliant_gl_snapping_error(gl, NULL, 1, &error), PLIANT_BAD_ARGUMENT,
           "layers is NULL");
    REFUSE(b->host, pliant_gl_snapping_error(gl, b->gpu, 1, NULL), PLIANT_BAD_ARGUMENT,
           "error is NULL");
    REFUSE(b->host, pliant_gl_snapping_error(gl, b->gpu, 0.5, &error), PLIANT_BAD_ARGUMENT,
           "reach is 0.5");
    REFUSE(b->host, pliant_gl_snapping_error(gl, b->gpu, INFINITY, &error), PLIANT_BAD_ARGUMENT,
           "reach is inf");
    REFUSE(b->host, pliant_gl_snapping_error(gl, b->gpu, NAN, &error), PLIANT_BAD_ARGUMENT,
           "reach is ");
    assert_true(error == -1);
    info.struct_size = 16;
    REFUSE(b->host, pliant_gl_info(gl, &info), PLIANT_BAD_DEF, "info.struct_size is 16");
    volume.struct_size = 0;
    REFUSE(b->host, pliant_gl_bodies_volume(gl, world, sphere, sphere, NULL, &volume),
           PLIANT_BAD_DEF, "volume.struct_size is 0");
    PliantGlDef def = pliant_gl_def_default();
    PliantGl *made = NULL;
    def.struct_size = 8;
    REFUSE_UNHEARD(pliant_gl_create_headless(&def, &made), PLIANT_BAD_DEF);
    PliantHost host = b->host.host;
    host.struct_size = 8;
    def = pliant_gl_def_default();
    def.host = &host;
    REFUSE_UNHEARD(pliant_gl_create_headless(&def, &made), PLIANT_BAD_DEF);
    assert_null(made);
}

/* What the core refuses is reported in the name of the call that was made. */
static void test_failures_of_the_core(void **state)
{
    Stand *b = *state;
    PliantWorldDef def = pliant_world_def_default();
    def.host = &b->host.host;
    PliantWorld *world;
    MUST(pliant_world_create(&def, &world));
    const PliantBody none = {0};
    const PliantView view = {{{0, 0, 0}, {1, 1, 1}}, PLIANT_AXIS_Z, 8, 8};
    PliantVolume volume = pliant_volume_default();
    REFUSE(b->host, pliant_gl_capture(b->gls[0], b->gpu, world, none, &view), PLIANT_BAD_ID,
           "pliant_body_triangles() failed: ");
    REFUSE(b->host, pliant_gl_bodies_volume(b->gls[0], world, none, none, NULL, &volume),
           PLIANT_BAD_ID, "pliant_bodies_view() failed: ");
    pliant_world_destroy(world);
}

/* ---- Layers ------------------------------------------------------------------------------------
 */

/* Both ways, and they are alike; `columns` as in compare.h. */
static void check_alike(Stand *b, int kind, PliantBody body, const PliantView *view, double columns)
{
    MUST_CLOSED(pliant_layers_capture(b->cpu, b->subjects.world, body, view, NULL),
                test_layers_info(b->cpu));
    MUST(pliant_gl_capture(b->gls[kind], b->gpu, b->subjects.world, body, view));
    const Compared compared = compare_layers(b->cpu, b->gpu);
    assert_int_equal(compared.bad, 0);
    const int bits = compare_gl_info(b->gls[kind]).subpixel_bits;
    if (!compare_is_alike(&compared, bits, columns))
        fail_msg("%s, %d by %d along %d: %g apart, %g swept", kind ? "stencil" : "lists",
                 view->width, view->height, (int)view->axis, compared.apart, compared.swept);
}

/* Every kind of body, along every axis, at every shape of a picture. */
static void test_bodies(void **state)
{
    static const int32_t sizes[][2] = {{1, 1},   {1, 7},   {5, 1},     {16, 16},
                                       {33, 17}, {128, 3}, {130, 140}, {512, 300}};
    Stand *b = *state;
    SceneRandom random = {5};
    for (int i = 0; i < SUBJECT_COUNT; i++) {
        const PliantBody body = b->subjects.bodies[0][i];
        subject_pose(&b->subjects, 0, (SubjectKind)i, &random, 0.4);
        for (int n = 0; n < (int)(sizeof sizes / sizeof *sizes); n++) {
            const PliantView view =
                view_of(b, body, (PliantAxis)((i + n) % 3), sizes[n][0], sizes[n][1]);
            check_alike(b, 0, body, &view, 1);
            if (subject_is_simple((SubjectKind)i))
                check_alike(b, 1, body, &view, 1);
        }
    }
}

/* A view of a part: triangles reach beyond each rim, and before and behind the box. */
static void test_parts(void **state)
{
    Stand *b = *state;
    SceneRandom random = {7};
    for (int n = 0; n < 60; n++) {
        const SubjectKind kind = (SubjectKind)(n % SUBJECT_COUNT);
        const PliantBody body = b->subjects.bodies[0][kind];
        subject_pose(&b->subjects, 0, kind, &random, 0.1);
        PliantView view = view_of(b, body, (PliantAxis)(n % 3), 40, 31);
        for (int k = 0; k < 3; k++) {
            const float low = view.box.low[k], size = view.box.high[k] - low;
            view.box.low[k] = low + size * (float)(0.5 * scene_random(&random));
            view.box.high[k] = view.box.low[k] + size * (float)(0.05 + 0.4 * scene_random(&random));
        }
        check_alike(b, 0, body, &view, 1);
        if (subject_is_simple(kind))
            check_alike(b, 1, body, &view, 1);
    }
}

/* A box whose faces are along the picture's and between lines: all is known, and nothing is near a
 * line. */
static void test_box(void **state)
{
    Stand *b = *state;
    const float low[3] = {1, 2, 3}, high[3] = {5, 4, 4};
    SceneMesh mesh = subject_box(low, high);
    const PliantBody body = add_mesh(b, &mesh);
    for (int kind = 0; kind < KINDS; kind++)
        for (int axis = 0; axis < 3; axis++) {
            PliantView view = view_of(b, body, (PliantAxis)axis, 20, 10);
            view.box = (PliantBox){{0, 0, 0}, {10, 10, 10}};
            MUST(pliant_gl_capture(b->gls[kind], b->gpu, b->subjects.world, body, &view));
            PliantVolume volume = pliant_volume_default();
            MUST_CLOSED(pliant_layers_volume(b->gpu, &volume), volume);
            assert_near(volume.volume, 8, 1e-5);
            const PliantLayersInfo info = test_layers_info(b->gpu);
            assert_int_equal(info.depth_complexity, 2);
            assert_int_equal(info.fragment_count, 2 * info.span_count);
        }
    scene_mesh_free(&mesh);
}

/* A wall that is nearly upright, a part of a step of the grid wide: vertices move by more than
 * that, and a line just beside it intersects its plane anywhere. Depths stay those of the wall. */
static void test_upright(void **state)
{
    Stand *b = *state;
    SceneRandom random = {11};
    const float low[3] = {0, 0, 0}, high[3] = {0.5f, 1, 1};
    const double step = ldexp(1, -compare_gl_info(b->gls[0]).subpixel_bits);
    SceneMesh mesh = subject_box(low, high);
    const PliantBody body = add_mesh(b, &mesh);
    const PliantView view = {{{0, 0, -3}, {1, 1, 4}}, PLIANT_AXIS_Z, 16, 16};
    for (int n = 0; n < 200; n++) {
        for (int v = 0; v < 8; v++)
            if (v & 1) {
                double beside = scene_random(&random) + (v & 4 ? 0 : -0.5);
                mesh.vertices[3 * v] = (float)((8.5 + beside * step) / 16);
            }
        MUST(pliant_body_set_vertices(b->subjects.world, body,
                                      (PliantVertices){mesh.vertices, mesh.vertex_count, 0}));
        MUST(pliant_gl_capture(b->gls[0], b->gpu, b->subjects.world, body, &view));
        for (int32_t row = 0; row < 16; row++) {
            int32_t count;
            const PliantSpan *spans = pliant_layers_spans(b->gpu, 8, row, &count);
            assert_true(count <= 1);
            assert_true(count == 0 || (spans->low >= 0 && spans->high <= 1));
        }
    }
    scene_mesh_free(&mesh);
}

/* Some triangles are missing, and lines go in that do not come out. */
static void test_open(void **state)
{
    Stand *b = *state;
    SceneMesh mesh = scene_icosphere(3);
    mesh.triangle_count -= 40;
    const PliantBody body = add_mesh(b, &mesh);
    const PliantView view = view_of(b, body, PLIANT_AXIS_X, 64, 64);
    MUST(pliant_layers_capture(b->cpu, b->subjects.world, body, &view, NULL));
    const int64_t bad = test_layers_info(b->cpu).bad_pixel_count;
    assert_true(bad > 20);
    for (int kind = 0; kind < KINDS; kind++) {
        PliantVolume volume = pliant_volume_default();
        MUST(pliant_gl_capture(b->gls[kind], b->gpu, b->subjects.world, body, &view));
        const int64_t found = test_layers_info(b->gpu).bad_pixel_count;
        assert_true(found > bad - 4 && found < bad + 4);
        assert_false(test_layers_info(b->gpu).is_closed);
        const PliantBody sphere = b->subjects.bodies[0][SUBJECT_sphere];
        MUST(pliant_gl_bodies_volume(b->gls[kind], b->subjects.world, sphere, body, NULL, &volume));
        assert_true(volume.bad_pixel_count > 0 && !volume.is_closed);
        MUST(pliant_gl_bodies_volume(b->gls[kind], b->subjects.world, body, body, NULL, &volume));
        assert_true(volume.bad_pixel_count > 0 && !volume.is_closed && volume.volume > 1);
    }
    mesh.triangle_count += 40;
    scene_mesh_free(&mesh);
}

/* Of the layers that were captured last. */
static double snapping_error(Stand *b, int kind, double reach)
{
    double error = -1;
    MUST(pliant_gl_snapping_error(b->gls[kind], b->gpu, reach, &error));
    return error;
}

/* A body of nothing, and a picture beside a body. */
static void test_nothing(void **state)
{
    Stand *b = *state;
    PliantBody soup;
    PliantVolume volume = pliant_volume_default();
    const PliantBody sphere = b->subjects.bodies[0][SUBJECT_sphere];
    MUST(pliant_body_create_soup(b->subjects.world, NULL, &soup));
    const PliantView none = view_of(b, soup, PLIANT_AXIS_X, 0, 0);
    const PliantView beside = {{{7, 7, 7}, {8, 8, 8}}, PLIANT_AXIS_Y, 5, 6};
    for (int kind = 0; kind < KINDS; kind++) {
        MUST(pliant_gl_capture(b->gls[kind], b->gpu, b->subjects.world, soup, &none));
        assert_int_equal(test_layers_info(b->gpu).view.width, 0);
        assert_true(snapping_error(b, kind, 1) == 0);
        MUST(pliant_gl_capture(b->gls[kind], b->gpu, b->subjects.world, sphere, &beside));
        assert_int_equal(test_layers_info(b->gpu).view.height, 6);
        assert_int_equal(test_layers_info(b->gpu).span_count, 0);
        MUST(pliant_gl_bodies_volume(b->gls[kind], b->subjects.world, soup, sphere, NULL, &volume));
        assert_true(volume.volume == 0 && volume.is_reached);
    }
}

/* ---- Layers without end ------------------------------------------------------------------------
 */

/* Boxes one above the other: twice as many layers. */
static SceneMesh make_stack(int count)
{
    SceneMesh mesh = {0};
    for (int i = 0; i < count; i++) {
        const float low[3] = {0, 0, (float)i}, high[3] = {1, 1, (float)i + 0.5f};
        scene_mesh_append(&mesh, subject_box(low, high), false);
    }
    return mesh;
}

static PliantBody add_stack(Stand *b, int count)
{
    SceneMesh mesh = make_stack(count);
    const PliantBody body = add_mesh(b, &mesh);
    scene_mesh_free(&mesh);
    return body;
}

/* The list is too short at first, then as long as it has to be. */
static void test_growing(void **state)
{
    Stand *b = *state;
    const PliantBody stack = add_stack(b, 300);
    const PliantView view = view_of(b, stack, PLIANT_AXIS_Z, 64, 64);
    for (int i = 0; i < 2; i++) {
        MUST(pliant_gl_capture(b->gls[0], b->gpu, b->subjects.world, stack, &view));
        const PliantLayersInfo info = test_layers_info(b->gpu);
        assert_int_equal(info.depth_complexity, 600);
        assert_int_equal(info.fragment_count, 600 * 64 * 64);
        assert_int_equal(info.span_count, 300 * 64 * 64);
        assert_int_equal(compare_gl_info(b->gls[0]).pass_count, 2 - i);
        assert_true(compare_gl_info(b->gls[0]).fragment_capacity >= info.fragment_count);
    }
}

/* More fragments than a list may have, so that the picture is drawn in bands. */
static void test_bands(void **state)
{
    Stand *b = *state;
    const PliantBody stack = add_stack(b, 6);
    const PliantView view = view_of(b, stack, PLIANT_AXIS_Z, 1200, 1100);
    MUST(pliant_gl_capture(b->gls[0], b->gpu, b->subjects.world, stack, &view));
    const PliantLayersInfo info = test_layers_info(b->gpu);
    assert_int_equal(info.fragment_count, (int64_t)12 * 1200 * 1100);
    assert_int_equal(info.depth_complexity, 12);
}

/* More triangles than are drawn at once: a box in every pixel, each of another depth. */
static void test_many(void **state)
{
    enum { SIDE = 580, COUNT = SIDE * SIDE };
    Stand *b = *state;
    SceneMesh mesh = {NULL, NULL, 8 * COUNT, 12 * COUNT};
    mesh.vertices = scene_allocate(24 * (size_t)COUNT, sizeof(float));
    mesh.triangles = scene_allocate(36 * (size_t)COUNT, sizeof(uint32_t));
    for (int i = 0; i < COUNT; i++) {
        const int column = i % SIDE, row = i / SIDE;
        const float x = (float)column + 0.25f, y = (float)row + 0.25f;
        SceneMesh box = subject_box((float[3]){x, y, (float)(i % 977)},
                                    (float[3]){x + 0.5f, y + 0.5f, (float)(i % 977) + 0.5f});
        memcpy(mesh.vertices + 24 * i, box.vertices, 24 * sizeof(float));
        for (int k = 0; k < 36; k++)
            mesh.triangles[36 * i + k] = box.triangles[k] + 8 * (uint32_t)i;
        scene_mesh_free(&box);
    }
    PliantBody soup;
    const PliantPrimitives all = {.struct_size = sizeof(PliantPrimitives),
                                  .vertices = {mesh.vertices, mesh.vertex_count, 0},
                                  .corners = mesh.triangles,
                                  .count = mesh.triangle_count};
    const PliantView view = {{{0, 0, 0}, {SIDE, SIDE, 1000}}, PLIANT_AXIS_Z, SIDE, SIDE};
    MUST(pliant_body_create_soup(b->subjects.world, NULL, &soup));
    MUST(pliant_body_borrow_primitives(b->subjects.world, soup, &all));
    MUST(pliant_gl_capture(b->gls[0], b->gpu, b->subjects.world, soup, &view));
    for (int i = 0; i < COUNT; i++) {
        int32_t count;
        const PliantSpan *span = pliant_layers_spans(b->gpu, i % SIDE, i / SIDE, &count);
        assert_int_equal(count, 1);
        assert_true(span->low == (float)(i % 977) && span->high == (float)(i % 977) + 0.5f);
    }
    MUST(pliant_body_destroy(b->subjects.world, soup));
    scene_mesh_free(&mesh);
}

/* As many passes as layers, and two that are waited for; 254 are the most. */
static void test_stencil_layers(void **state)
{
    Stand *b = *state;
    const PliantView view = {{{-0.2f, -0.2f, -1}, {1.2f, 1.2f, 200}}, PLIANT_AXIS_Z, 9, 7};
    static const int counts[] = {1, 2, 50, 126, 127, 128, 200};
    for (int i = 0; i < (int)(sizeof counts / sizeof *counts); i++) {
        const PliantBody stack = add_stack(b, counts[i]);
        const int64_t before = test_layers_info(b->gpu).span_count;
        PliantResult result = pliant_gl_capture(b->gls[1], b->gpu, b->subjects.world, stack, &view);
        assert_int_equal(result, 2 * counts[i] <= 254 ? PLIANT_OK : PLIANT_TOO_LARGE);
        if (result != PLIANT_OK) { /* the layers are as they were */
            assert_true(before > 0 && test_layers_info(b->gpu).span_count == before);
            assert_int_equal(b->host.result, PLIANT_TOO_LARGE);
            continue;
        }
        assert_int_equal(compare_gl_info(b->gls[1]).pass_count, 2 * counts[i]);
        assert_int_equal(compare_gl_info(b->gls[1]).read_count, 2);
        check_alike(b, 1, stack, &view, 0.001);
    }
}

/* Where a body overlaps itself, the stencil counts what is inside twice as outside. */
static void test_overlaps(void **state)
{
    Stand *b = *state;
    const float low[3] = {0, 0, 0}, high[3] = {2, 2, 2}, low_2[3] = {1, 0, 1},
                high_2[3] = {3, 2, 3};
    SceneMesh mesh = subject_box(low, high);
    scene_mesh_append(&mesh, subject_box(low_2, high_2), false);
    const PliantBody body = add_mesh(b, &mesh);
    const PliantView view = {{{0, 0, 0}, {3, 2, 3}}, PLIANT_AXIS_Z, 60, 60};
    static const double volumes[KINDS] = {14, 12};
    for (int kind = 0; kind < KINDS; kind++) {
        PliantVolume volume = pliant_volume_default();
        MUST(pliant_gl_capture(b->gls[kind], b->gpu, b->subjects.world, body, &view));
        MUST_CLOSED(pliant_layers_volume(b->gpu, &volume), volume);
        assert_near(volume.volume, volumes[kind], 1e-4);
    }
    scene_mesh_free(&mesh);
}

/* ---- Volumes -----------------------------------------------------------------------------------
 */

/* What it should be, and what the processor says. */
static void check_volume(Stand *b, int kind, const PliantBody pair[2], const PliantVolumeDef *def,
                         double wanted)
{
    PliantVolume here = pliant_volume_default(), there = pliant_volume_default();
    MUST_CLOSED(pliant_bodies_volume(b->subjects.world, pair[0], pair[1], def, &here), here);
    MUST(pliant_gl_bodies_volume(b->gls[kind], b->subjects.world, pair[0], pair[1], def, &there));
    assert_near(there.volume, wanted, there.error);
    assert_near(there.volume, here.volume, 1e-4);
    assert_true(there.is_reached && (there.error > 0) == (there.volume > 0));
    assert_int_equal(there.view.width, here.view.width);
    assert_int_equal(there.view.axis, here.view.axis);
    for (int k = 0; k < 3; k++)
        assert_near(there.centroid[k], here.centroid[k], 1e-4);
}

static void test_volumes(void **state)
{
    Stand *b = *state;
    const float low[3] = {0, 0, 0}, high[3] = {2, 3, 4};
    const float low_2[3] = {1, 1, 1}, high_2[3] = {9, 9, 9};
    SceneMesh meshes[2] = {subject_box(low, high), subject_box(low_2, high_2)};
    const PliantBody bodies[3] = {add_mesh(b, &meshes[0]), add_mesh(b, &meshes[1]),
                                  add_mesh(b, &meshes[0])};
    PliantTransform far = pliant_transform_identity();
    far.rows[1][3] = 100;
    MUST(pliant_body_set_transform(b->subjects.world, bodies[2], &far));
    for (int kind = 0; kind < KINDS; kind++)
        for (int axes = 0; axes < PLIANT_AXES_ALL; axes++) {
            PliantVolumeDef def = pliant_volume_def_default();
            def.axes = (PliantAxes)axes;
            check_volume(b, kind, (PliantBody[2]){bodies[0], bodies[1]}, &def, 6);
            check_volume(b, kind, (PliantBody[2]){bodies[0], bodies[0]}, &def, 24);
            check_volume(b, kind, (PliantBody[2]){bodies[0], bodies[2]}, &def, 0);
        }
    for (int i = 0; i < 2; i++)
        scene_mesh_free(&meshes[i]);
}

/* What vertices that move may do grows with the surface that lies across, and falls with the grid.
 */
static void test_moved(void **state)
{
    Stand *b = *state;
    const float low[3] = {0, 0, 0}, high[3] = {2, 2, 3};
    SceneMesh mesh = subject_box(low, high);
    const PliantBody body = add_mesh(b, &mesh);
    const PliantView view = view_of(b, body, PLIANT_AXIS_Z, 10, 10);
    MUST(pliant_gl_capture(b->gls[0], b->gpu, b->subjects.world, body, &view));
    /* Forty pixels at the rim, 3 deep, 0.04 wide; 100 spans. */
    const int bits = compare_gl_info(b->gls[0]).subpixel_bits;
    const double moved = ldexp(1, -bits - 1) + ldexp(10, -20);
    assert_near(snapping_error(b, 0, 1), 0.04 * (40 * 3 * moved + ldexp(300, -20)), 1e-12);
    assert_true(snapping_error(b, 0, 50) > snapping_error(b, 0, 1));
    scene_mesh_free(&mesh);
}

/* ---- The caller's context ----------------------------------------------------------------------
 */

static EGLContext make_context(EGLDisplay *display)
{
    const EGLint wishes[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    const EGLint asked[] = {EGL_CONTEXT_MAJOR_VERSION,
                            4,
                            EGL_CONTEXT_MINOR_VERSION,
                            3,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            EGL_NONE};
    EGLConfig config;
    EGLint count;
    *display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    assert_true(eglInitialize(*display, NULL, NULL));
    assert_true(eglBindAPI(EGL_OPENGL_API));
    assert_true(eglChooseConfig(*display, wishes, &config, 1, &count));
    EGLContext context = eglCreateContext(*display, config, EGL_NO_CONTEXT, asked);
    assert_non_null(context);
    return context;
}

/* All that is asked for of the state, as numbers. */
enum { MAX_STATE = 160 };

static int read_state(GLdouble *values)
{
    static const GLenum names[] = {
        GL_DRAW_FRAMEBUFFER_BINDING,
        GL_READ_FRAMEBUFFER_BINDING,
        GL_CURRENT_PROGRAM,
        GL_VERTEX_ARRAY_BINDING,
        GL_ARRAY_BUFFER_BINDING,
        GL_TEXTURE_BINDING_2D_ARRAY,
        GL_PIXEL_PACK_BUFFER_BINDING,
        GL_SHADER_STORAGE_BUFFER_BINDING,
        GL_VIEWPORT,
        GL_SCISSOR_BOX,
        GL_DEPTH_RANGE,
        GL_POLYGON_MODE,
        GL_FRONT_FACE,
        GL_DEPTH_FUNC,
        GL_DEPTH_WRITEMASK,
        GL_DEPTH_CLEAR_VALUE,
        GL_STENCIL_CLEAR_VALUE,
        GL_STENCIL_FUNC,
        GL_STENCIL_REF,
        GL_STENCIL_VALUE_MASK,
        GL_STENCIL_WRITEMASK,
        GL_STENCIL_FAIL,
        GL_STENCIL_PASS_DEPTH_FAIL,
        GL_STENCIL_PASS_DEPTH_PASS,
        GL_STENCIL_BACK_FUNC,
        GL_STENCIL_BACK_REF,
        GL_STENCIL_BACK_WRITEMASK,
        GL_STENCIL_BACK_PASS_DEPTH_PASS,
        GL_PACK_ALIGNMENT,
        GL_PACK_ROW_LENGTH,
        GL_PACK_SKIP_ROWS,
        GL_SCISSOR_TEST,
        GL_DEPTH_TEST,
        GL_STENCIL_TEST,
        GL_CULL_FACE,
        GL_DEPTH_CLAMP,
        GL_RASTERIZER_DISCARD,
        GL_POLYGON_OFFSET_FILL,
        GL_CLIP_DISTANCE0,
        GL_CLIP_DISTANCE7,
        GL_MULTISAMPLE,
    };
    int count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        GLdouble value[4] = {0};
        glGetDoublev(names[i], value);
        for (int k = 0; k < 4; k++)
            values[count++] = value[k];
    }
    assert_true(count <= MAX_STATE + 16);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return count;
}

/* State that would spoil every picture. */
static void spoil_state(GLuint objects[4])
{
    glGenBuffers(2, objects);
    glGenVertexArrays(1, objects + 2);
    glGenFramebuffers(1, objects + 3);
    glBindVertexArray(objects[2]);
    glBindBuffer(GL_ARRAY_BUFFER, objects[0]);
    glBufferData(GL_ARRAY_BUFFER, 1024, NULL, GL_STATIC_DRAW);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, objects[1]);
    glBufferData(GL_PIXEL_PACK_BUFFER, 1024, NULL, GL_STATIC_DRAW);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, objects[0], 256, 512);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, objects[1]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, objects[3]);
    static const GLenum on[] = {GL_SCISSOR_TEST,        GL_DEPTH_TEST,         GL_STENCIL_TEST,
                                GL_CULL_FACE,           GL_RASTERIZER_DISCARD, GL_CLIP_DISTANCE0,
                                GL_POLYGON_OFFSET_FILL, GL_CLIP_DISTANCE7};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        glEnable(on[i]);
    glViewport(3, 4, 5, 6);
    glScissor(1, 2, 3, 4);
    glDepthRange(0.75, 0.25);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glFrontFace(GL_CW);
    glDepthFunc(GL_NEVER);
    glDepthMask(GL_FALSE);
    glClearDepth(0.5);
    glClearStencil(9);
    glStencilFuncSeparate(GL_BACK, GL_NEVER, 7, 0x0f);
    glStencilFuncSeparate(GL_FRONT, GL_LESS, 3, 0xf0);
    glStencilMaskSeparate(GL_BACK, 0x10);
    glStencilOpSeparate(GL_BACK, GL_ZERO, GL_INVERT, GL_REPLACE);
    glPolygonOffset(100, 100);
    glPixelStorei(GL_PACK_ROW_LENGTH, 77);
    glPixelStorei(GL_PACK_SKIP_ROWS, 3);
    glPixelStorei(GL_PACK_ALIGNMENT, 8);
}

static void check_ranges(const GLuint objects[4])
{
    GLint buffers[2];
    GLint64 start, size;
    for (GLuint i = 0; i < 2; i++)
        glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, i, &buffers[i]);
    glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_START, 0, &start);
    glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_SIZE, 0, &size);
    assert_int_equal(buffers[0], objects[0]);
    assert_int_equal(buffers[1], objects[1]);
    assert_int_equal(start, 256);
    assert_int_equal(size, 512);
}

/* Whatever the state is, pictures are right; and it is then what it was. */
static void test_caller(void **state)
{
    Stand *b = *state;
    EGLDisplay display;
    EGLContext context = make_context(&display);
    assert_true(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
    GLuint objects[4];
    static GLdouble before[MAX_STATE + 16], after[MAX_STATE + 16];
    spoil_state(objects);
    const int count = read_state(before);
    const PliantBody body = b->subjects.bodies[0][SUBJECT_torus];
    const PliantView view = view_of(b, body, PLIANT_AXIS_Y, 31, 57);
    PliantGl *own[KINDS] = {b->gls[0], b->gls[1]};
    for (int kind = 0; kind < KINDS; kind++) {
        PliantGlDef def = pliant_gl_def_default();
        def.kind = kinds[kind];
        def.host = &b->host.host;
        MUST(pliant_gl_create(&def, &b->gls[kind]));
        read_state(after);
        assert_memory_equal(before, after, (size_t)count * sizeof *before);
        check_alike(b, kind, body, &view, 1);
        read_state(after);
        assert_memory_equal(before, after, (size_t)count * sizeof *before);
        check_ranges(objects);
        /* One with a context of its own leaves this one current. */
        PliantGl *other = make_gl(kinds[kind], NULL);
        MUST(pliant_gl_capture(other, b->gpu, b->subjects.world, body, &view));
        assert_ptr_equal(eglGetCurrentContext(), context);
        pliant_gl_destroy(other);
        assert_ptr_equal(eglGetCurrentContext(), context);
        pliant_gl_destroy(b->gls[kind]);
        b->gls[kind] = own[kind];
    }
    read_state(after);
    assert_memory_equal(before, after, (size_t)count * sizeof *before);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
}

/* One that was made for a context which is not current any more. */
static void test_no_context(void **state)
{
    Stand *b = *state;
    EGLDisplay display;
    EGLContext context = make_context(&display);
    assert_true(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
    PliantGlDef def = pliant_gl_def_default();
    def.host = &b->host.host;
    PliantGl *gl;
    MUST(pliant_gl_create(&def, &gl));
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    const PliantBody body = b->subjects.bodies[0][SUBJECT_torus];
    const PliantView view = view_of(b, body, PLIANT_AXIS_Y, 31, 57);
    REFUSE(b->host, pliant_gl_capture(gl, b->gpu, b->subjects.world, body, &view),
           PLIANT_BAD_ARGUMENT, "the context of gl is not current");
    assert_true(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
    pliant_gl_destroy(gl);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

/* Each allocation fails in turn: the call says so, nothing is lost, and it works the next time. */
static void test_memory(void **state)
{
    Stand *b = *state;
    const PliantBody body = b->subjects.bodies[0][SUBJECT_torus];
    const PliantView view = view_of(b, body, PLIANT_AXIS_Y, 31, 57);
    for (int kind = 0; kind < KINDS; kind++) {
        bool is_done = false;
        for (int64_t fail_at = 1; !is_done; fail_at++) {
            TestHost host;
            test_host_init(&host);
            host.fail_at = fail_at;
            PliantGlDef def = pliant_gl_def_default();
            def.kind = kinds[kind];
            def.host = &host.host;
            PliantGl *gl = NULL;
            PliantLayers *layers = NULL;
            PliantResult result = pliant_gl_create_headless(&def, &gl);
            if (result == PLIANT_OK)
                result = test_layers_create(&host.host, &layers);
            if (result == PLIANT_OK)
                result = pliant_gl_capture(gl, layers, b->subjects.world, body, &view);
            is_done = host.calls < fail_at;
            assert_int_equal(result, is_done ? PLIANT_OK : PLIANT_OUT_OF_MEMORY);
            if (gl && layers) {
                MUST(pliant_gl_capture(gl, layers, b->subjects.world, body, &view));
                const int64_t calls = host.calls;
                MUST(pliant_gl_capture(gl, layers, b->subjects.world, body, &view));
                assert_int_equal(host.calls, calls); /* a second time takes none */
            }
            pliant_layers_destroy(layers);
            pliant_gl_destroy(gl);
            assert_int_equal(host.blocks, 0);
        }
    }
}

int main(void)
{
    PliantGlDef def = pliant_gl_def_default();
    def.kind = PLIANT_GL_LISTS;
    PliantGl *gl;
    if (pliant_gl_create_headless(&def, &gl) != PLIANT_OK) {
        printf("test_gl: no OpenGL 4.3 without a window here, skipped\n");
        return 77;
    }
    pliant_gl_destroy(gl);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_defs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_arguments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failures_of_the_core, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bodies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_box, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_upright, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_open, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_growing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stencil_layers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_overlaps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_volumes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_moved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_caller, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_context, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
