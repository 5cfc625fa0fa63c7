// pliant-bench-peers tritri: our scalar exact test and our batch against CGAL's exact test.
//
// CGAL gets its triangles ready made as Triangle_3, in double precision; ours are read as floats.
// Only the tests are timed, and every answer is compared.
#include "tritri.h"
#include "peers.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>

#include <cinttypes>
#include <cstdio>
#include <vector>

namespace
{
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Triangle = Kernel::Triangle_3;

std::vector<Triangle> triangles_of(const float *corners, int32_t count)
{
    std::vector<Triangle> triangles;
    triangles.reserve(static_cast<size_t>(count));
    for (int32_t i = 0; i < count; i++) {
        const float *c = corners + 9 * static_cast<size_t>(i);
        triangles.emplace_back(Kernel::Point_3(c[0], c[1], c[2]), Kernel::Point_3(c[3], c[4], c[5]),
                               Kernel::Point_3(c[6], c[7], c[8]));
    }
    return triangles;
}

struct CgalJob {
    const BenchPairs *pairs;
    std::vector<Triangle> a, b;
    std::vector<uint8_t> intersects;
};

void cgal_all(void *data)
{
    auto *job = static_cast<CgalJob *>(data);
    const BenchPairs *p = job->pairs;
    for (int64_t i = 0; i < p->pair_count; i++)
        job->intersects[static_cast<size_t>(i)] =
            CGAL::do_intersect(job->a[p->pairs[2 * i]], job->b[p->pairs[2 * i + 1]]);
}
} // namespace

int peers_tritri(const BenchOptions *options)
{
    BenchPairs pairs = bench_bumpy_pairs(5, SCENE_BUMPY_STEPS - 1);
    auto count = static_cast<size_t>(pairs.pair_count);
    std::vector<uint8_t> scalar_intersects(count), batch_intersects(count);
    CgalJob cgal{&pairs, triangles_of(pairs.a, pairs.triangle_count),
                 triangles_of(pairs.b, pairs.triangle_count), std::vector<uint8_t>(count)};
    TritriJob scalar{&pairs, 0, scalar_intersects.data(), {}};
    TritriJob batch{&pairs, PLIANT_CPU_ALL, batch_intersects.data(), {}};
    BenchTurn turns[3] = {{"cgal", cgal_all, &cgal, 0},
                          {"scalar", tritri_scalar, &scalar, 0},
                          {"batch", tritri_batch, &batch, 0}};
    bench_turns(turns, 3, options->is_quick ? 51 : 501);

    int64_t differences = 0;
    for (size_t i = 0; i < count; i++)
        differences +=
            cgal.intersects[i] != scalar_intersects[i] || cgal.intersects[i] != batch_intersects[i];
    std::printf("tritri: %" PRId64
                " candidate pairs of two bumpy spheres at their last step, %" PRId64
                " intersect, %" PRId64 " differences from CGAL\n",
                pairs.pair_count, batch.counts.intersecting, differences);
    for (const BenchTurn &turn : turns)
        std::printf("  %-8s %7.2f ns a pair\n", turn.name,
                    turn.median * 1e9 / static_cast<double>(count));
    bench_figure("tritri.exact_vs_cgal", turns[0].median / turns[1].median, "x");
    bench_figure("tritri.batch_vs_cgal", turns[0].median / turns[2].median, "x");
    bench_figure("tritri.differences", static_cast<double>(differences), "pairs");
    bench_pairs_free(&pairs);
    return differences != 0;
}
