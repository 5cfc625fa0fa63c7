/* Stages: see stage.h. One random number a statement: the order within one is the compiler's. */
#include "stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
#define KIND_NAME(name, text) #name,
    STAGE_KINDS(KIND_NAME)
#undef KIND_NAME
};

const char *stage_kind_name(StageKind kind)
{
    return kind_names[kind];
}

int stage_whole(SceneRandom *random, int low, int high)
{
    return low + (int)scene_random_below(random, (uint32_t)(high - low + 1));
}

double stage_signed(SceneRandom *random)
{
    return 2 * scene_random(random) - 1;
}

void stage_init(Stage *stage, StageKind kind, uint64_t seed)
{
    static const double far[] = {1e3, 1e5, 1e6, 3e7};
    static const double huge[] = {1e30, 1e37, 1e38};
    static const double denormal[] = {1e-38, 1e-41, 1e-43, 1e-44};
    *stage = (Stage){.random = {seed}, .kind = kind, .scale = 1};
    SceneRandom *random = &stage->random;
    scene_random_bits(random);
    stage->copy_seed = scene_random_bits(random);
    stage->is_whole = kind == STAGE_sheets || kind == STAGE_whole_soup;
    stage->spread = stage_whole(random, 0, 3) * 0.5;
    uint32_t choice = scene_random_below(random, 12);
    if (kind == STAGE_far)
        for (int k = 0; k < 3; k++)
            stage->origin[k] = far[choice % 4] * stage_whole(random, -1, 1);
    if (kind == STAGE_huge)
        stage->scale = huge[choice % 3];
    if (kind == STAGE_small)
        stage->scale = choice % 2 ? 1e-30 : 1e-20;
    if (kind == STAGE_denormal)
        stage->scale = denormal[choice % 4];
}

/* ---- Meshes, about one in size ------------------------------------------------------------------
 */

static SceneMesh empty_mesh(int32_t vertex_count, int32_t triangle_count)
{
    SceneMesh mesh = {calloc((size_t)vertex_count, 12), calloc((size_t)triangle_count, 12),
                      vertex_count, triangle_count};
    if (!mesh.vertices || !mesh.triangles)
        abort();
    return mesh;
}

static SceneMesh sphere(SceneRandom *random, double bumps, double crumples, int most)
{
    SceneSolid solid = (SceneSolid)stage_whole(random, 0, 2);
    int level = stage_whole(random, 0, most);
    if (level == 3 && stage_whole(random, 0, 2) > 0) /* many small scenes rather than few large */
        level = 2;
    SceneMesh mesh = scene_sphere(solid, level);
    for (int32_t v = 0; v < mesh.vertex_count; v++) {
        double radius = 1 + bumps * stage_signed(random);
        for (int k = 0; k < 3; k++) {
            float *x = &mesh.vertices[3 * v + k];
            *x = (float)(*x * radius + crumples * stage_signed(random));
        }
    }
    return mesh;
}

static SceneMesh soup(SceneRandom *random, bool is_whole, int most)
{
    int32_t count = stage_whole(random, 1, most);
    double size = is_whole ? 0 : scene_random(random);
    SceneMesh mesh = empty_mesh(3 * count, count);
    for (int32_t t = 0; t < count; t++) {
        double center[3];
        for (int k = 0; k < 3; k++)
            center[k] = stage_signed(random);
        for (int i = 0; i < 9; i++)
            mesh.vertices[9 * t + i] = is_whole
                                           ? (float)stage_whole(random, -3, 3)
                                           : (float)(center[i % 3] + size * stage_signed(random));
        for (int c = 0; c < 3; c++)
            mesh.triangles[3 * t + c] = (uint32_t)(3 * t + c);
    }
    return mesh;
}

/* As many points, each thrice. */
static SceneMesh points(SceneRandom *random)
{
    int32_t count = stage_whole(random, 20, 300);
    SceneMesh mesh = empty_mesh(count, count);
    for (int32_t i = 0; i < 3 * count; i++) {
        mesh.vertices[i] = (float)stage_signed(random);
        mesh.triangles[i] = (uint32_t)(i / 3); /* NOLINT: whole on purpose */
    }
    return mesh;
}

