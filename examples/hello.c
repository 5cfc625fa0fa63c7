/* Two triangles, then many: the shortest useful program. docs/hello.md walks through it. */
#include <pliant/pliant.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "%s: %s\n", pliant_result_name(result), pliant_result_text(result));
    exit(1);
}

int main(void)
{
    /* Three corners each, x y z. */
    const float triangles[4][9] = {
        {0, 0, 0, 1, 0, 0, 0, 1, 0},                          /* the ground */
        {0.2f, 0.2f, -1, 0.2f, 0.2f, 1, 2, 2, 0},             /* cuts through it */
        {0.25f, 0.25f, 0, 0.2f, 0.2f, 1, 0.3f, 0.2f, 1},      /* stands on it, on a corner */
        {0.25f, 0.25f, 1e-40f, 0.2f, 0.2f, 1, 0.3f, 0.2f, 1}, /* floats above, by very little */
    };
    static const char *const names[] = {"cutting", "standing", "floating"};

    /* One pair. */
    for (int i = 1; i < 4; i++)
        printf("%-8s %s\n", names[i - 1],
               pliant_triangles_intersect(triangles[0], triangles[i]) ? "intersects the ground"
                                                                      : "is clear");

    /* Many pairs at once: the same answers, several times faster. */
    const uint32_t pairs[] = {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3};
    PliantTrianglePairs def = pliant_triangle_pairs_default();
    def.a = def.b = triangles[0];
    def.a_count = def.b_count = 4;
    def.pairs = pairs;
    def.pair_count = 6;
    uint8_t results[6];
    PliantTriangleCounts counts = pliant_triangle_counts_default();
    must(pliant_triangle_pairs_intersect(&def, results, 6, &counts));
    for (int i = 0; i < 6; i++)
        printf("%u and %u %s\n", pairs[2 * i], pairs[2 * i + 1],
               results[i] ? "intersect" : "do not intersect");
    printf("%d of %d pairs intersect; %s, version %s\n", (int)counts.intersecting,
           (int)counts.pairs, pliant_cpu_name(PLIANT_CPU_ALL), pliant_version());

    return counts.intersecting == 5 ? 0 : 1;
}
