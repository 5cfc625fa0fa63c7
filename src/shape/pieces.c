/* Dividing triangles: see pieces.h. */
#include "shape/pieces.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <string.h>

/* ---- How far --------------------------------------------------------------------------------- */

/* The square of the longest edge, or -1 of a triangle that is not finite. */
static double longest_edge(const PliMeshView *mesh, int32_t triangle)
{
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    double longest = 0;
    for (int c = 0; c < 3; c++) {
        const float *p = mesh->vertices + 3 * (size_t)corners[c];
        const float *q = mesh->vertices + 3 * (size_t)corners[(c + 1) % 3];
        if (!pli_is_finite(p, 3))
            return -1;
        double x = (double)p[0] - q[0], y = (double)p[1] - q[1], z = (double)p[2] - q[2];
        double square = x * x + y * y + z * z;
        longest = square > longest ? square : longest;
    }
    return longest;
}

/* How often an edge has to be halved, of which this is the square, and no limit. The least size
 * there is and the longest edge there can be are less than 2^280 apart. */
enum { MAX_HALVINGS = 280 };

static int count_halvings(double square, double size)
{
    double ratio = square / (size * size);
    int exponent = 0;
    if (!(ratio > 1))
        return 0;
    double fraction = frexp(ratio, &exponent);
    return (exponent - (fraction == 0.5) + 1) / 2;
}

int pli_piece_level(const PliDivision *division, const PliMeshView *mesh, int32_t triangle)
{
    if (division->kind == PLIANT_DIVIDE_NONE)
        return 0;
    int count = count_halvings(longest_edge(mesh, triangle), division->size);
    return count < PLI_PIECE_LEVELS ? count : PLI_PIECE_LEVELS;
}

/* Beside the size that is divided: measured, see docs/characters.md. */
static const double FLAT = 1.0 / 4;

bool pli_has_plane(const PliDivision *division, const PliMeshView *mesh, int32_t triangle)
{
    return division->kind != PLIANT_DIVIDE_NONE &&
           count_halvings(longest_edge(mesh, triangle), FLAT * division->size) > 0;
}

/* Corners: each piece that is divided leaves three more. Those are the one at the beginning, then
 * the three in the corners, and behind them twice as many along the edges as before and six. */
int64_t pli_pieces_at(PliantDivideKind kind, int level)
{
    if (kind == PLIANT_DIVIDE_QUARTERS)
        return (int64_t)1 << 2 * level;
    int64_t count = 1, along = 0;
    for (int l = 0; l < level; l++) {
        count += 3 * (l == 0 ? 1 : 3 + along);
        along = l == 0 ? 0 : 2 * along + 6;
    }
    return count;
}

int64_t pli_count_pieces(const PliDivision *division, const PliMeshView *mesh)
{
    int64_t count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        int level = pli_piece_level(division, mesh, t);
        count += level == 0 ? 1 : pli_pieces_at(division->kind, level);
    }
    return count;
}

/* ---- By the other triangles ------------------------------------------------------------------ */

/* Lengths are counted by exponent and four bits more: so the median is right to a sixteenth. */
enum { LENGTH_SHIFT = 19, LENGTH_COUNT = 1 << (31 - LENGTH_SHIFT) };

/* Triangles are counted by the length of their longest edge; or, if there is a size, by how often
 * that has to be halved. */
typedef struct Counter {
    const PliMeshView *mesh;
    double size;                     /* 0: none */
    int32_t (*counts)[LENGTH_COUNT]; /* of each part; in the end, of all in the first */
} Counter;

_Static_assert((int)MAX_HALVINGS < (int)LENGTH_COUNT, "halvings are counted in the same place");

static uint32_t class_of(const Counter *counter, double square)
{
    if (counter->size > 0)
        return (uint32_t)count_halvings(square, counter->size);
    const float length = square > 0 ? (float)sqrt(square) : 0;
    uint32_t bits;
    memcpy(&bits, &length, sizeof bits);
    return bits >> LENGTH_SHIFT;
}

/* PliPartTask. */
static void count_part(void *data, const PliPart *part)
{
    const Counter *counter = data;
    int32_t *counts = counter->counts[part->index];
    memset(counts, 0, sizeof *counter->counts);
    for (int64_t t = part->begin; t < part->end; t++)
        counts[class_of(counter, longest_edge(counter->mesh, (int32_t)t))]++;
}

