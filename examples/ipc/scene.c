/* Three scenes: a cloth that falls over a ball and a corner, a mat that is twisted, and soft boxes
 * that fall through a funnel. Meters, kilograms, seconds. */
#include "ipc.h"
#include <math.h>
#include <scenes.h>
#include <string.h>

static const double density = 1000, poisson = 0.4, turn = 6.283185307179586;

static void add_triangle(Surface *surface, int32_t a, int32_t b, int32_t c, int color)
{
    const int32_t corners[3] = {a, b, c};
    must(surface->count < MAX_TRIANGLES ? PLIANT_OK : PLIANT_TOO_LARGE);
    for (int k = 0; k < 3; k++)
        surface->triangles[3 * surface->count + k] = (uint32_t)corners[k];
    surface->colors[surface->count++] = color;
}

static void add_vertex(float *vertices, int32_t *count, const double *place)
{
    must(*count < MAX_VERTICES ? PLIANT_OK : PLIANT_TOO_LARGE);
    for (int k = 0; k < 3; k++)
        vertices[3 * *count + k] = (float)place[k];
    ++*count;
}

static void add_spring(Simulation *sim, int32_t a, int32_t b, double stiffness)
{
    double way[3];
    must(sim->spring_count < MAX_SPRINGS ? PLIANT_OK : PLIANT_TOO_LARGE);
    for (int k = 0; k < 3; k++)
        way[k] = (double)sim->now[3 * a + k] - (double)sim->now[3 * b + k];
    const Spring spring = {{a, b}, sqrt(dot(way, way)), stiffness, stiffness < 1};
    sim->springs[sim->spring_count++] = spring;
}

static void add_tet(Simulation *sim, const int32_t *v, double young)
{
    Tet *tet = &sim->tets[sim->tet_count];
    double e[3][3];
    must(sim->tet_count++ < MAX_TETS ? PLIANT_OK : PLIANT_TOO_LARGE);
    memcpy(tet->vertices, v, sizeof tet->vertices);
    for (int i = 0; i < 9; i++)
        e[i / 3][i % 3] =
            (double)sim->now[3 * v[i / 3 + 1] + i % 3] - (double)sim->now[3 * v[0] + i % 3];
    for (int i = 0; i < 3; i++)
        cross(e[(i + 1) % 3], e[(i + 2) % 3], tet->gradients[i + 1]);
    const double volume = dot(e[0], tet->gradients[1]);
    for (int i = 0; i < 9; i++) {
        tet->gradients[i / 3 + 1][i % 3] /= volume;
        tet->gradients[0][i % 3] -= tet->gradients[i / 3 + 1][i % 3];
    }
    tet->volume = fabs(volume) / 6;
    tet->shear = young / (2 * (1 + poisson));
    tet->bulk = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    for (int i = 0; i < 4; i++)
        sim->masses[v[i]] += density * tet->volume / 4;
}

/* Cells of six tetrahedra. From the lowest corner of a cell to the highest there are six ways along
 * edges: a tetrahedron each. Squares of the surface are divided along the same diagonal. */
typedef struct Block {
    int cells[3];
    double size[3], center[3], young;
    int color;
    double rotation[3][3];
} Block;

static void add_cell(Simulation *sim, const Block *block, const int *at, int32_t first)
{
    const int *n = block->cells, strides[3] = {(n[1] + 1) * (n[2] + 1), n[2] + 1, 1};
    for (int i = 0; i < 6; i++) {
        const int axes[3] = {i / 2, (i / 2 + 1 + i % 2) % 3, (i / 2 + 2 - i % 2) % 3};
        const int odd = i % 2;
        int32_t v[4] = {first + at[0] * strides[0] + at[1] * strides[1] + at[2], 0, 0, 0};
        for (int k = 0; k < 3; k++)
            v[k + 1] = v[k] + strides[axes[k]];
        add_tet(sim, v, block->young);
        if (at[axes[2]] == 0)
            add_triangle(&sim->moving, v[0], v[2 - odd], v[1 + odd], block->color);
        if (at[axes[0]] + 1 == n[axes[0]])
            add_triangle(&sim->moving, v[1], v[2 + odd], v[3 - odd], block->color);
    }
}

