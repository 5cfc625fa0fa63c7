/* The walk of one ray: see rays.h. */
#include "decide/rays.h"

#include <string.h>

/* Parts that wait have the number of a body as their tag; nodes of the scene have -1. They are not
 * hit before `near`. */

/* One walk. */
typedef struct Walk {
    PliCaster *caster;
    const PliScene *scene;
    const PliRay *ray;
    PliRayKind kind;
    PliWorker *worker;
    PliRayLine line;
    double end; /* a hit beyond is of no use */
} Walk;

void pli_caster_init(PliCaster *caster)
{
    *caster = (PliCaster){.stack = {.item_size = sizeof(PliVisitPart)},
                          .hits = {.item_size = sizeof(PliRayHit)},
                          .scratch = {.item_size = sizeof(PliRayHit)},
                          .counts = {.item_size = sizeof(PliPoseCounts)}};
    pli_leaf_cache_init(&caster->cache);
}

void pli_caster_free(PliCaster *caster, const PliantHost *host)
{
    pli_array_free(&caster->stack, host);
    pli_leaf_cache_free(&caster->cache, host);
    pli_array_free(&caster->hits, host);
    pli_array_free(&caster->scratch, host);
    pli_array_free(&caster->counts, host);
}

PliantResult pli_caster_start(PliCaster *caster, const PliScene *scene, int64_t ray_count,
                              const PliantHost *host)
{
    enum { LEAVES_OF_A_RAY = 32 };
    const int64_t body_count = scene->bodies.count;
    const int64_t enough = ray_count < PLI_MAX_MIXED_SLOTS / LEAVES_OF_A_RAY
                               ? ray_count * LEAVES_OF_A_RAY
                               : PLI_MAX_MIXED_SLOTS;
    int64_t leaf_count = 0;
    for (int64_t i = 0; i < body_count && leaf_count < enough; i++)
        leaf_count += pli_scene_body(scene, (int32_t)i)->pose->bounds.tree->leaf_count;
    PLI_TRY(pli_leaf_cache_start_mixed(&caster->cache, leaf_count < enough ? leaf_count : enough,
                                       host));
    PLI_TRY(pli_array_reserve_spare(&caster->counts, host, body_count));
    if (body_count > 0)
        memset(caster->counts.items, 0, (size_t)body_count * sizeof(PliPoseCounts));
    caster->counts.count = body_count;
    caster->exact = (PliCounts){0};
    caster->stats = (PliRayStats){0};
    return PLIANT_OK;
}

static PliRayLine line_of(const PliRay *ray)
{
    PliRayLine line;
    for (int k = 0; k < 3; k++) {
        line.origin[k] = ray->origin[k];
        line.is_across[k] = ray->direction[k] == 0;
        line.is_downward[k] = ray->direction[k] < 0;
        line.inverse[k] = line.is_across[k] ? 0 : 1 / (double)ray->direction[k];
    }
    return line;
}

/* ---- Parts ---------------------------------------------------------------------------------- */

/* PliVisitor. Which children of a node the ray goes through. */
static PliantResult choose(void *data, const PliVisitPart *node, const PliBoxes *boxes,
                           PliVisitPart children[PLI_GROUP], uint32_t *bits)
{
    Walk *walk = data;
    double nears[PLI_GROUP];
    (void)node;
    *bits =
        walk->worker->kernels->ray_boxes(&walk->line, walk->end, boxes->low[0], PLI_GROUP, nears);
    walk->caster->stats.bound_count += PLI_GROUP;
    for (int i = 0; i < PLI_GROUP; i++)
        children[i].near = nears[i];
    return PLIANT_OK;
}

static const PliVisitor RAYS = {.is_sorted = true, .choose = choose};

/* Visits a node of the scene: its children are bodies, or nodes of the level below. */
static PliantResult visit_scene(Walk *walk, const PliVisitPart *node, bool is_reaching)
{
    const PliScene *scene = walk->scene;
    const int32_t level = pli_scene_level_of(scene, node->part);
    const int32_t first = 8 * (node->part - scene->first_nodes[level]);
    PliVisitPart children[PLI_GROUP];
    uint32_t bits, visited = 0;
    PLI_TRY(choose(walk, node, (const PliBoxes *)scene->nodes.items + node->part, children, &bits));
    for (; bits; bits &= bits - 1) {
        const int c = __builtin_ctz(bits);
        PliVisitPart *child = &children[c];
        if (level > 0) {
            child->part = scene->first_nodes[level - 1] + first + c;
            child->tag = -1;
            visited |= 1u << c;
            continue;
        }
        child->tag = ((const int32_t *)scene->order.items)[first + c];
        const PliTree *tree = pli_scene_body(scene, child->tag)->pose->bounds.tree;
        child->part = pli_whole_tree(tree);
        if (is_reaching)
            pli_scene_body(scene, child->tag)->is_reached = true;
        else if (tree->leaf_count > 0) /* a loose box may have nothing in it */
            visited |= 1u << c;
    }
    return pli_visit_sort(&walk->caster->stack, walk->worker->host, children, visited);
}

