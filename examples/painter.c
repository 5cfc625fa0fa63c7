/* See painter.h. */
#include "painter.h"
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void painter_rotation(const PainterView *view, double rows[3][3])
{
    const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0};
    double turned[3][3], tilted[3][3];
    scene_rotation(y_axis, view->turn, turned);
    scene_rotation(x_axis, view->tilt, tilted);
    scene_rotation_product(tilted, turned, rows);
}

double painter_light(const double normal[3])
{
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    double facing = 0.3 * -normal[0] + 0.5 * normal[1] + 0.8 * normal[2];
    double light = length > 0 ? 0.3 + 0.7 * facing / length : 0;
    return light < 0.3 ? 0.3 : light > 1 ? 1 : light;
}

static void look_at(double rows[3][3], const float *point, double seen[3])
{
    for (int k = 0; k < 3; k++)
        seen[k] = rows[k][0] * point[0] + rows[k][1] * point[1] + rows[k][2] * point[2];
}

PainterFace painter_face(const PainterView *view, const float *corners, int colour)
{
    double rows[3][3], v[3][3], e[3], f[3], n[3];
    painter_rotation(view, rows);
    for (int i = 0; i < 3; i++)
        look_at(rows, corners + (size_t)3 * (size_t)i, v[i]);
    for (int k = 0; k < 3; k++) {
        e[k] = v[1][k] - v[0][k];
        f[k] = v[2][k] - v[0][k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    PainterFace face;
    face.light = painter_light(n);
    face.colour = colour;
    face.is_in_front = n[2] > 0;
    face.depth = 0;
    for (int i = 0; i < 3; i++) {
        face.x[i] = view->x + view->scale * v[i][0];
        face.y[i] = view->y - view->scale * v[i][1];
        face.depth += v[i][2];
    }
    return face;
}

static int by_depth(const void *x, const void *y)
{
    const PainterFace *p = (const PainterFace *)x, *q = (const PainterFace *)y;
    return (p->depth > q->depth) - (p->depth < q->depth);
}

static void draw(const PainterFace *face, const double colour[3])
{
    char rgb[8];
    snprintf(rgb, sizeof rgb, "#%02x%02x%02x", (unsigned)(colour[0] * face->light),
             (unsigned)(colour[1] * face->light), (unsigned)(colour[2] * face->light));
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
