/* Approaches: see approach.h. */
#include "geom/approach.h"
#include "geom/closest.h"

/* Steps at most: what slides along just outside of the distance takes many. */
enum { MAX_STEPS = 4096 };

#define POINT_ERROR (64 * 0x1p-53)
#define SPEED_ERROR (16 * 0x1p-53)
#define NEAR_ENOUGH (1 + 0x1p-7)
#define LEAST_PART 0x1p-180
#define LEAST_GAP 0x1p-170

/* Points at the start, less the first one, and their ways, less that of the first one. */
typedef struct Ways {
    double from[4][3], way[4][3];
    double size; /* S */
    double gap_error, speed_error;
} Ways;

/* What is tiny is none. */
static double part_of(double x, double least)
{
    return fabs(x) < least ? 0 : x;
}

static Ways ways_of(const PliPoints64 *points, double size, double least)
{
    Ways ways = {.size = size};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            const double from = points->start[i][k] - points->start[0][k],
                         to = points->end[i][k] - points->end[0][k];
            ways.from[i][k] = part_of(from, least);
            ways.way[i][k] = part_of(to - from, least);
            ways.size = pli_greater(ways.size, pli_greater(fabs(from), fabs(to)));
        }
    ways.gap_error = POINT_ERROR * ways.size;
    ways.speed_error = SPEED_ERROR * ways.size;
    return ways;
}

/* V: the greatest over all pairs of vertices, one of each feature. */
static double speed_of(const Ways *ways, int first_count)
{
    double most = 0;
    for (int i = 0; i < first_count; i++)
        for (int j = first_count; j < 4; j++) {
            double square = 0;
            for (int k = 0; k < 3; k++) {
                const double way = ways->way[i][k] - ways->way[j][k];
                square += way * way;
            }
            most = pli_greater(most, square);
        }
    return sqrt(most) * (1 + 0x1p-40) + ways->speed_error;
}

static double gap_at(const Ways *ways, bool are_edges, double t)
{
    double points[4][3];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = ways->from[i][k] + t * ways->way[i][k];
    return pli_features_gap(are_edges, (const double(*)[3])points) - ways->gap_error;
}

/* Steps to a distance, up to where gaps are near enough. */
static float step_to(const Ways *ways, bool are_edges, double distance, double near_enough,
                     float until)
{
    const double speed = speed_of(ways, are_edges ? 2 : 1);
    double t = 0;
    for (int i = 0; i < MAX_STEPS; i++) {
        const double gap = gap_at(ways, are_edges, t);
        if (!(gap > near_enough))
            break;
        if (speed == 0)
            return INFINITY;
        t = (t + (gap - distance) / speed * (1 - 0x1p-40)) * (1 - 0x1p-52);
        if (t > 1 || pli_time_below(t) > until)
            return INFINITY;
    }
    return pli_time_below(t);
}

float pli_approach(PliImpactKind kind, const float *const start[4], const float *const end[4],
                   float distance, float until)
{
    PliPoints64 points;
    for (int i = 0; i < 12; i++) {
        points.start[i / 3][i % 3] = (double)start[i / 3][i % 3];
        points.end[i / 3][i % 3] = (double)end[i / 3][i % 3];
    }
    const Ways ways = ways_of(&points, 0, 0);
    return step_to(&ways, kind == PLI_EDGE_EDGE, (double)distance, distance * NEAR_ENOUGH, until);
}

float pli_approach64(PliImpactKind kind, const PliPoints64 *points, double distance, double error,
                     float until)
{
    double size = 0;
    for (int i = 0; i < 12; i++)
        size = pli_greater(
            size, pli_greater(fabs(points->start[i / 3][i % 3]), fabs(points->end[i / 3][i % 3])));
    Ways ways = ways_of(points, size, LEAST_PART);
    ways.gap_error += LEAST_GAP;
    ways.speed_error = POINT_ERROR * ways.size;
    return step_to(&ways, kind == PLI_EDGE_EDGE, distance, distance * NEAR_ENOUGH + error, until);
}
