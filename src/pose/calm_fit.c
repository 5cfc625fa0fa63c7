/* What the vertices around a leaf follow, as slopes and what these leave over: see calm.h.
 *
 * All of this is computed in doubles and kept in floats. Shares and slopes may be any numbers: what
 * they leave over is measured with the floats that are kept.
 */
#include "pose/calm_build.h"

#include <string.h>

void pli_calm_take_vertices(PliCalmBuilder *builder, int32_t leaf)
{
    PliRange range = builder->shape->tree.leaves[leaf];
    for (int32_t i = 0; i < 3 * range.count; i++) {
        int32_t triangle = builder->shape->tree.order[range.first + i / 3];
        uint32_t vertex = builder->shape->triangles[3 * (size_t)triangle + (size_t)(i % 3)];
        if (builder->marks[vertex] >= 0)
            continue;
        builder->marks[vertex] = builder->vertex_count;
        builder->vertices[builder->vertex_count++] = vertex;
    }
}

/* Of a triangle that has one vertex with the leaf in common, the way across e is by way of all its
 * edges (see calm.h): so the two others have to keep to (1) as well. */
static void take_ties(PliCalmBuilder *builder, const int32_t *near, int32_t near_count)
{
    builder->tie_count = 0;
    for (int32_t i = 1; i < near_count; i++) {
        PliRange range = builder->shape->tree.leaves[near[i]];
        for (int32_t j = 0; j < range.count; j++) {
            int32_t triangle = builder->shape->tree.order[range.first + j], others[3], count = 0;
            for (size_t k = 0; k < 3; k++) {
                int32_t v = builder->marks[builder->shape->triangles[3 * (size_t)triangle + k]];
                if (v >= builder->own_count)
                    others[count++] = v;
            }
            if (count == 2)
                memcpy(builder->ties[builder->tie_count++], others, 2 * sizeof *others);
        }
    }
}

static double square_between(const PliCalmBuilder *builder, int32_t v, int32_t w)
{
    return pli_square_of(builder->places[v], builder->places[w]);
}

/* The square of the least distance of those that (1) is about. */
static double least_square(const PliCalmBuilder *builder)
{
    double least = INFINITY;
    for (int32_t v = 0; v < builder->own_count; v++)
        for (int32_t w = v + 1; w < builder->vertex_count; w++) {
            double square = square_between(builder, v, w);
            least = square < least ? square : least;
        }
    for (int32_t i = 0; i < builder->tie_count; i++) {
        double square = square_between(builder, builder->ties[i][0], builder->ties[i][1]);
        least = square < least ? square : least;
    }
    return least;
}

static void fill_nearness(PliCalmBuilder *builder, double least)
{
    builder->row_size = (builder->vertex_count + 15) / 16 * 16;
    for (int32_t v = 0; v < builder->own_count; v++) {
        float *row = builder->nearness + (size_t)v * (size_t)builder->row_size;
        for (int32_t w = 0; w < builder->row_size; w++)
            row[w] = w == v || w >= builder->vertex_count
                         ? 0
                         : (float)(PLI_UP * least / square_between(builder, v, w));
    }
}

/* Places about the centre of the leaf's own vertices, and how far apart they are. */
static void place_vertices(PliCalmBuilder *builder, PliCalmLeaf *leaf)
{
    const float *rest = builder->shape->vertices;
    double sums[3] = {0}, reach = 0, own_reach = 0;
    for (int32_t v = 0; v < builder->own_count; v++)
        for (size_t k = 0; k < 3; k++)
            sums[k] += rest[3 * (size_t)builder->vertices[v] + k];
    for (int k = 0; k < 3; k++)
        leaf->centre[k] = (float)(sums[k] / builder->own_count);
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        double *place = builder->places[v];
        for (size_t k = 0; k < 3; k++)
            place[k] = (double)rest[3 * (size_t)builder->vertices[v] + k] - leaf->centre[k];
        double square = pli_dot(place, place);
        reach = square > reach ? square : reach;
        own_reach = v < builder->own_count ? reach : own_reach;
    }
    double least = least_square(builder);
    fill_nearness(builder, least);
    leaf->reach = (float)(sqrt(reach) * PLI_UP);
    leaf->mid_reach = (float)((sqrt(reach) + sqrt(own_reach)) / 2 * PLI_UP);
    leaf->least = (float)(sqrt(least) * PLI_DOWN);
}

