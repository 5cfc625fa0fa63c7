/* The stateless call of pliant/near.h: checks, floating-point modes, and on to kernels, a block of
 * finite pairs at a time. */
#include "api/pair_checks.h"
#include "base/cpu.h"
#include "kernels/nears.h"
#include "query/sides.h"

#include <string.h>

/* The record as it was first published: a caller's cannot be shorter. */
#define CANDIDATES_SIZE PLI_RECORD_SIZE(PliantNearCandidates, host)

/* Pairs that are decided at a time. */
enum { BLOCK = 256 };

/* The finite pairs of a block, one behind the other. */
typedef struct Block {
    uint32_t pairs[4 * BLOCK];
    int32_t numbers[BLOCK]; /* in the block of the caller */
    float distances[BLOCK]; /* if the caller has one for each pair */
    uint8_t nearness[BLOCK];
    PliClosest closest[BLOCK];
    int32_t count;
} Block;

static PliGivenPairs given_of(const PliantNearCandidates *def)
{
    return (PliGivenPairs){.kind = def->kind,
                           .vertex_count = def->vertex_count,
                           .pairs = def->pairs,
                           .pair_count = def->pair_count,
                           .distance = def->distance,
                           .distances = def->distances};
}

static PliantResult check_pairs(const PliCall *call, const PliantNearCandidates *def,
                                const float *distances, int64_t capacity)
{
    const PliGivenPairs given = given_of(def);
    PLI_TRY(pli_given_pairs_check(call, &given, capacity));
    if (def->pair_count == 0)
        return PLIANT_OK;
    PLI_CHECK(call, def->vertices, PLIANT_BAD_ARGUMENT, "def.vertices is NULL");
    PLI_CHECK(call, distances, PLIANT_BAD_ARGUMENT, "distances is NULL");
    return pli_given_vertices_check(call, &given);
}

static bool is_finite(const PliantNearCandidates *def, const uint32_t *pair)
{
    bool is = true;
    for (int k = 0; k < 4; k++)
        is &= pli_is_finite(def->vertices + 3 * (size_t)pair[k], 3);
    return is;
}

/* Lists the finite ones of `count` pairs from `first` on: kernels take no others. */
static void list_finite(const PliantNearCandidates *def, int64_t first, int32_t count, Block *block)
{
    block->count = 0;
    for (int32_t i = 0; i < count; i++) {
        const uint32_t *pair = def->pairs + 4 * (first + i);
        if (!is_finite(def, pair))
            continue;
        memcpy(block->pairs + 4 * block->count, pair, 4 * sizeof *pair);
        if (def->distances)
            block->distances[block->count] = def->distances[first + i];
        block->numbers[block->count++] = i;
    }
}

/* Those that are not near. */
static void clear(const PliantNearCandidates *def, int64_t first, int32_t count, float *distances,
                  PliantNearPair *details)
{
    const PliClosest far = {.distance = INFINITY};
    for (int64_t i = first; i < first + count; i++) {
        distances[i] = INFINITY;
        if (details)
            pli_near_pair(&details[i], def->kind, -1, -1, def->pairs + 4 * i, &far);
    }
}

/* Decides `count` pairs from `first` on. `most` is the greatest distance of all pairs. */
static void decide_block(const PliKernels *kernels, const PliantNearCandidates *def, float most,
                         int64_t first, int32_t count, float *distances, PliantNearPair *details)
{
    Block block;
    PliCounts unused = {0};
    list_finite(def, first, count, &block);
    const PliNearPairs pairs = {.table = def->vertices,
                                .pairs = block.pairs,
                                .count = block.count,
                                .are_edges = def->kind == PLIANT_EDGE_EDGE,
                                .distance = most,
                                .distances = def->distances ? block.distances : NULL};
    pli_pairs_near(kernels, &pairs, block.nearness, block.closest, &unused);
    clear(def, first, count, distances, details);
    for (int32_t i = 0; i < block.count; i++) {
        if (block.nearness[i] != PLI_NEAR)
            continue;
        const int64_t number = first + block.numbers[i];
        distances[number] = block.closest[i].distance;
        if (details)
            pli_near_pair(&details[number], def->kind, -1, -1, block.pairs + 4 * i,
                          &block.closest[i]);
    }
}

static void decide(const PliantNearCandidates *def, float *distances, PliantNearPair *details)
{
    const PliGivenPairs given = given_of(def);
    const float most = pli_given_distance(&given);
    PliKernels kernels;
    pli_kernels_fill(&kernels, def->cpu_mask);
    for (int64_t first = 0; first < def->pair_count; first += BLOCK) {
        const int64_t left = def->pair_count - first;
        decide_block(&kernels, def, most, first, left < BLOCK ? (int32_t)left : BLOCK, distances,
                     details);
    }
}

PliantResult pliant_near_pairs(const PliantNearCandidates *caller_def, float *distances,
                               PliantNearPair *details, int64_t capacity)
{
    const PliCall nobody = PLI_CALL(NULL);
    PLI_CHECK(&nobody, caller_def, PLIANT_BAD_ARGUMENT, "def is NULL");
    PliantNearCandidates def = pliant_near_candidates_default();
    const bool is_read =
        pli_record_read(&def, sizeof def, CANDIDATES_SIZE, caller_def, caller_def->struct_size);
    const PliCall call = PLI_CALL(def.host);
    PLI_CHECK(&call, is_read, PLIANT_BAD_DEF,
              "def.struct_size is %zu: start from pliant_near_candidates_default()",
              caller_def->struct_size);
    PliantHost host;
    PLI_TRY(pli_host_check(&call, def.host, &host));
    PLI_TRY(check_pairs(&call, &def, distances, capacity));
    const PliFpMode caller = pli_fp_enter();
    decide(&def, distances, details);
    pli_fp_leave(caller);
    return PLIANT_OK;
}
