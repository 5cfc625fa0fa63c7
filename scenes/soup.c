/* Two clouds of triangles: see scenes.h.
 *
 * How large a triangle is. Two flat convex pieces of area A and perimeter P, turned at random,
 * touch if the middle of one is in a volume of A P / 2 on average, around the other (the kinematic
 * formula of Blaschke and Santalo). With three edges of length e that is 3 sqrt(3) / 8 e^3. Of n
 * triangles in the unit ball one is in there if e^3 = 32 pi / (9 sqrt(3)) / n: e is 1.861 over the
 * cube root of n. Counted with 12,500 each: 0.98 for one, as those at the surface of the ball have
 * fewer. */
#include "scenes.h"

#include <math.h> /* sqrt: exactly rounded everywhere */
#include <stdlib.h>

/* Of the radius of a cloud: how far triangles go in a step, and the cloud at most, more or less. */
static const double step_length = 0.015, max_drift = 0.2;

/* The sine of 5 degrees. */
static const double coherence = 0.08715574274765817;

enum { CLUSTERS = 20 };

typedef struct Ball {
    double center[3], radius;
} Ball;

typedef struct Cloud {
    Ball clusters[CLUSTERS]; /* within the unit ball */
    double start[3], drift[3];
} Cloud;

/* ---- Random places ----------------------------------------------------------------------- */

static double dot(const double v[3], const double w[3])
{
    return v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
}

/* Even over the unit ball: a point of the cube that is in it, 21 bits for each coordinate. Not the
 * middle itself. */
static void random_in_ball(SceneRandom *random, double v[3])
{
    do {
        const uint64_t bits = scene_random_bits(random);
        for (int k = 0; k < 3; k++)
            v[k] = ((double)(bits >> 21 * k & 0x1fffff) + 0.5) * 0x1p-20 - 1;
    } while (dot(v, v) > 1);
}

static void normalize(double v[3])
{
    const double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

static void random_direction(SceneRandom *random, double v[3])
{
    random_in_ball(random, v);
    normalize(v);
}

/* At a right angle to a direction. */
static void random_across(SceneRandom *random, const double direction[3], double v[3])
{
    double square;
    do {
        random_in_ball(random, v);
        const double along = dot(v, direction);
        for (int k = 0; k < 3; k++)
            v[k] -= along * direction[k];
        square = dot(v, v);
    } while (square < 0.01);
    normalize(v);
}

/* ---- One cloud --------------------------------------------------------------------------- */

/* The cube root of one over n, by Newton's rule from below, where it does not overshoot. */
static double inverse_cube_root(double n)
{
    double root = 1 / n;
    for (int i = 0; i < 60; i++)
        root *= (4 - n * root * root * root) / 3;
    return root;
}

/* Each has the same share of the triangles; radii are from 0.02 to 0.2, by equal ratios. */
static void place_clusters(SceneRandom *random, Ball clusters[CLUSTERS])
{
    const double ratio = 1.1288378916846888; /* the 19th root of 10 */
    double radius = 0.02;
    for (int i = 0; i < CLUSTERS; i++, radius *= ratio) {
        random_in_ball(random, clusters[i].center);
        for (int k = 0; k < 3; k++)
            clusters[i].center[k] *= 1 - radius;
        clusters[i].radius = radius;
    }
}

/* Somewhere in the unit ball: a third is spread evenly if the rest is in clusters. */
static void random_place(SceneRandom *random, SceneSoupFill fill, const Ball *clusters, double p[3])
{
    random_in_ball(random, p);
    if (fill == SCENE_SOUP_EVEN || scene_random_below(random, 3) == 0)
        return;
    const Ball *cluster = &clusters[scene_random_below(random, CLUSTERS)];
    for (int k = 0; k < 3; k++)
        p[k] = cluster->center[k] + cluster->radius * p[k];
}

/* A triangle of equal edges, turned at random, around a center. */
static void put_triangle(SceneRandom *random, const double center[3], double edge, float *corners)
{
    const double radius = edge / sqrt(3);
    double u[3], v[3];
    random_direction(random, u);
    random_across(random, u, v);
    for (int k = 0; k < 3; k++) {
        const double back = center[k] - 0.5 * radius * u[k], aside = 0.5 * edge * v[k];
        corners[k] = (float)(center[k] + radius * u[k]);
        corners[3 + k] = (float)(back + aside);
        corners[6 + k] = (float)(back - aside);
    }
}

static void fill_cloud(SceneSoup *soup, const Cloud *cloud, float *corners)
{
    const double edge = 1.861 * inverse_cube_root(soup->triangle_count);
    for (int64_t i = 0; i < soup->triangle_count; i++) {
        double center[3];
        random_place(&soup->random, soup->fill, cloud->clusters, center);
        for (int k = 0; k < 3; k++)
            center[k] += cloud->start[k] + cloud->drift[k];
        put_triangle(&soup->random, center, edge, corners + 9 * i);
    }
}

/* ---- Motion ------------------------------------------------------------------------------ */

/* A new direction for the whole cloud: back, once it is far from its start. */
static void draw_direction(SceneRandom *random, Cloud *cloud, double direction[3])
{
    random_direction(random, direction);
    const bool is_far = dot(cloud->drift, cloud->drift) > max_drift * max_drift;
    const double sign = is_far && dot(direction, cloud->drift) > 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) {
        direction[k] *= sign;
        cloud->drift[k] += step_length * direction[k];
    }
}

