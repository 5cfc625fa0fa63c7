// The experiments of pliant-bench-peers, one file each.
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "bench.h"

extern "C" {
BenchRun peers_tritri;
BenchRun peers_free;
BenchRun peers_paper;
BenchRun peers_morph;
BenchRun peers_paper_morph;
BenchRun peers_character;
BenchRun peers_soup;
BenchRun peers_volume;
BenchRun peers_rays;     // where Embree is
BenchRun peers_points;   // likewise
BenchRun peers_distance; // where FCL is
BenchRun peers_threads;
BenchRun peers_near;
BenchRun peers_sweep;
BenchRun peers_first;
BenchRun peers_played;
BenchRun morph_face; // a part of peers_morph
BenchRun soup_cut;   // a part of peers_soup
}

#endif
