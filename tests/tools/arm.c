/* An arm in a sleeve: see arm.h.
 *
 * Both are grids of rings and columns. Rings of the arm go from one pole to the other; those of the
 * sleeve go along its outside and back along its inside. A vertex on the seam is there twice, and
 * is computed from the same numbers both times, so that the two are the same to the bit. */
#include "arm.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const double turn = 6.283185307179586;
static const double length = 0.68, elbow = 0.32, wrist = 0.54;
static const double sleeve_start = 0.07, sleeve_end = 0.43;

const char *const arm_joint_names[ARM_JOINTS] = {"shoulder", "elbow", "wrist"};
const float arm_joint_x[ARM_JOINTS] = {0.0f, 0.32f, 0.54f};

ArmDetail arm_detail_default(void)
{
    return (ArmDetail){56, 48, 28};
}

/* ---- The surface ------------------------------------------------------------------------------
 */

static double smooth(double x)
{
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * (3 - 2 * x);
}

static double bump(double x)
{
    return fabs(x) < 1 ? (1 - x * x) * (1 - x * x) : 0;
}

/* Half of the height and of the width of the arm, without its round ends. */
static void extents(double x, double extent[2])
{
    static const double keys[][3] = {
        {0.00, 0.058, 0.056}, {0.09, 0.057, 0.054}, {0.19, 0.052, 0.047}, {0.32, 0.040, 0.042},
        {0.39, 0.043, 0.045}, {0.47, 0.034, 0.037}, {0.54, 0.023, 0.030}, {0.60, 0.019, 0.041},
        {0.64, 0.016, 0.039}, {0.68, 0.011, 0.030}};
    enum { KEYS = sizeof keys / sizeof *keys };
    int k = 0;
    while (k + 2 < KEYS && x > keys[k + 1][0])
        k++;
    const double part = smooth((x - keys[k][0]) / (keys[k + 1][0] - keys[k][0]));
    for (int i = 0; i < 2; i++)
        extent[i] = keys[k][1 + i] + part * (keys[k + 1][1 + i] - keys[k][1 + i]);
}

static double cap(double from_end, double size)
{
    const double rest = 1 - from_end / size;
    return from_end <= 0 ? 0 : rest <= 0 ? 1 : sqrt(1 - rest * rest);
}

/* Rings are closer at the ends and about the elbow. */
static void place_on_arm(double u, double v, double point[3])
{
    const double x = length * (u - 0.75 * sin(2 * turn * u) / (2 * turn));
    double extent[2];
    extents(x, extent);
    const double round = cap(x, 0.055) * cap(length - x, 0.035);
    const double thumb = 0.020 * bump((x - 0.585) / 0.035) * bump((v - 0.25) / 0.1);
    point[0] = x;
    point[1] = extent[0] * round * cos(turn * v);
    point[2] = (extent[1] * round + thumb) * sin(turn * v);
}

/* u up to a half is the outside, from there back the inside. */
static void place_on_sleeve(double u, double v, double point[3])
{
    const bool is_outside = u < 0.5;
    const double along = is_outside ? 2 * u : 2 - 2 * u;
    const double x = sleeve_start + along * (sleeve_end - sleeve_start);
    const double flare = 0.006 * smooth((along - 0.8) / 0.2) + 0.003 * smooth((0.1 - along) / 0.1);
    const double folds = 0.0012 * (1 + sin(turn * (9 * along + 0.15 * sin(turn * v))));
    const double gap = 0.0045 + flare + folds + (is_outside ? 0.0035 : 0);
    double extent[2];
    extents(x, extent);
    point[0] = x;
    point[1] = (extent[0] + gap) * cos(turn * v);
    point[2] = (extent[1] + gap) * sin(turn * v);
}

/* ---- What a vertex follows --------------------------------------------------------------------
 */

