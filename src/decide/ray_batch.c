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

enum { OCTANTS = 8, CHUNK = 64, BLOCK = 64 };

/* Tests of rays and triangles that are done together, once there is a block of them. */
typedef struct Waiting {
    PliRayTest tests[BLOCK + CHUNK * PLI_LEAF_SIZE + 2];
    float nears[BLOCK + CHUNK * PLI_LEAF_SIZE + 2]; /* no hit is nearer */
    int32_t count;
} Waiting;

/* Rays of one octant. */
typedef struct Batch {
    PliCaster *caster;
    const PliScene *scene;
    PliWorker *worker;
    const PliRay *rays;
    PliRayLine *lines;
    int32_t *firsts; /* of each ray the number of its first hit so far, or -1 */
    Waiting *waiting;
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

/* Puts the children of a part on the stack, in whose place their rays go. Their lists follow the
 * rays of the part: what is moved does not reach the next one. */
static PliantResult visit_children(const Batch *batch, const PliRayPart *part,
                                   const Children *children)
{
    PliCaster *caster = batch->caster;
    const PliantHost *host = batch->worker->host;
    const int64_t room = part->count + PLI_RAY_ROOM;
    int32_t order[PLI_GROUP];
    int64_t counts[PLI_GROUP] = {0}, end = part->first;
    PLI_TRY(pli_array_reserve(&caster->items, host, part->first + (1 + PLI_GROUP) * room));
    PLI_TRY(pli_array_reserve(&caster->parts, host, caster->parts.count + PLI_GROUP));
    PliRayItem *items = caster->items.items, *lists[PLI_GROUP];
    sort_children(batch, children, order);
    for (int32_t i = 0; i < PLI_GROUP; i++)
        lists[i < children->count ? order[i] : i] = items + part->first + (1 + i) * room;
    batch->worker->kernels->spread_rays(batch->lines, items + part->first, part->count,
                                        children->boxes, lists, counts);
    caster->stats.bound_count += part->count * PLI_GROUP;
    for (int32_t i = 0; i < children->count; i++) {
        const int32_t c = order[i];
        if (counts[c] == 0 || !(children->wanted >> c & 1))
            continue;
        memmove(items + end, lists[c], (size_t)counts[c] * sizeof *items);
        ((PliRayPart *)caster->parts.items)[caster->parts.count++] =
            (PliRayPart){children->parts[c], children->tags[c], end, counts[c], caster->hit_count};
        end += counts[c];
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

static PliantResult keep(const Batch *batch, int32_t ray, const PliRayHit *hit)
{
    PliArray *hits = &batch->caster->hits;
    int32_t *first = &batch->firsts[ray];
    PliRayLine *line = &batch->lines[ray];
    if (*first < 0) {
        void *room;
        PLI_TRY(pli_array_push(hits, batch->worker->host, 1, &room));
        *first = (int32_t)hits->count - 1;
    } else if (pli_ray_hits_compare(&batch->rays[ray], hit,
                                    (const PliRayHit *)hits->items + *first) > 0)
        return PLIANT_OK;
    const float end = pli_ray_line_parameter(&batch->rays[ray], hit->span.high);
    batch->caster->hit_count++;
    ((PliRayHit *)hits->items)[*first] = *hit;
    line->end = end < line->end ? end : line->end;
    return PLIANT_OK;
}

/* Keeps the hit of a test that is none but for what double leaves open. */
static PliantResult finish_test(const Batch *batch, const PliRayTest *test, bool is_certain,
                                const PliRaySpan *span)
{
    PliCaster *caster = batch->caster;
    const PliLeafCache *cache = &caster->cache;
    const int32_t body = pli_leaf_cache_body(cache, test->row), ray = (int32_t)test->ray;
    const PliPose *pose = pli_scene_body(batch->scene, body)->pose;
    PliRayHit hit = {.span = *span, .body = body};
    memcpy(hit.corners, pli_leaf_cache_row(cache, test->row), sizeof hit.corners);
    if (!is_certain &&
        !pli_ray_hits_exactly(&batch->rays[ray], hit.corners, &hit.span, &caster->exact))
        return PLIANT_OK;
    if (caster->rules.side != 0 &&
        pli_ray_side(&batch->rays[ray], hit.corners) != caster->rules.side)
        return PLIANT_OK;
    hit.triangle = pli_pose_triangle(pose, pli_leaf_cache_position(cache, test->row));
    return keep(batch, ray, &hit);
}

/* A block of tests that wait, but those behind the first hit of their ray. */
static PliantResult run_block(const Batch *batch, const PliRayTest *waiting, const float *nears,
                              int32_t count)
{
    PliCaster *caster = batch->caster;
    PliRayTest tests[BLOCK];
    uint8_t verdicts[BLOCK];
    PliRaySpan spans[BLOCK];
    int32_t left = 0, found = 0, places[BLOCK];
    for (int32_t i = 0; i < count; i++) {
        tests[left] = waiting[i];
        left += nears[i] <= batch->lines[waiting[i].ray].end;
    }
    batch->worker->kernels->ray_triangles(batch->rays, caster->cache.rows, tests, left, verdicts,
                                          spans);
    caster->stats.triangle_count += left;
    for (int32_t i = 0; i < left; i++) {
        places[found] = i;
        found += verdicts[i] != PLI_RAY_MISSES;
    }
    for (int32_t i = 0; i < found; i++)
        PLI_TRY(finish_test(batch, &tests[places[i]], verdicts[places[i]] == PLI_RAY_HITS,
                            &spans[places[i]]));
    return PLIANT_OK;
}

static PliantResult run_tests(const Batch *batch)
{
    Waiting *waiting = batch->waiting;
    for (int32_t i = 0; i < waiting->count; i += BLOCK) {
        const int32_t left = waiting->count - i;
        PLI_TRY(
            run_block(batch, waiting->tests + i, waiting->nears + i, left < BLOCK ? left : BLOCK));
    }
    waiting->count = 0;
    return PLIANT_OK;
}

/* Adds the tests of a chunk to those that wait. As a rule a ray goes through one box or two: these
 * are no branches. What a test reads is not there as a rule, and is fetched while it waits. */
static void add_tests(const Batch *batch, const PliRayItem *items, int32_t count, uint32_t slot,
                      const uint32_t *bits, const float *nears)
{
    Waiting *waiting = batch->waiting;
    int32_t end = waiting->count;
    for (int32_t i = 0; i < count; i++) {
        uint32_t rest = bits[i];
        do {
            for (int twice = 0; twice < 2; twice++) {
                const uint32_t t =
                    (uint32_t)__builtin_ctz(rest | 1u << PLI_LEAF_SIZE) % PLI_LEAF_SIZE;
                waiting->tests[end] =
                    (PliRayTest){(uint32_t)items[i].ray, slot * PLI_LEAF_SIZE + t};
                waiting->nears[end] = nears[(uint32_t)(PLI_LEAF_SIZE * i) + t];
                end += rest != 0;
                rest &= rest - 1;
            }
        } while (rest != 0);
    }
    for (int32_t i = waiting->count; i < end; i++) {
        const float *row = pli_leaf_cache_row(&batch->caster->cache, waiting->tests[i].row);
        __builtin_prefetch(&batch->rays[waiting->tests[i].ray]);
        __builtin_prefetch(row);
        __builtin_prefetch(row + PLI_ROW_SIZE - 1);
    }
    waiting->count = end;
}

static PliantResult visit_leaf(const Batch *batch, const PliRayPart *part)
{
    PliCaster *caster = batch->caster;
    const PliRayItem *items = (const PliRayItem *)caster->items.items + part->first;
    const PliPose *pose = pli_scene_body(batch->scene, part->tag)->pose;
    const uint32_t slot =
        pli_leaf_cache_fetch_mixed(&caster->cache, pose, part->tag, ~part->part, batch->worker);
    uint32_t bits[CHUNK];
    float nears[CHUNK * PLI_LEAF_SIZE];
    for (int64_t begin = 0; begin < part->count; begin += CHUNK) {
        const int64_t left = part->count - begin;
        const int32_t count = left < CHUNK ? (int32_t)left : CHUNK;
        batch->worker->kernels->ray_boxes(batch->lines, items + begin, count,
                                          caster->cache.leaf_boxes[slot].low[0], PLI_LEAF_SIZE,
                                          bits, nears);
        add_tests(batch, items + begin, count, slot, bits, nears);
        if (batch->waiting->count >= BLOCK)
            PLI_TRY(run_tests(batch));
    }
    caster->items.count = part->first;
    caster->stats.bound_count += part->count * PLI_LEAF_SIZE;
    return PLIANT_OK;
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

/* Keeps those of a body's rays that may hit it, when the walk comes to the body. */
static void drop_refused(const Batch *batch, PliRayPart *part)
{
    const PliCaster *caster = batch->caster;
    const PliSceneBody *body = pli_scene_body(batch->scene, part->tag);
    const int64_t *numbers = caster->numbers.items;
    PliRayItem *items = (PliRayItem *)caster->items.items + part->first;
    int64_t count = 0;
    if (part->part != pli_whole_tree(body->pose->bounds.tree))
        return;
    for (int64_t i = 0; i < part->count; i++) {
        const PliRayItem item = items[i];
        items[count] = item;
        count += pli_ray_may_hit(&caster->rules, numbers[item.ray], body->number);
    }
    part->count = count;
}

static bool is_leaf(const PliRayPart *part)
{
    return part->tag >= 0 && part->part < 0;
}

static PliantResult visit_part(const Batch *batch, const PliRayPart *part)
{
    return part->tag < 0   ? visit_scene(batch, part)
           : is_leaf(part) ? visit_leaf(batch, part)
                           : visit_node(batch, part);
}

/* The boxes of the next part, if that is a leaf: all leaves together are more than a cache has. */
static void prefetch_next(const Batch *batch)
{
    const PliArray *parts = &batch->caster->parts;
    const PliRayPart *end = (const PliRayPart *)parts->items + parts->count, *next;
    if (parts->count > 0 && is_leaf(next = end - 1))
        pli_leaf_cache_prefetch_mixed(&batch->caster->cache, next->tag, ~next->part);
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
        /* What is fetched takes the place of a leaf whose tests wait, or is behind their hits. */
        if (is_leaf(&part) && !pli_leaf_cache_has_mixed(&caster->cache, part.tag, ~part.part))
            PLI_TRY(run_tests(batch));
        if (part.hit_count != caster->hit_count)
            drop_behind(batch, &part);
        if (caster->rules.are_by_ray && part.tag >= 0)
            drop_refused(batch, &part);
        prefetch_next(batch);
        if (part.count > 0)
            PLI_TRY(visit_part(batch, &part));
        if (part.tag >= 0)
            pli_caster_count_for(caster, part.tag, batch->worker);
        if (step % CHECK_PERIOD == 0)
            PLI_TRY(pli_worker_check(batch->worker));
    }
    return run_tests(batch);
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
    if (caster->rules.are_by_ray)
        PLI_TRY(pli_array_reserve(&caster->numbers, host, count));
    return pli_array_reserve(&caster->places, host, count);
}

/* Copies rays in the order of their octants. Then ends[k] is where those of octant k end. */
static void sort_rays(PliCaster *caster, const void *rays, int64_t first_number, int32_t count,
                      int32_t ends[OCTANTS])
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
        ((int32_t *)caster->firsts.items)[place] = -1;
        if (caster->rules.are_by_ray)
            ((int64_t *)caster->numbers.items)[place] = first_number + i;
        pli_ray_line(&ray, (PliRayLine *)caster->lines.items + place);
    }
}

PliantResult pli_ray_batch(PliCaster *caster, const PliScene *scene, const void *rays,
                           int64_t first_number, int32_t count, PliWorker *worker)
{
    int32_t ends[OCTANTS];
    Waiting waiting = {.count = 0};
    PLI_TRY(reserve_rays(caster, count, worker->host));
    caster->hits.count = 0;
    sort_rays(caster, rays, first_number, count, ends);
    for (uint32_t k = 0; k < OCTANTS; k++) {
        const Batch batch = {.caster = caster,
                             .scene = scene,
                             .worker = worker,
                             .rays = caster->rays.items,
                             .lines = caster->lines.items,
                             .firsts = caster->firsts.items,
                             .waiting = &waiting,
                             .octant = k};
        const int32_t first = k > 0 ? ends[k - 1] : 0;
        if (first < ends[k])
            PLI_TRY(walk(&batch, first, ends[k]));
    }
    return PLIANT_OK;
}
