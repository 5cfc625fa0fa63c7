/* First hits of many rays: see rays.h.
 *
 * Rays of one octant, whose directions have the same signs, go through the tree together: a part
 * waits on a stack with the rays that go through its box, and is visited once for all of them. A
 * node sorts its rays into lists, one for each child, without a branch for a ray and a child. Which
 * child comes first is the same for an octant: the one whose box begins first along its diagonal.
 * So a ray comes to its parts nearly from the front to the back, and those behind its first hit are
 * dropped as their turn comes. This is dynamic ray stream traversal (Barringer and Akenine-Moller
 * 2014). The first hit is exact, and does not depend on the order.
 */
#include "decide/rays.h"

#include <string.h>

enum { OCTANTS = 8, CHUNK = 64 };

/* Rays of one octant. */
typedef struct Batch {
    PliCaster *caster;
    const PliScene *scene;
    PliWorker *worker;
    const PliRay *rays;
    PliRayLine *lines;
    PliRayHit *firsts;
    uint32_t octant;
} Batch;

/* The children of a node: those of a scene may have tags of their own. */
typedef struct Children {
    const PliBoxes *boxes;
    int32_t count, parts[PLI_GROUP], tags[PLI_GROUP];
    uint32_t wanted; /* a bit for each: a body with a loose box may have nothing in it */
} Children;

/* ---- Parts ---------------------------------------------------------------------------------- */

/* Sorts the numbers of the children: those that rays of the octant come to last are first. Unused
 * places of a node of the scene are NaN, and anywhere. */
static void sort_children(const Batch *batch, const Children *children, int32_t order[PLI_GROUP])
{
    float sums[PLI_GROUP] = {0};
    for (int k = 0; k < 3; k++) {
        const float sign = batch->octant >> k & 1 ? -1 : 1;
        for (int c = 0; c < PLI_GROUP; c++)
            sums[c] += sign * (children->boxes->low[k][c] + children->boxes->high[k][c]);
    }
    for (int32_t c = 0; c < children->count; c++) {
        int32_t at = c;
        for (; at > 0 && sums[order[at - 1]] < sums[c]; at--)
            order[at] = order[at - 1];
        order[at] = c;
    }
}

/* Adds the rays of a chunk that go through child c to its list. */
static int64_t add_items(const PliRayItem *items, int32_t count, const uint32_t *bits,
                         const float *nears, int32_t c, PliRayItem *to)
{
    int64_t added = 0;
    for (int32_t i = 0; i < count; i++) {
        to[added] = (PliRayItem){items[i].ray, nears[PLI_GROUP * i + c]};
        added += bits[i] >> c & 1;
    }
    return added;
}

/* Adds the rays of a part to the lists of the children: list i begins at lists + part->count * i.
 */
static void spread(const Batch *batch, const PliRayPart *part, const Children *children,
                   const int32_t order[PLI_GROUP], PliRayItem *lists, int64_t counts[PLI_GROUP])
{
    const PliRayItem *items = (const PliRayItem *)batch->caster->items.items + part->first;
    uint32_t bits[CHUNK];
    float nears[CHUNK * PLI_GROUP];
    for (int64_t begin = 0; begin < part->count; begin += CHUNK) {
        const int64_t left = part->count - begin;
        const int32_t count = left < CHUNK ? (int32_t)left : CHUNK;
        uint32_t any = 0;
        batch->worker->kernels->ray_boxes(batch->lines, items + begin, count,
                                          children->boxes->low[0], PLI_GROUP, bits, nears);
        for (int32_t i = 0; i < count; i++)
            any |= bits[i] & children->wanted;
        for (int32_t i = 0; i < children->count; i++)
            if (any >> order[i] & 1)
                counts[i] += add_items(items + begin, count, bits, nears, order[i],
                                       lists + part->count * i + counts[i]);
    }
    batch->caster->stats.bound_count += part->count * PLI_GROUP;
}

/* Puts the children of a part on the stack, in whose place their rays go. The lists follow the rays
 * of the part: what is moved does not reach the next one. */