/* The sleeve is bent in a shorter stretch than the arm. */
static void set_weights(ArmPart *part, int32_t vertex, double stretch)
{
    const double x = (double)part->positions[vertex][0];
    const float bent = (float)smooth((x - elbow + stretch) / (2 * stretch));
    const float turned = (float)smooth((x - wrist + 0.03) / 0.06);
    part->weights[vertex][0] = 1 - bent;
    part->weights[vertex][1] = bent * (1 - turned);
    part->weights[vertex][2] = bent * turned;
    for (int k = 0; k < ARM_JOINTS; k++)
        part->joints[vertex][k] = part->weights[vertex][k] > 0 ? (uint16_t)k : 0;
}

/* Away from the middle, by so much. */
static void set_target(ArmPart *part, int target, int32_t vertex, double size)
{
    const float *p = part->positions[vertex];
    const double distance = sqrt((double)p[1] * (double)p[1] + (double)p[2] * (double)p[2]);
    for (int k = 1; k < 3 && distance > 0; k++)
        part->targets[target][vertex][k] = (float)(size * (double)p[k] / distance);
}

static void set_targets(ArmPart *part, int32_t vertex, bool is_arm)
{
    const double x = (double)part->positions[vertex][0];
    const double muscle = bump((x - 0.18) / 0.12);
    set_target(part, 0, vertex, (is_arm ? 0.016 : 0.006) * muscle);
    if (is_arm)
        set_target(part, 1, vertex, -0.006 * bump((x - 0.3) / 0.28));
}

/* ---- Grids ------------------------------------------------------------------------------------
 */

static void *allocate(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (block)
        return block;
    fprintf(stderr, "arm: no memory\n");
    exit(1);
}

typedef struct Grid {
    int rings, segments;
    bool is_loop; /* or from pole to pole */
    void (*index)(double u, double v, double point[3]);
} Grid;

/* The vertex that stands for all that are in its place. */
static int32_t main_vertex(const Grid *grid, int ring, int column)
{
    const bool is_pole = !grid->is_loop && (ring == 0 || ring == grid->rings);
    ring = grid->is_loop ? ring % grid->rings : ring;
    column = is_pole ? 0 : column % grid->segments;
    return ring * (grid->segments + 1) + column;
}

static void place_vertices(ArmPart *part, const Grid *grid)
{
    for (int32_t i = 0; i < part->vertex_count; i++) {
        const int ring = i / (grid->segments + 1), column = i % (grid->segments + 1);
        const int32_t index = main_vertex(grid, ring, column);
        const int main_ring = index / (grid->segments + 1);
        const int main_column = index % (grid->segments + 1);
        double point[3];
        grid->index((double)main_ring / grid->rings, (double)main_column / grid->segments, point);
        for (int k = 0; k < 3; k++)
            part->positions[i][k] = (float)point[k];
        part->corner_places[i][0] = (float)column / (float)grid->segments;
        part->corner_places[i][1] = (float)ring / (float)grid->rings;
    }
}

/* Counter-clockwise seen from outside. At a pole one triangle of two has no area, and is left out.
 */
static void place_triangles(ArmPart *part, const Grid *grid)
{
    for (int ring = 0; ring < grid->rings; ring++)
        for (int column = 0; column < grid->segments; column++) {
            const uint32_t a = (uint32_t)(ring * (grid->segments + 1) + column), b = a + 1;
            const uint32_t c = a + (uint32_t)grid->segments + 1, d = c + 1;
            const uint32_t both[2][3] = {{a, d, c}, {a, b, d}};
            const bool is_first = !grid->is_loop && ring == 0;
            const bool is_last = !grid->is_loop && ring + 1 == grid->rings;
            for (int t = is_last; t < 2 - is_first; t++, part->triangle_count++)
                for (int k = 0; k < 3; k++)
                    part->triangles[part->triangle_count][k] = both[t][k];
        }
}

static void add_normal(const ArmPart *part, const Grid *grid, const uint32_t corners[3],
                       double (*sums)[3])
{
    double side[2][3];
    for (int k = 0; k < 6; k++)
        side[k / 3][k % 3] = (double)part->positions[corners[1 + k / 3]][k % 3] -
                             (double)part->positions[corners[0]][k % 3];
    for (int c = 0; c < 3; c++) {
        const int ring = (int)corners[c] / (grid->segments + 1);
        double *sum = sums[main_vertex(grid, ring, (int)corners[c] % (grid->segments + 1))];
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            sum[k] += side[0][i] * side[1][j] - side[0][j] * side[1][i];
        }
    }
}