static void add_block(Simulation *sim, const Block *block)
{
    const int *n = block->cells, b = n[1] + 1, c = n[2] + 1;
    const int32_t first = sim->vertex_count;
    for (int i = 0; i < (n[0] + 1) * b * c; i++) {
        const int at[3] = {i / c / b, i / c % b, i % c};
        double local[3], place[3];
        for (int k = 0; k < 3; k++)
            local[k] = block->size[k] * ((double)at[k] / n[k] - 0.5);
        for (int k = 0; k < 3; k++)
            place[k] = block->center[k] + dot(block->rotation[k], local);
        add_vertex(sim->now, &sim->vertex_count, place);
    }
    for (int i = 0; i < n[0] * n[1] * n[2]; i++) {
        const int at[3] = {i / n[2] / n[1], i / n[2] % n[1], i % n[2]};
        add_cell(sim, block, at, first);
    }
}

/* Rows of vertices on circles about an axis at x, open at both ends, which may be smaller than the
 * barrier's reach. They face outward if heights rise, and inward if they fall. */
static void add_rings(Simulation *sim, int rows, int columns, const double *radii,
                      const double *heights, double x)
{
    const int32_t first = sim->fixed_count;
    for (int i = 0; i < rows * columns; i++) {
        const double radius = radii[i / columns], angle = turn * (i % columns) / columns;
        const double place[3] = {x + radius * cos(angle), heights[i / columns],
                                 radius * sin(angle)};
        add_vertex(sim->fixed, &sim->fixed_count, place);
    }
    for (int i = 0; i < (rows - 1) * columns; i++) {
        const int32_t a = first + i, b = first + i / columns * columns + (i + 1) % columns;
        add_triangle(&sim->standing, a, a + columns, b + columns, 0);
        add_triangle(&sim->standing, a, b + columns, b, 0);
    }
}

/* There is a floor. The barrier is forty times as stiff as inertia. */
static void finish(Simulation *sim, double gravity, double reach)
{
    static const double radii[2] = {3, 1e-4}, heights[2] = {0, 0};
    double mass = 0;
    for (int32_t v = 0; v < sim->vertex_count; v++)
        mass += sim->masses[v];
    add_rings(sim, 2, 4, radii, heights, 0);
    memcpy(sim->next, sim->now, sizeof sim->now);
    sim->dt = 0.01;
    sim->gravity = gravity;
    sim->reach = reach;
    sim->stiffness = 40 * mass / sim->vertex_count / (sim->dt * sim->dt) * reach * reach;
}

enum { SIDE = 33, LENGTH = 36, WIDTH = 12, ROW = 2 * (WIDTH + 1), CELLS = 4 };

static void build_cloth(Simulation *sim)
{
    static const double corner_radii[2] = {0.2, 1e-4}, corner_heights[2] = {0.01, 0.42};
    static const struct Links {
        int columns, rows;
        double stiffness;
    } kinds[6] = {{1, 0, 200}, {0, 1, 200}, {1, 1, 50}, {-1, 1, 50}, {2, 0, 0.3}, {0, 2, 0.3}};
    const double size = 1.1;
    double radii[13], heights[13];
    for (int i = 0; i < 13; i++) {
        radii[i] = 0.2 * fmax(sin(turn * i / 24), 1e-3);
        heights[i] = 0.21 - 0.2 * cos(turn * i / 24);
    }
    add_rings(sim, 13, 24, radii, heights, -0.22);
    add_rings(sim, 2, 4, corner_radii, corner_heights, 0.25);
    for (int v = 0; v < SIDE * SIDE; v++) {
        const int column = v % SIDE, row = v / SIDE;
        const double place[3] = {size * (column / (SIDE - 1.0) - 0.5), 0.43,
                                 size * (row / (SIDE - 1.0) - 0.5)};
        add_vertex(sim->now, &sim->vertex_count, place);
        sim->masses[v] = 0.2 * size * size / (SIDE * SIDE);
    }
    for (int v = 0; v < SIDE * SIDE; v++) {
        const int column = v % SIDE, row = v / SIDE;
        for (const struct Links *at = kinds; at < kinds + 6; at++)
            if (column + at->columns >= 0 && column + at->columns < SIDE && row + at->rows < SIDE)
                add_spring(sim, v, v + at->columns + SIDE * at->rows, at->stiffness);
        if (column + 1 < SIDE && row + 1 < SIDE) {
            add_triangle(&sim->moving, v, v + SIDE, v + SIDE + 1, 1);
            add_triangle(&sim->moving, v, v + SIDE + 1, v + 1, 1);
        }
    }
    finish(sim, 9.81, 0.002);
}