/* Triangles along a spiral, each smaller than the one before. */
static SceneMesh strip(SceneRandom *random)
{
    int32_t count = stage_whole(random, 10, 400);
    double shrink = 1 - 0.3 * scene_random(random), turn = scene_random(random), radius = 1.5;
    SceneMesh mesh = empty_mesh(count + 2, count);
    for (int32_t v = 0; v < count + 2; v++) {
        float *p = mesh.vertices + 3 * (size_t)v;
        p[0] = (float)(radius * scene_cos(turn * v));
        p[1] = (float)(radius * scene_sin(turn * v));
        p[2] = (float)(radius * (v % 2 ? 0.5 : -0.5));
        radius *= shrink;
    }
    for (int32_t i = 0; i < 3 * count; i++)
        mesh.triangles[i] = (uint32_t)(i / 3 + i % 3);
    return mesh;
}

/* A sheet of whole numbers in any plane of the axes, flat or with steps. */
static SceneMesh sheet(SceneRandom *random)
{
    int width = stage_whole(random, 1, 14), height = stage_whole(random, 1, 14);
    int up = stage_whole(random, 0, 2), steps = stage_whole(random, 0, 2);
    SceneMesh mesh = empty_mesh((width + 1) * (height + 1), 2 * width * height);
    for (int32_t v = 0; v < mesh.vertex_count; v++) {
        float *p = mesh.vertices + 3 * (size_t)v;
        p[(up + 1) % 3] = (float)(v % (width + 1));
        p[(up + 2) % 3] = (float)(v / (width + 1)); /* NOLINT: whole on purpose */
        p[up] = (float)stage_whole(random, 0, steps);
    }
    for (int32_t t = 0; t < mesh.triangle_count; t++) {
        static const int corners[2][2][3] = {{{0, 1, 2}, {1, 3, 2}}, {{0, 1, 3}, {0, 3, 2}}};
        int x = t / 2 % width, y = t / 2 / width;
        for (int c = 0; c < 3; c++) {
            int corner = corners[(x + y) % 2][t % 2][c];
            mesh.triangles[3 * t + c] = (uint32_t)((y + corner / 2) * (width + 1) + x + corner % 2);
        }
    }
    return mesh;
}

static SceneMesh any_mesh(SceneRandom *random)
{
    switch (stage_whole(random, 0, 4)) {
    case 0:
        return sphere(random, 0.1, 0, 3);
    case 1:
        return sphere(random, 0, 0.4, 2);
    case 2:
        return soup(random, false, 200);
    case 3:
        return sphere(random, 0.02, 0, 2);
    default:
        return strip(random);
    }
}

static SceneMesh shaped_mesh(Stage *stage)
{
    SceneRandom *random = &stage->random;
    switch (stage->kind) {
    case STAGE_bumpy:
        return sphere(random, 0.1, 0, stage->has_large || stage_whole(random, 0, 39) == 0 ? 4 : 3);
    case STAGE_crumpled:
        return sphere(random, 0, 0.5, 3);
    case STAGE_sheets:
        return sheet(random);
    case STAGE_soup:
    case STAGE_whole_soup:
        return soup(random, stage->is_whole, 300);
    case STAGE_tiny_and_large:
        if (stage->body_count == 0) /* with several levels above the cut, too */
            return scene_icosphere(stage_whole(random, 3, 5));
        return soup(random, false, 40);
    case STAGE_strip:
        return strip(random);
    case STAGE_points:
        return points(random);
    default:
        return any_mesh(random);
    }
}

/* ---- In place -----------------------------------------------------------------------------------
 */

static void squeeze(SceneRandom *random, SceneMesh *mesh)
{
    static const float factors[] = {0, 1e-3f, 1e-7f, 1e-20f};
    int axis = stage_whole(random, 0, 2);
    float factor = factors[stage_whole(random, 0, 3)];
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        mesh->vertices[3 * v + axis] *= factor;
}

static void add_odd_numbers(SceneRandom *random, float *vertices, int32_t count)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, NAN};
    int rarely = 1 << stage_whole(random, 1, 8);
    for (int32_t i = 0; i < 3 * count; i++)
        if (stage_whole(random, 0, rarely) == 0)
            vertices[i] = odd[stage_whole(random, 0, 3)];
}

