/* A ball of jelly that is cut, falls apart and fuses: see scenes.h.
 *
 * The plane of the cut is x = 0 of the ball at rest. How far the cut has come is one number, the
 * height of its front. Above it vertices in the plane are there twice, triangles that cross it are
 * split along it, and two opposite surfaces close what is left and what is right of it (cut.h).
 * When the front goes up again, all of that is undone. Where a vertex is follows from where it is
 * at rest, which side it is on, and the step. */
#include "cut.h"

#include <math.h> /* sqrt: exactly rounded everywhere */
#include <stdlib.h>
#include <string.h>

/* ---- Motion ------------------------------------------------------------------------------ */

/* What is so at a step, and goes smoothly from one to the next. */
typedef struct Moment {
    double step;
    double front; /* of the cut, as a height in the ball at rest, whose radius is 1 */
    double gap;   /* 1: halves bend apart behind the front */
    double roll;  /* how far each half has rolled away, in radians */
    double blade; /* how far its edge is above the front */
} Moment;

/* The blade is drawn back once in the middle of the cut, and what is behind it closes again. */
static const Moment moments[] = {
    {0, 1.2, 1, 0, 0},        {18, 0.2, 1, 0, 0},         {24, 0.55, 1, 0, 0},
    {50, -1.15, 1, 0, 0},     {62, -1.15, 0.4, 0.5, 4.5}, {72, -1.15, 0, 1.1, 4.5},
    {76, -1.15, 0, 1.1, 4.5}, {85, -1.15, 1, 0, 4.5},     {98, 1.2, 1, 0, 4.5},
};

static double between(double from, double to, double amount)
{
    return from + amount * (to - from);
}

static Moment moment_at(int step)
{
    const int last = sizeof moments / sizeof *moments - 1;
    int i = 0;
    while (i < last - 1 && step > moments[i + 1].step)
        i++;
    const Moment *from = &moments[i], *to = from + 1;
    const double amount = scene_rise((step - from->step) / (to->step - from->step));
    return (Moment){.step = step,
                    .front = between(from->front, to->front, amount),
                    .gap = between(from->gap, to->gap, amount),
                    .roll = between(from->roll, to->roll, amount),
                    .blade = between(from->blade, to->blade, amount)};
}

/* The ball lies on y = -1, and is flat where it does: nothing comes to be below that. */
static double squashed(double y)
{
    const double height = y + 0.95, softness = 0.03;
    return 0.5 * (height + sqrt(height * height + softness * softness)) - 1;
}

/* Half the gap so far behind the front: from none, without a corner, to an even slope. */
static double half_gap(double behind)
{
    return behind > 0 ? 0.2 * behind * behind / (behind + 0.6) : 0;
}

/* Where a point of the ball at rest is. Side 0: in the plane, and of both halves. */
static void place_point(const Moment *moment, const double p[3], int side, float *vertex)
{
    double x = p[0], y = p[1];
    if (side != 0) {
        const double away = side * x + moment->gap * half_gap(y - moment->front);
        const double s = scene_sin(moment->roll), c = scene_cos(moment->roll);
        x = side * (c * away + s * y + moment->roll);
        y = c * y - s * away;
    }
    y = squashed(y);
    vertex[0] = (float)x;
    vertex[1] = (float)y;
    vertex[2] = (float)(p[2] + 0.02 * (y + 1) * scene_sin(0.6 * moment->step));
}

void scene_cut_rows(int step, float rows[3][4])
{
    /* A little ahead of the front, so that it is in the jelly. */
    const double ahead = 0.02;
    const Moment moment = moment_at(step);
    double rotation[3][3];
    scene_rotation((const double[]){0, 1, 0}, 0, rotation);
    scene_set_rows(rotation, (const double[]){0, squashed(moment.front) + moment.blade - ahead, 0},
                   rows);
}

