/* Fan state: see fan_state.h. */
#include "decide/fan_state.h"

#include <string.h>

/* ---- Memory ---------------------------------------------------------------------------------- */

void pli_fan_scratch_init(PliFanScratch *scratch)
{
    *scratch = (PliFanScratch){.facings = {.item_size = sizeof(PliFacing)},
                               .stamps = {.item_size = sizeof(uint32_t)},
                               .apart = {.item_size = sizeof(uint8_t)},
                               .moved = {.item_size = sizeof(uint8_t)}};
}

void pli_fan_scratch_free(PliFanScratch *scratch, const PliantHost *host)
{
    pli_array_free(&scratch->facings, host);
    pli_array_free(&scratch->stamps, host);
    pli_array_free(&scratch->apart, host);
    pli_array_free(&scratch->moved, host);
}

/* Room for a mesh. Stamps that are new are zero. */
static PliantResult reserve(PliFanScratch *scratch, const PliFans *fans, const PliantHost *host)
{
    const int64_t leaf_count = fans->leaf_count;
    PLI_TRY(pli_array_reserve(&scratch->facings, host, leaf_count));
    PLI_TRY(pli_array_reserve(&scratch->moved, host, leaf_count + fans->node_count));
    if (leaf_count <= scratch->stamps.count)
        return PLIANT_OK;
    void *fresh;
    const int64_t extra = leaf_count - scratch->stamps.count;
    PLI_TRY(pli_array_push(&scratch->stamps, host, extra, &fresh));
    memset(fresh, 0, (size_t)extra * sizeof(uint32_t));
    return PLIANT_OK;
}

/* One block: the snapshot first, which has the larger alignment. */
static PliantResult allocate(PliFanState *state, const PliPose *pose, const PliantHost *host)
{
    const PliFans *fans = state->topology.fans;
    const size_t snapshot_size = pose->kind->snapshot_size(pose);
    state->block_size = snapshot_size + (size_t)fans->vertex_count;
    void *block = NULL;
    PLI_TRY(pli_allocate(host, state->block_size, 1, &block));
    memset(block, 0, state->block_size);
    state->block = state->snapshot = block;
    state->verdicts = (uint8_t *)block + snapshot_size;
    for (int32_t i = 0; i < fans->fan_count; i++)
        state->verdicts[fans->fans[i].vertex] = PLI_FAN_UNDECIDED;
    return PLIANT_OK;
}

static PliantResult create(const PliPose *pose, const PliantHost *host, PliFanState **state)
{
    PliPoseTopology topology = {NULL, NULL};
    if (pose->kind->topology)
        PLI_TRY(pose->kind->topology(pose, &topology));
    if (!topology.fans)
        return PLIANT_OK;
    void *memory = NULL;
    PLI_TRY(pli_allocate(host, 1, sizeof(PliFanState), &memory));
    PliFanState *fresh = memory;
    *fresh = (PliFanState){.topology = topology, .last = {.item_size = sizeof(uint64_t)}};
    PliantResult result = allocate(fresh, pose, host);
    if (result == PLIANT_OK)
        *state = fresh;
    else
        pli_release(host, fresh, 1, sizeof *fresh);
    return result;
}

void pli_fan_state_free(PliFanState *state, const PliantHost *host)
{
    if (!state)
        return;
    pli_array_free(&state->last, host);
    pli_release(host, state->block, state->block_size, 1);
    pli_release(host, state, 1, sizeof *state);
}

/* ---- A new query ----------------------------------------------------------------------------- */

/* A node comes after its parent. */
static void mark_children(PliFanScratch *scratch, const PliTree *tree)
{
    const uint8_t *moved = scratch->moved.items;
    uint8_t *moved_children = (uint8_t *)scratch->moved.items + tree->leaf_count;
    for (int32_t node = tree->node_count - 1; node >= 0; node--) {
        uint32_t mask = 0;
        for (int32_t i = 0; i < tree->nodes[node].child_count; i++) {
            const int32_t child = tree->nodes[node].children[i];
            const bool has_moved = child < 0 ? moved[~child] : moved_children[child];
            mask |= (uint32_t)has_moved << i;
        }
        moved_children[node] = (uint8_t)mask;
    }
}

