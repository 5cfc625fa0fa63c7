// Those who take part: see entrants.h.
#include "entrants.h"

#include <cctype>
#include <cstdio>

double Entrant::median(double FreeTimes::*part) const
{
    return free_median(times, part);
}

std::string Entrant::key() const
{
    std::string lower;
    for (const char *c = peer->name(); *c; c++)
        lower += static_cast<char>(std::tolower(*c));
    return lower;
}

void add_entrant(Entrants *entrants, FreeRole role, std::unique_ptr<FreePeer> peer)
{
    entrants->emplace_back();
    entrants->back().role = role;
    entrants->back().peer = std::move(peer);
}

const Entrant &find_entrant(const Entrants &entrants, const char *key)
{
    size_t i = 0;
    while (entrants[i].key() != key)
        i++;
    return entrants[i];
}

double time_fresh_first(FreePeer *peer, const FreeFrame &frame)
{
    peer->prepare(frame.vertices());
    const double start = bench_seconds();
    peer->update(frame.vertices());
    peer->touching(frame.close());
    return bench_seconds() - start;
}

double fresh_first_of(const Entrant &entrant)
{
    return free_median(entrant.fresh_first);
}

bool agree(const Entrants &entrants)
{
    bool is_fine = true;
    for (const Entrant &entrant : entrants)
        is_fine &= entrant.role == FreeRole::Library || entrant.role == FreeRole::Refit ||
                   entrant.different_frames == 0;
    return is_fine;
}

void print_entrant(const std::string &scene, const Entrant &entrant)
{
    const double total = 1e3 * entrant.median(&FreeTimes::total);
    const double fresh = 1e3 * entrant.median(&FreeTimes::fresh);
    const double first = 1e3 * entrant.median(&FreeTimes::first);
    const double fresh_first = 1e3 * fresh_first_of(entrant);
    std::printf("  %-16s all pairs %10.4f (fresh %10.4f)  first pair %10.4f (fresh %10.4f) ms%s\n",
                entrant.peer->name(), total, fresh, first, fresh_first,
                entrant.different_frames ? "  DIFFERENT PAIRS" : "");
    const std::string key = scene + entrant.key();
    bench_figure((key + ".total").c_str(), total, "ms");
    bench_figure((key + ".fresh").c_str(), fresh, "ms");
    bench_figure((key + ".first").c_str(), first, "ms");
    bench_figure((key + ".fresh_first").c_str(), fresh_first, "ms");
    bench_figure((key + ".different_frames").c_str(), static_cast<double>(entrant.different_frames),
                 "frames");
}

void print_against_best(const std::string &scene, const Entrants &entrants)
{
    const auto print = [&](const char *figure, const auto &time) {
        const double best = best_library(entrants, time);
        if (best > 0)
            bench_figure((scene + figure).c_str(), best / time(entrants[0]), "x");
    };
    print("all_vs_best_peer", [](const Entrant &e) { return e.median(&FreeTimes::total); });
    print("first_vs_best_peer", [](const Entrant &e) { return e.median(&FreeTimes::first); });
    print("fresh_all_vs_best_peer", [](const Entrant &e) { return e.median(&FreeTimes::fresh); });
    print("fresh_first_vs_best_peer", fresh_first_of);
}
