/* One hash for every build: compiler, optimisation, instruction set, architecture.
 *
 * Hashes the answers, and how they were reached, for pairs of every class, on every cpu mask; each
 * must give the number below. A new class of pairs changes the number; nothing else may. Plain C
 * and no libraries, so that it also runs under emulators and in WebAssembly. */
#include "base/cpu.h"
#include "geom/geom.h"
#include "geom/orient.h"
#include "kernels/kernels.h"
#include "pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PAIRS_PER_CLASS = 4096 };

static const uint64_t expected_answers = UINT64_C(0x2ca5797386d362a3);
static const uint64_t expected_effort = UINT64_C(0xe50fcb95bddbe032);

static void hash_bytes(uint64_t *hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void hash_int(uint64_t *hash, int64_t value)
{
    unsigned char bytes[8]; /* the same order of bytes everywhere */
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)value >> 8 * i);
    hash_bytes(hash, bytes, sizeof bytes);
}

static void hash_class(uint64_t *hash, uint64_t *effort, TestPairClass pair_class,
                       const PliKernels *kernels)
{
    static float a[PAIRS_PER_CLASS][9], b[PAIRS_PER_CLASS][9];
    static uint32_t pairs[PAIRS_PER_CLASS][2];
    static uint8_t meets[PAIRS_PER_CLASS];
    SceneRandom random = {(uint64_t)pair_class};
    PliCounts counts = {0};
    for (uint32_t i = 0; i < PAIRS_PER_CLASS; i++) {
        test_pair(pair_class, &random, a[i], b[i]);
        pairs[i][0] = pairs[i][1] = i;
        hash_int(hash, pli_orient3d(a[i], a[i] + 3, a[i] + 6, b[i], &counts));
        hash_int(hash, pli_orient2d(a[i], a[i] + 3, b[i], 0, 1, &counts));
        float c[9]; /* b with a corner of a */
        memcpy(c, b[i], sizeof c);
        memcpy(c, a[i], 3 * sizeof *c);
        hash_int(hash, pli_triangles_meet_beyond_shared(a[i], (const uint32_t[3]){0, 1, 2}, c,
                                                        (const uint32_t[3]){0, 3, 4}, &counts));
    }
    pli_pairs_meet(kernels, a[0], b[0], pairs[0], PAIRS_PER_CLASS, meets, &counts);
    hash_bytes(hash, meets, sizeof meets);
    hash_int(effort, counts.meeting);
    hash_int(effort, counts.undecided);
    hash_int(effort, counts.flat);
    hash_int(effort, counts.nonfinite);
    hash_int(effort, counts.exact3_narrow);
    hash_int(effort, counts.exact3_wide);
    hash_int(effort, counts.exact2_narrow);
    hash_int(effort, counts.exact2_wide);
}

int main(void)
{
    static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                     PLIANT_CPU_AVX512, PLIANT_CPU_ALL};
    int failed = 0;
    PliFpMode caller = pli_fp_enter(); /* what is called here is inside of the public calls */
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        if (masks[m] != PLIANT_CPU_ALL && (masks[m] & ~pliant_cpu_features()))
            continue;
        PliKernels kernels;
        pli_kernels_fill(&kernels, masks[m]);
        uint64_t answers = UINT64_C(0xcbf29ce484222325), effort = answers;
        for (int c = 0; c < TEST_PAIR_CLASS_COUNT; c++)
            hash_class(&answers, &effort, (TestPairClass)c, &kernels);
        bool is_right = answers == expected_answers && effort == expected_effort;
        printf("answers %016" PRIx64 " effort %016" PRIx64 " with %s%s\n", answers, effort,
               pliant_cpu_name(masks[m]), is_right ? "" : ", WRONG");
        failed += !is_right;
    }
    pli_fp_leave(caller);
    return failed != 0;
}
