// What the scenes of soups share: see soup_runs.h.
#include "soup_runs.h"

#include <cstdio>

namespace
{
constexpr uint32_t AVX2 = PLIANT_CPU_VECTOR128 | PLIANT_CPU_AVX2;

const FreeSoupWay ways[] = {
    {"pliant", PLIANT_CPU_ALL, PLIANT_SOUP_AUTO},
    {"pliant-avx2", AVX2, PLIANT_SOUP_AUTO},
    {"pliant-sorted", PLIANT_CPU_ALL, PLIANT_SOUP_SORTED},
    {"pliant-buckets", PLIANT_CPU_ALL, PLIANT_SOUP_BUCKETS},
    {"pliant-coherent-buckets", PLIANT_CPU_ALL, PLIANT_SOUP_COHERENT_BUCKETS},
};

double total_of(const Entrant &entrant)
{
    return entrant.median(&FreeTimes::total);
}

// Ours have no update that could be told from the query: pliant-bench soup has it.
void print_entrant_times(const std::string &scene, const Entrant &entrant)
{
    const double update = 1e3 * entrant.median(&FreeTimes::update);
    const double all = 1e3 * entrant.median(&FreeTimes::all), total = 1e3 * total_of(entrant);
    const char *note = entrant.different_frames ? "  DIFFERENT PAIRS" : "";
    if (entrant.role == FreeRole::Ours)
        std::printf("  %-24s %34.4f ms%s\n", entrant.peer->name(), total, note);
    else
        std::printf("  %-24s %9.3f + %9.3f = %10.4f ms%s\n", entrant.peer->name(), update, all,
                    total, note);
    bench_figure((scene + entrant.key() + ".total").c_str(), total, "ms");
    bench_figure((scene + entrant.key() + ".different_frames").c_str(),
                 static_cast<double>(entrant.different_frames), "frames");
}
} // namespace

void soup_enter(Entrants *entrants, const FreeScene &scene)
{
    for (const FreeSoupWay &way : ways)
        add_entrant(entrants, FreeRole::Ours, make_soup(way, scene));
}

FreeTimes soup_time(FreePeer *peer, const float *const *vertices)
{
    static const FreeBodies both = {{0, 1}};
    FreeTimes times{};
    const double start = bench_seconds();
    peer->update(vertices);
    const double updated = bench_seconds();
    peer->all_pairs(both);
    times.total = bench_seconds() - start;
    times.update = updated - start;
    times.all = times.total - times.update;
    return times;
}

void soup_print(const std::string &scene, const Entrants &entrants)
{
    for (const Entrant &entrant : entrants)
        print_entrant_times(scene, entrant);
    const double best = best_library(entrants, total_of);
    const double refit = best_library(entrants, total_of, FreeRole::Refit);
    bench_figure((scene + "vs_best_peer").c_str(), best / total_of(entrants[0]), "x");
    if (refit > 0)
        bench_figure((scene + "vs_refit").c_str(), refit / total_of(entrants[0]), "x");
    bench_figure((scene + "avx2_vs_best_peer").c_str(),
                 best / total_of(find_entrant(entrants, "pliant-avx2")), "x");
}
