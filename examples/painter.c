/* See painter.h. */
#include "painter.h"
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void look_at(const PainterView *view, const float *point, double seen[3])
{
    double x = scene_cos(view->turn) * point[0] + scene_sin(view->turn) * point[2];
    double z = scene_cos(view->turn) * point[2] - scene_sin(view->turn) * point[0];
    seen[0] = x;
    seen[1] = scene_cos(view->tilt) * point[1] - scene_sin(view->tilt) * z;
    seen[2] = scene_sin(view->tilt) * point[1] + scene_cos(view->tilt) * z;
}

PainterFace painter_face(const PainterView *view, const float *corners, int colour)
{
    double v[3][3], e[3], f[3], n[3];
    for (int i = 0; i < 3; i++)
        look_at(view, corners + (size_t)3 * (size_t)i, v[i]);
    for (int k = 0; k < 3; k++) {
        e[k] = v[1][k] - v[0][k];
        f[k] = v[2][k] - v[0][k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    PainterFace face = {.colour = colour, .is_in_front = n[2] > 0};
    for (int i = 0; i < 3; i++) {
        face.x[i] = view->x + view->scale * v[i][0];
        face.y[i] = view->y - view->scale * v[i][1];
        face.depth += v[i][2];
    }
    if (length > 0)
        face.light = 0.3 + 0.7 * (0.3 * -n[0] + 0.5 * n[1] + 0.8 * n[2]) / length;
    return face;
}

static int by_depth(const void *x, const void *y)
{
    const PainterFace *p = x, *q = y;
    return (p->depth > q->depth) - (p->depth < q->depth);
}

static void draw(const PainterFace *face, const double colour[3])
{
    double light = face->light < 0.3 ? 0.3 : face->light > 1 ? 1 : face->light;
    char rgb[8];
    snprintf(rgb, sizeof rgb, "#%02x%02x%02x", (unsigned)(colour[0] * light),
             (unsigned)(colour[1] * light), (unsigned)(colour[2] * light));
    printf("<path fill=\"%s\" stroke=\"%s\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>\n", rgb, rgb,
           face->x[0], face->y[0], face->x[1], face->y[1], face->x[2], face->y[2]);
}

void painter_draw(PainterFace *faces, size_t count, const double (*colours)[3])
{
    qsort(faces, count, sizeof *faces, by_depth);
    for (size_t i = 0; i < count; i++)
        if (faces[i].is_in_front)
            draw(&faces[i], colours[faces[i].colour]);
}