/* No leaf has been fetched. Once in 2^32 times older stamps would look new again. */
static void renew_stamp(PliFanScratch *scratch)
{
    if (++scratch->stamp != 0)
        return;
    memset(scratch->stamps.items, 0, (size_t)scratch->stamps.count * sizeof(uint32_t));
    scratch->stamp = 1;
}

/* Which groups are apart. Most meshes have none: then nothing is stored. */
static PliantResult find_apart(PliFanScratch *scratch, const PliPose *pose, const PliantHost *host)
{
    scratch->has_apart = pose->kind->find_apart && pose->kind->find_apart(pose, NULL);
    if (!scratch->has_apart)
        return PLIANT_OK;
    const int32_t count = pose->kind->vertex_count(pose);
    PLI_TRY(pli_array_reserve(&scratch->apart, host, count));
    memset(scratch->apart.items, 0, (size_t)count);
    (void)pose->kind->find_apart(pose, scratch->apart.items);
    return PLIANT_OK;
}

PliantResult pli_fan_state_start(PliFanState **state, PliFanScratch *scratch, const PliPose *pose,
                                 bool is_one_enough, const PliantHost *host)
{
    scratch->state = NULL;
    scratch->skips_unmoved = scratch->is_shared = false;
    PLI_TRY(find_apart(scratch, pose, host));
    if (!*state)
        PLI_TRY(create(pose, host, state));
    if (!*state)
        return PLIANT_OK;
    PLI_TRY(reserve(scratch, (*state)->topology.fans, host));
    pose->kind->compare(pose, (*state)->snapshot, scratch->moved.items);
    mark_children(scratch, pose->bounds.tree);
    renew_stamp(scratch);
    scratch->state = *state;
    scratch->skips_unmoved = (*state)->has_last && !is_one_enough;
    (*state)->has_last = false; /* until this query has found all pairs */
    return PLIANT_OK;
}

PliantResult pli_fan_state_keep(PliFanScratch *scratch, const uint64_t *contacts, int64_t count,
                                const PliantHost *host)
{
    PliFanState *state = scratch->state;
    if (!state)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(&state->last, host, count));
    state->last.count = count;
    if (count > 0)
        memcpy(state->last.items, contacts, (size_t)count * sizeof *contacts);
    state->has_last = true;
    return PLIANT_OK;
}

/* ---- Groups that are apart ------------------------------------------------------------------- */

void pli_fan_turn_away(const PliFanScratch *scratch, const uint32_t *corners, int32_t count,
                       PliFacing *facing)
{
    const uint8_t *apart = scratch->apart.items;
    uint32_t kept = 0;
    for (int32_t i = 0; i < count; i++)
        if (!apart[corners[3 * i]] && !apart[corners[3 * i + 1]] && !apart[corners[3 * i + 2]])
            kept |= 1u << i;
    for (int axis = 0; axis < 3; axis++)
        for (size_t d = 0; d < sizeof facing->faces[axis] / sizeof facing->faces[axis][0]; d++)
            facing->faces[axis][d] &= (uint16_t)kept;
}

/* ---- Clean fans ------------------------------------------------------------------------------ */

/* Is there a direction across an axis that all triangles of a fan face? */
static inline bool faces_across(const PliFanScratch *scratch, const PliFanPart *parts,
                                int32_t part_count, int axis)
{
    typedef uint16_t Eight __attribute__((vector_size(16)));
    Eight all = (Eight){0} == 0, here;
    uint64_t halves[2];
    for (int32_t i = 0; i < part_count; i++) {
        memcpy(&here, ((const PliFacing *)scratch->facings.items)[parts[i].leaf].faces[axis],
               sizeof here);
        all &= (Eight)((here & parts[i].triangles) == parts[i].triangles);
    }
    memcpy(halves, &all, sizeof halves);
    return halves[0] | halves[1];
}

/* The steps of a fan's corners along an axis: is there one, and is there another? */
typedef struct Steps {
    uint64_t some, many;
} Steps;

static inline void add_steps(Steps *steps, uint64_t extra)
{
    steps->many |= (extra & (extra - 1)) | (steps->some ? extra : 0);
    steps->some |= extra;
}

