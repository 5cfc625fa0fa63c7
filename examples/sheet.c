/* See sheet.h. Links are held as in XPBD: Macklin, Mueller and Chentanez 2016. */
#include "sheet.h"

#include <stdlib.h>
#include <string.h>

/* Of links, for vertices of mass one, in seconds squared. Threads do not give; their angle does. */
static const float stretch_compliance = 0, shear_compliance = 5e-6f, bend_compliance = 7e-7f;

/* Links without compliance are over-relaxed: they converge slowly. */
static const float over_relaxation = 1.5f;

/* ---- Making -------------------------------------------------------------------------------- */

/* By row and column. */
static uint32_t vertex_at(const SheetDef *def, int row, int column)
{
    return (uint32_t)(row * (def->cells + 1) + column);
}

static void place_vertices(const SheetDef *def, float *vertices)
{
    for (int row = 0; row <= def->cells; row++)
        for (int column = 0; column <= def->cells; column++) {
            float *point = vertices + 3 * vertex_at(def, row, column);
            point[0] = def->side * ((float)column / (float)def->cells - 0.5f);
            point[1] = 0;
            point[2] = def->side * ((float)row / (float)def->cells - 0.5f);
        }
}

/* Two triangles for each cell. Diagonals run toward the middle, as folds do. */
static void add_cells(const SheetDef *def, SceneMesh *mesh)
{
    static const int order[2][6] = {{0, 2, 1, 1, 2, 3}, {0, 2, 3, 0, 3, 1}};
    for (int row = 0; row < def->cells; row++)
        for (int column = 0; column < def->cells; column++) {
            const bool is_turned = (column < def->cells / 2) == (row < def->cells / 2);
            for (int k = 0; k < 6; k++) {
                const int corner = order[is_turned][k];
                mesh->triangles[3 * mesh->triangle_count + k] =
                    vertex_at(def, row + corner / 2, column + corner % 2);
            }
            mesh->triangle_count += 2;
        }
}

static SheetLink *add_link(Sheet *sheet, uint32_t a, uint32_t b, float compliance)
{
    SheetLink *link = &sheet->links[sheet->link_count++];
    link->a = a;
    link->b = b;
    link->length = sheet_distance(sheet->mesh.vertices + 3 * a, sheet->mesh.vertices + 3 * b);
    link->compliance = compliance;
    return link;
}

/* Links against bending are between vertices two cells apart, down or to the right. */
static void add_bending(Sheet *sheet, const SheetDef *def, int down, int right)
{
    for (int row = 0; row + 2 * down <= def->cells; row++)
        for (int column = 0; column + 2 * right <= def->cells; column++)
            add_link(sheet, vertex_at(def, row, column),
                     vertex_at(def, row + 2 * down, column + 2 * right), bend_compliance);
}

Sheet sheet_make(const SheetDef *def)
{
    Sheet sheet;
    memset(&sheet, 0, sizeof sheet);
    sheet.mesh.vertex_count = (def->cells + 1) * (def->cells + 1);
    const size_t count = (size_t)sheet.mesh.vertex_count;
    sheet.mesh.vertices = (float *)scene_allocate(count, sizeof(float[3]));
    sheet.mesh.triangles =
        (uint32_t *)scene_allocate((size_t)2 * def->cells * def->cells, sizeof(uint32_t[3]));
    sheet.velocities = (float *)scene_allocate(count, sizeof(float[3]));
    sheet.next = (float *)scene_allocate(count, sizeof(float[3]));
    sheet.next_velocities = (float *)scene_allocate(count, sizeof(float[3]));
    sheet.links = (SheetLink *)scene_allocate(5 * count, sizeof(SheetLink)); /* two, three edges */
    place_vertices(def, sheet.mesh.vertices);
    add_cells(def, &sheet.mesh);
    add_bending(&sheet, def, 0, 1);
    add_bending(&sheet, def, 1, 0);
    return sheet;
}

void sheet_free(Sheet *sheet)
{
    scene_mesh_free(&sheet->mesh);
    free(sheet->velocities);
    free(sheet->next);
    free(sheet->next_velocities);
    free(sheet->links);
}

/* Diagonals are longer than the sides of cells, and give. */
void sheet_add_edges(Sheet *sheet, const uint32_t *edges, int32_t edge_count)
{
    const float *vertices = sheet->mesh.vertices;
    const float cell = sheet_distance(vertices, vertices + 3);
    for (int32_t e = 0; e < edge_count; e++) {
        SheetLink *link = add_link(sheet, edges[2 * e], edges[2 * e + 1], stretch_compliance);
        if (link->length > 1.2f * cell)
            link->compliance = shear_compliance;
    }
}

/* ---- Links --------------------------------------------------------------------------------- */

void sheet_start(const Sheet *sheet)
{
    for (int32_t i = 0; i < sheet->link_count; i++)
        sheet->links[i].multiplier = 0;
}

/* Moves the ends of a link as far toward its length as its compliance allows. */
static void hold(float *vertices, SheetLink *link, float dt)
{
    float *a = vertices + 3 * link->a, *b = vertices + 3 * link->b;
    const float d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    const float length = sqrtf(sheet_dot(d, d)), soft = link->compliance / (dt * dt);
    if (length == 0)
        return;
    const float excess = length - link->length + soft * link->multiplier;
    const float change = -(soft > 0 ? 1 : over_relaxation) * excess / (2 + soft);
    link->multiplier += change;
    for (int k = 0; k < 3; k++) {
        a[k] += change / length * d[k];
        b[k] -= change / length * d[k];
    }
}

void sheet_hold(const Sheet *sheet, float dt, bool is_backward)
{
    for (int32_t i = 0; i < sheet->link_count; i++)
        hold(sheet->next, &sheet->links[is_backward ? sheet->link_count - 1 - i : i], dt);
}
