/* Approaches: see approach.h. */
#include "geom/approach.h"
#include "geom/closest.h"

/* Steps at most: what slides along just outside of the distance takes many. */
enum { MAX_STEPS = 4096 };

#define POINT_ERROR (64 * 0x1p-53)
#define NEAR_ENOUGH (1 + 0x1p-7)

/* Points at the start, less the first one, and their ways, less that of the first one. */
typedef struct Ways {
    double from[4][3], way[4][3];
    double size; /* S */
} Ways;

static Ways ways_of(const float *const start[4], const float *const end[4])
{
    Ways ways = {.size = 0};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            const double from = (double)start[i][k] - start[0][k],
                         to = (double)end[i][k] - end[0][k];
            ways.from[i][k] = from;
            ways.way[i][k] = to - from;
            ways.size = pli_greater(ways.size, pli_greater(fabs(from), fabs(to)));
        }
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
    return sqrt(most) * (1 + 0x1p-40) + 16 * 0x1p-53 * ways->size;
}

static double gap_at(const Ways *ways, bool are_edges, double t)
{
    double points[4][3];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = ways->from[i][k] + t * ways->way[i][k];
    return pli_features_gap(are_edges, (const double(*)[3])points) - POINT_ERROR * ways->size;
}

float pli_approach(PliImpactKind kind, const float *const start[4], const float *const end[4],
                   float distance, float until)
{
    const bool are_edges = kind == PLI_EDGE_EDGE;
    const Ways ways = ways_of(start, end);
    const double speed = speed_of(&ways, are_edges ? 2 : 1);
    double t = 0;
    for (int i = 0; i < MAX_STEPS; i++) {
        const double gap = gap_at(&ways, are_edges, t);
        if (!(gap > distance * NEAR_ENOUGH))
            break;
        if (speed == 0)
            return INFINITY;
        t = (t + (gap - distance) / speed * (1 - 0x1p-40)) * (1 - 0x1p-52);
        if (t > 1 || pli_time_below(t) > until)
            return INFINITY;
    }
    return pli_time_below(t);
}