static void move_triangle(float *corners, const double direction[3])
{
    for (int i = 0; i < 9; i++)
        corners[i] = (float)(corners[i] + step_length * direction[i % 3]);
}

/* How one triangle goes, by the direction of its cloud. */
typedef void Heading(SceneRandom *random, const double cloud[3], double direction[3]);

static void head_together(SceneRandom *random, const double cloud[3], double direction[3])
{
    (void)random;
    for (int k = 0; k < 3; k++)
        direction[k] = cloud[k];
}

/* What is not longer than the sine of an angle turns a direction by that angle at most. */
static void head_coherently(SceneRandom *random, const double cloud[3], double direction[3])
{
    random_in_ball(random, direction);
    for (int k = 0; k < 3; k++)
        direction[k] = cloud[k] + coherence * direction[k];
    normalize(direction);
}

static void head_anywhere(SceneRandom *random, const double cloud[3], double direction[3])
{
    (void)cloud;
    random_direction(random, direction);
}

static void move_cloud(SceneSoup *soup, Cloud *cloud, Heading *heading, float *corners)
{
    double main_direction[3], direction[3];
    draw_direction(&soup->random, cloud, main_direction);
    for (int64_t i = 0; i < soup->triangle_count; i++) {
        heading(&soup->random, main_direction, direction);
        move_triangle(corners + 9 * i, direction);
    }
}

/* ---- Both -------------------------------------------------------------------------------- */

SceneSoup scene_soup(SceneSoupFill fill, SceneSoupMotion motion, int32_t triangle_count,
                     uint64_t seed)
{
    SceneSoup soup = {.fill = fill, .motion = motion, .triangle_count = triangle_count};
    soup.random.state = seed;
    Cloud *clouds = soup.state = scene_allocate(2, sizeof *clouds);
    for (int i = 0; i < 2; i++) {
        place_clusters(&soup.random, clouds[i].clusters);
        clouds[i].start[0] = (i == 0 ? -2 : 2) / 3.0;
        soup.corners[i] = scene_allocate((size_t)triangle_count, 9 * sizeof(float));
        fill_cloud(&soup, &clouds[i], soup.corners[i]);
    }
    return soup;
}

void scene_soup_free(SceneSoup *soup)
{
    for (int i = 0; i < 2; i++)
        free(soup->corners[i]);
    free(soup->state);
    *soup = (SceneSoup){0};
}

void scene_soup_next(SceneSoup *soup)
{
    static Heading *const headings[] = {head_together, head_coherently, head_anywhere};
    Cloud *clouds = soup->state;
    for (int i = 0; i < 2; i++) {
        if (soup->motion == SCENE_SOUP_ANEW)
            fill_cloud(soup, &clouds[i], soup->corners[i]);
        else
            move_cloud(soup, &clouds[i], headings[soup->motion], soup->corners[i]);
    }
    soup->step++;
}
