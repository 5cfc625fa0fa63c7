/* The boundary of a pose: see boundary.h. Where triangles share features the edges are those of the
 * shape; else edges that are equal to the bit are one. */
#include "decide/boundary.h"
#include "decide/corners.h"
#include "geom/vector.h"

#include <string.h>

void pli_posed_boundary_init(PliPosedBoundary *boundary)
{
    *boundary = (PliPosedBoundary){
        .points = {.item_size = 3 * sizeof(float)},
        .edges = {.item_size = 2 * sizeof(int32_t)},
        .chain = {.item_size = sizeof(int32_t)},
        .runs = {.item_size = sizeof(PliBoundaryRun)},
        .rows = {.item_size = PLI_ROW_SIZE * sizeof(float)},
        .keys = {.item_size = sizeof(uint64_t)},
        .ids = {.item_size = sizeof(int32_t)},
        .ranked = {{.item_size = sizeof(PliRanked)}, {.item_size = sizeof(PliRanked)}}};
}

void pli_posed_boundary_free(PliPosedBoundary *boundary, const PliantHost *host)
{
    enum { ARRAYS = 9 };
    PliArray *const all[ARRAYS] = {&boundary->points, &boundary->edges,     &boundary->chain,
                                   &boundary->runs,   &boundary->rows,      &boundary->keys,
                                   &boundary->ids,    &boundary->ranked[0], &boundary->ranked[1]};
    for (int i = 0; i < ARRAYS; i++)
        pli_array_free(all[i], host);
}

/* Writes where triangles are to boundary->rows; their numbers are in boundary->ids. */
static PliantResult fetch(PliPosedBoundary *boundary, PliPose *pose, int32_t count,
                          PliWorker *worker)
{
    PLI_TRY(pli_array_reserve_spare(&boundary->rows, worker->host, count));
    PLI_TRY(pli_array_reserve_spare(&boundary->keys, worker->host, 2 * (int64_t)count));
    return pli_fetch_corners(pose, boundary->ids.items, count, boundary->keys.items, worker,
                             boundary->rows.items);
}

/* Of a pose whose triangles share vertices: the same edges in every pose. */
static PliantResult find_shared(PliPosedBoundary *boundary, PliPose *pose,
                                const PliBoundary *shared, PliWorker *worker)
{
    const int32_t count = shared->vertex_count;
    PLI_TRY(pli_array_reserve_spare(&boundary->ids, worker->host, count));
    PLI_TRY(pli_array_reserve_spare(&boundary->points, worker->host, count));
    PLI_TRY(pli_array_reserve_spare(&boundary->edges, worker->host, shared->edge_count));
    for (int32_t i = 0; i < count; i++)
        ((int32_t *)boundary->ids.items)[i] = shared->corners[i] / 3;
    PLI_TRY(fetch(boundary, pose, count, worker));
    const float(*rows)[PLI_ROW_SIZE] = boundary->rows.items;
    float(*points)[3] = boundary->points.items;
    for (int32_t i = 0; i < count; i++)
        memcpy(points[i], rows[i] + 3 * (shared->corners[i] % 3), sizeof points[i]);
    boundary->points.count = count;
    boundary->edges.count = shared->edge_count;
    if (shared->edge_count > 0)
        memcpy(boundary->edges.items, shared->edges,
               (size_t)shared->edge_count * sizeof *shared->edges);
    return PLIANT_OK;
}

