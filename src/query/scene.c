/* Bodies in a tree over their boxes: see scene.h. */
#include "query/scene.h"
#include "base/round.h"
#include "base/sort.h"
#include "pose/boxes.h"

void pli_scene_init(PliScene *scene)
{
    *scene = (PliScene){.bodies = {.item_size = sizeof(PliSceneBody)},
                        .order = {.item_size = sizeof(int32_t)},
                        .nodes = {.item_size = sizeof(PliBoxes)},
                        .keys = {.item_size = sizeof(uint64_t)},
                        .scratch = {.item_size = sizeof(uint64_t)}};
}

void pli_scene_free(PliScene *scene, const PliantHost *host)
{
    pli_array_free(&scene->bodies, host);
    pli_array_free(&scene->order, host);
    pli_array_free(&scene->nodes, host);
    pli_array_free(&scene->keys, host);
    pli_array_free(&scene->scratch, host);
}

static bool is_present(const PliBox *box)
{
    return box->low[0] <= box->high[0] && box->low[1] <= box->high[1] &&
           box->low[2] <= box->high[2];
}

PliantResult pli_scene_add(PliScene *scene, PliPose *pose, const PliBox *box, int32_t number,
                           const PliantHost *host)
{
    void *room;
    if (!is_present(box))
        return PLIANT_OK;
    PLI_TRY(pli_array_push(&scene->bodies, host, 1, &room));
    *(PliSceneBody *)room = (PliSceneBody){.pose = pose, .box = *box, .number = number};
    return PLIANT_OK;
}

/* ---- The order ------------------------------------------------------------------------------ */

enum { CELL_BITS = 10, FEW = 8 };

/* The middle of a box along an axis, which is finite. */
static double middle(const PliBox *box, int axis)
{
    const double low = box->low[axis] < -FLT_MAX ? -FLT_MAX : box->low[axis];
    const double high = box->high[axis] > FLT_MAX ? FLT_MAX : box->high[axis];
    return (low + high) / 2;
}

/* Spreads ten bits, so that two bits of zero follow each. */
static uint64_t spread(uint64_t x)
{
    x = (x | x << 16) & 0x30000ff;
    x = (x | x << 8) & 0x300f00f;
    x = (x | x << 4) & 0x30c30c3;
    return (x | x << 2) & 0x9249249;
}

/* Sorts bodies by the cells that their middles are in, in Morton's order. */
static PliantResult sort_bodies(PliScene *scene, const PliantHost *host)
{
    const int64_t count = scene->bodies.count;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    PLI_TRY(pli_array_reserve_spare(&scene->keys, host, count));
    PLI_TRY(pli_array_reserve_spare(&scene->scratch, host, count));
    uint64_t *keys = scene->keys.items;
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const double x = middle(&pli_scene_body(scene, (int32_t)i)->box, k);
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    for (int64_t i = 0; i < count; i++) {
        uint64_t cell = 0;
        for (int k = 0; k < 3; k++) {
            const double size = high[k] - low[k];
            const double x = middle(&pli_scene_body(scene, (int32_t)i)->box, k) - low[k];
            cell |= spread(size > 0 ? (uint64_t)(x / size * ((1 << CELL_BITS) - 1)) : 0) << k;
        }
        keys[i] = cell << 32 | (uint64_t)i;
    }
    pli_sort_keys(keys, scene->scratch.items, count, 32 + 3 * CELL_BITS);
    for (int64_t i = 0; i < count; i++)
        ((int32_t *)scene->order.items)[i] = (int32_t)keys[i];
    return PLIANT_OK;
}

/* ---- The tree ------------------------------------------------------------------------------- */

/* The node of up to eight bodies, or of up to eight nodes of the level below. */
static void set_node(PliScene *scene, int32_t level, int64_t i, int64_t below_count)
{
    PliBox children[8];
    PliBoxes *nodes = scene->nodes.items;
    const int64_t first = 8 * i, left = below_count - first;
    const int32_t count = left < 8 ? (int32_t)left : 8;
    for (int32_t c = 0; c < count; c++)
        children[c] =
            level == 0
                ? pli_scene_body(scene, ((const int32_t *)scene->order.items)[first + c])->box
                : pli_boxes_all(&nodes[scene->first_nodes[level - 1] + first + c]);
    pli_boxes_set(&nodes[scene->first_nodes[level] + i], children, count);
}

PliantResult pli_scene_build(PliScene *scene, const PliantHost *host)
{
    const int64_t count = scene->bodies.count;
    PLI_TRY(pli_array_reserve_spare(&scene->order, host, count));
    PLI_TRY(pli_array_reserve_spare(&scene->nodes, host, count / 7 + PLI_SCENE_LEVELS));
    for (int64_t i = 0; i < count; i++)
        ((int32_t *)scene->order.items)[i] = (int32_t)i;
    if (count > FEW)
        PLI_TRY(sort_bodies(scene, host));
    scene->nodes.count = scene->level_count = 0;
    for (int64_t below = count; below > 0 && (below > 1 || scene->level_count == 0);) {
        const int64_t here = pli_div_up(below, 8);
        scene->first_nodes[scene->level_count] = (int32_t)scene->nodes.count;
        for (int64_t i = 0; i < here; i++)
            set_node(scene, scene->level_count, i, below);
        scene->nodes.count += here;
        scene->level_count++;
        below = here;
    }
    return PLIANT_OK;
}