/* A prism along z with its edge at y = 0; its section is a box with a point. */
static SceneMesh blade_mesh(void)
{
    static const double section[5][2] = {
        {0, 0}, {0.03, 0.16}, {0.03, 1.3}, {-0.03, 1.3}, {-0.03, 0.16}};
    static const uint32_t ends[3][3] = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}};
    SceneMesh mesh = {scene_allocate(10, 3 * sizeof(float)),
                      scene_allocate(16, 3 * sizeof(uint32_t)), 10, 16};
    for (uint32_t i = 0; i < 5; i++) {
        for (uint32_t end = 0; end < 2; end++) {
            float *vertex = mesh.vertices + (size_t)3 * (5 * end + i);
            vertex[0] = (float)section[i][0];
            vertex[1] = (float)section[i][1];
            vertex[2] = end ? 1.12F : -1.12F;
        }
        const uint32_t next = (i + 1) % 5;
        const uint32_t side[6] = {i, next, 5 + next, i, 5 + next, 5 + i};
        memcpy(mesh.triangles + (size_t)6 * i, side, sizeof side);
    }
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t c = 0; c < 3; c++) {
            mesh.triangles[30 + 3 * i + c] = ends[i][2 - c];
            mesh.triangles[39 + 3 * i + c] = 5 + ends[i][c];
        }
    scene_mesh_cut(&mesh, 0.25);
    return mesh;
}

/* ---- What the scene keeps ---------------------------------------------------------------- */

/* A triangle of the ball that has a vertex in the plane, or on either side of it: going round, a
 * corner, what is on the edge after it, and so on. */
typedef struct Slot {
    uint32_t vertex;
    int32_t rim; /* number in the disc; -1: not in the plane */
} Slot;

typedef struct Facet {
    Slot slots[6]; /* an edge without a point in the plane has neither */
    CutParts parts;
} Facet;

/* A vertex at rest. */
typedef struct Point {
    double p[3];
    int side;
} Point;

typedef struct Jelly {
    Point *points;
    int32_t point_count;
    CutDisc disc;
    uint32_t (*doubles)[2]; /* of each vertex of the disc: left and right; UINT32_MAX: none yet */
    bool *is_there;         /* of each vertex of the disc: it is open or next to one that is */
    Facet *facets;
    int32_t facet_count;
    CutParts *walls; /* of each triangle of the disc: the left one and the right one */
    CutPlaces corner_places;
    int32_t open_count;
} Jelly;

/* ---- The ball at rest -------------------------------------------------------------------- */

/* Turned, so that nothing of it lies along the plane; then vertices that are close to the plane are
 * moved into it along the sphere, and no triangle will be split into much smaller ones. */
static SceneMesh ball_at_rest(int subdivisions, double edge)
{
    SceneMesh ball = scene_icosphere(subdivisions);
    double rotation[3][3];
    scene_rotation((const double[]){0.48, 0.6, 0.64}, 0.7, rotation);
    scene_mesh_move(&ball, rotation, (const double[]){0, 0, 0});
    for (int32_t i = 0; i < ball.vertex_count; i++) {
        float *v = ball.vertices + (size_t)3 * (size_t)i;
        if (v[0] > 0.25 * edge || v[0] < -0.25 * edge)
            continue;
        const double length = sqrt((double)v[1] * v[1] + (double)v[2] * v[2]);
        v[0] = 0;
        v[1] = (float)(v[1] / length);
        v[2] = (float)(v[2] / length);
    }
    return ball;
}

/* That of a sphere of so many triangles if all were alike. */
static double edge_of(int32_t triangle_count)
{
    const double area = 12.566370614359172 / triangle_count;
    return sqrt(area * 4 / sqrt(3));
}

static CutRim rim_point(const SceneMesh *ball, uint32_t from, uint32_t to)
{
    const float *p = ball->vertices + (size_t)3 * from, *q = ball->vertices + (size_t)3 * to;
    const double amount = from == to ? 0 : p[0] / ((double)p[0] - q[0]);
    CutRim rim = {.y = between(p[1], q[1], amount), .z = between(p[2], q[2], amount)};
    const double cosine = rim.y / sqrt(rim.y * rim.y + rim.z * rim.z);
    rim.angle = rim.z >= 0 ? 1 - cosine : 3 + cosine;
    rim.ends[0] = from;
    rim.ends[1] = to;
    return rim;
}

static int by_angle(const void *x, const void *y)
{
    const CutRim *p = x, *q = y;
    if (p->angle != q->angle)
        return p->angle < q->angle ? -1 : 1;
    const int by_start = (p->ends[0] > q->ends[0]) - (p->ends[0] < q->ends[0]);
    return by_start ? by_start : (p->ends[1] > q->ends[1]) - (p->ends[1] < q->ends[1]);
}

