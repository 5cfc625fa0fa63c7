/* OpenGL against the processor: random poses of random bodies, and the volumes that they have in
 * common, which may differ by the errors that both state and not more.
 *
 * usage: test_gl_agree [--poses N] [--seed S]
 *
 * Each pose is asked of lists, and of the stencil if both bodies are simple, along any axis and at
 * any resolution from 8 to 96. Beside the volumes, the layers of the first body are compared pixel
 * by pixel, which is far stricter. No pixel may be bad. */
#include "compare.h"
#include "subjects.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
    Subjects subjects;
    PliantGl *gls[2]; /* lists, stencil */
    PliantLayers *layers[2];
    SceneRandom random;
    int64_t poses, comparisons, overlaps, bad_pixels, wrong;
    double most;      /* how far volumes were apart, by how far they may be */
    double max_apart; /* how far layers were apart, likewise */
} Run;

static void say(Run *run, const char *what, SubjectKind a, SubjectKind b, const char *kind)
{
    run->wrong++;
    printf("pose %" PRId64 ", %s with %s, by %s: %s\n", run->poses, subject_name(a),
           subject_name(b), kind, what);
}

static void compare_volumes(Run *run, int kind, SubjectKind a, SubjectKind b,
                            const PliantVolumeDef *def)
{
    static const char *const kinds[2] = {"lists", "stencil"};
    const PliantBody *bodies[2] = {run->subjects.bodies[0], run->subjects.bodies[1]};
    PliantVolume here = pliant_volume_default(), there = pliant_volume_default();
    PliantResult one =
        pliant_bodies_volume(run->subjects.world, bodies[0][a], bodies[1][b], def, &here);
    PliantResult two = pliant_gl_bodies_volume(run->gls[kind], run->subjects.world, bodies[0][a],
                                               bodies[1][b], def, &there);
    if (one != PLIANT_OK || two != PLIANT_OK) {
        say(run, pliant_result_name(one != PLIANT_OK ? one : two), a, b, kinds[kind]);
        return;
    }
    if (!here.is_closed || !there.is_closed) {
        run->bad_pixels += there.bad_pixel_count;
        say(run, "not closed", a, b, kinds[kind]);
        return;
    }
    const double apart = fabs(here.volume - there.volume), allowed = here.error + there.error;
    run->comparisons++;
    run->overlaps += here.volume > 0;
    if (allowed > 0)
        run->most = fmax(run->most, apart / allowed);
    if (!(apart <= allowed))
        say(run, "volumes differ", a, b, kinds[kind]);
}

static void compare_one(Run *run, int kind, SubjectKind a, int32_t resolution)
{
    const PliantBody body = run->subjects.bodies[0][a];
    PliantView view;
    subject_must(pliant_body_view(run->subjects.world, body, resolution, &view));
    view.axis = (PliantAxis)scene_random_below(&run->random, 3);
    PliantResult one =
        pliant_layers_capture(run->layers[0], run->subjects.world, body, &view, NULL);
    PliantResult two =
        pliant_gl_capture(run->gls[kind], run->layers[1], run->subjects.world, body, &view);
    const Compared compared = compare_layers(run->layers[0], run->layers[1]);
    run->bad_pixels += compared.bad;
    const int bits = compare_gl_info(run->gls[kind]).subpixel_bits;
    run->max_apart =
        fmax(run->max_apart, compared.apart / (ldexp(compared.swept, -bits) + compared.thickest));
    if (one != PLIANT_OK || two != PLIANT_OK || !compare_is_alike(&compared, bits, 1))
        say(run, "layers differ", a, a, kind ? "stencil" : "lists");
}

static void try_pose(Run *run)
{
    SceneRandom *random = &run->random;
    const SubjectKind a = (SubjectKind)scene_random_below(random, SUBJECT_COUNT);
    const SubjectKind b = (SubjectKind)scene_random_below(random, SUBJECT_COUNT);
    subject_pose(&run->subjects, 0, a, random, 0.4);
    subject_pose(&run->subjects, 1, b, random, 0.4);
    PliantVolumeDef def = pliant_volume_def_default();
    def.resolution = 8 + (int32_t)scene_random_below(random, 89);
    def.axes = (PliantAxes)scene_random_below(random, PLIANT_AXES_ALL);
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 0 || (subject_is_simple(a) && subject_is_simple(b)))
            compare_volumes(run, kind, a, b, &def);
        if (kind == 0 || subject_is_simple(a))
            compare_one(run, kind, a, def.resolution);
    }
    run->poses++;
}

static bool set_up(Run *run)
{
    PliantGlDef def = pliant_gl_def_default();
    for (int kind = 0; kind < 2; kind++) {
        def.kind = kind == 0 ? PLIANT_GL_LISTS : PLIANT_GL_STENCIL;
        if (pliant_gl_create_headless(&def, &run->gls[kind]) != PLIANT_OK)
            return false;
        subject_must(pliant_layers_create(NULL, &run->layers[kind]));
    }
    subjects_init(&run->subjects);
    return true;
}

int main(int argc, char **argv)
{
    int64_t poses = 300;
    static Run run = {.random = {1}};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--poses") == 0)
            poses = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            run.random.state = strtoull(argv[i + 1], NULL, 10);
        else
            return 2;
    }
    if (!set_up(&run)) {
        printf("test_gl_agree: no OpenGL 4.3 without a window here, skipped\n");
        return 77;
    }
    while (run.poses < poses)
        try_pose(&run);
    printf("test_gl_agree: %" PRId64 " poses, %" PRId64 " volumes of which %" PRId64
           " are not empty, %" PRId64 " bad pixels, %" PRId64
           " wrong; volumes differ by %.3f of what they may, layers by %.3f\n",
           run.poses, run.comparisons, run.overlaps, run.bad_pixels, run.wrong, run.most,
           run.max_apart);
    subjects_free(&run.subjects);
    for (int kind = 0; kind < 2; kind++) {
        pliant_layers_destroy(run.layers[kind]);
        pliant_gl_destroy(run.gls[kind]);
    }
    return run.wrong > 0 || run.poses == 0;
}
