/* The walk of one ray: see rays.h. */
#include "decide/rays.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Parts that wait have the number of a body as their tag; nodes of the scene have -1. They are not
 * hit before `near`. Parameters are those of its line: see kernels/ray.h. */

/* One walk. */
typedef struct Walk {
    PliCaster *caster;
    const PliScene *scene;
    const PliRay *ray;
    int64_t number;
    PliRayKind kind;
    PliWorker *worker;
    PliRayLine line;
} Walk;

void pli_caster_init(PliCaster *caster)
{
    *caster = (PliCaster){.stack = {.item_size = sizeof(PliVisitPart)},
                          .hits = {.item_size = sizeof(PliRayHit)},
                          .scratch = {.item_size = sizeof(PliRayHit)},
                          .counts = {.item_size = sizeof(PliPoseCounts)},
                          .rays = {.item_size = sizeof(PliRay)},
                          .lines = {.item_size = sizeof(PliRayLine)},
                          .places = {.item_size = sizeof(int32_t)},
                          .numbers = {.item_size = sizeof(int64_t)},
                          .firsts = {.item_size = sizeof(int32_t)},
                          .parts = {.item_size = sizeof(PliRayPart)},
                          .items = {.item_size = sizeof(PliRayItem)}};
    pli_leaf_cache_init(&caster->cache);
}

void pli_caster_free(PliCaster *caster, const PliantHost *host)
{
    pli_array_free(&caster->stack, host);
    pli_leaf_cache_free(&caster->cache, host);
    pli_array_free(&caster->hits, host);
    pli_array_free(&caster->scratch, host);
    pli_array_free(&caster->counts, host);
    pli_array_free(&caster->rays, host);
    pli_array_free(&caster->lines, host);
    pli_array_free(&caster->places, host);
    pli_array_free(&caster->numbers, host);
    pli_array_free(&caster->firsts, host);
    pli_array_free(&caster->parts, host);
    pli_array_free(&caster->items, host);
}

PliantResult pli_caster_start(PliCaster *caster, const PliScene *scene, const PliRayRules *rules,
                              int64_t ray_count, const PliantHost *host)
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
    caster->rules = *rules;
    return PLIANT_OK;
}

static double greatest_of(const float v[3])
{
    const float x = fabsf(v[0]), y = fabsf(v[1]), z = fabsf(v[2]);
    const float most = x > y ? x : y;
    return (double)(most > z ? most : z);
}

float pli_ray_line_parameter(const PliRay *ray, double t)
{
    return (float)(greatest_of(ray->direction) * t);
}

void pli_ray_line(const PliRay *ray, PliRayLine *line)
{
    const double unit = greatest_of(ray->direction);
    line->octant = 0;
    for (int k = 0; k < 3; k++) {
        const double d = (double)ray->direction[k], inverse = unit / d;
        line->origin[k] = ray->origin[k];
        line->inverse[k] = d == 0 ? INFINITY : fabs(inverse) <= FLT_MAX ? (float)inverse : NAN;
        line->octant |= (uint32_t)(d < 0) << k;
    }
    line->end = pli_ray_line_parameter(ray, (double)ray->max);
}

/* ---- Parts ---------------------------------------------------------------------------------- */

/* Which of eight boxes the ray goes through. */
static uint32_t choose(Walk *walk, const PliBoxes *boxes, float nears[PLI_GROUP])
{
    const PliRayItem item = {0, 0};
    uint32_t bits;
    walk->caster->stats.bound_count += PLI_GROUP;
    walk->worker->kernels->ray_boxes(&walk->line, &item, 1, boxes->low[0], PLI_GROUP, &bits, nears);
    return bits;
}

/* Room for all children of a node. */
static inline PliantResult make_room(Walk *walk)
{
    PliArray *stack = &walk->caster->stack;
    return PLI_LIKELY(stack->capacity - stack->count >= PLI_GROUP)
               ? PLIANT_OK
               : pli_array_reserve(stack, walk->worker->host, stack->count + PLI_GROUP);
}

/* Puts a part on the stack, for which there is room, in its place among the siblings from `first`
 * on: the nearest on top; of equally near ones, the first. */
static inline void push(Walk *walk, int64_t first, float near, int32_t part, int32_t tag)
{
    PliArray *stack = &walk->caster->stack;
    PliVisitPart *parts = stack->items;
    int64_t at = stack->count++;
    for (; at > first && parts[at - 1].near <= (double)near; at--)
        parts[at] = parts[at - 1];
    parts[at] = (PliVisitPart){{.near = (double)near}, part, tag};
}

/* Visits a node of a body. */
static PliantResult visit_node(Walk *walk, const PliVisitPart *node)
{
    PliBounds *bounds = &pli_scene_body(walk->scene, node->tag)->pose->bounds;
    const PliBoxes *boxes = pli_bounds_of(bounds, node->part, walk->worker, PLI_SIDE_A);
    const int64_t first = walk->caster->stack.count;
    float nears[PLI_GROUP];
    if (!boxes)
        return PLIANT_OUT_OF_MEMORY;
    PLI_TRY(make_room(walk));
    const PliTreeNode *parent = &bounds->tree->nodes[node->part];
    const int32_t tag = node->tag;
    uint32_t bits = choose(walk, boxes, nears) & ((UINT32_C(1) << parent->child_count) - 1);
    for (; bits; bits &= bits - 1) {
        const int c = __builtin_ctz(bits);
        push(walk, first, nears[c], parent->children[c], tag);
    }
    return PLIANT_OK;
}