/* Returns the counts of all triangles. */
static const int32_t *count_triangles(Counter *counter, double size, const PliantHost *host)
{
    const int32_t triangle_count = counter->mesh->triangle_count;
    counter->size = size;
    pli_divide(host, count_part, counter, triangle_count);
    for (int32_t p = 1; p < pli_part_count(host, triangle_count); p++)
        for (int i = 0; i < LENGTH_COUNT; i++)
            counter->counts[0][i] += counter->counts[p][i];
    return counter->counts[0];
}

/* The median of all triangles' longest edges, of those that have any; 0 if there are none. */
static float median_length(const int32_t counts[LENGTH_COUNT])
{
    int32_t count = 0, below = 0;
    for (int i = 1; i < LENGTH_COUNT; i++)
        count += counts[i];
    for (uint32_t i = 1; i < LENGTH_COUNT; i++) {
        below += counts[i];
        if (2 * (int64_t)below < count || count == 0)
            continue;
        uint32_t bits = i << LENGTH_SHIFT;
        float median;
        memcpy(&median, &bits, sizeof median);
        return median;
    }
    return 0;
}

/* The size, doubled until there are not too many pieces; and how many there are. `counts` is by
 * how often edges have to be halved to that size. */
static float size_within(const PliDivision *division, const int32_t *counts, int64_t most,
                         int64_t *count)
{
    float size = division->size;
    for (int doubled = 0; doubled < MAX_HALVINGS; doubled++, size *= 2) {
        *count = 0;
        for (int i = 0; i <= MAX_HALVINGS; i++) {
            int level = i - doubled < 0 ? 0 : i - doubled;
            level = level < PLI_PIECE_LEVELS ? level : PLI_PIECE_LEVELS;
            *count += counts[i] * pli_pieces_at(division->kind, level);
        }
        if (*count <= most)
            break;
    }
    return size;
}

/* Beside the median of all: measured, see docs/characters.md. */
static const float FAR_LONGER = 16;

static PliDivision find_division(PliantDivideKind kind, float size, Counter *counter,
                                 const PliantHost *host)
{
    const PliDivision none = {PLIANT_DIVIDE_NONE, 0};
    const int32_t triangle_count = counter->mesh->triangle_count;
    PliDivision division = {kind == PLIANT_DIVIDE_AUTO ? PLIANT_DIVIDE_QUARTERS : kind, size};
    if (size == 0)
        division.size = FAR_LONGER * median_length(count_triangles(counter, 0, host));
    if (division.size == 0)
        return none;
    int64_t piece_count;
    division.size = size_within(&division, count_triangles(counter, division.size, host),
                                pli_max_pieces(kind, triangle_count), &piece_count);
    return piece_count > triangle_count ? division : none;
}

PliantResult pli_division_of(PliantDivideKind kind, float size, const PliMeshView *mesh,
                             const PliantHost *host, PliDivision *division)
{
    const size_t part_count = (size_t)pli_part_count(host, mesh->triangle_count);
    void *counts = NULL;
    *division = (PliDivision){PLIANT_DIVIDE_NONE, 0};
    if (kind == PLIANT_DIVIDE_NONE)
        return PLIANT_OK;
    PLI_TRY(pli_allocate(host, part_count, sizeof(int32_t[LENGTH_COUNT]), &counts));
    Counter counter = {.mesh = mesh, .counts = counts};
    *division = find_division(kind, size, &counter, host);
    pli_release(host, counts, part_count, sizeof(int32_t[LENGTH_COUNT]));
    return PLIANT_OK;
}

/* ---- Into pieces ----------------------------------------------------------------------------- */

/* A piece that may be divided on, so many times. */
typedef struct Part {
    uint16_t weights[3][2];
    int rest;
} Part;

/* Along an edge of the whole triangle, two corners have no part of the corner across from it. */
static bool has_outer_edge(const Part *part)
{
    int counts[3] = {0};
    for (int c = 0; c < 3; c++) {
        const uint16_t *w = part->weights[c];
        counts[0] += w[0] + w[1] == PLI_PIECE_UNIT;
        counts[1] += w[0] == 0;
        counts[2] += w[1] == 0;
    }
    return counts[0] >= 2 || counts[1] >= 2 || counts[2] >= 2;
}

static void set_middle(const Part *part, int c, int d, uint16_t middle[2])
{
    for (int k = 0; k < 2; k++)
        middle[k] = (uint16_t)((part->weights[c][k] + part->weights[d][k]) / 2);
}

