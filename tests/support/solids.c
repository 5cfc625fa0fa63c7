/* Closed bodies: see solids.h. */
#include "solids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
#define SOLID_KIND_NAME(name, text) #name,
    SOLID_KINDS(SOLID_KIND_NAME)
#undef SOLID_KIND_NAME
};

const char *solid_kind_name(SolidKind kind)
{
    return kind_names[kind];
}

/* ---- Bodies ------------------------------------------------------------------------------------
 */

static SceneMesh allocate_mesh(int32_t vertex_count, int32_t triangle_count)
{
    return (SceneMesh){scene_allocate(3 * (size_t)vertex_count, sizeof(float)),
                       scene_allocate(3 * (size_t)triangle_count, sizeof(uint32_t)), vertex_count,
                       triangle_count};
}

SceneMesh solid_box(const float low[3], const float high[3])
{
    static const uint32_t triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                              {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                              {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    SceneMesh mesh = allocate_mesh(8, 12);
    for (int v = 0; v < 8; v++)
        for (int k = 0; k < 3; k++)
            mesh.vertices[3 * v + k] = v >> k & 1 ? high[k] : low[k];
    memcpy(mesh.triangles, triangles, sizeof triangles);
    return mesh;
}

SceneMesh solid_torus(double radius, double tube, int around, int across)
{
    const double turn = 6.283185307179586;
    SceneMesh mesh = allocate_mesh(around * across, 2 * around * across);
    for (int i = 0; i < around; i++)
        for (int j = 0; j < across; j++) {
            const double u = turn * i / around, v = turn * j / across;
            const double from_axis = radius + tube * scene_cos(v);
            float *vertex = mesh.vertices + 3 * (i * across + j);
            vertex[0] = (float)(from_axis * scene_cos(u));
            vertex[1] = (float)(from_axis * scene_sin(u));
            vertex[2] = (float)(tube * scene_sin(v));
            const uint32_t next_i = (uint32_t)((i + 1) % around * across);
            const uint32_t next_j = (uint32_t)((j + 1) % across), this_i = (uint32_t)(i * across);
            const uint32_t corners[6] = {this_i + (uint32_t)j, next_i + (uint32_t)j,
                                         this_i + next_j,      this_i + next_j,
                                         next_i + (uint32_t)j, next_i + next_j};
            memcpy(mesh.triangles + 6 * (i * across + j), corners, sizeof corners);
        }
    return mesh;
}

/* A prism over an angle of six corners: a box without one of its edges. */
static SceneMesh make_step(const double at[2])
{
    const double outline[6][2] = {{-0.7, -0.6},   {0.7, -0.6},  {0.7, at[1]},
                                  {at[0], at[1]}, {at[0], 0.6}, {-0.7, 0.6}};
    static const uint32_t faces[4][3] = {{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}};
    SceneMesh mesh = allocate_mesh(12, 20);
    for (int v = 0; v < 12; v++) {
        mesh.vertices[3 * v] = (float)outline[v % 6][0];
        mesh.vertices[3 * v + 1] = (float)outline[v % 6][1];
        mesh.vertices[3 * v + 2] = v < 6 ? -0.45f : 0.5f;
    }
    uint32_t *to = mesh.triangles;
    for (uint32_t f = 0; f < 4; f++, to += 6)
        for (uint32_t c = 0; c < 3; c++) {
            to[c] = faces[f][2 - c];
            to[3 + c] = faces[f][c] + 6;
        }
    for (uint32_t i = 0; i < 6; i++, to += 6) {
        const uint32_t j = (i + 1) % 6, side[6] = {i, j, i + 6, i + 6, j, j + 6};
        memcpy(to, side, sizeof side);
    }
    return mesh;
}

static double any(SceneRandom *random, double low, double high)
{
    return low + (high - low) * scene_random(random);
}

/* Shoemake's: four numbers on a sphere. */
void solid_random_rotation(SceneRandom *random, double rows[3][3])
{
    double q[4], length;
    do {
        length = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = any(random, -1, 1);
            length += q[i] * q[i];
        }
    } while (length < 0.01 || length > 1);
    const double s = 2 / length, w = q[0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int k = 3 - i - j; /* the third, where i and j differ */
            const double sign = (j - i + 3) % 3 == 1 ? -1 : 1;
            rows[i][j] = i == j ? 1 - s * (length - w * w - q[1 + i] * q[1 + i])
                                : s * (q[1 + i] * q[1 + j] + sign * w * q[1 + k]);
        }
}

static void turn(SceneMesh *mesh, SceneRandom *random)
{
    static const double nowhere[3] = {0, 0, 0};
    double rows[3][3];
    solid_random_rotation(random, rows);
    scene_mesh_move(mesh, rows, nowhere);
}

static SceneMesh make_box(SceneRandom *random, const double sides[3])
{
    float low[3], high[3];
    for (int k = 0; k < 3; k++) {
        const double middle = any(random, -0.1, 0.1);
        low[k] = (float)(middle - sides[k]);
        high[k] = (float)(middle + sides[k]);
    }
    return solid_box(low, high);
}

/* One side or two that are short. */
static SceneMesh make_flat(SceneRandom *random, int short_count)
{
    double sides[3];
    const double thickness = 0.2 * pow(10, -1.5 * scene_random(random));
    const int first = (int)scene_random_below(random, 3);
    for (int k = 0; k < 3; k++)
        sides[(first + k) % 3] = k < short_count ? thickness : any(random, 0.5, 0.8);
    SceneMesh mesh = make_box(random, sides);
    if (scene_random_below(random, 2))
        turn(&mesh, random);
    return mesh;
}

/* By at most a tenth. */
static SceneMesh make_leaning(SceneRandom *random)
{
    static const double nowhere[3] = {0, 0, 0};
    double sides[3], rows[3][3], axis[3] = {0, 0, 0};
    const int first = (int)scene_random_below(random, 3);
    for (int k = 0; k < 3; k++)
        sides[(first + k) % 3] = k == 0 ? 0.1 * pow(10, -1.5 * scene_random(random)) : 0.7;
    SceneMesh mesh = make_box(random, sides);
    axis[scene_random_below(random, 3)] = 1;
    scene_rotation(axis, any(random, -0.1, 0.1), rows);
    scene_mesh_move(&mesh, rows, nowhere);
    return mesh;
}

/* Two to five boxes, and what is between them is of other widths. */
static SceneMesh make_rack(SceneRandom *random)
{
    SceneMesh mesh = {0};
    const int first = (int)scene_random_below(random, 3);
    const uint32_t count = 2 + scene_random_below(random, 4);
    double at = -0.8;
    for (uint32_t i = 0; i < count; i++) {
        float low[3], high[3];
        const double thickness = 0.2 * pow(10, -1.5 * scene_random(random));
        for (int k = 0; k < 3; k++) {
            low[(first + k) % 3] = k == 0 ? (float)at : (float)any(random, -0.7, -0.3);
            high[(first + k) % 3] = k == 0 ? (float)(at + thickness) : (float)any(random, 0.3, 0.7);
        }
        at += thickness + any(random, 0.02, 0.2);
        scene_mesh_append(&mesh, solid_box(low, high), false);
    }
    return mesh;
}

static SceneMesh make_tetrahedron(SceneRandom *random)
{
    static const uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    SceneMesh mesh = allocate_mesh(4, 4);
    memcpy(mesh.triangles, triangles, sizeof triangles);
    double volume = 0;
    while (fabs(volume) < 0.05) {
        for (int i = 0; i < 12; i++)
            mesh.vertices[i] = (float)any(random, -0.9, 0.9);
        volume = solid_volume(&mesh);
    }
    for (int i = 0; i < 12 && volume < 0; i += 3) {
        mesh.triangles[i] = triangles[i / 3][1];
        mesh.triangles[i + 1] = triangles[i / 3][0];
    }
    return mesh;
}

static SceneMesh any_sphere(SceneRandom *random)
{
    return scene_sphere((SceneSolid)scene_random_below(random, 3),
                        1 + (int)scene_random_below(random, 2));
}

static SceneMesh make_round(SceneRandom *random)
{
    SceneMesh mesh = any_sphere(random);
    turn(&mesh, random);
    double sides[3];
    for (int k = 0; k < 3; k++)
        sides[k] = any(random, 0.4, 1);
    for (int32_t i = 0; i < 3 * mesh.vertex_count; i++)
        mesh.vertices[i] *= (float)sides[i % 3];
    turn(&mesh, random);
    return mesh;
}

/* Each vertex by another radius: a little, or so much that there are spikes. */
static SceneMesh make_rough(SceneRandom *random, double least)
{
    SceneMesh mesh = scene_icosphere(1 + (int)scene_random_below(random, 2));
    for (int32_t v = 0; v < mesh.vertex_count; v++) {
        const float radius = (float)any(random, least, 1);
        for (int k = 0; k < 3; k++)
            mesh.vertices[3 * v + k] *= radius;
    }
    turn(&mesh, random);
    return mesh;
}

/* Each triangle the other way round. */
static void turn_over(SceneMesh *mesh)
{
    for (int32_t t = 0; t < 3 * mesh->triangle_count; t += 3) {
        const uint32_t first = mesh->triangles[t];
        mesh->triangles[t] = mesh->triangles[t + 1];
        mesh->triangles[t + 1] = first;
    }
}

static SceneMesh make_hollow(SceneRandom *random)
{
    SceneMesh mesh = scene_icosphere(1), inner = scene_icosphere(1);
    turn(&inner, random);
    solid_place(&inner, any(random, 0.3, 0.7), (const double[3]){0.03, -0.02, 0.04});
    turn_over(&inner);
    scene_mesh_append(&mesh, inner, false);
    turn(&mesh, random);
    return mesh;
}

static SceneMesh make_pair(SceneRandom *random)
{
    SceneMesh mesh = any_sphere(random), other = any_sphere(random);
    const double size = any(random, 0.2, 0.45);
    solid_place(&mesh, size, (const double[3]){-0.5, 0.1, 0.1});
    solid_place(&other, 0.9 - size, (const double[3]){0.5, 0, -0.1});
    scene_mesh_append(&mesh, other, false);
    turn(&mesh, random);
    return mesh;
}

SceneMesh solid_random(SolidKind kind, SceneRandom *random)
{
    SceneMesh mesh = {0};
    double sides[3];
    for (int k = 0; k < 3; k++)
        sides[k] = any(random, 0.3, 0.8);
    switch (kind) {
    case SOLID_step:
        return make_step((const double[2]){sides[0] - 0.5, sides[1] - 0.5});
    case SOLID_turned:
        mesh = make_box(random, sides);
        turn(&mesh, random);
        return mesh;
    case SOLID_plate:
        return make_flat(random, 1);
    case SOLID_leaning:
        return make_leaning(random);
    case SOLID_rack:
        return make_rack(random);
    case SOLID_needle:
        return make_flat(random, 2);
    case SOLID_tetrahedron:
        return make_tetrahedron(random);
    case SOLID_round:
        return make_round(random);
    case SOLID_torus:
        mesh = solid_torus(0.7, 0.35 * sides[0], 12 + (int)scene_random_below(random, 8), 8);
        turn(&mesh, random);
        return mesh;
    case SOLID_bumpy:
        return make_rough(random, 0.85);
    case SOLID_star:
        return make_rough(random, 0.35);
    case SOLID_hollow:
        return make_hollow(random);
    case SOLID_pair:
        return make_pair(random);
    default:
        return make_box(random, sides);
    }
}

void solid_place(SceneMesh *mesh, double scale, const double position[3])
{
    for (int32_t i = 0; i < 3 * mesh->vertex_count; i++)
        mesh->vertices[i] = (float)(scale * (double)mesh->vertices[i] + position[i % 3]);
}

PliantShape *solid_shape(const SceneMesh *mesh)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    PliantShape *shape = NULL;
    PliantResult result = pliant_shape_create(&def, &shape);
    if (result == PLIANT_OK)
        return shape;
    fprintf(stderr, "solids: %s\n", pliant_result_name(result));
    exit(1);
}

SceneMesh solid_join(const SceneMesh *a, const SceneMesh *b)
{
    SceneMesh both = {.vertex_count = a->vertex_count + b->vertex_count,
                      .triangle_count = a->triangle_count + b->triangle_count};
    const size_t a_vertices = 3 * (size_t)a->vertex_count,
                 a_corners = 3 * (size_t)a->triangle_count;
    both.vertices = scene_allocate(3 * (size_t)both.vertex_count, sizeof(float));
    both.triangles = scene_allocate(3 * (size_t)both.triangle_count, sizeof(uint32_t));
    memcpy(both.vertices, a->vertices, a_vertices * sizeof(float));
    memcpy(both.vertices + a_vertices, b->vertices, 3 * (size_t)b->vertex_count * sizeof(float));
    memcpy(both.triangles, a->triangles, a_corners * sizeof(uint32_t));
    for (size_t i = 0; i < 3 * (size_t)b->triangle_count; i++)
        both.triangles[a_corners + i] = (uint32_t)a->vertex_count + b->triangles[i];
    return both;
}
