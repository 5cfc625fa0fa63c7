/* Does a triangle cross a box? See cross_box.h. */
#include "geom/cross_box.h"

#include <math.h>

/* Puts the longest edge first. */
static void sort_edges(double edges[3][3])
{
    double lengths[3];
    for (int i = 0; i < 3; i++)
        lengths[i] = fabs(edges[i][0]) + fabs(edges[i][1]) + fabs(edges[i][2]);
    const int longest = lengths[1] > lengths[0] ? (lengths[2] > lengths[1] ? 2 : 1)
                                                : (lengths[2] > lengths[0] ? 2 : 0);
    for (int k = 0; k < 3; k++) {
        const double first = edges[0][k];
        edges[0][k] = edges[longest][k];
        edges[longest][k] = first;
    }
}

void pli_triangle_axes_init(PliTriangleAxes *axes, const float triangle[9])
{
    double corners[3][3], edges[3][3];
    for (int k = 0; k < 3; k++) {
        axes->corner[k] = (double)triangle[k];
        axes->box_low[k] = axes->box_high[k] = triangle[k];
        for (int i = 1; i < 3; i++) {
            const float at = triangle[3 * i + k];
            axes->box_low[k] = at < axes->box_low[k] ? at : axes->box_low[k];
            axes->box_high[k] = at > axes->box_high[k] ? at : axes->box_high[k];
        }
        for (int i = 0; i < 3; i++)
            corners[i][k] = (double)triangle[3 * i + k] - (double)triangle[k];
        for (int i = 0; i < 3; i++)
            edges[i][k] = (double)triangle[3 * ((i + 1) % 3) + k] - (double)triangle[3 * i + k];
    }
    sort_edges(edges);
    for (int i = 0; i < 9; i++) { /* edge i / 3 and axis i % 3 of the box */
        const int k = i % 3, next = (k + 1) % 3, last = (k + 2) % 3;
        axes->axes[i][k] = 0;
        axes->axes[i][next] = -edges[i / 3][last];
        axes->axes[i][last] = edges[i / 3][next];
    }
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        axes->axes[9][k] = edges[0][next] * edges[1][last] - edges[0][last] * edges[1][next];
    }
    for (int i = 0; i < PLI_CROSS_AXES; i++) {
        double low = 0, high = 0, size = 0;
        for (int corner = 1; corner < 3; corner++) {
            double at = 0, sum = 0;
            for (int k = 0; k < 3; k++) {
                const double term = axes->axes[i][k] * corners[corner][k];
                at += term;
                sum += fabs(term);
            }
            low = at < low ? at : low;
            high = at > high ? at : high;
            size = sum > size ? sum : size;
        }
        axes->low[i] = low - PLI_CROSS_ERROR * size;
        axes->high[i] = high + PLI_CROSS_ERROR * size;
    }
}

bool pli_crosses_box(const PliTriangleAxes *axes, const float low[3], const float high[3])
{
    double from[3], to[3];
    for (int k = 0; k < 3; k++) {
        from[k] = (double)low[k] - axes->corner[k];
        to[k] = (double)high[k] - axes->corner[k];
    }
    for (int i = 0; i < PLI_CROSS_AXES; i++) {
        const double *axis = axes->axes[i];
        double least = 0, most = 0, size = 0;
        for (int k = 0; k < 3; k++) {
            const double x = axis[k] * from[k], y = axis[k] * to[k];
            least += x < y ? x : y;
            most += x < y ? y : x;
            size += fabs(x) > fabs(y) ? fabs(x) : fabs(y);
        }
        if (least - PLI_CROSS_ERROR * size > axes->high[i] ||
            most + PLI_CROSS_ERROR * size < axes->low[i])
            return false;
    }
    return true;
}
