/* The bodies: see subjects.h. */
#include "subjects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {
#define SUBJECT_NAME(name, text) #name,
    SUBJECTS(SUBJECT_NAME)
#undef SUBJECT_NAME
};

const char *subject_name(SubjectKind kind)
{
    return names[kind];
}

bool subject_is_simple(SubjectKind kind)
{
    return kind != SUBJECT_pieces && kind != SUBJECT_hand; /* fingers begin within the palm */
}

void subject_must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "subjects: %s\n", pliant_result_text(result));
    exit(1);
}

/* ---- Meshes ------------------------------------------------------------------------------------
 */

SceneMesh subject_torus(int around, int across, double r)
{
    const double turn = 6.283185307179586;
    SceneMesh mesh = {.vertex_count = around * across, .triangle_count = 2 * around * across};
    mesh.vertices = scene_allocate(3 * (size_t)mesh.vertex_count, sizeof(float));
    mesh.triangles = scene_allocate(3 * (size_t)mesh.triangle_count, sizeof(uint32_t));
    for (int i = 0; i < around; i++)
        for (int k = 0; k < across; k++) {
            const double u = turn * i / around, v = turn * k / across, x = 1 + r * scene_cos(v);
            float *p = mesh.vertices + 3 * (i * across + k);
            p[0] = (float)(x * scene_cos(u));
            p[1] = (float)(x * scene_sin(u));
            p[2] = (float)(r * scene_sin(v));
            const uint32_t a = (uint32_t)(i * across + k),
                           b = (uint32_t)((i + 1) % around * across + k),
                           c = (uint32_t)((i + 1) % around * across + (k + 1) % across),
                           d = (uint32_t)(i * across + (k + 1) % across);
            const uint32_t corners[6] = {a, b, c, a, c, d};
            for (int n = 0; n < 6; n++)
                mesh.triangles[6 * (i * across + k) + n] = corners[n];
        }
    return mesh;
}

SceneMesh subject_box(const float low[3], const float high[3])
{
    static const uint32_t walls[12][3] = {{0, 3, 1}, {0, 2, 3}, {4, 7, 6}, {4, 5, 7},
                                          {0, 5, 4}, {0, 1, 5}, {2, 7, 3}, {2, 6, 7},
                                          {0, 6, 2}, {0, 4, 6}, {1, 7, 5}, {1, 3, 7}};
    SceneMesh mesh = {.vertex_count = 8, .triangle_count = 12};
    mesh.vertices = scene_allocate(24, sizeof(float));
    mesh.triangles = scene_allocate(36, sizeof(uint32_t));
    for (int i = 0; i < 24; i++)
        mesh.vertices[i] = i / 3 >> i % 3 & 1 ? high[i % 3] : low[i % 3];
    for (int i = 0; i < 36; i++)
        mesh.triangles[i] = walls[i / 3][i % 3];
    return mesh;
}

static SceneMesh make_pieces(void)
{
    SceneMesh mesh = {0};
    double same[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        SceneMesh piece = scene_icosphere(2);
        const double index[3] = {0.7 * i, 0.3 * (i == 1), 0};
        scene_mesh_move(&piece, same, index);
        scene_mesh_append(&mesh, piece, false);
    }
    return mesh;
}

/* ---- Bodies ------------------------------------------------------------------------------------
 */

static PliantShapeDef def_of(const SceneMesh *mesh)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    return def;
}

static PliantShapeDef dolphin_def(const SceneMorph *dolphin, PliantTarget *targets)
{
    PliantShapeDef def = def_of(&dolphin->mesh);
    for (int i = 0; i < dolphin->target_count; i++)
        targets[i] =
            (PliantTarget){{dolphin->targets[i].vertices, dolphin->targets[i].count, 0}, NULL};
    def.morph_kind = PLIANT_MORPH_REFERENCES;
    def.targets = targets;
    def.target_count = dolphin->target_count;
    return def;
}

static void make_meshes(Subjects *s)
{
    const float low[3] = {-1, -0.8f, -0.6f}, high[3] = {0.9f, 1, 0.7f};
    s->meshes[SUBJECT_sphere] = scene_icosphere(3);
    s->meshes[SUBJECT_torus] = subject_torus(24, 12, 0.4);
    s->meshes[SUBJECT_box] = subject_box(low, high);
    s->meshes[SUBJECT_soup] = subject_torus(18, 9, 0.3);
    s->meshes[SUBJECT_hand] = scene_hand();
    s->meshes[SUBJECT_pieces] = make_pieces();
    s->bumpy = scene_bumpy(3);
    s->dolphin = scene_dolphin(0);
    ball_init(&s->ball);
}