static void set_normals(ArmPart *part, const Grid *grid)
{
    double(*sums)[3] = allocate((size_t)part->vertex_count, sizeof *sums);
    for (int32_t t = 0; t < part->triangle_count; t++)
        add_normal(part, grid, part->triangles[t], sums);
    for (int32_t i = 0; i < part->vertex_count; i++) {
        const int ring = i / (grid->segments + 1);
        const double *sum = sums[main_vertex(grid, ring, i % (grid->segments + 1))];
        const double size = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        for (int k = 0; k < 3; k++)
            part->normals[i][k] = size > 0 ? (float)(sum[k] / size) : (float)(k == 0);
    }
    free(sums);
}

static void make_part(ArmPart *part, const Grid *grid, bool is_arm)
{
    const size_t vertices = (size_t)(grid->rings + 1) * (size_t)(grid->segments + 1);
    part->vertex_count = (int32_t)vertices;
    part->positions = allocate(vertices, sizeof *part->positions);
    part->normals = allocate(vertices, sizeof *part->normals);
    part->corner_places = allocate(vertices, sizeof *part->corner_places);
    part->joints = allocate(vertices, sizeof *part->joints);
    part->weights = allocate(vertices, sizeof *part->weights);
    part->triangles =
        allocate(2 * (size_t)grid->rings * (size_t)grid->segments, sizeof *part->triangles);
    for (int t = 0; t < ARM_TARGETS; t++) /* all, so that who has fewer has empty ones */
        part->targets[t] = allocate(vertices, sizeof *part->targets[t]);
    place_vertices(part, grid);
    place_triangles(part, grid);
    set_normals(part, grid);
    for (int32_t i = 0; i < part->vertex_count; i++) {
        set_weights(part, i, is_arm ? 0.07 : 0.03);
        set_targets(part, i, is_arm);
    }
}

Arm arm_make(const ArmDetail *detail)
{
    Arm arm = {{{.name = "arm",
                 .material = "skin",
                 .color = {0.8f, 0.52f, 0.37f},
                 .target_count = 2,
                 .target_names = {"swell", "thin"}},
                {.name = "sleeve",
                 .material = "cloth",
                 .color = {0.16f, 0.3f, 0.55f},
                 .target_count = 1,
                 .target_names = {"swell"}}}};
    make_part(&arm.parts[0], &(Grid){detail->arm_rings, detail->segments, false, place_on_arm},
              true);
    make_part(&arm.parts[1], &(Grid){detail->sleeve_rings, detail->segments, true, place_on_sleeve},
              false);
    return arm;
}

void arm_free(Arm *arm)
{
    for (int p = 0; p < ARM_PARTS; p++) {
        ArmPart *part = &arm->parts[p];
        free(part->positions);
        free(part->normals);
        free(part->corner_places);
        free(part->joints);
        free(part->weights);
        free(part->triangles);
        for (int t = 0; t < ARM_TARGETS; t++)
            free(part->targets[t]);
    }
    *arm = (Arm){0};
}

/* The hand does not turn by itself, so that there are two places to blend. */
void arm_bend(const ArmPart *part, double angle, float (*vertices)[3])
{
    const double c = cos(angle), s = sin(angle), at = (double)arm_joint_x[1];
    for (int32_t i = 0; i < part->vertex_count; i++) {
        const float *p = part->positions[i];
        const double unchanged = (double)part->weights[i][0], x = (double)p[0] - at,
                     y = (double)p[1];
        vertices[i][0] = (float)(unchanged * (double)p[0] + (1 - unchanged) * (at + c * x - s * y));
        vertices[i][1] = (float)(unchanged * y + (1 - unchanged) * (s * x + c * y));
        vertices[i][2] = p[2];
    }
}
