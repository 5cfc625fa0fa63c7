/* Which way triangles face: see facing.h. */
#include "check/facing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Inward or outward -------------------------------------------------------------------------
 */

static void move(const PliantTransform *transform, const double p[3], double weight, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] += weight * (transform->rows[k][0] * p[0] + transform->rows[k][1] * p[1] +
                            transform->rows[k][2] * p[2] + transform->rows[k][3]);
}

/* Where a vertex is: targets are left out, which do not turn a surface inside out. */
static void place_vertex(const ScenePart *part, const PartPose *pose, int32_t vertex, double out[3])
{
    const size_t first = (size_t)vertex * (size_t)part->influence_count;
    double p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = part->vertices[3 * (size_t)vertex + (size_t)k];
        out[k] = 0;
    }
    if (!pose->joints)
        move(&pose->transform, p, 1, out);
    for (int32_t i = 0; i < part->influence_count && pose->joints; i++)
        move(&pose->joints[part->joints[first + (size_t)i]], p,
             part->joint_weights[first + (size_t)i], out);
}

/* Is the signed volume of the cone from the triangles to the middle of all vertices negative, by
 * more than rounding? */
static bool has_negative_volume(const ScenePart *part, double (*vertices)[3])
{
    double middle[3] = {0, 0, 0}, sum = 0, absolute = 0;
    for (int32_t i = 0; i < part->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += vertices[i][k] / part->vertex_count;
    for (int32_t t = 0; t < part->triangle_count; t++) {
        const uint32_t *corners = part->triangles + 3 * (size_t)t;
        const uint32_t end = (uint32_t)part->vertex_count;
        double v[3][3];
        if (corners[0] >= end || corners[1] >= end || corners[2] >= end)
            continue; /* the library refuses it, and says so */
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                v[c][k] = vertices[corners[c]][k] - middle[k];
        const double volume = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                              v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                              v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        sum += volume;
        absolute += fabs(volume);
    }
    return sum < -1e-6 * absolute;
}

static bool is_inward(const ScenePart *part, const PartPose *pose, double (*vertices)[3])
{
    for (int32_t i = 0; i < part->vertex_count; i++)
        place_vertex(part, pose, i, vertices[i]);
    return has_negative_volume(part, vertices);
}

bool facing_find(const Scene *scene, Shapes *shapes, char error[400])
{
    int32_t most = 0;
    SceneError wrong;
    ScenePose *pose = scene_pose_create(scene);
    for (int32_t i = 0; i < shapes->count; i++)
        most =
            shapes->items[i].part->vertex_count > most ? shapes->items[i].part->vertex_count : most;
    double(*vertices)[3] = calloc((size_t)most + 1, sizeof *vertices);
    bool is_found = pose && vertices;
    if (!is_found)
        check_no_memory(error);
    else if (!(is_found = scene_pose_at(pose, -1, 0, &wrong)))
        check_fail(error, "%s", wrong.text);
    for (int32_t i = 0; i < shapes->count && is_found; i++)
        shapes->items[i].is_turned = is_inward(
            shapes->items[i].part, scene_pose_part(pose, shapes->items[i].scene_part), vertices);
    free(vertices);
    scene_pose_free(pose);
    return is_found;
}

/* ---- Two sides ---------------------------------------------------------------------------------
 */

/* A triangle with its lowest vertex first, as long as it faces the same way; or the other way. */
typedef struct Turned {
    uint32_t vertices[3];
} Turned;

static Turned turn(const uint32_t *corners, bool is_over)
{
    int low = 0;
    for (int k = 1; k < 3; k++)
        low = corners[k] < corners[low] ? k : low;
    const uint32_t next = corners[(low + 1) % 3], last = corners[(low + 2) % 3];
    return (Turned){{corners[low], is_over ? last : next, is_over ? next : last}};
}

static int compare_turned(const void *a, const void *b)
{
    const Turned *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->vertices[k] != y->vertices[k])
            return x->vertices[k] < y->vertices[k] ? -1 : 1;
    return 0;
}

bool part_is_two_sided(const ScenePart *part)
{
    const size_t count = (size_t)part->triangle_count;
    Turned *both[2] = {malloc(count * sizeof **both + 1), malloc(count * sizeof **both + 1)};
    bool is_so = both[0] && both[1] && count > 0 && count % 2 == 0;
    for (int k = 0; k < 2 && is_so; k++) {
        for (size_t t = 0; t < count; t++)
            both[k][t] = turn(part->triangles + 3 * t, k == 1);
        qsort(both[k], count, sizeof **both, compare_turned);
    }
    is_so = is_so && memcmp(both[0], both[1], count * sizeof **both) == 0;
    free(both[0]);
    free(both[1]);
    return is_so;
}
