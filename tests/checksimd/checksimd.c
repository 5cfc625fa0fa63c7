/* checksimd: every kernel on every instruction set against its plain C reference.
 *
 *     checksimd            compare: lengths, alignments, nasty values, guarded ends
 *     checksimd --bench    time the same list
 *
 * A kernel must give the reference's result to the bit, write nothing outside its output, and read
 * nothing outside its inputs: these end at a page that cannot be touched. */
#include "kernels/kernels.h"
#include "pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>
#endif

static int failures;

/* ---- Memory that ends at a wall ---------------------------------------------------------- */

typedef struct Walled {
    char *base, *end; /* [end - n, end) can be used for any n that fits; *end cannot be touched */
    size_t size;
} Walled;

static Walled walled(size_t size)
{
#if defined(__unix__)
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
    char *base =
        mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base + room, page, PROT_NONE) != 0)
        exit(1);
    return (Walled){base, base + room, room + page};
#else
    char *base = malloc(size);
    return (Walled){base, base + size, size};
#endif
}

static void *last(Walled memory, size_t size)
{
    return memory.end - size;
}

/* ---- filter_pairs ------------------------------------------------------------------------ */

typedef struct Version {
    uint32_t cpu;
    PliFilterPairs *kernel;
} Version;

static int versions(Version list[4])
{
    static const uint32_t sets[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                    PLIANT_CPU_AVX512};
    int count = 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (sets[i] != 0 && !(sets[i] & pliant_cpu_features()))
            continue;
        PliKernels kernels;
        pli_kernels_fill(&kernels, sets[i]);
        list[count++] = (Version){sets[i], kernels.filter_pairs};
    }
    return count;
}

/* A triangle of some class, now and then with something in it that is no number. */
static void nasty_pair(SceneRandom *random, float *a, float *b)
{
    test_pair((TestPairClass)scene_random_below(random, TEST_PAIR_CLASS_COUNT), random, a, b);
    static const float nasty[] = {NAN, -NAN,  INFINITY,  -INFINITY,
                                  0,   -0.0f, 0x1p-149f, 0x1.fffffep127f};
    while (scene_random_below(random, 8) == 0) {
        float *t = scene_random_below(random, 2) ? a : b;
        t[scene_random_below(random, 9)] = nasty[scene_random_below(random, 8)];
    }
}

static uint8_t reference_verdict(const float *a, const float *b)
{
    uint8_t verdict;
    pli_filter_pairs_c(a, b, (const uint32_t[2]){0, 0}, 1, &verdict);
    return verdict;
}

/* A pair whose verdict hangs by the last bit: one coordinate is moved between a value with one
 * verdict and a value with another until they are neighbours, so that any other rounding shows. */
static void sensitive_pair(SceneRandom *random, float *a, float *b)
{
    test_pair(TEST_PAIR_near, random, a, b);
    float *moved = b + scene_random_below(random, 9);
    float low = *moved, high = a[scene_random_below(random, 9)];
    uint8_t low_verdict = reference_verdict(a, b);
    for (;;) {
        float middle = low + (high - low) / 2;
        if (middle == low || middle == high)
            return;
        *moved = middle;
        if (reference_verdict(a, b) == low_verdict)
            low = middle;
        else
            high = middle;
    }
}

enum { MOST = 67, GUARD = 32 };

static void check_length(Version version, int count, SceneRandom *random, Walled memory[3])
{
    /* Triangles and pairs end at the wall; with odd counts they start at every alignment. */
    float *a = last(memory[0], 36 * (size_t)count), *b = last(memory[1], 36 * (size_t)count);
    uint32_t *pairs = last(memory[2], 8 * (size_t)count);
    for (int i = 0; i < count; i++) {
        if (scene_random_below(random, 2))
            nasty_pair(random, a + 9 * i, b + 9 * i);
        else
            sensitive_pair(random, a + 9 * i, b + 9 * i);
        uint32_t index = scene_random_below(random, (uint32_t)i + 1);
        pairs[2 * i] = (uint32_t)i;
        pairs[2 * i + 1] = scene_random_below(random, 2) ? (uint32_t)i : index;
    }
    uint8_t wanted[MOST + 2 * GUARD], got[MOST + 2 * GUARD];
    memset(wanted, 0xa5, sizeof wanted);
    memset(got, 0xa5, sizeof got);
    pli_filter_pairs_c(a, b, pairs, count, wanted + GUARD);
    version.kernel(a, b, pairs, count, got + GUARD);
    for (int i = 0; i < MOST + 2 * GUARD; i++) {
        if (wanted[i] == got[i])
            continue;
        printf("filter_pairs %s, %d pairs: verdict %d is %d, reference %d\n",
               pliant_cpu_name(version.cpu), count, i - GUARD, got[i], wanted[i]);
        failures++;
        return;
    }
}

static void check_filter_pairs(void)
{
    Version list[4];
    int count = versions(list);
    Walled memory[3] = {walled(36 * MOST), walled(36 * MOST), walled(8 * MOST)};
    for (int v = 0; v < count; v++) {
        SceneRandom random = {17};
        int before = failures;
        for (int round = 0; round < 100 && failures < before + 5; round++)
            for (int length = 0; length <= MOST; length++)
                check_length(list[v], length, &random, memory);
        printf("filter_pairs %-10s %s\n", pliant_cpu_name(list[v].cpu),
               failures == before ? "ok" : "FAILED");
    }
}

/* ---- Timing ------------------------------------------------------------------------------ */

static double nanoseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void bench_filter_pairs(void)
{
    enum { COUNT = 4096, ROUNDS = 200 };
    static float a[COUNT][9], b[COUNT][9];
    static uint32_t pairs[COUNT][2];
    static uint8_t verdicts[COUNT];
    SceneRandom random = {3};
    for (uint32_t i = 0; i < COUNT; i++) {
        test_pair(TEST_PAIR_near, &random, a[i], b[i]);
        pairs[i][0] = i;
        pairs[i][1] = scene_random_below(&random, COUNT);
    }
    Version list[4];
    int count = versions(list);
    for (int v = 0; v < count; v++) {
        double best = INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            double start = nanoseconds();
            list[v].kernel(a[0], b[0], pairs[0], COUNT, verdicts);
            double time = nanoseconds() - start;
            best = time < best ? time : best;
        }
        printf("filter_pairs %-10s %6.2f ns a pair\n", pliant_cpu_name(list[v].cpu), best / COUNT);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--bench") == 0)
        bench_filter_pairs();
    else
        check_filter_pairs();
    return failures != 0;
}