static PliantShapeDef shape_def(const Subjects *s, SubjectKind kind, PliantTarget *targets)
{
    switch (kind) {
    case SUBJECT_bumpy:
        return def_of(&s->bumpy.sphere);
    case SUBJECT_dolphin:
        return dolphin_def(&s->dolphin, targets);
    case SUBJECT_ball:
        return ball_def(&s->ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
    case SUBJECT_bent:
        return ball_skin_def(&s->ball, NULL);
    default:
        return def_of(&s->meshes[kind]);
    }
}

static void make_soup(Subjects *s, PliantBody *body)
{
    const SceneMesh *mesh = &s->meshes[SUBJECT_soup];
    const PliantPrimitives all = {.struct_size = sizeof(PliantPrimitives),
                                  .vertices = {mesh->vertices, mesh->vertex_count, 0},
                                  .corners = mesh->triangles,
                                  .count = mesh->triangle_count};
    subject_must(pliant_body_create_soup(s->world, NULL, body));
    subject_must(pliant_body_set_primitives(s->world, *body, &all));
}

void subjects_init(Subjects *s)
{
    *s = (Subjects){0};
    make_meshes(s);
    subject_must(pliant_world_create(NULL, &s->world));
    for (int kind = 0; kind < SUBJECT_COUNT; kind++) {
        PliantTarget targets[SCENE_MAX_REFERENCES];
        const PliantShapeDef def = shape_def(s, (SubjectKind)kind, targets);
        subject_must(pliant_shape_create(&def, &s->shapes[kind]));
        for (int which = 0; which < 2; which++)
            if (kind == SUBJECT_soup)
                make_soup(s, &s->bodies[which][kind]);
            else
                subject_must(
                    pliant_body_create(s->world, s->shapes[kind], &s->bodies[which][kind]));
    }
    s->vertices = scene_allocate(3 * 16384, sizeof(float));
}

void subjects_free(Subjects *s)
{
    pliant_world_destroy(s->world);
    for (int kind = 0; kind < SUBJECT_COUNT; kind++) {
        pliant_shape_release(s->shapes[kind]);
        scene_mesh_free(&s->meshes[kind]);
    }
    scene_bumpy_free(&s->bumpy);
    scene_morph_free(&s->dolphin);
    ball_free(&s->ball);
    free(s->vertices);
}

/* ---- Poses -------------------------------------------------------------------------------------
 */

static void deform(Subjects *s, PliantBody body, SubjectKind kind, SceneRandom *random)
{
    PliantTransform joints[BALL_JOINTS];
    float weights[3];
    for (int i = 0; i < 3; i++)
        weights[i] = (float)scene_random(random);
    if (kind == SUBJECT_bumpy) {
        scene_bumpy_vertices(&s->bumpy, 0, (int)scene_random_below(random, SCENE_BUMPY_STEPS),
                             s->vertices);
        subject_must(pliant_body_set_vertices(
            s->world, body, (PliantVertices){s->vertices, s->bumpy.sphere.vertex_count, 0}));
    } else if (kind == SUBJECT_dolphin) {
        scene_dolphin_weights((int)scene_random_below(random, SCENE_DOLPHINS),
                              (int)scene_random_below(random, SCENE_DOLPHIN_STEPS), weights);
        subject_must(pliant_body_set_weights(s->world, body, weights, 3));
    } else if (kind == SUBJECT_ball) {
        subject_must(pliant_body_set_weights(s->world, body, weights, 3));
    } else if (kind == SUBJECT_bent) {
        ball_bend(2.5 * scene_random(random), joints);
        subject_must(pliant_body_set_joints(s->world, body, joints, BALL_JOINTS));
    }
}

/* The middle of a body's box, and half of the longest side of it. */
static double find_size(Subjects *s, PliantBody body, double middle[3])
{
    PliantView view;
    double size = 0;
    subject_must(pliant_body_view(s->world, body, 1, &view));
    for (int k = 0; k < 3; k++) {
        middle[k] = ((double)view.box.low[k] + view.box.high[k]) / 2;
        size = fmax(size, ((double)view.box.high[k] - view.box.low[k]) / 2);
    }
    return size;
}

void subject_pose(Subjects *s, int which, SubjectKind kind, SceneRandom *random, double reach)
{
    const PliantBody body = s->bodies[which][kind];
    PliantTransform transform = pliant_transform_identity();
    double axis[3], middle[3], rows[3][3], sum = 0;
    deform(s, body, kind, random);
    subject_must(pliant_body_set_transform(s->world, body, &transform));
    const double size = (0.6 + 0.8 * scene_random(random)) / find_size(s, body, middle);
    for (int k = 0; k < 3; k++) {
        axis[k] = scene_random(random) - 0.5;
        sum += axis[k] * axis[k];
    }
    for (int k = 0; k < 3; k++)
        axis[k] /= sqrt(sum);
    scene_rotation(axis, 6.3 * scene_random(random), rows);
    for (int i = 0; i < 3; i++) {
        double index = reach * (2 * scene_random(random) - 1);
        for (int k = 0; k < 3; k++) {
            transform.rows[i][k] = (float)(size * rows[i][k]);
            index -= size * rows[i][k] * middle[k];
        }
        transform.rows[i][3] = (float)index;
    }
    subject_must(pliant_body_set_transform(s->world, body, &transform));
}
