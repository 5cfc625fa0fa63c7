/* The ways of testing pairs: see tritri.h. */
#include "tritri.h"

#include <stdio.h>
#include <stdlib.h>

void tritri_scalar(void *data)
{
    TritriJob *job = data;
    const BenchPairs *p = job->pairs;
    for (int64_t i = 0; i < p->pair_count; i++)
        job->meets[i] = pliant_triangles_intersect(p->a + 9 * (size_t)p->pairs[2 * i],
                                                   p->b + 9 * (size_t)p->pairs[2 * i + 1]);
}

void tritri_batch(void *data)
{
    TritriJob *job = data;
    const BenchPairs *p = job->pairs;
    PliantTrianglePairs def = pliant_triangle_pairs_default();
    def.a = p->a;
    def.b = p->b;
    def.a_count = def.b_count = p->triangle_count;
    def.pairs = p->pairs;
    def.pair_count = p->pair_count;
    def.cpu_mask = job->cpu_mask;
    job->counts = pliant_triangle_counts_default();
    PliantResult result =
        pliant_triangle_pairs_intersect(&def, job->meets, p->pair_count, &job->counts);
    if (result != PLIANT_OK) {
        fprintf(stderr, "bench: %s\n", pliant_result_text(result));
        exit(1);
    }
}
