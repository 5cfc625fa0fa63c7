/* Stars: what triangles that share a vertex can be known by, all at once.
 *
 * A body is asked where it meets itself. Nearly all triangles that are near one another share a
 * vertex or an edge, twelve with each, and nearly none of them meet in more than that. To look at
 * each pair takes ten times as long as all else. This looks at each vertex instead.
 *
 * The triangles around a vertex p are its star: a fan, if they follow each other by their edges,
 * each edge from p being in one of them or two, all turned the same way. Say that there is a
 * direction from which the corners of every one of them are seen to turn to the left. Then each is
 * seen as a sector at p of less than half a turn, and the next one begins where it ends. If all
 * together make one turn, or less than one where the fan is open, no two of these sectors have more
 * in common than p or the edge between them. What two triangles have in common is seen there, and
 * no two points of a triangle are seen in one place: so they have no more in common than p or that
 * edge. None of the star's pairs meets.
 *
 * Which directions a triangle faces, PliFaceLeaf says, with certainty. Turns are counted exactly:
 * every direction has an axis across it, along which the corner at the other end of an edge is
 * either below p or not, as its coordinate is a float that is less than another or not. A sector is
 * less than half a turn, so that none passes over all that is below, half a turn without its ends,
 * and each turn goes once from below to not below: it rises once. An open fan that rises and falls
 * once at most in all is less than a turn.
 *
 * So the pairs of triangles that share the vertex of a star are left out where boxes are compared,
 * and looked at one by one if the star says nothing.
 */
#ifndef PLI_STARS_H
#define PLI_STARS_H

#include "base/memory.h"
#include "kernels/kernels.h"
#include "pose/still.h"
#include "tree/tree.h"

/* A vertex that more triangles have is none, or one in more leaves: each two of these are known as
 * a pair, which takes memory. */
enum { PLI_MOST_CORNERS = 64, PLI_MOST_PARTS = 16 };

enum { PLI_STAR_KINDS = 4 };

typedef enum PliFan { PLI_NO_FAN, PLI_OPEN_FAN, PLI_CLOSED_FAN } PliFan;

typedef enum PliStarState { PLI_NO_STAR, PLI_STAR_OPEN_QUESTION, PLI_STAR_CLEAN } PliStarState;

typedef struct PliStar {
    int32_t vertex;
    int32_t part_first, part_count; /* of it in leaves */
    PliFan fan;
} PliStar;

/* The corners of one leaf that are at the vertex, as in PliFacing.rises, and their triangles. */
typedef struct PliStarPart {
    uint64_t corners;
    int32_t leaf;
    uint16_t triangles;
} PliStarPart;

typedef struct PliStars {
    PliArena arena; /* that all of this is in */
    int32_t star_count, leaf_count, vertex_count;
    int32_t kind_ends[PLI_STAR_KINDS]; /* closed fans in 1, 2, 3 leaves, others */
    bool are_all;                      /* no vertex that is shared is without one */
    PliStar *stars;
    PliStarPart *parts;

    /* Leaves that share vertices: those behind each, rising, and the pairs of triangles that are
     * left out. The first left_out are those of each leaf with itself, every two once. */
    int32_t *near_firsts, *near;
    PliLeftOut *left_out;

    int32_t *triangle_leaves; /* of each triangle by its number */

    /* In this query: */
    PliFacing *facings; /* of each leaf, if its stamp is this one */
    uint32_t *stamps, stamp;
    uint8_t *states; /* of each vertex */

    /* Since the last one: */
    PliStill still;
    uint8_t *moved;          /* of each leaf: is it elsewhere? */
    uint8_t *moved_children; /* of each node, a bit for each child: is something in it? */
    bool has_last; /* it found all pairs, and these are they, as the narrow phase has them: */
    PliArray last; /* of uint64_t */
} PliStars;

/* The triangles of a tree, three vertices for each position. */
PliantResult pli_stars_create(const PliTree *tree, const uint32_t *corners, int32_t vertex_count,
                              const PliantHost *host, PliStars **stars);
void pli_stars_free(PliStars *stars, const PliantHost *host);
size_t pli_stars_bytes(const PliStars *stars);

/* A new query, with `moved` as it is now: of leaves that have, nothing is known. */
void pli_stars_start(PliStars *stars, const PliTree *tree);

/* Where it is said how the triangles of a leaf face. */
static inline PliFacing *pli_stars_tell(PliStars *stars, int32_t leaf)
{
    stars->stamps[leaf] = stars->stamp;
    return &stars->facings[leaf];
}

/* Finds the stars that are clean. Those in leaves that have not moved are as they were, if they
 * were judged in the last query. */
void pli_stars_judge(PliStars *stars, bool skips_still);

/* Where it is said what two leaves leave out, a <= b, or -1. */
static inline int32_t pli_stars_find_pair(const PliStars *stars, int32_t a, int32_t b)
{
    if (a == b)
        return a;
    for (int32_t i = stars->near_firsts[a]; i < stars->near_firsts[a + 1]; i++)
        if (stars->near[i] == b)
            return stars->leaf_count + i;
    return -1;
}

/* Which triangles of leaf b are not to be compared with each of leaf a, a <= b. */
const PliLeftOut *pli_stars_left_out(const PliStars *stars, int32_t a, int32_t b);

/* Of two triangles that share the vertex of a star: is it up to this star to have them looked at?
 * It is not if another is clean, or has them looked at itself. */
bool pli_stars_asks(const PliStars *stars, uint32_t vertex, const uint32_t *a, const uint32_t *b);

#endif
