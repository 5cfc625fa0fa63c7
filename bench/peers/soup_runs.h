// What the scenes of `pliant-bench-peers soup` share: ours, one frame, and how it is printed.
#ifndef BENCH_SOUP_RUNS_H
#define BENCH_SOUP_RUNS_H

#include "entrants.h"

// Ours, of all kinds.
void soup_enter(Entrants *entrants, const FreeScene &scene);

// One frame of two bodies, which is new: update and all pairs.
FreeTimes soup_time(FreePeer *peer, const float *const *vertices);

// Everyone's times, and how many times as fast as the best library ours is.
void soup_print(const std::string &scene, const Entrants &entrants);

#endif