static void place_mesh(Stage *stage, SceneMesh *mesh)
{
    SceneRandom *random = &stage->random;
    double size = stage_whole(random, 0, 2) == 0 ? scene_random(random) : 1, offset[3];
    for (int k = 0; k < 3; k++)
        offset[k] =
            stage->is_whole ? stage_whole(random, -4, 4) : stage->spread * stage_signed(random);
    for (int32_t i = 0; i < 3 * mesh->vertex_count; i++) {
        double x = stage->is_whole ? mesh->vertices[i] + offset[i % 3]
                                   : mesh->vertices[i] * size + offset[i % 3];
        mesh->vertices[i] = (float)(x * stage->scale + stage->origin[i % 3]);
    }
}

static bool is_same_for_all(const Stage *stage)
{
    return stage->kind == STAGE_copies || stage->kind == STAGE_points;
}

SceneMesh stage_few(Stage *stage)
{
    SceneMesh mesh = soup(&stage->random, stage->is_whole, 3);
    if (stage->kind == STAGE_flat)
        squeeze(&stage->random, &mesh);
    place_mesh(stage, &mesh);
    stage->body_count++;
    return mesh;
}

SceneMesh stage_mesh(Stage *stage)
{
    uint64_t state = stage->random.state;
    if (is_same_for_all(stage))
        stage->random.state = stage->copy_seed;
    SceneMesh mesh = shaped_mesh(stage);
    if (stage->kind == STAGE_flat)
        squeeze(&stage->random, &mesh);
    place_mesh(stage, &mesh);
    if (stage->kind == STAGE_odd)
        add_odd_numbers(&stage->random, mesh.vertices, mesh.vertex_count);
    if (is_same_for_all(stage))
        stage->random.state = state + 1;
    stage->body_count++;
    return mesh;
}

/* ---- Motion -------------------------------------------------------------------------------------
 */

/* Each vertex on its own, and all of them together. */
static void displace(Stage *stage, float *vertices, int32_t count, double each, double all)
{
    SceneRandom *random = &stage->random;
    double shift[3];
    for (int k = 0; k < 3; k++)
        shift[k] = stage->is_whole ? stage_whole(random, -2, 2) : all * stage_signed(random);
    for (int32_t i = 0; i < 3 * count; i++) {
        double move = stage->is_whole ? (stage_whole(random, 0, 9) == 0 && each > 0)
                                      : each * stage_signed(random);
        vertices[i] = (float)(vertices[i] + stage->scale * (shift[i % 3] + move));
    }
}

void stage_shift(Stage *stage, float *vertices, int32_t count, double far)
{
    displace(stage, vertices, count, 0, far);
}

void stage_move(Stage *stage, float *vertices, int32_t count)
{
    SceneRandom *random = &stage->random;
    switch (stage_whole(random, 0, 4)) {
    case 0:
        displace(stage, vertices, count, 0.01, 0.02);
        break;
    case 1:
        displace(stage, vertices, count, 0.01, 1.5); /* elsewhere */
        break;
    case 2:
        displace(stage, vertices, count, 0.5, 0);
        break;
    case 3: { /* one vertex alone */
        int32_t moved = stage_whole(random, 0, count - 1);
        displace(stage, vertices + 3 * (size_t)moved, 1, 1, 1);
        break;
    }
    default:
        displace(stage, vertices, count, 0, 0.05);
        break;
    }
    if (stage->kind == STAGE_odd && stage_whole(random, 0, 1))
        add_odd_numbers(random, vertices, count);
}

/* ---- Transforms ---------------------------------------------------------------------------------
 */

/* Turns the axes u and v into each other by an angle. */
static void turn(StageMatrix m, int u, int v, double angle)
{
    double c = scene_cos(angle), s = scene_sin(angle);
    for (int j = 0; j < 3; j++) {
        double x = m[u][j], y = m[v][j];
        m[u][j] = c * x - s * y;
        m[v][j] = s * x + c * y;
    }
}