/* A closed fan turns as often along one axis as along another. */
static inline bool is_closed_clean(const PliFanScratch *scratch, const PliFanPart *parts,
                                   int32_t part_count)
{
    const bool across[3] = {faces_across(scratch, parts, part_count, 0),
                            faces_across(scratch, parts, part_count, 1),
                            faces_across(scratch, parts, part_count, 2)};
    const int axis = across[0] ? 0 : across[1] ? 1 : 2;
    Steps steps = {0, 0};
    for (int32_t i = 0; i < part_count; i++)
        add_steps(&steps, ((const PliFacing *)scratch->facings.items)[parts[i].leaf].rises[axis] &
                              parts[i].corners);
    return across[axis] && steps.some && !steps.many;
}

/* An open one may be known along any axis. */
static bool is_open_clean(const PliFanScratch *scratch, const PliFanPart *parts, int32_t part_count)
{
    for (int axis = 0; axis < 3; axis++) {
        Steps steps = {0, 0};
        for (int32_t i = 0; i < part_count; i++) {
            const PliFacing *facing = &((const PliFacing *)scratch->facings.items)[parts[i].leaf];
            add_steps(&steps, (facing->rises[axis] | facing->falls[axis]) & parts[i].corners);
        }
        if (!steps.many && faces_across(scratch, parts, part_count, axis))
            return true;
    }
    return false;
}

static bool is_clean(const PliFanScratch *scratch, const PliFan *fan, const PliFanPart *parts)
{
    return fan->kind == PLI_FAN_CLOSED
               ? is_closed_clean(scratch, parts, fan->part_count)
               : fan->kind == PLI_FAN_OPEN && is_open_clean(scratch, parts, fan->part_count);
}

static inline bool has_fan_moved(const PliFanScratch *scratch, const PliFanPart *parts,
                                 int32_t part_count)
{
    uint8_t moved = 0;
    for (int32_t i = 0; i < part_count; i++)
        moved |= pli_fan_moved_leaves(scratch)[parts[i].leaf];
    return moved;
}

/* Of the fans that come before `end`, and not before `first`: closed fans in so many leaves, or any
 * if that is 0. */
static inline void decide(const PliFanScratch *scratch, int32_t first, int32_t end,
                          int32_t part_count)
{
    PliFanState *state = scratch->state;
    const PliFans *fans = state->topology.fans;
    for (int32_t s = first; s < end; s++) {
        const PliFan *fan = &fans->fans[s];
        const PliFanPart *parts = fans->parts + fan->part_first;
        if (scratch->skips_unmoved &&
            !has_fan_moved(scratch, parts, part_count ? part_count : fan->part_count))
            continue;
        const bool is_known_clean = part_count ? is_closed_clean(scratch, parts, part_count)
                                               : is_clean(scratch, fan, parts);
        state->verdicts[fan->vertex] = is_known_clean ? PLI_FAN_CLEAN : PLI_FAN_UNDECIDED;
    }
}

void pli_fan_state_clear(PliFanScratch *scratch, int32_t first, int32_t end)
{
    for (int32_t leaf = first; leaf < end; leaf++)
        if (((const uint32_t *)scratch->stamps.items)[leaf] != scratch->stamp)
            ((PliFacing *)scratch->facings.items)[leaf] = (PliFacing){.rises = {0}};
}

static int32_t clamp(int32_t i, int32_t least, int32_t most)
{
    return i < least ? least : i > most ? most : i;
}

void pli_fan_state_decide(PliFanScratch *scratch, int32_t first, int32_t end)
{
    const int32_t *ends = scratch->state->topology.fans->group_ends;
    const int32_t one = clamp(ends[0], first, end), two = clamp(ends[1], first, end),
                  three = clamp(ends[2], first, end);
    decide(scratch, first, one, 1);
    decide(scratch, one, two, 2);
    decide(scratch, two, three, 3);
    decide(scratch, three, end, 0);
}

bool pli_fan_state_has_pair(const PliFanState *state, uint32_t vertex, const uint32_t *a,
                            const uint32_t *b)
{
    for (int i = 0; i < 3; i++) {
        if (a[i] != b[0] && a[i] != b[1] && a[i] != b[2])
            continue;
        const uint8_t verdict = state->verdicts[a[i]];
        if (verdict == PLI_FAN_CLEAN || (verdict == PLI_FAN_UNDECIDED && a[i] < vertex))
            return false;
    }
    return true;
}
