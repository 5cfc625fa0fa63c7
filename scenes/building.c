/* Walls, boxes, turned and soft things: see building.h. */
#include "building.h"

#include <math.h> /* sqrt: exactly rounded everywhere */
#include <string.h>

static const double turn = 6.283185307179586;

static SceneMesh empty(int32_t vertex_count, int32_t triangle_count)
{
    return (SceneMesh){scene_allocate(3 * (size_t)vertex_count, sizeof(float)),
                       scene_allocate(3 * (size_t)triangle_count, sizeof(uint32_t)), vertex_count,
                       triangle_count};
}

static void set_vertex(SceneMesh *mesh, int32_t vertex, const double point[3])
{
    for (int k = 0; k < 3; k++)
        mesh->vertices[3 * vertex + k] = (float)point[k];
}

/* ---- Flat -------------------------------------------------------------------------------- */

void building_quad(SceneMesh *mesh, const double corners[4][3])
{
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    SceneMesh quad = empty(4, 2);
    for (int c = 0; c < 4; c++)
        set_vertex(&quad, c, corners[c]);
    memcpy(quad.triangles, triangles, sizeof triangles);
    scene_mesh_append(mesh, quad, false);
}

void building_wall(SceneMesh *mesh, const double from[2], const double to[2], double low,
                   double high)
{
    building_quad(mesh, (const double[4][3]){{from[0], low, from[1]},
                                             {to[0], low, to[1]},
                                             {to[0], high, to[1]},
                                             {from[0], high, from[1]}});
}

void building_slab(SceneMesh *mesh, const double low[2], const double high[2], double y,
                   bool looks_up)
{
    const double near = looks_up ? high[1] : low[1], far = looks_up ? low[1] : high[1];
    building_quad(mesh,
                  (const double[4][3]){
                      {low[0], y, near}, {high[0], y, near}, {high[0], y, far}, {low[0], y, far}});
}

void building_box(SceneMesh *mesh, const double center[3], const double half[3], double angle)
{
    static const uint32_t triangles[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    double rotation[3][3];
    SceneMesh box = empty(8, 12);
    for (int c = 0; c < 8; c++)
        set_vertex(&box, c,
                   (const double[]){c & 1 ? half[0] : -half[0], c & 2 ? half[1] : -half[1],
                                    c & 4 ? half[2] : -half[2]});
    memcpy(box.triangles, triangles, sizeof triangles);
    scene_rotation((const double[]){0, 1, 0}, angle, rotation);
    scene_mesh_move(&box, rotation, center);
    scene_mesh_append(mesh, box, false);
}

/* ---- Round ------------------------------------------------------------------------------- */

static void place_on_lathe(const void *data, double u, double v, double point[3])
{
    const BuildingProfile *profile = data;
    const double *keys = profile->keys[0];
    const double radius = u == 0 || u == 1 ? 0 : scene_through(keys, profile->key_count, 3, 1, u);
    point[0] = radius * scene_cos(turn * v);
    point[1] = scene_through(keys, profile->key_count, 3, 2, u);
    point[2] = radius * scene_sin(turn * v);
}

void building_lathe(SceneMesh *mesh, int ring_count, int segment_count, BuildingProfile profile,
                    const double foot[3], double size)
{
    double scale[3][3] = {{size, 0, 0}, {0, size, 0}, {0, 0, size}};
    SceneMesh piece = scene_rings(ring_count, segment_count, place_on_lathe, &profile);
    scene_mesh_move(&piece, scale, foot);
    scene_mesh_append(mesh, piece, false);
}

static void place_on_cushion(const void *data, double u, double v, double point[3])
{
    const BuildingCushion *cushion = data;
    const double around = scene_sin(0.5 * turn * u);
    const double p[3] = {around * scene_cos(turn * v), scene_cos(0.5 * turn * u),
                         around * scene_sin(turn * v)};
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += p[k] * p[k] * p[k] * p[k];
    for (int k = 0; k < 3; k++)
        point[k] = cushion->half[k] * p[k] / sqrt(sqrt(sum));
}

void building_cushion(SceneMesh *mesh, int ring_count, int segment_count,
                      const BuildingCushion *cushion)
{
    double tilt[3][3], about[3][3], rotation[3][3];
    SceneMesh piece = scene_rings(ring_count, segment_count, place_on_cushion, cushion);
    scene_rotation((const double[]){1, 0, 0}, cushion->tilt, tilt);
    scene_rotation((const double[]){0, 1, 0}, cushion->angle, about);
    scene_rotation_product(about, tilt, rotation);
    scene_mesh_move(&piece, rotation, cushion->center);
    scene_mesh_append(mesh, piece, false);
}

/* ---- Sheets ------------------------------------------------------------------------------ */

static void join_square(uint32_t *triangles, uint32_t corner, uint32_t row)
{
    const uint32_t square[6] = {corner, corner + row,     corner + row + 1,
                                corner, corner + row + 1, corner + 1};
    memcpy(triangles, square, sizeof square);
}

void building_sheet(SceneMesh *mesh, int u_count, int v_count, ScenePlace *index, const void *data)
{
    const int row = v_count + 1;
    SceneMesh sheet = empty((u_count + 1) * row, 2 * u_count * v_count);
    for (int i = 0; i <= u_count; i++)
        for (int j = 0; j <= v_count; j++) {
            double point[3];
            index(data, (double)i / u_count, (double)j / v_count, point);
            set_vertex(&sheet, i * row + j, point);
        }
    for (int i = 0; i < u_count; i++)
        for (int j = 0; j < v_count; j++)
            join_square(sheet.triangles + 6 * (size_t)(i * v_count + j), (uint32_t)(i * row + j),
                        (uint32_t)row);
    scene_mesh_append(mesh, sheet, false);
}
