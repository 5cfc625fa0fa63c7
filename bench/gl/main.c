/* pliant-bench-gl volume: layers by OpenGL beside the bare calls that draw the same, and beside the
 * processor.
 *
 * The bare calls have the triangles in a buffer already and the context in the right state; they
 * clear, draw the same passes of the same shaders, and wait for the end. That is what any program
 * pays that lets OpenGL draw these triangles; whatever more pliant_gl_capture() takes is its own:
 * finding the triangles, bringing them over, reading fragments back and sorting them into spans. */
#include "bare.h"
#include "bench.h"
#include <pliant/gl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A bumpy sphere, and its picture. */
typedef struct Scene {
    SceneBumpy bumpy;
    float *vertices;
    PliantShape *shape;
    PliantWorld *world;
    PliantBody body;
    PliantView view;
} Scene;

static Scene make_scene(SceneSolid solid, int subdivisions)
{
    Scene scene = {.bumpy = scene_bumpy_of(scene_sphere(solid, subdivisions))};
    const SceneMesh *sphere = &scene.bumpy.sphere;
    scene.vertices = bench_allocate(3 * (size_t)sphere->vertex_count, sizeof(float));
    scene_bumpy_vertices(&scene.bumpy, 0, 17, scene.vertices);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){sphere->vertices, sphere->vertex_count, 0};
    def.triangles = (PliantTriangles){sphere->triangles, sphere->triangle_count};
    bench_must(pliant_shape_create(&def, &scene.shape));
    bench_must(pliant_world_create(NULL, &scene.world));
    bench_must(pliant_body_create(scene.world, scene.shape, &scene.body));
    return scene;
}

static void free_scene(Scene *scene)
{
    pliant_world_destroy(scene->world);
    pliant_shape_release(scene->shape);
    scene_bumpy_free(&scene->bumpy);
    free(scene->vertices);
}

/* As after a step in which every vertex has moved. */
static void move_scene(Scene *scene)
{
    bench_must(pliant_body_borrow_vertices(
        scene->world, scene->body,
        (PliantVertices){scene->vertices, scene->bumpy.sphere.vertex_count, 0}));
}

/* ---- What is timed ----------------------------------------------------------------------------
 */

typedef struct Job {
    Scene *scene;
    PliantGl *gl; /* NULL: the processor */
    PliantLayers *layers;
    Bare *bare;
} Job;

static void run_take(void *data)
{
    Job *job = data;
    move_scene(job->scene);
    if (job->gl)
        bench_must(pliant_gl_capture(job->gl, job->layers, job->scene->world, job->scene->body,
                                     &job->scene->view));
    else
        bench_must(pliant_layers_capture(job->layers, job->scene->world, job->scene->body,
                                         &job->scene->view, NULL));
}

static void run_bare(void *data)
{
    Job *job = data;
    bare_draw(job->bare);
}

static Bare *make_bare(Scene *scene, const PliantGl *gl)
{
    const float *corners;
    int64_t triangle_count;
    move_scene(scene);
    bench_must(
        pliant_body_triangles(scene->world, scene->body, &scene->view, &corners, &triangle_count));
    PliantGlInfo info = pliant_gl_info_default();
    bench_must(pliant_gl_info(gl, &info));
    return bare_create(info.kind, &scene->view, corners, triangle_count, info.pass_count,
                       info.fragment_capacity);
}

enum { STENCIL, LISTS, KINDS };

static const char *const names[KINDS] = {"stencil", "lists"};

/* Figures: the greatest ratio to bare calls, and the least by which the processor was faster than
 * the kind that is chosen by itself. */
typedef struct Worst {
    double bare[KINDS], processor;
} Worst;

static void time_scene(Scene *scene, PliantGl *gls[KINDS], PliantLayers *layers, int rounds,
                       Worst *worst)
{
    BenchTurn turns[1 + 2 * KINDS] = {{"processor", run_take, NULL, 0}};
    Job jobs[1 + 2 * KINDS] = {{scene, NULL, layers, NULL}};
    turns[0].data = &jobs[0];
    for (int kind = 0; kind < KINDS; kind++) {
        Job *job = &jobs[1 + 2 * kind];
        job[0] = (Job){scene, gls[kind], layers, NULL};
        run_take(&job[0]);
        job[1] = (Job){scene, NULL, NULL, make_bare(scene, gls[kind])};
        turns[1 + 2 * kind] = (BenchTurn){"take", run_take, &job[0], 0};
        turns[2 + 2 * kind] = (BenchTurn){"bare", run_bare, &job[1], 0};
    }
    bench_turns(turns, 1 + 2 * KINDS, rounds);
    for (int kind = 0; kind < KINDS; kind++) {
        const double take = turns[1 + 2 * kind].median, bare = turns[2 + 2 * kind].median;
        PliantGlInfo info = pliant_gl_info_default();
        run_take(&jobs[1 + 2 * kind]);
        bench_must(pliant_gl_info(gls[kind], &info));
        printf("%8d faces %5d pixels  %-8s %3d passes %9.2f ms, bare %9.2f ms: %5.2f times; "
               "processor %8.2f ms: %5.1f times\n",
               (int)scene->bumpy.sphere.triangle_count, (int)scene->view.width, names[kind],
               (int)info.pass_count, 1e3 * take, 1e3 * bare, take / bare, 1e3 * turns[0].median,
               take / turns[0].median);
        worst->bare[kind] = take / bare > worst->bare[kind] ? take / bare : worst->bare[kind];
        if (kind == LISTS && (worst->processor == 0 || take / turns[0].median < worst->processor))
            worst->processor = take / turns[0].median;
        bare_destroy(jobs[2 + 2 * kind].bare);
    }
}

static int bench_volume(const BenchOptions *options)
{
    const int rounds = options->is_quick ? 5 : 21;
    static const struct {
        SceneSolid solid;
        int subdivisions;
    } sizes[] = {{SCENE_TETRAHEDRON, 7}, {SCENE_OCTAHEDRON, 8}}; /* 65,536 and 524,288 faces */
    PliantGl *gls[KINDS];
    PliantLayers *layers;
    if (!bare_context()) {
        printf("pliant-bench-gl: no OpenGL 4.3 without a window here\n");
        return 0;
    }
    bench_must(pliant_layers_create(NULL, &layers));
    for (int kind = 0; kind < KINDS; kind++) {
        PliantGlDef def = pliant_gl_def_default();
        def.kind = kind == STENCIL ? PLIANT_GL_STENCIL : PLIANT_GL_AUTO;
        bench_must(pliant_gl_create(&def, &gls[kind]));
    }
    Worst worst = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Scene scene = make_scene(sizes[i].solid, sizes[i].subdivisions);
        for (int32_t size = 128; size <= 512; size *= 4) {
            move_scene(&scene);
            bench_must(pliant_body_view(scene.world, scene.body, size, &scene.view));
            time_scene(&scene, gls, layers, rounds, &worst);
        }
        free_scene(&scene);
    }
    bench_figure("volume.gl_vs_bare", worst.bare[LISTS], "x");
    bench_figure("volume.gl_stencil_vs_bare", worst.bare[STENCIL], "x");
    bench_figure("volume.cpu_vs_gl", worst.processor, "x");
    for (int kind = 0; kind < KINDS; kind++)
        pliant_gl_destroy(gls[kind]);
    pliant_layers_destroy(layers);
    bare_context_end();
    return 0;
}

static const BenchExperiment experiments[] = {
    {"volume", "layers by OpenGL, beside bare drawing and the processor", bench_volume},
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, experiments, sizeof experiments / sizeof *experiments);
}
