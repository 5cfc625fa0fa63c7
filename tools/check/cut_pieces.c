/* Triangles that are cut, in small pieces with a depth at each corner: see cut.h.
 *
 * A corner is inside if the way to it from a corner of its triangle that is inside crosses the cut
 * an even number of times, or from one that is not an odd one. Curves that end within the triangle
 * make the three corners disagree: two of them are right more often than one. */
#include "check/cut_depth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pieces are larger if there would be more points than MAX_POINTS. */
enum { MAX_STEPS = 64, CHUNK_POINTS = 1 << 15, MAX_POINTS = 1000000 };

/* Points are moved by this much of the triangle before crossings are counted, so that no way goes
 * through the end of a segment. */
static const double NUDGES[2] = {1.37e-5, 2.11e-5};

/* A segment in coordinates of its triangle: 0, 0 and 1, 0 and 0, 1 are the corners. */
typedef struct FlatSegment {
    double ends[2][2];
} FlatSegment;

typedef struct Dividing {
    const CutWork *work;
    const PieceSide *side;
    const ScenePart *part;
    const float *vertices;
    double spacing;
    int32_t *firsts, *segments; /* of the cut, by triangle t: firsts[t] to firsts[t + 1] */
    FlatSegment *flat;          /* of one triangle */
    float *points;              /* of a chunk */
    bool *is_inside;
    const PliantClosestPoint *closest; /* borrowed: of the last chunk */
    int64_t capacity;                  /* of pieces */
} Dividing;

/* ---- Segments by triangle ----------------------------------------------------------------------
 */

static void list_segments(Dividing *dividing)
{
    const Cut *cut = dividing->work->cut;
    const int first = dividing->side->side, last = cut_is_self(dividing->work) ? 1 : first;
    int32_t *firsts = dividing->firsts;
    for (int64_t i = 0; i < cut->segment_count; i++)
        for (int k = first; k <= last && !cut->segments[i].is_flat; k++)
            firsts[cut->segments[i].triangles[k]]++;
    for (int32_t t = 0; t < dividing->part->triangle_count; t++)
        firsts[t + 1] += firsts[t];
    for (int64_t i = 0; i < cut->segment_count; i++)
        for (int k = first; k <= last && !cut->segments[i].is_flat; k++)
            dividing->segments[--firsts[cut->segments[i].triangles[k]]] = (int32_t)i;
}

static bool make(Dividing *dividing)
{
    const size_t segment_count = 2 * (size_t)dividing->work->cut->segment_count;
    const size_t point_count = CHUNK_POINTS + (MAX_STEPS + 1) * (MAX_STEPS + 2) / 2;
    dividing->firsts = calloc((size_t)dividing->part->triangle_count + 2, sizeof(int32_t));
    dividing->segments = malloc((segment_count + 1) * sizeof *dividing->segments);
    dividing->flat = malloc((segment_count + 1) * sizeof *dividing->flat);
    dividing->points = malloc(3 * point_count * sizeof *dividing->points);
    dividing->is_inside = malloc(point_count * sizeof *dividing->is_inside);
    return dividing->firsts && dividing->segments && dividing->flat && dividing->points &&
           dividing->is_inside;
}

static void release(Dividing *dividing)
{
    free(dividing->firsts);
    free(dividing->segments);
    free(dividing->flat);
    free(dividing->points);
    free(dividing->is_inside);
}

/* ---- One triangle ------------------------------------------------------------------------------
 */

static const float *corner_of(const Dividing *dividing, int32_t triangle, int corner)
{
    return dividing->vertices +
           3 * (size_t)dividing->part->triangles[3 * (size_t)triangle + (size_t)corner];
}

static int steps_of(const Dividing *dividing, int32_t triangle)
{
    double longest = 0;
    for (int c = 0; c < 3; c++) {
        const float *p = corner_of(dividing, triangle, c),
                    *q = corner_of(dividing, triangle, (c + 1) % 3);
        longest = fmax(longest,
                       hypot(hypot((double)p[0] - q[0], (double)p[1] - q[1]), (double)p[2] - q[2]));
    }
    const double steps = ceil(longest / dividing->spacing);
    return steps >= 1 && steps <= MAX_STEPS ? (int)steps : steps > MAX_STEPS ? MAX_STEPS : 1;
}