static PliantResult visit_children(const Batch *batch, const PliRayPart *part,
                                   const Children *children)
{
    PliCaster *caster = batch->caster;
    const PliantHost *host = batch->worker->host;
    int32_t order[PLI_GROUP];
    int64_t counts[PLI_GROUP] = {0}, end = part->first;
    PLI_TRY(
        pli_array_reserve(&caster->items, host, part->first + (1 + children->count) * part->count));
    PLI_TRY(pli_array_reserve(&caster->parts, host, caster->parts.count + PLI_GROUP));
    PliRayItem *items = caster->items.items, *lists = items + part->first + part->count;
    sort_children(batch, children, order);
    spread(batch, part, children, order, lists, counts);
    for (int32_t i = 0; i < children->count; i++) {
        if (counts[i] == 0)
            continue;
        memmove(items + end, lists + part->count * i, (size_t)counts[i] * sizeof *items);
        ((PliRayPart *)caster->parts.items)[caster->parts.count++] = (PliRayPart){
            children->parts[order[i]], children->tags[order[i]], end, counts[i], caster->hit_count};
        end += counts[i];
    }
    caster->items.count = end;
    return PLIANT_OK;
}

static PliantResult visit_node(const Batch *batch, const PliRayPart *part)
{
    PliBounds *bounds = &pli_scene_body(batch->scene, part->tag)->pose->bounds;
    const PliTreeNode *node = &bounds->tree->nodes[part->part];
    Children children = {.boxes = pli_bounds_of(bounds, part->part, batch->worker, PLI_SIDE_A),
                         .count = node->child_count,
                         .wanted = ~UINT32_C(0)};
    if (!children.boxes)
        return PLIANT_OUT_OF_MEMORY;
    for (int i = 0; i < PLI_GROUP; i++) {
        children.parts[i] = node->children[i];
        children.tags[i] = part->tag;
    }
    return visit_children(batch, part, &children);
}

/* A child is a body, or a node of the level below. */
static PliantResult visit_scene(const Batch *batch, const PliRayPart *part)
{
    const PliScene *scene = batch->scene;
    const int32_t level = pli_scene_level_of(scene, part->part);
    const int32_t first = PLI_GROUP * (part->part - scene->first_nodes[level]);
    const int32_t end = level > 0 ? scene->first_nodes[level] - scene->first_nodes[level - 1]
                                  : (int32_t)scene->bodies.count;
    Children children = {.boxes = (const PliBoxes *)scene->nodes.items + part->part,
                         .count = end - first < PLI_GROUP ? end - first : PLI_GROUP,
                         .wanted = ~UINT32_C(0)};
    for (int32_t i = 0; i < children.count; i++) {
        if (level > 0) {
            children.parts[i] = scene->first_nodes[level - 1] + first + i;
            children.tags[i] = -1;
            continue;
        }
        const int32_t body = ((const int32_t *)scene->order.items)[first + i];
        const PliTree *tree = pli_scene_body(scene, body)->pose->bounds.tree;
        children.parts[i] = pli_whole_tree(tree);
        if (tree->leaf_count == 0)
            children.wanted &= ~(UINT32_C(1) << i);
        children.tags[i] = body;
    }
    return visit_children(batch, part, &children);
}

/* ---- Leaves --------------------------------------------------------------------------------- */

static void keep(const Batch *batch, int32_t ray, const PliRayHit *hit)
{
    PliRayHit *first = &batch->firsts[ray];
    PliRayLine *line = &batch->lines[ray];
    if (first->body >= 0 && pli_ray_hits_compare(&batch->rays[ray], hit, first) > 0)
        return;
    const float end = pli_ray_line_parameter(&batch->rays[ray], hit->span.high);
    batch->caster->hit_count++;
    *first = *hit;
    line->end = end < line->end ? end : line->end;
}

/* A ray that goes through the box of a triangle of a leaf. */
typedef struct Test {
    int32_t ray;
    uint32_t triangle; /* within the leaf */
    float near;
} Test;

/* Lists the tests of a chunk. As a rule a ray goes through one box or two: these are no branches.
 */