/* Each point once: a vertex, or an edge in the one of its two triangles in which it goes from right
 * to left. */
static CutRim *rim_of(const SceneMesh *ball, int32_t *rim_count)
{
    CutRim *rim =
        scene_allocate((size_t)ball->vertex_count + (size_t)ball->triangle_count, sizeof *rim);
    int32_t count = 0;
    for (uint32_t v = 0; v < (uint32_t)ball->vertex_count; v++)
        if (ball->vertices[(size_t)3 * v] == 0)
            rim[count++] = rim_point(ball, v, v);
    for (int32_t i = 0; i < 3 * ball->triangle_count; i++) {
        const uint32_t from = ball->triangles[i], to = ball->triangles[i - i % 3 + (i + 1) % 3];
        if (ball->vertices[(size_t)3 * from] > 0 && ball->vertices[(size_t)3 * to] < 0)
            rim[count++] = rim_point(ball, from, to);
    }
    qsort(rim, (size_t)count, sizeof *rim, by_angle);
    *rim_count = count;
    return rim;
}

static int32_t rim_number(const SceneMesh *ball, const CutRim *rim, int32_t rim_count,
                          uint32_t from, uint32_t to)
{
    const CutRim key = rim_point(ball, from, to);
    const CutRim *found = bsearch(&key, rim, (size_t)rim_count, sizeof *rim, by_angle);
    return (int32_t)(found - rim);
}

static int side_of(const float *vertex)
{
    return (vertex[0] > 0) - (vertex[0] < 0);
}

/* Fills in the slots of a triangle; false if all of it is on one side. */
static bool make_facet(const SceneMesh *ball, const CutRim *rim, int32_t rim_count,
                       const uint32_t corners[3], Facet *facet)
{
    bool is_in_plane = false;
    for (int c = 0; c < 3; c++) {
        const uint32_t from = corners[c], to = corners[(c + 1) % 3];
        const int side = side_of(ball->vertices + (size_t)3 * from);
        const int next = side_of(ball->vertices + (size_t)3 * to);
        Slot *corner = &facet->slots[2 * c], *edge = corner + 1;
        *corner = (Slot){from, -1};
        *edge = (Slot){UINT32_MAX, -1};
        if (side == 0)
            corner->rim = rim_number(ball, rim, rim_count, from, from);
        if (side * next < 0)
            edge->rim =
                rim_number(ball, rim, rim_count, side > 0 ? from : to, side > 0 ? to : from);
        is_in_plane |= corner->rim >= 0 || edge->rim >= 0;
    }
    return is_in_plane;
}

/* ---- Making ------------------------------------------------------------------------------ */

/* Each triangle of the ball has its place, and keeps one. */
static void place_ball(Jelly *jelly, const SceneMesh *ball, const CutRim *rim, int32_t rim_count)
{
    jelly->facets = scene_allocate((size_t)ball->triangle_count, sizeof *jelly->facets);
    for (int32_t t = 0; t < ball->triangle_count; t++) {
        const uint32_t *corners = ball->triangles + (size_t)3 * (size_t)t;
        CutTriangle whole = {{corners[0], corners[1], corners[2]}, jelly->points[corners[0]].side};
        Facet facet = {.parts = {.count = 0}};
        scene_cut_settle(&jelly->corner_places, &facet.parts, &whole, 1);
        if (make_facet(ball, rim, rim_count, corners, &facet))
            jelly->facets[jelly->facet_count++] = facet;
    }
}

static void place_points(Jelly *jelly, const SceneMesh *ball, const CutRim *rim)
{
    const size_t most = (size_t)ball->vertex_count + 2 * (size_t)jelly->disc.point_count;
    jelly->points = scene_allocate(most, sizeof *jelly->points);
    jelly->point_count = ball->vertex_count;
    for (int32_t i = 0; i < ball->vertex_count; i++) {
        const float *v = ball->vertices + (size_t)3 * (size_t)i;
        jelly->points[i] = (Point){{v[0], v[1], v[2]}, side_of(v)};
    }
    jelly->doubles = scene_allocate((size_t)jelly->disc.point_count, sizeof *jelly->doubles);
    for (int32_t i = 0; i < jelly->disc.point_count; i++) {
        const bool is_vertex = i < jelly->disc.rim_count && rim[i].ends[0] == rim[i].ends[1];
        jelly->doubles[i][0] = is_vertex ? rim[i].ends[0] : UINT32_MAX;
        jelly->doubles[i][1] = UINT32_MAX;
    }
}