static uint64_t hash_of(const float *point)
{
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) {
        const float x = point[k] + 0.0f; /* -0 is 0 */
        uint32_t bits;
        memcpy(&bits, &x, sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* Gives corners at one place one id: places with equal hashes are compared. */
static void name_run(const float (*places)[3], const PliRanked *run, int64_t count, int32_t *ids,
                     PliArray *points)
{
    const int64_t first = points->count;
    for (int64_t i = 0; i < count; i++) {
        const float *place = places[run[i].item];
        float(*known)[3] = points->items;
        int64_t id = first;
        while (id < points->count && !pli_is_same_point(known[id], place))
            id++;
        if (id == points->count)
            memcpy(known[points->count++], place, sizeof *known);
        ids[run[i].item] = (int32_t)id;
    }
}

/* Corners by place: ids of all, and points. */
static void name_corners(PliPosedBoundary *boundary, int64_t corner_count)
{
    const float(*places)[3] = boundary->rows.items;
    PliRanked *ranked = boundary->ranked[0].items;
    for (int64_t i = 0; i < corner_count; i++)
        ranked[i] = (PliRanked){.key = hash_of(places[i]), .item = (int32_t)i};
    const PliRanked *sorted = pli_sort_ranked(ranked, boundary->ranked[1].items, corner_count);
    for (int64_t i = 0, end; i < corner_count; i = end) {
        for (end = i + 1; end < corner_count && sorted[end].key == sorted[i].key;)
            end++;
        name_run(places, sorted + i, end - i, boundary->ids.items, &boundary->points);
    }
}

/* Adds what is left over of some sides of one edge. The rank of a side is 1 if it falls. */
static void add_left(PliArray *edges, const PliRanked *sides, int64_t count)
{
    const int32_t low = (int32_t)(sides->key >> 32), high = (int32_t)(sides->key & 0xffffffff);
    int64_t balance = 0;
    for (int64_t i = 0; i < count; i++)
        balance += sides[i].rank ? -1 : 1;
    for (; balance != 0; balance -= balance > 0 ? 1 : -1) {
        int32_t *ends = (int32_t *)edges->items + 2 * edges->count++;
        ends[0] = balance > 0 ? low : high;
        ends[1] = balance > 0 ? high : low;
    }
}

/* Of a pose whose triangles share nothing that could be trusted: edges at one place are one. */
static PliantResult find_by_place(PliPosedBoundary *boundary, PliPose *pose, PliWorker *worker)
{
    const int32_t count = pose->number_count;
    const int64_t corner_count = 3 * (int64_t)count;
    PLI_TRY(pli_array_reserve_spare(&boundary->ids, worker->host, corner_count));
    PLI_TRY(pli_array_reserve_spare(&boundary->points, worker->host, corner_count));
    PLI_TRY(pli_array_reserve_spare(&boundary->edges, worker->host, corner_count));
    for (int i = 0; i < 2; i++)
        PLI_TRY(pli_array_reserve_spare(&boundary->ranked[i], worker->host, corner_count));
    int32_t *ids = boundary->ids.items;
    for (int32_t i = 0; i < count; i++)
        ids[i] = i;
    PLI_TRY(pli_worker_check(worker));
    PLI_TRY(fetch(boundary, pose, count, worker));
    PLI_TRY(pli_worker_check(worker));
    name_corners(boundary, corner_count);
    PLI_TRY(pli_worker_check(worker));
    const float(*rows)[PLI_ROW_SIZE] = boundary->rows.items;
    PliRanked *sides = boundary->ranked[0].items;
    int64_t side_count = 0;
    for (int64_t i = 0; i < corner_count; i++) {
        const int32_t p = ids[i], q = ids[i % 3 == 2 ? i - 2 : i + 1];
        if (p == q || !pli_is_finite(rows[i / 3], PLI_ROW_SIZE))
            continue;
        const uint64_t low = (uint64_t)(p < q ? p : q), high = (uint64_t)(p < q ? q : p);
        sides[side_count++] = (PliRanked){low << 32 | high, p > q, (int32_t)i};
    }
    const PliRanked *sorted = pli_sort_ranked(sides, boundary->ranked[1].items, side_count);
    PLI_TRY(pli_worker_check(worker));
    for (int64_t i = 0, end; i < side_count; i = end) {
        for (end = i + 1; end < side_count && sorted[end].key == sorted[i].key;)
            end++;
        add_left(&boundary->edges, sorted + i, end - i);
    }
    return PLIANT_OK;
}

PliantResult pli_posed_boundary_find(PliPosedBoundary *boundary, PliPose *pose,
                                     const PliPoseFeatures *features, PliWorker *worker)
{
    boundary->points.count = boundary->edges.count = boundary->runs.count = 0;
    if (features->are_points || pose->number_count == 0)
        return PLIANT_OK;
    if (features->shared && !features->are_apart && features->is_finite) {
        PLI_TRY(find_shared(boundary, pose, &features->shared->boundary, worker));
        /* A target may move a vertex, and no other one, beyond all floats: nobody knows. */
        if (pli_is_finite(boundary->points.items, 3 * (int)boundary->points.count))
            return PLIANT_OK;
        boundary->points.count = boundary->edges.count = 0;
    }
    return find_by_place(boundary, pose, worker);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

enum { RUN_LENGTH = 16 };

/* Adds the edges of the chain from `first` to `end` - 1, which are in a row. */
static void add_run(PliPosedBoundary *boundary, int32_t first, int32_t end)
{
    const float(*points)[3] = boundary->points.items;
    const int32_t(*edges)[2] = boundary->edges.items, *chain = boundary->chain.items;
    const float *start = points[edges[chain[first]][0]];
    PliBoundaryRun run = {.first = first, .count = end - first};
    double area = 0;
    memcpy(run.low, start, sizeof run.low);
    memcpy(run.high, start, sizeof run.high);
    for (int32_t i = first; i < end; i++) {
        const float *a = points[edges[chain[i]][0]], *b = points[edges[chain[i]][1]];
        double from[2][3], across[3];
        for (int k = 0; k < 3; k++) {
            run.low[k] = b[k] < run.low[k] ? b[k] : run.low[k];
            run.high[k] = b[k] > run.high[k] ? b[k] : run.high[k];
            from[0][k] = (double)a[k] - start[k];
            from[1][k] = (double)b[k] - start[k];
        }
        pli_cross3(from[0], from[1], across);
        area += sqrt(pli_dot3(across, across)) + 0x1p-40 * pli_dot3(from[1], from[1]);
    }
    run.area = area;
    ((PliBoundaryRun *)boundary->runs.items)[boundary->runs.count++] = run;
}

PliantResult pli_posed_boundary_chain(PliPosedBoundary *boundary, const PliantHost *host)
{
    const int32_t edge_count = (int32_t)boundary->edges.count,
                  point_count = (int32_t)boundary->points.count, most = edge_count / 2;
    boundary->runs.count = 0;
    if (edge_count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve_spare(&boundary->chain, host, edge_count));
    PLI_TRY(pli_array_reserve_spare(&boundary->runs, host, most + 1));
    PLI_TRY(pli_array_reserve_spare(&boundary->ids, host, (int64_t)point_count + edge_count));
    const int32_t(*edges)[2] = boundary->edges.items;
    int32_t *chain = boundary->chain.items, *firsts = boundary->ids.items,
            *nexts = firsts + point_count, count = 0;
    for (int32_t v = 0; v < point_count; v++)
        firsts[v] = -1;
    for (int32_t e = edge_count - 1; e >= 0; e--) { /* those that leave each vertex */
        nexts[e] = firsts[edges[e][0]];
        firsts[edges[e][0]] = e;
    }
    for (int32_t v = 0; v < point_count; v += firsts[v] < 0)
        for (int32_t at = v; firsts[at] >= 0;) {
            const int32_t first = count;
            for (int32_t e; (e = firsts[at]) >= 0 && count - first < RUN_LENGTH; at = edges[e][1]) {
                firsts[at] = nexts[e];
                chain[count++] = e;
            }
            if (boundary->runs.count <= most)
                add_run(boundary, first, count);
        }
    if (boundary->runs.count > most)
        boundary->runs.count = 0;
    return PLIANT_OK;
}