static void build_mat(Simulation *sim)
{
    const double axis[3] = {1, 0, 0};
    Block mat = {{LENGTH, WIDTH, 1}, {1, 0.4, 0.02}, {0, 0.5, 0}, 2e4, 1, {{0}}};
    scene_rotation(axis, 0, mat.rotation);
    add_block(sim, &mat);
    finish(sim, 0, 0.002);
    for (sim->handle_count = 0; sim->handle_count < 2 * ROW; sim->handle_count++) {
        const int i = sim->handle_count;
        Handle *handle = &sim->handles[i];
        handle->vertex = i < ROW ? i : (LENGTH - 1) * ROW + i;
        for (int k = 0; k < 3; k++)
            handle->place[k] = (double)sim->now[3 * handle->vertex + k];
        sim->masses[handle->vertex] = 1;
    }
}

/* 4.4 turns in four seconds. The ends come closer meanwhile. */
void turn_handles(Simulation *sim)
{
    const double angle = 0.5 * 4.4 * turn / 4 * sim->dt, nearer = 0.5 * 0.3 / 4 * sim->dt;
    for (int i = 0; i < sim->handle_count; i++) {
        const double side = i < ROW ? 1 : -1, c = cos(angle), s = side * sin(angle);
        double *place = sim->handles[i].place;
        const double y = place[1] - 0.5, z = place[2];
        place[0] += side * nearer;
        place[1] = 0.5 + c * y - s * z;
        place[2] = s * y + c * z;
    }
}

/* By the vertices, which are where the handles want them if they can be. */
void count_turns(Simulation *sim)
{
    double angles[2] = {0, 0};
    for (int i = 0; i < 2 && sim->handle_count > 0; i++) {
        const float *a = sim->now + 3 * sim->handles[i * ROW].vertex;
        const float *b = sim->now + 3 * sim->handles[(i + 1) * ROW - 1].vertex;
        angles[i] = atan2((double)b[2] - (double)a[2], (double)b[1] - (double)a[1]) / turn;
    }
    sim->turns += remainder(angles[0] - angles[1] - sim->turns, 1);
}

static void build_boxes(Simulation *sim)
{
    static const double radii[5] = {0.55, 0.11, 0.11, 0.11, 0.11};
    static const double heights[5] = {1, 0.55, 0.48, 0.41, 0.34}, axis[3] = {0.6, 0, 0.8};
    add_rings(sim, 5, 32, radii, heights, 0);
    for (int i = 0; i < 5; i++) {
        Block box = {{CELLS, CELLS, CELLS}, {0.2, 0.2, 0.2}, {0, 1, 0}, 1e4, 1 + i, {{0}}};
        box.center[0] = 0.16 * cos(2.4 * i);
        box.center[1] = 1 + 0.25 * i;
        box.center[2] = 0.16 * sin(2.4 * i);
        scene_rotation(axis, 0.4 + 1.1 * i, box.rotation);
        add_block(sim, &box);
    }
    finish(sim, 9.81, 0.003);
}

const Scene scenes[SCENES] = {
    {"cloth", 300, build_cloth, {-0.5, 0.45, 1.5, 0, 0}, {0, 0.2, 0}},
    {"mat", 400, build_mat, {-0.3, 0.25, 1, 0, 0}, {0, 0.5, 0}},
    {"boxes", 300, build_boxes, {-0.3, 0.45, 2.2, 0, 0}, {0, 0.55, 0}},
};