static Jelly *make_jelly(int subdivisions)
{
    Jelly *jelly = scene_allocate(1, sizeof *jelly);
    const double edge = edge_of(20 << 2 * subdivisions);
    SceneMesh ball = ball_at_rest(subdivisions, edge);
    int32_t rim_count;
    CutRim *rim = rim_of(&ball, &rim_count);
    jelly->disc = scene_cut_disc(rim, rim_count, edge);
    jelly->is_there = scene_allocate((size_t)jelly->disc.point_count, sizeof *jelly->is_there);
    jelly->walls = scene_allocate((size_t)jelly->disc.triangle_count, sizeof *jelly->walls);
    place_points(jelly, &ball, rim);
    place_ball(jelly, &ball, rim, rim_count);
    free(rim);
    scene_mesh_free(&ball);
    return jelly;
}

/* ---- Cutting ----------------------------------------------------------------------------- */

static bool is_open(const Jelly *jelly, uint32_t vertex)
{
    return jelly->disc.ranks[vertex] < jelly->open_count;
}

static bool is_open_triangle(const Jelly *jelly, const uint32_t corners[3])
{
    return is_open(jelly, corners[0]) || is_open(jelly, corners[1]) || is_open(jelly, corners[2]);
}

/* Gives a vertex of the disc a number on each side, or one for both, and says whose it is. */
static void number_vertex(Jelly *jelly, uint32_t vertex)
{
    const double *at = jelly->disc.points[vertex];
    const int count = is_open(jelly, vertex) ? 2 : jelly->is_there[vertex] ? 1 : 0;
    for (int i = 0; i < 2; i++) {
        uint32_t *number = &jelly->doubles[vertex][i];
        if (*number == UINT32_MAX && i < count) {
            *number = (uint32_t)jelly->point_count++;
            jelly->points[*number] = (Point){{0, at[0], at[1]}, 0};
        }
        if (*number != UINT32_MAX)
            jelly->points[*number].side = count < 2 ? 0 : i == 0 ? -1 : 1;
    }
}

static void open_disc(Jelly *jelly)
{
    const CutDisc *disc = &jelly->disc;
    memset(jelly->is_there, 0, (size_t)disc->point_count * sizeof *jelly->is_there);
    for (int32_t t = 0; t < disc->triangle_count; t++)
        for (int c = 0; is_open_triangle(jelly, disc->triangles[t]) && c < 3; c++)
            jelly->is_there[disc->triangles[t][c]] = true;
    for (int32_t v = 0; v < disc->point_count; v++)
        number_vertex(jelly, (uint32_t)v);
}

static uint32_t number_on_side(const Jelly *jelly, uint32_t vertex, int side)
{
    return jelly->doubles[vertex][is_open(jelly, vertex) && side > 0];
}

/* The part of a polygon from one of its vertices on, as a fan. */
static int add_fan(const Jelly *jelly, const Slot *slots, int slot_count, CutTriangle *triangles)
{
    int side = 0, count = 0;
    uint32_t numbers[6];
    for (int i = 0; i < slot_count; i++)
        if (slots[i].rim < 0)
            side = jelly->points[slots[i].vertex].side;
    for (int i = 0; i < slot_count; i++)
        numbers[i] = slots[i].rim < 0 ? slots[i].vertex
                                      : number_on_side(jelly, (uint32_t)slots[i].rim, side);
    for (int i = 1; i + 1 < slot_count; i++)
        triangles[count++] = (CutTriangle){{numbers[0], numbers[i], numbers[i + 1]}, side};
    return count;
}

/* The slots of a facet that are there now, those in the plane first: twice, one after the other.
 * Where the second one in the plane comes; or the end. */
static int slots_now(const Jelly *jelly, const Facet *facet, Slot slots[12], int *slot_count)
{
    int count = 0, first = -1, second = -1;
    for (int i = 0; i < 6; i++) {
        const Slot slot = facet->slots[i];
        const bool is_edge = i % 2 == 1;
        if (is_edge && (slot.rim < 0 || !jelly->is_there[slot.rim]))
            continue;
        if (slot.rim >= 0 && first >= 0)
            second = count;
        if (slot.rim >= 0 && first < 0)
            first = count;
        slots[count++] = slot;
    }
    first = first < 0 ? 0 : first;
    Slot turned[6];
    for (int i = 0; i < count; i++)
        turned[i] = slots[(first + i) % count];
    for (int i = 0; i < 2 * count; i++)
        slots[i] = turned[i % count];
    *slot_count = count;
    return second < 0 ? count : second - first;
}

