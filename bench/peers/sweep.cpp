// pliant-bench-peers sweep: what touches on the way from one step to the next, and when.
#include "peers.h"
#include "sweep_runs.h"

#include <cstdio>

extern "C" int peers_sweep(const BenchOptions *options)
{
    int failed = sweep_run_pairs(options->is_quick);
    failed |= sweep_run_comoving(options->is_quick);
    failed |= sweep_run_margin(options->is_quick);
#ifdef HAS_EMBREE
    failed |= sweep_run_steps(options->is_quick);
#else
    std::printf("pliant-bench-peers sweep: no Embree\n");
#endif
    return failed;
}
