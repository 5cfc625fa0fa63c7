/* The stars of a mesh in a query: see stars.h. */
#include "pose/stars.h"

#include <string.h>

const PliLeftOut *pli_stars_left_out(const PliStars *stars, int32_t a, int32_t b)
{
    static const PliLeftOut nothing;
    const int32_t pair = pli_stars_find_pair(stars, a, b);
    return pair < 0 ? &nothing : &stars->left_out[pair];
}

/* ---- A query -----------------------------------------------------------------------------------
 */

/* A node comes after its parent. */
static void mark_children(PliStars *stars, const PliTree *tree)
{
    for (int32_t node = tree->node_count - 1; node >= 0; node--) {
        uint32_t mask = 0;
        for (int32_t i = 0; i < tree->nodes[node].child_count; i++) {
            const int32_t child = tree->nodes[node].children[i];
            const bool has_moved = child < 0 ? stars->moved[~child] : stars->moved_children[child];
            mask |= (uint32_t)has_moved << i;
        }
        stars->moved_children[node] = (uint8_t)mask;
    }
}

void pli_stars_start(PliStars *stars, const PliTree *tree)
{
    const uint32_t last = stars->stamp++;
    if (stars->stamp == 0) { /* once in 2^32 times: then nothing is known */
        memset(stars->stamps, 0, (size_t)stars->leaf_count * sizeof(uint32_t));
        stars->stamp = 1;
    }
    for (int32_t leaf = 0; leaf < stars->leaf_count; leaf++)
        if (!stars->moved[leaf] && last != 0 && stars->stamps[leaf] == last)
            stars->stamps[leaf] = stars->stamp;
    mark_children(stars, tree);
}

/* Is there a direction across an axis that all triangles of a star face? */
static inline bool faces_across(const PliStars *stars, const PliStarPart *parts, int32_t part_count,
                                int axis)
{
    typedef uint16_t Eight __attribute__((vector_size(16)));
    Eight all = (Eight){0} == 0, here;
    uint64_t halves[2];
    for (int32_t i = 0; i < part_count; i++) {
        memcpy(&here, stars->facings[parts[i].leaf].faces[axis], sizeof here);
        all &= (Eight)((here & parts[i].triangles) == parts[i].triangles);
    }
    memcpy(halves, &all, sizeof halves);
    return halves[0] | halves[1];
}

/* The steps of a star's corners along an axis: is there one, and is there another? */
typedef struct Steps {
    uint64_t some, many;
} Steps;

static inline void add_steps(Steps *steps, uint64_t more)
{
    steps->many |= (more & (more - 1)) | (steps->some ? more : 0);
    steps->some |= more;
}

/* A closed fan turns as often along one axis as along another. */
static inline bool is_closed_clean(const PliStars *stars, const PliStarPart *parts,
                                   int32_t part_count)
{
    const bool across[3] = {faces_across(stars, parts, part_count, 0),
                            faces_across(stars, parts, part_count, 1),
                            faces_across(stars, parts, part_count, 2)};
    const int axis = across[0] ? 0 : across[1] ? 1 : 2;
    Steps steps = {0, 0};
    for (int32_t i = 0; i < part_count; i++)
        add_steps(&steps, stars->facings[parts[i].leaf].rises[axis] & parts[i].corners);
    return across[axis] && steps.some && !steps.many;
}

/* An open one may be known along any axis. */
static bool is_open_clean(const PliStars *stars, const PliStarPart *parts, int32_t part_count)
{
    for (int axis = 0; axis < 3; axis++) {
        Steps steps = {0, 0};
        for (int32_t i = 0; i < part_count; i++) {
            const PliFacing *facing = &stars->facings[parts[i].leaf];
            add_steps(&steps, (facing->rises[axis] | facing->falls[axis]) & parts[i].corners);
        }
        if (!steps.many && faces_across(stars, parts, part_count, axis))
            return true;
    }
    return false;
}

static bool is_clean(const PliStars *stars, const PliStar *star, const PliStarPart *parts)
{
    return star->fan == PLI_CLOSED_FAN
               ? is_closed_clean(stars, parts, star->part_count)
               : star->fan == PLI_OPEN_FAN && is_open_clean(stars, parts, star->part_count);
}

static inline bool has_star_moved(const PliStars *stars, const PliStarPart *parts,
                                  int32_t part_count)
{
    uint8_t moved = 0;
    for (int32_t i = 0; i < part_count; i++)
        moved |= stars->moved[parts[i].leaf];
    return moved;
}

/* Stars from `first` on, up to `end`: closed fans in so many leaves, or any if that is 0. */
static inline void judge(PliStars *stars, bool skips_still, int32_t first, int32_t end,
                         int32_t part_count)
{
    for (int32_t s = first; s < end; s++) {
        const PliStar *star = &stars->stars[s];
        const PliStarPart *parts = stars->parts + star->part_first;
        if (skips_still &&
            !has_star_moved(stars, parts, part_count ? part_count : star->part_count))
            continue;
        const bool is_known_clean =
            part_count ? is_closed_clean(stars, parts, part_count) : is_clean(stars, star, parts);
        stars->states[star->vertex] = is_known_clean ? PLI_STAR_CLEAN : PLI_STAR_OPEN_QUESTION;
    }
}

void pli_stars_judge(PliStars *stars, bool skips_still)
{
    const int32_t *ends = stars->kind_ends;
    for (int32_t leaf = 0; leaf < stars->leaf_count; leaf++)
        if (stars->stamps[leaf] != stars->stamp)
            stars->facings[leaf] = (PliFacing){.rises = {0}};
    judge(stars, skips_still, 0, ends[0], 1);
    judge(stars, skips_still, ends[0], ends[1], 2);
    judge(stars, skips_still, ends[1], ends[2], 3);
    judge(stars, skips_still, ends[2], stars->star_count, 0);
}

bool pli_stars_asks(const PliStars *stars, uint32_t vertex, const uint32_t *a, const uint32_t *b)
{
    for (int i = 0; i < 3; i++) {
        if (a[i] != b[0] && a[i] != b[1] && a[i] != b[2])
            continue;
        const uint8_t state = stars->states[a[i]];
        if (state == PLI_STAR_CLEAN || (state == PLI_STAR_OPEN_QUESTION && a[i] < vertex))
            return false;
    }
    return true;
}