/* For fits by least squares. A patch is nearly flat, so that across it little is known: a part of
 * the whole is added, so that slopes stay small there. */
static void prepare_fits(PliCalmBuilder *builder)
{
    double m[3][3] = {{0}};
    for (int32_t v = 0; v < builder->vertex_count; v++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                m[i][j] += builder->places[v][i] * builder->places[v][j];
    double more = (m[0][0] + m[1][1] + m[2][2]) * 0x1p-7;
    for (int i = 0; i < 3; i++)
        m[i][i] += more;
    double rows[3][3], determinant;
    for (int i = 0; i < 3; i++)
        pli_cross(m[(i + 1) % 3], m[(i + 2) % 3], rows[i]);
    determinant = pli_dot(m[0], rows[0]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            builder->inverse[i][j] = determinant > 0 ? rows[j][i] / determinant : 0;
}

/* The mean of one coordinate of the values, and their slope. */
static void fit(const PliCalmBuilder *builder, int k, float *mean, float slope[3])
{
    double sum = 0, middle[3] = {0}, sums[3] = {0};
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        sum += builder->values[v][k];
        for (int i = 0; i < 3; i++) {
            middle[i] += builder->places[v][i];
            sums[i] += builder->values[v][k] * builder->places[v][i];
        }
    }
    sum /= builder->vertex_count;
    for (int i = 0; i < 3; i++)
        sums[i] -= sum * middle[i];
    *mean = (float)sum;
    for (int i = 0; i < 3; i++)
        slope[i] = (float)pli_dot(builder->inverse[i], sums);
}

/* The square of the greatest difference of values over that of places, of ties. */
static double steepest_tie(const PliCalmBuilder *builder, int count)
{
    double most = 0;
    for (int32_t i = 0; i < builder->tie_count; i++) {
        const int32_t v = builder->ties[i][0], w = builder->ties[i][1];
        double square = 0;
        for (int k = 0; k < count; k++) {
            double change = builder->values[v][k] - builder->values[w][k];
            square += change * change;
        }
        square /= square_between(builder, v, w);
        most = square > most ? square : most;
    }
    return most;
}

/* The greatest |difference of values| / |difference of places|, of a vertex of the leaf and any
 * other, and of ties; of the first `count` coordinates, none of which is larger than `size`. In
 * floats values are parts of `size`, and off by 2^-24 of it: differences by twice as much, along
 * each axis. Whatever underflows is far less. */
static double steepest(PliCalmBuilder *builder, int count, double size, double least)
{
    const int32_t row_size = builder->row_size;
    if (size == 0)
        return 0;
    for (int k = 0; k < count; k++)
        for (int32_t v = 0; v < row_size; v++)
            builder->columns[k][v] =
                v < builder->vertex_count ? (float)(builder->values[v][k] / size) : 0;
    PliSixteen most = {0};
    for (int32_t v = 0; v < builder->own_count; v++) {
        const float *nearness = builder->nearness + (size_t)v * (size_t)row_size;
        for (int32_t w = v / 16 * 16; w < row_size; w += 16) {
            PliSixteen square = {0}, by, column;
            for (int k = 0; k < count; k++) {
                memcpy(&column, builder->columns[k] + w, sizeof column);
                column -= builder->columns[k][v];
                square += column * column;
            }
            memcpy(&by, nearness + w, sizeof by);
            square *= by;
            PliSixteenInts is_more = square > most;
            most = (PliSixteen)((is_more & (PliSixteenInts)square) |
                                (~is_more & (PliSixteenInts)most));
        }
    }
    double greatest = 0, tie = sqrt(steepest_tie(builder, count));
    for (int j = 0; j < 16; j++)
        greatest = (double)most[j] > greatest ? (double)most[j] : greatest;
    greatest = sqrt(greatest) * size / least;
    return (greatest > tie ? greatest : tie) * PLI_UP + 0x1p-21 * size / least;
}

static double weight_of(const PliSkins *skins, uint32_t vertex, int32_t joint)
{
    for (int32_t i = skins->skin_firsts[vertex]; i < skins->skin_firsts[vertex + 1]; i++)
        if (skins->skin_joints[i] == joint)
            return skins->skin_weights[i];
    return 0;
}

/* All joints of the vertices at hand, or -1 if they are too many. */
static int32_t find_joints(const PliCalmBuilder *builder, int32_t *joints)
{
    const PliSkins *skins = &builder->shape->skins;
    int32_t count = 0;
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        uint32_t vertex = builder->vertices[v];
        for (int32_t i = skins->skin_firsts[vertex]; i < skins->skin_firsts[vertex + 1]; i++) {
            int32_t k = 0;
            while (k < count && joints[k] != skins->skin_joints[i])
                k++;
            if (k == PLI_MOST_CALM_JOINTS)
                return -1;
            joints[k] = skins->skin_joints[i];
            count += k == count;
        }
    }
    return count;
}

