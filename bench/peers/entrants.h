// What `pliant-bench-peers morph` and `character` share: those who take part in a scene, what they
// took, and how it is printed. Ours first, the oracle last.
#ifndef BENCH_ENTRANTS_H
#define BENCH_ENTRANTS_H

#include "free_runs.h"

struct Entrant {
    FreeRole role;
    std::unique_ptr<FreePeer> peer;
    std::vector<FreeTimes> times;
    std::vector<double> fresh_first; // update and first pairs of a new frame
    int64_t different_frames = 0;
    FreeAnswers answers; // in the last frame

    double median(double FreeTimes::*part) const;
    std::string key() const; // the name in small letters
};

using Entrants = std::vector<Entrant>;

void add_entrant(Entrants *entrants, FreeRole role, std::unique_ptr<FreePeer> peer);
const Entrant &find_entrant(const Entrants &entrants, const char *key);

// Update and first pairs of a frame that is new to the peer.
double time_fresh_first(FreePeer *peer, const FreeFrame &frame);
double fresh_first_of(const Entrant &entrant);

// What was written here must agree with the oracle; what was not is only reported.
bool agree(const Entrants &entrants);

void print_entrant(const std::string &scene, const Entrant &entrant);

// How many times as fast as the best library is ours? "all_vs_best_peer" and the like, after what
// `scene` says.
void print_against_best(const std::string &scene, const Entrants &entrants);

// The least over the libraries, or over those of another role.
template <class Time>
double best_library(const Entrants &entrants, const Time &time, FreeRole role = FreeRole::Library)
{
    double best = 0;
    for (const Entrant &entrant : entrants)
        if (entrant.role == role && time(entrant) > 0 && (best == 0 || time(entrant) < best))
            best = time(entrant);
    return best;
}

#endif
