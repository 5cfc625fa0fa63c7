/* A hand that points up, with the two capsules that a game would put around it, drawn as SVG: a ray
 * misses both capsules, and hits the finger.
 *
 *     hitboxes > hitboxes.svg
 *
 * The boxes of its tree, the triangle, the point, the normal and the joint are the library's.
 * docs/hits.md shows it. */
#include "painter.h"
#include <pliant/pliant.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BONES = 7, SIDES = 20, ROWS = 24, HIT = 1 };
enum { VERTICES = BONES * SIDES * ROWS, TRIANGLES = BONES * 2 * SIDES * (ROWS - 1) };

/* Tubes with round ends, each of a joint that turns about z where the tube begins. */
static const struct {
    const char *name;
    double from[3], to[3], radius, angle;
} bones[BONES] = {{"forearm", {-1.5, 0, 0}, {0, 0, 0}, 0.15, 0},
                  {"palm", {-0.05, 0, 0}, {0.42, 0, 0}, 0.2, 0},
                  {"thumb", {0.1, 0.1, 0.12}, {0.42, 0.32, 0.2}, 0.07, 0.5},
                  {"index finger", {0.4, 0.12, 0.06}, {1.0, 0.16, 0.06}, 0.06, 1.05},
                  {"middle finger", {0.45, 0.04, 0.05}, {0.75, 0.0, 0.05}, 0.065, -0.5},
                  {"ring finger", {0.44, -0.05, 0.03}, {0.72, -0.1, 0.03}, 0.06, -0.6},
                  {"little finger", {0.4, -0.13, 0}, {0.62, -0.22, 0}, 0.05, -0.6}};

/* What a game tests in place of the skin: from, to, radius. */
static const double capsules[2][5] = {{-1.5, 0, -0.02, 0, 0.17}, {0.02, 0, 0.42, 0, 0.24}};
static const PainterView view = {0, 0, 260, 440, 330};
static const double colors[2][3] = {{225, 180, 150}, {215, 40, 40}};

static void must(PliantResult result)
{
    if (result != PLIANT_OK)
        exit(fprintf(stderr, "hitboxes: %s\n", pliant_result_text(result)));
}

/* A vertex of a tube: a third of its rows at each end, which is half a ball. */
static void place_vertex(int bone, int row, int side, float *vertex)
{
    const double pi = 3.14159265358979, radius = bones[bone].radius;
    const int cap = ROWS / 3, body = ROWS - 1 - 2 * cap;
    double axis[3], length = 0;
    for (int k = 0; k < 3; k++) {
        axis[k] = bones[bone].to[k] - bones[bone].from[k];
        length += axis[k] * axis[k];
    }
    length = sqrt(length);
    const double part = row < cap ? 0 : row > cap + body ? 1 : (double)(row - cap) / body;
    const double turn = pi * (row - part * body) / (2 * cap), around = 2 * pi * side / SIDES;
    const double along = part * length - radius * cos(turn);
    const double flat = sqrt(axis[0] * axis[0] + axis[1] * axis[1]);
    const double u[3] = {-axis[1] / flat, axis[0] / flat, 0};
    const double v[3] = {-axis[2] * u[1] / length, axis[2] * u[0] / length,
                         (axis[0] * u[1] - axis[1] * u[0]) / length};
    for (int k = 0; k < 3; k++)
        vertex[k] = (float)(bones[bone].from[k] + along * axis[k] / length +
                            radius * sin(turn) * (cos(around) * u[k] + sin(around) * v[k]));
}

static PliantShape *make_hand(void)
{
    static float vertices[VERTICES][3], weights[VERTICES];
    static uint16_t joints[VERTICES];
    static uint32_t triangles[TRIANGLES][3];
    int t = 0;
    for (int v = 0; v < VERTICES; v++) {
        const int bone = v / (SIDES * ROWS), row = v / SIDES % ROWS, side = v % SIDES;
        place_vertex(bone, row, side, vertices[v]);
        joints[v] = (uint16_t)bone;
        weights[v] = 1;
        const uint32_t a = (uint32_t)v, next = side < SIDES - 1 ? a + 1 : a + 1 - SIDES;
        const uint32_t faces[6] = {a, a + SIDES, next, next, a + SIDES, next + SIDES};
        for (int i = 0; i < 6 && row < ROWS - 1; i++, t++)
            triangles[t / 3][2 - t % 3] = faces[i];
    }
    PliantSkin skin = pliant_skin_default();
    skin.joint_count = BONES;
    skin.influence_count = 1;
    skin.joints = joints;
    skin.weights = weights;
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices.data = vertices[0];
    def.vertices.count = VERTICES;
    def.triangles.data = triangles[0];
    def.triangles.count = TRIANGLES;
    def.skin = &skin;
    PliantShape *shape;
    must(pliant_shape_create(&def, &shape));
    return shape;
}