static void look_at_joint(PliCalmBuilder *builder, double least, PliCalmJoint *joint)
{
    for (int32_t v = 0; v < builder->vertex_count; v++)
        builder->values[v][0] =
            weight_of(&builder->shape->skins, builder->vertices[v], joint->joint);
    fit(builder, 0, &joint->share, joint->slope);
    double size = 0, square = 0;
    for (int k = 0; k < 3; k++)
        square += (double)joint->slope[k] * joint->slope[k];
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        const double *p = builder->places[v];
        double *rest = builder->values[v];
        *rest -= joint->share +
                 (joint->slope[0] * p[0] + joint->slope[1] * p[1] + joint->slope[2] * p[2]);
        size = fabs(*rest) > size ? fabs(*rest) : size;
    }
    joint->steepness = (float)(sqrt(square) * PLI_UP);
    joint->size = (float)(size * PLI_UP);
    joint->rest = (float)(steepest(builder, 1, size, least) * PLI_UP);
}

static PliantResult look_at_joints(PliCalmBuilder *builder, PliCalmLeaf *leaf)
{
    int32_t joints[PLI_MOST_CALM_JOINTS], count = find_joints(builder, joints);
    if (count < 0) {
        leaf->firmness = 0;
        return PLIANT_OK;
    }
    void *room;
    PliantResult result = pli_array_push(&builder->calm->joints, builder->host, count, &room);
    if (result != PLIANT_OK)
        return result;
    PliCalmJoint *items = room;
    for (int32_t i = 0; i < count; i++) {
        items[i].joint = joints[i];
        look_at_joint(builder, leaf->least, &items[i]);
    }
    double off = 0;
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        double *sum = builder->values[v];
        *sum = -1;
        for (int32_t i = 0; i < count; i++)
            *sum += weight_of(&builder->shape->skins, builder->vertices[v], joints[i]);
        off = fabs(*sum) > off ? fabs(*sum) : off;
    }
    leaf->sum_change = (float)(steepest(builder, 1, off, leaf->least) * PLI_UP);
    leaf->joint_first = (int32_t)(builder->calm->joints.count - count);
    leaf->joint_count = count;
    return PLIANT_OK;
}

/* The first target behind another that moves one of the vertices at hand, or -1. A vertex has its
 * moves in the order of the targets. */
static int32_t next_target(const PliCalmBuilder *builder, int32_t last)
{
    int32_t next = -1;
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        int32_t i = builder->move_firsts[builder->vertices[v]];
        const int32_t end = builder->move_firsts[builder->vertices[v] + 1];
        while (i < end && builder->move_targets[i] <= last)
            i++;
        if (i < end && (next < 0 || builder->move_targets[i] < next))
            next = builder->move_targets[i];
    }
    return next;
}