/* Two points in the plane: one fan from the first to the second, one from there round to the first.
 */
static void cut_facet(Jelly *jelly, Facet *facet)
{
    Slot slots[12];
    CutTriangle triangles[CUT_MAX_PARTS + 1];
    int slot_count, count;
    const int second = slots_now(jelly, facet, slots, &slot_count);
    if (second == slot_count) {
        count = add_fan(jelly, slots, slot_count, triangles);
    } else {
        count = add_fan(jelly, slots, second + 1, triangles);
        count += add_fan(jelly, slots + second, slot_count - second + 1, triangles + count);
    }
    scene_cut_settle(&jelly->corner_places, &facet->parts, triangles, count);
}

/* Triangles of the disc are counter-clockwise as seen from x < 0. */
static void build_wall(Jelly *jelly, int32_t triangle)
{
    const uint32_t *c = jelly->disc.triangles[triangle];
    CutTriangle walls[2] = {{.side = -1}, {.side = 1}};
    const int count = is_open_triangle(jelly, c) ? 2 : 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            walls[i].corners[i == 0 ? k : 2 - k] = number_on_side(jelly, c[k], walls[i].side);
    scene_cut_settle(&jelly->corner_places, &jelly->walls[triangle], walls, count);
}

static void cut_to(Jelly *jelly, double front)
{
    const int32_t open_count = scene_cut_open_count(&jelly->disc, front);
    if (open_count == jelly->open_count)
        return;
    jelly->open_count = open_count;
    open_disc(jelly);
    for (int32_t i = 0; i < jelly->facet_count; i++)
        cut_facet(jelly, &jelly->facets[i]);
    for (int32_t i = 0; i < jelly->disc.triangle_count; i++)
        build_wall(jelly, i);
}

/* ---- The scene --------------------------------------------------------------------------- */

/* Copies out what there is at the step. All is one piece until the last vertex is open. */
static void show(SceneCut *cut)
{
    const Jelly *jelly = cut->state;
    const Moment moment = moment_at(cut->step);
    cut->corners = jelly->corner_places.corners;
    cut->vertex_count = jelly->point_count;
    cut->index_count = jelly->corner_places.count;
    cut->triangle_count = jelly->corner_places.count - jelly->corner_places.empty_count;
    for (int32_t i = 0; i < jelly->point_count; i++)
        place_point(&moment, jelly->points[i].p, jelly->points[i].side,
                    cut->vertices + (size_t)3 * (size_t)i);
    free(cut->pieces);
    cut->pieces = scene_allocate((size_t)cut->index_count, sizeof *cut->pieces);
    const bool is_apart = jelly->open_count == jelly->disc.point_count;
    for (int32_t i = 0; i < cut->index_count; i++)
        cut->pieces[i] = is_apart && jelly->corner_places.sides[i] > 0;
}

SceneCut scene_cut(int subdivisions)
{
    Jelly *jelly = make_jelly(subdivisions);
    SceneCut cut = {.blade = blade_mesh(), .state = jelly};
    const size_t most = (size_t)jelly->point_count + 2 * (size_t)jelly->disc.point_count;
    cut.vertices = scene_allocate(most, 3 * sizeof *cut.vertices);
    show(&cut);
    return cut;
}

void scene_cut_free(SceneCut *cut)
{
    Jelly *jelly = cut->state;
    scene_cut_disc_free(&jelly->disc);
    scene_cut_places_free(&jelly->corner_places);
    free(jelly->points);
    free(jelly->doubles);
    free(jelly->is_there);
    free(jelly->facets);
    free(jelly->walls);
    free(jelly);
    scene_mesh_free(&cut->blade);
    free(cut->vertices);
    free(cut->pieces);
    *cut = (SceneCut){0};
}

void scene_cut_next(SceneCut *cut)
{
    cut->step++;
    cut_to(cut->state, moment_at(cut->step).front);
    show(cut);
}
