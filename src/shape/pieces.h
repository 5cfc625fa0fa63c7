/* Triangles that are large beside the others, by pieces: pieces.c.
 *
 * The box of a wall's triangle holds whatever stands before the wall. So the items of a tree may be
 * pieces of triangles, each of which leads to the whole one: bounds are those of pieces, and what
 * is tested is the triangle. Quarters are the "sphere division" of Mujika and others, corners their
 * corner-trees.
 *
 * Could a pair be missed? No. The pieces of a triangle cover it, as closed sets and exactly, since
 * their corners are whole numbers over a power of two. A point that two triangles share is in a
 * piece of each, and so in every bound of these, up to both roots.
 */
#ifndef PLI_PIECES_H
#define PLI_PIECES_H

#include "kernels/kernels.h"
#include <pliant/shape.h>

enum { PLI_PIECE_LEVELS = 10, PLI_PIECE_UNIT = 1 << PLI_PIECE_LEVELS };

/* A piece is a triangle whose corners are averages of the whole one's. */
typedef struct PliPiece {
    int32_t triangle;
    uint16_t weights[3][2]; /* of each corner: those of the second and the third corner of the whole
                               triangle, over PLI_PIECE_UNIT; the first one's is the rest */
} PliPiece;

/* How triangles are divided: those whose longest edge is above `size`, once for each time that it
 * has to be halved to be no more. */
typedef struct PliDivision {
    PliantDivideKind kind; /* none, quarters or corners */
    float size;
} PliDivision;

/* A mesh at rest. Borrowed. */
typedef struct PliMeshView {
    const float *vertices;
    const uint32_t *triangles;
    int32_t triangle_count;
} PliMeshView;

static inline bool pli_triangle_is_finite(const PliMeshView *mesh, int64_t triangle)
{
    bool is_finite = true;
    for (int64_t c = 3 * triangle; c < 3 * triangle + 3; c++)
        is_finite &= pli_is_finite(mesh->vertices + 3 * (size_t)mesh->triangles[c], 3);
    return is_finite;
}

/* How far the vertices of a caller are apart in memory, and one of them. */
static inline size_t pli_stride_of(const PliantVertices *vertices)
{
    return vertices->stride ? vertices->stride : 3 * sizeof(float);
}

static inline const float *pli_vertex_at(const PliantVertices *vertices, uint32_t index)
{
    return (const float *)((const char *)vertices->data + pli_stride_of(vertices) * index);
}

/* The division that a def asks for, which leaves no more pieces than pli_max_pieces(). None if
 * that divides nothing. */
PliantResult pli_division_of(PliantDivideKind kind, float size, const PliMeshView *mesh,
                             const PliantHost *host, PliDivision *division);

/* Pieces there may be, at most. The automatic division never does more than double the items of a
 * mesh, but for one that has few anyway. */
static inline int64_t pli_max_pieces(PliantDivideKind asked, int32_t triangle_count)
{
    return asked == PLIANT_DIVIDE_AUTO ? 2 * (int64_t)triangle_count + 4096
                                       : 4 * (int64_t)triangle_count + (1 << 18);
}

/* How many times a triangle is divided. One that is not finite never is. */
int pli_piece_level(const PliDivision *division, const PliMeshView *mesh, int32_t triangle);

/* Is a triangle large enough for its plane to be of use? Those that are divided are. */
bool pli_has_plane(const PliDivision *division, const PliMeshView *mesh, int32_t triangle);

/* How many pieces a triangle has that is divided so many times. */
int64_t pli_pieces_at(PliantDivideKind kind, int level);

/* How many pieces there are of all triangles; and those, triangle by triangle. */
int64_t pli_count_pieces(const PliDivision *division, const PliMeshView *mesh);
void pli_make_pieces(const PliDivision *division, const PliMeshView *mesh, PliPiece *pieces);

/* Is it a whole triangle? */
static inline bool pli_is_whole(const PliPiece *piece)
{
    return piece->weights[1][0] == PLI_PIECE_UNIT;
}

/* Of all pieces of a triangle, is it the one at its first corner? */
static inline bool pli_is_first(const PliPiece *piece)
{
    return piece->weights[0][0] == 0 && piece->weights[0][1] == 0;
}

/* A corner of a piece of the triangle with these corners: each coordinate is off by less than
 * 2^-51 of the greatest of the triangle. */
static inline double pli_piece_along(const PliPiece *piece, int corner, float x, float y, float z)
{
    const double second = piece->weights[corner][0], third = piece->weights[corner][1];
    return (((PLI_PIECE_UNIT - second - third) * x + second * y) + third * z) *
           (1.0 / PLI_PIECE_UNIT);
}

/* The boxes of whole triangles in rows become those of their pieces. */
void pli_narrow_to_pieces(const PliPiece *pieces, int32_t count, const float *rows,
                          PliLeafBoxes *boxes);

#endif