/* The larger of each point's weights of the second and the third corner, by least squares. */
static void flatten(const Dividing *dividing, int32_t triangle)
{
    double e[2][3], dots[3] = {0, 0, 0};
    const float *origin = corner_of(dividing, triangle, 0);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++)
            e[i][k] = (double)corner_of(dividing, triangle, i + 1)[k] - origin[k];
    for (int k = 0; k < 3; k++) {
        dots[0] += e[0][k] * e[0][k];
        dots[1] += e[0][k] * e[1][k];
        dots[2] += e[1][k] * e[1][k];
    }
    const double area = dots[0] * dots[2] - dots[1] * dots[1];
    FlatSegment *flat = dividing->flat;
    for (int32_t i = dividing->firsts[triangle]; i < dividing->firsts[triangle + 1]; i++, flat++)
        for (int end = 0; end < 2; end++) {
            const double *p = dividing->work->cut->segments[dividing->segments[i]].ends[end];
            double along[2] = {0, 0};
            for (int k = 0; k < 3; k++)
                for (int j = 0; j < 2; j++)
                    along[j] += (p[k] - origin[k]) * e[j][k];
            flat->ends[end][0] = area > 0 ? (along[0] * dots[2] - along[1] * dots[1]) / area : 0;
            flat->ends[end][1] = area > 0 ? (along[1] * dots[0] - along[0] * dots[1]) / area : 0;
        }
}

