/* Santa, who stands or wobbles, and the snow that falls on him: see scenes.h.
 *
 * He looks along z; y is up. Made of pieces that reach into each other, each a tube along a line
 * through a few points. */
#include "statues.h"
#include "tube.h"

#include <stdlib.h>
#include <string.h>

/* ---- His pieces -------------------------------------------------------------------------- */

/* Points of lines: how much of the way it is there, x, y, z, and how thick the piece is. */
enum { KEY_WIDTH = 5, X = 1, GIRTH = 4 };
typedef double Key[KEY_WIDTH];

static const Key trunk[] = {
    {0, 0, 0.5, 0, 0.3}, {0.4, 0, 0.85, 0.04, 0.45}, {0.8, 0, 1.3, 0, 0.34}, {1, 0, 1.55, 0, 0.2}};
static const Key head[] = {{0, 0, 1.45, 0.02, 0.22}, {1, 0, 1.92, 0.02, 0.22}};
static const Key hat[] = {{0, 0, 1.78, 0, 0.25},
                          {0.4, 0, 2, -0.02, 0.18},
                          {0.75, 0.1, 2.15, -0.05, 0.1},
                          {1, 0.3, 2.15, -0.05, 0.06}};
static const Key beard[] = {
    {0, 0, 1.68, 0.18, 0.12}, {0.5, 0, 1.42, 0.4, 0.18}, {1, 0, 1.05, 0.55, 0.08}};
static const Key sack[] = {
    {0, 0.05, 0.75, -0.42, 0.25}, {0.6, 0.05, 1.2, -0.45, 0.33}, {1, 0.2, 1.7, -0.25, 0.1}};
static const Key arm[] = {{0, 0.2, 1.4, 0, 0.13},
                          {0.45, 0.75, 1.15, 0.1, 0.12},
                          {0.8, 0.4, 0.95, 0.5, 0.11},
                          {1, 0.02, 0.95, 0.6, 0.1}};
static const Key leg[] = {{0, 0.2, 0.8, 0, 0.2},
                          {0.6, 0.24, 0.3, 0, 0.16},
                          {0.85, 0.25, 0.1, 0.05, 0.14},
                          {1, 0.26, 0.05, 0.35, 0.1}};

typedef struct Piece {
    const Key *keys;
    int key_count;
    int ring_count, segment_count; /* at a detail of 1 */
    int tuft_rings, tuft_rows;     /* of fur */
    bool is_double;                /* the other one is mirrored */
    double tuft;                   /* how far it stands out, in parts of the girth */
    double cap;                    /* in what part of the way an end is round */
} Piece;

#define KEYS(keys) keys, sizeof keys / sizeof *keys

static const Piece pieces[] = {
    {KEYS(trunk), 40, 38, 12, 16, false, 0.06, 0.3}, {KEYS(head), 24, 24, 1, 1, false, 0, 0.5},
    {KEYS(hat), 20, 18, 6, 9, false, 0.12, 0.1},     {KEYS(beard), 20, 16, 5, 8, false, 0.15, 0.4},
    {KEYS(sack), 26, 26, 6, 10, false, 0.1, 0.4},    {KEYS(arm), 24, 16, 6, 8, true, 0.1, 0.15},
    {KEYS(leg), 26, 16, 6, 8, true, 0.08, 0.1},
};

static double key_at(const Piece *piece, double u, int column)
{
    return scene_through(piece->keys[0], piece->key_count, KEY_WIDTH, column, u);
}

static void piece_middle(const void *data, double u, double point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = key_at(data, u, X + k);
}

static double piece_radius(const void *data, double u, double angle)
{
    const Piece *piece = data;
    const double tuft = tube_thorn(u, angle, piece->tuft_rings, piece->tuft_rows);
    return key_at(piece, u, GIRTH) * tube_cap(u, piece->cap) * (1 + piece->tuft * tuft);
}

SceneMesh statue_santa(double detail)
{
    SceneMesh santa = {0};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        const Tube tube = {piece_middle, piece_radius, {0, 0, 1}, &pieces[i]};
        const int ring_count = (int)(pieces[i].ring_count * detail + 0.5);
        const int segment_count = (int)(pieces[i].segment_count * detail + 0.5);
        scene_mesh_append(&santa, tube_open(&tube, ring_count, segment_count), false);
        if (pieces[i].is_double)
            scene_mesh_append(&santa, tube_open(&tube, ring_count, segment_count), true);
    }
    return santa;
}

/* ---- In the snow ------------------------------------------------------------------------- */

SceneMesh scene_small_santa(void)
{
    return statue_santa(1);
}

/* He turns at the hips, sways, and takes a breath now and then. */
void scene_santa_vertices(const SceneMesh *santa, int step, float *vertices)
{
    for (size_t i = 0; i < 3 * (size_t)santa->vertex_count; i += 3) {
        const double x = santa->vertices[i], y = santa->vertices[i + 1];
        const double z = santa->vertices[i + 2], phase = 0.11 * step;
        const double twist = 0.4 * y * scene_sin(phase), sway = 0.15 * y * y;
        const double girth = 1 + 0.06 * scene_bump((y - 0.9) / 0.6) * scene_sin(1.7 * phase);
        const double c = girth * scene_cos(twist), s = girth * scene_sin(twist);
        vertices[i] = (float)(c * x + s * z + sway * scene_sin(1.3 * phase + y));
        vertices[i + 1] = (float)(y * (1 + 0.05 * scene_sin(2.1 * phase)));
        vertices[i + 2] = (float)(c * z - s * x + 0.5 * sway * scene_sin(0.9 * phase));
    }
}

/* Somewhere over a square of that size, at any height. */
static void drop_flake(SceneSnow *snow, size_t flake, double low, double high)
{
    const double size = 2, width = 1.2;
    float *point = snow->points + 3 * flake;
    point[0] = (float)(size * scene_random(&snow->random) - size / 2);
    point[1] = (float)(low + (high - low) * scene_random(&snow->random));
    point[2] = (float)(width * (size * scene_random(&snow->random) - size / 2));
    memset(snow->speeds + 3 * flake, 0, 3 * sizeof *snow->speeds);
}

SceneSnow scene_snow(int32_t count, uint64_t seed)
{
    SceneSnow snow = {.count = count,
                      .points = scene_allocate((size_t)count, 3 * sizeof(float)),
                      .speeds = scene_allocate((size_t)count, 3 * sizeof(float)),
                      .random = {seed}};
    for (size_t i = 0; i < (size_t)count; i++)
        drop_flake(&snow, i, 0, 4);
    return snow;
}

void scene_snow_free(SceneSnow *snow)
{
    free(snow->points);
    free(snow->speeds);
}

/* Those that are inside go back by where they came from, and away from his middle. */
static void bounce(float *point, float *speed)
{
    for (int k = 0; k < 3; k++)
        point[k] -= speed[k];
    speed[0] = 0.3f * speed[0] + 0.02f * point[0];
    speed[1] = -0.4f * speed[1];
    speed[2] = 0.3f * speed[2] + 0.02f * point[2];
}

void scene_snow_next(SceneSnow *snow, const uint8_t *is_inside)
{
    for (size_t i = 0; i < (size_t)snow->count; i++) {
        float *point = snow->points + 3 * i, *speed = snow->speeds + 3 * i;
        if (is_inside[i])
            bounce(point, speed);
        speed[1] -= 0.002f;
        for (int k = 0; k < 3; k++)
            point[k] += speed[k];
        if (point[1] < 0)
            drop_flake(snow, i, 2.6, 4);
    }
}
