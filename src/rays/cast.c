/* The walk of one ray: see rays.h. */
#include "rays/cast.h"

#include <string.h>

/* A part that waits: a node of the scene (body is -1), or a node or complemented leaf of a body. It
 * is not hit before `near`. */
typedef struct Part {
    double near;
    int32_t body, part;
} Part;

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
    *caster = (PliCaster){.stack = {.item_size = sizeof(Part)},
                          .hits = {.item_size = sizeof(PliRayHit)},
                          .scratch = {.item_size = sizeof(PliRayHit)},
                          .counts = {.item_size = sizeof(PliPoseCounts)}};
}

void pli_caster_free(PliCaster *caster, const PliantHost *host)
{
    pli_array_free(&caster->stack, host);
    pli_ray_leaves_free(&caster->leaves, host);
    pli_array_free(&caster->hits, host);
    pli_array_free(&caster->scratch, host);
    pli_array_free(&caster->counts, host);
}

PliantResult pli_caster_start(PliCaster *caster, const PliScene *scene, int64_t ray_count,
                              const PliantHost *host)
{
    enum { LEAVES_OF_A_RAY = 32 };
    const int64_t body_count = scene->bodies.count;
    const int64_t enough = ray_count < PLI_MAX_RAY_LEAVES / LEAVES_OF_A_RAY
                               ? ray_count * LEAVES_OF_A_RAY
                               : PLI_MAX_RAY_LEAVES;
    int64_t leaf_count = 0;
    for (int64_t i = 0; i < body_count && leaf_count < enough; i++)
        leaf_count += pli_scene_body(scene, (int32_t)i)->pose->bounds.tree->leaf_count;
    PLI_TRY(pli_ray_leaves_start(&caster->leaves, leaf_count < enough ? leaf_count : enough, host));
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

/* Puts parts on the stack, the nearest on top; of equally near ones, the first. */
static PliantResult push_parts(Walk *walk, const Part *parts, int count)
{
    PliArray *stack = &walk->caster->stack;
    void *room;
    PLI_TRY(pli_array_push(stack, walk->worker->host, count, &room));
    Part *sorted = room;
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && sorted[at - 1].near <= parts[i].near; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = parts[i];
    }
    return PLIANT_OK;
}

static int32_t root_of(const PliPose *pose)
{
    return pose->bounds.tree->node_count > 0 ? 0 : ~0;
}

/* Visits a node of the scene: its children are bodies, or nodes of the level below. */
static PliantResult visit_scene(Walk *walk, int32_t node, bool is_reaching)
{
    const PliScene *scene = walk->scene;
    const PliBoxes *boxes = (const PliBoxes *)scene->nodes.items + node;
    const int32_t level = pli_scene_level_of(scene, node);
    const int32_t first = 8 * (node - scene->first_nodes[level]);
    Part parts[8];
    double nears[8];
    int count = 0;
    uint32_t bits =
        walk->worker->kernels->ray_boxes(&walk->line, walk->end, boxes->low[0], 8, nears);
    walk->caster->stats.bound_count += 8;
    for (; bits; bits &= bits - 1) {
        const int c = __builtin_ctz(bits);
        if (level > 0) {
            const int32_t below = scene->first_nodes[level - 1] + first + c;
            parts[count++] = (Part){nears[c], -1, below};
            continue;
        }
        const int32_t body = ((const int32_t *)scene->order.items)[first + c];
        const PliPose *pose = pli_scene_body(scene, body)->pose;
        if (is_reaching)
            pli_scene_body(scene, body)->is_reached = true;
        else if (pose->bounds.tree->leaf_count > 0) /* a loose box may have nothing in it */
            parts[count++] = (Part){nears[c], body, root_of(pose)};
    }
    return push_parts(walk, parts, count);
}

static PliantResult visit_node(Walk *walk, int32_t body, int32_t node)
{
    PliPose *pose = pli_scene_body(walk->scene, body)->pose;
    const PliBoxes *boxes = pli_bounds_of(&pose->bounds, node, walk->worker, PLI_SIDE_A);
    if (!boxes)
        return PLIANT_OUT_OF_MEMORY;
    const int32_t *children = pose->bounds.tree->nodes[node].children;
    Part parts[8];
    double nears[8];
    int count = 0;
    uint32_t bits =
        walk->worker->kernels->ray_boxes(&walk->line, walk->end, boxes->low[0], 8, nears);
    walk->caster->stats.bound_count += 8;
    for (; bits; bits &= bits - 1) {
        const int c = __builtin_ctz(bits);
        parts[count++] = (Part){nears[c], body, children[c]};
    }
    return push_parts(walk, parts, count);
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
    const int32_t slot = pli_ray_leaves_get(&caster->leaves, pose, body, leaf, walk->worker);
    const int32_t first = pose->bounds.tree->leaves[leaf].first;
    double nears[PLI_LEAF_SIZE];
    uint32_t bits = walk->worker->kernels->ray_boxes(
        &walk->line, walk->end, caster->leaves.boxes[slot].low[0], PLI_LEAF_SIZE, nears);
    caster->stats.bound_count += PLI_LEAF_SIZE;
    for (; bits; bits &= bits - 1) {
        const int32_t i = __builtin_ctz(bits);
        const float *row = pli_ray_leaves_row(&caster->leaves, slot, i);
        PliRayHit hit;
        if (nears[i] > walk->end)
            continue;
        caster->stats.triangle_count++;
        if (!pli_ray_hits(walk->ray, row, &hit.span, &caster->exact))
            continue;
        hit.body = body;
        hit.triangle = pli_pose_triangle(pose, first + i);
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

static PliantResult visit_body(Walk *walk, const Part *part)
{
    const PliantResult result = part->part < 0 ? visit_leaf(walk, part->body, ~part->part)
                                               : visit_node(walk, part->body, part->part);
    count_for(walk, part->body);
    return result;
}

/* Starts at the root of the scene. */
static PliantResult start(Walk *walk)
{
    const Part root = {0, -1, (int32_t)walk->scene->nodes.count - 1};
    walk->line = line_of(walk->ray);
    walk->end = walk->ray->max;
    walk->caster->stack.count = walk->caster->hits.count = 0;
    return root.part >= 0 ? push_parts(walk, &root, 1) : PLIANT_OK;
}

static Part pop(Walk *walk)
{
    PliArray *stack = &walk->caster->stack;
    return ((const Part *)stack->items)[--stack->count];
}

PliantResult pli_rays_reach(PliCaster *caster, PliScene *scene, const PliRay *ray,
                            PliWorker *worker)
{
    Walk walk = {.caster = caster, .scene = scene, .ray = ray, .worker = worker};
    PLI_TRY(start(&walk));
    while (caster->stack.count > 0)
        PLI_TRY(visit_scene(&walk, pop(&walk).part, true));
    return PLIANT_OK;
}

PliantResult pli_ray_cast(PliCaster *caster, const PliScene *scene, const PliRay *ray,
                          PliRayKind kind, PliWorker *worker)
{
    Walk walk = {.caster = caster, .scene = scene, .ray = ray, .kind = kind, .worker = worker};
    PLI_TRY(start(&walk));
    while (caster->stack.count > 0 && !(kind == PLI_RAY_ANY && caster->hits.count > 0)) {
        const Part part = pop(&walk);
        if (part.near > walk.end)
            continue;
        PLI_TRY(part.body < 0 ? visit_scene(&walk, part.part, false) : visit_body(&walk, &part));
    }
    return kind == PLI_RAY_ALL
               ? pli_ray_hits_sort(ray, &caster->hits, &caster->scratch, worker->host)
               : PLIANT_OK;
}