/* The displacements of the vertices at hand by a target. */
static void take_moves(PliCalmBuilder *builder, int32_t target)
{
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        uint32_t vertex = builder->vertices[v];
        memset(builder->values[v], 0, sizeof builder->values[v]);
        for (int32_t i = builder->move_firsts[vertex]; i < builder->move_firsts[vertex + 1]; i++) {
            if (builder->move_targets[i] != target)
                continue;
            const float *move =
                builder->shape->blends.target_moves + 3 * (size_t)builder->move_places[i];
            for (int k = 0; k < 3; k++)
                builder->values[v][k] = move[k];
        }
    }
}

static void look_at_target(PliCalmBuilder *builder, double least, PliCalmTarget *target)
{
    for (int k = 0; k < 3; k++)
        fit(builder, k, &target->at[k], target->slopes[k]);
    double size = 0;
    for (int32_t v = 0; v < builder->vertex_count; v++) {
        const double *p = builder->places[v];
        double *value = builder->values[v];
        for (int k = 0; k < 3; k++)
            value[k] -= target->at[k] + (target->slopes[k][0] * p[0] + target->slopes[k][1] * p[1] +
                                         target->slopes[k][2] * p[2]);
        size = pli_dot(value, value) > size ? pli_dot(value, value) : size;
    }
    target->size = (float)(sqrt(size) * PLI_UP);
    target->rest = (float)(steepest(builder, 3, sqrt(3) * sqrt(size), least) * PLI_UP);
}

static PliantResult look_at_targets(PliCalmBuilder *builder, PliCalmLeaf *leaf)
{
    PliArray *targets = &builder->calm->targets;
    leaf->target_first = (int32_t)targets->count;
    for (int32_t t = next_target(builder, -1); t >= 0; t = next_target(builder, t)) {
        void *room;
        PliantResult result = pli_array_push(targets, builder->host, 1, &room);
        if (result != PLIANT_OK)
            return result;
        PliCalmTarget *target = room;
        target->target = t;
        take_moves(builder, t);
        look_at_target(builder, leaf->least, target);
    }
    leaf->target_count = (int32_t)targets->count - leaf->target_first;
    return PLIANT_OK;
}

PliantResult pli_calm_look_at_vertices(PliCalmBuilder *builder, PliCalmLeaf *leaf,
                                       const int32_t *near, int32_t near_count)
{
    take_ties(builder, near, near_count);
    place_vertices(builder, leaf);
    prepare_fits(builder);
    PliantResult result = PLIANT_OK;
    if (builder->shape->header->joint_count > 0)
        result = look_at_joints(builder, leaf);
    if (result == PLIANT_OK)
        result = look_at_targets(builder, leaf);
    return result;
}

/* Which targets move each vertex. */
void pli_calm_turn_moves(PliCalmBuilder *builder)
{
    const PliBlends *blends = &builder->shape->blends;
    const int32_t vertex_count = builder->shape->header->vertex_count;
    int32_t *firsts = builder->move_firsts;
    memset(firsts, 0, ((size_t)vertex_count + 1) * sizeof *firsts);
    for (int32_t i = 0; i < builder->shape->header->move_count; i++)
        firsts[blends->target_vertices[i] + 1]++;
    for (int32_t v = 0; v < vertex_count; v++)
        firsts[v + 1] += firsts[v];
    for (int32_t t = 0; t < blends->target_count; t++)
        for (int32_t i = blends->target_firsts[t]; i < blends->target_firsts[t + 1]; i++) {
            int32_t place = firsts[blends->target_vertices[i]]++;
            builder->move_targets[place] = t;
            builder->move_places[place] = i;
        }
    for (int32_t v = vertex_count; v > 0; v--)
        firsts[v] = firsts[v - 1];
    firsts[0] = 0;
}