static inline bool may_hit(const Walk *walk, int32_t body)
{
    const PliRayRules *rules = &walk->caster->rules;
    return !rules->are_by_ray ||
           pli_ray_may_hit(rules, walk->number, pli_scene_body(walk->scene, body)->number);
}

/* Visits a node of the scene: its children are bodies, or nodes of the level below. */
static PliantResult visit_scene(Walk *walk, const PliVisitPart *node, bool is_reaching)
{
    const PliScene *scene = walk->scene;
    const int32_t level = pli_scene_level_of(scene, node->part);
    const int32_t first_child = 8 * (node->part - scene->first_nodes[level]);
    const int64_t first = walk->caster->stack.count;
    float nears[PLI_GROUP];
    PLI_TRY(make_room(walk));
    uint32_t bits = choose(walk, (const PliBoxes *)scene->nodes.items + node->part, nears);
    for (; bits; bits &= bits - 1) {
        const int c = __builtin_ctz(bits);
        if (level > 0) {
            push(walk, first, nears[c], scene->first_nodes[level - 1] + first_child + c, -1);
            continue;
        }
        const int32_t body = ((const int32_t *)scene->order.items)[first_child + c];
        const PliTree *tree = pli_scene_body(scene, body)->pose->bounds.tree;
        if (!may_hit(walk, body))
            continue;
        if (is_reaching)
            pli_scene_body(scene, body)->is_reached = true;
        else if (tree->leaf_count > 0) /* a loose box may have nothing in it */
            push(walk, first, nears[c], pli_whole_tree(tree), body);
    }
    return PLIANT_OK;
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
        const float high =
            pli_ray_line_parameter(walk->ray, ((const PliRayHit *)hits->items)->span.high);
        walk->line.end = high < walk->line.end ? high : walk->line.end;
    }
    return PLIANT_OK;
}

static PliantResult visit_leaf(Walk *walk, int32_t body, int32_t leaf)
{
    PliCaster *caster = walk->caster;
    const PliPose *pose = pli_scene_body(walk->scene, body)->pose;
    PliLeafCache *cache = &caster->cache;
    const uint32_t slot = pli_leaf_cache_fetch_mixed(cache, pose, body, leaf, walk->worker);
    float nears[PLI_LEAF_SIZE];
    const PliRayItem item = {0, 0};
    uint32_t bits;
    walk->worker->kernels->ray_boxes(&walk->line, &item, 1, cache->leaf_boxes[slot].low[0],
                                     PLI_LEAF_SIZE, &bits, nears);
    caster->stats.bound_count += PLI_LEAF_SIZE;
    for (; bits; bits &= bits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(bits);
        const float *row = pli_leaf_cache_row(cache, slot * PLI_LEAF_SIZE + i);
        PliRayHit hit;
        if (nears[i] > walk->line.end)
            continue;
        caster->stats.triangle_count++;
        if (!pli_ray_hits(walk->ray, row, &hit.span, &caster->exact) ||
            (caster->rules.side != 0 && pli_ray_side(walk->ray, row) != caster->rules.side))
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

void pli_caster_count_for(const PliCaster *caster, int32_t body, PliWorker *worker)
{
    PliPoseCounts *counts = &worker->counts[PLI_SIDE_A];
    if (counts->opened_nodes == 0 && counts->fetched_leaves == 0)
        return;
    pli_pose_counts_add((PliPoseCounts *)caster->counts.items + body, counts);
    *counts = (PliPoseCounts){0};
}

static PliantResult visit_body(Walk *walk, const PliVisitPart *part)
{
    const PliantResult result =
        part->part < 0 ? visit_leaf(walk, part->tag, ~part->part) : visit_node(walk, part);
    pli_caster_count_for(walk->caster, part->tag, walk->worker);
    return result;
}

/* Starts at the root of the scene. */
static PliantResult start(Walk *walk)
{
    const int32_t root = (int32_t)walk->scene->nodes.count - 1;
    pli_ray_line(walk->ray, &walk->line);
    walk->caster->stack.count = walk->caster->hits.count = 0;
    PLI_TRY(make_room(walk));
    if (root >= 0)
        push(walk, 0, 0, root, -1);
    return PLIANT_OK;
}

PliantResult pli_rays_reach(PliCaster *caster, PliScene *scene, const PliRay *ray, int64_t number,
                            PliWorker *worker)
{
    Walk walk = {.caster = caster, .scene = scene, .ray = ray, .number = number, .worker = worker};
    PLI_TRY(start(&walk));
    while (caster->stack.count > 0) {
        const PliVisitPart part = pli_visit_pop(&caster->stack);
        PLI_TRY(visit_scene(&walk, &part, true));
    }
    return PLIANT_OK;
}

PliantResult pli_ray_cast(PliCaster *caster, const PliScene *scene, const PliRay *ray,
                          int64_t number, PliRayKind kind, PliWorker *worker)
{
    Walk walk = {.caster = caster,
                 .scene = scene,
                 .ray = ray,
                 .number = number,
                 .kind = kind,
                 .worker = worker};
    PLI_TRY(start(&walk));
    while (caster->stack.count > 0 && !(kind == PLI_RAY_ANY && caster->hits.count > 0)) {
        const PliVisitPart part = pli_visit_pop(&caster->stack);
        if (part.near > (double)walk.line.end)
            continue;
        PLI_TRY(part.tag < 0 ? visit_scene(&walk, &part, false) : visit_body(&walk, &part));
    }
    return kind == PLI_RAY_ALL
               ? pli_ray_hits_sort(ray, &caster->hits, &caster->scratch, worker->host)
               : PLIANT_OK;
}