static void pose(PliantWorld *world, PliantBody hand)
{
    PliantTransform joints[BONES];
    for (int b = 0; b < BONES; b++) {
        const double c = cos(bones[b].angle), s = sin(bones[b].angle), x = bones[b].from[0],
                     y = bones[b].from[1];
        const PliantTransform turn = {{{(float)c, (float)-s, 0, (float)(x - c * x + s * y)},
                                       {(float)s, (float)c, 0, (float)(y - s * x - c * y)},
                                       {0, 0, 1, 0}}};
        joints[b] = turn;
    }
    must(pliant_body_set_joints(world, hand, joints, BONES));
}

static void draw_line(const float *from, const float *to, const char *style)
{
    printf("<path fill=\"none\" %s d=\"M%.1f %.1fL%.1f %.1f\"/>\n", style,
           view.x + view.scale * (double)from[0], view.y - view.scale * (double)from[1],
           view.x + view.scale * (double)to[0], view.y - view.scale * (double)to[1]);
}

/* PliantDrawDef.line: the boxes around parts of the hand's tree, which a ray comes to first. */
static void draw_box_line(void *user, PliantDrawKind kind, PliantBody body, const float from[3],
                          const float to[3])
{
    (void)user, (void)kind, (void)body;
    if (from[0] != to[0] || from[1] != to[1]) /* the others are toward the viewer */
        draw_line(from, to, "stroke=\"#bbb\" stroke-width=\"0.8\"");
}

static void draw_text(double x, double y, const char *color, const char *text)
{
    printf("<text x=\"%.0f\" y=\"%.0f\" font-family=\"sans-serif\" font-size=\"17\" "
           "fill=\"%s\">%s</text>\n",
           x, y, color, text);
}

static void draw_capsules(void)
{
    for (int i = 0; i < 2; i++) {
        const double *c = capsules[i];
        const float from[3] = {(float)c[0], (float)c[1]}, to[3] = {(float)c[2], (float)c[3]};
        char style[160];
        snprintf(style, sizeof style,
                 "stroke=\"#3b6fb5\" stroke-opacity=\"0.35\" stroke-linecap=\"round\" "
                 "stroke-width=\"%.1f\"",
                 2 * view.scale * c[4]);
        draw_line(from, to, style);
    }
}

static void draw_hand(PliantWorld *world, PliantBody hand, const PliantRayHit *hit)
{
    static int32_t numbers[TRIANGLES];
    static float corners[TRIANGLES][9];
    static PainterFace faces[TRIANGLES];
    for (int i = 0; i < TRIANGLES; i++)
        numbers[i] = i;
    must(pliant_body_corners(world, hand, numbers, TRIANGLES, corners[0], TRIANGLES));
    for (int i = 0; i < TRIANGLES; i++)
        faces[i] = painter_face(&view, corners[i], i == hit->triangle ? HIT : 0);
    painter_draw(faces, TRIANGLES, colors);
}

int main(void)
{
    PliantWorld *world;
    must(pliant_world_create(NULL, &world));
    PliantShape *shape = make_hand();
    PliantBody hand;
    must(pliant_body_create(world, shape, &hand));
    pliant_shape_release(shape);
    pose(world, hand);
    const PliantRay ray = {{-1.55f, 0.62f, 0.1f}, {1, -0.03f, -0.01f}, 100};
    PliantRayHits hits = pliant_ray_hits_default();
    PliantHitPoints points = pliant_hit_points_default();
    int32_t joint;
    must(pliant_world_cast_rays(world, NULL, &ray, 1, &hits));
    if (hits.count == 0)
        return 1;
    must(pliant_hits_points(world, &hits, NULL, &points));
    must(pliant_hit_joint(world, &hits.items[0], &joint));

    const PliantHitPoint *point = points.items;
    float tip[3], end[3];
    for (int k = 0; k < 3; k++) {
        tip[k] = point->position[k] + 0.3f * point->normal[k];
        end[k] = ray.origin[k] + 2.9f * ray.direction[k];
    }
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 420\" "
           "stroke-width=\"0.6\">\n<rect width=\"800\" height=\"420\" fill=\"#fff\"/>\n");
    PliantDrawDef def = pliant_draw_def_default();
    def.line = draw_box_line;
    def.depth = 1;
    must(pliant_world_draw(world, &def));
    draw_line(point->position, end,
              "stroke=\"#d72828\" stroke-width=\"1.5\" stroke-dasharray=\"5 5\"");
    draw_hand(world, hand, &hits.items[0]);
    draw_capsules();
    draw_line(ray.origin, point->position, "stroke=\"#d72828\" stroke-width=\"2.5\"");
    draw_line(point->position, tip, "stroke=\"#1a7a3a\" stroke-width=\"2.5\"");
    draw_text(40, 155, "#d72828", "a ray");
    draw_text(40, 270, "#3b6fb5", "two capsules on bones: the ray misses them");
    char text[80];
    snprintf(text, sizeof text, "the skin: the %s, with its normal", bones[joint].name);
    draw_text(360, 40, "#1a7a3a", text);
    printf("</svg>\n");
    pliant_world_destroy(world);
    return strcmp(bones[joint].name, "index finger") != 0;
}