static int32_t list_tests(const PliRayItem *items, int32_t count, const uint32_t *bits,
                          const float *nears, Test *tests)
{
    int32_t test_count = 0;
    for (int32_t i = 0; i < count; i++) {
        uint32_t rest = bits[i];
        do {
            for (int twice = 0; twice < 2; twice++) {
                const uint32_t t =
                    (uint32_t)__builtin_ctz(rest | 1u << PLI_LEAF_SIZE) % PLI_LEAF_SIZE;
                tests[test_count] =
                    (Test){items[i].ray, t, nears[(uint32_t)(PLI_LEAF_SIZE * i) + t]};
                test_count += rest != 0;
                rest &= rest - 1;
            }
        } while (rest != 0);
    }
    return test_count;
}

static void test_triangles(const Batch *batch, const PliRayPart *part, uint32_t slot,
                           const Test *tests, int32_t count)
{
    enum { AHEAD = 6 };
    PliCaster *caster = batch->caster;
    const PliPose *pose = pli_scene_body(batch->scene, part->tag)->pose;
    for (int32_t i = 0; i < count; i++) {
        const int32_t ray = tests[i].ray;
        const uint32_t at = slot * PLI_LEAF_SIZE + tests[i].triangle;
        const float *row = pli_leaf_cache_row(&caster->cache, at);
        PliRayHit hit;
        if (i + AHEAD < count)
            __builtin_prefetch(&batch->rays[tests[i + AHEAD].ray]);
        if (tests[i].near > batch->lines[ray].end)
            continue;
        caster->stats.triangle_count++;
        if (!pli_ray_hits(&batch->rays[ray], row, &hit.span, &caster->exact))
            continue;
        hit.body = part->tag;
        hit.triangle = pli_pose_triangle(pose, pli_leaf_cache_position(&caster->cache, at));
        memcpy(hit.corners, row, sizeof hit.corners);
        keep(batch, ray, &hit);
    }
}

static void visit_leaf(const Batch *batch, const PliRayPart *part)
{
    PliCaster *caster = batch->caster;
    const PliRayItem *items = (const PliRayItem *)caster->items.items + part->first;
    const PliPose *pose = pli_scene_body(batch->scene, part->tag)->pose;
    const uint32_t slot =
        pli_leaf_cache_fetch_mixed(&caster->cache, pose, part->tag, ~part->part, batch->worker);
    uint32_t bits[CHUNK];
    float nears[CHUNK * PLI_LEAF_SIZE];
    Test tests[CHUNK * PLI_LEAF_SIZE + 2];
    for (int64_t begin = 0; begin < part->count; begin += CHUNK) {
        const int64_t left = part->count - begin;
        const int32_t count = left < CHUNK ? (int32_t)left : CHUNK;
        batch->worker->kernels->ray_boxes(batch->lines, items + begin, count,
                                          caster->cache.leaf_boxes[slot].low[0], PLI_LEAF_SIZE,
                                          bits, nears);
        test_triangles(batch, part, slot, tests,
                       list_tests(items + begin, count, bits, nears, tests));
    }
    caster->items.count = part->first;
    caster->stats.bound_count += part->count * PLI_LEAF_SIZE;
}

/* ---- The batch ------------------------------------------------------------------------------ */

/* Keeps those of a part's rays whose first hit so far is not before it. */
static void drop_behind(const Batch *batch, PliRayPart *part)
{
    PliRayItem *items = (PliRayItem *)batch->caster->items.items + part->first;
    int64_t count = 0;
    for (int64_t i = 0; i < part->count; i++) {
        const PliRayItem item = items[i];
        items[count] = item;
        count += item.near <= batch->lines[item.ray].end;
    }
    part->count = count;
}

static PliantResult visit_part(const Batch *batch, const PliRayPart *part)
{
    if (part->tag < 0)
        return visit_scene(batch, part);
    if (part->part < 0) {
        visit_leaf(batch, part);
        return PLIANT_OK;
    }
    return visit_node(batch, part);
}

