/* A picture: the library casts a ray for each quarter of a pixel and tells what it hits. */
#include "ipc.h"
#include <math.h>

enum { WIDTH = 480, HEIGHT = 360, FINER = 2, COLUMNS = FINER * WIDTH, ROWS = FINER * HEIGHT };

static const double colors[6][3] = {{200, 200, 195}, {90, 140, 205}, {225, 150, 70},
                                    {110, 180, 110}, {200, 95, 95},  {150, 120, 195}};

static void shade(const Simulation *sim, const PliantRayHit *hit, double axes[3][3], double *color)
{
    const bool is_moving = hit->body.index == sim->body.index;
    const Surface *surface = is_moving ? &sim->moving : &sim->standing;
    const float *vertices = is_moving ? sim->now : sim->fixed;
    const uint32_t *corners = surface->triangles + 3 * hit->triangle;
    double e[2][3], normal[3], seen[3];
    for (uint32_t i = 0; i < 6; i++)
        e[i / 3][i % 3] = (double)vertices[3 * corners[1 + i / 3] + i % 3] -
                          (double)vertices[3 * corners[0] + i % 3];
    cross(e[0], e[1], normal);
    for (int k = 0; k < 3; k++)
        seen[k] = hit->side * dot(axes[k], normal);
    for (int k = 0; k < 3; k++)
        color[k] = painter_light(seen) * colors[surface->colors[hit->triangle]][k];
}

/* What stands still is seen from its front only, so a funnel is open to the viewer. */
void draw_picture(Simulation *sim, const Scene *scene, const char *path)
{
    static PliantRay rays[COLUMNS * ROWS];
    static double sums[3 * WIDTH * HEIGHT];
    static unsigned char pixels[4 * WIDTH * HEIGHT];
    PliantRayDef def = pliant_ray_def_default();
    PliantRayHits hits = pliant_ray_hits_default();
    double axes[3][3];
    painter_rotation(&scene->view, axes);
    for (int i = 0; i < COLUMNS * ROWS; i++) { /* parallel rays, from two units before the center */
        const int row = i / COLUMNS, column = i % COLUMNS;
        const double x = scene->view.scale * (column + 0.5 - COLUMNS * 0.5) / ROWS;
        const double y = scene->view.scale * (ROWS * 0.5 - 0.5 - row) / ROWS;
        for (int k = 0; k < 3; k++) {
            rays[i].direction[k] = (float)-axes[2][k];
            rays[i].origin[k] =
                (float)(scene->center[k] + x * axes[0][k] + y * axes[1][k] + 2 * axes[2][k]);
        }
        rays[i].max = INFINITY;
    }
    def.kind = PLIANT_ALL_HITS;
    must(pliant_world_cast_rays(sim->world, &def, rays, COLUMNS * ROWS, &hits));
    for (int i = 0; i < 3 * WIDTH * HEIGHT; i++)
        sums[i] = 255 * FINER * FINER;
    for (int64_t i = 0, last = -1; i < hits.count; i++) {
        const PliantRayHit *hit = &hits.items[i];
        const int64_t row = hit->ray / COLUMNS / FINER, column = hit->ray % COLUMNS / FINER;
        double color[3];
        if (hit->ray == last || (hit->body.index == sim->still.index && hit->side < 0))
            continue;
        last = hit->ray;
        shade(sim, hit, axes, color);
        for (int k = 0; k < 3; k++)
            sums[3 * (row * WIDTH + column) + k] += color[k] - 255;
    }
    for (int i = 0; i < 4 * WIDTH * HEIGHT; i++)
        pixels[i] = (unsigned char)(i % 4 == 3 ? 255 : sums[i / 4 * 3 + i % 4] / (FINER * FINER));
    must(painter_write(path, WIDTH, HEIGHT, pixels) ? PLIANT_OK : PLIANT_BAD_ARGUMENT);
}