/* ---- Leaves --------------------------------------------------------------------------------- */

/* Keeps a hit, as the kind of the walk asks. */
static PliantResult keep(Walk *walk, const PliRayHit *hit)
{
    PliArray *hits = &walk->caster->hits;
    PliRayHit *first = hits->items;
    if (walk->kind == PLI_RAY_ALL || hits->count == 0) {
        void *room;
        PLI_TRY(pli_array_push(hits, walk->worker->host, 1, &room));
        *(PliRayHit *)room = *hit;
    } else if (walk->kind == PLI_RAY_ANY ? hit->triangle < first->triangle
                                         : pli_ray_hits_compare(walk->ray, hit, first) < 0) {
        *first = *hit;
    }
    if (walk->kind == PLI_RAY_FIRST) {
        const double high = ((const PliRayHit *)hits->items)->span.high;
        walk->end = high < walk->end ? high : walk->end;
    }
    return PLIANT_OK;
}

static PliantResult visit_leaf(Walk *walk, int32_t body, int32_t leaf)
{
    PliCaster *caster = walk->caster;
    const PliPose *pose = pli_scene_body(walk->scene, body)->pose;
    PliLeafCache *cache = &caster->cache;
    const uint32_t slot = pli_leaf_cache_fetch_mixed(cache, pose, body, leaf, walk->worker);
    double nears[PLI_LEAF_SIZE];
    uint32_t bits = walk->worker->kernels->ray_boxes(
        &walk->line, walk->end, cache->leaf_boxes[slot].low[0], PLI_LEAF_SIZE, nears);
    caster->stats.bound_count += PLI_LEAF_SIZE;
    for (; bits; bits &= bits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(bits);
        const float *row = pli_leaf_cache_row(cache, slot * PLI_LEAF_SIZE + i);
        PliRayHit hit;
        if (nears[i] > walk->end)
            continue;
        caster->stats.triangle_count++;
        if (!pli_ray_hits(walk->ray, row, &hit.span, &caster->exact))
            continue;
        hit.body = body;
        hit.triangle =
            pli_pose_triangle(pose, pli_leaf_cache_position(cache, slot * PLI_LEAF_SIZE + i));
        memcpy(hit.corners, row, sizeof hit.corners);
        PLI_TRY(keep(walk, &hit));
    }
    return PLIANT_OK;
}

/* ---- The walk ------------------------------------------------------------------------------- */

/* Moves what a part took from the worker to the body. */
static void count_for(Walk *walk, int32_t body)
{
    PliPoseCounts *counts = &walk->worker->counts[PLI_SIDE_A];
    if (counts->opened_nodes == 0 && counts->fetched_leaves == 0)
        return;
    pli_pose_counts_add((PliPoseCounts *)walk->caster->counts.items + body, counts);
    *counts = (PliPoseCounts){0};
}

static PliantResult visit_body(Walk *walk, const PliVisitPart *part)
{
    const int32_t body = part->tag;
    const PliantResult result =
        part->part < 0
            ? visit_leaf(walk, body, ~part->part)
            : pli_visit_open(&walk->caster->stack, &pli_scene_body(walk->scene, body)->pose->bounds,
                             part, walk->worker, PLI_SIDE_A, &RAYS, walk);
    count_for(walk, body);
    return result;
}

/* Starts at the root of the scene. */
static PliantResult start(Walk *walk)
{
    const PliVisitPart root = {{0}, (int32_t)walk->scene->nodes.count - 1, -1};
    walk->line = line_of(walk->ray);
    walk->end = walk->ray->max;
    walk->caster->stack.count = walk->caster->hits.count = 0;
    return pli_visit_sort(&walk->caster->stack, walk->worker->host, &root, root.part >= 0);
}

PliantResult pli_rays_reach(PliCaster *caster, PliScene *scene, const PliRay *ray,
                            PliWorker *worker)
{
    Walk walk = {.caster = caster, .scene = scene, .ray = ray, .worker = worker};
    PLI_TRY(start(&walk));
    while (caster->stack.count > 0) {
        const PliVisitPart part = pli_visit_pop(&caster->stack);
        PLI_TRY(visit_scene(&walk, &part, true));
    }
    return PLIANT_OK;
}

PliantResult pli_ray_cast(PliCaster *caster, const PliScene *scene, const PliRay *ray,
                          PliRayKind kind, PliWorker *worker)
{
    Walk walk = {.caster = caster, .scene = scene, .ray = ray, .kind = kind, .worker = worker};
    PLI_TRY(start(&walk));
    while (caster->stack.count > 0 && !(kind == PLI_RAY_ANY && caster->hits.count > 0)) {
        const PliVisitPart part = pli_visit_pop(&caster->stack);
        if (part.near > walk.end)
            continue;
        PLI_TRY(part.tag < 0 ? visit_scene(&walk, &part, false) : visit_body(&walk, &part));
    }
    return kind == PLI_RAY_ALL
               ? pli_ray_hits_sort(ray, &caster->hits, &caster->scratch, worker->host)
               : PLIANT_OK;
}