/* The root of the scene, or of its only body. */
static PliRayPart root_of(const PliScene *scene, int64_t ray_count)
{
    const PliTree *tree = pli_scene_body(scene, 0)->pose->bounds.tree;
    const bool is_alone = scene->bodies.count == 1 && tree->leaf_count > 0;
    return (PliRayPart){.part = is_alone ? pli_whole_tree(tree) : (int32_t)scene->nodes.count - 1,
                        .tag = is_alone ? 0 : -1,
                        .count = ray_count};
}

/* All rays from `first` to `end`, which have one octant. */
static PliantResult walk(const Batch *batch, int32_t first, int32_t end)
{
    enum { CHECK_PERIOD = 256 };
    PliCaster *caster = batch->caster;
    void *room;
    caster->items.count = caster->parts.count = caster->hit_count = 0;
    PLI_TRY(pli_array_push(&caster->items, batch->worker->host, end - first, &room));
    for (int32_t i = first; i < end; i++)
        ((PliRayItem *)room)[i - first] = (PliRayItem){i, 0};
    PLI_TRY(pli_array_push(&caster->parts, batch->worker->host, 1, &room));
    *(PliRayPart *)room = root_of(batch->scene, end - first);
    for (int64_t step = 1; caster->parts.count > 0; step++) {
        PliRayPart part = ((const PliRayPart *)caster->parts.items)[--caster->parts.count];
        if (part.hit_count != caster->hit_count)
            drop_behind(batch, &part);
        if (part.count > 0)
            PLI_TRY(visit_part(batch, &part));
        if (part.tag >= 0)
            pli_caster_count_for(caster, part.tag, batch->worker);
        if (step % CHECK_PERIOD == 0)
            PLI_TRY(pli_worker_check(batch->worker));
    }
    return PLIANT_OK;
}

static uint32_t octant_of(const PliRay *ray)
{
    uint32_t octant = 0;
    for (int k = 0; k < 3; k++)
        octant |= (uint32_t)(ray->direction[k] < 0) << k;
    return octant;
}

static PliantResult reserve_rays(PliCaster *caster, int32_t count, const PliantHost *host)
{
    PLI_TRY(pli_array_reserve(&caster->rays, host, count));
    PLI_TRY(pli_array_reserve(&caster->lines, host, count));
    PLI_TRY(pli_array_reserve(&caster->firsts, host, count));
    return pli_array_reserve(&caster->places, host, count);
}

/* Copies rays in the order of their octants. Then ends[k] is where those of octant k end. */
static void sort_rays(PliCaster *caster, const void *rays, int32_t count, int32_t ends[OCTANTS])
{
    int32_t *places = caster->places.items, counts[OCTANTS] = {0}, end = 0;
    PliRay ray;
    for (int32_t i = 0; i < count; i++) {
        memcpy(&ray, (const char *)rays + (size_t)i * sizeof ray, sizeof ray);
        counts[octant_of(&ray)]++;
    }
    for (int k = 0; k < OCTANTS; k++) {
        ends[k] = end;
        end += counts[k];
    }
    for (int32_t i = 0; i < count; i++) {
        memcpy(&ray, (const char *)rays + (size_t)i * sizeof ray, sizeof ray);
        const int32_t place = places[i] = ends[octant_of(&ray)]++;
        ((PliRay *)caster->rays.items)[place] = ray;
        ((PliRayHit *)caster->firsts.items)[place].body = -1;
        pli_ray_line(&ray, (PliRayLine *)caster->lines.items + place);
    }
}

PliantResult pli_ray_batch(PliCaster *caster, const PliScene *scene, const void *rays,
                           int32_t count, PliWorker *worker)
{
    int32_t ends[OCTANTS];
    PLI_TRY(reserve_rays(caster, count, worker->host));
    sort_rays(caster, rays, count, ends);
    for (uint32_t k = 0; k < OCTANTS; k++) {
        const Batch batch = {.caster = caster,
                             .scene = scene,
                             .worker = worker,
                             .rays = caster->rays.items,
                             .lines = caster->lines.items,
                             .firsts = caster->firsts.items,
                             .octant = k};
        const int32_t first = k > 0 ? ends[k - 1] : 0;
        if (first < ends[k])
            PLI_TRY(walk(&batch, first, ends[k]));
    }
    return PLIANT_OK;
}