static double turn(const double a[2], const double b[2], const double p[2])
{
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static bool crosses(const FlatSegment *segment, const double p[2], const double q[2])
{
    const double *a = segment->ends[0], *b = segment->ends[1];
    return (turn(a, b, p) > 0) != (turn(a, b, q) > 0) && (turn(p, q, a) > 0) != (turn(p, q, b) > 0);
}

static bool is_inside(const Dividing *dividing, int32_t triangle, const double p[2])
{
    static const double corners[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    const uint32_t *numbers = dividing->part->triangles + 3 * (size_t)triangle;
    const int32_t count = dividing->firsts[triangle + 1] - dividing->firsts[triangle];
    const double moved[2] = {p[0] + NUDGES[0] * (1 - 3 * p[0]), p[1] + NUDGES[1] * (1 - 3 * p[1])};
    int votes = 0;
    for (int c = 0; c < 3; c++) {
        bool is_in = dividing->side->is_inside[numbers[c]];
        for (int32_t i = 0; i < count; i++)
            is_in ^= crosses(&dividing->flat[i], moved, corners[c]);
        votes += is_in;
    }
    return votes >= 2;
}

/* Points of a triangle, row by row. Returns how many. */
static int32_t add_points(const Dividing *dividing, int32_t triangle, int steps, int32_t first)
{
    int32_t count = first;
    flatten(dividing, triangle);
    for (int i = 0; i <= steps; i++)
        for (int j = 0; j <= steps - i; j++, count++) {
            const double at[2] = {(double)i / steps, (double)j / steps};
            for (int k = 0; k < 3; k++)
                dividing->points[3 * (size_t)count + (size_t)k] =
                    (float)((1 - at[0] - at[1]) * corner_of(dividing, triangle, 0)[k] +
                            at[0] * corner_of(dividing, triangle, 1)[k] +
                            at[1] * corner_of(dividing, triangle, 2)[k]);
            dividing->is_inside[count] =
                !dividing->side->is_signed && is_inside(dividing, triangle, at);
        }
    return count - first;
}

/* ---- Pieces ------------------------------------------------------------------------------------
 */

static float depth_at(const Dividing *dividing, int32_t point)
{
    const PliantClosestPoint *closest = &dividing->closest[point];
    const float distance = closest->triangle < 0 ? 0 : closest->distance;
    if (dividing->side->is_signed)
        return -distance;
    return dividing->is_inside[point] ? fminf(distance, dividing->side->max_depth) : -distance;
}

static PliantResult add_piece(Dividing *dividing, const int32_t points[3])
{
    Cut *cut = dividing->work->cut;
    CutPiece piece = {.side = dividing->side->side};
    bool is_any = false;
    for (int c = 0; c < 3; c++) {
        piece.depths[c] = depth_at(dividing, points[c]);
        memcpy(piece.corners[c], dividing->points + 3 * (size_t)points[c], sizeof piece.corners[c]);
        is_any |= piece.depths[c] > 0;
    }
    if (!is_any)
        return PLIANT_OK;
    if (cut->piece_count >= dividing->capacity) {
        const int64_t capacity = 2 * cut->piece_count + 256;
        CutPiece *larger = realloc(cut->pieces, (size_t)capacity * sizeof *larger);
        if (!larger)
            return PLIANT_OUT_OF_MEMORY;
        cut->pieces = larger;
        dividing->capacity = capacity;
    }
    cut->pieces[cut->piece_count++] = piece;
    return PLIANT_OK;
}

/* Row i of points begins where the rows before it end, and is one shorter than the last. */
static PliantResult add_pieces_of(Dividing *dividing, int steps, int32_t first)
{
    PliantResult result = PLIANT_OK;
    int32_t row = first;
    for (int i = 0; i < steps; row += steps - i + 1, i++) {
        const int32_t next = row + steps - i + 1;
        for (int j = 0; j < steps - i && result == PLIANT_OK; j++) {
            result = add_piece(dividing, (const int32_t[]){row + j, next + j, row + j + 1});
            if (result == PLIANT_OK && j + 1 < steps - i)
                result =
                    add_piece(dividing, (const int32_t[]){row + j + 1, next + j, next + j + 1});
        }
    }
    return result;
}

/* As many triangles as fit, from the given one on. */
static PliantResult divide_chunk(Dividing *dividing, int64_t *at)
{
    const PieceSide *side = dividing->side;
    PliantClosestDef def = pliant_closest_def_default();
    const int64_t start = *at;
    int32_t count = 0, first = 0;
    def.is_signed = side->is_signed;
    for (; *at < side->count && count < CHUNK_POINTS; ++*at)
        count += add_points(dividing, side->triangles[*at],
                            steps_of(dividing, side->triangles[*at]), count);
    PliantClosestPoints closest = pliant_closest_points_default();
    PliantResult result =
        pliant_body_closest_points(dividing->work->bodies->world, side->from,
                                   (PliantVertices){dividing->points, count, 0}, &def, &closest);
    dividing->closest = closest.items;
    for (int64_t i = start; i < *at && result == PLIANT_OK; i++) {
        const int steps = steps_of(dividing, side->triangles[i]);
        result = add_pieces_of(dividing, steps, first);
        first += (steps + 1) * (steps + 2) / 2;
    }
    return result;
}

double cut_spacing(const CutWork *work)
{
    double depth = 0;
    for (int64_t i = 0; i < work->cut->region_count; i++)
        depth = fmax(depth, work->cut->regions[i].depth);
    return work->spacing > 0 ? work->spacing : work->depth_spacing * depth;
}

static void limit_points(Dividing *dividing)
{
    for (int64_t count = MAX_POINTS + 1; count > MAX_POINTS; dividing->spacing *= 1.5) {
        count = 0;
        for (int64_t i = 0; i < dividing->side->count; i++) {
            const int steps = steps_of(dividing, dividing->side->triangles[i]);
            count += (steps + 1) * (steps + 2) / 2;
        }
        if (count <= MAX_POINTS || count <= 3 * dividing->side->count)
            return;
    }
}

PliantResult cut_add_pieces(const CutWork *work, const PieceSide *side)
{
    Dividing dividing = {.work = work,
                         .side = side,
                         .part = work->sides[side->side]->shape->part,
                         .vertices = work->vertices[side->side],
                         .spacing = cut_spacing(work),
                         .capacity = work->cut->piece_count};
    int64_t at = 0;
    PliantResult result = PLIANT_OK;
    if (!(dividing.spacing > 0) || side->count == 0)
        return PLIANT_OK;
    if (!make(&dividing))
        result = PLIANT_OUT_OF_MEMORY;
    if (result == PLIANT_OK) {
        list_segments(&dividing);
        limit_points(&dividing);
    }
    while (at < side->count && result == PLIANT_OK)
        result = divide_chunk(&dividing, &at);
    release(&dividing);
    return result;
}