/* Rows of a permutation of the axes. */
static void permute(SceneRandom *random, StageMatrix m)
{
    int by = stage_whole(random, 0, 2);
    double old[3][3];
    memcpy(old, m, sizeof old);
    for (int i = 0; i < 3; i++)
        memcpy(m[i], old[(i + by) % 3], sizeof old[0]);
}

static void fill(Stage *stage, StageTransform kind, StageMatrix m)
{
    SceneRandom *random = &stage->random;
    int axis = stage_whole(random, 0, 2), next = (axis + 1) % 3;
    double number = stage->is_whole ? stage_whole(random, -2, 2) : stage_signed(random);
    switch (kind) {
    case STAGE_TRANSFORM_rotation:
        if (stage->is_whole)
            permute(random, m);
        else
            for (int k = 0; k < 3; k++)
                turn(m, k, (k + 1) % 3, 3 * stage_signed(random));
        break;
    case STAGE_TRANSFORM_scaling:
        for (int k = 0; k < 3; k++)
            m[k][k] = stage->is_whole ? 2 : 1 + 0.5 * number;
        break;
    case STAGE_TRANSFORM_reflection:
        m[axis][axis] = -1;
        break;
    case STAGE_TRANSFORM_shear:
        m[axis][next] = number;
        break;
    case STAGE_TRANSFORM_singular:
        for (int j = 0; j < 3; j++)
            m[axis][j] = stage_whole(random, 0, 2) * m[next][j];
        break;
    case STAGE_TRANSFORM_any:
        for (int i = 0; i < 9; i++)
            m[i / 3][i % 3] = stage->is_whole
                                  ? stage_whole(random, -2, 2)
                                  : ldexp(stage_signed(random), stage_whole(random, -3, 3));
        if (stage_whole(random, 0, 15) == 0) /* products that overflow, or vanish */
            m[axis][next] = ldexp(1, stage_whole(random, -149, 127));
        break;
    default:
        break;
    }
}

PliantTransform stage_about(const Stage *stage, StageMatrix linear, const double shift[3])
{
    PliantTransform transform;
    for (int i = 0; i < 3; i++) {
        double at = stage->scale * shift[i] + stage->origin[i];
        for (int j = 0; j < 3; j++) {
            transform.rows[i][j] = (float)linear[i][j];
            at -= linear[i][j] * stage->origin[j];
        }
        transform.rows[i][3] = (float)at;
    }
    return transform;
}

PliantTransform stage_transform(Stage *stage, StageTransform kind)
{
    StageMatrix m = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double shift[3];
    if (kind == STAGE_TRANSFORM_identity)
        return pliant_transform_identity();
    fill(stage, kind, m);
    for (int i = 0; i < 3; i++)
        shift[i] = stage->is_whole ? stage_whole(&stage->random, -2, 2)
                                   : 0.3 * stage_signed(&stage->random);
    return stage_about(stage, m, shift);
}

PliantTransform stage_common_transform(const Stage *stage, int frame)
{
    Stage common = *stage;
    common.random.state = stage->copy_seed + (uint64_t)frame;
    return stage_transform(&common, STAGE_TRANSFORM_rotation);
}

/* ---- Segments ----------------------------------------------------------------------------------
 */

int32_t stage_make_segments(Stage *stage, SceneMesh *mesh)
{
    if (stage_whole(&stage->random, 0, 2) > 0)
        return 0;
    const int32_t count = stage_whole(&stage->random, 1, mesh->triangle_count);
    for (int32_t t = mesh->triangle_count - count; t < mesh->triangle_count; t++)
        mesh->triangles[3 * t + 2] = mesh->triangles[3 * t + 1];
    return count;
}

uint32_t *stage_give_segments(const SceneMesh *mesh, int32_t count, PliantShapeDef *def)
{
    const int32_t first = mesh->triangle_count - count;
    def->triangles.count = first;
    if (count == 0)
        return NULL;
    uint32_t *segments = scene_allocate((size_t)count, 2 * sizeof *segments);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < 2; k++)
            segments[2 * i + k] = mesh->triangles[3 * (first + i) + k];
    def->segments = (PliantSegments){segments, count};
    return segments;
}