/* Those at its corners, and the one in the middle last. */
static void quarter(const Part *part, Part parts[4])
{
    for (int c = 0; c < 4; c++)
        parts[c].rest = part->rest - 1;
    for (int c = 0; c < 3; c++) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        memcpy(parts[c].weights[0], part->weights[c], sizeof part->weights[c]);
        set_middle(part, c, d, parts[c].weights[1]);
        set_middle(part, c, e, parts[c].weights[2]);
        set_middle(part, d, e, parts[3].weights[c]);
    }
}

static PliPiece *divide(PliantDivideKind kind, int32_t triangle, int level, PliPiece *end)
{
    Part stack[3 * PLI_PIECE_LEVELS + 1];
    int count = 1;
    stack[0] = (Part){{{0, 0}, {PLI_PIECE_UNIT, 0}, {0, PLI_PIECE_UNIT}}, level};
    while (count > 0) {
        Part part = stack[--count];
        if (part.rest > 0 && (kind == PLIANT_DIVIDE_QUARTERS || has_outer_edge(&part))) {
            quarter(&part, stack + count);
            count += 4;
            continue;
        }
        end->triangle = triangle;
        memcpy(end->weights, part.weights, sizeof end->weights);
        end++;
    }
    return end;
}

void pli_make_pieces(const PliDivision *division, const PliMeshView *mesh, PliPiece *pieces)
{
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        pieces = divide(division->kind, t, pli_piece_level(division, mesh, t), pieces);
}

/* ---- Boxes -----------------------------------------------------------------------------------
 *
 * The corner of a piece, in double, is off by less than 2^-51 M, where M is the greatest coordinate
 * of the triangle along that axis: a product of a weight and a float is exact, and two sums are
 * not. An end that is moved outward by 2^-49 M is then not inside the true one, e. To a float it is
 * rounded to the nearest, which may well be inside of e; but rounding is monotone, and so all that
 * it is compared with, which is floats, is as it would be with e: where e <= h, its float is no
 * more than that of h, which is h, or if h is such an end as well, than that end. One that
 * overflows is infinite on its own side. The box of the whole triangle holds the piece as well, and
 * the narrower of both is taken. Where a corner is not finite, all of this means nothing, and such
 * a triangle is in no pair. */

typedef double Double4 __attribute__((vector_size(32)));
typedef int64_t Long4 __attribute__((vector_size(32)));

static inline Double4 choose(Long4 mask, Double4 x, Double4 y)
{
    return (Double4)((mask & (Long4)x) | (~mask & (Long4)y));
}

static inline Double4 magnitude(Double4 x)
{
    return (Double4)((Long4)x & INT64_MAX);
}

static inline Double4 point_at(const float *p)
{
    return __builtin_convertvector(((PliFloat4){p[0], p[1], p[2], 0}), Double4);
}

/* All axes at once, by the expression of pli_piece_along(). */
static void narrow_box(const PliPiece *piece, const float *row, PliBox *box)
{
    const Double4 x = point_at(row), y = point_at(row + 3), z = point_at(row + 6);
    const Double4 low = __builtin_convertvector(box->low, Double4);
    const Double4 high = __builtin_convertvector(box->high, Double4);
    const Double4 size = choose(magnitude(low) > magnitude(high), magnitude(low), magnitude(high));
    const Double4 margin = size * 0x1p-49;
    Double4 least = high, greatest = low;
    for (int c = 0; c < 3; c++) {
        const double second = piece->weights[c][0], third = piece->weights[c][1];
        const double first = PLI_PIECE_UNIT - second - third;
        const Double4 at = ((first * x + second * y) + third * z) * (1.0 / PLI_PIECE_UNIT);
        least = choose(at < least, at, least);
        greatest = choose(at > greatest, at, greatest);
    }
    box->low = pli_max4(__builtin_convertvector(least - margin, PliFloat4), box->low);
    box->high = pli_min4(__builtin_convertvector(greatest + margin, PliFloat4), box->high);
}

void pli_narrow_to_pieces(const PliPiece *pieces, int32_t count, const float *rows,
                          PliLeafBoxes *boxes)
{
    boxes->all = pli_box_empty();
    for (int32_t i = 0; i < count; i++) {
        PliBox box = {{boxes->low[0][i], boxes->low[1][i], boxes->low[2][i], 0},
                      {boxes->high[0][i], boxes->high[1][i], boxes->high[2][i], 0}};
        if (!pli_is_whole(&pieces[i]))
            narrow_box(&pieces[i], rows + (size_t)PLI_ROW_SIZE * (size_t)i, &box);
        for (int k = 0; k < 3; k++) {
            boxes->low[k][i] = box.low[k];
            boxes->high[k][i] = box.high[k];
        }
        pli_box_add(&boxes->all, &box);
    }
}
